"""Eagle: like Hawk, but no probe of a short job ever waits behind a long task.

Workers with long tasks refuse probes and say, by a bitmap that came with their latest long task, who else has some
(succinct state sharing). A probe stays with its worker until its job has no task left (sticky batch probing). Workers
serve the job with the least remaining work first, past others only as long as those are not kept waiting too long.
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

STUCK, OVERTOOK, REFUSED_PROBE, BYPASSED, REORDERED = range(STARTED + 1, STARTED + 6)
"""The last one is Phoenix's alone."""


class EagleParams(EstimateParams, HybridParams):
    """Parameters of Eagle."""

    first = ("short_cutoff_s", "long_partition_share", "probe_ratio")

    min_probes: int = Field(
        20,
        ge=1,
        le=1_000,
        title="Least probes",
        description="Probes sent for a short job even if the probe ratio makes fewer. More of them help jobs of few "
        "tasks and cost messages.",
        json_schema_extra={"unit": "probes"},
    )
    rounds: int = Field(
        2,
        ge=1,
        le=20,
        title="Rounds of probing",
        description="How often a probe may be refused by workers with long tasks before it goes to one for short jobs "
        "only. More rounds spread short tasks over more workers, which usually shortens their waits; each costs "
        "messages.",
        json_schema_extra={"unit": "rounds"},
    )
    sticky: bool = Field(
        True,
        title="Probes stay",
        description="Whether a probe that has fetched a task waits again when that has ended, and fetches the next one "
        "of its job. Off: each probe fetches one. On, jobs that have begun usually end sooner.",
    )
    shortest_first: bool = Field(
        True,
        title="Least remaining work first",
        description="Whether a worker serves the job with the least remaining work first. Off: first come, first "
        "served. It usually shortens most waits; those of large jobs lengthen where `bypass_cap` is high.",
    )
    bypass_cap: float = Field(
        5.0,
        ge=0,
        le=1_000,
        title="Cap on being overtaken",
        description="How long others may keep a probe waiting by going past it, in its own estimated run times. 0 lets "
        "only tasks past that are thought to take no time. A higher cap helps small jobs; a very high one "
        "lets large ones wait longer.",
        json_schema_extra={"unit": "x its estimate"},
    )


class EagleCParams(Forgetting, EagleParams):
    """Parameters of Eagle-C."""

    rounds: int = Field(
        5,
        ge=1,
        le=20,
        title="Rounds of probing",
        description="How often a probe may be refused by workers with long tasks before it goes to one for short jobs "
        "only. More rounds spread short tasks over more workers, which usually shortens their waits; each costs "
        "messages.",
        json_schema_extra={"unit": "rounds"},
    )


def _load(constrained: bool = False) -> Protocol:
    from scheduler_core.schedulers.probing.eagle.protocol import EagleProtocol

    return EagleProtocol(constrained)


def _board() -> Board:
    from scheduler_core.schedulers.probing.eagle.state import EagleState
    from scheduler_core.schedulers.shared.probing.board import REFUSING, hybrid_board_of

    return hybrid_board_of(EagleState, *REFUSING)


SPEC = SchedulerSpec(
    name="eagle",
    label="Eagle",
    family="probing",
    paper="Job-aware scheduling in Eagle: divide and stick to your probes",
    summary="Like Hawk, but workers with long tasks refuse probes; probes stay with their job; least work goes first.",
    params=EagleParams,
    supports=frozenset({"constraints"}),
    load=_load,
    board=_board,
    probes=True,
    reads=reads_as_public,
    counters=(
        PROBES,
        NOOPS,
        PLACED_TASKS,
        Counter("refused", "Probes refused", "Probes that a worker with long tasks sent back."),
        Counter(
            "fallbacks",
            "Fallbacks",
            "Probes that went to a worker for short jobs only after the last round; jobs with some under the "
            "profile of the public simulator.",
        ),
        Counter("sticky", "Tasks by probes that stayed", "Tasks fetched by a probe that had fetched one before."),
        Counter("overtaking", "Tasks that overtook", "Tasks fetched past probes in front that still wait."),
        Counter("dropped", "Probes dropped", "Probes forgotten by their worker because their job had no task left."),
        Counter("behind_long", "Probes behind long tasks", "Probes that joined a queue in which a long task was."),
        Counter(
            "lacking",
            "Constraints forgotten",
            "Tasks of short jobs started where something that they ask for is not offered: 0 but under the rules "
            "of Phoenix's authors' program.",
        ),
    ),
    layers=HYBRID_LAYERS,
    marks=(
        Mark("refusal", "Probe refused", "A worker with a long task sent a probe back."),
        Mark("overtaking", "Overtaken", "A task went past probes in front, for its job has less work left."),
        PROBE_MARK,
    ),
    reasons=(
        *HYBRID_REASONS,
        Reason(
            STUCK,
            "stuck",
            "Worker {machine} had just run another task of its job; the probe stayed there and asked for the next. "
            "It had come {x_s} before.",
            ("machine", "x_s"),
            mark="probe",
            edits=("scheduler.params.sticky",),
        ),
        Reason(
            OVERTOOK,
            "overtook",
            "Worker {machine} took it before {y} others in front, because its job had less work left; its probe had "
            "waited {x_s}.",
            ("machine", "y", "x_s"),
            mark="overtaking",
            edits=("scheduler.params.shortest_first", "scheduler.params.bypass_cap"),
        ),
        Reason(
            REFUSED_PROBE,
            "refused",
            "Probes of its job met a long task where they came and were sent to others: {x} in round {y}.",
            ("x", "y"),
            mark="refusal",
            edits=("scheduler.params.rounds", "scheduler.params.long_partition_share"),
        ),
        Reason(
            BYPASSED,
            "bypassed",
            "Worker {machine} had served other jobs past its probe, {y} s of work by their estimates; it had waited "
            "{x_s}.",
            ("machine", "y", "x_s"),
            mark="probe",
            edits=("scheduler.params.bypass_cap", "scheduler.params.shortest_first"),
        ),
    ),
    series=HYBRID_SERIES,
)

CONSTRAINED = replace(
    SPEC,
    name="eagle-c",
    label="Eagle-C",
    summary="Eagle where tasks have constraints: only workers that offer them are probed, thought free or chosen.",
    params=EagleCParams,
    load=functools.partial(_load, True),
)
"""Differs from Eagle in its rounds, and in whose public simulator it follows."""
