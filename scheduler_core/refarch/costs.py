"""The cost of one operation of each stage, for modeled times.

Measured once and frozen: `python -m bench.stage_costs` on a core of an AMD EPYC server, 21 November 2026, plain
compiled loops over a thousand rows. So a stage's time is the same on every run and machine; `cost_scale` of a pipeline
says how much slower its own machine is.
"""

from __future__ import annotations

from scheduler_core.refarch.stages import STAGES

COMPARED, MOVED = 7.0, 3.0
"""Sorting: a comparison with the move that follows; shuffling: a move. In ns, as all here."""
LOOKED_AT, GONE_THROUGH = 6.0, 1.3
"""A task or job whose state is looked at; one that is only passed."""
BY_PROPERTIES, BY_ROOM, SCORED = 3.0, 4.5, 2.8
"""A machine whose properties, or whose free resources, are compared; one that gets a score."""
SENT, ENDED = 13.0, 18.0
"""A record written, resources taken, an event put among a thousand; the next taken out, resources given back."""

_NS = {
    "J2": LOOKED_AT, "J3": COMPARED, "J4": GONE_THROUGH, "J5": SENT, "J6": ENDED, "J7": SENT,
    "T1": LOOKED_AT, "T2": COMPARED, "T3": GONE_THROUGH, "T4": SENT, "T5": SENT, "T6": LOOKED_AT, "T7": ENDED,
    "T8": SENT, "T9": SENT, "T10": LOOKED_AT, "T11": SENT, "T12": LOOKED_AT,
    "B": SENT, "M1": GONE_THROUGH, "M2": GONE_THROUGH, "M3": GONE_THROUGH, "M4": BY_ROOM, "M5": SCORED, "M6": SENT,
    "R1": GONE_THROUGH, "R2": BY_PROPERTIES, "R3": BY_PROPERTIES, "R4": BY_ROOM, "R5": SCORED, "R6": SENT,
    "R7": LOOKED_AT,
}  # fmt: skip
COST_NS: tuple[float, ...] = tuple(_NS.get(stage.id, GONE_THROUGH) for stage in STAGES)
"""Nanoseconds of one operation, stage by stage in the order of `STAGES`; of T2 under `random` it is `MOVED`."""
