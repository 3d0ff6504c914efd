"""The spells of run time that ended when the task lost its machine, from the decision log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.world.work import Move

Ints = npt.NDArray[np.int64]
SPELL = np.dtype([("task", "i8"), ("machine", "i8"), ("start_ns", "i8"), ("end_ns", "i8")])


def spells_of(tasks: Any, log: Any, moves: Mapping[int, Move]) -> Any:
    """Return all spells (SPELL) of the stopped tasks, by task and time; `end_ns` is -1 for the present spell.

    A row of a `throw` ends a spell. If the row does not say how long the task had run, the spell began at the latest
    earlier decision that named the machine. The first spell began at the task's first start.
    """
    stops = _stops(log, moves)
    if not len(stops):
        return np.zeros(0, SPELL)
    stops = stops[np.lexsort((stops["end_ns"], stops["task"]))]
    first = np.concatenate([[True], stops["task"][1:] != stops["task"][:-1]])
    began = np.where(first, tasks["first_start_ns"][stops["task"]], _placed_before(stops, log, moves))
    stops["start_ns"] = np.where(stops["start_ns"] >= 0, stops["start_ns"], began)
    stopped = tasks[np.unique(stops["task"])]
    last_stop = stops["end_ns"][np.concatenate([first[1:], [True]])]
    again = (stopped["last_start_ns"] >= last_stop) & (stopped["attempts"] > 0)
    last = np.zeros(int(again.sum()), SPELL)
    for name, column in (("task", "task"), ("machine", "machine"), ("start_ns", "last_start_ns"), ("end_ns", "end_ns")):
        last[name] = stopped[column][again]
    ran = (stops["start_ns"] >= 0) & (stops["end_ns"] > stops["start_ns"])
    found = np.concatenate([stops[ran], last])
    return found[np.lexsort((found["start_ns"], found["task"]))]


def _stops(log: Any, moves: Mapping[int, Move]) -> Any:
    """Return what ended by a decision: task, machine, time, and the start if the row tells the run time, else -1."""
    parts = [np.zeros(0, SPELL)]
    for code, move in moves.items():
        if move.role != "throw":
            continue
        rows = log[log["reason"] == code]
        part = np.zeros(len(rows), SPELL)
        part["task"], part["end_ns"] = rows["task"], rows["t_ns"]
        part["machine"] = rows["frm" if move.frm == "machine_frm" else "machine"]
        part["start_ns"] = rows["t_ns"] - rows[move.worked] if move.worked else -1
        parts.append(part[part["machine"] >= 0])
    return np.concatenate(parts)


def _placed_before(stops: Any, log: Any, moves: Mapping[int, Move]) -> Ints:
    """Return when the latest decision before each stop named the stop's machine for its task; -1 if none did."""
    no_place = [code for code, move in moves.items() if move.role != "borrow" and move.to != "machine"]
    no_place += [code for code, move in moves.items() if move.role in ("bounce", "steal")]
    placed = log[(log["machine"] >= 0) & ~np.isin(log["reason"], no_place)]
    placed = placed[np.isin(placed["task"], stops["task"])]
    task = np.concatenate([placed["task"], stops["task"]])
    machine = np.concatenate([placed["machine"], stops["machine"]])
    at = np.concatenate([placed["t_ns"], stops["end_ns"]])
    is_stop = np.concatenate([np.zeros(len(placed), bool), np.ones(len(stops), bool)])
    order = np.lexsort((is_stop, at, machine, task))
    latest = np.maximum.accumulate(np.where(is_stop[order], -1, np.arange(len(order))))
    found = np.full(len(order), -1, np.int64)
    here = order[np.maximum(latest, 0)]
    same = (latest >= 0) & (task[here] == task[order]) & (machine[here] == machine[order])
    found[order] = np.where(same, at[here], -1)
    return found[len(placed) :]
