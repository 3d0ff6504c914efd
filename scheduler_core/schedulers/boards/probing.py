"""Probes on a board: the scheduler of each job probes workers, workers ask for tasks, and get one or nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scheduler_core.engine.records import World
from scheduler_core.schedulers.boards import Board, Event, Lane, LaneKind, Message, MessageKind, Span
from scheduler_core.schedulers.probing.state import ANSWER, ASK, CANCEL, LENGTH, PROBE, TASK, TASK_END, TO_WORKER

_TOLD = {PROBE: "probe", CANCEL: "cancel", TASK: "place"}


def _job(world: World, state: Any, probe: int) -> int:
    group = state.group[state.probe[probe].group]
    return int(world.task[state.order[group.end - 1]].job)


def _scheduled(world: World, state: Any, event: Event) -> Iterator[Message | Span]:
    delay_ns = int(state.rules[0].delay_ns)
    sent = event.time_ns - delay_ns
    if event.kind == TASK_END:
        row = world.task[event.a]
        yield Span(("worker", int(row.machine)), event.a, int(row.last_start_ns), event.time_ns)
        return
    if event.kind not in (TO_WORKER, ASK, ANSWER, LENGTH):
        return
    job = _job(world, state, event.a)
    scheduler: Lane = ("scheduler", job)
    task = max(int(state.probe[event.a].task), -1)
    if event.kind == TO_WORKER:
        yield Message(_TOLD[event.b & 3], scheduler, ("worker", event.b >> 2), sent, event.time_ns, task, job)
    elif event.kind == ANSWER:
        kind = "task" if task >= 0 else "nothing"
        yield Message(kind, scheduler, ("worker", event.b), sent, event.time_ns, task, job)
    else:
        kind = "ask" if event.kind == ASK else "length"
        yield Message(kind, ("worker", event.b), scheduler, sent, event.time_ns, -1, job)


def _delivered(world: World, state: Any, event: Event) -> Iterator[Message | Span]:
    return iter(())


def board_of(state: type[Any]) -> Board:
    """The board of a scheduler whose messages are those of the family; `state` is its own state's class."""
    return Board(
        state=state,
        lanes=(
            LaneKind("scheduler", "job", "The scheduler of a job: it knows nothing but what workers answer."),
            LaneKind("worker", "worker", "A worker: a machine with a queue of probes."),
        ),
        messages=(
            MessageKind("probe", "Probe", "A probe joins the worker's queue, and brings no task yet."),
            MessageKind("ask", "Asks", "The probe is served and there is room: the worker asks for a task."),
            MessageKind("task", "Task", "The worker gets the job's next task and starts it."),
            MessageKind("nothing", "Nothing", "All tasks of the job are out already; the room is free again."),
            MessageKind("length", "Length", "Without late binding: the worker tells how long its queue is."),
            MessageKind("place", "Placed", "The task itself joins the worker's queue."),
            MessageKind("cancel", "Called back", "The probe is not needed any more and leaves the queue."),
        ),
        scheduled=_scheduled,
        delivered=_delivered,
    )
