"""The path of one task's unit of flow, and the next-best path: the added cost of the schedule without the first."""

from __future__ import annotations

import heapq
from typing import Any

import numpy as np

from scheduler_core.engine.records import NOBODY, TASK_RUNNING, TASK_WAITING, World
from scheduler_core.experiment import Experiment, ResolveTrace
from scheduler_core.explanation.flow.prices import prices_of
from scheduler_core.explanation.flow.rounds import NO_ROUND, Enough, no_such_round, run_until_enough, watched
from scheduler_core.explanation.flow.solved import KINDS, MACHINE, TASK, Ints, Solved, label, take, units
from scheduler_core.limits import DEFAULT_LIMITS, Limits
from scheduler_core.run.driver import OnSlice, Simulation
from scheduler_core.schedulers.flow.state import FlowState

Step = tuple[int, bool]
"""A place in the columns of arcs, and whether the arc is gone against: what flows there goes elsewhere."""


def flow_way(
    experiment: Experiment,
    task: int,
    round_number: int | None = None,
    *,
    at_s: float | None = None,
    resolve_trace: ResolveTrace | None = None,
    limits: Limits = DEFAULT_LIMITS,
    on_slice: OnSlice | None = None,
) -> dict[str, Any]:
    """Return the path of a task's unit of flow in a round: its cost, the next-best path, and the added cost of that.

    Without a round, use the round that placed a running task on its machine at `at_s`; for a waiting task use the last
    round before `at_s` (None: of the run) that left it waiting. `prices` holds the cost of each machine, in the units
    of the parameters. Raises ExperimentError.
    """
    options: dict[str, Any] = {"resolve_trace": resolve_trace, "limits": limits}
    if round_number is None:
        round_number = _round_of(experiment, task, at_s, options, on_slice)
    found: dict[str, Any] = {"task": task, "round": round_number, "path": [], "cost": None}
    found |= {"next": None, "elsewhere": None}
    if round_number < 1:
        return found | {"t_s": None, "told": "No round had this task in its network."}
    kept: list[tuple[Solved, int]] = []

    def on_round(world: World, state: FlowState) -> None:
        if int(state.rules[0].rounds) == round_number and not kept:
            kept.append((take(world, state), int(state.task[task].node)))
            raise Enough

    simulation = watched(experiment, round_number, on_round, watch_task=task, **options)
    if not run_until_enough(simulation, on_slice):
        raise no_such_round(round_number, int(simulation.state.rules[0].rounds))
    solved, node = kept[0]
    found["t_s"] = solved.t_ns / 1e9
    if node == NOBODY:
        return found | {"told": f"The task is not in the network of round {round_number:,}."}
    if not solved.feasible:
        return found | {"told": f"Round {round_number:,} has no flow that keeps all bounds: nothing to compare."}
    machine = _machine_after(simulation, task)
    way = way_of(solved, node, machine)
    return found | way | {"prices": prices_of(solved, node, machine, way["cost"])}


def _round_of(
    experiment: Experiment, task: int, at_s: float | None, options: dict[str, Any], on_slice: OnSlice | None
) -> int:
    """Return the round that decided about the task at an instant; 0 for none."""
    simulation = watched(experiment, NO_ROUND, lambda world, state: None, watch_task=task, **options)
    if at_s is None:
        run_until_enough(simulation, on_slice)
    else:
        simulation.advance_to(round(at_s * 1e9), on_slice)
    reasons = {reason.code: reason for reason in simulation.spec.reasons}
    rounds = int(simulation.state.rules[0].rounds)
    decided = simulation.decisions()
    of_round = [int(row["x"]) for row in decided[decided["task"] == task]
                if "round {x}" in reasons[int(row["reason"])].template]  # fmt: skip
    row = simulation.world.task[task]
    if row.state == TASK_WAITING and int(simulation.state.task[task].node) != NOBODY and of_round:
        return rounds
    return of_round[-1] if of_round else 0


def _machine_after(simulation: Simulation, task: int) -> int:
    """Return the machine that runs the task once the round has taken effect, or -1."""
    simulation.advance_to(simulation.now_ns + int(simulation.state.rules[0].last_solver_ns))
    row = simulation.world.task[task]
    return int(row.machine) if row.state == TASK_RUNNING else NOBODY


def way_of(solved: Solved, node: int, machine: int) -> dict[str, Any]:
    """Return the path of a task's unit, preferably over the machine that got it, and the next-best path.

    `next` is without the task's own arc, `elsewhere` without its machine, where the way leads there over others' nodes.
    """
    path = _follow(solved, node, machine)
    cost = sum(int(solved.arcs["cost"][at]) for at in path)
    found: dict[str, Any] = {
        "path": [_told(solved, (at, False)) for at in path], "cost": units(cost),
        "next": _instead(solved, path, 0) if path else None, "elsewhere": None,
    }  # fmt: skip
    if len(path) > 2 and solved.kind[solved.arcs["head"][path[-2]]] == MACHINE:
        found["elsewhere"] = _instead(solved, path, len(path) - 2)
        if found["next"] and found["elsewhere"] and found["next"]["path"] == found["elsewhere"]["path"]:
            found["elsewhere"] = None
    told = [_sentence(solved, node, path)]
    if found["elsewhere"]:
        told.append(_other_sentence("On another machine", found["elsewhere"]))
    told.append(_other_sentence("By its next-best path", found["next"]) if found["next"] else "It has no other path.")
    return found | {"told": " ".join(told)}


def _instead(solved: Solved, path: list[int], place: int) -> dict[str, Any] | None:
    """Return the cheapest schedule in which the unit does not go over the arc at a place of its way; None for none."""
    other = _shortest(solved, int(solved.arcs["tail"][path[place]]), path[place])
    if other is None:
        return None
    walk: list[Step] = []
    for step in [(at, False) for at in path[:place]] + other:
        if walk and walk[-1] == (step[0], not step[1]):
            walk.pop()  # to and fro is nowhere
        else:
            walk.append(step)
    moves = sorted({int(solved.number[solved.arcs["tail"][at]]) for at, against in walk
                    if against and solved.kind[solved.arcs["tail"][at]] == TASK})  # fmt: skip
    own = _own(solved, path[place + 1 :], walk)
    return {
        "path": [_told(solved, (at, False)) for at in own],
        "moves": moves,
        "cost": units(sum(int(solved.arcs["cost"][at]) for at in own)),
        "difference": units(sum(_cost(solved, step) for step in other) - int(solved.arcs["cost"][path[place]])),
        "walk": [_told(solved, step) for step in walk],
    }


def _own(solved: Solved, rest: list[int], walk: list[Step]) -> list[int]:
    """Return the task's own part of a residual path: up to its first step against an arc."""
    free = next((place for place, (_, against) in enumerate(walk) if against), len(walk))
    own = [at for at, _ in walk[:free]]
    end = int(solved.arcs["head"][own[-1]]) if own else int(solved.arcs["head"][walk[0][0]])
    return own + (rest if free == len(walk) else _follow(solved, end, NOBODY))


def _ends(solved: Solved, step: Step) -> tuple[int, int]:
    """Return where a step leads from and to."""
    at, against = step
    tail, head = int(solved.arcs["tail"][at]), int(solved.arcs["head"][at])
    return (head, tail) if against else (tail, head)


def _cost(solved: Solved, step: Step) -> int:
    return -int(solved.arcs["cost"][step[0]]) if step[1] else int(solved.arcs["cost"][step[0]])


def _told(solved: Solved, step: Step) -> dict[str, Any]:
    at, against = step
    frm, to = _ends(solved, step)
    ends = [(int(solved.kind[end]), int(solved.number[end])) for end in (frm, to)]
    return {
        "from": f"{KINDS[ends[0][0]]}:{ends[0][1]}",
        "to": f"{KINDS[ends[1][0]]}:{ends[1][1]}",
        "from_label": label(*ends[0]),
        "to_label": label(*ends[1]),
        "cost": units(_cost(solved, step)),
        "reduced": units(-solved.arcs["reduced"][at] if against else solved.arcs["reduced"][at]),
        "against": against,
    }


def _out(solved: Solved, node: int) -> Ints:
    """Return the places of the arcs that lead out of a node."""
    return np.flatnonzero(solved.arcs["tail"] == node)


def _follow(solved: Solved, node: int, machine: int) -> list[int]:
    """Return the places of the arcs on a unit's path; with several, toward the machine, the most expensive ones."""
    good = _before_machine(solved, machine)
    path: list[int] = []
    at = node
    while len(path) < len(solved.live):
        out = _out(solved, at)
        out = out[solved.arcs["flow"][out] > 0]
        if not len(out):
            break
        towards = out[np.isin(solved.arcs["head"][out], list(good))]
        choice = towards if len(towards) else out
        path.append(int(choice[np.argmax(solved.arcs["cost"][choice])]))
        at = int(solved.arcs["head"][path[-1]])
    return path


def _before_machine(solved: Solved, machine: int) -> set[int]:
    """Return the nodes from which flow reaches a machine, itself included."""
    rows = np.flatnonzero((solved.kind == MACHINE) & (solved.number == machine) & solved.live)
    found = {int(row) for row in rows}
    carries = solved.arcs["flow"] > 0
    edge = list(found)
    while edge:
        into = np.flatnonzero(carries & np.isin(solved.arcs["head"], edge))
        edge = [int(tail) for tail in np.unique(solved.arcs["tail"][into]) if int(tail) not in found]
        found.update(edge)
    return found


def _shortest(solved: Solved, node: int, used: int) -> list[Step] | None:
    """Return the shortest residual path from a task to the head of its arc, without that arc; None without any.

    What the unit would have cost less goes off again with the arc it gives up. By reduced costs, which are not below 0
    wherever anything can still flow (Dijkstra).
    """
    arcs = solved.arcs
    ways: list[list[tuple[int, int, int, bool]]] = [[] for _ in range(len(solved.live))]
    columns = zip(*(arcs[name].tolist() for name in ("tail", "head", "low", "cap", "flow", "reduced")), strict=True)
    for place, (tail, head, low, cap, flow, reduced) in enumerate(columns):
        if place == used:
            continue
        if flow < cap:
            ways[tail].append((head, max(0, reduced), place, False))
        if flow > low:
            ways[head].append((tail, max(0, -reduced), place, True))
    goal = int(arcs["head"][used])
    # Of ways that cost the same the one with fewest arcs: fewer others move.
    best: dict[int, tuple[int, int]] = {node: (0, 0)}
    came: dict[int, tuple[int, Step]] = {}
    heap = [(0, 0, node)]
    done: set[int] = set()
    while heap:
        far, arcs_gone, here = heapq.heappop(heap)
        if here in done:
            continue
        done.add(here)
        if here == goal:
            return _back(came, node, goal)
        for other, length, place, against in ways[here]:
            reached = (far + length, arcs_gone + 1)
            if other not in done and (other not in best or reached < best[other]):
                best[other] = reached
                came[other] = (here, (place, against))
                heapq.heappush(heap, (*reached, other))
    return None


def _back(came: dict[int, tuple[int, Step]], start: int, end: int) -> list[Step]:
    steps: list[Step] = []
    while end != start:
        end, step = came[end]
        steps.append(step)
    return steps[::-1]


def _name(solved: Solved, node: int) -> str:
    return label(int(solved.kind[node]), int(solved.number[node]))


def _money(cost: float) -> str:
    return f"{cost:,.3f}".rstrip("0").rstrip(".")


def _sentence(solved: Solved, node: int, path: list[int]) -> str:
    if not path:
        return "No unit of the task flows."
    over = ", ".join(_name(solved, int(solved.arcs["head"][at])) for at in path[:-1])
    cost = _money(units(sum(int(solved.arcs["cost"][at]) for at in path)))
    return f"In round {solved.round:,}, the unit of {_name(solved, node)} flows through {over}: cost {cost}."


def _other_sentence(begins: str, other: dict[str, Any]) -> str:
    over, moves = ", ".join(step["to_label"] for step in other["path"][:-1]), other["moves"]
    more = f"{_money(other['difference'])} more" if other["difference"] else "nothing more"
    moved = ""
    if moves:
        names = ", ".join(f"{move:,}" for move in moves[:5]) + (" and others" if len(moves) > 5 else "")
        moved = f"; task{'s' * (len(moves) > 1)} {names} would make room"
    return f"{begins}, through {over}, the whole schedule would cost {more}{moved}."
