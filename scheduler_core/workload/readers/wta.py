"""Read the task tables of the Workflow Trace Archive (Parquet).

Format: L. Versluis et al., "The Workflow Trace Archive", IEEE TPDS 31(9), 2020. Checked against the archive's own tools
(Task, version 1.0, whose files lie in tasks/schema-1.0) and against OpenDC's reader of it: a row per task; workflow_id
int64, ts_submit int64 (milliseconds; newer files: a timestamp), runtime int64 (milliseconds),
resource_amount_requested float64 (CPUs; -1: not known), parents and children lists of int64; -1 where something is not
known. `id` int64 names a task within its workflow, and `parents` those that it waits for; `children` says the same
from the other end, and the reader skips it. A workflow becomes a job and each of its tasks a stage.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from scheduler_core.experiment.workloads import LONGEST_TASK_S
from scheduler_core.workload.raw import RawWork, TraceReader
from scheduler_core.workload.readers.gathering import LATEST_S, Tasks
from scheduler_core.workload.readers.graphs import Waits, waits_of
from scheduler_core.workload.readers.parquet_rows import column_names, parquet_blocks
from scheduler_core.workload.readers.table import Layout, Rows, Table

if TYPE_CHECKING:
    from scheduler_core.limits import Limits

_NAMES = ("workflow_id", "ts_submit", "runtime", "resource_amount_requested")
_EDGES = ("id", "parents")
_MS = 1_000_000
_MOST_CPUS = 10**6


def read(path: Path, limits: Limits) -> RawWork:
    """Read a file of tasks; raises TraceError."""
    import pyarrow as pa

    types = dict.fromkeys(_NAMES[:3], pa.int64()) | {_NAMES[3]: pa.float64()}
    if graph := set(_EDGES) <= set(column_names(path)):
        types |= {"id": pa.int64(), "parents": pa.list_(pa.int64())}
    table, tasks = Table(path, Layout(_NAMES, types), limits), Tasks(limits)
    for rows in parquet_blocks(table):
        job, submit, run = (rows.numbers(name) for name in _NAMES[:3])
        cpus = rows.numbers(_NAMES[3])
        good = rows.keep(
            {
                "no workflow": job == -1,
                "no time of submission": (submit < 0) | (submit > LATEST_S * 1000),
                "no runtime": (run < 0) | (run > LONGEST_TASK_S * 1000),
            }
        )
        said = (cpus > 0) & (cpus <= _MOST_CPUS)
        amounts = np.where(said, np.rint(np.where(said, cpus, 0) * 1000), -1).astype(np.int64)
        stage, waits = _edges(rows, good) if graph else (None, None)
        tasks.add(
            job[good], submit[good] * _MS, run[good] * _MS, demand={"cpus": amounts[good]}, stage=stage, waits=waits
        )
    note = "A workflow is a job that arrives with the first of its tasks."
    return tasks.work((note,), table=table)


def _edges(rows: Rows, good: Any) -> tuple[Any, Waits]:
    """Return each task's number and the edges of the kept tasks."""
    import pyarrow.compute as pc

    parents = rows.column("parents")
    parent = pc.list_flatten(parents).fill_null(-1).to_numpy(zero_copy_only=False)
    row = pc.list_parent_indices(parents).to_numpy(zero_copy_only=False)
    known = parent >= 0
    return rows.numbers("id")[good], waits_of(rows, good, row[known], parent[known])


READER = TraceReader(
    name="wta",
    label="Workflow Trace Archive, tasks (.parquet)",
    help="Parquet, a row per task: workflow_id, ts_submit and runtime in milliseconds, resource_amount_requested.",
    suffixes=(".parquet",),
    has_queues=False,
    sniff=lambda head: False,
    read=read,
    sniff_file=lambda path: set(_NAMES) <= set(column_names(path)),
)
