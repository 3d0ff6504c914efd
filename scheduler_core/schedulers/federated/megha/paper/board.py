"""Megha on a message board: Global Masters request, Local Masters verify, launch and report, machines report ends."""

from __future__ import annotations

from collections.abc import Iterator

from scheduler_core.engine.records import TASK_RUNNING, World
from scheduler_core.schedulers.federated.megha.paper.messages import (
    BEAT,
    ENDED,
    GRANTED,
    NO_ROOM,
    REFUSED,
    REQUEST,
    RETURNED,
    STATE,
    STOPPED,
    TASK_END,
)
from scheduler_core.schedulers.federated.megha.paper.state import MeghaState
from scheduler_core.world.board import Board, Event, Lane, LaneKind, Message, MessageKind, Span, Step, Told

_ABOUT = (1 << 32) - 1
_TOLD = {
    REFUSED: "refused", GRANTED: "granted", ENDED: "ended", BEAT: "heartbeat", STOPPED: "stopped", RETURNED: "returned",
    NO_ROOM: "refused",
}  # fmt: skip


def _gm(world: World, state: MeghaState, task: int) -> Lane:
    return "gm", int(state.queue[world.job[world.task[task].job].queue].owner)


def _after(world: World, state: MeghaState, step: Step) -> Iterator[Told]:
    for event in step.scheduled:
        yield from _scheduled(world, state, event)


def _scheduled(world: World, state: MeghaState, event: Event) -> Iterator[Told]:
    delay_ns = int(state.rules[0].delay_ns)
    if event.kind == REQUEST:
        task = event.a
        lm = ("lm", int(world.machine[world.task[task].place].cluster))
        kind = "request" if event.b >= 0 else "make_room"
        yield Message(kind, _gm(world, state, task), lm, event.time_ns - delay_ns, event.time_ns, task)
    elif event.kind == STATE:
        what, about, lm = event.b & 15, event.a & _ABOUT, ("lm", event.a >> 32)
        sent = event.time_ns - delay_ns
        if what == BEAT:
            for gm in range(len(state.gm)):
                yield Message("heartbeat", lm, ("gm", gm), sent, event.time_ns)
        else:
            yield Message(_TOLD[what], lm, _gm(world, state, about), sent, event.time_ns, about)
    elif event.kind == TASK_END:
        row = world.task[event.a]
        machine: Lane = ("machine", int(row.machine))
        lm = ("lm", int(world.machine[row.machine].cluster))
        yield Message("launch", lm, machine, event.b - delay_ns, event.b, event.a)
        yield Span(machine, event.a, event.b, event.time_ns - delay_ns)


def _before(world: World, state: MeghaState, event: Event) -> Iterator[Told]:
    row = world.task[event.a] if event.kind == TASK_END else None
    if row is None or row.state != TASK_RUNNING or row.last_start_ns != event.b:
        return  # not the end of a task, or of a start that ended before it
    lm = ("lm", int(world.machine[row.machine].cluster))
    sent = event.time_ns - int(state.rules[0].delay_ns)
    yield Message("end", ("machine", int(row.machine)), lm, sent, event.time_ns, event.a)


BOARD = Board(
    state=MeghaState,
    lanes=(
        LaneKind(
            "gm",
            "Global Master",
            "A Global Master: matches tasks against its own, possibly stale, view.",
            stands_for="owner",
        ),
        LaneKind(
            "lm",
            "Local Master",
            "A Local Master: knows the truth of its cluster and verifies every request.",
            stands_for="cluster",
        ),
        LaneKind("machine", "machine", "A machine: runs what its Local Master launches.", stands_for="machine"),
    ),
    messages=(
        MessageKind("request", "Request", "A Global Master asks for a machine that its view shows as free."),
        MessageKind("make_room", "Make room", "A Global Master asks that tasks of a queue above its share be stopped."),
        MessageKind("granted", "Granted", "The task was launched; the Local Master's state comes along."),
        MessageKind("refused", "Refused", "The view was stale; the Local Master's state comes along.", refuses=True),
        MessageKind("launch", "Launch", "The Local Master starts the task on the machine."),
        MessageKind("end", "End", "The machine reports that the task has ended."),
        MessageKind("ended", "Ended", "The Local Master passes the end on, with its state."),
        MessageKind("stopped", "Stopped", "The task was stopped for a queue below its share; it waits again."),
        MessageKind(
            "returned", "Returned", "The task's machine failed and no other was there; it waits again.", refuses=True
        ),
        MessageKind(
            "heartbeat", "Heartbeat", "A Local Master sends its state to every Global Master, on its clock.", quiet=True
        ),
    ),
    after=_after,
    before=_before,
)
