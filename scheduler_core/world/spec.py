"""What a scheduler declares about itself. Forms, API lists, docs tables, legends and sentences are built from this."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict

if TYPE_CHECKING:
    from scheduler_core.experiment import Experiment
    from scheduler_core.workload import Workload
    from scheduler_core.world.board import Board
    from scheduler_core.world.protocol import Protocol


class Params(BaseModel):
    """Base of every scheduler's parameters: frozen, and unknown names are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    fixed: ClassVar[frozenset[str]] = frozenset({"profile"})
    """Those that no event can set during a run."""

    first: ClassVar[tuple[str, ...]] = ()
    """Those that a page shows before all others."""

    @classmethod
    def in_order(cls) -> list[str]:
        """Names of the fields as a page shows them: `first`, then a scheduler's own before those that others share."""
        declared = [name for each in cls.__mro__ for name in inspect.get_annotations(each)]
        return [name for name in dict.fromkeys((*cls.first, *declared)) if name in cls.model_fields]


@dataclass(frozen=True)
class Counter:
    """A number that only grows during a run, exact over every task."""

    name: str
    label: str
    help: str


@dataclass(frozen=True)
class Layer:
    """One byte a machine for the map: `category` (an index, 255 for none) or `level` (0 empty .. 255 full).

    A level with a `unit` is a number of things, told as such: 255 stands for `full` or more. Without, it is a share.
    A `fixed` layer never changes during a run; a `whole` one may change where nothing else does: it is painted whole.

    `role` is what it does in the picture of all layers together: "backlog" deepens the shade of machines that are full
    and is written on cells with room for it, "group_backlog" the same for a group, in its name; machines with a
    "pattern" are striped, those with "reserved" framed. `plain` is what machines in use without the pattern have.
    """

    name: str
    label: str
    kind: Literal["category", "level"]
    help: str
    unit: str = ""
    full: int = 0
    fixed: bool = False
    whole: bool = False
    role: Literal["", "backlog", "group_backlog", "pattern", "reserved"] = ""
    plain: str = ""


@dataclass(frozen=True)
class Series:
    """One number a frame, drawn over time."""

    name: str
    label: str
    unit: str


@dataclass(frozen=True)
class SeriesMap:
    """A group of series as one picture: a row for each whose name begins with `prefix`, over time, dark where large.

    `switch` names a series that is 1 while something is on and 0 while it is off: a band above the rows. Values from
    `threshold` on are marked. Rows are called by what their labels say after "`label`: " (or by the whole label).
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
    """Machines in runs, each with somebody of its own: run i is from first[i] up to the next one's first."""

    label: str
    help: str
    first: tuple[int, ...]


@dataclass(frozen=True)
class Reason:
    """Why a decision was taken. `code` is what the kernel writes; `template` is filled with the row's fields.

    `mark` names the kind of flash on the map that the decision makes, if any. `edits` are the small legal changes of
    an experiment that could have changed the answer. One of `now` is no decision: it is told while a task waits.
    """

    code: int
    name: str
    template: str
    fields: tuple[str, ...] = ()
    mark: str | None = None
    edits: tuple[str, ...] = ()
    now: bool = False


@dataclass(frozen=True)
class Mark:
    """A kind of flash on the map. A `quiet` one is of what happens all the time: small, and no event to step to.

    A `whole` one is of the datacenter as a whole: no machine flashes, the page says what it is where it is come to.
    """

    kind: str
    label: str
    help: str
    quiet: bool = False
    whole: bool = False


FAMILIES = {
    "federated": "Federated, on stale views",
    "probing": "Probes and worker queues",
    "shared-state": "Shared state, optimistic commits",
    "queue": "One queue, filter and score",
    "flow": "The cheapest flow",
    "dag": "Jobs as graphs",
    "spacetime": "Plans in space and time",
    "pipeline": "A pipeline of stages",
}
"""What the families of schedulers are called."""


@dataclass(frozen=True)
class Policy:
    """Parameters, settable during a run, that together pursue one objective."""

    name: str
    label: str
    help: str
    params: dict[str, Any]


@dataclass(frozen=True)
class SchedulerSpec:
    """One scheduler: its name, its parameters, what it counts, what it shows and how to load its kernel.

    `supports` names the parts of an experiment that this scheduler honours (experiment.derived.features: "constraints",
    "machine_faults", "master_faults", "share_changes", "parameter_changes", "dag", "pooled"); an experiment that uses
    another part is refused by name when it is run. `supports_under` is what is honoured under a profile that differs
    in that. `load` imports compiled code, so it is
    called only when a run starts.
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
    supports: frozenset[str] = field(default_factory=frozenset)
    supports_under: dict[str, frozenset[str]] = field(default_factory=dict)
    by_resource: bool = False
    """Whether the map shows, after `layers`, how much of each resource that machines have is in use."""
    network: bool = False
    """Whether each round solves a network of flow that can be shown (scheduler_core.explanation.flow)."""
    policies: tuple[Policy, ...] = ()
    """Settings that make it another policy, to be switched to while a run goes on."""
    groups: Callable[[Experiment, int], Groups] | None = None
    """How it divides so many machines, where it does."""
    maps: tuple[SeriesMap, ...] = ()
    """Pictures of groups of its series."""
    probes: bool = False
    """Whether tasks are fetched by probes that leave notes (shared.probing), so that a task can tell its own."""
    sends: bool = False
    """Whether each task is sent for itself, to a worker compared with others, asked or remembered; it leaves notes."""
    board: Callable[[], Board] | None = None
    """Loads how its protocol is drawn on a board, where its messages can be told one by one (world.board)."""
    board_under: frozenset[str] = frozenset({"paper"})
    """The profiles under which its board tells the truth."""
    reads: Callable[[Experiment, Workload], Workload] | None = None
    """What becomes of the work before it is run, where a profile reads it in its own way."""

    def honours(self, experiment: Experiment) -> frozenset[str]:
        """The parts of an experiment that are honoured under its profile."""
        return self.supports_under.get(experiment.scheduler.params.get("profile", ""), self.supports)

    def no_messages(self, experiment: Experiment) -> str:
        """Why its messages are not told one by one, in a sentence; empty where they are."""
        profile = experiment.scheduler.params.get("profile", "paper")
        if self.board is None:
            return (
                f"{self.label} decides everything in one place, so there is no protocol to draw: its messages only "
                "tell machines to start or stop tasks, and come back when tasks end."
            )
        if profile in self.board_under:
            return ""
        return f"The messages of {self.label} are told one by one under the profile paper, not under {profile}."


# What the engine itself counts, shows and draws for every scheduler.
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
    """The layers of a run: what the scheduler declares, and a level for each resource with a total above 0."""
    if not spec.by_resource:
        return spec.layers
    words = {name: _SHORT.get(name, name) for name, total in zip(names, totals, strict=True) if total > 0}
    # "of_": a resource may have any name, and some layers have a meaning by theirs.
    return spec.layers + tuple(
        Layer(f"of_{name}", word[:1].upper() + word[1:], "level", f"How much of the machine's {word} its tasks hold.")
        for name, word in words.items()
    )


LOAD_LAYER = Layer("load", "Load", "level", "How full the machine is: the largest used share of any of its resources.")
OUTAGE_LAYER = Layer("outage", "Out of service", "level", "Empty: in service; half: draining; full: failed.")
