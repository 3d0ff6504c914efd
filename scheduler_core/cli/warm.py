"""Command `warm`: compiles every kernel into the cache."""

from __future__ import annotations

import argparse
import os
import sys
import time

from scheduler_core.cli.command import Command
from scheduler_core.cli.text import seconds


def _run(args: argparse.Namespace) -> int:
    from scheduler_core import SCHEDULERS, compile_workloads, warm

    if args.background and hasattr(os, "nice"):
        os.nice(10)
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
    return 0


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--background", action="store_true", help="take only what processor time is left")


COMMAND = Command("warm", "Compile every kernel into the cache.", _arguments, _run)
