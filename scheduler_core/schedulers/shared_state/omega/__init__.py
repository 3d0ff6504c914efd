"""Omega: several schedulers, each with its own copy of one shared cell state, and optimistic commits.

A scheduler copies the state, decides on the copy for the duration of the decision, and commits its claims. If other
schedulers have taken the same resources meanwhile, this is a conflict. The commit detects conflicts; nothing prevents
them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scheduler_core.schedulers.shared_state.omega import reasons
from scheduler_core.schedulers.shared_state.omega.counters import COUNTERS
from scheduler_core.schedulers.shared_state.omega.params import CONFLICTS_SHOWN, OmegaParams
from scheduler_core.schedulers.shared_state.omega.signature import SIGNATURE
from scheduler_core.world.reasons import FAULT
from scheduler_core.world.spec import LOAD_LAYER, OUTAGE_LAYER, Layer, SchedulerSpec, Series
from scheduler_core.world.work import Keeper, Work

if TYPE_CHECKING:
    from scheduler_core.world.board import Board
    from scheduler_core.world.protocol import Protocol


def _load() -> Protocol:
    from scheduler_core.schedulers.shared_state.omega.protocol import OmegaProtocol

    return OmegaProtocol()


def _board() -> Board:
    from scheduler_core.schedulers.shared_state.omega.board import BOARD

    return BOARD


def _copied(state: Any) -> Any:
    """Return when each scheduler last made its copy, in ns."""
    return state.scheduler["copied_ns"]


SPEC = SchedulerSpec(
    name="omega",
    signature=SIGNATURE,
    label="Omega",
    family="shared-state",
    paper="Omega: flexible, scalable schedulers for large compute clusters",
    summary=(
        "Schedulers decide in parallel on copies of one shared state. A commit is checked for conflicts with other "
        "decisions."
    ),
    params=OmegaParams,
    supports=frozenset(
        {"constraints", "gangs", "interference", "machine_faults", "share_changes", "parameter_changes"}
    ),
    load=_load,
    board=_board,
    work=Work(
        Keeper(
            "scheduler",
            "Scheduler",
            "Decides about one job at a time, on its own copy of the datacenter's state.",
            ("committed", "conflict", "changed", "rolled_back", "no_room", "incomplete", "lost"),
        ),
        copies=_copied,
    ),
    counters=COUNTERS,
    layers=(
        LOAD_LAYER,
        OUTAGE_LAYER,
        Layer(
            "conflicts",
            "Conflicts",
            "level",
            "Claims of the machine that were refused so far.",
            unit="refused",
            full=CONFLICTS_SHOWN,
        ),
    ),
    by_resource=True,
    reasons=reasons.ALL,
    marks=(reasons.CONFLICT_MARK, FAULT),
    series=(
        Series("conflict_fraction", "Conflicts per scheduled job", "1"),
        Series("busy_batch", "Batch schedulers busy", "1"),
        Series("busy_service", "Service scheduler busy", "1"),
        Series("busy_most", "Busiest scheduler", "1"),
    ),
)
