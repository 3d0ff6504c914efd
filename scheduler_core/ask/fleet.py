"""The machines of an experiment as a number: which groups are counted, and the topology with another number of them."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from scheduler_core.errors import ExperimentError, Problem, did_you_mean, listed
from scheduler_core.experiment.derived import cluster_names
from scheduler_core.experiment.sections import Topology

Key = tuple[int, int]
"""A cluster's number, and the number of a group of machines in it."""


@dataclass(frozen=True)
class Fleet:
    """The clusters of a topology one by one as JSON, and the sizes of the groups of machines that are counted."""

    topology: dict[str, Any]
    clusters: tuple[dict[str, Any], ...]
    counted: dict[Key, int]

    @property
    def count(self) -> int:
        """Return how many machines the counted groups have."""
        return sum(self.counted.values())

    @property
    def least(self) -> int:
        """Return the fewest machines of the counted groups with which every cluster keeps at least one machine."""
        return len(list(self._firsts()))

    def counts(self, machines: int) -> dict[Key, int]:
        """Return the sizes of the counted groups for a total number of machines.

        The groups keep their proportions by the method of highest averages (D'Hondt), so one machine more is one
        machine more in one group.
        """
        sizes = dict.fromkeys(self.counted, 0)
        for key in self._firsts():
            sizes[key] = 1
        left = machines - sum(sizes.values())
        order = [(-share / (sizes[key] + 1), key) for key, share in self.counted.items()]
        heapq.heapify(order)
        for _ in range(left):
            _, key = order[0]
            sizes[key] += 1
            heapq.heapreplace(order, (-self.counted[key] / (sizes[key] + 1), key))
        return sizes

    def _firsts(self) -> Iterator[Key]:
        """Yield the largest group of each cluster whose groups are all counted: it keeps a machine."""
        for number, cluster in enumerate(self.clusters):
            own = [key for key in self.counted if key[0] == number]
            if own and len(own) == len(cluster["machines"]):
                yield max(own, key=lambda key: self.counted[key])

    def with_machines(self, machines: int) -> dict[str, Any]:
        """Return the topology's JSON with a total number of machines in the counted groups."""
        if machines == self.count:
            return self.topology
        sizes = self.counts(machines)
        clusters = []
        for number, cluster in enumerate(self.clusters):
            groups = [
                group | {"count": sizes.get((number, at), group["count"])}
                for at, group in enumerate(cluster["machines"])
            ]
            left = [group for group in groups if group["count"]]
            racks = min(cluster["racks"], sum(group["count"] for group in left))
            clusters.append(cluster | {"racks": racks, "machines": left})
        return self.topology | {"clusters": clusters}


def fleet_of(topology: Topology, cluster: str | None = None, kind: int | None = None) -> Fleet:
    """Return the machines of a topology with those of one cluster, or one kind of them, counted.

    `cluster` is a cluster's name, or that of several alike; None counts all clusters. `kind` is the place of a group of
    machines in its cluster, from 1. Raises ExperimentError for one that does not exist, and for a pool.
    """
    data = topology.model_dump(mode="json")
    if topology.pooled:
        raise ExperimentError([Problem("topology.pooled", "makes one pool of all machines", "false")])
    clusters, groups = [], []
    for group in data["clusters"]:
        repeat = group["repeat"]
        for number in range(repeat or 1):
            name = group["name"] if repeat is None else f"{group['name']}-{number}"
            clusters.append(group | {"name": name, "repeat": None})
            groups.append(group["name"])
    wanted = [
        number
        for number, (one, group) in enumerate(zip(clusters, groups, strict=True))
        if cluster in (None, one["name"], group)
    ]
    if not wanted:
        names = list(dict.fromkeys([*groups, *cluster_names(topology)]))
        near = did_you_mean(str(cluster), names)
        raise ExperimentError([Problem("cluster", f"is '{cluster}', which no cluster is called{near}", listed(names))])
    counted = {
        (number, at): int(group["count"])
        for number in wanted
        for at, group in enumerate(clusters[number]["machines"])
        if kind is None or at == kind - 1
    }
    if not counted:
        most = max(len(clusters[number]["machines"]) for number in wanted)
        raise ExperimentError([Problem("type", f"is {kind}", f"a whole number from 1 to {most}")])
    return Fleet(data, tuple(clusters), counted)
