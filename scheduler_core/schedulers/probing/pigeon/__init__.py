"""Pigeon: jobs are spread over groups of workers at once, and the master of each group places its tasks.

Nobody knows the whole datacenter. A distributor sends the tasks of a job to the masters evenly; a master knows its
group exactly. It keeps short and long tasks in two queues, some workers for short ones, and serves queues by weight.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from scheduler_core.schedulers.shared.probing import QUEUE_SHOWN, EstimateParams
from scheduler_core.world.spec import LOAD_LAYER, Counter, Groups, Layer, Mark, Reason, SchedulerSpec, Series

if TYPE_CHECKING:
    from scheduler_core.experiment import Experiment
    from scheduler_core.world.board import Board
    from scheduler_core.world.protocol import Protocol

LAUNCHED, UNSCHEDULABLE, ON_RESERVED, FROM_HIGH, FROM_LOW, WAITS_HIGH, WAITS_LOW = range(1, 8)


class PigeonParams(EstimateParams):
    """Parameters of Pigeon."""

    first: ClassVar[tuple[str, ...]] = ("profile", "short_cutoff_s", "group_size", "reserved_per_group")

    profile: Literal["paper", "public-simulator"] = Field(
        "paper",
        title="Profile",
        description="Whose rules are followed: the paper's, or those of its authors' public simulator, corrected where "
        "one reserved worker served several groups. There a worker runs one task, whatever it asks for.",
    )
    short_cutoff_s: float = Field(
        90.5811,
        ge=0,
        le=1e9,
        title="Longest short job",
        description="Jobs whose tasks are thought to take longer than this on average are long. The default suits the "
        "Yahoo trace. The higher, the more tasks go first, and the less that helps each.",
        json_schema_extra={"unit": "s"},
    )
    group_size: int = Field(
        100,
        ge=1,
        le=100_000,
        title="Workers in a group",
        description="How many workers a master has. Larger groups find idle workers more often, which usually "
        "shortens waits; what they cost their masters is not modelled. What is left over is shared among the groups.",
        json_schema_extra={"unit": "workers"},
    )
    reserved_per_group: int = Field(
        2,
        ge=0,
        le=100_000,
        title="Reserved workers",
        description="How many workers of each group run short tasks only; one of the group is always left for all. 2 "
        "suits the Yahoo trace, 17 the Google trace. More of them shorten the waits of short tasks and lengthen those "
        "of long ones.",
        json_schema_extra={"unit": "workers"},
    )
    weight: int = Field(
        100_000,
        ge=0,
        le=1_000_000_000,
        title="Weight of short tasks",
        description="How many waiting short tasks go before one waiting long task where both want a worker. The "
        "default is as good as strict priority. A lower weight lets long tasks in sooner.",
        json_schema_extra={"unit": "short tasks"},
    )


def first_of_groups(machines: int, group_size: int) -> list[int]:
    """The first machine of each group, and the end of the last: as many as have enough workers, with runs of them."""
    masters = max(1, machines // group_size)
    return [machines * master // masters for master in range(masters + 1)]


def _groups(experiment: Experiment, machines: int) -> Groups:
    params = PigeonParams(**experiment.scheduler.params)
    first = first_of_groups(machines, params.group_size)[:-1]
    return Groups("Group", "The workers of one master, which knows them exactly and nothing of others.", tuple(first))


def _load() -> Protocol:
    from scheduler_core.schedulers.probing.pigeon.protocol import PigeonProtocol

    return PigeonProtocol()


def _board() -> Board:
    from scheduler_core.schedulers.probing.pigeon.board import BOARD

    return BOARD


SPEC = SchedulerSpec(
    name="pigeon",
    label="Pigeon",
    family="probing",
    paper="Pigeon: an effective distributed, hierarchical datacenter job scheduler",
    summary="Jobs are spread over groups at once; a group's master serves a queue of short and one of long tasks.",
    params=PigeonParams,
    supports=frozenset({"constraints"}),
    load=_load,
    board=_board,
    board_under=frozenset({"paper", "public-simulator"}),
    groups=_groups,
    counters=(
        Counter("direct", "Started on arrival", "Tasks that found an idle worker when they came to their master."),
        Counter("on_reserved", "On reserved workers", "Short tasks that went to a worker that runs only such."),
        Counter("waited_high", "Short tasks that waited", "Tasks taken from the queues of short tasks."),
        Counter("waited_low", "Long tasks that waited", "Tasks taken from the queues of long tasks."),
    ),
    layers=(
        LOAD_LAYER,
        Layer(
            "at_master",
            "Waiting at its master",
            "level",
            "Tasks in the two queues of the worker's master.",
            unit="waiting",
            full=QUEUE_SHOWN,
            whole=True,
            role="group_backlog",
        ),
        Layer(
            "long",
            "Long tasks",
            "level",
            "Long tasks that the worker runs.",
            unit="long tasks",
            full=8,
            role="pattern",
            plain="Short tasks only",
        ),
        Layer(
            "reserved",
            "Reserved for short tasks",
            "level",
            "Full for workers that run short tasks only.",
            fixed=True,
            role="reserved",
        ),
    ),
    marks=(Mark("reserved", "Reserved worker used", "A short task went to a worker that runs only such."),),
    reasons=(
        Reason(
            LAUNCHED,
            "launched",
            "Worker {machine} was idle in group {to} when it came to the master there.",
            ("machine", "to"),
            edits=("scheduler.params.group_size",),
        ),
        Reason(
            UNSCHEDULABLE,
            "unschedulable",
            "No machine of this datacenter is large enough for it, even empty{cause}.",
            ("cause",),
            edits=("topology.clusters", "constraints", "workload"),
        ),
        Reason(
            ON_RESERVED,
            "on_reserved",
            "No other worker of group {to} was idle, but worker {machine}, which runs short tasks only; it had "
            "waited {x_s} at the master.",
            ("to", "machine", "x_s"),
            mark="reserved",
            edits=("scheduler.params.reserved_per_group",),
        ),
        Reason(
            FROM_HIGH,
            "from_short_queue",
            "Worker {machine} became free in group {to}; it had waited {x_s} among {y} short tasks.",
            ("machine", "to", "x_s", "y"),
            edits=("scheduler.params.group_size", "scheduler.params.reserved_per_group"),
        ),
        Reason(
            FROM_LOW,
            "from_long_queue",
            "Worker {machine} became free in group {to}, and it was the turn of long tasks; it had waited {x_s} "
            "among {y} of them.",
            ("machine", "to", "x_s", "y"),
            edits=("scheduler.params.weight", "scheduler.params.reserved_per_group", "scheduler.params.short_cutoff_s"),
        ),
        Reason(
            WAITS_HIGH,
            "in_short_queue",
            "It waits at the master of group {to} in the queue of short tasks, with {x} tasks in front of it: only "
            "workers of that group can take it.",
            ("to", "x"),
            edits=(
                "scheduler.params.group_size",
                "scheduler.params.reserved_per_group",
                "scheduler.params.short_cutoff_s",
            ),
            now=True,
        ),
        Reason(
            WAITS_LOW,
            "in_long_queue",
            "It waits at the master of group {to} in the queue of long tasks, with {x} tasks in front of it: only "
            "workers of that group can take it that are not reserved, and {y} short tasks wait there, too.",
            ("to", "x", "y"),
            edits=(
                "scheduler.params.group_size",
                "scheduler.params.weight",
                "scheduler.params.reserved_per_group",
                "scheduler.params.short_cutoff_s",
            ),
            now=True,
        ),
    ),
    series=(
        Series("short_waiting", "Short tasks at masters", "tasks"),
        Series("long_waiting", "Long tasks at masters", "tasks"),
    ),
)
