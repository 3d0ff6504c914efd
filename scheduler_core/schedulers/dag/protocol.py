"""The DAG family for the driver: packing of the state, layers, counters and series."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.cluster import Cluster
from scheduler_core.engine import rng
from scheduler_core.engine.events import EVENT_HEADROOM
from scheduler_core.engine.jit import kernel
from scheduler_core.engine.records import (
    CAUSE_RESOURCE,
    CAUSE_TOGETHER,
    CAUSE_UNKNOWN,
    NEVER,
    NOBODY,
    TASK_WAITING,
    Ints,
    World,
    records,
)
from scheduler_core.engine.tasks import paint_load
from scheduler_core.errors import ExperimentError, Problem, listed
from scheduler_core.experiment import Experiment, effective_queues
from scheduler_core.schedulers.dag import kernel as loop
from scheduler_core.schedulers.dag.packing import pack_jobs, pack_plans, pack_room, pack_stages
from scheduler_core.schedulers.dag.reasons import HELD_UP, NO_ROOM, PUT_OFF
from scheduler_core.schedulers.dag.state import IDLE, LEFTOVER, PACK, PLAN, RULES, SHARE, DagState
from scheduler_core.workload.stages import Stages, flat_stages


@dataclass(frozen=True)
class Policy:
    """What one scheduler of the family is: an order of jobs, the phases of a decision, the reason of its starts."""

    order: int = 0
    reason: int = 0
    first_phase: int = SHARE
    leftover_phase: int = IDLE
    by_path: bool = False


class DagProtocol:
    """See scheduler_core.engine.protocol.Protocol."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def event_room(self, experiment: Experiment, largest_job: int) -> int:
        return EVENT_HEADROOM

    def pack(
        self, experiment: Experiment, cluster: Cluster, world: World, queue_owner: npt.NDArray[np.int32],
        stages: Stages | None = None,
    ) -> DagState:
        params, policy = experiment.scheduler.params, self._policy
        queues = effective_queues(experiment)
        if stages is None:
            stages = flat_stages(world.task["job"].astype(np.int64), world.task["demand"].astype(np.int64))
        stage, relative = pack_stages(world, stages, policy.by_path)
        total: Ints = world.capacity.sum(axis=0)
        self._given = np.flatnonzero(total > 0)  # resources that have a layer
        shares = [queue.share for queue in queues]
        job = pack_jobs(world, stage, total, shares if params.get("weights") == "queue_share" else [1.0] * len(shares))
        job["finish_ns"] = NEVER
        job["altruistic"] = _altruistic(experiment.seed, len(job), params.get("altruism", 0.0))
        stage_of = np.empty(len(world.task), np.int32)
        stage_of[stages.order] = np.repeat(np.arange(len(stage)), stage["tasks"])
        plan, draft, group, virtual = pack_plans(job, stage, policy.first_phase == PLAN)
        machines, resources = world.free.shape
        return DagState(
            rules=_rules(experiment, policy, cluster),
            stage=stage,
            relative=relative,
            task_order=stages.order.astype(np.int32),
            stage_of=stage_of,
            job=job,
            held=np.zeros((len(job), resources), np.int64),
            queue_held=np.zeros((len(queues), resources), np.int64),
            queue_share=np.array(shares),
            total=total,
            active=np.zeros(len(job), np.int32),
            order=np.zeros(len(job), np.int32),
            key=np.zeros(len(job)),
            failed=np.zeros(len(world.demand), np.int64),
            room=pack_room(world),
            freed=np.zeros(machines, np.int8),
            plan=plan,
            draft=draft,
            group=group,
            virtual=virtual,
            limit=np.zeros((3, resources), np.int64),
        )

    def advance(self, world: World, state: DagState, until_ns: int, max_events: int) -> int:
        return loop.advance(world, state, until_ns, max_events)

    def paint(self, world: World, state: DagState, layer: int, machines: Any, out: npt.NDArray[np.uint8]) -> None:
        if layer == 0:
            paint_load(world, machines, out)
        else:
            paint_resource(world, int(self._given[layer - 1]), machines, out)

    def counters(self, world: World, state: DagState) -> dict[str, int]:
        rules = state.rules[0]
        counted = {"decisions": int(rules.decisions)}
        if rules.first_phase == PLAN:
            counted |= {"plans": int(rules.plans), "from_leftover": int(rules.from_leftover)}
        return counted

    def series(self, world: World, state: DagState) -> dict[str, float]:
        return {"unfinished_jobs": float(state.rules[0].unfinished), "open_jobs": float(state.rules[0].active)}

    def grow(self, world: World, state: DagState) -> DagState:
        return state

    def why_waiting(self, world: World, state: DagState, task: int) -> dict[str, Any] | None:
        row = world.task[task]
        stage = state.stage[state.stage_of[task]]
        if row.state != TASK_WAITING:
            return None
        if stage.waits_for > 0:
            return {"reason": HELD_UP, "y": int(stage.waits_for)}
        if stage.told in (0, PUT_OFF):
            return None
        told = {"reason": int(stage.told), "x": int(stage.tasks - stage.started)}
        return told | {"y": _lacking(world, int(row.demand))} if stage.told == NO_ROOM else told

    def inspect(self, world: World, state: DagState) -> dict[str, Any]:
        rules = state.rules[0]
        running, ready = (state.held > 0).any(axis=1), state.stage["waits_for"] == 0
        return {
            "unfinished_jobs": int(rules.unfinished),
            "jobs_that_run": int(running.sum()),
            "open_stages": int((ready & (state.stage["started"] < state.stage["tasks"])).sum()),
            "decisions": int(rules.decisions),
        }


def _lacking(world: World, demand: int) -> int:
    """Why no machine has room for a demand now: engine.records, CAUSE_*."""
    enough = world.free >= world.demand[demand]
    if enough.all(axis=1).any():
        return CAUSE_UNKNOWN
    nowhere = np.flatnonzero(~enough.any(axis=0))
    return CAUSE_RESOURCE + int(nowhere[0]) if len(nowhere) else CAUSE_TOGETHER


@kernel
def paint_resource(w: World, r: int, machines, out) -> None:  # type: ignore[no-untyped-def]
    """How much of one resource the tasks on each of the machines hold, as a byte. `out` is uint8."""
    for number in range(len(machines)):
        machine = machines[number]
        capacity = w.capacity[machine, r]
        out[number] = (capacity - w.free[machine, r]) * 255 // capacity if capacity > 0 else 0


def _altruistic(seed: int, jobs: int, altruism: float) -> npt.NDArray[np.int64]:
    """Which jobs are altruistic: each draws a number once, so that more altruism adds jobs and takes none away."""
    drawn = [rng.uniform(seed, rng.STREAM_ALTRUISM, job, 0) < altruism for job in range(jobs if altruism > 0 else 0)]
    return np.array(drawn or np.zeros(jobs), np.int64)


def _rules(experiment: Experiment, policy: Policy, cluster: Cluster) -> Any:
    params, rules = experiment.scheduler.params, records(1, RULES)
    rules["delay_ns"] = round(experiment.network.message_delay_s * 1e9)
    rules["interval_ns"] = round(params["interval_s"] * 1e9)
    rules["room"] = EVENT_HEADROOM
    rules["first_phase"], rules["leftover_phase"] = policy.first_phase, policy.leftover_phase
    if "leftover" in params:
        rules["leftover_phase"] = PACK if params["leftover"] == "packing" else LEFTOVER
    rules["order"], rules["reason"] = policy.order, policy.reason
    rules["resource"] = _resource(params.get("resource", cluster.names[0]), cluster)
    rules["strict"] = not params.get("work_conserving", True)
    rules["epsilon"] = params.get("epsilon", 0.0)
    rules["fairness"] = params.get("fairness", 0.0)
    rules["barrier"] = params.get("barrier", 1.0)
    rules["last_ns"] = NOBODY
    return rules


def _resource(name: str, cluster: Cluster) -> int:
    """Number of the resource that is shared, which some machine has to have."""
    having = [known for known, total in zip(cluster.names, cluster.capacity.sum(axis=0), strict=True) if total > 0]
    if name not in having:
        raise ExperimentError([Problem("scheduler.params.resource", f"is '{name}', of which the machines have none",
                                       listed(having))])
    return cluster.names.index(name)
