"""Animations of signature runs for cards: small data from a recording, which static/js/features/cards draws.

All times are parts of the run in thousandths. A view with machines has their load in steps; the others have the jobs,
the running tasks or the stages of the run. All have the movements and how many tasks wait, here and under a neighbor.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from playground.catalogue import stills
from scheduler_core import RecordingReader

STEPS = 40
_MOST_MACHINES = 160
_MOST_MOVES = 60
_MOST_TASKS = 90
_ROLES = ("bounce", "steal", "throw", "borrow", "give", "shed", "overtake")
#: How full a machine looks: idle, then in quarters.
_LEVELS = 4
#: How the names of layers begin that say how much of a resource is in use.
_RESOURCE = "of_"

Ints = npt.NDArray[np.int64]


def miniature(opens: Mapping[str, str], run: Any, neighbor: Any, recording: RecordingReader) -> dict[str, Any]:
    """Return the data of a run's moving picture by what its signature opens: a view, and of the map a layer."""
    view, layer = opens["view"], opens["layer"]
    until = max(stills.until_of(run), 1)
    draw: Callable[[Any, int], dict[str, Any]] = _PARTS.get(view, _machines)
    waits = {"waits": stills.waiting(run, until), "other": stills.waiting(neighbor, until)}
    most = max(int(max(each.max(initial=0) for each in waits.values())), 1)
    curves = {name: (each * 100 // most).tolist() for name, each in waits.items()}
    shown = view if view in _PARTS else "map"
    moves = _moves(recording, until) if shown == "map" else []
    drawn = draw(run, until)
    if shown == "map" and layer.startswith(_RESOURCE):
        drawn["loads"] = _resource(recording, layer, drawn["machines"])
    return {"view": shown, **curves, **drawn, "moves": moves}


def _at(times: Any, until: int) -> list[int]:
    """Return times as thousandths of the run; -1 for never."""
    values = np.asarray(times, np.int64)
    return [int(value) for value in np.where(values < 0, -1, values * 1000 // until)]


def _machines(run: Any, until: int) -> dict[str, Any]:
    """Return how busy each machine is at each step: 0 idle, 1 to 4 by the first kind, 5 to 8 by the second."""
    tasks, kinds = run.tasks, stills.kinds_of(run)
    count = min(int(tasks["machine"].max(initial=0)) + 1, _MOST_MACHINES)
    running = np.zeros((2, STEPS, count), np.int64)
    for step in range(STEPS):
        now = (step + 0.5) * until / STEPS
        there = (tasks["last_start_ns"] <= now) & (tasks["end_ns"] > now) & (tasks["machine"] >= 0)
        for kind in (0, 1):
            machines = tasks["machine"][there & (kinds == kind)]
            running[kind, step] = np.bincount(machines[machines < count], minlength=count)
    total = running.sum(axis=0)
    level = -(-total * _LEVELS // max(int(np.percentile(total, 99.5)), 1))
    level = np.clip(level, 0, _LEVELS)
    level[(running[1] > running[0]) & (level > 0)] += _LEVELS
    return {"machines": count, "loads": ["".join(map(str, row)) for row in level]}


def _resource(recording: RecordingReader, layer: str, machines: int) -> list[str]:
    """Return how much of a resource each machine has in use at each step, in quarters, as the frames say it."""
    steps = np.linspace(0, recording.count - 1, STEPS).astype(np.int64)
    levels = (recording.frame(int(step)).layers[layer].full for step in steps)
    return [
        "".join(str(-(-int(value) * _LEVELS // 255)) for value in level[:machines])
        for level in levels
        if level is not None
    ]


def _moves(recording: RecordingReader, until: int) -> list[list[int]]:
    """Return movements over the run: [when, role, from, to, failed]; -1 is beside the machines."""
    track = recording.track()
    if track is None:
        return []
    moves, known = track["moves"], {move["reason"]: move for move in recording.meta["work"]["moves"]}
    columns = {name: _whole(moves[name]) for name in ("at", "reason", "machine", "frm")}
    chosen = np.unique(np.linspace(0, moves["count"] - 1, min(_MOST_MOVES, moves["count"])).astype(np.int64))
    found = []
    for row in chosen:
        move = known[int(columns["reason"][row])]
        ends = {"machine": int(columns["machine"][row]) - 1, "machine_frm": int(columns["frm"][row]) - 1}
        when = int(columns["at"][row]) * track["unit_ns"] * 1000 // until
        frm, to = (min(ends.get(move[end], -1), _MOST_MACHINES - 1) for end in ("frm", "to"))
        found.append([min(when, 1000), _ROLES.index(move["role"]), frm, to, int(move["wrong"])])
    return found


def _whole(column: bytes) -> Ints:
    """Return a column of the track: four runs of bytes, lowest first."""
    rows = np.frombuffer(column, np.uint8).reshape(4, -1).astype(np.int64)
    return np.asarray(rows[0] + (rows[1] << 8) + (rows[2] << 16) + (rows[3] << 24), np.int64)


def _jobs(run: Any, until: int) -> dict[str, Any]:
    """Return jobs as [arrival, first start, last end, kind]."""
    tasks, jobs, kinds = run.tasks, run.jobs, stills.kinds_of(run)
    found = []
    for job in np.unique(np.linspace(0, len(jobs) - 1, 26).astype(np.int64)):
        mine = tasks["job"] == jobs["job"][job]
        if not mine.any() or tasks["first_start_ns"][mine].min() < 0:
            continue
        times = (jobs["arrival_ns"][job], tasks["first_start_ns"][mine].min(), tasks["end_ns"][mine].max())
        found.append([*_at(times, until), int(kinds[mine].any())])
    return {"jobs": found}


def _shares(run: Any, until: int) -> dict[str, Any]:
    """Return running tasks at each step, of the largest jobs singly and of all others together, in hundredths."""
    counts = stills.running_by_job(run, until)
    most = max(int(np.sum(counts, axis=0).max(initial=0)), 1)
    return {"shares": [(np.asarray(count) * 100 // most).tolist() for count in counts]}


def _tasks(run: Any, until: int) -> dict[str, Any]:
    """Return tasks as [arrival, start, end, machine, kind], spread over the run."""
    tasks, kinds = run.tasks, stills.kinds_of(run)
    ran = np.flatnonzero(tasks["end_ns"] >= 0)
    ran = ran[np.argsort(tasks["arrival_ns"][ran], kind="stable")]
    rows = ran[np.unique(np.linspace(0, len(ran) - 1, _MOST_TASKS).astype(np.int64))]
    times = [_at(tasks[name][rows], until) for name in ("arrival_ns", "last_start_ns", "end_ns")]
    machines = [int(machine) for machine in tasks["machine"][rows]]
    return {
        "machines": int(tasks["machine"].max(initial=0)) + 1,
        "tasks": [list(row) for row in zip(*times, machines, kinds[rows].tolist(), strict=True)],
    }


def _stages(run: Any, until: int) -> dict[str, Any]:
    """Return stages with the logarithm of their operations in hundredths of the largest, and passing tasks."""
    stages = run.summary.get("pipeline", {}).get("stages", {})
    done = [max(int(one["operations"]), 0) for one in stages.values()] or [1]
    tall = [int(100 * np.log1p(amount) / np.log1p(max(max(done), 1))) for amount in done]
    return {"stages": tall, **_tasks(run, until)}


_PARTS: dict[str, Callable[[Any, int], dict[str, Any]]] = {
    "gantt": _jobs,
    "given": _jobs,
    "shares": _shares,
    "turns": _shares,
    "flow": _tasks,
    "stages": _stages,
}
