"""The profiles `constraint-aware` of Megha and Pigeon in plain Python: sets for views, lists for queues and news.

They share with the kernels nothing but the keyed random numbers and what the experiment says. A refusal loses what its
Local Master had to tell, and carries what happens until it arrives or the next heartbeat leaves. In the program two
refusals of one instant share that list, so that the second one empties the first one's, too; here and in the kernel
each has its own.
"""

from __future__ import annotations

import heapq
from typing import Any

from scheduler_core import Cluster, Experiment, Workload
from scheduler_core.cluster.partitions import partitions_of
from scheduler_core.constraints import machine_offers
from scheduler_core.engine import rng
from tests.core.oracles_pigeon import END, JOB, TO_MASTER, Master, PigeonOracle
from tests.core.oracles_public import Event, Task, Time, able, jobs_of

BATCH = 100
News = list[tuple[int, bool]]
"""Machines that became free (True) or busy, in order."""


class GlobalMaster:
    """One GM: the machines that it sees free, and its tasks without one."""

    def __init__(self, number: int, view: set[int]) -> None:
        self.number, self.view, self.draws = number, view, 0
        self.waiting: list[Task] = []


class MeghaAwareOracle:
    """Megha as its authors' second program runs it."""

    def __init__(self, experiment: Experiment, cluster: Cluster, workload: Workload) -> None:
        params = experiment.scheduler.params
        self.seed, self.fewest = experiment.seed, params["fewest_properties"] is True
        self.delay = round(experiment.network.message_delay_s * 1e9)
        self.heartbeat = max(1, round(params["heartbeat_s"] * 1e9))
        self.cluster, self.offers = cluster, machine_offers(experiment, cluster)
        self.jobs = jobs_of(experiment, cluster, workload)
        self.left = sum(len(job.tasks) for job in self.jobs)
        self.masters, self.clusters = cluster.global_masters, len(cluster.cluster_names)
        edges = [int(edge) for edge in cluster.cluster_first]
        self.partitions = {
            (lm, owner): range(start, start + count)
            for lm in range(self.clusters)
            for owner, start, count in partitions_of(edges[lm], edges[lm + 1], self.masters)
        }
        self.place = {m: key for key, machines in self.partitions.items() for m in machines}
        self.truth = set(range(len(cluster.capacity)))
        self.gms = [GlobalMaster(number, set(self.truth)) for number in range(self.masters)]
        self.news: list[list[News]] = [[[] for _ in self.gms] for _ in range(self.clusters)]
        self.carried: list[list[list[News]]] = [[[] for _ in self.gms] for _ in range(self.clusters)]
        self.heap: list[tuple[Time, Event]] = []
        self.able: dict[tuple[tuple[int, ...], int], set[int]] = {}
        names = ("inconsistencies_internal", "inconsistencies_external", "repartitions", "matches", "failed_matches")
        self.counts = dict.fromkeys(names, 0)
        self.stuck = False

    def push(self, time: Time, *what: Any) -> None:
        heapq.heappush(self.heap, (time, Event(*what)))

    def run(self) -> list[tuple[int, int, int, int]]:
        """(number, machine, start, end) of every task that ran."""
        first = int(self.jobs[0].arrival.ns)
        beat = max(first - 50_000_000, 0)
        self.push(Time(first, first / 1e9), "arrive", 0)
        self.push(Time(beat, beat / 1e9), "beat")
        while self.left and not self.stuck:
            self.now, event = heapq.heappop(self.heap)
            getattr(self, event.what[0])(*event.what[1:])
        started = (task for job in self.jobs for task in job.tasks if task.machine >= 0)
        return [(task.number, task.machine, task.start, task.end) for task in started]

    def arrive(self, number: int) -> None:
        gm = self.gms[number % self.masters]
        batch: list[tuple[Task, int]] = []
        for task in self.jobs[number].tasks:
            machine = self.search(gm, task)
            if machine is None:
                self.counts["failed_matches"] += 1
                gm.waiting.append(task)
                continue
            gm.view.discard(machine)
            self.counts["matches"] += 1
            if batch and (len(batch) == BATCH or self.place[batch[-1][1]][0] != self.place[machine][0]):
                self.push(self.now.after(self.delay), "verify", gm, batch)
                batch = []
            batch.append((task, machine))
        if batch:
            self.push(self.now.after(self.delay), "verify", gm, batch)
        if number + 1 < len(self.jobs):
            after = self.jobs[number + 1].arrival.ns
            self.push(Time(after, after / 1e9), "arrive", number + 1)

    def suits(self, machine: int, task: Task) -> bool:
        wanted = (task.demand, task.asks)
        if wanted not in self.able:
            self.able[wanted] = set(able(self.cluster, self.offers, *wanted))
        return machine in self.able[wanted]

    def search(self, gm: GlobalMaster, task: Task) -> int | None:
        """The first partition with a suitable machine in view: own ones first, each from the first Local Master on."""
        own = [(lm, gm.number) for lm in range(self.clusters)]
        others = [(lm, g) for lm in range(self.clusters) for g in range(self.masters) if g != gm.number]
        for key in own + others:
            found = [m for m in self.partitions.get(key, ()) if m in gm.view and self.suits(m, task)]
            if self.fewest and found:
                return min(found, key=lambda m: int(self.offers[m]).bit_count())
            if len(found) > 1:
                gm.draws += 1
                return found[rng.below(self.seed, rng.STREAM_PICK, gm.number, gm.draws - 1, len(found))]
            if found:
                return found[0]
        return None

    def verify(self, gm: GlobalMaster, batch: list[tuple[Task, int]]) -> None:
        lm = self.place[batch[0][1]][0]
        refused = []
        for task, machine in batch:
            owner = self.place[machine][1]
            if machine in self.truth:
                self.truth.discard(machine)
                self.note(machine, gm, False)
                self.counts["repartitions"] += owner != gm.number
                task.machine, task.start = machine, self.now.ns + self.delay
                self.push(self.now.after(self.delay), "launch", gm, task)
            else:
                kind = "internal" if owner == gm.number else "external"
                self.counts[f"inconsistencies_{kind}"] += 1
                refused.append(task)
        if refused:
            told: News = []
            self.news[lm][gm.number] = []
            self.carried[lm][gm.number].append(told)
            self.push(self.now.after(self.delay), "refused", gm, lm, refused, told)

    def launch(self, gm: GlobalMaster, task: Task) -> None:
        self.push(self.now.after(task.duration), "end", gm, task)

    def end(self, gm: GlobalMaster, task: Task) -> None:
        task.end = self.now.ns
        self.left -= 1
        self.truth.add(task.machine)
        self.note(task.machine, gm, True)
        self.push(self.now.after(self.delay), "offer", gm, task.machine)

    def note(self, machine: int, by: GlobalMaster, freed: bool) -> None:
        for gm in self.gms:
            if gm is not by:
                lm = self.place[machine][0]
                for told in (self.news[lm][gm.number], *self.carried[lm][gm.number]):
                    told.append((machine, freed))

    def refused(self, gm: GlobalMaster, lm: int, tasks: list[Task], told: News) -> None:
        for task in tasks:
            gm.waiting.insert(0, task)
        carried = self.carried[lm][gm.number]
        carried[:] = [one for one in carried if one is not told]
        self.hear(gm, lm, told)

    def hear(self, gm: GlobalMaster, lm: int, told: News) -> None:
        """Partition by partition, first what is busy, then what is free: the order of the changes is lost."""
        for owner in range(self.masters):
            mine = [one for one in told if self.place[one[0]] == (lm, owner)]
            for machine, freed in mine:
                if not freed:
                    gm.view.discard(machine)
            for machine, freed in mine:
                if freed:
                    self.offer(gm, machine)

    def offer(self, gm: GlobalMaster, machine: int) -> None:
        """Ask for the machine for the first task that it suits, else see it free."""
        for task in gm.waiting:
            if self.suits(machine, task):
                gm.waiting.remove(task)
                self.counts["matches"] += 1
                self.push(self.now.after(self.delay), "verify", gm, [(task, machine)])
                return
        gm.view.add(machine)

    def beat(self) -> None:
        self.stuck = not self.heap and not any(told for of_lm in self.news for told in of_lm)
        for lm in range(self.clusters):
            self.push(self.now.after(self.delay), "told", lm, self.news[lm])
            self.news[lm] = [[] for _ in self.gms]
            self.carried[lm] = [[] for _ in self.gms]
        self.push(self.now.after(self.heartbeat), "beat")

    def told(self, lm: int, news: list[News]) -> None:
        for gm in self.gms:
            self.hear(gm, lm, list(news[gm.number]))


class PigeonAwareOracle(PigeonOracle):
    """Pigeon as Megha's authors' second program runs it; of its parent it takes estimates, groups and the heap."""

    def __init__(self, experiment: Experiment, cluster: Cluster, workload: Workload) -> None:
        super().__init__(experiment, cluster, workload)
        self.busy: set[int] = set()
        self.weights = [self.kept(master) for master in self.masters]

    def kept(self, master: Master) -> list[list[int]]:
        """The sets of properties that the program keeps of a master's workers, each with its count."""
        kept: list[list[int]] = []
        for worker in master.workers:
            containing = [one for one in kept if self.offers[worker] & ~one[0] == 0]
            for one in containing:
                one[1] += 1
            if not containing:
                kept.append([self.offers[worker], 1])
        return kept

    def run(self) -> list[tuple[int, int, int]]:
        """Run to the end, or until nothing is to come: a task may have been sent where no worker can hold it."""
        self.now, self.left = 0, len(self.outcome)
        for number, job in enumerate(self.workload.jobs):
            self.push(int(job.arrival_ns), JOB, number)
        handlers: list[Any] = [self.ended, self.came, self.job_came]
        while self.left and self.heap:
            self.now, kind, _, what = heapq.heappop(self.heap)
            handlers[kind](*what)
        return self.outcome

    def job_came(self, number: int) -> None:
        job = self.workload.jobs[number]
        long = self.estimate(number, int(job.mean_ns)) > round(self.params["short_cutoff_s"] * 1e9)
        for task in range(job.first_task, job.first_task + job.tasks):
            demand, asks = self.wanted(task)
            holders = {m for m in range(len(self.capacity)) if self.eligible(m, demand, asks)}
            if not holders:
                self.left -= 1
                continue
            weights = [sum(count for mask, count in kept if mask & asks == asks) for kept in self.weights]
            drawn = rng.below(self.seed, rng.STREAM_PICK, task, 0, sum(weights))
            place = next(n for n in range(len(weights)) if sum(weights[: n + 1]) > drawn)
            general = any(holders & (set(master.workers) - master.kept) for master in self.masters)
            self.long[task] = long and general
            self.send(1, TO_MASTER, task, self.masters[place])

    def came(self, task: int, master: Master) -> None:
        demand, asks = self.wanted(task)
        free = [w for w in master.workers if w not in self.busy and self.eligible(w, demand, asks)]
        if not free:
            master.waiting[self.long[task]].append(task)
            return
        self.counts["direct"] += 1
        self.start(task, master, min(free, key=lambda worker: self.offers[worker].bit_count()))

    def start(self, task: int, master: Master, worker: int) -> None:
        self.busy.add(worker)
        self.counts["messages"] += 2
        start, duration = self.now + self.delay, int(self.workload.tasks[task].duration_ns)
        self.outcome[task] = (start, start + duration, worker)
        self.push(2 * self.delay + duration, END, task, master, worker)

    def ended(self, task: int, master: Master, worker: int) -> None:
        self.left -= 1
        self.busy.discard(worker)
        turn_of_short = master.turns <= self.params["weight"] or not master.waiting[1]
        for which in (0, 1, 0) if turn_of_short else (1, 0):
            for waiting in master.waiting[which]:
                if self.eligible(worker, *self.wanted(waiting)):
                    master.waiting[which].remove(waiting)
                    self.counts["waited_low" if which else "waited_high"] += 1
                    master.turns = 0 if which else master.turns + 1
                    self.start(waiting, master, worker)
                    return
