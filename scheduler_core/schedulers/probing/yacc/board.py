"""Yacc-D on a message board: schedulers send tasks to bounded queues, and full queues return them."""

from __future__ import annotations

from collections.abc import Iterator

from scheduler_core.engine.records import World
from scheduler_core.schedulers.probing.yacc.reasons import BOUNCED
from scheduler_core.schedulers.probing.yacc.state import TASK_END, TO_WORKER, YaccState
from scheduler_core.world.board import OUTAGES, Board, Lane, LaneKind, Message, MessageKind, Span, Step, Told, job_of
from scheduler_core.world.reasons import HANDED_BACK, LOST

_BACK = {BOUNCED: "bounce", HANDED_BACK: "returned", LOST: "lost"}


def _after(world: World, state: YaccState, step: Step) -> Iterator[Told]:
    delay_ns, schedulers = int(state.rules[0].delay_ns), len(state.sender)

    def scheduler(task: int) -> Lane:
        return "scheduler", job_of(world, task) % schedulers

    for event in step.scheduled:
        if event.kind == TASK_END:
            row = world.task[event.a]
            yield Span(("worker", int(row.machine)), event.a, int(row.last_start_ns), event.time_ns)
        elif event.kind == TO_WORKER:
            task = int(state.probe[event.a].task)
            yield Message("send", scheduler(task), ("worker", event.b), event.time_ns - delay_ns, event.time_ns, task)
    for row in step.decisions:
        if kind := _BACK.get(row["reason"]):
            worker: Lane = ("worker", row["machine"])
            yield Message(kind, worker, scheduler(row["task"]), row["t_ns"], row["t_ns"] + delay_ns, row["task"])


BOARD = Board(
    state=YaccState,
    lanes=(
        LaneKind("scheduler", "scheduler", "A scheduler: sends tasks to workers with the shortest published wait, "
            "and keeps tasks that find no room until workers publish again."),
        LaneKind("worker", "worker", "A worker: has a bounded queue. All schedulers know its reports at once; a "
            "report does not count as a message.", stands_for="machine"),
    ),
    messages=(
        MessageKind("send", "Task", "The task goes to the worker with the least known wait of those with room."),
        MessageKind("bounce", "Sent back", "The queue was full when it came: the task waits at its scheduler again.",
                    refuses=True),
        *OUTAGES,
    ),
    after=_after,
)  # fmt: skip
