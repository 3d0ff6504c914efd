"""Command `flow`: solve a min-cost-flow problem, or follow one through a file of changes."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scheduler_core.cli.command import Command, json_option, subcommand
from scheduler_core.cli.text import seconds, table
from scheduler_core.errors import ExperimentError, Problem, TraceError

if TYPE_CHECKING:
    from scheduler_core.flow.network import FlowNetwork

_SOLVERS = ("ssp", "scaling", "cold", "ics")


def _arguments(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(title="subcommands", metavar="WHAT", required=True)
    solve = subcommand(commands, "solve", "Solve a network.")
    replay = subcommand(commands, "replay", "Solve a network, and solve it again after each batch of changes.")
    for command in (solve, replay):
        command.add_argument("graph", metavar="GRAPH", type=Path, help="a DIMACS min-cost-flow file")
    replay.add_argument(
        "changes", metavar="CHANGES", type=Path, help="a file of changes (docs/explanation/min-cost-flow.md)"
    )
    for command in (solve, replay):
        command.add_argument(
            "--solver",
            choices=_SOLVERS,
            default="ssp",
            help="ssp (shortest paths) and scaling (cost scaling) keep flow and prices between batches; cold "
            "(OR-tools) solves from scratch; ics is the former name of ssp.",
        )
        json_option(command)


def _flow(args: argparse.Namespace) -> int:
    from scheduler_core.flow import dimacs
    from scheduler_core.flow.network import FlowNetwork

    changes = getattr(args, "changes", None)
    _solved(FlowNetwork(), args.solver, 0)  # loads what solves, so that the seconds below are of solving
    try:
        graph = dimacs.read_graph(args.graph)
    except TraceError as error:
        raise _in_file(args.graph, error) from None
    found = [_solved(graph.network, args.solver, 0)]
    if changes is None:
        _show_one(found[0], args.json)
        return 0
    try:
        for count in dimacs.replay(graph, changes):
            found.append(_solved(graph.network, args.solver, count))
    except TraceError as error:
        _show_all(found, args.json)
        sys.stdout.flush()
        raise _in_file(changes, error) from None
    _show_all(found, args.json)
    return 0


def _solved(network: FlowNetwork, solver: str, changes: int) -> dict[str, Any]:
    """Solve the network as it is now; return the result with its time and the number of touched arcs."""
    too_large = network.too_large()
    if too_large:
        raise ExperimentError([Problem("", too_large, "sums that fit into 64 bits", "scale the costs down")])
    before, began = network.work, time.perf_counter()
    cold = solver == "cold"
    solution = network.solve_cold() if cold else network.solve("ssp" if solver == "ics" else solver)
    spent, after = time.perf_counter() - began, network.work
    touched = len(network.arcs()["arc"]) if cold else after.scanned - before.scanned
    return {
        "status": solution.status,
        "flow": solution.flow,
        "cost": solution.cost,
        "seconds": spent,
        "changes": changes,
        "arcs_touched": touched,
    }


def _in_file(path: Path, error: TraceError) -> ExperimentError:
    return ExperimentError(
        Problem(f"{path}: {one.path}" if one.path else str(path), one.message, one.allowed, one.remedy)
        for one in error.problems
    )


def _show_one(found: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print(json.dumps({key: found[key] for key in ("status", "flow", "cost", "seconds")}, indent=2))
    else:
        print(f"{found['status']}: flow {found['flow']:,}, cost {found['cost']:,}, in {seconds(found['seconds'])}")


def _show_all(found: list[dict[str, Any]], as_json: bool) -> None:
    if as_json:
        print(json.dumps({"batches": [{"batch": number, **one} for number, one in enumerate(found)]}, indent=2))
        return
    rows = [
        (
            str(number),
            f"{one['changes']:,}",
            one["status"],
            f"{one['flow']:,}",
            f"{one['cost']:,}",
            f"{one['arcs_touched']:,}",
            seconds(one["seconds"]),
        )
        for number, one in enumerate(found)
    ]
    print(table([("batch", "changes", "status", "flow", "cost", "arcs touched", "time"), *rows]))


COMMAND = Command("flow", "Solve a min-cost-flow problem, once or after each batch of changes.", _arguments, _flow)
