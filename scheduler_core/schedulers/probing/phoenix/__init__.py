"""Phoenix: Eagle with task constraints; under pressure workers serve the scarcest constraint first.

A monitor compares demand and supply of each constraint (the ratios are the CRV). While the load is high, and wherever a
worker expects a long wait, the probe with the scarcest constraint goes first. If the constraints of a job cannot be
met, the job is admitted without its soft constraints.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.schedulers.probing import eagle
from scheduler_core.schedulers.probing.phoenix import reasons
from scheduler_core.schedulers.probing.phoenix.counters import COUNTERS
from scheduler_core.schedulers.probing.phoenix.params import AXES, PhoenixParams
from scheduler_core.schedulers.probing.phoenix.signature import SIGNATURE
from scheduler_core.schedulers.shared.probing import HYBRID_LAYERS, HYBRID_SERIES, WITH_RACKS, reads_as_public
from scheduler_core.world.spec import Layer, Mark, SchedulerSpec, Series, SeriesMap

if TYPE_CHECKING:
    from scheduler_core.world.board import Board
    from scheduler_core.world.protocol import Protocol


def _load() -> Protocol:
    from scheduler_core.schedulers.probing.phoenix.protocol import PhoenixProtocol

    return PhoenixProtocol(SPEC)


def _board() -> Board:
    from scheduler_core.schedulers.probing.phoenix.state import PhoenixState
    from scheduler_core.schedulers.shared.probing.board import REFUSING, hybrid_board_of

    return hybrid_board_of(PhoenixState, *REFUSING)


SPEC = SchedulerSpec(
    name="phoenix",
    signature=SIGNATURE,
    label="Phoenix",
    family="probing",
    paper="Phoenix: a constraint-aware scheduler for heterogeneous datacenters",
    summary="Like Eagle-C, but under high load or long waits, tasks with the scarcest constraint go first, and jobs "
    "may "
    "drop soft constraints.",
    params=PhoenixParams,
    supports=WITH_RACKS | {"soft_constraints"},
    supports_under={"public-simulator": frozenset({"constraints"})},
    load=_load,
    board=_board,
    work=eagle.SPEC.work,
    probes=True,
    reads=reads_as_public,
    counters=COUNTERS,
    layers=(
        *HYBRID_LAYERS,
        Layer("scarcest", "Scarcest first", "level", "Full: the worker last served the scarcest constraint first."),
    ),
    marks=(
        *eagle.SPEC.marks,
        Mark(
            "reorder",
            "Reordered by scarcity (CRV)",
            "A task overtook probes in front, because its constraints are scarcer.",
        ),
        Mark("negotiation", "Negotiated", "A job was admitted without its soft constraints."),
        Mark(
            "crv_on",
            "Scarcest first (CRV): on",
            "The load rose above its threshold: all workers serve the scarcest constraint first.",
            whole=True,
        ),
        Mark(
            "crv_off",
            "Scarcest first (CRV): off",
            "The load fell below its threshold: only workers that expect long waits still serve the scarcest "
            "constraint first.",
            whole=True,
        ),
    ),
    reasons=reasons.ALL,
    series=(
        *HYBRID_SERIES,
        Series("crv_on", "Scarcest first (CRV) for all workers", "0 or 1"),
        Series("scarcest_first", "Workers with the scarcest first", "workers"),
        Series("crv_most", "CRV: scarcest constraint", "tasks per worker"),
        *(Series(f"crv_{axis}", f"CRV: {word}", "tasks per worker") for axis, word in AXES.items()),
    ),
    maps=(
        SeriesMap(
            "crv",
            "CRV",
            "Which kind of constraint is scarce, and when do workers serve the scarcest first?",
            "Tasks of short jobs that wait and ask for a kind, over the workers that offer it. The band: the load is "
            "above its threshold, so all workers serve the scarcest constraint first.",
            prefix="crv_",
            switch="crv_on",
            threshold=1.0,
        ),
    ),
)
