"""Yacc-D: bounded worker queues, tasks sent to the smallest estimated wait, least remaining work first.

Several schedulers share the jobs. They know the queues from what workers publish at heartbeats, and keep tasks for
which no queue has room. A worker serves its queue in the order of the jobs' remaining work, up to a bound on
starvation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.schedulers.probing.yacc import reasons
from scheduler_core.schedulers.probing.yacc.counters import COUNTERS
from scheduler_core.schedulers.probing.yacc.params import YaccParams
from scheduler_core.schedulers.probing.yacc.signature import SIGNATURE
from scheduler_core.schedulers.shared.probing import QUEUE_LAYER, UNDER_FAULTS
from scheduler_core.schedulers.shared.probing.work import SENT
from scheduler_core.world.reasons import FAULT, OUTAGE_REASONS
from scheduler_core.world.spec import LOAD_LAYER, OUTAGE_LAYER, Layer, SchedulerSpec, Series

if TYPE_CHECKING:
    from scheduler_core.world.board import Board
    from scheduler_core.world.protocol import Protocol


def _load() -> Protocol:
    from scheduler_core.schedulers.probing.yacc.protocol import YaccProtocol

    return YaccProtocol(SPEC)


def _board() -> Board:
    from scheduler_core.schedulers.probing.yacc.board import BOARD

    return BOARD


SPEC = SchedulerSpec(
    name="yacc-d",
    signature=SIGNATURE,
    label="Yacc-D",
    family="probing",
    paper="Efficient queue management for cluster scheduling",
    summary=(
        "Workers have bounded queues. Tasks join the shortest estimated wait; the job "
        "with the least work left goes first."
    ),
    params=YaccParams,
    supports=UNDER_FAULTS,
    load=_load,
    board=_board,
    work=SENT,
    sends=True,
    counters=COUNTERS,
    layers=(
        LOAD_LAYER,
        QUEUE_LAYER,
        Layer("bound", "Queue fill", "level", "Length of the worker's queue as a fraction of its limit."),
        OUTAGE_LAYER,
    ),
    reasons=(*reasons.ALL, *OUTAGE_REASONS),
    marks=(FAULT, reasons.BOUNCE_MARK, reasons.OVERTAKING_MARK),
    series=(
        Series("queued", "Waiting at workers", "tasks"),
        Series("kept_back", "Waiting at schedulers", "tasks"),
    ),
)
