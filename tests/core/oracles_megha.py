"""Megha's paper profile, slow and obvious: whole copies of the state in every message, plain lists, one loop."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from scheduler_core import Cluster, Experiment, Workload
from scheduler_core.cluster.partitions import partitions_of
from scheduler_core.constraints import machine_offers, relaxed_factor, soft_mask, task_asks
from scheduler_core.engine import incidents
from scheduler_core.experiment import effective_queues
from scheduler_core.world import planned

INCIDENT, SERVED_END, SERVED_REQUEST, SERVED_HEARTBEAT, TASK_END, REQUEST, HEARTBEAT, UPDATE, STATE = range(9)
JOB, MATCH = 64, 65
SERVED = TASK_END - SERVED_END
MOST_VICTIMS = 96

Amounts = tuple[int, ...]
Kind = tuple[int, Amounts, int]
"""Queue, demand, mask of constraints."""


def plus(a: Amounts, b: Amounts, sign: int = 1) -> Amounts:
    """Resources added, or taken away."""
    return tuple(x + sign * y for x, y in zip(a, b, strict=True))


def covers(free: Amounts, demand: Amounts) -> bool:
    """Whether there is enough of everything."""
    return all(f >= d for f, d in zip(free, demand, strict=True))


@dataclass
class Task:
    """One task as the oracle keeps it."""

    number: int
    queue: int
    demand: Amounts
    duration_ns: int  # how long it runs where it is, or was last
    asks: int = 0
    own_ns: int = 0  # how long it runs where it has all that it asks for
    first_start_ns: int = -1
    start_ns: int = -1
    end_ns: int = -1
    machine: int = -1
    attempts: int = 0
    lost_ns: int = 0
    running: bool = False
    since_ns: int = 0  # when its last step ended
    parts: list[int] = field(default_factory=lambda: [0, 0, 0])  # framework queuing, processing, communication

    @property
    def kind(self) -> Kind:
        """What is alike to a Global Master."""
        return self.queue, self.demand, self.asks


@dataclass
class Message:
    """What an LM tells a GM, and the whole state of its cluster: free resources, and what each queue holds where."""

    what: str
    task: Task | None
    cluster: int
    free: dict[int, Amounts]
    held: dict[int, dict[int, Amounts]]


@dataclass
class GlobalMaster:
    """What one Global Master knows and has to do."""

    view: list[Amounts]
    held: list[dict[int, Amounts]]
    queues: list[list[Task]]
    own_use: dict[int, Amounts]
    asked: dict[int, tuple[int, Amounts]] = field(default_factory=dict)  # task -> (machine, demand), not answered yet
    failed: set[Kind] = field(default_factory=set)  # waiting kinds that found no machine
    lost: set[int] = field(default_factory=set)  # clusters of which it knows nothing
    down: bool = False
    busy_until_ns: int = 0
    step_pending: bool = False
    postponed: bool = False
    unread_beats: set[int] = field(default_factory=set)
    gained: bool = False  # a message told of a machine for a kind that had found none, and it has not looked since
    queue_cursor: int = 0
    cursors: dict[int, int] = field(default_factory=dict)
    internal_cursor: int = 0
    external_cursor: int = 0
    victim_cursor: int = 0


@dataclass
class LocalMaster:
    """A server in front of a cluster."""

    machines: int
    busy_until_ns: int = 0
    down_until_ns: int = 0
    sent_ns: int = 0
    beat_waits: bool = False


class MeghaOracle:
    """Megha with state copied whole into every message."""

    def __init__(self, experiment: Experiment, cluster: Cluster, workload: Workload) -> None:
        self.params: dict[str, Any] = dict(experiment.scheduler.params)
        self.delay = round(experiment.network.message_delay_s * 1e9)
        self.masters, self.clusters = cluster.global_masters, len(cluster.cluster_names)
        self.capacity: list[Amounts] = [tuple(int(x) for x in row) for row in cluster.capacity]
        self.whole = tuple(int(x) for x in cluster.capacity.sum(axis=0))
        self.free = list(self.capacity)
        self.out = [0] * len(self.free)
        self.on: list[list[Task]] = [[] for _ in self.free]  # tasks of each machine, in order of starting
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
        queues = effective_queues(experiment)
        self.queue_owner = [int(queue.global_master) for queue in queues]  # type: ignore[arg-type]
        self.share = [queue.share for queue in queues]
        self.offers = [int(x) for x in machine_offers(experiment, cluster)]
        self.soft, self.slowdowns = 0, np.ones(1)
        if experiment.constraints is not None:
            self.soft, self.slowdowns = soft_mask(experiment.constraints)
        self.jobs = self._jobs(experiment, workload)
        self.tasks = [task for _, tasks in self.jobs for task in tasks]
        self.possible = [self._possible(task) for task in self.tasks]
        self.smallest: Amounts = tuple(int(x) for x in workload.demands.min(axis=0))
        nothing = tuple(0 for _ in self.whole)
        self.nothing = nothing
        self.gms = [
            GlobalMaster(
                list(self.capacity),
                [{} for _ in self.capacity],
                [[] for owner in self.queue_owner if owner == gm],
                {q: nothing for q, owner in enumerate(self.queue_owner) if owner == gm},
            )
            for gm in range(self.masters)
        ]
        self.place = {
            queue: place
            for gm in range(self.masters)
            for place, queue in enumerate(q for q, owner in enumerate(self.queue_owner) if owner == gm)
        }
        self.lms = [LocalMaster(self.cluster_of.count(number)) for number in range(self.clusters)]
        self.incidents, self.settings = planned.plan(experiment, cluster), planned.changed_params(experiment)
        self.incidents_left = len(self.incidents)
        self.heap: list[tuple[int, int, int, Any]] = []
        self.sequence = self.left = self.in_flight = self.jobs_left = self.now = 0
        self.stuck = False
        names = (
            "repartitions",
            "inconsistencies_internal",
            "inconsistencies_external",
            "preemptions",
            "preemption_attempts",
            "relaunches",
            "relaxed",
        )
        self.counts = dict.fromkeys(names, 0)
        self.searched = 0  # machines of the partitions that the present match has searched
        self.seen = {"moved": 0, "refused_preemptions": 0}  # tasks without a machine that others waited behind

    def _jobs(self, experiment: Experiment, workload: Workload) -> list[tuple[int, list[Task]]]:
        asks = task_asks(experiment, workload)
        found = []
        for job in workload.jobs:
            tasks = []
            for number in range(job.first_task, job.first_task + job.tasks):
                row = workload.tasks[number]
                demand = tuple(int(x) for x in workload.demands[row.demand])
                tasks.append(
                    Task(number, int(job.queue), demand, int(row.duration_ns), int(asks[number]), int(row.duration_ns))
                )
            found.append((int(job.arrival_ns), tasks))
        return found

    def _possible(self, task: Task) -> bool:
        return any(
            covers(capacity, task.demand) and task.asks & ~offers & ~self.soft == 0
            for capacity, offers in zip(self.capacity, self.offers, strict=True)
        )

    def cost(self, per_message_us: str, per_machine_ns: str, machines: int) -> int:
        """Nanoseconds: a fixed part and one for each machine, rounded as declared costs are."""
        return round(self.params[per_message_us] * 1e3) + round(self.params[per_machine_ns] * 1e3) * machines // 1000

    def lm_cost(self, cluster: int) -> int:
        return self.cost("request_us", "send_ns", self.lms[cluster].machines)

    def schedule(self, time: int, kind: int, what: Any) -> None:
        heapq.heappush(self.heap, (time, kind, self.sequence, what))
        self.sequence += 1

    def run(self) -> list[tuple[int, ...]]:
        """(first start, end, machine, attempts, lost, the parts of the delay) of every task."""
        for number, (arrival, _) in enumerate(self.jobs):
            heapq.heappush(self.heap, (arrival, JOB, number, number))
        for number, row in enumerate(self.incidents):
            self.schedule(int(row.time_ns), INCIDENT, number)
        heartbeat = round(self.params["heartbeat_s"] * 1e9)
        for cluster in range(self.clusters):
            self.schedule(heartbeat * (cluster + 1) // self.clusters, HEARTBEAT, cluster)
        self.left, self.jobs_left = sum(self.possible), len(self.jobs)
        while self.left and not self.stuck:
            self.now, kind, _, what = heapq.heappop(self.heap)
            self.handle(kind, what)
            assert self.sequence < 400_000, "a run of a few tasks does not end"
        return [
            (t.first_start_ns, t.end_ns, t.machine if t.attempts else -1, t.attempts, t.lost_ns, *t.parts)
            for t in self.tasks
        ]

    def handle(self, kind: int, what: Any) -> None:
        if kind == INCIDENT:
            self.on_incident(self.incidents[what])
        elif kind == JOB:
            self.on_job(what)
        elif kind == MATCH:
            self.on_match(what)
        elif kind == STATE:
            self.on_state(*what)
        elif kind == UPDATE:
            self.read(*what)
        else:
            if kind == HEARTBEAT:
                self.schedule(self.now + round(self.params["heartbeat_s"] * 1e9), HEARTBEAT, what)
                self.watch()
            if not self.waits_at_lm(kind, what):
                {1: self.on_end, 2: self.on_request, 0: self.on_heartbeat}[kind % SERVED](what)

    # -- servers ---------------------------------------------------------------------------------------------------

    def waits_at_lm(self, kind: int, what: Any) -> bool:
        times = 1
        if kind in (HEARTBEAT, SERVED_HEARTBEAT):
            cluster, times = what, self.masters
            if kind == HEARTBEAT and self.lms[cluster].beat_waits:
                return True
        elif kind in (TASK_END, SERVED_END):
            task, start = what
            if not task.running or task.start_ns != start:
                return False
            cluster = self.cluster_of[task.machine]
        else:
            cluster = self.cluster_of[what[2]]
        lm, served = self.lms[cluster], kind <= SERVED_HEARTBEAT
        if served and lm.down_until_ns <= self.now:
            lm.beat_waits = lm.beat_waits and kind != SERVED_HEARTBEAT
            return False
        begin = max(self.now, lm.busy_until_ns, lm.down_until_ns)
        lm.busy_until_ns = begin + times * self.lm_cost(cluster)
        if begin > self.now:
            lm.beat_waits = lm.beat_waits or kind == HEARTBEAT
            self.schedule(begin, kind if served else kind - SERVED, what)
        return begin > self.now

    def on_state(self, gms: list[int], message: Message) -> None:
        for gm in gms:
            me = self.gms[gm]
            if not me.down:
                if message.task is None and message.cluster in me.unread_beats:
                    continue
                begin = max(self.now, me.busy_until_ns)
                me.busy_until_ns = begin + self.cost("update_us", "apply_ns", self.lms[message.cluster].machines)
                if begin > self.now:
                    me.unread_beats |= {message.cluster} if message.task is None else set()
                    self.schedule(begin, UPDATE, (gm, message))
                    continue
            self.read(gm, message)

    def tell(self, gms: list[int], what: str, task: Task | None, cluster: int, sent: int) -> None:
        mine = [m for m in range(len(self.free)) if self.cluster_of[m] == cluster]
        free = {m: self.free[m] for m in mine}
        held = {m: self.holders(m) for m in mine}
        lm = self.lms[cluster]
        lm.sent_ns = max(lm.sent_ns, sent)
        self.schedule(lm.sent_ns + self.delay, STATE, (gms, Message(what, task, cluster, free, held)))

    def holders(self, machine: int) -> dict[int, Amounts]:
        held: dict[int, Amounts] = {}
        for task in self.on[machine]:
            held[task.queue] = plus(held.get(task.queue, self.nothing), task.demand)
        return held

    # -- Global Masters --------------------------------------------------------------------------------------------

    def read(self, gm: int, message: Message) -> None:
        me, task = self.gms[gm], message.task
        if task is not None and message.what in ("granted", "refused", "no_room"):
            me.asked.pop(task.number)
        if not me.down:
            me.lost.discard(message.cluster)
            for machine, free in message.free.items():
                me.view[machine], me.held[machine] = free, message.held[machine]
            for machine, demand in me.asked.values():
                if machine in message.free:
                    me.view[machine] = plus(me.view[machine], demand, -1)
            waiting = {t.kind for queue in me.queues for t in queue}
            if any(self.eligible(me, m, self.hard(kind)) for m in message.free for kind in me.failed & waiting):
                me.gained = True
        if task is None:
            me.unread_beats.discard(message.cluster)
            if not me.down and self.params["fairness"]:
                self.reconsider(gm)
        elif message.what == "granted":
            self.in_flight -= 1
        else:
            me.own_use[task.queue] = plus(me.own_use[task.queue], task.demand, -1)
            if message.what != "ended":
                self.in_flight -= message.what in ("refused", "no_room")
                self.charge(task, self.now - task.since_ns - self.delay, 0, self.delay)
                self.rejoin(me, task, message.what == "no_room" and self.params["further_victims"])
        self.wake(gm)

    def rejoin(self, me: GlobalMaster, task: Task, at_once: bool) -> None:
        """To the end of its queue, or to its head and awake, so that the GM looks for further victims."""
        queue = me.queues[self.place[task.queue]]
        queue.insert(0 if at_once else len(queue), task)
        if at_once:
            me.failed.discard(task.kind)

    def sees(self, me: GlobalMaster, machine: int, demand: Amounts) -> bool:
        return self.cluster_of[machine] not in me.lost and covers(me.view[machine], demand)

    def eligible(self, me: GlobalMaster, machine: int, kind: Kind) -> bool:
        _, demand, asks = kind
        return self.offers[machine] & asks == asks and self.sees(me, machine, demand)

    def hard(self, kind: Kind) -> Kind:
        return kind[0], kind[1], kind[2] & ~self.soft

    def may_fit(self, me: GlobalMaster, kind: Kind) -> bool:
        machines = range(len(me.view))
        return kind not in me.failed or any(self.eligible(me, machine, self.hard(kind)) for machine in machines)

    def wake(self, gm: int) -> None:
        me = self.gms[gm]
        fresh = any(t.kind not in me.failed for queue in me.queues for t in queue)
        if not me.step_pending and not me.down and (fresh or me.gained):
            me.step_pending = True
            self.schedule(max(self.now, me.busy_until_ns), MATCH, gm)

    def on_job(self, number: int) -> None:
        self.jobs_left -= 1
        _, tasks = self.jobs[number]
        gm = self.queue_owner[tasks[0].queue]
        for task in tasks:
            if self.possible[task.number]:
                task.since_ns = self.now
                self.gms[gm].queues[self.place[task.queue]].append(task)
        self.wake(gm)

    def on_match(self, gm: int) -> None:
        me = self.gms[gm]
        if me.busy_until_ns > self.now and not me.down and not me.postponed:
            me.postponed = True
            self.schedule(me.busy_until_ns, MATCH, gm)
            return
        me.step_pending = me.postponed = False
        while not me.down:
            found = self.take_next(me)
            if found is None:
                return
            queue, task = found
            self.searched = 0
            machine, passed = self.search(gm, task.kind)
            if machine is None and task.kind != self.hard(task.kind):
                machine, more = self.search(gm, self.hard(task.kind))
                passed += more
            violator = None
            if machine is None and self.params["fairness"]:
                machine, violator, looked = self.search_victims(gm, task)
                passed += looked
            cost = round(self.params["match_us"] * 1e3)
            scan, vector = (round(self.params[name] * 1e3) for name in ("scan_ns", "vector_ns"))
            cost += (scan * passed + vector * self.searched) // 1000
            begin = max(self.now, me.busy_until_ns)
            me.busy_until_ns = begin + cost
            if machine is None:
                me.failed.add(task.kind)
                self.seen["moved"] += queue[-1] is not task
                if self.params["unplaceable"] == "end":
                    queue.append(queue.pop(queue.index(task)))
            else:
                queue.remove(task)
                if all(other.kind != task.kind for other in queue):
                    me.failed.discard(task.kind)
                me.asked[task.number] = (machine, task.demand)
                me.view[machine] = plus(me.view[machine], task.demand, -1)
                me.own_use[task.queue] = plus(me.own_use[task.queue], task.demand)
                self.charge(task, begin - task.since_ns, cost, 0)
                self.in_flight += 1
                self.counts["preemption_attempts"] += violator is not None
                self.schedule(begin + cost + self.delay, REQUEST, (gm, task, machine, violator))
            if cost:
                self.wake(gm)
                return

    def charge(self, task: Task, framework: int, processing: int, communication: int) -> None:
        """Add to the parts of a delay, which ends with the first start."""
        task.since_ns += framework + processing + communication
        if task.attempts == 0:
            task.parts = [a + b for a, b in zip(task.parts, (framework, processing, communication), strict=True)]

    def take_next(self, me: GlobalMaster) -> tuple[list[Task], Task] | None:
        for step in range(len(me.queues)):
            position = (me.queue_cursor + step) % len(me.queues)
            for task in me.queues[position]:
                if self.may_fit(me, task.kind):
                    me.queue_cursor = (position + 1) % len(me.queues)
                    return me.queues[position], task
        me.gained = False
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
            if ring[at] not in allowed or not any(self.sees(me, m, self.smallest) for m in range(first, end)):
                passed += 1
                continue
            self.searched += end - first
            start = first if self.params["fit"] == "first" else me.cursors.get(ring[at], first)
            for machine in [*range(start, end), *range(first, start)]:
                passed += 1
                if self.eligible(me, machine, kind):
                    me.cursors[ring[at]] = machine + 1 if machine + 1 < end else first
                    return machine, at, passed
        return None, 0, passed

    # -- fairness --------------------------------------------------------------------------------------------------

    def use(self, me: GlobalMaster, queue: int) -> Amounts:
        if queue in me.own_use:
            return me.own_use[queue]
        total = self.nothing
        for machine, held in enumerate(me.held):
            if self.cluster_of[machine] not in me.lost:
                total = plus(total, held.get(queue, self.nothing))
        return total

    def dominant(self, use: Amounts) -> float:
        return max((u / w for u, w in zip(use, self.whole, strict=True) if w), default=0.0)

    def violators(self, me: GlobalMaster) -> list[int]:
        excess = {q: self.dominant(self.use(me, q)) - share for q, share in enumerate(self.share)}
        return sorted((q for q in excess if excess[q] > 1e-9), key=lambda q: (-excess[q], q))

    def may_take(self, me: GlobalMaster, queue: int, demand: Amounts) -> bool:
        return self.dominant(plus(me.own_use[queue], demand)) <= self.share[queue] + 1e-9

    def search_victims(self, gm: int, task: Task) -> tuple[int | None, int | None, int]:
        me, looked = self.gms[gm], 0
        if not self.may_take(me, task.queue, task.demand):
            return None, None, looked
        for violator in self.violators(me):
            for step in range(len(self.free)):
                machine = (me.victim_cursor + step) % len(self.free)
                looked += 1
                if task.asks & ~self.offers[machine] & ~self.soft or self.cluster_of[machine] in me.lost:
                    continue
                room = plus(me.view[machine], me.held[machine].get(violator, self.nothing))
                if covers(room, task.demand):
                    me.victim_cursor = (machine + 1) % len(self.free)
                    return machine, violator, looked
        return None, None, looked

    def reconsider(self, gm: int) -> None:
        me = self.gms[gm]
        if self.violators(me):
            me.failed = {kind for kind in me.failed if not self.may_take(me, kind[0], kind[1])}

    # -- Local Masters ---------------------------------------------------------------------------------------------

    def launch(self, task: Task, machine: int, start: int) -> None:
        lacking = task.asks & ~self.offers[machine]
        task.duration_ns = (
            int(np.floor(task.own_ns * relaxed_factor(self.slowdowns, lacking) + 0.5)) if lacking else (task.own_ns)
        )
        self.counts["relaxed"] += lacking != 0
        self.free[machine] = plus(self.free[machine], task.demand, -1)
        self.on[machine].append(task)
        task.machine, task.start_ns, task.running = machine, start, True
        task.attempts += 1
        if task.attempts == 1:
            task.first_start_ns = start
        self.counts["repartitions"] += self.owner[machine] != self.queue_owner[task.queue]
        self.schedule(start + task.duration_ns + self.delay, TASK_END, (task, start))

    def leave(self, task: Task) -> None:
        task.running = False
        self.on[task.machine].remove(task)
        self.free[task.machine] = plus(self.free[task.machine], task.demand)

    def finish(self, task: Task) -> None:
        task.end_ns = task.start_ns + task.duration_ns
        self.left -= 1
        self.leave(task)

    def on_request(self, what: tuple[int, Task, int, int | None]) -> None:
        gm, task, machine, violator = what
        cluster = self.cluster_of[machine]
        sent = decided = self.now + self.lm_cost(cluster)
        if self.params["launch_first"]:
            decided = self.now + round(self.params["request_us"] * 1e3)
        self.charge(task, self.now - task.since_ns - self.delay, 0, self.delay)
        granted, answer = covers(self.free[machine], task.demand), "granted"
        if not granted and violator is not None and not self.out[machine]:
            granted = self.make_room(task, machine, violator, decided + self.delay, sent)
        if granted:
            self.charge(task, 0, decided - self.now, self.delay)
            self.launch(task, machine, decided + self.delay)
        else:
            self.charge(task, 0, sent - self.now, 0)
            answer = "refused" if violator is None or self.too_many(task, machine, violator) else "no_room"
        if not granted and violator is None:
            side = "internal" if self.owner[machine] == gm else "external"
            self.counts[f"inconsistencies_{side}"] += 1
        self.tell([gm], answer, task, cluster, sent)

    def too_many(self, task: Task, machine: int, violator: int) -> bool:
        """Whether the violator's tasks would make room, but more of them than may be stopped."""
        room = self.free[machine]
        for other in self.on[machine]:
            room = plus(room, other.demand) if other.queue == violator else room
        self.seen["refused_preemptions"] += 1
        return not self.out[machine] and covers(room, task.demand)

    def make_room(self, task: Task, machine: int, violator: int, stop: int, sent: int) -> bool:
        victims: list[Task] = []
        free = self.free[machine]
        for other in reversed(self.on[machine]):
            if other.queue == violator and not covers(free, task.demand) and len(victims) < MOST_VICTIMS:
                victims.append(other)
                free = plus(free, other.demand)
        if not covers(free, task.demand):
            return False
        for victim in victims:
            gm = self.queue_owner[victim.queue]
            if victim.start_ns + victim.duration_ns <= stop:
                self.finish(victim)
                what = "ended"
            else:
                self.leave(victim)
                victim.lost_ns += stop - victim.start_ns
                self.counts["preemptions"] += 1
                what = "stopped"
            self.tell([gm], what, victim, self.cluster_of[machine], sent)
        return True

    def on_end(self, what: tuple[Task, int]) -> None:
        task, start = what
        if task.running and task.start_ns == start:
            cluster = self.cluster_of[task.machine]
            self.finish(task)
            self.tell([self.queue_owner[task.queue]], "ended", task, cluster, self.now + self.lm_cost(cluster))

    def on_heartbeat(self, cluster: int) -> None:
        self.tell(list(range(self.masters)), "beat", None, cluster, self.now + self.masters * self.lm_cost(cluster))

    # -- incidents -------------------------------------------------------------------------------------------------

    def on_incident(self, row: Any) -> None:
        self.incidents_left -= 1
        what, first = int(row.what), int(row.first)
        if what in (incidents.FAIL_MACHINES, incidents.DRAIN_MACHINES, incidents.RESTORE_MACHINES):
            for machine in range(first, int(row.end)):
                self.change_machine(machine, what, int(row.x))
        elif what == incidents.FAIL_LOCAL_MASTER:
            standby = round(self.params["standby_s"] * 1e9)
            self.lms[first].down_until_ns = max(self.lms[first].down_until_ns, self.now + standby)
        elif what == incidents.RECOVER_LOCAL_MASTER:
            self.lms[first].down_until_ns = min(self.lms[first].down_until_ns, self.now)
        elif what == incidents.FAIL_GLOBAL_MASTER:
            self.fail_global_master(first)
        elif what == incidents.RECOVER_GLOBAL_MASTER:
            self.gms[first].down = False
            self.wake(first)
        elif what == incidents.SET_SHARE:
            self.share[first] = int(row.x) / incidents.SHARE_UNIT
        elif what == incidents.STOP_TASK:
            task = self.tasks[first]
            if task.running and task.start_ns <= self.now < task.start_ns + task.duration_ns:
                self.lose(task)
        else:
            self.params |= self.settings[int(row.x)]

    def fail_global_master(self, gm: int) -> None:
        me = self.gms[gm]
        if not me.down:
            me.down = True
            me.lost = set(range(self.clusters))
            me.gained = False

    def change_machine(self, machine: int, what: int, why: int) -> None:
        before = self.out[machine]
        self.out[machine] = before & ~why if what == incidents.RESTORE_MACHINES else before | why
        withheld = tuple(c + 1 for c in self.capacity[machine])
        if bool(before) != bool(self.out[machine]):
            self.free[machine] = plus(self.free[machine], withheld, 1 if before else -1)
        if what == incidents.FAIL_MACHINES:
            for task in reversed(list(self.on[machine])):
                if task.start_ns + task.duration_ns > self.now:
                    self.lose(task)

    def lose(self, task: Task) -> None:
        gm, cluster, lm = self.queue_owner[task.queue], self.cluster_of[task.machine], None
        lm = self.lms[cluster]
        self.leave(task)
        if self.now >= task.start_ns:
            task.lost_ns += self.now - task.start_ns
        else:
            task.attempts -= 1
            if not task.attempts:
                task.first_start_ns = -1
                unsent = max(task.start_ns - self.delay - self.now, 0)  # of the LM's work on the launch
                task.parts[1] -= unsent
                task.parts[2] -= task.start_ns - self.now - unsent
        task.since_ns = self.now
        fitting = [
            m
            for m in range(len(self.free))
            if self.cluster_of[m] == cluster
            and task.asks & ~self.offers[m] & ~self.soft == 0
            and covers(self.free[m], task.demand)
        ]
        if lm.down_until_ns > self.now or not fitting:
            self.tell([gm], "returned", task, cluster, max(self.now, lm.down_until_ns))
            return
        own = [m for m in fitting if self.owner[m] == gm]
        self.counts["relaunches"] += 1
        self.charge(task, 0, 0, self.delay)
        self.launch(task, (own or fitting)[0], self.now + self.delay)

    def watch(self) -> None:
        """What waits can never start when nothing is under way or to come, and every view is the truth."""
        if self.in_flight or self.incidents_left or self.jobs_left or any(t.running for t in self.tasks):
            return
        for me in self.gms:
            fresh = any(t.kind not in me.failed for queue in me.queues for t in queue)
            if not me.down and (fresh or me.gained or me.step_pending or me.lost or me.view != self.free):
                return
        self.stuck = True


def outcome(tasks: np.ndarray) -> list[tuple[int, ...]]:
    """What the oracle returns, of a run's task table."""
    columns = ["first_start_ns", "end_ns", "machine", "attempts", "lost_ns"]
    columns += [f"{part}_ns" for part in ("framework_queuing", "processing", "communication")]
    return [tuple(int(row[c]) for c in columns) for row in tasks]
