"""List the messages of one part of a run: a machine, task, job, queue, Global Master or partition.

Counted in a replay, event by event, so over a bounded number of events: all of a small run up to the instant, of a
large one the stretch before it; of a task or a job from its arrival on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from scheduler_core.engine.records import World
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.experiment import Experiment, ResolveTrace, effective_queues
from scheduler_core.explanation.messages import Log, about_task, board_for, lane_row
from scheduler_core.limits import DEFAULT_LIMITS, Limits
from scheduler_core.run.driver import Simulation
from scheduler_core.world.board import Board, Lane, Message

PartKind = Literal["task", "job", "machine", "queue", "owner", "partition", "cluster"]
#: Stepped one by one: a second or two.
MOST_EVENTS = 20_000
MOST_LISTED = 40
_MOST_MESSAGES = 200_000
_STRETCHES = 256


@dataclass(frozen=True)
class _Part:
    kind: PartKind
    number: int
    owner: int | None


def part_messages(
    experiment: Experiment,
    kind: PartKind,
    number: int,
    until_s: float,
    *,
    owner: int | None = None,
    most_events: int = MOST_EVENTS,
    resolve_trace: ResolveTrace | None = None,
    limits: Limits = DEFAULT_LIMITS,
    told: Callable[[float], None] | None = None,
) -> dict[str, Any]:
    """Count the messages that a part sent and received up to `until_s`, by kind, and list the last ones.

    `number` identifies the part; for a partition it is the number of the cluster, and `owner` is its Global Master.

    The result is {from_s, until_s, whole, directed, sent, received, kinds, messages}. `whole` is False if the bound
    `most_events` left out an earlier stretch. `directed` is False for a task, a job or a queue: all messages about one
    count as sent. Raises ExperimentError.
    """

    def begin() -> Simulation:
        made = Simulation(experiment, frames=0, resolve_trace=resolve_trace, limits=limits)
        made.prepare()
        return made

    part = _Part(kind, number, owner)
    simulation, until_ns = begin(), round(until_s * 1e9)
    board = board_for(simulation)
    sides = _sides(simulation, board, part)
    if part.kind in ("task", "job"):
        job = part.number if part.kind == "job" else int(simulation.world.task[part.number].job)
        from_ns = min(int(simulation.world.job[job].arrival_ns), until_ns)
    else:
        from_ns = _from(simulation, until_ns, most_events, told)
        simulation = begin()
    if from_ns > 0:
        simulation.advance_to(from_ns - 1, (lambda _: told(0.5)) if told else None)
    log = Log(simulation, board, _MOST_MESSAGES, lambda one: any(sides(one)))
    over = log.fill((lambda done: told(0.5 + done / 2)) if told else None, until_ns=until_ns, most_events=most_events)
    cut = over not in ("until", "end")
    whole = not cut and (from_ns == 0 or part.kind in ("task", "job"))
    window = (from_ns, simulation.now_ns if cut else until_ns)
    return {**_answer(simulation, board, log, sides), "from_s": window[0] / 1e9, "until_s": window[1] / 1e9,
            "whole": whole, "directed": part.kind not in ("task", "job", "queue")}  # fmt: skip


def _from(simulation: Simulation, until_ns: int, most: int, told: Callable[[float], None] | None) -> int:
    """Return when to begin, so that the run steps about `most` events or fewer until the instant."""
    passed = [(0, 0)]
    for stretch in range(1, _STRETCHES + 1):
        at_ns = until_ns * stretch // _STRETCHES
        simulation.advance_to(at_ns, (lambda _: told(0.0)) if told else None)
        passed.append((at_ns, int(simulation.world.control[0].events)))
        if told is not None:
            told(stretch / _STRETCHES / 2)
    total = passed[-1][1]
    if total <= most:
        return 0
    place = next(place for place, (_, events) in enumerate(passed) if total - events <= most)
    if place < _STRETCHES:
        return passed[place][0] + 1
    # Too many in the last stretch alone: a part of it, by their share.
    (before_ns, before), (last_ns, _) = passed[-2:]
    return last_ns - (last_ns - before_ns) * most // (total - before)


def _sides(simulation: Simulation, board: Board, part: _Part) -> Callable[[Message], tuple[bool, bool]]:
    """Return whether the part sent a message, and whether the part received it."""
    world = simulation.world
    _require(simulation, part)
    if part.kind in ("task", "job", "queue"):
        about = about_task(simulation, part.number) if part.kind == "task" else _about_jobs(world, part)
        return lambda one: (about(one), False)
    if part.kind == "partition":
        ours: Lane = ("gm", int(part.owner or 0))
        lm: Lane = ("lm", part.number)
        return lambda one: (one.frm == ours and one.to == lm, one.frm == lm and one.to == ours)
    mine = _lanes_of(simulation, board, part)
    return lambda one: (mine(one.frm), mine(one.to))


def _about_jobs(world: World, part: _Part) -> Callable[[Message], bool]:
    def job_of(one: Message) -> int:
        return int(world.task[one.task].job) if one.task >= 0 else one.job

    if part.kind == "job":
        return lambda one: job_of(one) == part.number
    return lambda one: (job := job_of(one)) >= 0 and int(world.job[job].queue) == part.number


def _lanes_of(simulation: Simulation, board: Board, part: _Part) -> Callable[[Lane], bool]:
    stand_for = {lane.kind: lane.stands_for for lane in board.lanes}
    if part.kind != "cluster" or "cluster" in stand_for.values():
        return lambda lane: stand_for[lane[0]] == part.kind and lane[1] == part.number
    # Nobody speaks for a cluster: its machines do.
    of = simulation.cluster.cluster_of
    return lambda lane: stand_for[lane[0]] == "machine" and int(of[lane[1]]) == part.number


def _require(simulation: Simulation, part: _Part) -> None:
    """Refuse a part that is not there."""
    world, owners = simulation.world, simulation.cluster.global_masters
    most = {
        "task": len(world.task), "job": len(world.job), "machine": len(world.machine),
        "queue": len(effective_queues(simulation.experiment)), "owner": owners,
        "partition": len(simulation.cluster.cluster_names), "cluster": len(simulation.cluster.cluster_names),
    }[part.kind]  # fmt: skip
    if not 0 <= part.number < most:
        problem = Problem("number", f"there is no {part.kind} {part.number:,}", f"0 to {most - 1:,}")
        raise ExperimentError([problem])
    if part.kind == "partition" and not (part.owner is not None and 0 <= part.owner < owners):
        raise ExperimentError([Problem("owner", "has no partition there", f"0 to {owners - 1:,}")])


def _answer(
    simulation: Simulation, board: Board, log: Log, sides: Callable[[Message], tuple[bool, bool]]
) -> dict[str, Any]:
    counts = {kind.kind: [0, 0] for kind in board.messages}
    for one in log.messages:
        sent, received = sides(one)
        counts[one.kind][0] += sent
        counts[one.kind][1] += received
    last = sorted(log.messages, key=lambda one: (one.sent_ns, one.arrives_ns))[-MOST_LISTED:]
    return {
        "sent": sum(sent for sent, _ in counts.values()), "received": sum(got for _, got in counts.values()),
        "kinds": [
            {"kind": kind.kind, "label": kind.label, "help": kind.help, "sent": counts[kind.kind][0],
             "received": counts[kind.kind][1]}
            for kind in board.messages if any(counts[kind.kind])
        ],
        "messages": [
            {"kind": one.kind, "frm": _name(simulation, board, one.frm), "to": _name(simulation, board, one.to),
             "sent_s": one.sent_ns / 1e9, "arrives_s": one.arrives_ns / 1e9,
             "task": one.task if one.task >= 0 else None}
            for one in last
        ],
    }  # fmt: skip


def _name(simulation: Simulation, board: Board, lane: Lane) -> str:
    return str(lane_row(simulation, board, lane, [0, 0])["label"])
