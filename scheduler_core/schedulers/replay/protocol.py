"""The replay's interface to the driver: packing, and why tasks wait."""

from __future__ import annotations

from typing import Any

import numpy as np

from scheduler_core.engine.events import schedule
from scheduler_core.engine.incidents import look_for
from scheduler_core.engine.records import LISTS, NOBODY, TASK_WAITING, World, records
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.schedulers.replay import kernel
from scheduler_core.schedulers.replay.params import ReplayParams
from scheduler_core.schedulers.replay.reasons import FULL, LATER, NEVER_STARTS
from scheduler_core.schedulers.replay.state import PLAN, RULES, TASK_END, ReplayState
from scheduler_core.workload.clusters.standing import ENDLESS_NS
from scheduler_core.world.protocol import DefaultProtocol
from scheduler_core.world.start import Start


class ReplayProtocol(DefaultProtocol):
    """See scheduler_core.world.protocol.Protocol."""

    loop = kernel

    def pack(self, start: Start[ReplayParams]) -> ReplayState:
        """Return the state at time zero. Raises ExperimentError for a workload without any recorded start."""
        world, recorded = start.world, start.recorded
        on_arrival = start.params.without_start == "arrival"
        runs = 0 if start.standing is None else start.standing.running
        if recorded is None and not on_arrival and runs < len(world.task):
            raise ExperimentError([_nothing_recorded()])
        look_for(world, LISTS)
        rules = self.rules(start, RULES)
        rules["on_arrival"] = on_arrival
        plan = records(len(world.task), PLAN)
        plan["start_ns"], plan["machine"] = NOBODY, NOBODY
        if recorded is not None:
            plan["start_ns"], plan["machine"] = recorded.start_ns, recorded.machine
        state = ReplayState(rules, plan, np.zeros(len(world.task) + 1, np.int32), np.zeros(len(world.demand), np.uint8))
        for t in range(runs):
            row = world.task[t]
            row.requested += 1
            if row.duration_ns < ENDLESS_NS:
                row.end_ns = row.last_start_ns + row.duration_ns
                schedule(world, int(row.end_ns), TASK_END, t, int(row.requested))
        return state

    def why_waiting(self, world: World, state: ReplayState, task: int) -> dict[str, Any] | None:
        """Return when the recording starts the task, that it never does, or how long ago it did."""
        row, start_ns = world.task[task], int(state.plan[task].start_ns)
        if row.state != TASK_WAITING:
            return None
        now_ns = int(world.control[0].now_ns)
        if start_ns < 0 and not state.rules[0].on_arrival:
            return {"reason": NEVER_STARTS}
        if start_ns > now_ns:
            return {"reason": LATER, "y": start_ns - now_ns}
        return {"reason": FULL, "x": now_ns - max(start_ns, int(world.job[row.job].arrival_ns))}


def _nothing_recorded() -> Problem:
    return Problem(
        "workload",
        "records no start of any task, so there is nothing to replay",
        "an import of sacct or kubectl that knows starts after time 0, or jobs with `started_s`",
        "choose another scheduler, or set `scheduler.params.without_start` to 'arrival'",
    )
