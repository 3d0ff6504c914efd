"""Mercury: a central scheduler places guaranteed tasks; queueable tasks wait at workers and fill idle capacity.

The central scheduler gives a machine its guaranteed tasks when the machine reports. Many schedulers send queueable
tasks to the workers with the shortest published waits. Queueable tasks wait there, start when there is room, and are
preempted if a guaranteed task needs the room.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.schedulers.probing.mercury import reasons
from scheduler_core.schedulers.probing.mercury.counters import COUNTERS
from scheduler_core.schedulers.probing.mercury.params import MercuryParams
from scheduler_core.schedulers.probing.mercury.signature import SIGNATURE
from scheduler_core.schedulers.shared.probing import QUEUE_LAYER, UNDER_FAULTS
from scheduler_core.schedulers.shared.probing.work import SENT
from scheduler_core.world.reasons import FAULT, OUTAGE_REASONS
from scheduler_core.world.spec import LOAD_LAYER, OUTAGE_LAYER, Layer, SchedulerSpec, Series

if TYPE_CHECKING:
    from scheduler_core.world.board import Board
    from scheduler_core.world.protocol import Protocol


def _load() -> Protocol:
    from scheduler_core.schedulers.probing.mercury.protocol import MercuryProtocol

    return MercuryProtocol(SPEC)


def _board() -> Board:
    from scheduler_core.schedulers.probing.mercury.board import BOARD

    return BOARD


SPEC = SchedulerSpec(
    name="mercury",
    signature=SIGNATURE,
    label="Mercury",
    family="probing",
    paper="Mercury: hybrid centralized and distributed scheduling in large shared clusters",
    summary=(
        "A central scheduler gives guaranteed tasks (long jobs) to machines that report. Queueable tasks (short "
        "jobs) fill gaps."
    ),
    params=MercuryParams,
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
            "guaranteed",
            "Guaranteed tasks",
            "level",
            "Share of the machine that guaranteed tasks hold.",
            role="pattern",
            plain="Queueable tasks only",
        ),
        OUTAGE_LAYER,
    ),
    reasons=(*reasons.ALL, *OUTAGE_REASONS),
    marks=(FAULT, reasons.PREEMPTION_MARK, reasons.SHED_MARK),
    series=(
        Series("guaranteed_waiting", "Guaranteed tasks waiting", "tasks"),
        Series("queueable_waiting", "Queueable tasks at workers", "tasks"),
    ),
)
