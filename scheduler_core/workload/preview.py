"""What an experiment's workload is like, at once: distributions, load over time, long jobs, warnings."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scheduler_core.cluster import Cluster, build_cluster
from scheduler_core.experiment import Experiment, ResolveTrace
from scheduler_core.experiment.workloads import SyntheticWorkload
from scheduler_core.limits import DEFAULT_LIMITS, Limits
from scheduler_core.workload.build import Workload, build_workload
from scheduler_core.workload.rows import parameters
from scheduler_core.workload.sampling import mean_of
from scheduler_core.workload.seconds import NS
from scheduler_core.workload.statistics import Floats, statistics

JOBS = 5_000
TASKS = 200_000
CUTOFF_S = 100.0
_BINS = 60
_SLOTS = 120
_MOST = 25_000
"""Values behind a curve."""


def workload_preview(
    experiment: Experiment,
    *,
    cutoff_s: float | None = None,
    tasks: int = TASKS,
    resolve_trace: ResolveTrace | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> dict[str, Any]:
    """Densities and distribution functions, load over time against capacity, long jobs and warnings.

    A synthetic workload is drawn as for a run, but no further than a sample (`sample` says how far). Jobs count as long
    from `cutoff_s`, or else the scheduler's `short_cutoff_s`, or else 100 s. Raises ExperimentError.
    """
    cluster = build_cluster(experiment, limits=limits)
    sample, whole = _sample(experiment, tasks)
    work = build_workload(sample, cluster, resolve_trace=resolve_trace, limits=limits)
    cutoff = cutoff_s or float(experiment.scheduler.params.get("short_cutoff_s") or CUTOFF_S)
    jobs = work.jobs
    found = statistics(jobs["arrival_ns"], jobs["tasks"], jobs["mean_ns"], work.tasks["duration_ns"], cutoff)
    load = _load(work, cluster)
    return {
        "sample": {"whole": whole, "jobs": len(jobs), "tasks": len(work.tasks)},
        "cutoff_s": cutoff,
        "statistics": found,
        "distributions": {
            "tasks_per_job": _curve(jobs["tasks"].astype(np.float64)),
            "duration_s": _curve(work.tasks["duration_ns"] / NS),
            "gap_s": _curve(np.diff(jobs["arrival_ns"]) / NS),
        },
        "load": load,
        "warnings": _warnings(load, work, cluster),
        "notes": list(work.notes),
    }


def _sample(experiment: Experiment, tasks: int) -> tuple[Experiment, bool]:
    """The experiment with no more work than a preview needs, and whether that is all of it."""
    workload = experiment.workload
    if not isinstance(workload, SyntheticWorkload):
        return experiment, True
    weight = math.fsum(one.weight for one in workload.classes or ()) or 1.0
    sizes = [(one.weight, one.tasks_per_job or workload.tasks_per_job) for one in workload.classes or ()]
    per_job = math.fsum(w / weight * float(mean_of(parameters(size), True))
                        for w, size in sizes or [(1.0, workload.tasks_per_job)])
    most = max(min(JOBS, int(tasks / per_job)), 1)
    if workload.jobs is not None and workload.jobs <= (2 * most if workload.sampling == "even" else most):
        return experiment, True
    if workload.tasks is not None and workload.tasks <= tasks and workload.tasks / per_job <= most:
        return experiment, True
    # Also an end by time: how many jobs that is, is only known when they are drawn.
    cut = workload.model_copy(update={"jobs": most, "tasks": None, "arrive_for_s": None})
    return experiment.model_copy(update={"workload": cut, "events": ()}), False


def _curve(values: Floats) -> dict[str, list[float]]:
    """Density and distribution function on `edges` that are even in the logarithm; density is per unit of log10."""
    values = values[:: max(len(values) // _MOST, 1)]
    positive = values[values > 0]
    if not len(positive):
        return {"edges": [], "density": [], "cdf": []}
    low, high = math.log10(float(positive.min())), math.log10(float(positive.max()))
    if high - low < 1e-9:
        low, high = low - 0.5, high + 0.5
    edges = 10 ** np.linspace(low, high, _BINS + 1)
    edges[-1] = max(edges[-1], float(positive.max()))
    counts, _ = np.histogram(values, edges)
    below = float((values < edges[0]).sum())
    total, width = len(values), (high - low) / _BINS
    return {
        "edges": edges.tolist(),
        "density": (counts / (total * width)).tolist(),
        "cdf": [below / total, *((below + np.cumsum(counts)) / total).tolist()],
    }


def _load(work: Workload, cluster: Cluster) -> dict[str, Any]:
    """Work that arrives in each slot of time, as a part of what each resource could do in it."""
    jobs = work.jobs
    first, last = int(jobs["arrival_ns"][0]), int(jobs["arrival_ns"][-1])
    # The last job stands for the gap after it as well.
    span_ns = max((last - first) * len(jobs) / max(len(jobs) - 1, 1), 1.0)
    slot = np.minimum(((jobs["arrival_ns"] - first) / span_ns * _SLOTS).astype(np.int64), _SLOTS - 1)
    seconds = work.tasks["duration_ns"] / NS
    of_task = slot[work.tasks["job"]]
    length_s = span_ns / NS / _SLOTS
    resources = []
    for column, name in enumerate(cluster.names):
        capacity = float(cluster.capacity[:, column].sum())
        amount = work.demands[:, column][work.tasks["demand"]]
        if not amount.any():
            continue
        done = np.bincount(of_task, weights=amount * seconds, minlength=_SLOTS)
        whole = float(done.sum()) / (capacity * length_s * _SLOTS) if capacity else None
        over = (done / (capacity * length_s)).tolist() if capacity and last > first else []
        resources.append({"name": name, "capacity": capacity / 1000, "mean": whole if last > first else None,
                          "over_time": over})
    return {"from_s": first / NS, "slot_s": length_s, "resources": resources}


def _warnings(load: dict[str, Any], work: Workload, cluster: Cluster) -> list[dict[str, str]]:
    """Sentences on what will not work, each with the path that it is about."""
    found = []
    for one in load["resources"]:
        mean = one["mean"]
        if mean is not None and mean > 1.0:
            found.append({"path": "workload.arrivals", "message":
                          f"Work for {mean:.0%} of the {one['name']} arrives: the machines cannot keep up, and tasks "
                          "wait ever longer until arrivals end."})
        elif mean is not None and mean > 0.95:
            found.append({"path": "workload.arrivals", "message":
                          f"Work for {mean:.0%} of the {one['name']} arrives: any variation makes long queues."})
    kinds = np.bincount(work.tasks["demand"], minlength=len(work.demands)) / max(len(work.tasks), 1)
    nowhere = math.fsum(share for demand, share in zip(work.demands, kinds.tolist(), strict=True)
                        if share and not _fits(demand, cluster))
    if nowhere > 0:
        found.append({"path": "workload.demand", "message":
                      f"No machine is large enough for {nowhere:.1%} of the tasks: they will never run."})
    return found


def _fits(demand: NDArray[np.int64], cluster: Cluster) -> bool:
    return bool((cluster.capacity >= demand).all(axis=1).any())
