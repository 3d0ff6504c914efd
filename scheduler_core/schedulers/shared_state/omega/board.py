"""Omega on a message board: schedulers decide on copies and commit; the cell state starts accepted tasks."""

from __future__ import annotations

from collections.abc import Iterator

from scheduler_core.engine.records import TASK_RUNNING, World
from scheduler_core.schedulers.shared_state.omega.state import COMMIT, DECIDED, REPLY, TASK_END, OmegaState
from scheduler_core.world.board import Board, Event, Lane, LaneKind, Message, MessageKind, Span, Step, Told

_CELL: Lane = ("cell", 0)


def _before(world: World, state: OmegaState, event: Event) -> Iterator[Told]:
    row = world.task[event.a] if event.kind == TASK_END else None
    if row is not None and row.state == TASK_RUNNING and row.last_start_ns == event.b:  # not stopped meanwhile
        sent = event.time_ns - int(state.rules[0].delay_ns)
        yield Message("end", ("machine", int(row.machine)), _CELL, sent, event.time_ns, event.a)


def _after(world: World, state: OmegaState, step: Step) -> Iterator[Told]:
    delay_ns = int(state.rules[0].delay_ns)
    for event in step.scheduled:
        sent, there = event.time_ns - delay_ns, event.time_ns
        if event.kind == TASK_END:
            machine: Lane = ("machine", int(world.task[event.a].machine))
            yield Message("start", _CELL, machine, event.b - delay_ns, event.b, event.a)
            yield Span(machine, event.a, event.b, sent)
            continue
        me = state.scheduler[event.a] if event.kind in (DECIDED, COMMIT, REPLY) else None
        if me is None or (event.kind == REPLY and event.b == 0):
            continue  # no message goes out: a scheduler goes on by itself
        scheduler, job = ("scheduler", event.a), int(me.job)
        if event.kind == DECIDED:
            yield Span(scheduler, -1, int(me.copied_ns), there, job)
        elif event.kind == COMMIT:
            yield Message("commit", scheduler, _CELL, sent, there, -1, job)
        else:
            yield Message("conflict" if me.refused else "accepted", _CELL, scheduler, sent, there, -1, job)


BOARD = Board(
    state=OmegaState,
    lanes=(
        LaneKind("scheduler", "scheduler", "A scheduler: copies the cell's state, decides on the copy (the bar), and "
                 "commits. Copies take no time and are no message."),
        LaneKind("cell", "cell", "The cell's shared state: checks every commit against the truth.", alone=True),
        LaneKind("machine", "machine", "A machine: runs what was accepted.", stands_for="machine"),
    ),
    messages=(
        MessageKind("commit", "Commit", "The scheduler claims machines for tasks of a job, all in one transaction."),
        MessageKind("accepted", "Accepted", "All claimed room was free: the tasks are on their way."),
        MessageKind("conflict", "Conflict", "Another scheduler took some of the claimed room: the scheduler tries "
            "the remaining tasks on a new copy.", refuses=True),
        MessageKind("start", "Start", "An accepted task starts on its machine."),
        MessageKind("end", "End", "The machine reports the end of the task: all schedulers may use its room."),
    ),
    after=_after,
    before=_before,
)  # fmt: skip
