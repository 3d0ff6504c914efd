"""A user's own policy: a few lines say which task is next and which machine it gets; parameters say what it knows.

The text is data (scheduler_core.policy). One compiled loop interprets every policy, so an edit compiles nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.schedulers.own import reasons
from scheduler_core.schedulers.own.params import OwnParams
from scheduler_core.schedulers.own.signature import SIGNATURE
from scheduler_core.schedulers.shared.pacing import NEAR_COUNTERS, PACE_COUNTERS
from scheduler_core.world.reasons import FAULT
from scheduler_core.world.spec import LOAD_LAYER, OUTAGE_LAYER, Counter, Layer, SchedulerSpec, Series
from scheduler_core.world.work import Move, Work

if TYPE_CHECKING:
    from scheduler_core.world.protocol import Protocol


def _load() -> Protocol:
    from scheduler_core.schedulers.own.protocol import OwnProtocol

    return OwnProtocol(SPEC)


SPEC = SchedulerSpec(
    name="own",
    signature=SIGNATURE,
    label="Your own",
    family="queue",
    paced=True,
    queue_note="",
    paper="",
    summary="A few lines of your own say which task is next and which machine it gets.",
    params=OwnParams,
    supports=frozenset(
        {
            "constraints",
            "interference",
            "machine_faults",
            "parameter_changes",
            "priorities",
            "share_changes",
            "soft_constraints",
        }
    ),
    load=_load,
    counters=(
        Counter("decisions", "Decisions", "Searches for a machine."),
        Counter("in_vain", "Failed searches", "Searches that found no machine."),
        Counter("late", "Expired decisions", "Decisions that were no longer possible when they took effect."),
        Counter("conflicts", "Conflicts", "Requests that a machine refused because the scheduler's view was stale."),
        Counter("preemptions", "Preemptions", "Running tasks that the policy preempted."),
        Counter("looked", "Machines checked", "Machines checked by all decisions together."),
        Counter("steps", "Steps", "Values that the policy computed, and machines that it looked at."),
        Counter("by_fallback", "Decisions without the policy", "Decisions after the policy's steps were used up."),
        Counter("undefined_order", "Undefined order", "Orders without a value, such as 1 / 0. Such tasks go last."),
        Counter("undefined_filter", "Undefined filter", "Filters without a value. Such machines are not used."),
        Counter("undefined_score", "Undefined score", "Scores without a value. Such machines rank last."),
        Counter("undefined_preempt", "Undefined preemption", "Preemptions without a value. Such tasks go on."),
        *PACE_COUNTERS,
        *NEAR_COUNTERS,
    ),
    layers=(LOAD_LAYER, OUTAGE_LAYER, Layer("line", "Line", "level", "Tasks in line.", unit="tasks", full=32)),
    by_resource=True,
    work=Work(moves={"late": Move("bounce", wrong=True), "conflict": Move("bounce", wrong=True)}, decision="choose"),
    reasons=reasons.ALL,
    marks=(reasons.PREEMPTION, reasons.CONFLICTS, reasons.FALLBACK, FAULT),
    series=(Series("waiting_in_line", "Tasks in lines", "tasks"),),
)
