"""Find where two runs diverge: the first decision that only one of them takes, found by simulating both in step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from scheduler_core.engine.records import NEVER
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.experiment import Experiment, ResolveTrace
from scheduler_core.explanation.sentences import told_row
from scheduler_core.limits import DEFAULT_LIMITS, Limits
from scheduler_core.run.driver import OnSlice, Simulation
from scheduler_core.run.telling import instant

_STRETCHES = 200


class _Decisions:
    """The decisions of a run as they come, some at a time."""

    def __init__(self, simulation: Simulation, on_slice: OnSlice | None) -> None:
        self.simulation, self._on_slice, self.ended = simulation, on_slice, False
        self._seen = 0

    def upto(self, until_ns: int) -> Any:
        """Return all rows since the last call, up to and including a time."""
        if not self.ended:
            until_ns = min(until_ns, self.simulation.stop_ns)
            self.ended = self.simulation.advance_to(until_ns, self._on_slice) or until_ns == self.simulation.stop_ns
        return self.simulation.take_decisions()

    def next(self, until_ns: int, step_ns: int) -> Any:
        """Return the rows of the next stretch that has some; none at the end of the run."""
        rows = self.simulation.world.log[:0]
        while not len(rows) and not self.ended:
            until_ns = min(until_ns + step_ns, NEVER - 1)
            rows = self.upto(until_ns)
        return rows


def first_difference(
    mine: Experiment,
    other: Experiment,
    *,
    resolve_trace: ResolveTrace | None = None,
    limits: Limits = DEFAULT_LIMITS,
    told: Callable[[float], None] | None = None,
) -> dict[str, Any]:
    """Simulate both runs in step until a decision differs. Raises ExperimentError if their workloads differ.

    Return {same, t_s, task, decisions (equal until then), mine, other, sentence}. `mine` and `other` are the decisions
    of each run at that point, {t_s, task, reason, sentence}, or None for a run without further decisions.
    """
    options: dict[str, Any] = {"frames": 0, "resolve_trace": resolve_trace, "limits": limits}
    runs = [Simulation(one, **options) for one in (mine, other)]

    def on_slice(_simulation: Simulation) -> None:
        if told is not None:
            told(max(one.progress for one in runs))

    for one in runs:
        one.prepare()
    if len(runs[0].world.task) != len(runs[1].world.task):
        raise ExperimentError([Problem("other", "has another workload", "a run of the same workload")])
    same_scheduler = runs[0].spec.name == runs[1].spec.name
    logs = [_Decisions(one, on_slice) for one in runs]
    step_ns = max(1, max(one.expected_ns for one in runs) // _STRETCHES)
    until_ns, equal = step_ns, 0
    while True:
        rows = [log.upto(until_ns) for log in logs]
        at = _first_unequal(rows[0], rows[1], same_scheduler)
        if at is not None:
            for side, log in enumerate(logs):
                if len(rows[side]) == at:  # it decides nothing more in this stretch
                    rows[side] = np.concatenate([rows[side], log.next(until_ns, step_ns)])
            return _found(runs, rows, at, equal + at)
        equal += len(rows[0])
        if all(log.ended for log in logs):
            return _same(equal)
        until_ns = min(until_ns + step_ns, NEVER - 1)


def _first_unequal(mine: Any, other: Any, whole: bool) -> int | None:
    """Return the place of the first rows that differ, or where one list ends before the other.

    Rows of two schedulers have other reasons and other figures: there it compares only task, time and machine.
    """
    shared = min(len(mine), len(other))
    names = mine.dtype.names if whole else ("t_ns", "task", "machine")
    unequal = np.zeros(shared, bool)
    for name in names:
        unequal |= mine[name][:shared] != other[name][:shared]
    if unequal.any():
        return int(unequal.argmax())
    return shared if len(mine) != len(other) else None


def _found(runs: list[Simulation], rows: list[Any], at: int, equal: int) -> dict[str, Any]:
    sides = [_told(one, log[at]) if at < len(log) else None for one, log in zip(runs, rows, strict=True)]
    mine, other = sides
    first = min((one for one in sides if one is not None), key=lambda one: float(one["t_s"]))
    said = f"They diverge at {instant(first['t_s'])}, after {equal:,} identical decisions. "
    said += f"This run: {_side(mine, first['t_s'])} The other: {_side(other, first['t_s'])}"
    return {
        "same": False,
        "t_s": first["t_s"],
        "task": first["task"],
        "decisions": equal,
        "mine": mine,
        "other": other,
        "sentence": said,
    }


def _side(one: dict[str, Any] | None, t_s: float) -> str:
    if one is None:
        return "no decision around that time."
    later = f"no decision then; the next one, at {instant(one['t_s'])}, is about " if one["t_s"] > t_s else ""
    return f"{later}task {one['task']:,}: {one['sentence']}"


def _told(simulation: Simulation, row: Any) -> dict[str, Any]:
    values = {name: int(row[name]) for name in row.dtype.names}
    one = told_row(simulation, values)
    return {
        "t_s": one["t_s"],
        "task": values["task"],
        "reason": one["reason"],
        "sentence": one["sentence"],
        "machine": one["machine"],
    }


def _same(equal: int) -> dict[str, Any]:
    said = f"Both runs make the same {equal:,} decisions, at the same times."
    return {"same": True, "t_s": None, "task": None, "decisions": equal, "mine": None, "other": None, "sentence": said}
