"""The track of a run: what happened to each task, for a viewer that draws tasks as things (contract.Track).

The track comes afterwards; a running simulation records nothing for it. The table of tasks holds each task's arrival,
the parts of its wait, and its run. The decision log holds the task's keeper, its movements and its stops.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import World
from scheduler_core.recording.choices import MOST_TOLD, Choice
from scheduler_core.recording.track_spells import spells_of
from scheduler_core.world.spec import SchedulerSpec
from scheduler_core.world.work import Move

Ints = npt.NDArray[np.int64]
MOST_TASKS = 60_000
"""Largest number of tasks in an interval of some machines."""
_UNKNOWN = 255
_NOT_ENDED = (1 << 32) - 1
_LEAST_UNIT_NS = 1_000
PARTS = ("framework", "processing", "communication", "worker")
_COLUMN = {"framework": "framework_queuing_ns", "worker": "worker_queuing_ns"}


@dataclass(frozen=True)
class Told:
    """The input of a track. `tasks` are rows of `run.results.TASK_COLUMNS`, in the workload's order.

    `size` is the share of its machine that each task holds, of 255; None if the demands are unknown. `owners` are the
    owners of the queues. The track covers the run up to `until_ns`.
    """

    spec: SchedulerSpec
    tasks: Any
    decisions: Any
    size: npt.NDArray[np.uint8] | None
    owners: Sequence[int]
    until_ns: int
    thinned: bool
    long: npt.NDArray[np.uint8] | None = None
    """1 for each task of a long job; None where jobs are not told apart."""
    choices: Sequence[Choice] = ()
    copies: Sequence[tuple[int, int]] = ()
    """When each keeper copied the whole state: (time in ns, its number), in order of time."""
    numbers: Ints | None = None
    """The task numbers of the rows, ascending; None if all tasks are there. Decisions name tasks by their rows."""
    dropped: npt.NDArray[np.bool_] | None = None
    """The tasks that no machine can run and that their jobs go on without; None if jobs keep such tasks."""


@dataclass(frozen=True)
class Window:
    """An interval of simulated time, both ends included, and a range of machines."""

    from_ns: int
    until_ns: int
    first: int
    machines: int


def sizes_of(world: World) -> npt.NDArray[np.uint8]:
    """Return the largest share of any resource of its machine that each task holds, of 255; 0 without a machine."""
    demand = world.demand[world.task["demand"]]
    capacity = world.capacity[np.maximum(world.task["machine"], 0)]
    share = np.divide(demand, capacity, out=np.zeros(demand.shape), where=capacity > 0).max(axis=1, initial=0.0)
    placed = world.task["attempts"] > 0
    return np.where(placed, np.clip(np.ceil(share * 255), 1, 255), 0).astype(np.uint8)


def long_of(
    spec: SchedulerSpec, params: Mapping[str, Any], world: World, cutoff_s: float | None
) -> npt.NDArray[np.uint8] | None:
    """Return 1 for each task of a long job; None if jobs are not told apart, or all are alike.

    A scheduler with a cut-off of its own tells them apart; under any other the work does, by `cutoff_s` if it has one.
    """
    if spec.work.long_above:
        cutoff_s = getattr(spec.params(**params), spec.work.long_above)
    if cutoff_s is None:
        return None
    long = world.job["mean_ns"] > round(cutoff_s * 1e9)
    found: npt.NDArray[np.uint8] = long[world.task["job"]].astype(np.uint8)
    return found if found.any() and not found.all() else None


def track_of(told: Told, window: Window | None = None) -> dict[str, Any]:
    """Return the track of a run, or of a window of it (contract.Track)."""
    unit_ns = _LEAST_UNIT_NS
    while told.until_ns // unit_ns >= _NOT_ENDED - 1:
        unit_ns *= 10
    log = told.decisions
    moves = moves_of(told.spec)
    moved = log[np.isin(log["reason"], list(moves))]
    spells = spells_of(told.tasks, log, moves)
    rows, left_out = None, 0
    if window is not None:
        rows, left_out = _inside(told.tasks, moved, spells, window)
        moved = _moved_inside(moved, rows, window)
        spells = spells[np.isin(spells["task"], rows)]
    until_ns = told.until_ns if window is None else min(window.until_ns, told.until_ns)
    return {
        "v": 1, "unit_ns": unit_ns, "until_ns": int(until_ns),
        **({} if window is None else
           {"from_ns": window.from_ns, "first": window.first, "machines": window.machines}),
        "left_out": left_out, "thinned": told.thinned,
        "tasks": _tasks(told, rows, unit_ns), "spells": _spells(spells, rows, unit_ns),
        "moves": _moves(moved, told.numbers, unit_ns, moves),
        **({"choices": _choices(told.choices, unit_ns)} if told.choices and window is None else {}),
        **({"copies": _copies(told.copies, unit_ns)} if told.copies and window is None else {}),
    }  # fmt: skip


def _tasks(told: Told, rows: Ints | None, unit_ns: int) -> dict[str, Any]:
    tasks = told.tasks if rows is None else told.tasks[rows]
    size = np.zeros(len(told.tasks), np.uint8) if told.size is None else told.size
    keeper = keepers_of(told)
    ended = (tasks["end_ns"] >= 0) & (tasks["attempts"] > 0)
    # The track rounds instants and takes lengths between them, so a start is as exact as an arrival.
    instant = tasks["arrival_ns"].astype(np.int64)
    arrival = before = instant // unit_ns
    lengths = {}
    for part in PARTS:
        instant = instant + tasks[column_of(part)]
        lengths[part] = planes(instant // unit_ns - before)
        before = instant // unit_ns
    ran = np.where(ended, tasks["end_ns"] // unit_ns - tasks["last_start_ns"] // unit_ns, _NOT_ENDED)
    if told.dropped is not None:
        ran = np.where(told.dropped if rows is None else told.dropped[rows], 0, ran)
    return {
        "count": len(tasks), "task": b"" if rows is None else planes(_numbers(told.numbers, rows)),
        "job": planes(tasks["job"]),
        "queue": np.minimum(tasks["queue"], _UNKNOWN).astype(np.uint8).tobytes(),
        "keeper": (keeper if rows is None else keeper[rows]).astype(np.uint8).tobytes(),
        "machine": planes(tasks["machine"] + 1), "size": (size if rows is None else size[rows]).tobytes(),
        "arrival": planes(arrival), **lengths, "ran": planes(ran),
        **({} if told.long is None else {"long": (told.long if rows is None else told.long[rows]).tobytes()}),
    }  # fmt: skip


def _numbers(numbers: Ints | None, rows: Any) -> Any:
    """Return the task numbers of rows."""
    return rows if numbers is None else numbers[rows]


def column_of(part: str) -> str:
    """Return the column of the table of tasks that holds a part of the wait."""
    return _COLUMN.get(part, f"{part}_ns")


def moves_of(spec: SchedulerSpec) -> dict[int, Move]:
    """Return the movements among a scheduler's reasons, by code."""
    return {reason.code: move for reason in spec.reasons if (move := spec.work.move_of(reason))}


def keepers_of(told: Told) -> Ints:
    """Return the number of each task's keeper; 255 if unknown."""
    keeper, queue = told.spec.work.keeper, np.asarray(told.tasks["queue"], np.int64)
    if keeper.role == "queue":
        return queue.clip(0, _UNKNOWN)
    if keeper.role == "owner":
        owners = np.asarray(told.owners if len(told.owners) else [0] * 256, np.int64)
        owner: Ints = owners[queue]
        return owner
    found = np.full(len(queue), _UNKNOWN, np.int64)
    codes = [reason.code for reason in told.spec.reasons if reason.name in keeper.told_by]
    log = told.decisions
    rows = log[np.isin(log["reason"], codes) & (log["to"] >= 0) & (log["to"] < _UNKNOWN)]
    found[rows["task"]] = rows["to"]
    if keeper.for_job:
        of_job = np.full(int(told.tasks["job"].max(initial=0)) + 1, _UNKNOWN, np.int64)
        of_job[told.tasks["job"][rows["task"]]] = rows["to"]
        found = of_job[told.tasks["job"]]
    return found


def _spells(spells: Any, rows: Ints | None, unit_ns: int) -> dict[str, Any]:
    row = spells["task"] if rows is None else np.searchsorted(rows, spells["task"])
    end = np.where(spells["end_ns"] >= 0, spells["end_ns"] // unit_ns, _NOT_ENDED)
    return {
        "count": len(spells), "row": planes(row), "machine": planes(spells["machine"] + 1),
        "start": planes(spells["start_ns"] // unit_ns), "end": planes(end),
    }  # fmt: skip


def _moves(rows: Any, numbers: Ints | None, unit_ns: int, moves: Mapping[int, Move]) -> dict[str, Any]:
    other = np.zeros(len(rows), np.int64)
    for code, move in moves.items():
        if move.other:
            of_it = rows["reason"] == code
            other[of_it] = rows[move.other][of_it].clip(-1) + 1
    named = {name: planes(rows[name].astype(np.int64) + 1) for name in ("machine", "frm", "to")}
    return {
        "count": len(rows), "at": planes(rows["t_ns"] // unit_ns), "reason": planes(rows["reason"]),
        "task": planes(_numbers(numbers, rows["task"])), **named, **({"other": planes(other)} if other.any() else {}),
    }  # fmt: skip


def _choices(choices: Sequence[Choice], unit_ns: int) -> dict[str, Any]:
    return {
        "count": len(choices), "at": planes([one.t_ns // unit_ns for one in choices]),
        "task": planes([one.task for one in choices]), "machine": planes([one.machine + 1 for one in choices]),
        "scores": planes(np.concatenate([one.scores for one in choices]), 2),
        **({"parts": _parts(choices)} if len(choices[0].scores) <= MOST_TOLD else {}),
    }  # fmt: skip


def _copies(copies: Sequence[tuple[int, int]], unit_ns: int) -> dict[str, Any]:
    keeper = np.array([number for _, number in copies], np.uint8)
    return {"count": len(copies), "at": planes([t_ns // unit_ns for t_ns, _ in copies]), "keeper": keeper.tobytes()}


def _parts(choices: Sequence[Choice]) -> list[dict[str, Any]]:
    return [
        {"label": name, "tenths": planes(np.concatenate([one.parts[name] for one in choices]), 2)}
        for name in choices[0].parts
    ]


def _inside(tasks: Any, moved: Any, spells: Any, window: Window) -> tuple[Ints, int]:
    """Return the tasks of a window, and how many more there are: those that wait meanwhile, or come to its machines."""
    there = tasks["arrival_ns"] <= window.until_ns
    there &= (tasks["end_ns"] < 0) | (tasks["end_ns"] >= window.from_ns)
    mine = _among(tasks["machine"], window) | (tasks["attempts"] == 0)
    mine[spells["task"][_among(spells["machine"], window)]] = True
    near = (moved["t_ns"] >= window.from_ns) & (moved["t_ns"] <= window.until_ns)
    mine[moved["task"][near & (_among(moved["machine"], window))]] = True
    rows = np.flatnonzero(there & mine)
    return rows[:MOST_TASKS], max(0, len(rows) - MOST_TASKS)


def _among(machine: Any, window: Window) -> npt.NDArray[np.bool_]:
    found: npt.NDArray[np.bool_] = (machine >= window.first) & (machine < window.first + window.machines)
    return found


def _moved_inside(moved: Any, rows: Ints, window: Window) -> Any:
    near = (moved["t_ns"] >= window.from_ns) & (moved["t_ns"] <= window.until_ns)
    return moved[near & np.isin(moved["task"], rows)]


def with_fewer_moves(track: dict[str, Any]) -> dict[str, Any]:
    """Return the track without every other movement of the most common reason, including the last one."""
    columns = {name: numbers(data) for name, data in track["moves"].items() if name != "count"}
    reasons, counts = np.unique(columns["reason"], return_counts=True)
    keep = np.ones(len(columns["reason"]), bool)
    of_it = np.flatnonzero(columns["reason"] == reasons[counts.argmax()])
    keep[of_it[len(of_it) > 1 :: 2]] = False
    fewer = {name: planes(column[keep]) for name, column in columns.items()}
    return {**track, "thinned": True, "moves": {"count": int(keep.sum()), **fewer}}


def planes(values: Any, width: Literal[2, 4] = 4) -> bytes:
    """Return integers of that many bytes as runs of bytes, the lowest byte of all first."""
    whole = np.ascontiguousarray(np.asarray(values).astype(f"<u{width}"))
    return whole.view(np.uint8).reshape(-1, width).T.tobytes()


def numbers(data: bytes, width: Literal[2, 4] = 4) -> Ints:
    """Return the integers that `planes` wrote."""
    bytes_of = np.ascontiguousarray(np.frombuffer(data, np.uint8).reshape(width, -1).T)
    return bytes_of.view(f"<u{width}").ravel().astype(np.int64)
