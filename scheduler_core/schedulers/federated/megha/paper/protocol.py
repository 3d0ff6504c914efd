"""Megha's interface to the driver under the paper's rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.cluster import Cluster
from scheduler_core.cluster.partitions import partitions_of
from scheduler_core.constraints import soft_mask
from scheduler_core.engine.events import schedule
from scheduler_core.engine.incidents import FAIL_MACHINES
from scheduler_core.engine.records import NOBODY, TASK_WAITING, Records, World, records
from scheduler_core.experiment import Experiment, effective_queues
from scheduler_core.schedulers.federated.megha.paper import kernel as loop
from scheduler_core.schedulers.federated.megha.paper.causes import look_into
from scheduler_core.schedulers.federated.megha.paper.fairness import MOST_VICTIMS
from scheduler_core.schedulers.federated.megha.paper.messages import HEARTBEAT
from scheduler_core.schedulers.federated.megha.paper.state import (
    ASLEEP,
    CHANGE,
    GLOBAL_MASTER,
    KIND,
    LOCAL_MASTER,
    MIDDLE,
    PLACE,
    QUEUE,
    RESIDENT,
    RULES,
    SEEN_CLUSTER,
    SEEN_PARTITION,
    SETTING,
    SLEEPER,
    MeghaState,
)
from scheduler_core.schedulers.federated.megha.shared.base_protocol import BaseProtocol
from scheduler_core.schedulers.federated.megha.shared.costs import OWN
from scheduler_core.schedulers.federated.megha.shared.params import MeghaParams
from scheduler_core.schedulers.federated.megha.shared.reasons import WAITING
from scheduler_core.world.pack import without_soft
from scheduler_core.world.planned import settings_after_events
from scheduler_core.world.start import Start
from scheduler_core.world.turning import Beats, Chosen, Scaled, Turn, Value

_FIRST_CHANGES = 1024
_REMEMBERED_GAINS = 64
_YES: dict[Value, int] = {False: 0, True: 1}
_TURNS = {
    "heartbeat_s": Turn((Scaled("heartbeat_ns", 1e9, 1), Beats(HEARTBEAT, "heartbeat_ns"))),
    "standby_s": Turn((Scaled("standby_ns", 1e9),)),
    "launch_first": Turn((Chosen("launch_first", _YES),)),
    "further_victims": Turn((Chosen("further", _YES),)),
    "unplaceable": Turn((Chosen("to_the_end", {"end": 1, "head": 0}),)),
    "fit": Turn((Chosen("first_fit", {"first": 1, "next": 0}),)),
}
_FAIRNESS = {"fairness": Turn((Chosen("fairness", _YES),))}
"""Where it is on, the arrays hold the books that it needs, and it can be off."""
_COSTS = {
    "match_us": Turn((Scaled("match_ns", 1e3),)),
    "scan_ns": Turn((Scaled("scan_ps", 1e3),)),
    "vector_ns": Turn((Scaled("vector_ps", 1e3),)),
    "request_us": Turn((Scaled("request_ns", 1e3),)),
    "send_ns": Turn((Scaled("send_ps", 1e3),)),
    "update_us": Turn((Scaled("update_ns", 1e3),)),
    "apply_ns": Turn((Scaled("apply_ps", 1e3),)),
}
"""The costs of a named set change together, by its name."""


class PaperProtocol(BaseProtocol):
    """See scheduler_core.world.protocol.Protocol."""

    def event_room(self, experiment: Experiment, params: MeghaParams, largest_job: int) -> int:
        # A heartbeat may keep and wake every GM; a preemption tells each victim's GM.
        return max(2 * experiment.topology.global_masters, MOST_VICTIMS) + 16

    def pack(self, start: Start[MeghaParams]) -> MeghaState:
        experiment, cluster, world, queue_owner = start.experiment, start.cluster, start.world, start.owners
        masters, clusters = cluster.global_masters, len(cluster.cluster_names)
        machines, queues = len(world.machine), len(queue_owner)
        soft, slowdowns = soft_mask(experiment.constraints) if experiment.constraints else (0, np.ones(1))
        settings = settings_after_events(start, SETTING, _fill)
        rules = _rules(start, settings, soft)
        rules["room"] = self.event_room(experiment, start.params, 0)
        rules["others_word"] = clusters // 64 + 1
        rules["machines_word"] = machines_word = clusters // 64 + 1 + clusters * masters // 64 + 1
        kinds = _kinds(world, soft)
        most_kinds = int(np.bincount(queue_owner[kinds["queue"]], minlength=masters).max(initial=0))
        booked, resources = int(rules[0].books), len(cluster.names)
        state = MeghaState(
            rules=rules, gm=records(masters, GLOBAL_MASTER), lm=records(clusters, LOCAL_MASTER),
            queue=records(queues, QUEUE), place=records(machines, PLACE),
            believed=np.repeat(world.free[np.newaxis], masters, axis=0),
            bits=np.zeros((masters, machines_word + machines // 64 + 1), np.uint64),
            seen_partition=records((masters, clusters * masters), SEEN_PARTITION),
            seen_cluster=records((masters, clusters), SEEN_CLUSTER),
            change=records((clusters, _FIRST_CHANGES), CHANGE), kind=kinds,
            sleeper=records((masters, most_kinds + 1), SLEEPER),
            asking=np.zeros((masters * (most_kinds // 64 + 1), _asked(world)), np.uint64),
            gained=np.zeros((masters, _REMEMBERED_GAINS), np.int32), offer=_offer_bits(world),
            lent=np.zeros_like(world.free),
            resident=records(len(world.task) if rules[0].residents else 1, RESIDENT),
            use=np.zeros((masters, queues, resources), np.int64),
            held=np.zeros((masters, machines if booked else 1, queues, resources), np.int64),
            holding=np.zeros((masters * queues, machines // 64 + 1 if booked else 1), np.uint64),
            whole=world.capacity.sum(axis=0), setting=settings, slowdown=slowdowns if soft else np.ones(1),
        )  # fmt: skip
        _lay_out(state, cluster)
        _give_queues(state, experiment, queue_owner)
        _first_candidates(world, state)
        for number in range(clusters):
            # Local Masters' clocks are spread over one period, as clocks of separate machines are.
            beat = state.rules[0].heartbeat_ns * (number + 1) // clusters
            schedule(world, int(beat), HEARTBEAT, number, 0)
        return state

    def advance(self, world: World, state: MeghaState, until_ns: int, max_events: int) -> int:
        return loop.advance(world, state, until_ns, max_events)

    def grow(self, world: World, state: MeghaState) -> MeghaState:
        """Double the rings of changes; every entry keeps its version."""
        old = state.change
        capacity = old.shape[1]
        new = records((len(old), 2 * capacity), CHANGE)
        for cluster, lm in enumerate(state.lm):
            versions = np.arange(max(0, lm.version - capacity), lm.version)
            new[cluster, versions & (2 * capacity - 1)] = old[cluster, versions & (capacity - 1)]
        state.rules[0].changes_full = 0
        return state._replace(change=new)

    def turns(self, params: MeghaParams) -> Mapping[str, Turn]:
        return _TURNS | (_FAIRNESS if params.fairness else {}) | (_COSTS if params.costs == OWN else {})

    def why_waiting(self, world: World, state: MeghaState, task: int) -> dict[str, Any] | None:
        row = world.task[task]
        if row.state != TASK_WAITING:
            return None
        kind = state.kind[row.kind]
        if kind.state != ASLEEP:
            return None
        gm = int(state.queue[kind.queue].owner)
        cause = int(look_into(world, state, gm, int(kind.relaxed)))
        return {"reason": WAITING, "to": gm, "x": int(kind.waiting), "y": cause}

    def inspect(self, world: World, state: MeghaState) -> dict[str, Any]:
        owner_of_kind = state.queue["owner"][state.kind["queue"]]
        waiting = np.bincount(owner_of_kind, state.kind["waiting"], minlength=len(state.gm))
        return {
            "global_masters": [
                {
                    "name": f"GM {number}",
                    "tasks_waiting": int(waiting[number]),
                    "believes_free": state.believed[number].sum(axis=0).tolist(),
                    "machines_it_sees_wrong": int((state.believed[number] != world.free).any(axis=1).sum()),
                    "busy_until_ns": int(gm.busy_until_ns),
                }
                for number, gm in enumerate(state.gm)
            ],
            "local_masters": [
                {
                    "cluster": number,
                    "changes": int(lm.version),
                    "not_yet_seen": (int(lm.version) - state.seen_cluster[:, number]["version"]).tolist(),
                }
                for number, lm in enumerate(state.lm)
            ],
        }


def _rules(start: Start[MeghaParams], settings: Records, soft: int) -> Any:
    """Return RULES at the beginning; records and lists of residents are kept if they may be needed later."""
    rules = records(1, RULES)
    rules["delay_ns"] = round(start.experiment.network.message_delay_s * 1e9) + round(start.params.message_us * 1e3)
    _fill(rules, start.params)
    rules["matching"] = NOBODY
    rules["soft"] = soft
    rules["books"] = rules["fairness"] | (settings["fairness"].max() if len(settings) else 0)
    rules["residents"] = rules["books"] | int((start.world.incident["what"] == FAIL_MACHINES).any())
    return rules


def _fill(rules: Records, params: MeghaParams) -> None:
    """Write what may change during a run into a row of rules, or of settings, in the kernel's units."""
    rules["heartbeat_ns"] = max(1, round(params.heartbeat_s * 1e9))
    rules["match_ns"], rules["scan_ps"] = round(params.match_us * 1e3), round(params.scan_ns * 1e3)
    rules["vector_ps"] = round(params.vector_ns * 1e3)
    rules["request_ns"], rules["send_ps"] = round(params.request_us * 1e3), round(params.send_ns * 1e3)
    rules["update_ns"], rules["apply_ps"] = round(params.update_us * 1e3), round(params.apply_ns * 1e3)
    rules["standby_ns"], rules["fairness"] = round(params.standby_s * 1e9), params.fairness
    rules["launch_first"], rules["further"] = params.launch_first, params.further_victims
    rules["to_the_end"], rules["first_fit"] = params.unplaceable == "end", params.fit == "first"


def _kinds(world: World, soft: int) -> Any:
    """Return kinds of alike tasks (one queue, one demand class); write each task's kind."""
    queue = world.job["queue"][world.task["job"]].astype(np.int64)
    alike, kind_of = np.unique(queue * len(world.demand) + world.task["demand"], return_inverse=True)
    world.task["kind"] = kind_of.ravel()
    kinds = records(len(alike), KIND)
    kinds["queue"], kinds["demand"] = np.divmod(alike, len(world.demand))
    kinds["relaxed"] = without_soft(world.demand, world.asks, soft)[kinds["demand"]]
    for column in ("first", "last", "next", "previous", "failed_task"):
        kinds[column] = NOBODY
    return kinds


def _asked(world: World) -> int:
    """Return how many constraints there are to look at: up to the last one that any task asks for, at least one."""
    return max(int(np.bitwise_or.reduce(world.asks)).bit_length(), 1)


def _offer_bits(world: World) -> npt.NDArray[np.uint64]:
    """Return a row of bits over the machines for each constraint that any task asks for."""
    bits = np.zeros((_asked(world), len(world.machine) // 64 + 1), np.uint64)
    for number in range(len(bits)):
        _set_bits(bits[number], np.flatnonzero((world.machine["offers"] >> number) & 1))
    return bits


def _lay_out(state: MeghaState, cluster: Cluster) -> None:
    """Divide every cluster among the Global Masters; nothing is lent, and no machine runs a task."""
    masters = len(state.gm)
    state.lm["first"], state.lm["end"] = cluster.cluster_first[:-1], cluster.cluster_first[1:]
    for column in ("borrower", "first_task", "last_task"):
        state.place[column] = NOBODY
    for number in range(len(state.lm)):
        first, end = int(cluster.cluster_first[number]), int(cluster.cluster_first[number + 1])
        for owner, start, count in partitions_of(first, end, masters):
            seen = state.seen_partition[:, number * masters + owner]
            seen["first"] = seen["cursor"] = start
            seen["end"] = start + count
            state.place["partition"][start : start + count] = number * masters + owner
            state.place["owner"][start : start + count] = owner


def _give_queues(state: MeghaState, experiment: Experiment, queue_owner: npt.NDArray[np.int32]) -> None:
    """Write for each Global Master which queues it serves."""
    masters, queue = len(state.gm), state.queue
    queue["first_fresh"] = NOBODY
    queue["share"] = [one.share for one in effective_queues(experiment)]
    queue["owner"] = queue_owner
    queue["served"] = np.argsort(queue_owner, kind="stable")
    for gm in range(masters):
        own = np.flatnonzero(queue_owner == gm)
        queue["position"][own] = np.arange(len(own))
    owned = np.bincount(queue_owner, minlength=masters)
    state.gm["next_place"] = state.gm["first_place"] = MIDDLE
    state.gm["queues"] = owned
    state.gm["first_queue"] = np.cumsum(owned) - owned


def _first_candidates(world: World, state: MeghaState) -> None:
    """Initialize every GM's view with the truth: machines that hold the smallest demand, and their partitions."""
    machines = np.flatnonzero((world.free >= world.demand[-1]).all(axis=1))
    candidates = np.bincount(state.place["partition"][machines], minlength=state.seen_partition.shape[1])
    opened = np.flatnonzero(candidates)
    masters = len(state.gm)
    for gm in range(masters):
        state.seen_partition[gm]["candidates"] = candidates
        _set_bits(state.bits[gm, state.rules[0].machines_word :], machines)
        _set_bits(state.bits[gm], opened[opened % masters == gm] // masters)
        _set_bits(state.bits[gm, state.rules[0].others_word :], opened[opened % masters != gm])


def _set_bits(words: npt.NDArray[np.uint64], members: npt.NDArray[np.int64]) -> None:
    np.bitwise_or.at(words, members >> 6, np.left_shift(np.uint64(1), (members & 63).astype(np.uint64)))
