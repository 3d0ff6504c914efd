"""Mercury on a message board: a central scheduler answers heartbeats; each job's scheduler fills worker queues."""

from __future__ import annotations

from collections.abc import Iterator

from scheduler_core.engine.records import World
from scheduler_core.schedulers.probing.mercury.reasons import PREEMPTED, SHED
from scheduler_core.schedulers.probing.mercury.state import ASK, TASK_END, TO_WORKER, MercuryState
from scheduler_core.schedulers.shared.heartbeats.state import BEAT
from scheduler_core.world.board import (
    OUTAGES,
    Board,
    Event,
    Lane,
    LaneKind,
    Message,
    MessageKind,
    Span,
    Step,
    Told,
    job_of,
)
from scheduler_core.world.reasons import HANDED_BACK, LOST

_CENTRE: Lane = ("central", 0)
_BACK = {PREEMPTED: "stopped", SHED: "shed", HANDED_BACK: "returned", LOST: "lost"}


def _before(world: World, state: MercuryState, event: Event) -> Iterator[Told]:
    if event.kind == BEAT and state.sub[0].next_ns == event.time_ns:  # no earlier node has received waiting tasks
        yield Message("beat", ("worker", event.b), _CENTRE, event.time_ns, event.time_ns)


def _after(world: World, state: MercuryState, step: Step) -> Iterator[Told]:
    delay_ns = int(state.rules[0].delay_ns)
    for event in step.scheduled:
        sent, there = event.time_ns - delay_ns, event.time_ns
        if event.kind == ASK:
            yield Message("ask", ("scheduler", event.a), _CENTRE, sent, there, -1, event.a)
        elif event.kind == TO_WORKER:
            task = int(state.probe[event.a].task)
            yield Message("queue", ("scheduler", job_of(world, task)), ("worker", event.b), sent, there, task)
        elif event.kind == TASK_END:
            row = world.task[event.a]
            worker: Lane = ("worker", int(row.machine))
            if state.group[row.kind].long:
                yield Message("give", _CENTRE, worker, event.b - delay_ns, event.b, event.a)
            yield Span(worker, event.a, event.b, there)
    for row in step.decisions:
        if kind := _BACK.get(row["reason"]):
            worker, scheduler = ("worker", row["machine"]), ("scheduler", job_of(world, row["task"]))
            if row["reason"] == LOST and state.group[world.task[row["task"]].kind].long:
                scheduler = _CENTRE
            yield Message(kind, worker, scheduler, row["t_ns"], row["t_ns"] + delay_ns, row["task"])


BOARD = Board(
    state=MercuryState,
    lanes=(
        LaneKind("central", "central", "The central scheduler: has the queue of guaranteed tasks, and gives them to "
                 "workers that report.", alone=True),
        LaneKind("scheduler", "job", "The scheduler of a job: asks the central one if the job is guaranteed. "
            "Otherwise it sends each task to the shortest published wait."),
        LaneKind("worker", "worker", "A worker: runs guaranteed tasks and serves a queue of queueable tasks. All "
            "schedulers know its published wait at once; publishing does not count as a message.",
                 stands_for="machine"),
    ),
    messages=(
        MessageKind("ask", "Asks", "A guaranteed job asks the central scheduler for machines."),
        MessageKind("give", "Given", "The worker gets a guaranteed task, which starts when it comes."),
        MessageKind("queue", "Queued", "A queueable task joins the worker's queue."),
        MessageKind("stopped", "Stopped", "A guaranteed task displaced the task, and its scheduler is told."),
        MessageKind("shed", "Shed", "The worker has a much longer queue than others, so it returns the task."),
        *OUTAGES,
        MessageKind("beat", "Heartbeat", "The worker reports and receives waiting tasks that fit. The report takes no "
        "time here and does not count as a message.", counted=False),
    ),
    after=_after,
    before=_before,
)  # fmt: skip
