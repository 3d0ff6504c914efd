"""PCSsampler: schedulers sample workers and remember their reports as a private state of the cluster.

A task goes to a worker that its scheduler knows to have room. If the scheduler knows none, it samples workers, as
Sparrow does. Every reply of a worker says what is free there and how many tasks wait.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.schedulers.probing.pcssampler import reasons
from scheduler_core.schedulers.probing.pcssampler.counters import COUNTERS
from scheduler_core.schedulers.probing.pcssampler.params import KNOWN_SHOWN, PcsSamplerParams
from scheduler_core.schedulers.probing.pcssampler.signature import SIGNATURE
from scheduler_core.schedulers.shared.probing import QUEUE_LAYER, UNDER_FAULTS
from scheduler_core.world.reasons import FAULT, OUTAGE_REASONS
from scheduler_core.world.spec import LOAD_LAYER, OUTAGE_LAYER, Layer, Mark, SchedulerSpec, Series
from scheduler_core.world.work import Keeper, Move, Work

if TYPE_CHECKING:
    from scheduler_core.world.board import Board
    from scheduler_core.world.protocol import Protocol


def _load() -> Protocol:
    from scheduler_core.schedulers.probing.pcssampler.protocol import PcsSamplerProtocol

    return PcsSamplerProtocol(SPEC)


def _board() -> Board:
    from scheduler_core.schedulers.probing.pcssampler.board import BOARD

    return BOARD


SPEC = SchedulerSpec(
    name="pcssampler",
    signature=SIGNATURE,
    label="PCSsampler",
    family="probing",
    paper="PCSsampler: sample-based, private-state cluster scheduling",
    summary=(
        "Schedulers send tasks to workers that have room by their latest reports, and probe if they know of none."
    ),
    params=PcsSamplerParams,
    supports=UNDER_FAULTS,
    load=_load,
    board=_board,
    work=Work(
        Keeper(
            "scheduler",
            "Scheduler",
            "Sends each task to a worker that it remembers or probes.",
            ("known", "sampled", "refused"),
        ),
        moves={"handed_back": Move("shed", "machine", "keeper", wrong=True)},
    ),
    sends=True,
    counters=COUNTERS,
    layers=(
        LOAD_LAYER,
        QUEUE_LAYER,
        Layer(
            "known",
            "Known to have room",
            "level",
            "Number of schedulers that believe that the worker has room.",
            unit="schedulers",
            full=KNOWN_SHOWN,
        ),
        OUTAGE_LAYER,
    ),
    reasons=(*reasons.ALL, *OUTAGE_REASONS),
    marks=(
        FAULT,
        Mark("refusal", "Task refused", "A worker no longer had room for a task that was sent to it.", role="refusal"),
    ),
    series=(
        Series("waiting_at_workers", "Waiting at workers", "tasks"),
        Series("workers_known", "Workers that each scheduler knows to have room", "workers"),
    ),
)
