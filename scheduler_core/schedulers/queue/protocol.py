"""The single-queue schedulers' interface to the driver: packing, layers, counters and series."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.engine import maths
from scheduler_core.engine.events import EVENT_HEADROOM
from scheduler_core.engine.incidents import paint_outage
from scheduler_core.engine.lacking import lacking
from scheduler_core.engine.records import NOBODY, TASK_WAITING, World, records
from scheduler_core.engine.tasks import paint_load, paint_resource
from scheduler_core.experiment import Experiment, effective_queues
from scheduler_core.experiment.derived import has_priorities
from scheduler_core.schedulers.queue import kernel as loop
from scheduler_core.schedulers.queue.bands import bands_of
from scheduler_core.schedulers.queue.reasons import BEHIND, NO_RACK, NO_ROOM, NOT_TOGETHER
from scheduler_core.schedulers.queue.state import (
    FROM_ANYWHERE,
    GROUP,
    HOST,
    IN_ORDER,
    LINE,
    ROTATING,
    RULES,
    QueueState,
)
from scheduler_core.schedulers.queue.weights import weights_of
from scheduler_core.schedulers.shared.bound import Bound, bound_jobs
from scheduler_core.schedulers.shared.pacing.packing import pack_pace
from scheduler_core.world.planned import changed_params, settings_by_name
from scheduler_core.world.start import Start

_OUTAGE = 1
"""Number of the layer that shows outages; those of resources come behind it."""
_MOST_SLOTS = 1 << 30
_LEAST_TO_SCORE = 100
_VISITS = {"rotating": ROTATING, "drawn": FROM_ANYWHERE}
_COUNTED = {"machines_looked_at": "looked", "machines_scored": "scored"}


class QueueProtocol:
    """See scheduler_core.world.protocol.Protocol. `always` are rules that a scheduler has whatever its parameters."""

    def __init__(self, always: dict[str, Any], counters: tuple[str, ...]) -> None:
        self._always, self._counters = always, counters

    def event_room(self, experiment: Experiment, params: Any, largest_job: int) -> int:
        return EVENT_HEADROOM

    def pack(self, start: Start[Any]) -> QueueState:
        experiment, world = start.experiment, start.world
        params, machines = start.given, len(world.machine)
        host = records(machines, HOST)
        host["head"] = host["tail"] = NOBODY
        host["slots"] = params["slots"] or _MOST_SLOTS
        by_share = not self._honors_priorities or not has_priorities(experiment)
        bound = bound_jobs(experiment, world, host["slots"].astype(np.int64))
        shares = np.array([queue.share for queue in effective_queues(experiment)])
        group, line, job_of_group = _groups(world, shares, by_share, bound)
        band = bands_of(world, bound, job_of_group, group)
        near = any(values.get("locality", 0.0) > 0.0 for values in (params, *changed_params(experiment)))
        pace = pack_pace(experiment, world, params, placed=near)
        fill = partial(self._fill, machines=machines, by_share=by_share)
        rules = self._rules(experiment, params, machines, by_share)
        rules["gangs_left"] = band["gang"].sum()
        return QueueState(
            rules=rules,
            setting=settings_by_name(start, RULES, fill),
            group=group, open_group=np.zeros(len(group), np.int32), host=host, line=line,
            band=band, tally=np.zeros(int(world.machine["rack"].max()) + 1, np.int64),
            rack_able=(bound.fits > 0).astype(np.uint8),
            freed=np.zeros(machines, np.int32), room=np.zeros(world.free.shape[1] + 1, np.int64), **pace._asdict(),
        )  # fmt: skip

    @property
    def _honors_priorities(self) -> bool:
        return bool(self._always.get("by_priority", 0))

    def _rules(self, experiment: Experiment, params: dict[str, Any], machines: int, by_share: bool) -> Any:
        rules = records(1, RULES)
        rules["delay_ns"] = round(experiment.network.message_delay_s * 1e9)
        rules["visits"] = _VISITS.get(self._always.get("visits", ""), IN_ORDER)
        for name in ("by_priority", "in_turns"):
            rules[name] = self._always.get(name, 0)
        rules["by_share"], rules["queues"] = by_share, len(effective_queues(experiment))
        rules["step"] = _step(machines)
        rules["log_base"] = maths.log(float(max(machines, 2)))
        for name in ("task", "machine", "gang", "rack", "tallied"):
            rules[name] = NOBODY
        self._fill(rules, params, machines, by_share)
        return rules

    def _fill(self, rules: Any, params: dict[str, Any], machines: int, by_share: bool) -> None:
        modelled = params["decision_time"] == "modelled"
        rules["decision_ns"] = params["decision_us"] * 1e3 if modelled else 0.0
        rules["filter_ns"] = params["filter_ns"] if modelled else 0.0
        rules["score_ns"] = params["score_ns"] if modelled else 0.0
        waits = params["gang_wait_s"]
        rules["gang_wait_ns"] = NOBODY if waits is None else round(waits * 1e9)
        rules["preempts"] = params.get("preemption", False)
        rules["strict"] = not params.get("overtake", True)
        rules["production"] = params.get("production" if by_share else "production_priority", np.inf)
        rules["wanted"] = self._always.get("wanted", _wanted(params, machines))
        for name in ("least", "most", "pvm", "stranded", "chance"):
            rules[name] = 0.0
        for name, value in weights_of(self._always, params).items():
            if name not in ("visits", "wanted"):
                rules[name] = value

    def advance(self, world: World, state: QueueState, until_ns: int, max_events: int) -> int:
        return loop.advance(world, state, until_ns, max_events)

    def paint(self, world: World, state: QueueState, layer: int, machines: Any, out: npt.NDArray[np.uint8]) -> None:
        if layer == 0:
            paint_load(world, machines, out)
        elif layer == _OUTAGE:
            paint_outage(world, machines, out)
        else:
            given = np.flatnonzero(world.capacity.sum(axis=0))
            paint_resource(world, int(given[layer - _OUTAGE - 1]), machines, out)

    def counters(self, world: World, state: QueueState) -> dict[str, int]:
        rules, pace = state.rules[0], state.pace[0]
        names = rules.dtype.names or ()
        found = {}
        for name in self._counters:
            column = _COUNTED.get(name, name)
            found[name] = int(rules[column] if column in names else pace[column])
        return found

    def series(self, world: World, state: QueueState) -> dict[str, float]:
        return {"decision_ms": state.rules[0].last_ns / 1e6}

    def grow(self, world: World, state: QueueState) -> QueueState:
        return state

    def why_waiting(self, world: World, state: QueueState, task: int) -> dict[str, Any] | None:
        row = world.task[task]
        group = state.group[row.kind]
        if row.state == TASK_WAITING and state.rules[0].strict:
            waiting = state.open_group[: int(state.rules[0].open)]
            head = int(state.group["head"][waiting].min())
            if head != task:
                return {"reason": BEHIND, "x": head}
        if row.state != TASK_WAITING or group.told == 0 or state.rules[0].task == task:
            return None
        if group.told == NOT_TOGETHER:
            band = state.band[group.band]
            of_job = state.group["waiting"][band.first_group : band.first_group + band.groups]
            return {"reason": NOT_TOGETHER, "x": int(of_job.sum()), "y": int(band.placed)}
        if group.told == NO_RACK:
            return {"reason": NO_RACK, "x": int(group.waiting)}
        why = lacking(world, int(row.demand), int(state.pace[0].soft_mask))
        return {"reason": NO_ROOM, "x": int(group.waiting), "y": why}

    def inspect(self, world: World, state: QueueState) -> dict[str, Any]:
        rules = state.rules[0]
        return {
            "decisions": int(rules.decisions),
            "decision_ms": float(rules.last_ns / 1e6),
            "deciding_on_task": int(rules.task) if rules.busy else None,
            "waiting_by_queue": np.bincount(state.group["queue"], state.group["waiting"], int(state.rules[0].queues))
            .astype(int)
            .tolist(),
        }


def _groups(world: World, share: npt.NDArray[np.float64], by_share: bool, bound: Bound) -> tuple[Any, Any, Any]:
    """Return (groups of alike tasks, lines of one queue and priority, job of each group or -1).

    Each task's `kind` becomes its group; before that it is its priority. Without priorities each queue is a line, by
    its share.
    """
    jobs = world.task["job"]
    queue = world.job["queue"][jobs].astype(np.int64)
    priority = np.zeros(len(queue), np.int64) if by_share else world.task["kind"].astype(np.int64)
    alone = np.where(bound.any[jobs], jobs, NOBODY)
    rows, kind = np.unique(np.column_stack([alone, queue, world.task["demand"], priority]), axis=0, return_inverse=True)
    world.task["kind"] = kind.ravel()
    group = records(max(len(rows), 1), GROUP)
    group["head"] = group["tail"] = NOBODY
    if len(rows):
        group["queue"], group["demand"] = rows[:, 1], rows[:, 2]
    if by_share or not len(rows):
        line = records(len(share), LINE)
        line["rank"], group["line"] = share, group["queue"]
        return group, line, rows[:, 0]
    pairs, of_group = np.unique(rows[:, [1, 3]], axis=0, return_inverse=True)
    line = records(len(pairs), LINE)
    line["rank"], group["line"] = pairs[:, 1], of_group.ravel()
    return group, line, rows[:, 0]


def _step(machines: int) -> int:
    """Return about the golden part of the machines that has no divisor in common with their number."""
    step = max(1, round(machines * 0.618))
    while math.gcd(step, machines) > 1:
        step += 1
    return step


def _wanted(params: dict[str, Any], machines: int) -> int:
    """Return how many machines with room are enough: Kubernetes' percentage, at least 100; else `enough`."""
    if "percentage" not in params:
        return int(params.get("enough", machines))
    percent = params["percentage"] or max(5.0, 50.0 - machines // 125)
    return max(min(machines, _LEAST_TO_SCORE), int(machines * percent / 100))
