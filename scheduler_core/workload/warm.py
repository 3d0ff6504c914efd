"""Calls every kernel of this package once, so that the compiled code lies in the cache."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, cast

from scheduler_core.cluster.build import build_cluster
from scheduler_core.constraints.preview import constraint_preview
from scheduler_core.experiment import Experiment
from scheduler_core.workload.build import build_workload

_CLASSES: tuple[dict[str, Any], ...] = tuple(
    {
        "kind": "synthetic",
        "jobs": 2,
        "sampling": "even",
        "duration_varies": "job",
        "arrivals": {"offered_load": 0.5} | arrivals,
        "duration_s": {"kind": "constant", "value": 1},
        "classes": [{"name": "all", "weight": 1}],
    }
    for arrivals in (
        {"kind": "renewal", "cv": 2},
        {"kind": "diurnal"},
        {"kind": "markov_modulated", "calm_s": 100, "busy_s": 100, "busy_factor": 2},
    )
)


def _constrained(mix: str, constraints: dict[str, Any]) -> dict[str, Any]:
    cluster = {"machines": [{"count": 2}], "constraint_mix": mix}
    return {"schema_version": 1, "topology": {"clusters": [cluster]}, "constraints": constraints}


_CONSTRAINTS = (
    _constrained("google-a", {"catalogue": "megha-21"}),
    _constrained("google-a", {"catalogue": "megha-21", "correlation": 0.5, "asks": {"per_task": [1]}}),
    _constrained("phoenix", {"catalogue": "phoenix-9"}),
    _constrained("phoenix", {"catalogue": "phoenix-9", "asks": {"probabilities": {"num_cores": 0.5}}}),
)


def compile_workloads() -> None:
    """Build the smallest workload of each kind that has a kernel."""
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder) / "one.tr"
        trace.write_text("0 1 1 1\n")
        durations = {"kind": "lognormal", "median": 1, "sigma": 1}
        for workload, rule in (
            ({"kind": "trace", "path": str(trace)}, "hash"),
            (
                {
                    "kind": "synthetic",
                    "jobs": 1,
                    "arrivals": {"kind": "poisson", "offered_load": 0.5},
                    "duration_s": durations,
                },
                "by_share",
            ),
            *((work, "round_robin") for work in _CLASSES),
        ):
            experiment = Experiment.parse(
                {
                    "schema_version": 1,
                    "topology": {"clusters": [{"machines": [{"count": 1}]}]},
                    "workload": {**cast(dict[str, Any], workload), "queue_assignment": rule},
                    "scheduler": {"name": "sparrow"},
                }
            )
            build_workload(experiment, build_cluster(experiment))
    for asked in _CONSTRAINTS:
        constraint_preview(Experiment.parse(asked | {"workload": _CLASSES[0], "scheduler": {"name": "sparrow"}}))
