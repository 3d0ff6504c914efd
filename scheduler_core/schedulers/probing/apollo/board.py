"""Apollo on a message board: each job sends tasks to servers, passes tokens on, and duplicates late tasks."""

from __future__ import annotations

from collections.abc import Iterator

from scheduler_core.engine.records import World
from scheduler_core.schedulers.probing.apollo.state import SPARE, TASK_END, TO_SERVER, UPGRADE, WHAT_BITS, ApolloState
from scheduler_core.world.board import OUTAGES, Board, LaneKind, Message, MessageKind, Span, Step, Told, job_of
from scheduler_core.world.reasons import HANDED_BACK, LOST

_TOLD = {SPARE: "spare", UPGRADE: "token"}
_BACK = {HANDED_BACK: "returned", LOST: "lost"}


def _after(world: World, state: ApolloState, step: Step) -> Iterator[Told]:
    for event in step.scheduled:
        task = event.a
        if event.kind == TASK_END:
            row = world.task[task]
            yield Span(("worker", int(row.machine)), task, int(row.last_start_ns), event.time_ns)
        elif event.kind == TO_SERVER:
            kind = _TOLD.get(event.b & ((1 << WHAT_BITS) - 1)) or ("copy" if state.task[task].sent > 1 else "regular")
            sent = event.time_ns - int(state.rules[0].delay_ns)
            server = ("worker", event.b >> WHAT_BITS)
            yield Message(kind, ("job", job_of(world, task)), server, sent, event.time_ns, task)
    for row in step.decisions:
        if back := _BACK.get(row["reason"]):
            job, there_ns = job_of(world, row["task"]), row["t_ns"] + int(state.rules[0].delay_ns)
            yield Message(back, ("worker", row["machine"]), ("job", job), row["t_ns"], there_ns, row["task"])


BOARD = Board(
    state=ApolloState,
    lanes=(
        LaneKind("job", "job", "A job: chooses machines for its tasks by their published waits. It knows at once when "
            "a task ends."),
        LaneKind("worker", "machine", "A machine: has a queue of regular tasks, and opportunistic ones beside it. All "
            "jobs know its published waits at once; publishing does not count as a message.", stands_for="machine"),
    ),
    messages=(
        MessageKind("regular", "Regular task", "A task with a token joins the machine's queue."),
        MessageKind("spare", "Opportunistic task", "A task without a token waits beside the queue."),
        MessageKind("token", "Token", "Another task of the job has ended: this one joins the queue where it waits."),
        MessageKind("copy", "Copy", "The task would start late where it waits, so a copy goes to a second machine."),
        *OUTAGES,
    ),
    after=_after,
)  # fmt: skip
