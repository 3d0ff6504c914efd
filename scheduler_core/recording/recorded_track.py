"""The track of a window of a finished run, from its recording and its table of tasks, without a simulation.

It reads only the table's row groups that hold tasks of the window, so a window of a long run takes little memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import DECISION
from scheduler_core.recording.file import RecordingReader
from scheduler_core.recording.track import Told, Window, track_of
from scheduler_core.schedulers import scheduler_by_name

if TYPE_CHECKING:
    import pyarrow.parquet as pq

Ints = npt.NDArray[np.int64]


def recorded_track(reader: RecordingReader, tasks: pq.ParquetFile, window: Window | None) -> dict[str, Any]:
    """Return the track of the tasks in a window (contract.Track); `tasks` is the run's table of tasks.

    Without a window, return the track of the whole run as far as the recording holds it.
    """
    kept = reader.track() if window is None else None
    if kept is not None:
        return kept
    meta = reader.meta
    rows, numbers = _rows(tasks, window)
    columns = {name: np.frombuffer(data, np.uint8) for name, data in reader.track_columns("size", "long").items()}
    told = Told(
        spec=scheduler_by_name(meta["scheduler"]["name"]),
        tasks=rows,
        decisions=_about(_decisions(reader), numbers),
        size=columns["size"][numbers] if "size" in columns else None,
        owners=[queue["owner"] or 0 for queue in meta["queues"]],
        until_ns=reader.until_ns,
        thinned=meta.get("decisions_thinned", 0) > 0,
        long=columns["long"][numbers] if "long" in columns else None,
        numbers=numbers,
    )
    return track_of(told, window)


def _rows(file: pq.ParquetFile, window: Window | None) -> tuple[Any, Ints]:
    """Return the rows of the row groups that a window needs, and the task numbers of these rows."""
    groups = list(range(file.num_row_groups)) if window is None else _groups(file, window)
    sizes = [file.metadata.row_group(group).num_rows for group in range(file.num_row_groups)]
    first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    parts = [np.arange(first[group], first[group + 1]) for group in groups]
    numbers = np.concatenate([np.zeros(0, np.int64), *parts])
    table = file.read_row_groups(groups)
    rows = np.zeros(table.num_rows, [(name, "i8") for name in table.column_names])
    for name in table.column_names:
        rows[name] = table.column(name).to_numpy()
    # Places name the rows: `numbers` leads back.
    rows["task"] = np.arange(len(rows))
    return rows, numbers


def _groups(file: pq.ParquetFile, window: Window) -> list[int]:
    """Return the row groups with a task that is there in the window, and those with other tasks of the same jobs."""
    groups = range(file.num_row_groups)
    extremes = {name: [_extremes(file, group, name) for group in groups] for name in ("arrival_ns", "end_ns", "job")}
    there = [
        group
        for group in groups
        if extremes["arrival_ns"][group][0] <= window.until_ns
        and (extremes["end_ns"][group][1] >= window.from_ns or extremes["end_ns"][group][0] < 0)
    ]
    jobs = [extremes["job"][group] for group in there]
    return [group for group in groups if any(_overlap(extremes["job"][group], each) for each in jobs)]


def _extremes(file: pq.ParquetFile, group: int, name: str) -> tuple[float, float]:
    """Return the smallest and the largest value of a column in a row group, as far as the file tells."""
    found = file.metadata.row_group(group).column(file.schema_arrow.get_field_index(name)).statistics
    return (found.min, found.max) if found is not None and found.has_min_max else (-np.inf, np.inf)


def _overlap(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]


def _about(log: Any, numbers: Ints) -> Any:
    """Return the decisions about some tasks, by their places in `numbers`."""
    place = np.searchsorted(numbers, log["task"])
    mine = place < len(numbers)
    mine[mine] = numbers[place[mine]] == log["task"][mine]
    found = log[mine]
    found["task"] = place[mine]
    return found


def _decisions(reader: RecordingReader) -> Any:
    table = reader.decisions()
    rows = np.zeros(table.num_rows, DECISION)
    for name in DECISION.names or ():
        rows[name] = table.column(name).to_numpy()
    return rows
