"""What a reader finds, whatever its source: machines, tasks, what tasks ask for, and what was not understood."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from scheduler_core.inventory.counts import Unknown

OPEN = -1
"""A duration that the source does not know: the task was still there when it was seen last."""
PENDING = ""


@dataclass(slots=True)
class Machine:
    """One machine. `capacity` is in thousandths by resource; `exact` in the source's own whole units.

    `cluster` names the zone or the like that it is in. `unschedulable`: it takes no new tasks.
    """

    name: str
    capacity: dict[str, int]
    exact: dict[str, int] = field(default_factory=dict)
    cluster: str = "cluster"
    labels: dict[str, str] = field(default_factory=dict)
    taints: list[dict[str, str]] = field(default_factory=list)
    unschedulable: bool = False


@dataclass(slots=True)
class Spec:
    """What tasks ask for. `demand` is in thousandths by resource; `fields` has everything else, in JSON types."""

    demand: dict[str, int]
    fields: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Task:
    """One pod, or one node's part of a Slurm job.

    `job` groups tasks. Times are ns from time 0 of the result; `started_ns` is negative for what ran before, None for
    what has not started. `machine` is the name of its machine at time 0, and `ran_on` of the one on which it ever ran,
    where the source knows it. `duration_ns` is OPEN for an unknown end.
    `kind` says what owns it (`Job`, `ReplicaSet`, ...), `controller` which one, and `endless` that it has no end of its
    own. `waiting`: the source saw it wait for a machine.
    """

    name: str
    job: tuple[str, ...]
    queue: str
    spec: int
    arrival_ns: int = 0
    started_ns: int | None = None
    duration_ns: int = OPEN
    machine: str = PENDING
    ran_on: str = ""
    kind: str = ""
    controller: str = ""
    endless: bool = False
    priority: int = 0
    labels: dict[str, str] = field(default_factory=dict)
    waiting: bool = False
    terminating: bool = False
    nominated: str = ""


@dataclass
class Inventory:
    """Everything that the files of one cluster hold. `source` is `kubernetes`, `slurm` or `machines`.

    `objects` are further things by kind (namespaces, budgets, services), in JSON types. `span_ns` is the time between
    the first and the last look at the cluster. `shares` are weights of queues that the source states.
    """

    source: str
    machines: list[Machine] = field(default_factory=list)
    tasks: list[Task] = field(default_factory=list)
    specs: list[Spec] = field(default_factory=list)
    objects: list[dict[str, Any]] = field(default_factory=list)
    shares: dict[str, float] = field(default_factory=dict)
    lasted_s: dict[str, list[float]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    unknown: Unknown = field(default_factory=Unknown)
    span_ns: int = 0
