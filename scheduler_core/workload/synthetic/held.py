"""Hold the work when machines change: state an offered load as the jobs per second that it means on these machines."""

from __future__ import annotations

from typing import Any

from scheduler_core.cluster.build import Cluster
from scheduler_core.experiment import Experiment
from scheduler_core.experiment.arrivals import AtOnce
from scheduler_core.experiment.workloads import DagWorkload, SyntheticWorkload
from scheduler_core.workload.raw.seconds import NS


def held_arrivals(experiment: Experiment, cluster: Cluster) -> dict[str, Any] | None:
    """Return the changes to `workload.arrivals` that keep the jobs on other machines; None if no change is due."""
    workload = experiment.workload
    if not isinstance(workload, SyntheticWorkload | DagWorkload) or isinstance(workload.arrivals, AtOnce):
        return None
    if workload.arrivals.offered_load is None:
        return None
    from scheduler_core.workload.synthetic import dags, declared  # load the compiler

    if isinstance(workload, DagWorkload):
        gap_ns = dags.gap_on(workload, cluster)
    else:
        gap_ns = declared.gap_on(workload, experiment.seed, cluster)
    return {"offered_load": None, "rate_per_s": NS / gap_ns}
