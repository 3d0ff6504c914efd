"""Decisions with the score of every machine, for a picture of the comparison of machines (contract.TrackChoices).

This module computes scores afterwards, from what ran where at the comparison. It keeps a decision only if that
agrees with what the log says of it: the number of machines with room, and the best score.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.recording.track_spells import spells_of
from scheduler_core.world.spec import SchedulerSpec
from scheduler_core.world.work import Move, Room, Scoring

MOST = 96
"""Number of decisions to keep, one from each part of the run."""
MOST_MACHINES = 400
MOST_TOLD = 100
"""Number of machines up to which a track also says what the points of each machine are for."""
_TRIES = 4
_FOREVER = np.iinfo(np.int64).max
_BELOW = 1e-6
"""A sum of fractions may lie this much below the whole tenth that it stands for."""

Tenths = npt.NDArray[np.uint16]


@dataclass(frozen=True)
class Compared:
    """The input: the tasks and the log of a run, what each task demands, what each machine has, the message delay."""

    spec: SchedulerSpec
    params: Mapping[str, Any]
    tasks: Any
    decisions: Any
    moves: Mapping[int, Move]
    demand: npt.NDArray[np.int64]
    capacity: npt.NDArray[np.int64]
    delay_ns: int
    replica: npt.NDArray[np.int64]
    """The machines with each task's data, -1 for none; of other length if no task has data."""
    rack: npt.NDArray[np.int64]


@dataclass(frozen=True)
class Choice:
    """One decision: the time of the comparison, its task, the chosen machine, and the score of each machine."""

    t_ns: int
    task: int
    machine: int
    scores: Tenths
    """For each machine 0 if the task has no room there, else 1 plus ten times its score."""
    parts: Mapping[str, Tenths]
    """Ten times the points of each machine, by what they are for."""


def choices_of(run: Compared) -> list[Choice]:
    """Return up to `MOST` decisions in order of time; none if the scheduler does not score or machines are many."""
    scoring = run.spec.work.scoring
    if scoring is None or len(run.capacity) > MOST_MACHINES or not len(run.tasks):
        return []
    ran = _ran(run)
    found = (_first(run, scoring, rows, ran) for rows in _parts(run, scoring))
    return sorted((one for one in found if one is not None), key=lambda one: one.t_ns)


def _parts(run: Compared, scoring: Scoring) -> Iterator[Any]:
    """Yield the rows to try in each part of the run: those first in which some machines drop out and most remain."""
    code = next(reason.code for reason in run.spec.reasons if reason.name == scoring.reason)
    log = run.decisions[run.decisions["reason"] == code]
    log = log[run.tasks["attempts"][log["task"]] == 1]
    if not len(log):
        return
    part = np.minimum((log["t_ns"] * MOST) // (int(log["t_ns"][-1]) + 1), MOST - 1)
    for number in np.unique(part):
        rows = log[part == number]
        yield rows[np.lexsort((rows["t_ns"], -rows["x"], rows["x"] == len(run.capacity)))][:_TRIES]


def _ran(run: Compared) -> Any:
    """Return what held room where and when: a task from the decision until the news of its end, or until its stop."""
    spells = spells_of(run.tasks, run.decisions, run.moves)
    whole = np.flatnonzero((run.tasks["attempts"] > 0) & ~np.isin(np.arange(len(run.tasks)), spells["task"]))
    rows = np.zeros(len(whole) + len(spells), spells.dtype)
    rows["task"][: len(whole)], rows[len(whole) :] = whole, spells
    for name, column in (("machine", "machine"), ("start_ns", "last_start_ns"), ("end_ns", "end_ns")):
        rows[name][: len(whole)] = run.tasks[column][whole]
    ended = rows["end_ns"] == run.tasks["end_ns"][rows["task"]]
    rows["start_ns"] -= run.delay_ns
    rows["end_ns"] = np.where(rows["end_ns"] < 0, _FOREVER, rows["end_ns"] + np.where(ended, run.delay_ns, 0))
    return rows


def _first(run: Compared, scoring: Scoring, rows: Any, ran: Any) -> Choice | None:
    return next((one for row in rows if (one := _choice(run, scoring, row, ran)) is not None), None)


def _choice(run: Compared, scoring: Scoring, row: Any, ran: Any) -> Choice | None:
    task = int(row["task"])
    t_ns = int(row["t_ns"]) - int(run.tasks["processing_ns"][task])
    there = ran[(ran["start_ns"] <= t_ns) & (ran["end_ns"] > t_ns) & (ran["task"] != task)]
    free = run.capacity.copy()
    np.subtract.at(free, there["machine"], run.demand[there["task"]])
    left = np.where(run.capacity > 0, (free - run.demand[task]) / np.maximum(run.capacity, 1), np.nan)
    fits = (free >= run.demand[task]).all(axis=1)
    same = there["machine"][run.tasks["job"][there["task"]] == run.tasks["job"][task]]
    siblings = np.bincount(same, minlength=len(free)).astype(np.int64)
    parts = scoring.points(run.params, Room(left, siblings, _near(run, task)))
    if not parts or int(fits.sum()) != int(row["x"]) or not fits[row["machine"]]:
        return None
    points = np.sum(list(parts.values()), axis=0)
    if abs(points[row["machine"]] * 10 - int(row["y"])) > 1 or points[row["machine"]] < points[fits].max() - 0.1:
        return None
    score, shown = _tenths(parts)
    return Choice(t_ns, task, int(row["machine"]), np.where(fits, 1 + score, 0).astype(np.uint16), shown)


def _tenths(parts: Mapping[str, npt.NDArray[np.float64]]) -> tuple[Tenths, dict[str, Tenths]]:
    """Return the score of each machine in whole tenths, rounded down as in the log, and parts that add up to it.

    Parts are rounded down, too; those that lose most by that get the tenths that are missing.
    """
    points = np.array(list(parts.values())) * 10 + _BELOW
    scores = np.floor(points.sum(axis=0))
    tenths = np.floor(points)
    place = np.argsort(np.argsort(tenths - points, axis=0, kind="stable"), axis=0)
    tenths += place < scores - tenths.sum(axis=0)
    whole = np.vstack([scores, tenths]).clip(0, 1_000).astype(np.uint16)
    return whole[0], dict(zip(parts, whole[1:], strict=True))


def _near(run: Compared, task: int) -> npt.NDArray[np.float64]:
    """Return 1 for machines with the task's data, 0.5 for the others of their racks."""
    data = run.replica[task][run.replica[task] >= 0] if len(run.replica) == len(run.tasks) else run.replica[:0, 0]
    near = np.where(np.isin(run.rack, run.rack[data]), 0.5, 0.0)
    near[data] = 1.0
    return near
