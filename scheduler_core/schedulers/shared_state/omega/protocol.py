"""Omega's interface to the driver: packing, layers, counters and series."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.events import EVENT_HEADROOM
from scheduler_core.engine.incidents import paint_outage
from scheduler_core.engine.records import NOBODY, TASK_WAITING, Records, World, records
from scheduler_core.engine.tasks import paint_load, paint_resource
from scheduler_core.experiment import Experiment
from scheduler_core.schedulers.shared.bound import bound_jobs
from scheduler_core.schedulers.shared_state.omega import kernel as loop
from scheduler_core.schedulers.shared_state.omega.counters import COUNTERS
from scheduler_core.schedulers.shared_state.omega.params import CONFLICTS_SHOWN, OmegaParams
from scheduler_core.schedulers.shared_state.omega.state import (
    OMEGA_JOB,
    OMEGA_MACHINE,
    RULES,
    SCHEDULER,
    SETTING,
    STUCK,
    OmegaState,
)
from scheduler_core.world.planned import settings_after_events
from scheduler_core.world.start import Start

_OUTAGE, _CONFLICTS = 1, 2
_TIMES = ("job_s", "task_s", "service_job_s", "service_task_s")


class OmegaProtocol:
    """See scheduler_core.world.protocol.Protocol."""

    def event_room(self, experiment: Experiment, params: OmegaParams, largest_job: int) -> int:
        return EVENT_HEADROOM  # more than there may be schedulers

    def pack(self, start: Start[OmegaParams]) -> OmegaState:
        experiment, world = start.experiment, start.world
        params, machines = start.params, len(world.machine)
        gang = bound_jobs(experiment, world, np.full(machines, len(world.task), np.int64)).gang
        schedulers = params.schedulers
        rules = records(1, RULES)
        rules["delay_ns"], rules["room"] = round(experiment.network.message_delay_s * 1e9), EVENT_HEADROOM
        _fill(rules, params)
        state = OmegaState(
            rules=rules,
            setting=settings_after_events(start, SETTING, _fill),
            scheduler=_schedulers(params),
            job=_jobs(world, params, gang),
            machine=records(machines, OMEGA_MACHINE),
            copied=np.repeat(world.free[np.newaxis], schedulers, axis=0),
            seen=np.zeros((schedulers, machines), np.int64),
            stale=np.zeros((schedulers, machines), np.uint8),
            changed=np.zeros((schedulers, machines), np.int32),
            bits=np.zeros((schedulers, machines // 64 + 1), np.uint64),
            offer=_offers(world),
        )
        state.machine["first"] = state.machine["last_task"] = NOBODY
        able = (world.free >= world.demand[-1]).all(axis=1)
        state.bits[:] = _as_words(able)
        return state

    def advance(self, world: World, state: OmegaState, until_ns: int, max_events: int) -> int:
        return loop.advance(world, state, until_ns, max_events)

    def paint(self, world: World, state: OmegaState, layer: int, machines: Any, out: npt.NDArray[np.uint8]) -> None:
        if layer == 0:
            paint_load(world, machines, out)
        elif layer == _OUTAGE:
            paint_outage(world, machines, out)
        elif layer == _CONFLICTS:
            refused = state.machine["conflicts"][machines]
            out[:] = np.minimum(refused.astype(np.int64) * (256 // CONFLICTS_SHOWN), 255)
        else:
            given = np.flatnonzero(world.capacity.sum(axis=0))
            paint_resource(world, int(given[layer - _CONFLICTS - 1]), machines, out)

    def counters(self, world: World, state: OmegaState) -> dict[str, int]:
        rules = state.rules[0]
        return {counter.name: int(rules[counter.name]) for counter in COUNTERS}

    def series(self, world: World, state: OmegaState) -> dict[str, float]:
        rules, busy = state.rules[0], busyness(world, state)
        return {
            "conflict_fraction": float(rules.conflicts / max(1, rules.jobs_scheduled)),
            "busy_batch": float(busy[state.scheduler["batch"] == 1].mean()),
            "busy_service": float(busy[state.scheduler["service"] == 1].mean()),
            "busy_most": float(busy.max()),
        }

    def grow(self, world: World, state: OmegaState) -> OmegaState:
        return state

    def why_waiting(self, world: World, state: OmegaState, task: int) -> dict[str, Any] | None:
        job = state.job[world.task[task].job]
        if world.task[task].state != TASK_WAITING or job.state != STUCK or job.told == 0:
            return None
        return {"reason": int(job.told), "to": int(job.scheduler), "x": int(job.told_x), "y": int(job.told_y)}

    def inspect(self, world: World, state: OmegaState) -> dict[str, Any]:
        jobs, busy = state.job, busyness(world, state)
        return {
            "schedulers": [
                {
                    "busy": float(busy[who]),
                    "job": int(state.scheduler[who].job),
                    "waiting_jobs": int(((jobs["scheduler"] == who) & (jobs["waiting"] > 0)).sum()),
                }
                for who in range(len(state.scheduler))
            ],
            "stuck_jobs": int((jobs["state"] == STUCK).sum()),
        }


def busyness(world: World, state: OmegaState) -> npt.NDArray[np.float64]:
    """Return the share of the time so far that each scheduler has spent on decisions, (schedulers,)."""
    now_ns = int(world.control[0].now_ns)
    to_come = np.maximum(state.scheduler["busy_until_ns"] - now_ns, 0)
    found: npt.NDArray[np.float64] = (state.scheduler["busy_ns"] - to_come) / max(1, now_ns)
    return found


def _schedulers(params: OmegaParams) -> Records:
    found = records(params.schedulers, SCHEDULER)
    for column in ("job", "first_ready", "last_ready", "first_stuck", "last_stuck", "vain_demand", "vain_freed"):
        found[column] = NOBODY
    found["batch"] = found["service"] = 1
    if params.split == "type" and len(found) > 1:
        found["batch"][-1] = 0
        found["service"][:-1] = 0
    return found


def _jobs(world: World, params: OmegaParams, gang: npt.NDArray[np.bool_]) -> Records:
    jobs, schedulers = len(world.job), params.schedulers
    found = records(jobs, OMEGA_JOB)
    found["gang"] = gang
    for column in ("first", "last", "next", "previous"):
        found[column] = NOBODY
    found["service"] = world.job["mean_ns"] > round(params.short_cutoff_s * 1e9)
    number = np.arange(jobs)
    if params.split == "type" and schedulers > 1:
        found["scheduler"] = np.where(found["service"] == 1, schedulers - 1, number % (schedulers - 1))
    else:
        found["scheduler"] = number % schedulers
    demand, job = world.task["demand"].astype(np.int64), world.task["job"]
    least, most = np.full(jobs, len(world.demand)), np.full(jobs, NOBODY)
    np.minimum.at(least, job, demand)
    np.maximum.at(most, job, demand)
    found["demand"] = np.where(least == most, most, NOBODY)
    return found


def _fill(rules: Records, params: OmegaParams) -> None:
    """Write what parameters say into a row of rules, or of those that events may set."""
    for name in _TIMES:
        rules[f"{name[:-2]}_ns"] = round(getattr(params, name) * 1e9)
    rules["coarse"] = params.conflicts == "coarse"
    rules["whole"] = params.commit == "all_or_nothing"
    rules["spread"] = params.placement == "random"


def _offers(world: World) -> npt.NDArray[np.uint64]:
    """Return the machines that offer each constraint anybody asks for, as bits: (constraints, words)."""
    asked = int(np.bitwise_or.reduce(world.asks)).bit_length()
    found = [_as_words((world.machine["offers"] >> number) & 1 == 1) for number in range(max(asked, 1))]
    return np.array(found, np.uint64)


def _as_words(members: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint64]:
    """Return a set of machines as bits of words, as engine.bits reads them."""
    padded = np.zeros((len(members) // 64 + 1) * 64, np.bool_)
    padded[: len(members)] = members
    return np.packbits(padded, bitorder="little").view("<u8").astype(np.uint64)
