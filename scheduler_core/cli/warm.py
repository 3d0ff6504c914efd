"""Command `warm`: compiles every kernel into the cache."""

from __future__ import annotations

import argparse
import os
import sys
import time

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
    """Keep the digest of each scheduler's code, which tells known results, and compile every kernel."""
    from scheduler_core import SCHEDULERS, outcome_code

    for spec in SCHEDULERS:
        outcome_code(spec.name)
    _warm()


def _warm() -> None:
    from scheduler_core import SCHEDULERS, compile_workloads, leave_marks, warm

    leave_marks()
    done = 0
    total = len(SCHEDULERS) + 1

    def told(name: str, took: float) -> None:
        nonlocal done
        done += 1
        print(f"[{done}/{total}] {name}: {seconds(took)}", flush=True)

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


COMMAND = Command("warm", "Compile every kernel into the cache.", _arguments, _run)
