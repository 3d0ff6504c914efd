"""Pigeon in plain Python: lists for queues and idle workers, one heap.

It shares with the kernel nothing but the keyed random numbers and what the experiment says.
"""

from __future__ import annotations

import heapq
from itertools import pairwise
from typing import Any

from scheduler_core import Cluster, Experiment, Workload
from scheduler_core.engine import rng
from tests.core.oracles_hybrid import HawkOracle

END, TO_MASTER, JOB = range(3)


class Master:
    """One group."""

    def __init__(self, workers: list[int], reserved: int) -> None:
        reserved = min(reserved, len(workers) - 1)
        self.workers = workers
        self.kept = set(workers[:reserved])
        self.idle = [workers[reserved:], workers[:reserved]]  # for all, for short tasks only: the oldest first
        self.waiting: list[list[int]] = [[], []]  # short, long
        self.turns = 0


class PigeonOracle(HawkOracle):
    """Pigeon; of its parent it takes estimates, eligibility and the heap."""

    def __init__(self, experiment: Experiment, cluster: Cluster, workload: Workload) -> None:
        data = experiment.to_dict()
        data["scheduler"] = {"name": "hawk", "params": {"long_partition_share": 1}}
        super().__init__(Experiment.parse(data), cluster, workload)
        params = self.params = experiment.scheduler.params
        self.public = params["profile"] == "public-simulator"
        machines = len(self.capacity)
        groups = max(1, machines // params["group_size"])
        edges = [number * machines // groups for number in range(groups + 1)]
        self.masters = [Master(list(range(a, b)), params["reserved_per_group"]) for a, b in pairwise(edges)]
        self.long: dict[int, bool] = {}
        self.counts = dict.fromkeys(("direct", "on_reserved", "waited_high", "waited_low", "messages"), 0)
        kinds = {kind for kind, _ in self.alike}
        demands = [tuple(int(x) for x in workload.demands[kind]) for kind in kinds]
        self.least = [min(column) for column in zip(*demands, strict=True)]

    def run(self) -> list[tuple[int, int, int]]:
        self.now, self.left = 0, len(self.outcome)
        for number, job in enumerate(self.workload.jobs):
            self.push(int(job.arrival_ns), JOB, number)
        handlers: list[Any] = [self.ended, self.came, self.job_came]
        while self.left:
            self.now, kind, _, what = heapq.heappop(self.heap)
            handlers[kind](*what)
        return self.outcome

    def wanted(self, task: int) -> tuple[tuple[int, ...], int]:
        kind, asks = self.alike[task]
        return tuple(int(x) for x in self.workload.demands[kind]), asks

    def job_came(self, number: int) -> None:
        job = self.workload.jobs[number]
        long = self.estimate(number, int(job.mean_ns)) > round(self.params["short_cutoff_s"] * 1e9)
        tasks, draws = list(range(job.first_task, job.first_task + job.tasks)), 0
        while tasks:
            run = [t for n, t in enumerate(tasks) if all(self.alike[u] == self.alike[tasks[0]] for u in tasks[: n + 1])]
            tasks = tasks[len(run) :]
            able = {m for m in range(len(self.capacity)) if self.eligible(m, *self.wanted(run[0]))}
            if not able:
                self.left -= len(run)
                continue
            for_long = [master for master in self.masters if able & (set(master.workers) - master.kept)]
            among = for_long if long and for_long else [one for one in self.masters if able & set(one.workers)]
            drawn: list[Master] = []
            while len(drawn) < len(run) % len(among):
                one = among[rng.below(self.seed, rng.STREAM_PICK, number, draws, len(among))]
                draws += 1
                if one not in drawn:
                    drawn.append(one)
            order = drawn[::-1] + among[::-1] * (len(run) // len(among))
            for task, master in zip(run, order, strict=True):
                self.long[task] = long and bool(for_long)
                self.send(1, TO_MASTER, task, master)

    def came(self, task: int, master: Master) -> None:
        master.waiting[self.long[task]].append(task)
        self.match(master, task)

    def ended(self, task: int, master: Master, worker: int) -> None:
        self.left -= 1
        self.workers[worker].free = [
            f + d for f, d in zip(self.workers[worker].free, self.wanted(task)[0], strict=True)
        ]
        kept = worker in master.kept
        if worker not in master.idle[kept]:
            master.idle[kept].append(worker)
        self.match(master, None)

    def match(self, master: Master, fresh: int | None) -> None:
        short, long = master.waiting
        while True:
            tries = []
            if short and (master.turns <= self.params["weight"] or not long):
                tries.append((0, 0))
            if short:
                tries.append((0, 1))
            if long:
                tries.append((1, 0))
            if not any(self.try_start(master, which, kind, fresh) for which, kind in tries):
                return

    def try_start(self, master: Master, which: int, kind: int, fresh: int | None) -> bool:
        task = master.waiting[which][0]
        demand, asks = self.wanted(task)
        for worker in master.idle[kind]:
            free = self.workers[worker].free
            if self.eligible(worker, demand, asks) and all(f >= d for f, d in zip(free, demand, strict=True)):
                break
        else:
            return False
        master.waiting[which].pop(0)
        free = self.workers[worker].free = [f - d for f, d in zip(free, demand, strict=True)]
        if self.public or any(f < d for f, d in zip(free, self.least, strict=True)):
            master.idle[kind].remove(worker)
        self.counts["messages"] += 2
        self.counts["on_reserved"] += kind
        if task == fresh:
            self.counts["direct"] += 1
        elif which == 0:
            self.counts["waited_high"] += 1
            master.turns += 1
        else:
            self.counts["waited_low"] += 1
            master.turns = 0
        start, duration = self.now + self.delay, int(self.workload.tasks[task].duration_ns)
        self.outcome[task] = (start, start + duration, worker)
        self.push(2 * self.delay + duration, END, task, master, worker)
        return True
