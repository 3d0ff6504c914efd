"""The two columns of a columnar trace that hold the dependencies between the stages of a job.

`stage` (int64) is the place of a task's stage in its job: 0 in the job's first row, then the same or one more. `after`
(list of int64) holds in a stage's first row the places of the stages that it waits for, rising and before its own; it
is empty in the other rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scheduler_core.errors import Problem, TraceError
from scheduler_core.limits import Limits
from scheduler_core.workload.readers.graphs import refuse_too_many
from scheduler_core.workload.stages import Ints, RawStages

STAGE, AFTER = "stage", "after"


class StageRows:
    """The columns of some rows of a trace at a time."""

    def __init__(self, stages: RawStages) -> None:
        self._stages = stages
        self._ends = np.cumsum(stages.tasks)
        self._before = np.cumsum(stages.of_job) - stages.of_job
        self._first_parent = np.concatenate([[0], np.cumsum(stages.parents_of)])

    def columns(self, start: int, stop: int, job: Ints) -> dict[str, Any]:
        """Return the columns of rows [start, stop), whose jobs are `job`."""
        import pyarrow as pa

        row = np.arange(start, stop)
        stage = np.searchsorted(self._ends, row, side="right")
        begins = row == self._ends[stage] - self._stages.tasks[stage]
        count = np.where(begins, self._stages.parents_of[stage], 0)
        offsets = np.concatenate([[0], np.cumsum(count)]).astype(np.int32)
        begun = stage[begins]
        first = self._first_parent[begun[0] if len(begun) else 0]
        parents = self._stages.parents[first : first + int(offsets[-1])]
        return {STAGE: stage - self._before[job], AFTER: pa.ListArray.from_arrays(pa.array(offsets), pa.array(parents))}


def read_stages(table: Any, stage: Ints, first: Ints, demand: Ints | None, limits: Limits) -> RawStages | None:
    """Read the columns back, `first` being the first row of each job; None where nothing waits. Raises TraceError."""
    steps = np.diff(stage, prepend=0)
    steps[first] = 1
    new = steps == 1
    odd = (steps < 0) | (steps > 1)
    odd[first] |= stage[first] != 0
    _refuse(odd, "'stage' is not in order", "0 in a job's first row, then the same or one more")
    if demand is not None:
        changed = np.zeros(len(stage), np.bool_)
        changed[1:] = demand[1:] != demand[:-1]
        _refuse(changed & ~new, "asks for something other than its stage", "one demand for all tasks of a stage")
    parents, count = _listed(table, len(stage), limits)
    _refuse((count > 0) & ~new, "'after' is not empty", "what a stage waits for in its first row")
    row = np.repeat(np.arange(len(stage)), count)
    wrong = (parents < 0) | (parents >= stage[row])
    wrong[1:] |= (row[1:] == row[:-1]) & (parents[1:] <= parents[:-1])
    _refuse(
        np.isin(np.arange(len(stage)), row[wrong]),
        "'after' does not name stages before its own, each once",
        "rising numbers below 'stage'",
    )
    if not len(parents):
        return None
    begins = np.flatnonzero(new)
    of_job = np.diff(np.searchsorted(begins, np.append(first, len(stage))))
    return RawStages(of_job, np.diff(np.append(begins, len(stage))), count[begins], parents)


def _listed(table: Any, rows: int, limits: Limits) -> tuple[Ints, Ints]:
    """Return all values of `after` in one array, and the number of values of each row."""
    import pyarrow as pa
    import pyarrow.compute as pc

    column = table.column(AFTER)
    if not (pa.types.is_list(column.type) or pa.types.is_large_list(column.type)) or not (
        pa.types.is_integer(column.type.value_type)
    ):
        raise TraceError([Problem("", f"column '{AFTER}' is {column.type}", "lists of whole numbers")])
    count = pc.list_value_length(column).fill_null(0).to_numpy().astype(np.int64)
    refuse_too_many(int(count.sum()), limits)
    values = pc.list_flatten(column)
    if values.null_count:
        raise TraceError([Problem("", f"column '{AFTER}' has {values.null_count:,} absent numbers", "none absent")])
    return values.to_numpy().astype(np.int64), count


def _refuse(wrong: NDArray[np.bool_], message: str, allowed: str) -> None:
    if bool(wrong.any()):
        raise TraceError([Problem(f"row {int(np.argmax(wrong)) + 1:,}", message, allowed)])
