"""Min-cost max-flow on networks that change: the incremental solvers and the reference solver."""

from __future__ import annotations

from scheduler_core.flow.network import FlowNetwork
from scheduler_core.flow.solution import Solution, Work

__all__ = ["FlowNetwork", "Solution", "Work"]
