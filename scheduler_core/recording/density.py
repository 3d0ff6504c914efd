"""The density of a run: how many tasks wait in each place and start there, at the instants of its frames.

The density replaces a track that is too large for a recording. Both come from the same data (track.Told).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.recording.track import PARTS, Told, column_of, keepers_of, moves_of, planes
from scheduler_core.recording.track_spells import spells_of

Ints = npt.NDArray[np.int64]
MOST_SHELVES = 8
MOST_PLACES = 8
MOST_SPANS = 60
MOST_QUEUES = 12
#: Means of waiting tasks have a resolution of a sixteenth.
_FINE = 16
_UNKNOWN = 255


@dataclass(frozen=True)
class Ground:
    """The basis of a density: the frames' instants, the number of waiting tasks at each, clusters and queues."""

    times_ns: Ints
    waiting: Ints
    cluster_of: Ints
    """The cluster of each machine."""
    queues: tuple[str, ...]
    dropped: npt.NDArray[np.bool_] | None
    """The tasks that no machine could ever hold and that their jobs go on without, which do not wait."""


def density_of(told: Told, ground: Ground) -> dict[str, Any]:
    """Return the density of a run that has ended (contract.Density)."""
    unit_ns = 1_000
    while told.until_ns // unit_ns >= (1 << 32) - 2:
        unit_ns *= 10
    shelf, keepers = _shelves(told)
    spells = spells_of(told.tasks, told.decisions, moves_of(told.spec))
    places = min(MOST_PLACES, int(ground.cluster_of.max(initial=0)) + 1)
    place_of = ground.cluster_of * places // (int(ground.cluster_of.max(initial=0)) + 1)
    shelves = min(keepers, MOST_SHELVES)
    came, went = _stretches(
        told, spells, shelf if ground.dropped is None else np.where(ground.dropped, -1, shelf), shelves
    )
    at = ground.times_ns
    waiting = _there(came, at, shelves + 1) - _there(went, at, shelves + 1)
    starts = _starts(told, spells, shelf)
    _without_launches(waiting, starts, ground)
    arrived = _since(_Events(told.tasks["arrival_ns"], shelf), at, shelves)
    assert starts.machine is not None
    started = _since(_Events(starts.at_ns, starts.what * places + place_of[starts.machine]), at, shelves * places)
    span_ns = max(1, -(-told.until_ns // MOST_SPANS))
    return {
        "v": 1, "count": len(at), "times": planes(at // unit_ns), "unit_ns": unit_ns,
        "keepers": keepers, "shelves": shelves, "places": places,
        "waiting": planes(waiting[:, :shelves].ravel()), "machines": planes(waiting[:, shelves]),
        "arrived": planes(arrived.ravel()), "started": planes(started.ravel()),
        "spans": MOST_SPANS, "span_ns": span_ns, "waits": _waits(told, ground.queues, span_ns),
    }  # fmt: skip


@dataclass(frozen=True)
class _Events:
    """When something happened to which task; `machine` if it matters."""

    at_ns: Ints
    what: Ints
    machine: Ints | None = None
    since_ns: Ints | None = None
    """Of starts: since when the task waited."""


def _shelves(told: Told) -> tuple[Ints, int]:
    keeper = keepers_of(told)
    keeper = np.where(keeper == _UNKNOWN, 0, keeper)
    keepers = int(keeper.max(initial=0)) + 1
    return np.minimum(keeper, MOST_SHELVES - 1), keepers


def _starts(told: Told, spells: Any, shelf: Ints) -> _Events:
    """Return every start of a task: those of its spells if it lost its machine, else its first start."""
    tasks = told.tasks
    plain = np.asarray(tasks["first_start_ns"] >= 0)
    plain[spells["task"]] = False
    rows = np.concatenate([np.flatnonzero(plain), spells["task"]])
    at = np.concatenate([tasks["first_start_ns"][plain], spells["start_ns"]])
    machine = np.concatenate([tasks["machine"][plain], spells["machine"]])
    since = tasks["arrival_ns"][rows].astype(np.int64)
    again = np.flatnonzero(spells["task"][1:] == spells["task"][:-1])
    since[int(plain.sum()) + 1 + again] = spells["end_ns"][again]
    return _Events(at, shelf[rows], machine, since)


def _without_launches(waiting: Ints, starts: _Events, ground: Ground) -> None:
    """Leave out tasks whose launch is on its way: a frame shows them on a machine. They are the next to start."""
    assert starts.since_ns is not None
    order = np.argsort(starts.at_ns, kind="stable")
    at, since, what = starts.at_ns[order], starts.since_ns[order], starts.what[order]
    more = waiting.sum(axis=1) - ground.waiting
    for row in np.flatnonzero(more > 0):
        first = int(np.searchsorted(at, ground.times_ns[row], "right"))
        there = np.flatnonzero(since[first : first + 8 * int(more[row]) + 64] <= ground.times_ns[row])
        launched = np.bincount(what[first + there[: int(more[row])]], minlength=waiting.shape[1])
        waiting[row] -= np.minimum(launched, waiting[row])
        while waiting[row].sum() > ground.waiting[row]:  # the scheduler cancelled a launch before it arrived
            waiting[row, waiting[row].argmax()] -= 1


def _stretches(told: Told, spells: Any, shelf: Ints, queue: int) -> tuple[_Events, _Events]:
    """Return when tasks start and stop waiting in a place: on their shelf, or in a machine's queue (`queue`).

    Tasks with the shelf -1 never wait.
    """
    tasks, waits = told.tasks, shelf >= 0
    begun = np.where(tasks["first_start_ns"] >= 0, tasks["first_start_ns"], told.until_ns + 1)
    reached, left = _at_machines(told)
    stands = reached < left
    at_queue = np.full(int(stands.sum()), queue)
    end = tasks["end_ns"][spells["task"]]
    stopped = (spells["end_ns"] >= 0) & (spells["end_ns"] != end)
    again = np.zeros(len(spells), bool)
    again[1:] = spells["task"][1:] == spells["task"][:-1]
    came = _Events(
        np.concatenate([tasks["arrival_ns"][waits], left[stands], spells["end_ns"][stopped], reached[stands]]),
        np.concatenate([shelf[waits], shelf[stands], shelf[spells["task"][stopped]], at_queue]),
    )
    went = _Events(
        np.concatenate([begun[waits], reached[stands], spells["start_ns"][again], left[stands]]),
        np.concatenate([shelf[waits], shelf[stands], shelf[spells["task"][again]], at_queue]),
    )
    return came, went


def _at_machines(told: Told) -> tuple[Ints, Ints]:
    """Return when each task joins a machine's queue and leaves it; both are the same instant for tasks that join none.

    Tasks that a machine fetches stay with their keeper while their probe stands in the queue.
    """
    legs = told.spec.work.legs
    at = next((place for place, leg in enumerate(legs) if leg.place == "worker"), -1)
    none = told.tasks["arrival_ns"].astype(np.int64)
    if at < 0 or any(leg.place == "way" for leg in legs[at:]):
        return none, none
    now = none.astype(np.float64)
    for leg in legs[:at]:
        now = now + leg.fraction * told.tasks[column_of(leg.part)]
    reached = now.astype(np.int64)
    stands = told.tasks["worker_queuing_ns"] * legs[at].fraction
    return reached, reached + stands.astype(np.int64)


def _there(events: _Events, times_ns: Ints, kinds: int) -> Ints:
    """Return how many events of each kind there were up to each instant."""
    return np.cumsum(_since(events, times_ns, kinds), axis=0)


def _since(events: _Events, times_ns: Ints, kinds: int) -> Ints:
    """Return how many events of each kind there were since the previous instant."""
    row = np.searchsorted(times_ns, events.at_ns, "left")
    known = row < len(times_ns)
    flat = row[known] * kinds + events.what[known]
    return np.bincount(flat, minlength=len(times_ns) * kinds).reshape(len(times_ns), kinds)


def _waits(told: Told, queues: tuple[str, ...], span_ns: int) -> list[dict[str, Any]]:
    """Return where started tasks waited over time: all tasks, each queue if there are several, short and long jobs."""
    began = np.asarray(told.tasks["first_start_ns"] >= 0)
    groups = [("all", "", began)]
    if 2 <= len(queues) <= MOST_QUEUES:
        groups += [("queue", name, began & (told.tasks["queue"] == number)) for number, name in enumerate(queues)]
    if told.long is not None:
        groups += [("class", name, began & (told.long == which)) for which, name in enumerate(("short", "long"))]
    return [
        {"kind": kind, "name": name, "parts": planes(np.rint(_parts(told, mine, span_ns) * _FINE).ravel())}
        for kind, name, mine in groups
        if mine.any()
    ]


def _parts(told: Told, mine: Any, span_ns: int) -> npt.NDArray[np.float64]:
    """Return the mean number of tasks in each part of the wait, by part and span."""
    instant = told.tasks["arrival_ns"][mine].astype(np.int64)
    found = []
    for part in PARTS:
        before = instant
        instant = instant + told.tasks[column_of(part)][mine]
        found.append(np.diff(_spent(before, span_ns) - _spent(instant, span_ns)) / span_ns)
    return np.maximum(np.array(found), 0)


def _spent(instants: Ints, span_ns: int) -> npt.NDArray[np.float64]:
    """Return, at each border of spans, the total time that has passed since all earlier instants."""
    span = np.minimum(instants // span_ns, MOST_SPANS)
    count = np.cumsum(np.bincount(span, minlength=MOST_SPANS + 1)[:MOST_SPANS])
    when = np.cumsum(np.bincount(span, instants.astype(np.float64), MOST_SPANS + 1)[:MOST_SPANS])
    borders = np.arange(1, MOST_SPANS + 1, dtype=np.float64) * span_ns
    return np.concatenate([[0.0], count * borders - when])
