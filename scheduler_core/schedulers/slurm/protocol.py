"""Slurm's interface to the driver: packing, and why tasks wait."""

from __future__ import annotations

from typing import Any

import numpy as np

from scheduler_core.engine.events import EVENT_HEADROOM, schedule
from scheduler_core.engine.incidents import look_for
from scheduler_core.engine.records import LISTS, NOBODY, TASK_WAITING, Ints, Records, World, records
from scheduler_core.experiment import Experiment
from scheduler_core.schedulers.slurm import kernel
from scheduler_core.schedulers.slurm.packing import cpu_of, jobs_of
from scheduler_core.schedulers.slurm.params import SlurmParams
from scheduler_core.schedulers.slurm.reasons import BEHIND, DEPENDENCY, DEPENDENCY_NEVER, NO_ROOM, NOT_TRIED, WILL_START
from scheduler_core.schedulers.slurm.state import (
    BEGAN,
    CLAIM,
    CONSERVATIVE,
    EASY,
    NEVER,
    NONE,
    READY,
    RULES,
    TASK_END,
    SlurmState,
)
from scheduler_core.workload.clusters.standing import ENDLESS_NS
from scheduler_core.world.planned import settings_after_events
from scheduler_core.world.protocol import DefaultProtocol
from scheduler_core.world.start import Start

_BACKFILL = {"none": NONE, "easy": EASY, "conservative": CONSERVATIVE}
_MINUTE_NS = 60e9
_LONG_AGO_NS = -(1 << 60)
_NO_LIMIT = 1 << 60


class SlurmProtocol(DefaultProtocol):
    """See scheduler_core.world.protocol.Protocol."""

    loop = kernel

    def event_room(self, experiment: Experiment, params: Any, largest_job: int) -> int:
        """Return room for the events of one step."""
        return EVENT_HEADROOM

    def pack(self, start: Start[SlurmParams]) -> SlurmState:
        """Return the state at time zero."""
        world = start.world
        look_for(world, LISTS)
        jobs = jobs_of(start)
        tasks, machines, units = len(world.task), len(world.machine), len(jobs.unit)
        rules = self.rules(start, RULES)
        fill(rules, start.params)
        rules["exclusive"], rules["per_machine"] = start.params.OverSubscribe == "EXCLUSIVE", jobs.per_machine
        rules["last_plan_ns"] = _LONG_AGO_NS
        rules["unit"] = rules["task"] = rules["full_ns"] = rules["cut"] = NOBODY
        state = SlurmState(
            rules=rules, setting=settings_after_events(start, RULES, fill), unit=jobs.unit, account=jobs.account,
            pending=np.zeros(units + 1, np.int32), running=np.zeros(units, np.int32),
            spare=np.zeros(max(units, tasks) + 1, np.int32), claim=records(tasks + 1, CLAIM),
            order=np.zeros(tasks + 1, np.int32), first=np.full(machines, NOBODY, np.int32),
            cap=np.zeros(machines, np.int64), allowed=np.ascontiguousarray(jobs.allowed),
            blocked=np.zeros(machines, np.uint8), failed=np.zeros(len(jobs.allowed), np.uint8),
            total=world.capacity.sum(axis=0).astype(np.int64), amount=np.zeros(world.free.shape[1], np.int64),
            link=jobs.waits.link, link_first=jobs.waits.first, group=jobs.waits.group,
            unbegun=np.bincount(jobs.unit["job"], minlength=len(world.job)).astype(np.int32),
            began_ns=np.full(len(jobs.waits.first) - 1, -(1 << 62), np.int64), cpu=np.array([cpu_of(start)], np.int64),
        )  # fmt: skip
        if start.standing is not None:
            _stand(world, state, start.standing.running, jobs.began_ns)
        return state

    def series(self, world: World, state: SlurmState) -> dict[str, float]:
        """Return the number of jobs that wait."""
        return {"jobs_pending": float(state.rules[0].tail - state.rules[0].head)}

    def why_waiting(self, world: World, state: SlurmState, task: int) -> dict[str, Any] | None:
        """Return the plan for the task's job, else what it waits behind."""
        row, rules = world.task[task], state.rules[0]
        if row.state != TASK_WAITING:
            return None
        unit = state.unit[row.kind]
        if unit.needs > 0:
            never = unit.needs >= NEVER
            return {"reason": DEPENDENCY_NEVER if never else DEPENDENCY, "x": 0 if never else int(unit.needs)}
        waits = state.pending[int(rules.head) : int(rules.tail)]
        ahead = np.flatnonzero(waits == row.kind)
        if unit.planned_ns > world.control[0].now_ns:
            wait_ns = int(unit.planned_ns - world.control[0].now_ns)
            return {"reason": WILL_START, "x": int(unit.waiting), "y": wait_ns}
        if rules.cut != NOBODY and _place(state, int(row.kind)) >= _place(state, int(rules.cut)):
            wait_ns = max(int(rules.full_ns - world.control[0].now_ns), 0)
            return {"reason": NOT_TRIED, "x": int(rules.depth), "y": wait_ns}
        if len(ahead) and ahead[0] > 0:
            return {"reason": BEHIND, "x": int(ahead[0])}
        if unit.told == 0:
            return None
        return {"reason": NO_ROOM, "x": int(unit.waiting), "y": int(min(rules.placed, max(unit.waiting - 1, 0)))}

    def inspect(self, world: World, state: SlurmState) -> dict[str, Any]:
        """Return the counters, and the first jobs in order with their priorities."""
        rules = state.rules[0]
        first = state.pending[int(rules.head) : int(rules.tail)][:10]
        return {
            **self.counters(world, state),
            "jobs_pending": int(rules.tail - rules.head),
            "next_jobs": [
                {"job": int(state.unit[u].job), "priority": int(state.unit[u].priority)} for u in first.tolist()
            ],
        }


def fill(rules: Records, params: SlurmParams) -> None:
    """Write the parameters into rows of RULES."""
    rules["weight_age"], rules["weight_fair"] = params.PriorityWeightAge, params.PriorityWeightFairshare
    rules["weight_size"], rules["weight_qos"] = params.PriorityWeightJobSize, params.PriorityWeightQOS
    rules["weight_partition"] = params.PriorityWeightPartition
    rules["max_age_ns"] = params.PriorityMaxAge * _MINUTE_NS
    rules["half_life_ns"] = params.PriorityDecayHalfLife * _MINUTE_NS
    rules["period_ns"] = max(round(params.PriorityCalcPeriod * _MINUTE_NS), 1)
    rules["favor_small"], rules["fair_tree"] = params.PriorityFavorSmall, params.fair_tree
    rules["backfill"], rules["most_tests"] = _BACKFILL[params.backfill], params.bf_max_job_test
    rules["depth"] = _NO_LIMIT if params.default_queue_depth is None else params.default_queue_depth
    rules["every_ns"] = max(round(params.sched_interval * 1e9), 1)
    rules["interval_ns"], rules["resolution_ns"] = round(params.bf_interval * 1e9), round(params.bf_resolution * 1e9)
    rules["window_ns"] = round(params.bf_window * _MINUTE_NS)


def _place(state: SlurmState, unit: int) -> tuple[int, int, int]:
    """Return what a job is sorted by, as `waiting.before` does."""
    it = state.unit[unit]
    return -int(it.tier), -int(it.priority), unit


def _stand(world: World, state: SlurmState, running: int, began_ns: Ints) -> None:
    """Count the tasks that run at time 0; schedule their known ends, and the jobs that wait for their starts."""
    delay_ns = int(state.rules[0].delay_ns)
    for t in range(running):
        row = world.task[t]
        unit = state.unit[int(row.kind)]
        if unit.running == 0:
            unit.spot = state.rules[0].active
            state.running[int(unit.spot)] = row.kind
            state.rules[0].active += 1
            unit.begun = 1
            state.unbegun[int(unit.job)] -= 1
            if state.unbegun[int(unit.job)] == 0:
                _follow(world, state, int(unit.job), int(began_ns[t]))
        unit.running += 1
        state.account[int(unit.account)].held += float(world.demand[int(row.demand), int(state.cpu[0])])
        row.requested += 1
        if row.duration_ns < ENDLESS_NS:
            row.end_ns = row.last_start_ns + row.duration_ns
            schedule(world, int(row.end_ns) + delay_ns, TASK_END, t, int(row.requested))


def _follow(world: World, state: SlurmState, job: int, began_ns: int) -> None:
    """Schedule the first job that waits for the start of a job that ran before time 0."""
    state.began_ns[job] = began_ns
    for k in range(int(state.link_first[job]), int(state.link_first[job + 1])):
        if state.link[k].what == BEGAN:
            schedule(world, max(began_ns + int(state.link[k].delay_ns), 0), READY, job, k)
            return
