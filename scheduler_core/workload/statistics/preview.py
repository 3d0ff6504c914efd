"""Preview an experiment's workload without a run: distributions, load over time, long jobs, warnings."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scheduler_core.cluster import Cluster, build_cluster
from scheduler_core.experiment import Experiment, ResolveTrace
from scheduler_core.experiment.workloads import SyntheticWorkload
from scheduler_core.limits import DEFAULT_LIMITS, Limits
from scheduler_core.workload.build import build_workload
from scheduler_core.workload.raw.seconds import NS
from scheduler_core.workload.statistics.numbers import Floats, statistics
from scheduler_core.workload.statistics.sketch import Sketch, drawn_sketch, sketch_of
from scheduler_core.workload.synthetic.declared import tasks_per_job

JOBS = 5_000
TASKS = 200_000
CUTOFF_S = 100.0
_BINS = 60
_SLOTS = 120


def workload_preview(
    experiment: Experiment,
    *,
    cutoff_s: float | None = None,
    tasks: int = TASKS,
    resolve_trace: ResolveTrace | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> dict[str, Any]:
    """Return densities and distribution functions, load over time against capacity, long jobs and warnings.

    It draws a synthetic workload as for a run, but only up to a sample of about `tasks` tasks; `sample` in the result
    gives its extent. A job is long if its mean task duration is at least `cutoff_s` (None: the scheduler's
    `short_cutoff_s`, or 100 s). Raises ExperimentError.
    """
    cluster = build_cluster(experiment, limits=limits)
    sample, whole = _sample(experiment, tasks)
    work = _sketched(sample, cluster, resolve_trace, limits)
    cutoff = cutoff_s or float(experiment.scheduler.params.get("short_cutoff_s") or CUTOFF_S)
    load = _load(work, cluster)
    return {
        "sample": {"whole": whole, "jobs": len(work.tasks), "tasks": int(work.tasks.sum())},
        "cutoff_s": cutoff,
        "statistics": statistics(work.arrival_ns, work.tasks, work.mean_ns, work.duration_ns, cutoff, work.weight),
        "distributions": {
            "tasks_per_job": _curve(work.tasks.astype(np.float64)),
            "duration_s": _curve(work.duration_ns / NS, work.weight),
            "gap_s": _curve(np.diff(work.arrival_ns) / NS),
        },
        "load": load,
        "warnings": _warnings(load, work, cluster),
        "notes": list(work.notes),
    }


def _sketched(experiment: Experiment, cluster: Cluster, resolve_trace: ResolveTrace | None, limits: Limits) -> Sketch:
    workload = experiment.workload
    if isinstance(workload, SyntheticWorkload) and not any(event.kind == "burst" for event in experiment.events):
        return drawn_sketch(workload, experiment.seed, cluster, limits)
    return sketch_of(build_workload(experiment, cluster, resolve_trace=resolve_trace, limits=limits))


def _sample(experiment: Experiment, tasks: int) -> tuple[Experiment, bool]:
    """Return the experiment with no more work than a preview needs, and whether that is all of it."""
    workload = experiment.workload
    if not isinstance(workload, SyntheticWorkload):
        return experiment, True
    per_job = tasks_per_job(workload)
    most = max(min(JOBS, int(tasks / per_job)), 1)
    if workload.jobs is not None and workload.jobs <= (2 * most if workload.sampling == "even" else most):
        return experiment, True
    if workload.tasks is not None and workload.tasks <= tasks and workload.tasks / per_job <= most:
        return experiment, True
    # Also an end by time: only the draw tells how many jobs that is.
    cut = workload.model_copy(update={"jobs": most, "tasks": None, "arrive_for_s": None})
    return experiment.model_copy(update={"workload": cut, "events": ()}), False


def _curve(values: Floats, weight: Floats | None = None) -> dict[str, list[float]]:
    """Return density per unit of log10 and distribution function on `edges` even in the logarithm."""
    weight = np.ones(len(values)) if weight is None else weight
    over = values > 0
    if not over.any():
        return {"edges": [], "density": [], "cdf": []}
    logs = np.log10(values[over])
    low, high = float(logs.min()), float(logs.max())
    if high - low < 1e-9:
        low, high = low - 0.5, high + 0.5
    width = (high - low) / _BINS
    place = np.minimum(((logs - low) / width).astype(np.int64), _BINS - 1)
    counts = np.bincount(place, weight[over], _BINS)
    total, below = float(weight.sum()), float(weight[~over].sum())
    return {
        "edges": (10 ** np.linspace(low, high, _BINS + 1)).tolist(),
        "density": (counts / (total * width)).tolist(),
        "cdf": [below / total, *((below + np.cumsum(counts)) / total).tolist()],
    }


def _load(work: Sketch, cluster: Cluster) -> dict[str, Any]:
    """Return the work that arrives in each time slot, as a fraction of each resource's capacity."""
    first, last, jobs = int(work.arrival_ns[0]), int(work.arrival_ns[-1]), len(work.tasks)
    # The last job stands for the gap after it as well.
    span_ns = max((last - first) * jobs / max(jobs - 1, 1), 1.0)
    slot = np.minimum(((work.arrival_ns - first) / span_ns * _SLOTS).astype(np.int64), _SLOTS - 1)
    seconds = work.mean_ns / NS * work.tasks
    length_s = span_ns / NS / _SLOTS
    resources = []
    for column, name in enumerate(cluster.names):
        capacity = float(cluster.capacity[:, column].sum())
        amount = work.demands[:, column][work.kind]
        if not amount.any():
            continue
        done = np.bincount(slot, weights=amount * seconds, minlength=_SLOTS)
        whole = float(done.sum()) / (capacity * length_s * _SLOTS) if capacity else None
        over = (done / (capacity * length_s)).tolist() if capacity and last > first else []
        resources.append(
            {"name": name, "capacity": capacity / 1000, "mean": whole if last > first else None, "over_time": over}
        )
    return {"from_s": first / NS, "slot_s": length_s, "resources": resources}


def _warnings(load: dict[str, Any], work: Sketch, cluster: Cluster) -> list[dict[str, str]]:
    """Return sentences about what will not work, each with the path that it concerns."""
    found = []
    for one in load["resources"]:
        mean = one["mean"]
        if mean is not None and mean > 1.0:
            found.append(
                {
                    "path": "workload.arrivals",
                    "message": f"Work for {mean:.0%} of the {one['name']} arrives: the machines cannot keep up, and "
                    "tasks wait ever longer until arrivals end.",
                }
            )
        elif mean is not None and mean > 0.95:
            found.append(
                {
                    "path": "workload.arrivals",
                    "message": f"Work for {mean:.0%} of the {one['name']} arrives: any variation makes long queues.",
                }
            )
    kinds = np.bincount(work.kind, work.tasks, len(work.demands)) / max(int(work.tasks.sum()), 1)
    shapes = _shapes(cluster)
    nowhere = math.fsum(
        share
        for demand, share in zip(work.demands, kinds.tolist(), strict=True)
        if share and not bool((shapes >= demand).all(axis=1).any())
    )
    if nowhere > 0:
        found.append(
            {
                "path": "workload.demand",
                "message": f"No machine is large enough for {nowhere:.1%} of the tasks: they will never run.",
            }
        )
    return found


def _shapes(cluster: Cluster) -> NDArray[np.int64]:
    """Return the machines that tasks may need: the largest one if it dominates, else each kind."""
    most: NDArray[np.int64] = cluster.capacity.max(axis=0, keepdims=True)
    return most if (cluster.capacity == most).all(axis=1).any() else np.unique(cluster.capacity, axis=0)
