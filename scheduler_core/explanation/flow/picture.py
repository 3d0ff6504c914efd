"""Build the picture of a round's network: groups of nodes in layers, the arcs between them, and the changes."""

from __future__ import annotations

from typing import Any

import numpy as np

from scheduler_core.engine.records import World
from scheduler_core.experiment import Experiment, ResolveTrace
from scheduler_core.explanation.flow.grouping import MOST_NODES, Groups, group
from scheduler_core.explanation.flow.rounds import Enough, no_such_round, rounds_before, run_until_enough, watched
from scheduler_core.explanation.flow.solved import KINDS, LAYER_OF, LAYERS, TASK, UNSCHEDULED, Ints, Solved, take, units
from scheduler_core.limits import DEFAULT_LIMITS, Limits
from scheduler_core.run.driver import OnSlice
from scheduler_core.schedulers.flow.graph import MANY
from scheduler_core.schedulers.flow.state import FlowState

MOST_ARCS = 4000
NEW, GONE, COST, BOUNDS, FLOW = (1 << bit for bit in range(5))
CHANGES = {"new": NEW, "gone": GONE, "cost": COST, "bounds": BOUNDS, "flow": FLOW}
"""How an arc may differ from the round before: bits of `changed`."""
_SUMMED = ("low", "cap", "flow")
_RANGES = ("cost_least", "cost_most", "reduced_least", "reduced_most")
_FAR = 1 << 62
_COLUMNS = ("tail", "head", "members", "low", "cap", "flow", "cost", "reduced", "changed", "changed_members")


def flow_pictures(
    experiment: Experiment,
    first: int = 1,
    count: int = 1,
    *,
    not_before_s: float | None = None,
    most_nodes: int = MOST_NODES,
    resolve_trace: ResolveTrace | None = None,
    limits: Limits = DEFAULT_LIMITS,
    on_slice: OnSlice | None = None,
) -> list[dict[str, Any]]:
    """Return pictures of the networks of consecutive rounds.

    The first is the given round (counted from 1), or the first round that begins at or after an instant. The function
    simulates the run again up to there. Costs are in the units of the parameters. The result is shorter if the run has
    no more rounds. Raises ExperimentError if the run lacks even the first one.
    """
    options: dict[str, Any] = {"resolve_trace": resolve_trace, "limits": limits}
    if not_before_s is not None:
        first = 1 + rounds_before(experiment, not_before_s, on_slice, **options)
    before: list[Solved] = []
    found: list[dict[str, Any]] = []

    def on_round(world: World, state: FlowState) -> None:
        solved = take(world, state)
        if solved.round >= first:
            job_of, rack_of = world.task.job.astype(np.int64), world.machine.rack.astype(np.int64)
            found.append(picture_of(solved, before[0] if before else None, job_of, rack_of, most_nodes))
        before[:] = [solved]
        if len(found) == count:
            raise Enough

    simulation = watched(experiment, max(1, first - 1), on_round, **options)
    if not run_until_enough(simulation, on_slice) and not found:
        raise no_such_round(first, int(simulation.state.rules[0].rounds))
    return found


def picture_of(after: Solved, before: Solved | None, job_of: Ints, rack_of: Ints, most_nodes: int) -> dict[str, Any]:
    """Return a picture of a round; `before` is the round before it."""
    lost = _gone(after, before)
    live = np.flatnonzero(after.live)
    # What has gone may have led to tasks that are not there any more: rows of their own behind those that are.
    groups = group(
        live,
        np.concatenate((after.kind, lost["kind"])),
        np.concatenate((after.number, lost["number"])),
        job_of,
        rack_of,
        most_nodes,
    )
    changed = _changed(after, before)
    table = _arcs(groups, after, changed, lost)
    counted = {name: int((changed & bit != 0).sum()) for name, bit in CHANGES.items()} | {"gone": len(lost["tail"])}
    order = sorted(
        range(len(groups.kind)),
        key=lambda at: (
            groups.layer(at),
            int(groups.kind[at]) % 100,
            int(groups.number[at]) < 0,
            int(groups.number[at]),
        ),
    )
    place = {was: now for now, was in enumerate(order)}
    rows, left_out = table
    for row in rows:
        row["tail"], row["head"] = place[row["tail"]], place[row["head"]]
    return {
        "round": after.round,
        "t_s": after.t_ns / 1e9,
        "solver_s": after.solver_ns / 1e9,
        "feasible": after.feasible,
        "cost": units(after.cost),
        "tasks": int((after.kind[live] == TASK).sum()),
        "waiting": _waiting(after),
        "nodes_in_all": len(live),
        "arcs_in_all": len(after.arcs["arc"]),
        "changed": counted,
        "booked": after.changed - (before.changed if before else 0),
        "visited": after.visited - (before.visited if before else 0),
        "layers": list(LAYERS),
        "grouped": list(groups.told),
        "left_out": left_out,
        "nodes": [_node(groups, after, at) for at in order],
        "change_bits": CHANGES,
        "arcs": {name: [row[name] for row in rows] for name in _COLUMNS},
    }


def _node(groups: Groups, after: Solved, at: int) -> dict[str, Any]:
    rows = np.flatnonzero(groups.of_row[: len(after.live)] == at)
    kind = int(groups.kind[at]) % 100
    return {
        "id": groups.id(at),
        "label": groups.label(at),
        "kind": KINDS[kind],
        "layer": LAYER_OF[kind],
        "number": int(groups.number[at]),
        "members": int(groups.members[at]),
        "supply": int(after.supply[rows].sum()),
    }


def _waiting(after: Solved) -> int:
    """Return tasks whose unit flows through their job's unscheduled node."""
    arcs = after.arcs
    return int(arcs["flow"][after.kind[arcs["tail"]] == UNSCHEDULED].sum())


def _same(after: Solved, before: Solved) -> tuple[Ints, Ints]:
    """Return the places in both of the arcs that both have: equal number, and ends that stand for the same."""
    _, now, then = np.intersect1d(after.arcs["arc"], before.arcs["arc"], return_indices=True)
    same = np.ones(len(now), bool)
    for end in ("tail", "head"):
        here, there = after.arcs[end][now], before.arcs[end][then]
        same &= (after.kind[here] == before.kind[there]) & (after.number[here] == before.number[there])
    return now[same], then[same]


def _changed(after: Solved, before: Solved | None) -> Ints:
    """Return for each arc how it differs from the round before; everything is new in the first."""
    found = np.full(len(after.arcs["arc"]), NEW, np.int64)
    if before is None:
        return found
    now, then = _same(after, before)
    found[now] = 0
    for names, bit in ((("cost",), COST), (("low", "cap"), BOUNDS), (("flow",), FLOW)):
        for name in names:
            other = after.arcs[name][now] != before.arcs[name][then]
            found[now[other]] |= bit
    return found


def _gone(after: Solved, before: Solved | None) -> dict[str, Ints]:
    """Return the arcs that only the earlier round had; their ends are rows after those of `after`."""
    if before is None:
        return {name: np.zeros(0, np.int64) for name in ("tail", "head", "cost", "kind", "number")}
    lost = np.setdiff1d(np.arange(len(before.arcs["arc"])), _same(after, before)[1])
    ends = np.concatenate((before.arcs["tail"][lost], before.arcs["head"][lost]))
    rows = len(after.live) + np.arange(len(ends))
    return {"tail": rows[: len(lost)], "head": rows[len(lost) :], "cost": before.arcs["cost"][lost],
            "kind": before.kind[ends], "number": before.number[ends]}  # fmt: skip


def _arcs(groups: Groups, after: Solved, changed: Ints, lost: dict[str, Ints]) -> tuple[list[dict[str, Any]], int]:
    """Return (arcs between groups, number left out); it leaves out arcs without flow first."""
    arcs, none = after.arcs, np.zeros(len(lost["tail"]), np.int64)
    tail = groups.of_row[np.concatenate((arcs["tail"], lost["tail"]))]
    head = groups.of_row[np.concatenate((arcs["head"], lost["head"]))]
    columns = {name: np.concatenate((arcs[name], none)) for name in ("low", "cap", "flow", "reduced")}
    columns["cost"] = np.concatenate((arcs["cost"], lost["cost"]))
    bits = np.concatenate((changed, none + GONE))
    there = np.concatenate((np.ones(len(arcs["arc"]), np.int64), none))
    shown = np.flatnonzero((tail >= 0) & (head >= 0) & (tail != head))
    pair, of_pair = np.unique(tail[shown] * len(groups.kind) + head[shown], return_inverse=True)
    order = np.argsort(of_pair.reshape(-1), kind="stable")
    edges = np.searchsorted(of_pair.reshape(-1)[order], np.arange(len(pair)))
    made = _sums({name: values[shown[order]] for name, values in columns.items()}, bits[shown[order]],
                 there[shown[order]], edges)  # fmt: skip
    made["tail"], made["head"] = np.divmod(pair, len(groups.kind))
    best = np.lexsort((-made["flow"], made["changed"] == 0, made["flow"] == 0))
    rows = [_row({name: values[at] for name, values in made.items()}) for at in best[:MOST_ARCS]]
    return rows, max(0, len(pair) - MOST_ARCS)


def _sums(columns: dict[str, Ints], bits: Ints, there: Ints, edges: Ints) -> dict[str, Ints]:
    """Return sums, minima and maxima of each run of rows that begins at `edges`; of lost arcs only costs."""
    if not len(edges):
        return dict.fromkeys((*_SUMMED, *_RANGES, "members", "changed", "changed_members", "free"), bits)
    found = {name: np.add.reduceat(columns[name] * there, edges) for name in _SUMMED}
    found["members"] = np.add.reduceat(there, edges)
    alone = np.repeat(found["members"] == 0, np.diff(np.append(edges, len(bits))))
    for name in ("cost", "reduced"):
        counts = (there == 1) | alone
        found[f"{name}_least"] = np.minimum.reduceat(np.where(counts, columns[name], _FAR), edges)
        found[f"{name}_most"] = np.maximum.reduceat(np.where(counts, columns[name], -_FAR), edges)
    found["free"] = np.maximum.reduceat(columns["cap"] >= MANY, edges)
    found["changed"] = np.bitwise_or.reduceat(bits, edges)
    found["changed_members"] = np.add.reduceat((bits != 0).astype(np.int64), edges)
    return found


def _row(of: dict[str, Any]) -> dict[str, Any]:
    """Return one arc of the picture, in JSON types."""
    ranges: dict[str, Any] = {
        name: [units(of[f"{name}_least"]), units(of[f"{name}_most"])] for name in ("cost", "reduced")
    }
    if not of["members"]:
        ranges["reduced"] = None
    whole = ("tail", "head", "members", "low", "flow", "changed", "changed_members")
    return {name: int(of[name]) for name in whole} | {"cap": None if of["free"] else int(of["cap"])} | ranges
