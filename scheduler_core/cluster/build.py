"""Lay out the machines of an experiment in arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.experiment import Experiment, cluster_names, resource_names
from scheduler_core.experiment.derived import cluster_count, machine_count, machines_of
from scheduler_core.experiment.sections import MachineGroup
from scheduler_core.experiment.workloads import Demand
from scheduler_core.limits import DEFAULT_LIMITS, Limits

THOUSANDTHS = 1000


@dataclass(frozen=True)
class Cluster:
    """The machines of a datacenter as arrays, sorted by cluster and, within a cluster, by rack.

    `capacity` is int64 (machines, resources) in thousandths of a unit. `cluster_of` and `rack_of` are int32
    (machines,); rack numbers are unique in the datacenter. Cluster i holds the machines cluster_first[i] ..
    cluster_first[i + 1] - 1.
    """

    names: tuple[str, ...]
    capacity: NDArray[np.int64]
    cluster_of: NDArray[np.int32]
    rack_of: NDArray[np.int32]
    cluster_names: tuple[str, ...]
    cluster_first: NDArray[np.int64]
    global_masters: int

    @property
    def machines(self) -> int:
        """Count the machines."""
        return len(self.capacity)


def thousandths(amount: float) -> int:
    """Round an amount to thousandths; what is more than nothing stays so."""
    return max(round(amount * THOUSANDTHS), 1 if amount > 0 else 0)


def amounts(thing: MachineGroup | Demand, names: tuple[str, ...]) -> list[int]:
    """Return the amount of each resource that a machine has or a task needs, in thousandths."""
    given = {"cpus": thing.cpus, "memory_gb": thing.memory_gb, "gpus": thing.gpus, **thing.resources}
    return [thousandths(given.get(name, 0.0)) for name in names]


def build_cluster(experiment: Experiment, *, limits: Limits = DEFAULT_LIMITS) -> Cluster:
    """Return the experiment's machines as arrays. Raises ExperimentError if their number exceeds a limit."""
    topology = experiment.topology
    sizes = (("machines", machine_count(topology)), ("clusters", cluster_count(topology)))
    if problems := [p for name, asked in sizes if (p := limits.exceeded(name, asked, "topology.clusters"))]:
        raise ExperimentError(problems)
    names = resource_names(topology, experiment.workload)
    if topology.pooled:
        return _pool(experiment, names)
    capacity, racks, counts = [], [], []
    first_rack = 0
    for group in topology.clusters:
        per_machine = np.array([amounts(kind, names) for kind in group.machines], dtype=np.int64)
        block = np.repeat(per_machine, [kind.count for kind in group.machines], axis=0)
        places = np.arange(len(block), dtype=np.int64) * group.racks // len(block)
        for _ in range(group.repeat or 1):
            capacity.append(block)
            racks.append(places + first_rack)
            counts.append(machines_of(group))
            first_rack += group.racks
    return Cluster(
        names=names,
        capacity=np.ascontiguousarray(np.concatenate(capacity)),
        cluster_of=np.repeat(np.arange(len(counts), dtype=np.int32), counts),
        rack_of=np.concatenate(racks).astype(np.int32),
        cluster_names=tuple(cluster_names(topology)),
        cluster_first=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        global_masters=topology.global_masters,
    )


def _pool(experiment: Experiment, names: tuple[str, ...]) -> Cluster:
    """Make one machine of all the capacity."""
    total = [0] * len(names)
    for group in experiment.topology.clusters:
        for kind in group.machines:
            times = kind.count * (group.repeat or 1)
            total = [have + times * more for have, more in zip(total, amounts(kind, names), strict=True)]
    if max(total) > 2**62:
        raise ExperimentError(
            [Problem("topology.pooled", "has more capacity than can be counted in thousandths", "less")]
        )
    return Cluster(
        names,
        np.array([total], dtype=np.int64),
        np.zeros(1, np.int32),
        np.zeros(1, np.int32),
        ("pool",),
        np.array([0, 1], dtype=np.int64),
        experiment.topology.global_masters,
    )
