"""The results of a run: arrays of its tasks and jobs, and the summary."""

from __future__ import annotations

import functools
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from scheduler_core.recording.file import GROUP_ROWS

if TYPE_CHECKING:
    import pandas as pd

TASK_COLUMNS = np.dtype(
    [
        ("job", "i8"),
        ("task", "i8"),
        ("queue", "i8"),
        ("arrival_ns", "i8"),
        ("first_start_ns", "i8"),
        ("last_start_ns", "i8"),
        ("end_ns", "i8"),
        ("machine", "i8"),
        ("attempts", "i8"),
        ("lost_ns", "i8"),
        ("framework_queuing_ns", "i8"),
        ("processing_ns", "i8"),
        ("communication_ns", "i8"),
        ("worker_queuing_ns", "i8"),
    ]
)
JOB_COLUMNS = np.dtype(
    [
        ("job", "i8"),
        ("queue", "i8"),
        ("arrival_ns", "i8"),
        ("tasks", "i8"),
        ("mean_ns", "i8"),
        ("ideal_ns", "i8"),
        ("end_ns", "i8"),
    ]
)

START_COLUMNS = np.dtype([("job", "i8"), ("start_ns", "i8"), ("recorded_start_ns", "i8"), ("shift_ns", "i8")])


class Table(np.ndarray[Any, Any]):
    """A structured array that converts to pandas and Parquet."""

    def to_pandas(self) -> pd.DataFrame:
        """Return a data frame with the same columns."""
        import pandas as pd

        return pd.DataFrame({name: np.asarray(self[name]) for name in self.dtype.names or ()})

    def to_parquet(self, path: Path) -> None:
        """Write the columns as a Parquet file."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        names = self.dtype.names or ()
        table = pa.table({name: np.ascontiguousarray(self[name]) for name in names})
        # Neighbors differ little: twice as fast as dictionaries and a third smaller.
        encoding = dict.fromkeys(names, "DELTA_BINARY_PACKED")
        pq.write_table(table, path, GROUP_ROWS, compression="zstd", use_dictionary=False, column_encoding=encoding)


@dataclass(frozen=True, eq=False)
class RunResult:
    """The result of a run.

    `tasks` and `jobs` are in the workload's order. Times are in ns, -1 for never; a machine of -1 means none.
    `starts` has the jobs that started in the run and have a recorded start; None where the workload records none.
    Its `shift_ns` is the start minus the recorded one.
    """

    summary: dict[str, Any]
    make_tasks: Callable[[], Table]
    jobs: Table
    starts: Table | None = field(default=None, kw_only=True)

    @functools.cached_property
    def tasks(self) -> Table:
        """The table of tasks, made when it is first asked for: it has 112 bytes a task."""
        return self.make_tasks()

    def write(self, folder: Path) -> None:
        """Write summary.json, tasks.parquet and jobs.parquet into a folder; create the folder if necessary.

        starts.parquet is there if the workload records starts.
        """
        folder.mkdir(parents=True, exist_ok=True)
        started = time.perf_counter()
        self.tasks.to_parquet(folder / "tasks.parquet")
        self.jobs.to_parquet(folder / "jobs.parquet")
        if self.starts is not None:
            self.starts.to_parquet(folder / "starts.parquet")
        self._wrote(time.perf_counter() - started)
        (folder / "summary.json").write_text(json.dumps(self.summary, indent=2) + "\n")

    def _wrote(self, write_s: float) -> None:
        """Count the time of writing in the speed figures."""
        speed = self.summary["performance"]
        whole_s = sum(speed[part] for part in ("prepare_s", "simulate_s", "measure_s")) + write_s
        speed |= {"write_s": write_s, "whole_tasks_per_s": self.summary["tasks"]["total"] / max(whole_s, 1e-9)}
