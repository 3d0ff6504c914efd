"""Hawk: long jobs placed centrally, short ones by probes, and idle workers steal short tasks from behind long ones.

Long jobs hold most of the work and few of the tasks, so one scheduler can place them with care, by the least estimated
wait. Short ones are placed by as many schedulers as one likes, by probes to random workers (Sparrow). A few workers are
kept free of long tasks. A worker with nothing to do takes over short tasks that stand behind a long one elsewhere.
"""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import TYPE_CHECKING

from pydantic import Field

from scheduler_core.schedulers.shared.probing import (
    HYBRID_LAYERS,
    HYBRID_REASONS,
    HYBRID_SERIES,
    NOOPS,
    PLACED_TASKS,
    PROBE_MARK,
    PROBES,
    STARTED,
    EstimateParams,
    Forgetting,
    HybridParams,
    reads_as_public,
)
from scheduler_core.world.spec import Counter, Mark, Reason, SchedulerSpec

if TYPE_CHECKING:
    from scheduler_core.world.board import Board
    from scheduler_core.world.protocol import Protocol

LAUNCHED_STOLEN, STOLE = range(STARTED + 1, STARTED + 3)


class HawkParams(EstimateParams, HybridParams):
    """Parameters of Hawk."""

    first = ("short_cutoff_s", "long_partition_share", "probe_ratio")

    min_probes: int = Field(
        2,
        ge=1,
        le=1_000,
        title="Least probes",
        description="Probes sent for a short job even if the probe ratio makes fewer. More of them help jobs of few "
        "tasks and cost messages.",
        json_schema_extra={"unit": "probes"},
    )
    steal_contacts: int = Field(
        10,
        ge=0,
        le=1_000,
        title="Workers asked",
        description="How many workers an idle one asks for short tasks, one after the other, until one gives some. 0 "
        "turns stealing off. More contacts shorten waits behind long tasks and cost messages.",
        json_schema_extra={"unit": "workers"},
    )


class HawkCParams(Forgetting, HawkParams):
    """Parameters of Hawk-C."""

    min_probes: int = Field(
        20,
        ge=1,
        le=1_000,
        title="Least probes",
        description="Probes sent for a short job even if the probe ratio makes fewer. More of them help jobs of few "
        "tasks and cost messages.",
        json_schema_extra={"unit": "probes"},
    )


def _load(constrained: bool = False) -> Protocol:
    from scheduler_core.schedulers.probing.hawk.protocol import HawkProtocol

    return HawkProtocol(constrained)


def _board() -> Board:
    from scheduler_core.schedulers.probing.hawk.state import HawkState
    from scheduler_core.schedulers.shared.probing.board import STEALING, hybrid_board_of

    return hybrid_board_of(HawkState, *STEALING)


SPEC = SchedulerSpec(
    name="hawk",
    label="Hawk",
    family="probing",
    paper="Hawk: hybrid datacenter scheduling",
    summary="Long jobs are placed centrally, short ones by probes; idle workers steal from behind long tasks.",
    params=HawkParams,
    supports=frozenset({"constraints"}),
    load=_load,
    board=_board,
    probes=True,
    reads=reads_as_public,
    counters=(
        PROBES,
        NOOPS,
        PLACED_TASKS,
        Counter("contacts", "Asked for work", "Questions of idle workers for short tasks."),
        Counter("steals", "Steals", "Questions that were answered with probes."),
        Counter("stolen", "Probes stolen", "Probes of short jobs that idle workers took over."),
    ),
    layers=HYBRID_LAYERS,
    marks=(
        Mark("steal", "Probes stolen", "An idle worker took short tasks over from behind a long one."),
        PROBE_MARK,
    ),
    reasons=(
        *HYBRID_REASONS,
        Reason(
            LAUNCHED_STOLEN,
            "launched_stolen",
            "Worker {machine} had taken the probe over from worker {frm}, where it stood behind a long task; it had "
            "waited {x_s} in both queues.",
            ("machine", "frm", "x_s"),
            mark="probe",
            edits=("scheduler.params.steal_contacts",),
        ),
        Reason(
            STOLE,
            "stole",
            "Idle worker {machine} took {x} probes over from worker {frm}, the first of them one of its job; "
            "that was worker number {y} that it asked.",
            ("machine", "frm", "x", "y"),
            mark="steal",
            edits=("scheduler.params.steal_contacts",),
        ),
    ),
    series=HYBRID_SERIES,
)

CONSTRAINED = replace(
    SPEC,
    name="hawk-c",
    label="Hawk-C",
    summary="Hawk where tasks have constraints: only workers that offer them are probed, chosen or allowed to steal.",
    params=HawkCParams,
    load=functools.partial(_load, True),
)
"""Differs from Hawk in the least number of probes, and in whose public simulator it follows."""
