"""The track of a window of a finished run, from its recording and its table of tasks, without a simulation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from scheduler_core.engine.records import DECISION
from scheduler_core.recording.file import RecordingReader
from scheduler_core.recording.track import Told, Window, track_of
from scheduler_core.schedulers import scheduler_by_name


def recorded_track(reader: RecordingReader, tasks: pa.Table, window: Window | None) -> dict[str, Any]:
    """Return what happened to the tasks of a window (contract.Track); `tasks` is the run's table.

    Without a window, return the track of the whole run as the recording keeps it, if it does.
    """
    kept = reader.track()
    if window is None and kept is not None:
        return kept
    meta = reader.meta
    size = None if kept is None else np.frombuffer(kept["tasks"]["size"], np.uint8)
    long = None if kept is None or "long" not in kept["tasks"] else np.frombuffer(kept["tasks"]["long"], np.uint8)
    told = Told(
        spec=scheduler_by_name(meta["scheduler"]["name"]),
        tasks=_records(tasks),
        decisions=_decisions(reader),
        size=size,
        owners=[queue["owner"] or 0 for queue in meta["queues"]],
        until_ns=reader.until_ns,
        thinned=meta.get("decisions_thinned", 0) > 0,
        long=long,
    )
    return track_of(told, window)


def _records(table: pa.Table) -> Any:
    rows = np.zeros(table.num_rows, [(name, "i8") for name in table.column_names])
    for name in table.column_names:
        rows[name] = table.column(name).to_numpy()
    return rows


def _decisions(reader: RecordingReader) -> Any:
    table = reader.decisions()
    rows = np.zeros(table.num_rows, DECISION)
    for name in DECISION.names or ():
        rows[name] = table.column(name).to_numpy()
    return rows
