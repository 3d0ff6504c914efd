"""Hawk: long jobs are placed centrally, short ones by probes; idle workers steal short tasks stuck behind long ones.

Long jobs have most of the work but few of the tasks, so one central scheduler can place them carefully, by the shortest
estimated wait. Any number of schedulers place short jobs by probes to random workers, as under Sparrow. A few workers
run no long tasks. An idle worker steals short tasks that wait behind a long one elsewhere.
"""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import TYPE_CHECKING

from scheduler_core.schedulers.probing.hawk import reasons
from scheduler_core.schedulers.probing.hawk.params import HawkCParams, HawkParams
from scheduler_core.schedulers.probing.hawk.signature import HAWK, HAWK_C
from scheduler_core.schedulers.shared.probing import (
    HYBRID_LAYERS,
    HYBRID_SERIES,
    NOOPS,
    PLACED_TASKS,
    PROBE_MARK,
    PROBES,
    WITH_RACKS,
    reads_as_public,
)
from scheduler_core.schedulers.shared.probing.work import HANDED_BACK, HYBRID
from scheduler_core.world.reasons import FAULT
from scheduler_core.world.spec import Counter, Mark, SchedulerSpec
from scheduler_core.world.work import Move

if TYPE_CHECKING:
    from scheduler_core.world.board import Board
    from scheduler_core.world.protocol import Protocol


def _load(constrained: bool = False) -> Protocol:
    from scheduler_core.schedulers.probing.hawk.protocol import HawkProtocol

    return HawkProtocol(SPEC, constrained)


def _board() -> Board:
    from scheduler_core.schedulers.probing.hawk.state import HawkState
    from scheduler_core.schedulers.shared.probing.board import STEALING, hybrid_board_of

    return hybrid_board_of(HawkState, *STEALING)


SPEC = SchedulerSpec(
    name="hawk",
    signature=HAWK,
    label="Hawk",
    family="probing",
    paper="Hawk: hybrid datacenter scheduling",
    summary=(
        "Long jobs are placed centrally, short jobs by probes. Idle machines steal probes that wait behind long tasks."
    ),
    params=HawkParams,
    supports=WITH_RACKS,
    supports_under={"public-simulator": frozenset({"constraints"})},
    load=_load,
    board=_board,
    work=replace(
        HYBRID,
        moves={**HANDED_BACK, "stole": Move("steal", "machine_frm", "machine")},
    ),
    probes=True,
    reads=reads_as_public,
    counters=(
        PROBES,
        NOOPS,
        PLACED_TASKS,
        Counter("contacts", "Steal requests", "Requests of idle machines for probes of short tasks."),
        Counter("steals", "Steals", "Steal requests that were answered with probes."),
        Counter("stolen", "Probes stolen", "Probes of short jobs that idle machines stole."),
    ),
    layers=HYBRID_LAYERS,
    marks=(
        Mark("steal", "Probes stolen", "An idle machine stole probes that waited after a long task."),
        PROBE_MARK,
        FAULT,
    ),
    reasons=reasons.ALL,
    series=HYBRID_SERIES,
)

CONSTRAINED = replace(
    SPEC,
    name="hawk-c",
    signature=HAWK_C,
    label="Hawk-C",
    summary="Hawk for tasks with constraints: only machines that offer them are probed, chosen or allowed to steal.",
    params=HawkCParams,
    load=functools.partial(_load, True),
)
"""Differs from Hawk in the least number of probes, and in whose public simulator it follows."""
