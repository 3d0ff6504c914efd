"""What one operation of each stage costs, for modelled times.

Estimated, not measured: about what plain compiled loops take for a comparison, a move or a look at a machine on one
core of a server. What matters is their proportion; `cost_scale` of a pipeline says how much slower its own machine is.
"""

from __future__ import annotations

from scheduler_core.refarch.stages import STAGES

_NS = {
    "J2": 20.0, "J3": 20.0, "J4": 5.0, "J5": 50.0, "J6": 50.0, "J7": 50.0,
    "T1": 10.0, "T2": 20.0, "T3": 5.0, "T4": 100.0, "T5": 50.0, "T6": 20.0, "T7": 100.0, "T8": 50.0,
    "T10": 10.0, "T11": 50.0, "T12": 50.0, "B": 100.0,
    "M1": 10.0, "M2": 10.0, "M3": 5.0, "M4": 10.0, "M5": 10.0, "M6": 50.0,
    "R1": 1.0, "R2": 3.0, "R3": 3.0, "R4": 3.0, "R5": 6.0, "R6": 100.0, "R7": 10.0,
}  # fmt: skip
COST_NS: tuple[float, ...] = tuple(_NS.get(stage.id, 50.0) for stage in STAGES)
"""Nanoseconds of one operation, stage by stage in the order of `STAGES`."""
