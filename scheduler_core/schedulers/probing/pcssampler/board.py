"""PCSsampler on a message board: schedulers send tasks to known room or probe; workers report free capacity."""

from __future__ import annotations

from collections.abc import Iterator

from scheduler_core.engine.records import World
from scheduler_core.schedulers.probing.pcssampler.state import (
    ANSWER,
    BACK,
    ENDED,
    HANDED,
    LOST,
    PROBE,
    STAY,
    TAKEN,
    TASK_END,
    TO_SCHEDULER,
    TO_WORKER,
    TRY,
    WHAT_BITS,
    PcsSamplerState,
)
from scheduler_core.world.board import OUTAGES, Board, Lane, LaneKind, Message, MessageKind, Span, Step, Told, job_of

_TO_WORKER = {PROBE: "probe", TRY: "try", STAY: "stay"}
_TO_SCHEDULER = {ANSWER: "answer", TAKEN: "taken", BACK: "back", ENDED: "ended", HANDED: "returned", LOST: "lost"}


def _after(world: World, state: PcsSamplerState, step: Step) -> Iterator[Told]:
    rules = state.rules[0]
    for event in step.scheduled:
        if event.kind == TASK_END:
            row = world.task[event.a]
            yield Span(("worker", int(row.machine)), event.a, int(row.last_start_ns), event.time_ns)
        elif event.kind in (TO_WORKER, TO_SCHEDULER):
            task, sent = int(state.probe[event.a].task), event.time_ns - int(rules.delay_ns)
            scheduler: Lane = ("scheduler", job_of(world, task) % int(rules.schedulers))
            worker: Lane = ("worker", event.b >> WHAT_BITS)
            what = event.b & ((1 << WHAT_BITS) - 1)
            if event.kind == TO_WORKER:
                yield Message(_TO_WORKER[what], scheduler, worker, sent, event.time_ns, task)
            else:
                yield Message(_TO_SCHEDULER[what], worker, scheduler, sent, event.time_ns, task)


BOARD = Board(
    state=PcsSamplerState,
    lanes=(
        LaneKind("scheduler", "scheduler", "A scheduler: remembers the reports that workers sent to it, and none "
            "that they sent to others."),
        LaneKind("worker", "worker", "A worker: has a queue of tasks; every answer says what is free there and how "
                 "many wait.", stands_for="machine"),
    ),
    messages=(
        MessageKind("try", "Task, room known", "The task goes to a worker that its scheduler remembers as having "
            "room."),
        MessageKind("taken", "Taken", "The task has joined the worker's queue or started. A report of the worker "
            "comes along."),
        MessageKind("back", "Refused", "The room is gone: the task returns, with a report of the worker.",
                    refuses=True),
        MessageKind("probe", "Probe", "No room is known: the scheduler asks the worker."),
        MessageKind("answer", "Answer", "The worker reports its free room and the number of waiting tasks."),
        MessageKind("stay", "Task, to stay", "The task goes to the best worker that is known now, and stays there."),
        MessageKind("ended", "Ended", "The worker reports the end of the task and its free room."),
        *OUTAGES,
    ),
    after=_after,
)  # fmt: skip
