"""The interface of a user's own policy to the driver: packing, layers, and why tasks wait."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from scheduler_core.engine.events import EVENT_HEADROOM, schedule
from scheduler_core.engine.incidents import look_for
from scheduler_core.engine.lacking import lacking
from scheduler_core.engine.lines import empty_lines
from scheduler_core.engine.records import LISTS, NOBODY, QUEUES, TASK_WAITING, Records, World, records
from scheduler_core.experiment import Experiment, effective_queues
from scheduler_core.experiment.derived import has_priorities
from scheduler_core.policy import Policy, nodes
from scheduler_core.schedulers.own import kernel, packing
from scheduler_core.schedulers.own.params import OwnParams, policy_of
from scheduler_core.schedulers.own.reasons import FILTERED, NO_ROOM
from scheduler_core.schedulers.own.state import (
    HEARTBEAT,
    MOST_STEPS_OF_ONE,
    MOST_VICTIMS,
    OWN_JOB,
    OWN_QUEUE,
    RULES,
    SAMPLE,
    SCHEDULER,
    STALE,
    TRUTH,
    OwnState,
)
from scheduler_core.schedulers.own.turning import DATA_WORDS, policy_turn, wants_every_word
from scheduler_core.schedulers.shared.pacing.packing import pack_pace
from scheduler_core.world.planned import changed_params, params_after_events, settings_by_name
from scheduler_core.world.protocol import DefaultProtocol
from scheduler_core.world.start import Start
from scheduler_core.world.turning import Turn

_NEWS = {"truth": TRUTH, "stale": STALE, "sample": SAMPLE}


class OwnProtocol(DefaultProtocol):
    """See scheduler_core.world.protocol.Protocol."""

    loop = kernel

    def event_room(self, experiment: Experiment, params: Any, largest_job: int) -> int:
        """Return room for a request to every scheduler, and for the tasks that a machine starts at once."""
        return EVENT_HEADROOM + 2 * MOST_VICTIMS

    def pack(self, start: Start[OwnParams]) -> OwnState:
        """Return the state at time zero."""
        experiment, world, params = start.experiment, start.world, start.params
        policy = policy_of(start.given)
        priority = np.zeros(len(world.task), np.int64)
        if has_priorities(experiment):
            priority = world.task["kind"].astype(np.int64)
        columns = packing.columns(start, policy, priority)
        waits = packing.waiting(start, policy, priority)
        rules = self._rules(start, policy, len(waits.entry))
        look_for(world, LISTS | QUEUES)
        read = {word.text for word in policy.words}
        if "preempt" in policy.hooks or "machine.same_job" in read:
            world.control["walks"] |= LISTS
        machines, resources = world.free.shape
        views = params.schedulers if params.news == "stale" else 1
        trees, leaves = max(waits.trees, 1), int(rules[0]["leaves"])
        job = records(max(len(world.job), 1), OWN_JOB)
        if len(world.job):
            job["work"][: len(world.job)] = packing.work_of(world, waits.entry)
        pace = pack_pace(experiment, world, start.given, placed=bool(read & DATA_WORDS))
        queues = effective_queues(experiment)
        queue = records(len(queues), OWN_QUEUE)
        queue["share"] = [one.share for one in queues]
        racks = np.bincount(world.machine["rack"])
        copies = (views, machines) if params.news == "stale" else (1, 1)
        held = len(world.job) if rules[0]["held"] or wants_every_word(policy) else 1
        state = OwnState(
            rules=rules, setting=settings_by_name(start, RULES, _fill), constants_after=_constants_after(start, policy),
            code=policy.rows.copy(), constant=_constants(policy, start.given), register=np.zeros(len(policy.rows)),
            hook=packing.hooks_of(policy), source=columns.source, task_column=columns.of_task,
            job_column=columns.of_job, machine_column=columns.of_machine, whole=columns.of_all,
            total=np.stack([world.capacity.sum(axis=0), np.maximum(world.capacity.max(axis=0), 1)]),
            scheduler=_schedulers(waits.kind, params.schedulers), entry=waits.entry, kind=waits.kind,
            item=np.zeros(len(waits.entry), np.int32), open_kind=np.zeros(len(waits.kind), np.int32), job=job,
            job_held=np.zeros((max(held, 1), resources), np.int64), queue=queue,
            queue_held=np.zeros((len(queues), resources), np.int64), rack_tasks=np.zeros(len(racks), np.int64),
            rack_first=np.concatenate([[0], np.cumsum(racks)]).astype(np.int32), line=empty_lines(machines + 1),
            bound_for=np.zeros(machines, np.int32),
            seen_free=np.ascontiguousarray(np.broadcast_to(world.free[: copies[1]], (*copies, resources))).copy(),
            seen_tasks=np.zeros((*copies, 2), np.int32), ring=np.zeros((views, machines), np.int32),
            freed_ring=np.zeros(machines, np.int32), changed=np.zeros(views, np.int64),
            mark=np.full((trees, machines if waits.trees else 1), -np.inf),
            winner=np.full((trees, 2 * leaves if waits.trees else 1), NOBODY, np.int32),
            kept=np.array([[-machines, 0]] * trees, np.int64), drawn=np.zeros(MOST_VICTIMS, np.int32),
            victim_key=np.zeros(MOST_VICTIMS), **pace._asdict(),
        )  # fmt: skip
        if params.news == "stale":
            for k in range(params.schedulers):
                schedule(world, int(rules[0]["heartbeat_ns"]) * (k + 1) // params.schedulers, HEARTBEAT, k, 0)
        return state

    def _rules(self, start: Start[OwnParams], policy: Policy, entries: int) -> Records:
        params, world = start.params, start.world
        rules = self.rules(start, RULES)
        _fill(rules, start.given)
        placed = packing.needs_of(policy, "filter", "preempt", "victim")
        order = packing.needs_of(policy, "order")
        rules["tick_ns"], rules["heartbeat_ns"] = round(params.tick_s * 1e9), round(params.heartbeat_s * 1e9)
        rules["news"], rules["at_machine"] = _NEWS[params.news], params.wait_at == "machine"
        rules["overtake"], rules["schedulers"], rules["sample"] = params.overtake, params.schedulers, params.sample
        rules["most_preempted"], rules["most_steps"] = params.preemption_limit, int(params.step_limit)
        rules["static"] = order & (nodes.STATE | nodes.NOW | nodes.OTHERS) == 0
        rules["timed"] = placed & nodes.NOW != 0 or params.news == "sample"
        rules["restless"] = "filter" in policy.hooks or "preempt" in policy.hooks
        rules["held"] = any(word.text == "job.dominant_share" for word in policy.words)
        rules["leaves"] = packing.leaves_of(len(world.machine))
        rack = int(np.bincount(world.machine["rack"]).max(initial=1))
        cost = packing.cost_of(policy, len(world.machine), rack, entries)
        if cost > MOST_STEPS_OF_ONE:
            rules["most_steps"] = -min(cost, 2**53)  # the first decision ends the policy (placing.search_turn)
        return rules

    def amounts(self, world: World, state: OwnState, layer: str, machines: Any) -> Any:
        """Return how many tasks stand in line."""
        return state.line["length"][machines]

    def lines(self, world: World, state: OwnState) -> Records:
        """Return the machines' lines."""
        return state.line[: len(world.machine)]

    def why_waiting(self, world: World, state: OwnState, task: int) -> dict[str, Any] | None:
        """Return the reason of the task's kind, as it is now."""
        row = world.task[task]
        if row.state != TASK_WAITING or row.kind < 0:
            return None
        kind = state.kind[state.entry[row.kind].kind]
        if kind.told == NO_ROOM:
            why = lacking(world, int(row.demand), int(state.pace[0].soft_mask))
            return {"reason": NO_ROOM, "x": int(kind.waiting), "y": why}
        if kind.told == FILTERED:
            return {"reason": FILTERED, "x": int(kind.waiting), "y": int(kind.passed_over)}
        return None

    def counters(self, world: World, state: OwnState) -> dict[str, int]:
        """Return the counters from the columns of the rules and of the pace."""
        rules, pace = state.rules[0], state.pace[0]
        names = rules.dtype.names or ()
        return {one.name: int(rules[one.name] if one.name in names else pace[one.name]) for one in self.spec.counters}

    def turns(self, params: OwnParams) -> Mapping[str, Turn]:
        """Return the policy's text: a page compiles another one by itself."""
        return {"policy": policy_turn(params)}

    def inspect(self, world: World, state: OwnState) -> dict[str, Any]:
        """Return what the schedulers know now."""
        rules, queues = state.rules[0], len(state.queue)
        waiting = [int(state.queue[q].waiting) for q in range(queues)]
        return {**super().inspect(world, state), "steps": int(rules.steps), "waiting_by_queue": waiting}


def _fill(rules: Records, given: dict[str, Any]) -> None:
    """Write the parameters that an event may change."""
    rules["decision_ns"] = round(given["decision_us"] * 1e3)


def _constants(policy: Policy, given: dict[str, Any]) -> Any:
    """Return the policy's constants with its settings as given."""
    found = policy.constants.copy()
    for name, place in policy.setting_at.items():
        found[place] = given[name]
    return found


def _constants_after(start: Start[OwnParams], policy: Policy) -> Any:
    """Return the constants after each change of parameters; a row without effect if there is none."""
    found = np.zeros((max(len(changed_params(start.experiment)), 1), len(policy.constants)))
    for place, given in params_after_events(start.experiment, start.world.incident):
        found[place] = _constants(policy, given)
    return found


def _schedulers(kind: Records, schedulers: int) -> Records:
    found = records(schedulers, SCHEDULER)
    found["first_kind"] = np.searchsorted(kind["scheduler"], np.arange(schedulers))
    found["task"] = found["machine"] = NOBODY
    return found
