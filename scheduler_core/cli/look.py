"""Commands that simulate again for details: `inspect` the run at a time, `explain` a task."""

from __future__ import annotations

import argparse
import json
import math
from typing import Any

from scheduler_core.cli.command import Command, json_option
from scheduler_core.cli.plugins import plugin_option
from scheduler_core.cli.text import counter_words, seconds, tree
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.experiment.fields import LONGEST_S

_MOST_PROBES = 40


def _time(text: str) -> float:
    """Read a simulated time."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value <= LONGEST_S:
        raise ExperimentError([Problem("--at", f"is '{text}'", f"seconds from 0 to {LONGEST_S:,.0f}")])
    return value


def _task(text: str) -> int:
    """Read a task's number."""
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise ExperimentError([Problem("--task", f"is '{text}'", "a task's number, from 0 in order of arrival")])
    return int(text)


def _inspect_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("experiment", metavar="EXPERIMENT.json", help="an experiment's file")
    parser.add_argument("--at", metavar="T", required=True, help="simulated time in seconds")
    plugin_option(parser)
    json_option(parser)


def _inspect(args: argparse.Namespace) -> int:
    at = _time(args.at)
    from scheduler_core import Experiment, inspect

    experiment = Experiment.from_file(args.experiment)
    state = inspect(experiment, at)
    if args.json:
        print(json.dumps(state, indent=2))
        return 0
    counters = state.pop("counters")
    rest = {key: state.pop(key) for key in ("tasks", "machines", "scheduler") if key in state}
    print("\n".join([*tree(state), *tree({"counters": counters}, words=counter_words(experiment.scheduler.name))]))
    print("\n".join(tree(rest)))
    return 0


def _explain_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("experiment", metavar="EXPERIMENT.json", help="an experiment's file")
    parser.add_argument("--task", metavar="ID", required=True, help="the task's number, from 0 in order of arrival")
    parser.add_argument("--at", metavar="T", help="simulated time in seconds; absent: the end of the run")
    parser.add_argument(
        "--smallest",
        action="store_true",
        help="also replay the run with small changes, one at a time, and report the smallest that starts the task "
        "earlier",
    )
    plugin_option(parser)
    json_option(parser)


def _explain(args: argparse.Namespace) -> int:
    task, at = _task(args.task), None if args.at is None else _time(args.at)
    from scheduler_core import Experiment, explain, smallest_change

    experiment = Experiment.from_file(args.experiment)
    told = explain(experiment, task, at)
    if args.smallest:
        told["smallest_change"] = smallest_change(experiment, task, at)
    if args.json:
        print(json.dumps(told, indent=2))
        return 0
    decisions, groups, change = told.pop("decisions"), told.pop("ruled_out"), told.pop("smallest_change", None)
    probes = told.pop("probes")
    told["stopped_s"] = told["stopped_s"] or "never"
    print(told.pop("answer"))
    print("\n".join(tree(told)))
    for group in groups:
        print(f"  {group['sentence']}")
    print("decisions:" if decisions else "decisions: none yet")
    for decision in decisions:
        times = f" ({decision['times']:,} times)" if decision["times"] > 1 else ""
        print(f"  {seconds(decision['t_s'])}  {decision['sentence']}{times}")
    if probes is not None:
        print("\n".join(_probes(probes)))
    if change is not None:
        print("\n".join(one["sentence"] for one in change["helps"]) or change["sentence"])
    return 0


def _probes(probes: dict[str, Any]) -> list[str]:
    """Return lines on the probes of the task's job; it marks the one that has the task."""
    rows = probes["rows"][:_MOST_PROBES]
    lines = [f"probes: {probes['why']}", *(f"  {'*' if row['won'] else '-'} {row['sentence']}" for row in rows)]
    left = probes["total"] - len(rows)
    return [*lines, f"  and {left:,} more"] if left else lines


INSPECT = Command("inspect", "Show the state of a run at a simulated time.", _inspect_arguments, _inspect)
EXPLAIN = Command("explain", "Explain where a task is and why.", _explain_arguments, _explain)
