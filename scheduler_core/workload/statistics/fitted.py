"""Fit a synthetic workload to a trace and draw it, for a comparison of both."""

from __future__ import annotations

from typing import Any

from scheduler_core.cluster import build_cluster
from scheduler_core.experiment import Experiment
from scheduler_core.limits import DEFAULT_LIMITS, Limits
from scheduler_core.workload.raw import RawWork, in_arrival_order
from scheduler_core.workload.statistics.fit import fit_workload
from scheduler_core.workload.statistics.traces import CUTOFF_S, trace_statistics

_MACHINES = {"clusters": [{"name": "any", "machines": [{"count": 1}]}]}


def fit_trace(
    raw: RawWork, cutoff_s: float = CUTOFF_S, *, seed: int = 1, limits: Limits = DEFAULT_LIMITS
) -> dict[str, Any]:
    """Return `workload`, a synthetic one as JSON that resembles a trace, and `statistics` of one draw of it.

    The statistics are those of trace_statistics. `notes` are sentences on the parts of the trace that the workload
    leaves out. Raises ExperimentError if the draw exceeds a limit.
    """
    from scheduler_core.workload.synthetic.declared import draw

    raw = in_arrival_order(raw)
    workload = fit_workload(raw.arrival_ns, raw.tasks, raw.mean_ns, raw.duration_ns, cutoff_s)
    experiment = Experiment.parse(
        {
            "schema_version": 1,
            "seed": seed,
            "topology": _MACHINES,
            "workload": workload,
            "scheduler": {"name": "sparrow"},
        }
    )
    drawn = draw(experiment.workload, seed, build_cluster(experiment, limits=limits), limits)  # type: ignore[arg-type]
    return {"workload": workload, "statistics": trace_statistics(drawn, cutoff_s), "notes": _notes(raw)}


def _notes(raw: RawWork) -> list[str]:
    """Return sentences about the parts of the trace outside the fit."""
    if raw.stages is None:
        return []
    edges = len(raw.stages.parents)
    return [
        f"Graphs are not fitted: the trace's {edges:,} edges are left out, and all tasks of a drawn job may start "
        "when it arrives."
    ]
