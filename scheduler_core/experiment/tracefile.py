"""Find the file that a trace workload names."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from scheduler_core.errors import ExperimentError, Problem, shown
from scheduler_core.experiment.workloads import TraceWorkload

if TYPE_CHECKING:
    from scheduler_core.experiment.experiment import Experiment, ResolveTrace


def trace_file(experiment: Experiment, resolve_trace: ResolveTrace | None = None) -> Path:
    """Return the path of the trace's file after checking that it is readable. Raises ExperimentError."""
    workload = experiment.workload
    if not isinstance(workload, TraceWorkload):
        raise TypeError("only a trace workload has a trace")
    if workload.path is not None:
        path = Path(workload.path)
        path = path if path.is_absolute() or experiment.base_dir is None else experiment.base_dir / path
        return _readable(path, "workload.path", f"the file {shown(workload.path, 200)}")
    assert workload.trace is not None
    if resolve_trace is None:
        raise ExperimentError(
            [
                Problem(
                    "workload.trace",
                    "names a trace by id, which only a server can look up",
                    "a `path` on the command line and in Python",
                )
            ]
        )
    try:
        path = Path(resolve_trace(workload.trace))
    except (LookupError, FileNotFoundError):
        raise ExperimentError(
            [
                Problem(
                    "workload.trace",
                    f"no trace has the id {shown(workload.trace)}",
                    "the id of a trace that is bundled or was uploaded",
                )
            ]
        ) from None
    return _readable(path, "workload.trace", f"the file of trace {shown(workload.trace)}")


def _readable(path: Path, where: str, what: str) -> Path:
    try:
        fault = "" if path.is_file() else "is not a plain file" if path.exists() else "does not exist"
        fault = fault or ("" if os.access(path, os.R_OK) else "may not be read")
    except (OSError, ValueError) as error:
        fault = f"cannot be opened ({getattr(error, 'strerror', None) or error})"
    if fault:
        raise ExperimentError(
            [
                Problem(
                    where,
                    f"{what} {fault}",
                    "a file that can be read",
                    "a relative path starts at the experiment's file",
                )
            ]
        )
    return path
