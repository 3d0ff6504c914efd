"""The space-time schedulers' interface to the driver: packing, layers, counters and series."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.constraints import soft_mask
from scheduler_core.engine import consult
from scheduler_core.engine.events import EVENT_HEADROOM
from scheduler_core.engine.incidents import look_for, paint_outage
from scheduler_core.engine.records import LISTS, NOBODY, TASK_WAITING, World, records
from scheduler_core.engine.tasks import paint_load, paint_resource
from scheduler_core.experiment import Experiment, effective_queues
from scheduler_core.schedulers.shared.bound import bound_jobs
from scheduler_core.schedulers.spacetime import cycle
from scheduler_core.schedulers.spacetime import kernel as loop
from scheduler_core.schedulers.spacetime.packing import by_class, mark_gangs, pack_groups, pack_jobs
from scheduler_core.schedulers.spacetime.reasons import HELD_UP, PUT_OFF
from scheduler_core.schedulers.spacetime.state import ANSWER, RULES, SpaceState
from scheduler_core.workload.stages import flat_stages
from scheduler_core.world import pack
from scheduler_core.world.start import Start


class SpaceProtocol:
    """See scheduler_core.world.protocol.Protocol."""

    def event_room(self, experiment: Experiment, params: Any, largest_job: int) -> int:
        return EVENT_HEADROOM

    def pack(self, start: Start[Any]) -> SpaceState:
        experiment, params, world, stages = start.experiment, start.given, start.world, start.stages
        look_for(world, LISTS)
        demand = world.task["demand"].astype(np.int64)
        stages = flat_stages(world.task["job"].astype(np.int64), demand) if stages is None else by_class(stages, demand)
        soft, slowdown = 0, np.ones(1)
        if experiment.constraints is not None and experiment.constraints.soft:
            soft, slowdown = soft_mask(experiment.constraints)
        gang = bound_jobs(experiment, world, np.full(len(world.machine), len(world.task), np.int64)).gang
        group, child = pack_groups(world, stages, pack.without_soft(world.demand, world.asks, soft))
        mark_gangs(experiment, group, gang)
        shares = np.array([queue.share for queue in effective_queues(experiment)])
        weight = shares / shares.mean() if params["weights"] == "queue_share" else np.ones(len(shares))
        group_of = np.empty(len(world.task), np.int32)
        group_of[stages.order] = np.repeat(np.arange(len(group)), group["tasks"])
        considered = min(params["groups_per_cycle"], len(group))
        rows = min(len(world.task), considered * len(world.machine)) + considered + cycle.MOST_TOLD
        return SpaceState(
            rules=_rules(start, soft),
            group=group,
            child=child,
            task_order=stages.order.astype(np.int32),
            group_of=group_of,
            job=pack_jobs(world, group, weight, params.get("deadline_slack", 0.0)),
            slowdown=slowdown,
            answer=records(rows, ANSWER),
            share=shares.astype(np.float64),
            given=np.flatnonzero(world.capacity.sum(axis=0)),
        )

    def advance(self, world: World, state: SpaceState, until_ns: int, max_events: int) -> int:
        return consult.advance(loop.advance, cycle.answer, world, state, until_ns, max_events)

    def paint(self, world: World, state: SpaceState, layer: int, machines: Any, out: npt.NDArray[np.uint8]) -> None:
        if layer == 0:
            paint_load(world, machines, out)
        elif layer == 1:
            paint_outage(world, machines, out)
        else:
            paint_resource(world, int(state.given[layer - 2]), machines, out)

    def counters(self, world: World, state: SpaceState) -> dict[str, int]:
        rules = state.rules[0]
        names = ["cycles", "solves", "put_off", "scattered", "relaxed"]
        if rules.slices > 1:
            names += ["planned", "late"]
        return {"solver_limits": int(rules.limits)} | {name: int(rules[name]) for name in names}

    def series(self, world: World, state: SpaceState) -> dict[str, float]:
        rules = state.rules[0]
        found = {"answer_value": float(rules.value), "waiting_groups": float(rules.open)}
        return found | ({"planned_groups": float(rules.later)} if rules.slices > 1 else {})

    def grow(self, world: World, state: SpaceState) -> SpaceState:
        return state

    def why_waiting(self, world: World, state: SpaceState, task: int) -> dict[str, Any] | None:
        group, rules = state.group[state.group_of[task]], state.rules[0]
        if world.task[task].state != TASK_WAITING:
            return None
        if group.waits_for > 0:
            return {"reason": HELD_UP, "y": int(group.waits_for)}
        if group.open and rules.cycles > 0 and rules.pending == 0 and group.seen < rules.cycles:
            seen = int((state.group["seen"] == rules.cycles).sum())
            return {"reason": PUT_OFF, "x": min(seen, int(rules.most_groups))}
        if group.told == 0:
            return None
        return {"reason": int(group.told), "x": int(group.x), "y": int(group.y)}

    def inspect(self, world: World, state: SpaceState) -> dict[str, Any]:
        rules = state.rules[0]
        return {
            "unfinished_jobs": int(rules.unfinished),
            "waiting_groups": int(rules.open),
            "cycles": int(rules.cycles),
            "planned_groups": int(rules.later),
            "answer_value": float(rules.value),
        }


def _rules(start: Start[Any], soft: int) -> Any:
    params, rules = start.given, records(1, RULES)
    plans = "plan_ahead_s" in params
    rules["delay_ns"] = round(start.experiment.network.message_delay_s * 1e9)
    rules["interval_ns"] = max(1, round(params["interval_s"] * 1e9))
    rules["room"] = EVENT_HEADROOM
    rules["soft"] = soft
    quantum_s = params["quantum_s"] if plans else params["interval_s"]
    rules["quantum_ns"] = max(1, round(quantum_s * 1e9))
    rules["slices"] = 1 + round(params["plan_ahead_s"] / quantum_s) if plans else 1
    rules["most_groups"] = params["groups_per_cycle"]
    rules["by_share"] = params["weights"] == "queue_share"
    rules["together"] = params["tasks"] == "together"
    rules["limit"] = params["solver_limit"]
    rules["largest_wave"] = params["largest_wave"]
    rules["fallback_value"] = params["fallback_value"]
    rules["half_ns"] = params.get("half_value_s", 0.0) * 1e9
    rules["aging_ns"] = params["aging_s"] * 1e9
    rules["deadline_value"] = params.get("deadline_value", 0.0) if params.get("deadline_slack") else 0.0
    rules["last_ns"] = NOBODY
    return rules
