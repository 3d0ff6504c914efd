"""Host ports: numbers for those that pods ask for, and which of them conflict."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from scheduler_core.engine.records import Records
from scheduler_core.kube.spec import Cluster, Fields

_ANY = "0.0.0.0"  # noqa: S104 - the wildcard of host addresses, nothing listens here

Port = tuple[str, int, str]
"""Protocol, number, address."""


class Ports:
    """Reading the pods fills their columns of CLASS: the ports of a pod, and those that would conflict with them."""

    def __init__(self, cluster: Cluster, rows: Records) -> None:
        self._numbers: dict[Port, int] = {}
        for pod in cluster.pods:
            for port in ports_of(pod):
                self._numbers.setdefault(port, len(self._numbers))
        self._flat: list[int] = []
        for row, pod in zip(rows, cluster.pods, strict=False):
            mine = list(ports_of(pod))
            row.first_port = len(self._flat)
            self._flat += [self._numbers[port] for port in mine]
            row.end_port = row.first_clash = len(self._flat)
            self._flat += sorted({n for port in mine for other, n in self._numbers.items() if _conflict(port, other)})
            row.end_clash = len(self._flat)

    def arrays(self, nodes: int) -> dict[str, Any]:
        """Return the model's arrays by their names."""
        return {
            "port": np.array(self._flat or [0], np.int32),
            "taken": np.zeros((max(len(self._numbers), 1), nodes), np.int32),
        }


def ports_of(pod: Fields) -> Iterator[Port]:
    """Yield the host ports of a pod: `ports` of the pod, or of its containers."""
    given = list(pod.get("ports") or ())
    for container in pod.get("containers") or ():
        given += container.get("ports") or ()
    for each in given:
        if each.get("hostPort"):
            yield each.get("protocol") or "TCP", int(each["hostPort"]), each.get("hostIP") or _ANY


def _conflict(one: Port, other: Port) -> bool:
    return one[:2] == other[:2] and (one[2] == other[2] or _ANY in (one[2], other[2]))
