"""The networks that flow schedulers solve, for whoever looks at them: round by round, a task's way, both solvers."""

from __future__ import annotations

from scheduler_core.explanation.flow.picture import flow_pictures
from scheduler_core.explanation.flow.race import flow_race
from scheduler_core.explanation.flow.ways import flow_way

__all__ = ["flow_pictures", "flow_race", "flow_way"]
