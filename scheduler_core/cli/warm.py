"""Command `warm`: compiles every kernel into the cache."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable

from scheduler_core.cli.command import Command
from scheduler_core.cli.text import seconds


def _run(args: argparse.Namespace) -> int:
    if not args.background:
        _warm()
        return 0
    from scheduler_core.engine.giving_way import compile_ahead

    if hasattr(os, "nice"):
        os.nice(10)
    return compile_ahead(_prepare)


def _prepare() -> None:
    """Compile every kernel, and keep the digest of each scheduler's code, which tells known results.

    The first scheduler comes first, because the first visitor changes its experiment. The digests take some seconds.
    """
    from scheduler_core import SCHEDULERS, outcome_code

    _warm(lambda: [outcome_code(spec.name) for spec in SCHEDULERS])


def _warm(after_first: Callable[[], object] = list) -> None:
    """Compile every kernel; call `after_first` once the first scheduler is compiled."""
    from scheduler_core import SCHEDULERS, compile_workloads, leave_marks, warm

    leave_marks()
    done = 0
    total = len(SCHEDULERS) + 1

    def told(name: str, took: float) -> None:
        nonlocal done
        done += 1
        print(f"[{done}/{total}] {name}: {seconds(took)}", flush=True)
        if name == SCHEDULERS[0].name:
            after_first()

    started = time.perf_counter()
    print("compiling …", file=sys.stderr)
    compile_workloads()
    told("workloads", time.perf_counter() - started)
    warm(told)


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--background",
        action="store_true",
        help="run at low priority, behind runs that a user waits for",
    )


COMMAND = Command("warm", "Compile all schedulers now, so that their first runs start at once.", _arguments, _run)
