"""Pigeon: a distributor spreads each job over groups of workers; each group's master places its tasks.

No part of the system knows the whole datacenter. A distributor spreads the tasks of a job evenly over the masters, and
a master knows its group exactly. A master keeps short and long tasks in two queues, reserves some workers for short
tasks, and serves the queues by weight.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.schedulers.probing.pigeon import reasons
from scheduler_core.schedulers.probing.pigeon.params import PigeonParams, first_of_groups
from scheduler_core.schedulers.probing.pigeon.signature import SIGNATURE
from scheduler_core.schedulers.shared.probing import QUEUE_SHOWN, UNDER_FAULTS
from scheduler_core.world.reasons import FAULT, OUTAGE_REASONS
from scheduler_core.world.spec import LOAD_LAYER, OUTAGE_LAYER, Counter, Groups, Layer, Mark, SchedulerSpec, Series
from scheduler_core.world.work import Keeper, Work

if TYPE_CHECKING:
    from scheduler_core.experiment import Experiment
    from scheduler_core.workload import Workload
    from scheduler_core.world.board import Board
    from scheduler_core.world.protocol import Protocol


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


def _reads(experiment: Experiment, workload: Workload) -> Workload:
    from scheduler_core.workload.public_reading import as_public_simulators_read

    aware = experiment.scheduler.params.get("profile") == "constraint-aware"
    return as_public_simulators_read(workload) if aware else workload


SPEC = SchedulerSpec(
    name="pigeon",
    signature=SIGNATURE,
    label="Pigeon",
    family="probing",
    paper="Pigeon: an effective distributed, hierarchical datacenter job scheduler",
    summary=(
        "Jobs are spread over groups at once. A group's master serves a queue of short tasks and one of long tasks."
    ),
    params=PigeonParams,
    supports=UNDER_FAULTS,
    supports_under={profile: frozenset({"constraints"}) for profile in ("public-simulator", "constraint-aware")},
    drops_under=frozenset({"constraint-aware"}),
    load=_load,
    board=_board,
    work=Work(
        Keeper(
            "group",
            "Master",
            "The master of a group of workers. Tasks wait here until a worker of the group is idle.",
            ("launched", "on_reserved", "from_short_queue", "from_long_queue"),
            two_queues=("from_short_queue", "from_long_queue"),
            reserved="on_reserved",
        ),
        long_above="short_cutoff_s",
    ),
    board_under=frozenset({"paper", "public-simulator"}),
    groups=_groups,
    reads=_reads,
    counters=(
        Counter("direct", "Started on arrival", "Tasks that found an idle worker when they reached their master."),
        Counter("on_reserved", "On reserved workers", "Short tasks that went to a reserved worker."),
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
            "Full: the worker runs short tasks only.",
            fixed=True,
            role="reserved",
        ),
        OUTAGE_LAYER,
    ),
    marks=(
        FAULT,
        Mark("reserved", "Reserved worker used", "A short task went to a reserved worker."),
    ),
    reasons=(*reasons.ALL, *OUTAGE_REASONS),
    series=(
        Series("short_waiting", "Short tasks at masters", "tasks"),
        Series("long_waiting", "Long tasks at masters", "tasks"),
    ),
)
