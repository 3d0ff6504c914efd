"""Show the networks that flow schedulers solve: round by round, one task's path, and the solvers compared."""

from __future__ import annotations

from scheduler_core.explanation.flow.picture import flow_pictures
from scheduler_core.explanation.flow.race import flow_race
from scheduler_core.explanation.flow.ways import flow_way

__all__ = ["flow_pictures", "flow_race", "flow_way"]
