"""Slow, obvious versions of the protocols, written from their rules: full copies, plain lists, one loop."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field

import numpy as np

from scheduler_core import Cluster, Experiment, Workload
from scheduler_core.constraints import machine_offers, task_asks
from scheduler_core.description import partitions_of
from scheduler_core.experiment import effective_queues

TASK_END, REQUEST, STATE, HEARTBEAT, JOB, MATCH = range(6)


Kind = tuple[int, tuple[int, ...], int]
"""Queue, demand, mask of constraints."""


@dataclass
class Task:
    """One task as the oracle keeps it."""

    number: int
    queue: int
    demand: tuple[int, ...]
    duration_ns: int
    arrival_ns: int
    asks: int = 0
    first_start_ns: int = -1
    end_ns: int = -1
    machine: int = -1
    attempts: int = 0

    @property
    def kind(self) -> Kind:
        """What is alike to a Global Master."""
        return self.queue, self.demand, self.asks


@dataclass
class Message:
    """The whole state of a cluster: free resources of each machine."""

    cluster: int
    free: dict[int, tuple[int, ...]]


@dataclass
class GlobalMaster:
    """What one Global Master knows and has to do."""

    view: list[tuple[int, ...]]
    queues: list[list[Task]]
    asked: dict[int, tuple[int, int]] = field(default_factory=dict)  # task -> (cluster, machine), not yet overwritten
    failed: set[Kind] = field(default_factory=set)  # waiting kinds that found no machine
    busy_until_ns: int = 0
    step_pending: bool = False
    queue_cursor: int = 0
    cursors: dict[int, int] = field(default_factory=dict)
    internal_cursor: int = 0
    external_cursor: int = 0


class MeghaOracle:
    """Megha with state copied whole into every message."""

    def __init__(self, experiment: Experiment, cluster: Cluster, workload: Workload) -> None:
        params = experiment.scheduler.params
        self.delay = round(experiment.network.message_delay_s * 1e9)
        self.heartbeat = round(params["heartbeat_s"] * 1e9)
        self.match_ns, self.scan_ps = round(params["match_us"] * 1e3), round(params["scan_ns"] * 1e3)
        self.masters, self.clusters = cluster.global_masters, len(cluster.cluster_names)
        self.capacity = [tuple(int(x) for x in row) for row in cluster.capacity]
        self.free = list(self.capacity)
        self.cluster_of = [int(c) for c in cluster.cluster_of]
        self.partitions = [
            (start, start + count)
            for first, end in zip(cluster.cluster_first[:-1], cluster.cluster_first[1:], strict=True)
            for _, start, count in partitions_of(int(first), int(end), self.masters)
        ]
        self.owner = [0] * len(self.free)
        for number, (start, end) in enumerate(self.partitions):
            for machine in range(start, end):
                self.owner[machine] = number % self.masters
        self.queue_owner = [int(queue.global_master) for queue in effective_queues(experiment)]  # type: ignore[arg-type]
        self.jobs = [
            (
                int(job.arrival_ns),
                [self._task(workload, job, i) for i in range(job.first_task, job.first_task + job.tasks)],
            )
            for job in workload.jobs
        ]
        self.tasks = [task for _, tasks in self.jobs for task in tasks]
        self.offers = [int(x) for x in machine_offers(experiment, cluster)]
        for task, asks in zip(self.tasks, task_asks(experiment, workload), strict=True):
            task.asks = int(asks)
        self.possible = [self._possible(task) for task in self.tasks]
        self.smallest = tuple(int(x) for x in workload.demands.min(axis=0))
        self.gms = []
        for gm in range(self.masters):
            owned = sum(owner == gm for owner in self.queue_owner)
            self.gms.append(GlobalMaster(list(self.capacity), [[] for _ in range(owned)]))
        self.place = {}
        for gm in range(self.masters):
            for place, queue in enumerate(q for q, owner in enumerate(self.queue_owner) if owner == gm):
                self.place[queue] = place
        self.heap: list[tuple[int, int, int, object]] = []
        self.sequence = 0
        self.counts = {"repartitions": 0, "inconsistencies_internal": 0, "inconsistencies_external": 0}

    @staticmethod
    def _task(workload: Workload, job: np.record, number: int) -> Task:
        row = workload.tasks[number]
        demand = tuple(int(x) for x in workload.demands[row.demand])
        return Task(number, int(job.queue), demand, int(row.duration_ns), int(job.arrival_ns))

    def _possible(self, task: Task) -> bool:
        return any(
            self._covers(capacity, task.demand) and offers & task.asks == task.asks
            for capacity, offers in zip(self.capacity, self.offers, strict=True)
        )

    def _eligible(self, me: GlobalMaster, machine: int, kind: Kind) -> bool:
        _, demand, asks = kind
        return self.offers[machine] & asks == asks and self._covers(me.view[machine], demand)

    def _may_fit(self, me: GlobalMaster, kind: Kind) -> bool:
        return kind not in me.failed or any(self._eligible(me, machine, kind) for machine in range(len(me.view)))

    @staticmethod
    def _covers(free: tuple[int, ...], demand: tuple[int, ...]) -> bool:
        return all(f >= d for f, d in zip(free, demand, strict=True))

    def schedule(self, time: int, kind: int, what: object) -> None:
        heapq.heappush(self.heap, (time, kind, self.sequence, what))
        self.sequence += 1

    def run(self) -> list[tuple[int, int, int, int]]:
        """(first start, end, machine, attempts) of every task."""
        for number, (arrival, _) in enumerate(self.jobs):
            heapq.heappush(self.heap, (arrival, JOB, number, number))
        for cluster in range(self.clusters):
            self.schedule(self.heartbeat * (cluster + 1) // self.clusters, HEARTBEAT, cluster)
        left = sum(self.possible)
        while left:
            self.now, kind, _, what = heapq.heappop(self.heap)
            if kind == TASK_END:
                left -= 1
            handler = (self.on_end, self.on_request, self.on_state, self.on_heartbeat, self.on_job, self.on_match)[kind]
            handler(what)  # type: ignore[operator]
        return [(t.first_start_ns, t.end_ns, t.machine if t.attempts else -1, t.attempts) for t in self.tasks]

    def message(self, cluster: int) -> Message:
        free = {m: f for m, f in enumerate(self.free) if self.cluster_of[m] == cluster}
        return Message(cluster, free)

    def apply(self, gm: int, message: Message) -> None:
        me = self.gms[gm]
        for task, (cluster, _) in list(me.asked.items()):
            if cluster == message.cluster:
                del me.asked[task]
        for machine, free in message.free.items():
            me.view[machine] = free

    def wake(self, gm: int) -> None:
        me = self.gms[gm]
        if not me.step_pending and any(self._may_fit(me, t.kind) for queue in me.queues for t in queue):
            me.step_pending = True
            self.schedule(max(self.now, me.busy_until_ns), MATCH, gm)

    def on_job(self, number: int) -> None:
        _, tasks = self.jobs[number]
        gm = self.queue_owner[tasks[0].queue]
        for task in tasks:
            if self.possible[task.number]:
                self.gms[gm].queues[self.place[task.queue]].append(task)
        self.wake(gm)

    def on_match(self, gm: int) -> None:
        me = self.gms[gm]
        me.step_pending = False
        while True:
            found = self.take_next(me)
            if found is None:
                return
            queue, task = found
            machine, passed = self.search(gm, task.kind)
            cost = self.match_ns + self.scan_ps * passed // 1000
            me.busy_until_ns = self.now + cost
            if machine is None:
                me.failed.add(task.kind)
            else:
                queue.remove(task)
                if all(other.kind != task.kind for other in queue):
                    me.failed.discard(task.kind)
                me.asked[task.number] = (self.cluster_of[machine], machine)
                me.view[machine] = tuple(f - d for f, d in zip(me.view[machine], task.demand, strict=True))
                self.schedule(self.now + cost + self.delay, REQUEST, (gm, task, machine))
            if cost:
                self.wake(gm)
                return

    def take_next(self, me: GlobalMaster) -> tuple[list[Task], Task] | None:
        for step in range(len(me.queues)):
            position = (me.queue_cursor + step) % len(me.queues)
            for task in me.queues[position]:
                if self._may_fit(me, task.kind):
                    me.queue_cursor = (position + 1) % len(me.queues)
                    return me.queues[position], task
        return None

    def search(self, gm: int, kind: Kind) -> tuple[int | None, int]:
        me = self.gms[gm]
        own = [cluster * self.masters + gm for cluster in range(self.clusters)]
        machine, at, passed = self.round(me, own, set(own), me.internal_cursor, kind)
        if machine is not None:
            me.internal_cursor = (at + 1) % len(own)
            return machine, passed
        every = list(range(len(self.partitions)))
        machine, at, more = self.round(me, every, set(every) - set(own), me.external_cursor, kind)
        if machine is not None:
            me.external_cursor = (at + 1) % len(every)
        return machine, passed + more

    def round(
        self, me: GlobalMaster, ring: list[int], allowed: set[int], cursor: int, kind: Kind
    ) -> tuple[int | None, int, int]:
        passed = 0
        for step in range(len(ring)):
            at = (cursor + step) % len(ring)
            first, end = self.partitions[ring[at]]
            if ring[at] not in allowed or not any(self._covers(me.view[m], self.smallest) for m in range(first, end)):
                passed += 1
                continue
            start = me.cursors.get(ring[at], first)
            for machine in [*range(start, end), *range(first, start)]:
                passed += 1
                if self._eligible(me, machine, kind):
                    me.cursors[ring[at]] = machine + 1 if machine + 1 < end else first
                    return machine, at, passed
        return None, 0, passed

    def on_request(self, what: tuple[int, Task, int]) -> None:
        gm, task, machine = what
        cluster = self.cluster_of[machine]
        granted = self._covers(self.free[machine], task.demand)
        if granted:
            self.free[machine] = tuple(f - d for f, d in zip(self.free[machine], task.demand, strict=True))
            task.first_start_ns, task.machine, task.attempts = self.now + self.delay, machine, task.attempts + 1
            self.counts["repartitions"] += self.owner[machine] != gm
            self.schedule(self.now + 2 * self.delay + task.duration_ns, TASK_END, (gm, task, machine))
        else:
            side = "internal" if self.owner[machine] == gm else "external"
            self.counts[f"inconsistencies_{side}"] += 1
        back = None if granted else task
        self.schedule(self.now + self.delay, STATE, ([gm], back, self.message(cluster)))

    def on_end(self, what: tuple[int, Task, int]) -> None:
        gm, task, machine = what
        cluster = self.cluster_of[machine]
        task.end_ns = self.now - self.delay
        self.free[machine] = tuple(f + d for f, d in zip(self.free[machine], task.demand, strict=True))
        self.schedule(self.now + self.delay, STATE, ([gm], None, self.message(cluster)))

    def on_heartbeat(self, cluster: int) -> None:
        self.schedule(self.now + self.delay, STATE, (list(range(self.masters)), None, self.message(cluster)))
        self.schedule(self.now + self.heartbeat, HEARTBEAT, cluster)

    def on_state(self, what: tuple[list[int], Task | None, Message]) -> None:
        gms, refused, message = what
        for gm in gms:
            self.apply(gm, message)
            if refused is not None:
                self.gms[gm].queues[self.place[refused.queue]].append(refused)
            self.wake(gm)
