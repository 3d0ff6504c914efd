"""Apollo: each job schedules its own tasks by the wait times that servers publish, and corrects wrong estimates.

A task goes to the server with the lowest estimated cost of completion. The tasks of a batch are matched to servers
together, so that no server gets all of them. A job's tokens limit the number of its regular tasks; the others are
opportunistic and fill gaps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.schedulers.probing.apollo import reasons
from scheduler_core.schedulers.probing.apollo.counters import COUNTERS
from scheduler_core.schedulers.probing.apollo.params import OPPORTUNISTIC_SHOWN, ApolloParams
from scheduler_core.schedulers.probing.apollo.signature import SIGNATURE
from scheduler_core.schedulers.shared.probing import QUEUE_LAYER, UNDER_FAULTS
from scheduler_core.schedulers.shared.probing.work import SENT
from scheduler_core.world.reasons import FAULT, OUTAGE_REASONS
from scheduler_core.world.spec import LOAD_LAYER, OUTAGE_LAYER, Layer, SchedulerSpec, Series

if TYPE_CHECKING:
    from scheduler_core.world.board import Board
    from scheduler_core.world.protocol import Protocol


def _load() -> Protocol:
    from scheduler_core.schedulers.probing.apollo.protocol import ApolloProtocol

    return ApolloProtocol(SPEC)


def _board() -> Board:
    from scheduler_core.schedulers.probing.apollo.board import BOARD

    return BOARD


SPEC = SchedulerSpec(
    name="apollo",
    signature=SIGNATURE,
    label="Apollo",
    family="probing",
    paper="Apollo: scalable and coordinated scheduling for cloud-scale computing",
    summary=(
        "Jobs choose machines by published waits, in batches. Opportunistic tasks fill "
        "gaps; copies of late tasks correct bad choices."
    ),
    params=ApolloParams,
    supports=UNDER_FAULTS,
    load=_load,
    board=_board,
    work=SENT,
    sends=True,
    counters=COUNTERS,
    layers=(
        LOAD_LAYER,
        QUEUE_LAYER,
        Layer(
            "opportunistic",
            "Opportunistic",
            "level",
            "Opportunistic tasks that wait at the machine.",
            unit="waiting",
            full=OPPORTUNISTIC_SHOWN,
        ),
        Layer(
            "suspected",
            "Suspected",
            "level",
            "Full: jobs expect the machine to fail some tasks.",
            fixed=True,
        ),
        OUTAGE_LAYER,
    ),
    reasons=(*reasons.ALL, *OUTAGE_REASONS),
    marks=(
        FAULT,
        reasons.DUPLICATE_MARK,
    ),
    series=(
        Series("regular_waiting", "Regular tasks at machines", "tasks"),
        Series("opportunistic_waiting", "Opportunistic tasks at machines", "tasks"),
    ),
)
