"""List the messages of a run from an instant on, limited in number, for a drawing of the protocol.

It simulates the run again, event by event. The scheduler's board says what each scheduled event means
(scheduler_core.world.board). No kernel records anything, so other runs pay nothing for this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from typing import Any

import numpy as np

from scheduler_core.engine.events import KIND_JOB_ARRIVAL, order_key
from scheduler_core.engine.records import LANES, TASK_RUNNING, World
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.experiment import Experiment, ResolveTrace
from scheduler_core.explanation.sentences import told_row
from scheduler_core.limits import DEFAULT_LIMITS, Limits
from scheduler_core.run.driver import Simulation
from scheduler_core.run.names import bare_name
from scheduler_core.world.board import Board, Event, Lane, Message, Span, Step, Told

MOST_MESSAGES = 600
MOST_EVENTS = 60_000
_SEQUENCE = (1 << 48) - 1
_TELL_EVERY = 200


def message_log(
    experiment: Experiment,
    *,
    from_s: float | None = None,
    task: int | None = None,
    most: int = MOST_MESSAGES,
    resolve_trace: ResolveTrace | None = None,
    limits: Limits = DEFAULT_LIMITS,
    told: Callable[[float], None] | None = None,
) -> dict[str, Any]:
    """Return the messages from a time on, of all tasks or about one `task` and its job (default: from its arrival).

    The result is {scheduler, from_s, until_s, delay_s, lanes, kinds, messages, spans, notes, counts, over}. `over` is
    `end` if the log reaches the end of the run, else `messages` or `events`, the limit that stopped it. Raises
    ExperimentError.
    """
    simulation = Simulation(
        experiment, frames=0, watch_task=task, resolve_trace=resolve_trace, limits=limits
    )  # fmt: skip
    simulation.prepare()
    board = board_for(simulation)
    if from_s is None:
        from_s = 0.0 if task is None else float(simulation.world.job[simulation.world.task[task].job].arrival_ns) / 1e9
    if from_s > 0:
        simulation.advance_to(round(from_s * 1e9) - 1, lambda _: told(0.0) if told else None)
    simulation.take_decisions()
    log = Log(simulation, board, most, None if task is None else about_task(simulation, task))
    over = log.fill(told)
    return log.answer(from_s, over, task)


def board_for(simulation: Simulation) -> Board:
    """Return the board of a prepared simulation. Raises ExperimentError."""
    spec = simulation.spec
    if said := spec.no_messages(simulation.experiment):
        raise ExperimentError([Problem("scheduler", said, "a run whose meta has `messages`")])
    assert spec.board is not None
    board = spec.board()
    assert isinstance(simulation.state, board.state)
    return board


def about_task(simulation: Simulation, task: int) -> Callable[[Message], bool]:
    """Return True if a message is about a task, or about its job and no other task."""
    job = int(simulation.world.task[task].job)
    return lambda one: one.task == task or (one.task < 0 and one.job == job)


class Log:
    """Step a simulation and collect the meaning of its events; keep only `wanted` messages (None: all)."""

    def __init__(
        self, simulation: Simulation, board: Board, most: int, wanted: Callable[[Message], bool] | None = None
    ) -> None:
        self.simulation, self.board, self.most, self.wanted = simulation, board, most, wanted
        self.messages: list[Message] = []
        self.spans: list[Span] = []
        self.last_run: dict[int, int] = {}  # the place of a task's last span
        self._take(_running(simulation, board))
        self.notes: list[dict[str, Any]] = []
        self.counts: dict[Lane, list[int]] = {}

    def fill(
        self, told: Callable[[float], None] | None, *, until_ns: int | None = None, most_events: int = MOST_EVENTS
    ) -> str:
        """Step until a limit is met or the run is over; return which: `until`, `end`, `messages`, `events`."""
        for events in range(most_events):
            if told is not None and events % _TELL_EVERY == 0:
                told(max(events / most_events, len(self.messages) / self.most))
            head = _head(self.simulation.world)
            if until_ns is not None and head is not None and head[0] > until_ns:
                return "until"
            if self.simulation.now_ns >= self.simulation.stop_ns or not self._step(head[1] if head else None):
                return "end"
            if len(self.messages) >= self.most:
                return "messages"
        return "events"

    def _step(self, event: Event | None) -> bool:
        simulation, board = self.simulation, self.board
        came = [] if event is None else list(board.before(simulation.world, simulation.state, event))
        sequence = int(simulation.world.control[0].next_sequence)
        if not simulation.step():
            return False  # the run is over, so the simulation skips the event
        self._take(came)
        world = simulation.world
        found = tuple(sorted(_scheduled_since(world, sequence), key=lambda one: one.time_ns))
        log = simulation.take_decisions()
        rows = tuple({name: int(row[name]) for name in log.dtype.names} for row in log)
        self._take(board.after(world, simulation.state, Step(event, found, rows)))
        for row in rows:
            self._note(row)
        return True

    def _take(self, found: Iterable[Told]) -> None:
        for one in found:
            if isinstance(one, Span):
                self.spans.append(one)
                self.last_run[one.task] = len(self.spans) - 1
            elif self.wanted is None or self.wanted(one):
                self.messages.append(one)
                self.counts.setdefault(one.frm, [0, 0])[0] += 1
                self.counts.setdefault(one.to, [0, 0])[1] += 1

    def _note(self, row: dict[str, int]) -> None:
        one = told_row(self.simulation, row)
        self.notes.append(
            {
                "t_s": one["t_s"],
                "task": row["task"],
                "machine": one["machine"],
                "reason": one["reason"],
                "sentence": one["sentence"],
            }
        )
        at = self.last_run.get(row["task"]) if one["stops"] else None
        if at is not None and self.spans[at].end_ns > row["t_ns"] > self.spans[at].start_ns:
            self.spans[at] = self.spans[at]._replace(end_ns=row["t_ns"])

    def answer(self, from_s: float, over: str, task: int | None) -> dict[str, Any]:
        """Return the known messages, of all or of a `task`, as `message_log` gives them."""
        simulation, board = self.simulation, self.board
        lanes = {lane for one in self.messages for lane in (one.frm, one.to)}
        spans = [one for one in self.spans if one.lane in lanes and (self.wanted is None or self.wanted(_about(one)))]
        order = [kind.kind for kind in board.lanes]
        ordered = sorted(lanes, key=lambda lane: (order.index(lane[0]), lane[1]))
        return {
            "scheduler": simulation.spec.name, "label": simulation.spec.label, "task": task, "from_s": from_s,
            "until_s": simulation.now_ns / 1e9, "over": over,
            "delay_s": simulation.experiment.network.message_delay_s,
            "lanes": [lane_row(simulation, board, lane, self.counts.get(lane, [0, 0])) for lane in ordered],
            "kinds": [asdict(kind) for kind in board.messages],
            "messages": [
                {"kind": one.kind, "frm": _id(one.frm), "to": _id(one.to), "sent_s": one.sent_ns / 1e9,
                 "arrives_s": one.arrives_ns / 1e9, "task": one.task if one.task >= 0 else None,
                 "job": one.job if one.task < 0 <= one.job else None}
                for one in sorted(self.messages, key=lambda one: (one.sent_ns, one.arrives_ns))
            ],
            "spans": [{"lane": _id(one.lane), "task": one.task if one.task >= 0 else None,
                       "job": one.job if one.task < 0 else None, "start_s": one.start_ns / 1e9,
                       "end_s": one.end_ns / 1e9} for one in sorted(spans, key=lambda one: one.start_ns)],
            "notes": self.notes[: self.most],
        }  # fmt: skip


def _id(lane: Lane) -> str:
    return f"{lane[0]}-{lane[1]}"


def _running(simulation: Simulation, board: Board) -> Iterator[Span]:
    """Yield the tasks that run when a log begins."""
    world = simulation.world
    lane = next(kind.kind for kind in board.lanes if kind.stands_for == "machine")
    for task in np.flatnonzero(world.task["state"] == TASK_RUNNING).tolist():
        row = world.task[task]
        start_ns = int(row.last_start_ns)
        yield Span((lane, int(row.machine)), task, start_ns, start_ns + int(row.duration_ns))


def _about(span: Span) -> Message:
    """Return a message about what a span is about."""
    return Message("", span.lane, span.lane, span.start_ns, span.end_ns, span.task, span.job)


def _of_cluster(label: str, name: str) -> str:
    """Return what stands for a cluster: "Local Master 3" if nobody named the cluster, else "Local Master of hall"."""
    bare = bare_name(name)
    return f"{label} of {name}" if bare == name else f"{label} {bare}"


def lane_row(simulation: Simulation, board: Board, lane: Lane, counts: list[int]) -> dict[str, Any]:
    """Return a lane in the form of the answer."""
    kind = next(one for one in board.lanes if one.kind == lane[0])
    label = kind.label if kind.alone else f"{kind.label} {lane[1]:,}"
    if kind.stands_for == "cluster":
        label = _of_cluster(kind.label, simulation.cluster.cluster_names[lane[1]])
    return {
        "id": _id(lane),
        "kind": lane[0],
        "number": lane[1],
        "label": label,
        "help": kind.help,
        "stands_for": kind.stands_for,
        "sent": counts[0],
        "received": counts[1],
    }


def _head(world: World) -> tuple[int, Event | None] | None:
    """Return the time of the next step and its event, or no event for a job's arrival; None at the end."""
    control = world.control[0]
    found: tuple[int, int, int, int] | None = None
    heads = [world.heap[0]] if control.heap_size > 0 else []
    mask = world.lane_event.shape[1] - 1
    heads += [
        world.lane_event[lane, int(world.lane[lane].head) & mask]
        for lane in range(LANES) if world.lane[lane].tail > world.lane[lane].head
    ]  # fmt: skip
    for one in heads:
        key = (int(one.time_ns), int(one.order), int(one.a), int(one.b))
        found = key if found is None or key[:2] < found[:2] else found
    if control.next_job < len(world.job):
        arrival = (int(world.job[control.next_job].arrival_ns), order_key(KIND_JOB_ARRIVAL, 0))
        if found is None or arrival < found[:2]:
            return arrival[0], None
    return None if found is None else (found[0], Event(found[1] >> 48, found[0], found[2], found[3]))


def _scheduled_since(world: World, sequence: int) -> Iterator[Event]:
    """Yield the events from a sequence number on: at the ends of the lanes, and anywhere in the heap."""
    mask = world.lane_event.shape[1] - 1
    for lane in range(LANES):
        place = int(world.lane[lane].tail) - 1
        while place >= world.lane[lane].head:
            one = world.lane_event[lane, place & mask]
            if int(one.order) & _SEQUENCE < sequence:
                break
            yield Event(int(one.order) >> 48, int(one.time_ns), int(one.a), int(one.b))
            place -= 1
    heap = world.heap[: int(world.control[0].heap_size)]
    for one in heap[(heap["order"] & _SEQUENCE) >= sequence]:
        yield Event(int(one.order) >> 48, int(one.time_ns), int(one.a), int(one.b))
