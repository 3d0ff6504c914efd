"""Slow versions of the public simulators' rules in plain Python: real heaps, lists and full copies.

They share with the kernels nothing but the keyed random numbers and what the experiment says. Ties of Megha's events
are settled by `heapq` under a comparison that always holds, which is what its authors' program does. Given that
program's own random numbers as well, `WithPublicNumbers` has to decide as it did.
"""

from __future__ import annotations

import heapq
import random
from collections import deque
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, NamedTuple

from scheduler_core import Experiment
from scheduler_core.cluster import Cluster
from scheduler_core.cluster.partitions import partitions_of
from scheduler_core.constraints import machine_offers, task_asks
from scheduler_core.engine import rng
from scheduler_core.workload import Workload


@dataclass(eq=False)
class Task:
    """One task."""

    number: int
    demand: tuple[int, ...]
    asks: int
    duration: int
    job: Any
    machine: int = -1
    start: int = -1
    end: int = -1
    matched: bool = False


@dataclass(eq=False)
class Job:
    """One job; `done` as its GM knows."""

    number: int
    size: int
    arrival: Time
    tasks: list[Task] = field(default_factory=list)
    done: int = 0

    def key(self) -> int:
        """Tasks not known to have ended."""
        return len(self.tasks) - self.done


class Time(NamedTuple):
    """An instant: whole nanoseconds, and the sum of seconds as floating point arithmetic has it, which settles ties."""

    ns: int
    s: float

    def after(self, *delays_ns: int) -> Time:
        """The instant so much later, the delays added one by one."""
        s = self.s
        for delay in delays_ns:
            s += delay / 1e9
        return Time(self.ns + sum(delays_ns), s)


class Event:
    """An event that claims to come before any other of its time."""

    def __init__(self, *what: Any) -> None:
        self.what = what

    def __lt__(self, other: Event) -> bool:
        return True


def jobs_of(experiment: Experiment, cluster: Cluster, workload: Workload) -> list[Job]:
    """The jobs, each with the tasks that some machine could hold."""
    offers, asks = machine_offers(experiment, cluster), task_asks(experiment, workload)
    jobs: list[Job] = []
    for number, row in enumerate(workload.jobs):
        arrival = Time(int(row["arrival_ns"]), int(row["arrival_ns"]) / 1e9)
        if jobs and arrival.ns - jobs[-1].arrival.ns == 10_000_000:  # repeats are formed by adding a hundredth
            arrival = jobs[-1].arrival.after(10_000_000)
        jobs.append(Job(number, int(row["tasks"]), arrival))
    for number, row in enumerate(workload.tasks):
        demand, mask = tuple(int(x) for x in workload.demands[row["demand"]]), int(asks[number])
        if able(cluster, offers, demand, mask):
            job = jobs[int(row["job"])]
            job.tasks.append(Task(number, demand, mask, int(row["duration_ns"]), job))
    return jobs


def able(cluster: Cluster, offers: Any, demand: tuple[int, ...], asks: int) -> list[int]:
    """Machines that could hold the demand when empty."""
    return [
        m
        for m, capacity in enumerate(cluster.capacity)
        if all(int(c) >= d for c, d in zip(capacity, demand, strict=True)) and int(offers[m]) & asks == asks
    ]


@dataclass(eq=False)
class GlobalMaster:
    """One GM: what it sees free, its queue, and the ends that no update has told it of."""

    number: int
    view: set[int]
    queue: list[Job] = field(default_factory=list)
    ended: list[Task] = field(default_factory=list)
    draws: int = 0


class MeghaPublicOracle:
    """Megha as its public simulator runs it."""

    def __init__(self, experiment: Experiment, cluster: Cluster, workload: Workload) -> None:
        self.seed = experiment.seed
        self.delay = round(experiment.network.message_delay_s * 1e9)
        self.heartbeat = round(experiment.scheduler.params["heartbeat_s"] * 1e9)
        self.cluster, self.offers = cluster, machine_offers(experiment, cluster)
        self.jobs = jobs_of(experiment, cluster, workload)
        self.left = sum(len(job.tasks) for job in self.jobs)
        masters = cluster.global_masters
        self.partitions = [
            (owner, range(start, start + count))
            for n in range(len(cluster.cluster_names))
            for owner, start, count in partitions_of(
                int(cluster.cluster_first[n]), int(cluster.cluster_first[n + 1]), masters
            )
        ]
        self.owner = {m: owner for owner, machines in self.partitions for m in machines}
        self.able: dict[tuple[tuple[int, ...], int], set[int]] = {}
        self.truth = set(range(len(cluster.capacity)))
        self.gms = [GlobalMaster(n, set(self.truth)) for n in range(masters)]
        self.heap: list[tuple[Time, Event]] = []
        self.counts = {"inconsistencies_internal": 0, "inconsistencies_external": 0, "repartitions": 0, "matches": 0}
        self.counts["failed_matches"] = 0

    def push(self, time: Time, *what: Any) -> None:
        heapq.heappush(self.heap, (time, Event(*what)))

    def run(self) -> list[tuple[int, int, int, int]]:
        """(number, machine, start, end) of every task that could run."""
        self.push(self.jobs[0].arrival, "arrive", self.jobs[0])
        self.push(self.jobs[0].arrival, "beat")
        while self.left:
            self.now, event = heapq.heappop(self.heap)
            getattr(self, event.what[0])(*event.what[1:])
        tasks = [task for job in self.jobs for task in job.tasks]
        return [(task.number, task.machine, task.start, task.end) for task in tasks]

    def arrive(self, job: Job) -> None:
        gm = self.gms[job.size % len(self.gms)]
        if job.tasks:
            gm.queue.append(job)
            gm.queue.sort(key=Job.key)
            if len(gm.queue) == 1:
                self.schedule(gm, self.now)
        if job.number + 1 < len(self.jobs):
            after = self.jobs[job.number + 1]
            self.push(after.arrival, "arrive", after)

    def pick(self, gm: GlobalMaster, task: Task, own: bool) -> int | None:
        """Any partition that has a machine for the task, then any machine of it."""
        wanted = (task.demand, task.asks)
        if wanted not in self.able:
            self.able[wanted] = set(able(self.cluster, self.offers, *wanted))
        fit = self.able[wanted] & gm.view
        choices = [
            inside
            for owner, machines in self.partitions
            if (owner == gm.number) == own and (inside := [m for m in machines if m in fit])
        ]
        if not choices:
            return None
        inside = choices[rng.below(self.seed, rng.STREAM_PICK, gm.number, gm.draws, len(choices))]
        machine = inside[rng.below(self.seed, rng.STREAM_PICK, gm.number, gm.draws + 1, len(inside))]
        gm.draws += 2
        return machine

    def schedule(self, gm: GlobalMaster, at: Time) -> None:
        own = True
        while gm.queue:
            job = gm.queue[0]
            task = next(task for task in job.tasks if not task.matched)
            machine = self.pick(gm, task, own)
            if machine is None:
                if not own:
                    self.counts["failed_matches"] += 1
                    return
                own = False
                continue
            gm.view.discard(machine)
            task.matched = True
            if all(task.matched for task in job.tasks):
                gm.queue.pop(0)
            self.counts["matches"] += 1
            self.push(at, "match", gm, task, machine)

    def match(self, gm: GlobalMaster, task: Task, machine: int) -> None:
        internal = self.owner[machine] == gm.number
        if machine in self.truth:
            self.truth.discard(machine)
            self.counts["repartitions"] += not internal
            launch = self.now.after(self.delay, self.delay)
            task.machine, task.start = machine, launch.ns
            self.push(launch, "launch", gm, task)
        else:
            self.counts["inconsistencies_internal" if internal else "inconsistencies_external"] += 1
            self.push(self.now.after(self.delay), "refused", gm, task)

    def launch(self, gm: GlobalMaster, task: Task) -> None:
        self.push(self.now.after(task.duration), "end", gm, task)

    def end(self, gm: GlobalMaster, task: Task) -> None:
        task.end = self.now.ns
        self.left -= 1
        self.truth.add(task.machine)
        gm.ended.append(task)
        self.push(self.now.after(self.delay), "update", gm)

    def refused(self, gm: GlobalMaster, task: Task) -> None:
        task.matched = False
        if task.job not in gm.queue:
            gm.queue.insert(0, task.job)
            gm.queue.sort(key=Job.key)
        self.push(self.now, "update", gm)

    def update(self, gm: GlobalMaster) -> None:
        gm.view = set(self.truth)
        for task in gm.ended:
            task.job.done += 1
        gm.ended.clear()
        self.schedule(gm, self.now.after(self.delay))

    def beat(self) -> None:
        for gm in self.gms:
            self.update(gm)
        self.push(self.now.after(self.heartbeat, self.delay), "beat")


class WithPublicNumbers(MeghaPublicOracle):
    """The same with the public simulator's own random numbers, so that both have to decide alike.

    There each GM has a generator of its own, and picks from partitions, and machines of one, in the order in which it
    last saw them turn free. Every machine holds every task.
    """

    def __init__(self, experiment: Experiment, cluster: Cluster, workload: Workload, first_seed: int = 13) -> None:
        super().__init__(experiment, cluster, workload)
        self.random = [random.Random(first_seed + 13 * gm.number) for gm in self.gms]
        self.partition_of = {m: n for n, (_, machines) in enumerate(self.partitions) for m in machines}
        self.inside = [[dict.fromkeys(machines) for _, machines in self.partitions] for _ in self.gms]
        self.open = [
            {
                own: {n: None for n, (owner, _) in enumerate(self.partitions) if (owner == gm.number) == own}
                for own in (True, False)
            }
            for gm in self.gms
        ]

    def pick(self, gm: GlobalMaster, task: Task, own: bool) -> int | None:
        choices, chance = self.open[gm.number][own], self.random[gm.number]
        if not choices:
            return None
        partition = chance.choice(list(choices))
        inside = self.inside[gm.number][partition]
        machine = chance.choice(list(inside))
        del inside[machine]
        if not inside:
            del choices[partition]
        return machine

    def update(self, gm: GlobalMaster) -> None:
        changed = sorted(gm.view ^ self.truth)
        for partition, machines in groupby(changed, self.partition_of.__getitem__):
            inside = self.inside[gm.number][partition]
            for machine in machines:
                if machine in self.truth:
                    inside[machine] = None
                else:
                    del inside[machine]
            choices = self.open[gm.number][self.partitions[partition][0] == gm.number]
            if not inside:
                choices.pop(partition, None)
            else:
                choices.setdefault(partition)
        super().update(gm)


class SparrowPublicOracle:
    """Sparrow as the public simulator of Eagle's authors runs it."""

    def __init__(self, experiment: Experiment, cluster: Cluster, workload: Workload) -> None:
        self.seed = experiment.seed
        self.delay = round(experiment.network.message_delay_s * 1e9)
        self.ratio = experiment.scheduler.params["probe_ratio"]
        self.cluster, self.offers = cluster, machine_offers(experiment, cluster)
        self.jobs = jobs_of(experiment, cluster, workload)
        self.waiting = {job.number: deque(job.tasks) for job in self.jobs}
        self.probes: list[deque[Job]] = [deque() for _ in cluster.capacity]
        self.taken = [False for _ in cluster.capacity]
        self.heap: list[tuple[int, int, int, str, Any]] = []
        self.noops = 0

    def push(self, time: int, late: int, what: str, about: Any) -> None:
        heapq.heappush(self.heap, (time, late, self.pushed, what, about))
        self.pushed += 1

    def run(self) -> list[tuple[int, int, int, int]]:
        """(number, machine, start, end) of every task that could run."""
        self.pushed = 0
        for job in self.jobs:
            self.push(job.arrival.ns, 1, "arrive", job)  # after all else of its instant
        left = sum(len(job.tasks) for job in self.jobs)
        while left:
            self.now, _, _, what, about = heapq.heappop(self.heap)
            if what == "arrive":
                self.arrive(about)
                continue
            if what == "probe":
                worker, job = about
                self.probes[worker].append(job)
            else:
                left -= what == "end"
                worker = about
                self.taken[worker] = False
            self.serve(worker)
        tasks = [task for job in self.jobs for task in job.tasks]
        return [(task.number, task.machine, task.start, task.end) for task in tasks]

    def arrive(self, job: Job) -> None:
        if not job.tasks:
            return
        workers = able(self.cluster, self.offers, job.tasks[0].demand, job.tasks[0].asks)
        probes, sent, draw = -(-len(job.tasks) * round(self.ratio * 1000) // 1000), 0, 0
        while sent < max(2, probes):
            worker = rng.below(self.seed, rng.STREAM_PROBE, job.number, draw, len(self.cluster.capacity))
            draw += 1
            if worker in workers:
                sent += 1
                self.push(self.now + self.delay, 0, "probe", (worker, job))

    def serve(self, worker: int) -> None:
        if self.taken[worker] or not self.probes[worker]:
            return
        self.taken[worker] = True
        tasks = self.waiting[self.probes[worker].popleft().number]
        answer = self.now + 2 * self.delay
        if not tasks:
            self.noops += 1
            self.push(answer, 0, "noop", worker)
            return
        task = tasks.popleft()
        task.machine, task.start, task.end = worker, answer, answer + task.duration
        self.push(task.end, 0, "end", worker)
