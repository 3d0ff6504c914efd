"""The parts of an experiment except the workload."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StrictBool, model_validator

from scheduler_core.experiment.fields import (
    LONGEST_S,
    Amount,
    Identifier,
    Index,
    Name,
    Number,
    Part,
    PositiveSeconds,
    PositiveShare,
    Priority,
    Scalar,
    Seconds,
    Share,
    Text,
    refuse,
    whole,
)


class MachineGroup(Part):
    """Machines that are alike."""

    count: Annotated[int, Number(1, 10_000_000, whole=True)] = 1
    """How many machines."""
    cpus: Annotated[float, Number(0, 1_000_000, above=True)] = 1.0
    """CPUs of one machine; kept to a thousandth, as all amounts are."""
    memory_gb: Amount = 0.0
    """Memory of one machine in GB."""
    gpus: Amount = 0.0
    """GPUs of one machine."""
    resources: dict[Identifier, Amount] = {}
    """Further resources by name, in units of your choice."""
    attributes: dict[Identifier, Annotated[str | float | bool, Scalar()]] = {}
    """Properties that tasks may ask for, such as a clock rate."""
    constraint_shares: dict[Name, Share] | None = None
    """Share of these machines that offer a constraint, by its name; takes precedence over the cluster's."""


class ClusterGroup(Part):
    """A cluster with one Local Master, or several that are alike."""

    name: Name = "lm"
    """Name of the cluster; with `repeat` the clusters are name-0, name-1 and so on."""
    repeat: Annotated[int, whole(1_000_000)] | None = None
    """How many clusters like this one; absent: one, under its plain name."""
    racks: Annotated[int, whole(1_000_000)] = 1
    """Racks of one cluster; its machines are spread over them in order and evenly."""
    machines: Annotated[tuple[MachineGroup, ...], Field(min_length=1, max_length=10_000)]
    """Groups of machines, laid out in this order."""
    constraint_mix: Name | None = None
    """Which distribution gives the machines their properties; absent: no constraints."""
    constraint_shares: dict[Name, Share] | None = None
    """Share of the machines that offer a constraint, by its name; takes precedence over the mix."""


class Topology(Part):
    """The datacenter."""

    global_masters: Annotated[int, whole(1_000_000)] = 1
    """Number of Global Masters: schedulers that share the datacenter."""
    clusters: Annotated[tuple[ClusterGroup, ...], Field(min_length=1, max_length=100_000)]
    """The clusters, in the order in which machines are numbered."""
    pooled: StrictBool = False
    """One fluid pool of the summed capacity instead of machines, for worked examples."""


class Queue(Part):
    """A queue of jobs (a user, a department) with its share of the datacenter."""

    name: Name
    """Name of the queue."""
    share: PositiveShare
    """Share of the datacenter that it may count on; all shares together are at most 1."""
    global_master: Index | None = None
    """The Global Master that serves it; absent: the queues go round the Global Masters."""
    priority: Priority | None = None
    """Priority of the queue's tasks that have none of their own. Tasks with a larger number go first. Absent: 0 where
    any queue, class or job of the experiment has a priority, else schedulers with priorities go by the share."""
    parent: Annotated[str, Text(200, 1, name=True)] | None = None
    """The group of queues that it is in, and what that is in: `research` or `research/vision`. A group's weight among
    its siblings is the sum of the shares in it. Absent: in none."""

    @model_validator(mode="after")
    def _parent_has_names(self) -> Queue:
        if self.parent is not None and not all(self.parent.split("/")):
            raise refuse(f"has the parent '{self.parent}', in which a name is empty", "names with a `/` between them")
        return self


class Network(Part):
    """What a message costs."""

    message_delay_s: Annotated[float, Number(0, 3600, "s")] = 0.0005
    """Time that one message takes, one way."""


class SchedulerChoice(Part):
    """The scheduler and its parameters."""

    name: Name
    """Name of a scheduler."""
    params: dict[str, Any] = {}
    """Its parameters; those left out have its defaults."""
    plugin_sha256: Annotated[str, Text(64, 64)] | None = None
    """SHA-256 of the file of a plugin, in hexadecimal. Reading the experiment writes it down; absent for a built-in
    scheduler."""


class Target(Part):
    """What an event happens to: exactly one of these."""

    machine: Index | None = None
    """Number of a machine, counted through the datacenter."""
    rack: Index | None = None
    """Number of a rack, counted through the datacenter."""
    cluster: Name | None = None
    """Name of a cluster."""
    local_master: Name | None = None
    """Name of the cluster whose Local Master it is."""
    global_master: Index | None = None
    """Number of a Global Master."""
    queue: Name | None = None
    """Name of a queue."""
    scheduler: StrictBool | None = None
    """`true`: the scheduler's parameters."""
    task: Index | None = None
    """Number of a task, in the order of the jobs' arrivals."""

    @property
    def given(self) -> list[str]:
        """The given keys; machine 0 is one, `false` and null are none."""
        values = ((key, getattr(self, key)) for key in type(self).model_fields)
        return [key for key, value in values if value is not None and value is not False]

    @property
    def kind(self) -> str:
        """The one given key."""
        return self.given[0]

    @model_validator(mode="after")
    def _exactly_one(self) -> Target:
        if len(self.given) != 1:
            raise refuse(f"names {len(self.given)} things", f"exactly one of {', '.join(type(self).model_fields)}")
        return self


REPAIR_S = 600.0
"""How long a machine that failed at random is out in the mean, where an event does not say."""


class Event(Part):
    """A planned fault, drain, stop of a task or change of the datacenter during a run."""

    at_s: Seconds
    """When, in simulated time."""
    kind: Literal["fail", "recover", "drain", "stop", "burst", "set"]
    """What happens."""
    target: Target
    """To what."""
    duration_s: PositiveSeconds | None = None
    """After this time it is undone; absent: it stays."""
    value: dict[Identifier, Annotated[str | float | bool, Scalar()]] = {}
    """For `set`: the new values; for `burst`: `rate_factor`; for `fail` of machines at random: `every_s`, the mean
    time between two failures of one machine, `repair_s`, the mean time until it is back, and `rack_share`, the part
    of failures that take their rack along."""


class Stop(Part):
    """When a run ends."""

    when: Literal["drained", "at_s", "tasks"] = "drained"
    """`drained`: when all work is done; else at a time or after a number of tasks."""
    at_s: Annotated[float, Number(0, LONGEST_S, "s", above=True)] | None = None
    """With `at_s`: the simulated time at which the run ends."""
    tasks: Annotated[int, whole(1_000_000_000)] | None = None
    """With `tasks`: the run ends when this number of tasks has completed."""

    @model_validator(mode="after")
    def _value_goes_with_rule(self) -> Stop:
        for key in ("at_s", "tasks"):
            if self.when == key and getattr(self, key) is None:
                raise refuse(f"stops by '{key}' but does not give it", f"{{'when': '{key}', '{key}': …}}")
            if self.when != key and getattr(self, key) is not None:
                raise refuse(f"gives '{key}' but stops when '{self.when}'", "the value of the rule in `when` only")
        return self


class Interference(Part):
    """How tasks that run on a machine slow down a task that starts there (synthetic)."""

    strength: Annotated[float, Number(0, 10)] = 1.0
    """Multiplies how much longer a task takes for the tasks beside it; 0 turns interference off."""
    kinds: Literal["drawn", "queue", "alike"] = "drawn"
    """Which tasks disturb each other. `drawn`: each job draws one of four kinds, and a table says how much one kind
    slows down another. `queue`: the first queue's jobs are of the first kind, and so on. `alike`: every task takes
    longer by the share of its machine that others hold when it is launched."""


class ForkOf(Part):
    """The experiment that a fork comes from."""

    experiment: Annotated[str, Text(64, 64, name=True)]
    """Digest of the experiment it came from."""
    at_s: Seconds
    """Simulated time of the fork."""

    @model_validator(mode="after")
    def _digest_is_hex(self) -> ForkOf:
        if set(self.experiment) - set("0123456789abcdef"):
            raise refuse("names an experiment that is not a digest", "64 characters of 0-9 and a-f")
        return self
