"""What a scheduler declares about itself. Forms, API lists, docs tables, legends and sentences come from this."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import BaseModel, ConfigDict

from scheduler_core.contract.meta import LayerKind, LayerRole, MarkRole
from scheduler_core.errors import Problem
from scheduler_core.world.signature import Signature
from scheduler_core.world.work import Work

if TYPE_CHECKING:
    from scheduler_core.experiment import Experiment
    from scheduler_core.workload import Workload
    from scheduler_core.world.board import Board
    from scheduler_core.world.protocol import Protocol


class Params(BaseModel):
    """Base of every scheduler's parameters: frozen, and unknown names are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    fixed: ClassVar[frozenset[str]] = frozenset({"profile"})
    """The parameters that no event can change during a run."""

    first: ClassVar[tuple[str, ...]] = ()
    """The parameters that a page shows first."""

    @classmethod
    def names(cls, given: Mapping[str, Any]) -> list[str]:
        """Return the names that parameters may have: the fields, and what the given values declare besides."""
        return list(cls.model_fields)

    @classmethod
    def completed(cls, given: dict[str, Any]) -> tuple[dict[str, Any], list[Problem]]:
        """Return the given values with the defaults of what they declare besides the fields, and the problems."""
        return given, []

    @classmethod
    def in_order(cls) -> list[str]:
        """Return field names in page order: `first`, then a scheduler's own, then the shared ones."""
        declared = [name for each in cls.__mro__ for name in inspect.get_annotations(each)]
        return [name for name in dict.fromkeys((*cls.first, *declared)) if name in cls.model_fields]


@dataclass(frozen=True)
class Counter:
    """A number that only grows during a run and counts every task exactly."""

    name: str
    label: str
    help: str


@dataclass(frozen=True)
class Layer:
    """One byte per machine for the map: `category` (an index, 255 for none) or `level` (0 empty .. 255 full).

    A level with a `unit` is a count, shown in this unit: 255 stands for `full` or more. A level without one is a share.
    A `fixed` layer never changes during a run. A `whole` layer may change on untouched machines, so every frame paints
    it whole.

    `role` is the layer's part in the picture of all layers (contract.meta.LayerMeta): a viewer identifies a layer by
    its role, never by its name. `plain` is the legend of machines in use that do not show the layer's pattern.
    """

    name: str
    label: str
    kind: LayerKind
    help: str
    unit: str = ""
    full: int = 0
    fixed: bool = False
    whole: bool = False
    role: LayerRole = ""
    plain: str = ""


@dataclass(frozen=True)
class Series:
    """One number per frame, drawn over time."""

    name: str
    label: str
    unit: str


@dataclass(frozen=True)
class SeriesMap:
    """A group of series as one heat map over time: a row for each series whose name starts with `prefix`.

    `switch` names a series that is 1 while something is on and 0 while it is off; a band above the rows shows it.
    The page marks values of at least `threshold`. A row's name is the part of its label after "`label`: ", or else the
    whole label.
    """

    name: str
    label: str
    question: str
    help: str
    prefix: str
    switch: str = ""
    threshold: float = 0.0


@dataclass(frozen=True)
class Groups:
    """Machines in contiguous runs, each with its own owner: run i starts at first[i] and ends before the next first."""

    label: str
    help: str
    first: tuple[int, ...]


@dataclass(frozen=True)
class Reason:
    """The reason of a decision. The kernel writes `code`; the sentence is `template`, filled with the row's fields.

    `mark` names the kind of flash on the map for this decision, if any. `edits` names the small changes of an
    experiment that could have changed the decision. A reason with `now` belongs to no decision: it explains a wait
    while it lasts. `among` names the row's field with the number of compared machines, if there is one.
    """

    code: int
    name: str
    template: str
    fields: tuple[str, ...] = ()
    mark: str | None = None
    edits: tuple[str, ...] = ()
    now: bool = False
    among: str = ""


@dataclass(frozen=True)
class Mark:
    """A kind of flash on the map. A `quiet` mark is for frequent events: it is small, and stepping skips it.

    A `whole` mark concerns the whole datacenter: no machine flashes, and the page names the event when the clock
    reaches it. `role` is the meaning of the mark, whatever the scheduler calls its kind.
    """

    kind: str
    label: str
    help: str
    quiet: bool = False
    whole: bool = False
    role: MarkRole = ""

    @property
    def stops(self) -> bool:
        """True if the task lost its machine."""
        return self.role in ("preemption", "fault")


@dataclass(frozen=True)
class Family:
    """What the schedulers of a family have in common."""

    label: str
    """The name for people."""
    unused: str = "its scheduler has not reached the task yet"
    """Why a task may wait while a machine has room for it, used if the scheduler gives no reason of its own."""
    last_decision_holds: bool = False
    """Whether a task waits where its last decision put it, so that this decision explains the wait."""


FAMILIES = {
    "federated": Family(
        "Several masters with stale views",
        "the view of its Global Master does not show the room yet, or a request for the task is on its way",
    ),
    "probing": Family(
        "Probes and worker queues",
        "neither its probes nor its queue are at that machine",
        last_decision_holds=True,
    ),
    "shared-state": Family(
        "Shared state, optimistic commits",
        "its scheduler is still deciding, or uses a copy that does not show the room yet",
    ),
    "offers": Family(
        "Offers to frameworks",
        "its framework has not been offered the machine yet, has declined it recently, or is still deciding",
    ),
    "queue": Family("One queue, filter and score"),
    "kubernetes": Family(
        "kube-scheduler, exactly",
        "the pod is not next in the scheduling queue, or a filter that is not about resources refuses the machine",
    ),
    "batch": Family(
        "Batch jobs and backfill",
        "the job is not next in order, not all of its tasks have room, or a reservation needs the room",
    ),
    "replay": Family("Replay of a recording", "the recording starts the task later, or has no start of it"),
    "flow": Family("Min-cost flow", "the next round decides"),
    "dag": Family(
        "Shares, packing and stages", "the task waits for other stages, for its turn, or for the next decision"
    ),
    "spacetime": Family("Plans in space and time", "the next cycle decides, or the plan starts the task later"),
    "plugin": Family(
        "Your own files",
        "the function choose gave no machine, or the task waits behind others",
        last_decision_holds=True,
    ),
    "pipeline": Family("A pipeline of stages", "the task is not next, or the next iteration decides"),
}
"""The families of schedulers. A scheduler may name another family; then only the name of the family is known."""


@dataclass(frozen=True)
class Policy:
    """Parameters, settable during a run, that together pursue one objective."""

    name: str
    label: str
    help: str
    params: dict[str, Any]


@dataclass(frozen=True)
class SchedulerSpec:
    """The declaration of a scheduler: name, parameters, counters, layers, reasons, and the loader of its kernel.

    `supports` names the parts of an experiment that the scheduler supports (experiment.derived.features:
    "constraints", "interference", "machine_faults", "master_faults", "share_changes", "parameter_changes", "dag",
    "pooled"). A run of an experiment that uses another part fails with an error that names the part. With "priorities"
    a task's `kind` holds its priority; without, a note of the run says that the scheduler ignores priorities.
    `supports_under` replaces `supports` under the named profiles. `load` imports compiled code, so only the start of a
    run calls it.
    """

    name: str
    label: str
    family: str
    paper: str
    summary: str
    params: type[Params]
    load: Callable[[], Protocol]
    counters: tuple[Counter, ...]
    layers: tuple[Layer, ...]
    reasons: tuple[Reason, ...]
    marks: tuple[Mark, ...] = ()
    series: tuple[Series, ...] = ()
    partitioned: bool = False
    """Whether every cluster is divided among the Global Masters."""
    one_master: bool = False
    """Whether one master of each kind schedules all machines, whatever the topology says."""
    supports: frozenset[str] = field(default_factory=frozenset)
    supports_under: dict[str, frozenset[str]] = field(default_factory=dict)
    drops_under: frozenset[str] = frozenset()
    """The profiles that drop a task that no machine can ever run, where the experiment does not choose."""
    anywhere: Mapping[str, Any] = field(default_factory=dict)
    """Parameters with which it runs any workload; empty unless its defaults refuse some (those without a recording)."""
    composes: bool = False
    """Whether it consists of stages that can be replaced one by one; pages then show the stages and offer choices."""
    paced: bool = False
    """Whether a task's run time depends on its machine (engine.pace)."""
    queue_note: str = "Under {label}, queues have no effect."
    """Its use of queue shares, in a sentence; empty if each Global Master serves queues by share."""
    by_resource: bool = False
    """Whether the map shows, after `layers`, one layer for the use of each resource."""
    network: bool = False
    """Whether each round solves a flow network that can be shown (scheduler_core.explanation.flow)."""
    policies: tuple[Policy, ...] = ()
    """Sets of parameters that turn it into another policy; a user can switch to them during a run."""
    groups: Callable[[Experiment, int], Groups] | None = None
    """Returns how the scheduler divides a number of machines into groups; None if it does not divide them."""
    maps: tuple[SeriesMap, ...] = ()
    """Heat maps of groups of its series."""
    probes: bool = False
    """Whether probes fetch tasks and leave notes (shared.probing), so that a task's probes can be listed."""
    sends: bool = False
    """Whether each task is sent separately to a chosen worker and leaves notes, so that its path can be listed."""
    board: Callable[[], Board] | None = None
    """Loads the drawing of its protocol on a message board; None if its messages cannot be listed (world.board)."""
    board_under: frozenset[str] = frozenset({"paper"})
    """The profiles whose messages the board shows correctly."""
    work: Work = field(default_factory=Work)
    """Where its tasks wait and what its decisions look like, for a picture that draws each task (world.work)."""
    signature: Signature | None = None
    """The small experiment that shows its idea, and what to observe in it (world.signature)."""
    note: str = ""
    """A sentence that every run notes; empty for none."""
    reads: Callable[[Experiment, Workload], Workload] | None = None
    """Converts the workload before a run, for profiles that read workloads in their own way."""

    @property
    def has_policy(self) -> bool:
        """Whether one of its parameters is the text of a user's policy."""
        extras = (field.json_schema_extra for field in self.params.model_fields.values())
        return any(isinstance(extra, dict) and extra.get("role") == "policy" for extra in extras)

    @property
    def kin(self) -> Family:
        """The family of the scheduler."""
        return FAMILIES.get(self.family, Family(self.family))

    def honors(self, experiment: Experiment) -> frozenset[str]:
        """Return the parts of an experiment that the scheduler supports under the experiment's profile."""
        return self.supports_under.get(experiment.scheduler.params.get("profile", ""), self.supports)

    def drops(self, experiment: Experiment) -> bool:
        """Return True if jobs go on without the tasks that no machine can ever run."""
        chosen = experiment.constraints.impossible_tasks if experiment.constraints is not None else None
        if chosen is not None:
            return chosen == "drop"
        return experiment.scheduler.params.get("profile", "") in self.drops_under

    def no_messages(self, experiment: Experiment) -> str:
        """Return a sentence that says why the page does not show single messages; empty if it does."""
        profile = experiment.scheduler.params.get("profile", "paper")
        if self.board is None:
            return (
                f"{self.label} decides everything in one place, so there is no protocol to draw: its messages only "
                f"tell machines to start or stop tasks, and machines report when tasks end."
            )
        if profile in self.board_under:
            return ""
        return f"The messages of {self.label} are told one by one under the profile paper, not under {profile}."


# Counters, series and layers of the engine itself, for every scheduler.
COMMON_COUNTERS = (
    Counter("events", "Events", "Events that the simulation has processed."),
    Counter("messages", "Messages", "Messages sent over the network."),
    Counter("tasks_arrived", "Tasks arrived", "Tasks whose job has arrived."),
    Counter("tasks_started", "Tasks started", "Tasks that have started at least once."),
    Counter("tasks_done", "Tasks done", "Tasks that have ended."),
    Counter("jobs_done", "Jobs done", "Jobs whose tasks have all ended."),
    Counter("tasks_running", "Tasks running", "Tasks that hold a machine now."),
    Counter("tasks_waiting", "Tasks waiting", "Tasks that have arrived and hold no machine."),
)
COMMON_SERIES = (
    Series("utilisation", "Machines in use", "1"),
    Series("waiting", "Tasks waiting", "tasks"),
    Series("running", "Tasks running", "tasks"),
)
_SHORT = {"cpus": "CPUs", "memory_gb": "memory", "gpus": "GPUs"}


def layers_of(spec: SchedulerSpec, names: tuple[str, ...], totals: Sequence[int]) -> tuple[Layer, ...]:
    """Return the layers of a run: the declared ones, and a level for each resource with a total above 0."""
    if not spec.by_resource:
        return spec.layers
    words = {name: _SHORT.get(name, name) for name, total in zip(names, totals, strict=True) if total > 0}
    # "of_": a resource may have any name, also that of another layer.
    return spec.layers + tuple(
        Layer(
            f"of_{name}",
            word[:1].upper() + word[1:],
            "level",
            f"How much of the machine's {word} its tasks hold.",
            role="resource",
        )
        for name, word in words.items()
    )


LOAD_LAYER = Layer(
    "load", "Load", "level", "Utilization of the machine: the largest used share of any of its resources.", role="load"
)
OUTAGE_LAYER = Layer(
    "outage", "Out of service", "level", "Machines out of service. Half: draining. Full: failed.", role="service"
)
