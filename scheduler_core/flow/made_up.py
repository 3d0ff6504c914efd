"""Generate synthetic scheduling graphs from a seed, to measure solvers."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from scheduler_core.flow.network import FlowNetwork

Ints32 = npt.NDArray[np.int32]


@dataclass
class ClusterGraph:
    """A scheduling graph as Quincy draws it: tasks, jobs' unscheduled nodes, a cluster, racks, machines, a sink."""

    network: FlowNetwork
    random: np.random.Generator
    cluster: int
    racks: Ints32
    machines: Ints32
    unscheduled: Ints32
    sink: int
    tasks: list[int] = field(default_factory=list)

    def add_tasks(self, count: int) -> None:
        """Add tasks with arcs to their job (300 to 600), the cluster (100 to 200), two racks and six machines."""
        random = self.random
        tasks = self.network.add_nodes(np.ones(count))
        ends = [(random.choice(self.unscheduled, count), 300, 600), (np.full(count, self.cluster), 100, 200)]
        ends += [(random.choice(self.racks, count), 60, 120) for _ in range(2)]
        ends += [(random.choice(self.machines, count), 0, 80) for _ in range(6)]
        nothing, one = np.zeros(count), np.ones(count)
        rows = [np.c_[tasks, head, nothing, one, random.integers(low, high + 1, count)] for head, low, high in ends]
        self.network.add_arcs(np.stack(rows, 1).reshape(-1, 5))
        self.tasks += tasks.tolist()


def cluster_graph(machines: int, tasks: int, seed: int, slots: int = 4) -> ClusterGraph:
    """Return machines of `slots` slots in racks of 40, jobs of 100 tasks; costs uniform, from the seed."""
    network = FlowNetwork(2 * machines + 2 * tasks, 14 * tasks + 4 * machines)
    racks, jobs = machines // 40, -(-tasks // 100)
    sink, cluster = network.add_nodes([-tasks, 0])
    machine, rack, job = (network.add_nodes(np.zeros(count)) for count in (machines, racks, jobs))
    to_sink = np.full(machines, sink)
    for rows in (
        _arcs(machine, to_sink, slots),
        _arcs(rack[np.arange(machines) // 40], machine, slots),
        _arcs(np.full(racks, cluster), rack, 40 * slots),
        _arcs(job, np.full(jobs, sink), 1 << 30),
    ):
        network.add_arcs(rows)
    graph = ClusterGraph(network, np.random.default_rng(seed), int(cluster), rack, machine, job, int(sink))
    graph.add_tasks(tasks)
    return graph


def replace_tasks(graph: ClusterGraph, count: int) -> None:
    """Remove some tasks and add as many new ones."""
    ended = []
    for _ in range(count):
        chosen = int(graph.random.integers(len(graph.tasks)))
        graph.tasks[chosen], graph.tasks[-1] = graph.tasks[-1], graph.tasks[chosen]
        ended.append(graph.tasks.pop())
    graph.network.remove_nodes(ended)
    graph.add_tasks(count)


def _arcs(tail: Ints32, head: Ints32, cap: int) -> npt.NDArray[np.float64]:
    nothing = np.zeros(len(tail))
    return np.column_stack((tail, head, nothing, np.full(len(tail), cap), nothing))
