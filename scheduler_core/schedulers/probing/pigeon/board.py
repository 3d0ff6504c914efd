"""Pigeon on a message board: distributors spread a job's tasks, masters launch them, workers report ends."""

from __future__ import annotations

from collections.abc import Iterator

from scheduler_core.engine.records import World
from scheduler_core.schedulers.probing.pigeon.state import TASK_END, TO_DISTRIBUTOR, TO_MASTER, PigeonState
from scheduler_core.world.board import OUTAGES, Board, Event, Lane, LaneKind, Message, MessageKind, Span, Step, Told


def _master(state: PigeonState, worker: int) -> Lane:
    return "master", int(state.worker[worker].master)


def _after(world: World, state: PigeonState, step: Step) -> Iterator[Told]:
    delay_ns = int(state.rules[0].delay_ns)
    for event in step.scheduled:
        if event.kind == TO_DISTRIBUTOR:
            sent = event.time_ns - delay_ns
            yield Message("returned", ("master", event.b), ("distributor", 0), sent, event.time_ns, event.a)
        elif event.kind == TO_MASTER and world.task[event.a].attempts > 0:
            sent, lost_on = event.time_ns - delay_ns, int(world.task[event.a].machine)
            yield Message("lost", ("worker", lost_on), ("master", event.b), sent, event.time_ns, event.a)
        elif event.kind == TO_MASTER:
            sent = event.time_ns - delay_ns
            yield Message("spread", ("distributor", 0), ("master", event.b), sent, event.time_ns, event.a)
        elif event.kind == TASK_END:
            row = world.task[event.a]
            worker, start_ns = int(row.machine), int(row.last_start_ns)
            yield Message("launch", _master(state, worker), ("worker", worker), start_ns - delay_ns, start_ns, event.a)
            yield Span(("worker", worker), event.a, start_ns, event.time_ns - delay_ns)


def _before(world: World, state: PigeonState, event: Event) -> Iterator[Told]:
    if event.kind == TASK_END:
        worker = int(world.task[event.a].machine)
        sent = event.time_ns - int(state.rules[0].delay_ns)
        yield Message("end", ("worker", worker), _master(state, worker), sent, event.time_ns, event.a)


BOARD = Board(
    state=PigeonState,
    lanes=(
        LaneKind("distributor", "distributor", "Distributors: they spread the tasks of each job evenly. They keep no "
            "state, so the picture shows them as one.", alone=True),
        LaneKind("master", "master", "The master of a group: knows its workers exactly and keeps a queue of short and "
                 "one of long tasks.", stands_for="group"),
        LaneKind("worker", "worker", "A worker: runs what its master launches. It has no queue.",
                 stands_for="machine"),
    ),
    messages=(
        MessageKind("spread", "Spread", "A task goes to a master. Each master gets an even part of the job."),
        MessageKind("launch", "Launch", "The master starts the task on a worker that has room."),
        MessageKind("end", "End", "The worker reports the end of the task to its master: the worker has room again."),
        *OUTAGES,
    ),
    after=_after,
    before=_before,
)  # fmt: skip
