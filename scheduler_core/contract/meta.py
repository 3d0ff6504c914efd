"""Meta: the description of a run that a viewer needs once, before any frame."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from scheduler_core.contract.base import Help, Label, Name, exact
from scheduler_core.contract.track import WorkMeta

META_FORMAT = 3
"""The format that `describe` writes. Format 1 had no roles of layers and no flags of schedulers, format 2 no roles of
marks (see upgrade.py)."""

LayerRole = Literal[
    "",
    "owner",
    "load",
    "lent",
    "borrower",
    "service",
    "resource",
    "backlog",
    "group_backlog",
    "pattern",
    "reserved",
]
"""What a layer does in the picture of all layers together (see LayerMeta)."""

MarkRole = Literal["", "refusal", "preemption", "fault", "repartition"]
"""What a mark tells of a machine or its task (see MarkMeta)."""

LayerKind = Literal["category", "level"]
"""What a byte of a layer is (see LayerMeta)."""


@exact
class SchedulerMeta(TypedDict):
    """The scheduler of a run, with the flags that a viewer needs."""

    name: str
    """The name in an experiment."""
    label: str
    """The name that people read."""
    family: str
    """The family, to group schedulers in lists. Behavior follows from flags, never from the family."""
    paper: str
    """The paper that describes the scheduler."""
    composes: bool
    """Whether the scheduler is composed of stages, which can be replaced one by one."""


@exact
class PartitionMeta(TypedDict):
    """Consecutive machines of a cluster that have one owner."""

    owner: Annotated[int, Field(ge=0, le=255)]
    """The number of the owner; 255 for none."""
    first: Annotated[int, Field(ge=0)]
    """The first machine."""
    machines: Annotated[int, Field(ge=0)]
    """The number of machines."""


@exact
class ClusterMeta(TypedDict):
    """One cluster. The machines of a cluster have consecutive numbers."""

    name: str
    """The name, as in the experiment."""
    first: Annotated[int, Field(ge=0)]
    """The first machine."""
    machines: Annotated[int, Field(ge=0)]
    """The number of machines."""
    racks: list[int]
    """The number of machines of each rack, in order."""
    partitions: list[PartitionMeta]
    """The partitions, in order. A scheduler without partitions has one per cluster, of owner 255."""


@exact
class QueueMeta(TypedDict):
    """One queue of jobs."""

    name: str
    """The name, as in the experiment."""
    share: float
    """The share of the datacenter that the queue deserves."""
    owner: int | None
    """The number of the Global Master that serves the queue."""


@exact
class GroupsMeta(TypedDict):
    """Runs of machines that each have a master of their own."""

    label: str
    """What one group is called."""
    help: str
    """What a group is."""
    first: list[int] | tuple[int, ...]
    """The first machine of each group. A group ends where the next one begins."""


@exact
class PolicyMeta(TypedDict):
    """Parameters that together pursue one objective, and that may change during a run."""

    name: Name
    label: Label
    help: Help
    params: dict[str, Any]
    """The parameters and their values."""


@exact
class LayerMeta(TypedDict):
    """One layer of the map: a byte per machine."""

    name: str
    """The key of the layer in frames."""
    label: str
    """The name that people read."""
    kind: LayerKind
    """`category`: a byte is an index, 255 stands for none. `level`: a byte goes from 0 (empty) to 255 (full)."""
    help: str
    """What the layer shows, in a sentence."""
    unit: str
    """What a level counts. Empty for a share of the machine."""
    full: int
    """How many units 255 stands for, or more. 0 for a share."""
    fixed: bool
    """Whether the layer never changes during a run."""
    whole: bool
    """Whether the layer may change on machines where nothing else does."""
    role: LayerRole
    """What the layer does in the picture of all layers together. One layer at most has each role, but for `resource`.

    - `owner`: the hue of a machine, by the number of the owner.
    - `load`: the depth of the shade.
    - `lent`: the fraction of a machine that owners other than its own hold, drawn as hatching.
    - `borrower`: the hue of the hatching, by the number of the owner who borrowed.
    - `service`: 0 in service, about half draining, 255 failed.
    - `resource`: how much of one resource is in use.
    - `backlog`: the tasks that wait at the machine. It deepens the shade of full machines and is written on cells.
    - `group_backlog`: the tasks that wait at the master of the machine's group, written beside the group's name.
    - `pattern`: machines with it are striped.
    - `reserved`: machines with it are framed.
    """
    plain: str
    """For the role `pattern`: what busy machines without the stripes have."""


@exact
class MarkMeta(TypedDict):
    """A kind of flash on the map."""

    kind: str
    """The kind, as in the marks of a frame."""
    label: Label
    help: Help
    quiet: bool
    """Whether it happens all the time. Such flashes are small, and playback does not step through them."""
    whole: bool
    """Whether it concerns the whole datacenter: no machine flashes."""
    role: MarkRole
    """What the flash means; flashes of a role look alike under every scheduler. Marks without a role take the other
    shapes in turn.

    - `refusal`: a machine refused a task or a request.
    - `preemption`: a task lost its machine to another one.
    - `fault`: a task lost its machine because the machine failed.
    - `repartition`: a machine works for another owner.
    """


@exact
class CounterMeta(TypedDict):
    """A number that only grows during a run."""

    name: str
    """The key of the counter in frames."""
    label: Label
    help: Help


@exact
class SeriesMeta(TypedDict):
    """A number that every frame has, drawn over time."""

    name: str
    """The key of the series in frames."""
    label: Label
    unit: str
    """What the values count, such as `tasks`; `1` for a fraction, `0 or 1` for what is on or off."""


@exact
class SeriesMapMeta(TypedDict):
    """Series drawn as one picture, one row for each series whose name begins with `prefix`."""

    name: Name
    label: Label
    question: str
    """The question that the picture answers."""
    help: Help
    prefix: str
    """How the names of its series begin."""
    switch: str
    """A series that is 1 while something is on, drawn as a band above the rows; empty for none."""
    threshold: float
    """Values from here on are marked."""


@exact
class HistogramMeta(TypedDict):
    """A histogram that frames carry."""

    name: str
    """The key of the histogram in frames."""
    label: Label
    unit: str
    """The unit of the values: `ns`."""


@exact
class ReasonMeta(TypedDict):
    """The reason of a decision."""

    code: int
    """The number in a row of the decision log."""
    name: Name
    template: str
    """The sentence, with fields in braces."""
    fields: list[str]
    """The fields of the template."""
    edits: list[str]
    """The changes of the experiment that could have changed the decision."""


@exact
class Meta(TypedDict):
    """What a viewer needs to know about a run once, before any frame. A recording keeps it as `meta.json`."""

    format: Literal[3]
    """The format of this object."""
    core_version: str
    """The version of the library that wrote this object."""
    experiment: dict[str, Any]
    """The experiment with its defaults expanded (its JSON Schema is `/api/v1/schema`)."""
    experiment_digest: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    """The sha256 of the canonical experiment."""
    seed: int
    """The seed of the run."""
    scheduler: SchedulerMeta
    """The scheduler of the run."""
    machines: int
    """The number of machines of the datacenter."""
    resources: list[str]
    """The names of the resources, in the order of `capacity`."""
    capacity: list[float]
    """The total of each resource."""
    clusters: list[ClusterMeta]
    """The clusters, in the order of their machines."""
    graphs: bool
    """Whether the recording has tables of jobs as graphs of stages."""
    network: bool
    """Whether each round solves a flow network that can be shown."""
    messages: bool
    """Whether the protocol's messages can be listed one by one."""
    no_messages: str
    """Why messages cannot be listed, in a sentence; empty where they can."""
    policies: list[PolicyMeta]
    """Groups of parameters that can be set during the run; empty without any."""
    owners: list[str]
    """The names of the owners of partitions, by number; empty without partitions."""
    queues: list[QueueMeta]
    """The queues of jobs, by number: those of the experiment, or else one for each Global Master."""
    groups: GroupsMeta | None
    """The groups of machines that each have a master; null without groups."""
    maps: list[SeriesMapMeta]
    """The pictures of several series at once; empty without any."""
    probes: bool
    """Whether tasks are sent by probes or offers that can be listed for a task."""
    layers: list[LayerMeta]
    """The layers of the map."""
    marks: list[MarkMeta]
    """The kinds of flashes on the map."""
    counters: list[CounterMeta]
    """The counters: those of every scheduler, then its own."""
    series: list[SeriesMeta]
    """The series: those of every scheduler, then its own."""
    hists: list[HistogramMeta]
    """The histograms."""
    reasons: list[ReasonMeta]
    """The reasons for decisions that the scheduler gives."""
    work: NotRequired[WorkMeta]
    """How the work is drawn. Absent in recordings of earlier versions."""
    recording_format: NotRequired[int]
    """Only in a recording: the format of the file."""
    decisions_thinned: NotRequired[int]
    """Only in a recording: how many rows of the decision log were left out."""
    notes: NotRequired[list[str]]
    """Only in a recording: what was noticed while the workload was read."""
