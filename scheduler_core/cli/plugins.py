"""Options about plugins: `--plugin FILE.py` for every command that takes schedulers, and `--checked` for a run."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Sequence

from scheduler_core.errors import ExperimentError, Problem

CRASHED = 70
"""The exit code of a run that a plugin's compiled code has ended."""
_CHILD = "SCHEDULER_CORE_CHILD"
# Python reports the overflow of random numbers, which compiled code does not see.
_UNCOMPILED = {"NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "ignore::RuntimeWarning"}


def plugin_option(parser: argparse.ArgumentParser) -> None:
    """Add --plugin."""
    parser.add_argument(
        "--plugin",
        metavar="FILE.py",
        action="append",
        default=[],
        help="a Python file with a scheduler, listed with the others; may be repeated",
    )


def checked_option(parser: argparse.ArgumentParser) -> None:
    """Add --checked."""
    parser.add_argument(
        "--checked",
        action="store_true",
        help="run the plugin slowly, without its compiled code: check every index, and name the file, the line, the "
        "task and the machine of an error",
    )


def load_plugins(args: argparse.Namespace) -> None:
    """Load the files that the command line names. Raises ExperimentError."""
    if getattr(args, "checked", False):
        if not args.plugin:
            raise ExperimentError([Problem("--checked", "needs a plugin", "--plugin FILE.py --checked")])
        os.environ["SCHEDULER_CORE_CHECKED"] = "1"
    for path in getattr(args, "plugin", []):
        from scheduler_core import load_plugin

        load_plugin(path)


def in_child(args: argparse.Namespace, argv: Sequence[str]) -> int | None:
    """Run a command whose plugin has compiled code in a child, which may crash; return None if no child is needed.

    Checks need a process without compiled code, too.
    """
    files = getattr(args, "plugin", [])
    if not files or not hasattr(args, "checked") or _CHILD in os.environ:
        return None
    from scheduler_core.schedulers.plugin.reading import read

    sources = [read(path) for path in files]
    if not any(source.is_compiled for source in sources):
        return None
    uncompiled = args.checked and any(source.is_loop for source in sources)
    env = {**os.environ, _CHILD: "1"} | (_UNCOMPILED if uncompiled else {})
    child = subprocess.Popen([sys.executable, "-m", "scheduler_core", *argv], env=env)
    while True:
        try:
            code = child.wait()
            break
        except KeyboardInterrupt:
            continue  # the terminal has told the child, too, which ends by itself
    if code >= 0:
        return code
    name = signal.Signals(-code).name
    print(
        f"{files[-1]}: its compiled code ended the program ({name}), as an index out of bounds does.", file=sys.stderr
    )
    print("Run it again with --checked to see the line, the task and the machine.", file=sys.stderr)
    return CRASHED


def nothing_started(label: str, counters: dict[str, int], tasks: int) -> str:
    """Return a sentence about a run in which no task has started; empty if one has, or if there was none to start."""
    if counters.get("tasks_started", 1) or not tasks:
        return ""
    asked = counters.get("questions")
    if asked is None:
        return f"{label} sent no task to a machine: none of {tasks:,} tasks has started."
    if asked == 0:
        return f"choose was never called: no machine in service could run any of {tasks:,} tasks."
    return f"choose gave no machine to any of {asked:,} questions: none of {tasks:,} tasks has started."
