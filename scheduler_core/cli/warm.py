"""Command `warm`: compile every kernel into the cache."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from scheduler_core.cli.command import Command
from scheduler_core.cli.text import seconds

#: Niceness of the background process before and after it compiles the first experiment.
_NICE_FIRST, _NICE = 15, 19


def _run(args: argparse.Namespace) -> int:
    if not args.background:
        print("compiling …", file=sys.stderr)
        _Warming().compile_all(args.first)
        return 0
    from scheduler_core.engine.giving_way import compile_ahead

    _stand_back(_NICE_FIRST)
    return compile_ahead(lambda: _prepare(args.first))


def _stand_back(by: int) -> None:
    if hasattr(os, "nice"):
        os.nice(by)


def _prepare(first: Path | None) -> None:
    """Compile every kernel, and keep the digest of each scheduler's code, which tells known results.

    The first visitor changes the first experiment. The digests take some seconds, so they come after it.
    """
    from scheduler_core import SCHEDULERS, outcome_code

    def after_first() -> None:
        _stand_back(_NICE - _NICE_FIRST)
        for spec in SCHEDULERS:
            outcome_code(spec.name)

    _Warming().compile_all(first, after_first)


class _Warming:
    """Compile, and print each step."""

    def __init__(self) -> None:
        self._done = self._total = 0
        self._began = time.perf_counter()

    def compile_all(self, first: Path | None, after_first: Callable[[], object] = list) -> None:
        """Compile for one experiment, call `after_first`, then compile all other kernels."""
        from scheduler_core import SCHEDULERS, compile_workloads, leave_marks, warm
        from scheduler_core.run.warm import compile_experiment

        leave_marks()
        self._total = len(SCHEDULERS) + 1 + (first is not None)
        if first is not None:
            compile_experiment(first)
            self._told(first.stem)
        after_first()
        compile_workloads()
        self._told("workloads")
        warm(lambda name, _: self._told(name))

    def _told(self, name: str) -> None:
        self._done += 1
        now = time.perf_counter()
        print(f"[{self._done}/{self._total}] {name}: {seconds(now - self._began)}", flush=True)
        self._began = now


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--first", type=Path, metavar="FILE", help="compile for this experiment first")
    parser.add_argument(
        "--background",
        action="store_true",
        help="run at low priority, behind runs that a user waits for",
    )


COMMAND = Command("warm", "Compile all schedulers now, so that their first runs start at once.", _arguments, _run)
