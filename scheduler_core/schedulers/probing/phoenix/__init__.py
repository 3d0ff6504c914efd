"""Phoenix: Eagle where tasks have constraints, and workers that serve the scarcest constraint first when it is needed.

A monitor compares demand and supply of each constraint (the ratios are the CRV). While the load is high, and wherever
a worker expects a long wait, the probe that asks for what is scarcest goes first. Jobs whose constraints cannot be had
are admitted without the soft ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from scheduler_core.schedulers.probing import eagle
from scheduler_core.schedulers.probing.eagle import REORDERED, EagleCParams
from scheduler_core.schedulers.shared.probing import HYBRID_LAYERS, HYBRID_SERIES, reads_as_public
from scheduler_core.world.spec import Counter, Layer, Mark, Reason, SchedulerSpec, Series, SeriesMap

if TYPE_CHECKING:
    from scheduler_core.world.board import Board
    from scheduler_core.world.protocol import Protocol

NEGOTIATED, RELAXED, SWITCHED_ON, SWITCHED_OFF = range(REORDERED + 1, REORDERED + 5)
AXES = {"cpu": "CPU", "memory": "memory", "disk": "disks", "os": "system", "clock": "clock", "network": "network"}
"""The six kinds of resource that constraints are about, as constraints.catalogue has them."""


class PhoenixParams(EagleCParams):
    """Parameters of Phoenix."""

    first = ("short_cutoff_s", "long_partition_share", "load_threshold_percent")

    profile: Literal["paper", "public-simulator"] = Field(
        "paper",
        title="Profile",
        description="Whose rules are followed: the paper's, with ratios of demand and supply as they are, expected "
        "waits and negotiation, or those of its authors' public simulator. There ratios are fixed, only the load "
        "counts, only the first probes of short jobs heed constraints, and nothing is negotiated. A worker runs one "
        "task, hears at once whether a task is left for it, and knows at once of other workers; durations are whole "
        "seconds.",
    )
    load_threshold_percent: float = Field(
        80.0,
        ge=0,
        le=100,
        title="Load above which constraints decide",
        description="While more than this of the datacenter is in use (of the resource that is used most), all workers "
        "serve the scarcest constraint first. A lower one helps tasks with scarce constraints more often, at the cost "
        "of others.",
        json_schema_extra={"unit": "%"},
    )
    wait_threshold_s: float = Field(
        10.0,
        ge=0,
        le=1e9,
        title="Expected wait above which constraints decide",
        description="A worker serves the scarcest constraint first while what has come to it and how long it took let "
        "it expect a longer wait than this (Pollaczek and Khinchine's formula), whatever the load is. A lower one "
        "helps tasks with scarce constraints more often, at the cost of others.",
        json_schema_extra={"unit": "s"},
    )
    monitor_interval_s: float = Field(
        5.0,
        ge=0.001,
        le=1e6,
        title="Interval of the monitor",
        description="How often load, demand and supply are compared; workers know them as of the last time. Longer "
        "intervals let workers react later.",
        json_schema_extra={"unit": "s"},
    )
    wait_memory: int = Field(
        100,
        ge=1,
        le=1_000_000,
        title="Memory of waits",
        description="How many arrivals and services a worker's means go back over; older ones fade away. A longer "
        "memory is steadier and notices bursts later; waits hardly move.",
        json_schema_extra={"unit": "samples"},
    )
    negotiate: bool = Field(
        True,
        title="Negotiate when scarce",
        description="Whether jobs are admitted without their soft constraints where too few workers offer all. Off: "
        "only where none does. It usually shortens waits and leaves more soft constraints unmet.",
    )
    negotiate_ratio: float = Field(
        1.0,
        ge=0,
        le=1e6,
        title="Scarce enough to negotiate",
        description="Waiting tasks for each worker that offers a soft constraint, above which jobs do without it while "
        "the load is above its threshold. A higher ratio meets more soft constraints and lets their tasks wait longer.",
        json_schema_extra={"unit": "tasks per worker"},
    )


def _load() -> Protocol:
    from scheduler_core.schedulers.probing.phoenix.protocol import PhoenixProtocol

    return PhoenixProtocol()


_EAGLES = tuple(counter for counter in eagle.SPEC.counters if counter.name != "lacking")


def _board() -> Board:
    from scheduler_core.schedulers.probing.phoenix.state import PhoenixState
    from scheduler_core.schedulers.shared.probing.board import REFUSING, hybrid_board_of

    return hybrid_board_of(PhoenixState, *REFUSING)


SPEC = SchedulerSpec(
    name="phoenix",
    label="Phoenix",
    family="probing",
    paper="Phoenix: a constraint-aware scheduler for heterogeneous datacenters",
    summary="Eagle-C that serves the scarcest constraint first under load or long waits, and negotiates soft ones.",
    params=PhoenixParams,
    supports=frozenset({"constraints", "soft_constraints"}),
    supports_under={"public-simulator": frozenset({"constraints"})},
    load=_load,
    board=_board,
    probes=True,
    reads=reads_as_public,
    counters=(
        *_EAGLES,
        Counter("reorders", "Reordered by CRV", "Tasks that overtook because what they ask for is scarcer."),
        Counter("negotiated", "Tasks negotiated", "Tasks admitted without their soft constraints."),
        Counter(
            "lacking",
            "Tasks without a constraint",
            "Tasks of short jobs started where something that they ask for is not offered: negotiated ones, and "
            "under the rules of the authors' program those whose constraints it forgot.",
        ),
        Counter("switches", "Switches", "How often the order by CRV was switched on or off for all workers."),
    ),
    layers=(
        *HYBRID_LAYERS,
        Layer(
            "scarcest", "Scarcest first", "level", "Full for workers that last served the scarcest constraint first."
        ),
    ),
    marks=(
        *eagle.SPEC.marks,
        Mark("reorder", "Reordered by CRV", "A task went past probes in front, for what it asks for is scarcer."),
        Mark("negotiation", "Negotiated", "A job was admitted without its soft constraints."),
        Mark(
            "crv_on",
            "CRV on",
            "The load rose above its threshold: all workers serve the scarcest constraint first.",
            whole=True,
        ),
        Mark(
            "crv_off",
            "CRV off",
            "The load fell below its threshold: only workers that expect long waits go on "
            "serving the scarcest constraint first.",
            whole=True,
        ),
    ),
    reasons=(
        *eagle.SPEC.reasons,
        Reason(
            REORDERED,
            "reordered",
            "Worker {machine} took it before {y} others in front, because what its job asks for is scarcer; its "
            "probe had waited {x_s}.",
            ("machine", "y", "x_s"),
            mark="reorder",
            edits=("scheduler.params.load_threshold_percent", "scheduler.params.wait_threshold_s"),
        ),
        Reason(
            NEGOTIATED,
            "negotiated",
            "Of all workers {y} offer everything that its job asks for: it was admitted without {count_x} soft "
            "constraints.",
            ("y", "count_x"),
            mark="negotiation",
            edits=("scheduler.params.negotiate", "scheduler.params.negotiate_ratio", "constraints.soft"),
        ),
        Reason(
            RELAXED,
            "relaxed",
            "Worker {machine} lacks {count_x} of the soft constraints that it asks for: it runs {y_s} there.",
            ("machine", "count_x", "y_s"),
            edits=("constraints.soft", "topology.clusters"),
        ),
        Reason(
            SWITCHED_ON,
            "crv_on",
            "{y_high_share} of the datacenter was in use: from now on all workers serve the scarcest constraint first.",
            ("y_high_share",),
            mark="crv_on",
            edits=("scheduler.params.load_threshold_percent",),
        ),
        Reason(
            SWITCHED_OFF,
            "crv_off",
            "{y_high_share} of the datacenter was in use: only workers that expect long waits go on serving the "
            "scarcest constraint first.",
            ("y_high_share",),
            mark="crv_off",
            edits=("scheduler.params.load_threshold_percent",),
        ),
    ),
    series=(
        *HYBRID_SERIES,
        Series("crv_on", "CRV for all workers", "0 or 1"),
        Series("scarcest_first", "Workers with the scarcest first", "workers"),
        Series("crv_most", "CRV: scarcest constraint", "tasks per worker"),
        *(Series(f"crv_{axis}", f"CRV: {word}", "tasks per worker") for axis, word in AXES.items()),
    ),
    maps=(
        SeriesMap(
            "crv",
            "CRV",
            "Which kind of constraint is scarce, and when do workers serve the scarcest first?",
            "Tasks of short jobs that wait and ask for a kind, over the workers that offer it. The band: the load is "
            "above its threshold, so all workers serve the scarcest constraint first.",
            prefix="crv_",
            switch="crv_on",
            threshold=1.0,
        ),
    ),
)
