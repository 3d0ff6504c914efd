"""Calls every kernel of this package once, so that the compiled code lies in the cache."""

from __future__ import annotations

import tempfile
from pathlib import Path

from scheduler_core.cluster.build import build_cluster
from scheduler_core.experiment import Experiment
from scheduler_core.workload.build import build_workload


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
        ):
            experiment = Experiment.parse(
                {
                    "schema_version": 1,
                    "topology": {"clusters": [{"machines": [{"count": 1}]}]},
                    "workload": workload | {"queue_assignment": rule},
                    "scheduler": {"name": "sparrow"},
                }
            )
            build_workload(experiment, build_cluster(experiment))
