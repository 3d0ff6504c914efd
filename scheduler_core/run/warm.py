"""Call every kernel of this package once, so that the cache holds the compiled code."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from scheduler_core.cluster.build import build_cluster
from scheduler_core.constraints.preview import constraint_preview
from scheduler_core.engine.compiled import compiling
from scheduler_core.experiment import Experiment
from scheduler_core.run.driver import Simulation
from scheduler_core.run.preview import run_preview
from scheduler_core.run.queue_model import starts_in_order
from scheduler_core.workload.build import build_workload
from scheduler_core.workload.statistics.preview import workload_preview

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


_PLAIN: dict[str, Any] = {
    "kind": "synthetic",
    "jobs": 1,
    "arrivals": {"kind": "poisson", "offered_load": 0.5},
    "duration_s": {"kind": "lognormal", "median": 1, "sigma": 1},
}
_PARETO = {"kind": "bounded_pareto", "alpha": 1, "min": 1, "max": 2}
_DRAWN: tuple[tuple[dict[str, Any], str], ...] = (
    (_PLAIN, "by_share"),
    (_PLAIN | {"drawn_demand": {"amounts": {"cpus": _PARETO}, "levels": 2}}, "hash"),
    *((work, "round_robin") for work in _CLASSES),
)


def compile_experiment(path: Path) -> None:
    """Compile the kernels that a preview and a run of an experiment need. Raises OSError and ExperimentError."""
    experiment = Experiment.from_file(path)
    with compiling():
        run_preview(experiment)
        for _ in Simulation(experiment, frames=2).run():
            pass


def compile_workloads() -> None:
    """Compile the workload kernels: build the smallest workload of each kind, first those that the studio draws."""
    compile_drawing()
    with compiling(), tempfile.TemporaryDirectory() as folder:
        trace = Path(folder) / "one.tr"
        trace.write_text("0 1 1 1\n")
        experiment = _experiment({"kind": "trace", "path": str(trace)}, "hash")
        build_workload(experiment, build_cluster(experiment))


def compile_drawing() -> None:
    """Compile the kernels of synthetic workloads and their previews, without the trace readers.

    Also compile the queue model that every preview uses as its comparison.
    """
    with compiling():
        for workload, rule in _DRAWN:
            experiment = _experiment(workload, rule)
            build_workload(experiment, build_cluster(experiment))
            workload_preview(experiment)
        for asked in _CONSTRAINTS:
            constraint_preview(Experiment.parse(asked | {"workload": _CLASSES[0], "scheduler": {"name": "sparrow"}}))
        starts_in_order(np.zeros(1), np.zeros(1), np.zeros(1))


def _experiment(workload: dict[str, Any], rule: str) -> Experiment:
    return Experiment.parse(
        {
            "schema_version": 1,
            "topology": {"clusters": [{"machines": [{"count": 1}]}]},
            "workload": {**workload, "queue_assignment": rule},
            "scheduler": {"name": "sparrow"},
        }
    )
