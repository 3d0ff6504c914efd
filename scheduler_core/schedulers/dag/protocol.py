"""The DAG family for the driver: packing of the state, layers, counters and series."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.cluster import Cluster
from scheduler_core.constraints.vectors import packed_bits
from scheduler_core.engine.events import EVENT_HEADROOM
from scheduler_core.engine.incidents import paint_outage
from scheduler_core.engine.lacking import lacking
from scheduler_core.engine.records import (
    NEVER,
    NOBODY,
    TASK_UNSCHEDULABLE,
    TASK_WAITING,
    Ints,
    World,
)
from scheduler_core.engine.rooms import pack_room
from scheduler_core.engine.tasks import paint_load, paint_resource
from scheduler_core.experiment import Experiment, effective_queues
from scheduler_core.metrics.dags import Given
from scheduler_core.schedulers.dag import kernel as loop
from scheduler_core.schedulers.dag.classes import by_class
from scheduler_core.schedulers.dag.given import given_of
from scheduler_core.schedulers.dag.packing import (
    count_able,
    estimate,
    pack_heaps,
    pack_jobs,
    pack_plans,
    pack_stages,
)
from scheduler_core.schedulers.dag.reasons import HELD_UP, NO_ROOM, PUT_OFF, WAITS_FOR_DATA
from scheduler_core.schedulers.dag.replicas import pack_replicas, refuse_too_long
from scheduler_core.schedulers.dag.settings import Policy, altruism_draws, pack_rules, pack_settings
from scheduler_core.schedulers.dag.state import LOCAL, OFFER, PACK, PLAN, DagState
from scheduler_core.schedulers.dag.troublesome import order_stages
from scheduler_core.workload.stages import Stages, flat_stages

_OUTAGE = 1
"""Number of the layer that shows outages; those of resources come behind it."""


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
        policy, queues = self._policy, effective_queues(experiment)
        class_of = world.task["demand"].astype(np.int64)
        if stages is None:
            stages = flat_stages(world.task["job"].astype(np.int64), class_of)
        else:
            stages = by_class(stages, class_of)
        rules = pack_rules(experiment, policy, cluster)
        stage, relative = pack_stages(world, stages, policy.by_path)
        total: Ints = world.capacity.sum(axis=0)
        self._given = np.flatnonzero(total > 0)  # resources that have a layer
        shares = [queue.share for queue in queues]
        asked = estimate(experiment, world, stage, relative)
        job = pack_jobs(world, asked, stage, total, shares if rules[0].by_queue else [1.0] * len(shares))
        if rules[0].in_place:
            order_stages(world, stage, relative, job, total)
        if policy.troublesome:
            stage["rank"] = stage["place"]
        job["finish_ns"] = NEVER
        job["skipped_ns"] = NOBODY
        job["draw"] = altruism_draws(experiment.seed, len(job), policy.first_phase == PLAN)
        job["altruistic"] = job["draw"] < rules[0].altruism
        stage_of = np.empty(len(world.task), np.int32)
        stage_of[stages.order] = np.repeat(np.arange(len(stage)), stage["tasks"])
        can = np.flatnonzero(world.task["state"][stages.order] != TASK_UNSCHEDULABLE)
        world.task["place"][stages.order[can]] = can
        local = policy.first_phase == LOCAL
        if local:
            refuse_too_long(world, max(rules[0].rack_factor, rules[0].remote_factor))
        replica, rack_first = pack_replicas(world, stage, stage_of, local)
        if policy.first_phase == OFFER:
            stage["able"] = count_able(world)[stage["demand"]]
        plan, draft, group, virtual = pack_plans(job, stage, policy.first_phase == PLAN)
        chooses = policy.first_phase in (PACK, OFFER) or "leftover" in experiment.scheduler.params
        heap, most_stages, most_jobs = pack_heaps(stage, len(job), asked, bool(rules[0].in_place), chooses)
        machines, resources = world.free.shape
        return DagState(
            rules=rules,
            stage=stage,
            relative=relative,
            task_order=stages.order.astype(np.int32),
            stage_of=stage_of,
            job=job,
            held=np.zeros((len(job), resources), np.int64),
            queue_held=np.zeros((len(queues), resources), np.int64),
            queue_share=np.array(shares),
            total=total,
            in_service=total.copy(),
            setting=pack_settings(experiment, policy, cluster, world),
            replica=replica,
            rack_first=rack_first,
            offers=_offers(world),
            active=np.zeros(len(job), np.int32),
            order=np.zeros(len(job), np.int32),
            key=np.zeros(len(job)),
            open_of=np.zeros(len(world.demand), np.int64),
            failed=np.zeros(len(world.demand), np.int64),
            room=pack_room(world.free),
            heap=heap,
            item=np.zeros(2 * (most_stages + most_jobs), np.int32),
            spot=np.zeros(most_stages + most_jobs, np.int32),
            kind=np.zeros(len(heap) // 2, np.int32),
            noticed=np.zeros(most_jobs, np.int32),
            untold=np.zeros(most_jobs, np.int32),
            freed=np.zeros(machines, np.int8),
            plan=plan,
            draft=draft,
            group=group,
            virtual=virtual,
            asked=asked,
            queue_weights=np.zeros(len(queues)),
            needs=np.zeros((len(job), resources), np.int64),
            wants=np.zeros((len(job), resources)),
            given=np.zeros((resources + 1, 101), np.int64),
            limit=np.zeros((3, resources), np.int64),
        )

    def advance(self, world: World, state: DagState, until_ns: int, max_events: int) -> int:
        return loop.advance(world, state, until_ns, max_events)

    def paint(self, world: World, state: DagState, layer: int, machines: Any, out: npt.NDArray[np.uint8]) -> None:
        if layer == 0:
            paint_load(world, machines, out)
        elif layer == _OUTAGE:
            paint_outage(world, machines, out)
        else:
            paint_resource(world, int(self._given[layer - 2]), machines, out)

    def counters(self, world: World, state: DagState) -> dict[str, int]:
        rules = state.rules[0]
        counted = {"decisions": int(rules.decisions), "lost": int(rules.lost)}
        if rules.first_phase == PLAN:
            counted |= {"plans": int(rules.plans), "from_leftover": int(rules.from_leftover)}
        if rules.first_phase == LOCAL:
            counted |= {name: int(rules[name]) for name in ("on_node", "in_rack", "remote")}
        return counted

    def series(self, world: World, state: DagState) -> dict[str, float]:
        return {"unfinished_jobs": float(state.rules[0].unfinished), "open_jobs": float(state.rules[0].active)}

    def given(self, world: World, state: DagState) -> Given | None:
        """What jobs left of their shares, for the run's figures."""
        return given_of(state) if self._policy.first_phase == PLAN else None

    def grow(self, world: World, state: DagState) -> DagState:
        return state

    def why_waiting(self, world: World, state: DagState, task: int) -> dict[str, Any] | None:
        row = world.task[task]
        stage = state.stage[state.stage_of[task]]
        if row.state != TASK_WAITING:
            return None
        if stage.waits_for > 0:
            return {"reason": HELD_UP, "y": int(stage.waits_for)}
        if stage.told in (0, PUT_OFF, WAITS_FOR_DATA):
            return None
        told = {"reason": int(stage.told), "x": int(stage.tasks - stage.started)}
        return told | {"y": lacking(world, int(row.demand))} if stage.told == NO_ROOM else told

    def inspect(self, world: World, state: DagState) -> dict[str, Any]:
        rules = state.rules[0]
        running, ready = (state.held > 0).any(axis=1), state.stage["waits_for"] == 0
        return {
            "unfinished_jobs": int(rules.unfinished),
            "jobs_that_run": int(running.sum()),
            "open_stages": int((ready & (state.stage["started"] < state.stage["tasks"])).sum()),
            "decisions": int(rules.decisions),
        }


def _offers(world: World) -> npt.NDArray[np.uint64]:
    """Machines that offer each constraint that some task asks for, as bits; the last row has all machines."""
    asked = int(np.bitwise_or.reduce(world.asks)).bit_length()
    everything = np.full((1, -(-len(world.machine) // 64)), ~np.uint64(0))
    masks = np.ascontiguousarray(world.machine["offers"])
    return np.concatenate([packed_bits(masks, asked), everything]) if asked else everything
