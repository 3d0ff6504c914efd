"""Slow plain versions of schedulers of graphs, to compare the compiled ones with, task by task.

`PlainOrder` puts jobs in order; in `PlainChoice` machines choose among all open stages.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from scheduler_core import Experiment, build_cluster, build_workload
from scheduler_core.experiment import effective_queues
from scheduler_core.workload.stages import flat_stages


@dataclass
class PlainStage:
    """A stage: its tasks in order of starting."""

    job: int
    tasks: list[int]
    demand: Any
    duration_ns: int
    parents: set[int]
    started: int = 0
    ended: int = 0


@dataclass
class PlainOrder:
    """One run of an experiment by looking at everything each time."""

    experiment: Experiment
    start_ns: dict[int, int] = field(default_factory=dict)
    machine: dict[int, int] = field(default_factory=dict)
    now_ns: int = 0
    reshare: bool = False

    def __post_init__(self) -> None:
        experiment = self.experiment
        cluster = build_cluster(experiment)
        self.work = work = build_workload(experiment, cluster)
        self.capacity, self.total = cluster.capacity, cluster.capacity.sum(axis=0)
        self.free = cluster.capacity.copy()
        self.params = experiment.scheduler.params
        self.resource = cluster.names.index(self.params.get("resource", "cpus"))
        self.queues = [queue.share for queue in effective_queues(experiment)]
        stages = work.stages or flat_stages(work.tasks["job"], work.tasks["demand"])
        self.stages: list[PlainStage] = []
        for row in stages.table:
            own = stages.order[row.first_task : row.first_task + row.tasks].tolist()
            parents = set(stages.parents[row.first_parent : row.first_parent + row.parents].tolist())
            self.stages.append(
                PlainStage(
                    int(row.job),
                    own,
                    work.demands[work.tasks["demand"][own[0]]],
                    int(max(work.tasks["duration_ns"][task] for task in own)),
                    parents,
                )
            )
        self.held = np.zeros((len(work.jobs), len(self.total)), np.int64)
        self.hopeless = [False] * len(self.stages)
        for number, stage in enumerate(self.stages):
            fits = (self.capacity >= stage.demand).all(axis=1).any()
            self.hopeless[number] = not fits or any(self.hopeless[parent] for parent in stage.parents)
        self.work_left = [0.0] * len(work.jobs)
        for number, stage in enumerate(self.stages):
            if not self.hopeless[number]:
                self.work_left[stage.job] += self.share(stage.demand) * stage.duration_ns * len(stage.tasks)
        self.left = [
            sum(len(s.tasks) for n, s in enumerate(self.stages) if s.job == j and not self.hopeless[n])
            for j in range(len(work.jobs))
        ]

    def share(self, amounts: Any) -> float:
        return max((float(a / t) for a, t in zip(amounts, self.total, strict=True) if t), default=0.0)

    def weight(self, job: int) -> float:
        by_queue = self.params.get("weights") == "queue_share"
        return self.queues[int(self.work.jobs["queue"][job])] if by_queue else 1.0

    def depth(self, number: int) -> int:
        return max((1 + self.depth(parent) for parent in self.stages[number].parents), default=0)

    def path(self, number: int) -> int:
        after = [self.path(other) for other, stage in enumerate(self.stages) if number in stage.parents]
        return self.stages[number].duration_ns + max(after, default=0)

    def key(self, job: int) -> float:
        name, queue = self.experiment.scheduler.name, int(self.work.jobs["queue"][job])
        if name in ("drf", "wdrf"):
            return self.share(self.held[job]) / self.weight(job)
        if name == "max-min":
            return float(self.held[job, self.resource] / self.total[self.resource]) / self.weight(job)
        if name == "capacity":
            return self.share(self.held[self.work.jobs["queue"] == queue].sum(axis=0)) / self.queues[queue]
        if name == "sjf":
            return float(max(self.path(n) for n, stage in enumerate(self.stages) if stage.job == job))
        return self.work_left[job] if name == "srtf" else 0.0

    def run(self) -> PlainOrder:
        """Instant by instant: ends, arrivals, and then one decision."""
        delay_ns = round(self.experiment.network.message_delay_s * 1e9)
        interval_ns = round(self.params["interval_s"] * 1e9)
        arrivals = [(int(ns), job) for job, ns in enumerate(self.work.jobs["arrival_ns"])]
        ends: list[tuple[int, int, int, int]] = []
        decide_ns: int | None = None
        last_ns: int | None = None
        arrived: set[int] = set()
        launches = 0
        while arrivals or ends or decide_ns is not None:
            times = [arrivals[0][0]] if arrivals else []
            times += ([ends[0][0]] if ends else []) + ([] if decide_ns is None else [decide_ns])
            now = self.now_ns = min(times)
            asked = False
            while ends and ends[0][0] == now:
                self.end(*heapq.heappop(ends)[2:])
                asked = True
            while arrivals and arrivals[0][0] == now:
                job = arrivals.pop(0)[1]
                if self.left[job]:
                    arrived.add(job)
                    self.arrive(job)
                    asked = True
            if asked and decide_ns is None:
                decide_ns = now if last_ns is None else max(now, last_ns + interval_ns)
            if decide_ns == now:
                decide_ns, last_ns = None, now
                for stage, task, machine in self.decide(arrived):
                    self.start_ns[task], self.machine[task] = now + delay_ns, machine
                    duration_ns = int(self.work.tasks["duration_ns"][task])
                    heapq.heappush(ends, (now + 2 * delay_ns + duration_ns, launches, stage, machine))
                    launches += 1
        return self

    def arrive(self, job: int) -> None:
        """Take note of a job that has something to start."""

    def end(self, number: int, machine: int) -> None:
        stage = self.stages[number]
        stage.ended += 1
        self.free[machine] += stage.demand
        self.held[stage.job] -= stage.demand
        self.left[stage.job] -= 1
        self.work_left[stage.job] -= self.share(stage.demand) * stage.duration_ns
        if not self.left[stage.job]:
            self.work_left[stage.job] = 0.0

    def decide(self, arrived: set[int]) -> list[tuple[int, int, int]]:
        """Start one task after the other: (stage, task, machine)."""
        strict = self.params.get("work_conserving") is False
        by_path = self.experiment.scheduler.name in ("sjf", "srtf", "cpm")
        fair = sum(self.weight(job) for job in sorted(arrived) if self.left[job])
        started = []
        while True:
            found = None
            for _, job in sorted((self.key(job), job) for job in arrived if self.left[job]):
                open_stages = [(-self.path(n) if by_path else self.depth(n), n) for n in self.open_stages({job})]
                for _, number in sorted(open_stages):
                    demand = self.stages[number].demand
                    machines = np.flatnonzero((self.free >= demand).all(axis=1))
                    over = self.held[job] + demand > (self.weight(job) / fair + 1e-9) * self.total
                    if len(machines) and not (strict and self.held[job].any() and over.any()):
                        found = number, int(machines[0])
                        break
                if found:
                    break
            if not found:
                return started
            started.append(self.start(*found))

    def open_stages(self, jobs: set[int]) -> list[int]:
        """Stages of these jobs that have tasks to start and wait for nothing."""
        return [
            n
            for n, stage in enumerate(self.stages)
            if stage.job in jobs
            and stage.started < len(stage.tasks)
            and not self.hopeless[n]
            and all(self.stages[p].ended == len(self.stages[p].tasks) for p in stage.parents)
        ]

    def start(self, number: int, machine: int) -> tuple[int, int, int]:
        stage = self.stages[number]
        stage.started += 1
        self.free[machine] -= stage.demand
        self.held[stage.job] += stage.demand
        return number, stage.tasks[stage.started - 1], machine


class PlainGroups(PlainOrder):
    """Queues in groups: which queue comes next is worked out anew by recursion."""

    def decide(self, arrived: set[int]) -> list[tuple[int, int, int]]:
        owner = self.work.jobs["queue"].tolist()
        by_arrival = self.experiment.scheduler.name == "capacity"
        started = []
        while True:
            able = {
                queue: {n for n in self.open_stages(arrived) if owner[self.stages[n].job] == queue and self.machines(n)}
                for queue in range(len(self.queues))
            }
            wanting = {queue for queue, stages in able.items() if stages}
            if not wanting:
                return started
            fits = able[self.next(wanting, self.open_stages(arrived), owner)]
            job = min({self.stages[n].job for n in fits}, key=lambda j: (0.0 if by_arrival else self.key(j), j))
            number = min((self.depth(n), n) for n in fits if self.stages[n].job == job)[1]
            started.append(self.start(number, self.machines(number)[0]))

    def machines(self, number: int) -> list[int]:
        found: list[int] = np.flatnonzero((self.free >= self.stages[number].demand).all(axis=1)).tolist()
        return found

    def next(self, wanting: set[int], waiting: list[int], owner: list[int]) -> int:
        """Down the tree of (weight, what is below), at each level to the least share that wants something."""
        queues, spare = effective_queues(self.experiment), self.free.max(axis=0)
        naive = self.experiment.scheduler.name == "capacity"

        def blocked(queue: int) -> bool:
            stages = [self.stages[n] for n in waiting if owner[self.stages[n].job] == queue]
            return not any(((stage.demand == 0) | (spare > 0)).all() for stage in stages)

        def look(path: str, queue: int | None) -> tuple[float, Any, bool, set[int]]:
            """(share, use, whether blocked, queues below) of a group or a queue."""
            if queue is not None:
                held = self.held[self.work.jobs["queue"] == queue].sum(axis=0) / np.maximum(self.total, 1)
                return max(held) / queues[queue].share, held, blocked(queue), {queue}
            parts = [look(*child) for child in children(path)]
            free = [share for share, _, stuck, _ in parts if not stuck]
            use = np.zeros(len(self.total))
            for share, part, stuck, _ in parts:
                use = use + part * (1.0 if naive or stuck or share == 0 else min(free) / share)
            below = set().union(*(one[3] for one in parts))
            weight = sum(queues[one].share for one in below)
            counted = [use[r] / weight for r in range(len(use)) if naive or spare[r] > 0]
            return max(counted, default=0.0), use, not free, below

        def children(path: str) -> list[tuple[str, int | None]]:
            groups = []
            for queue in queues:
                steps = (queue.parent or "").split("/") if queue.parent else []
                for depth in range(1, len(steps) + 1):
                    name = "/".join(steps[:depth])
                    if "/".join(steps[: depth - 1]) == path and (name, None) not in groups:
                        groups.append((name, None))
            return [*groups, *(("", n) for n, queue in enumerate(queues) if (queue.parent or "") == path)]

        path, queue = "", None
        while queue is None:
            path, queue = min((one for one in children(path) if look(*one)[3] & wanting), key=lambda one: look(*one)[0])
        return queue


class Undecided(Exception):
    """Two stages score the same but for rounding."""


class PlainChoice(PlainOrder):
    """Tetris and Choosy: the first machine with room for anything takes what is best of all that fits there."""

    def decide(self, arrived: set[int]) -> list[tuple[int, int, int]]:
        started = []
        while True:
            waiting = self.open_stages(arrived)
            able = [m for m in range(len(self.free)) if any(self.fits(number, m) for number in waiting)]
            if not able:
                return started
            choose = self.poorest if self.experiment.scheduler.name == "choosy" else self.packed
            started.append(self.start(choose(waiting, able[0]), able[0]))

    def fits(self, number: int, machine: int) -> bool:
        return bool((self.free[machine] >= self.stages[number].demand).all())

    def fair_key(self, job: int) -> float:
        return self.share(self.held[job]) / self.weight(job)

    def poorest(self, waiting: list[int], machine: int) -> int:
        def key(number: int) -> tuple[float, int, int, int, int]:
            stage = self.stages[number]
            able = int((self.capacity >= stage.demand).all(axis=1).sum())
            return self.fair_key(stage.job), able, stage.job, self.depth(number), number

        return min((number for number in waiting if self.fits(number, machine)), key=key)

    def packed(self, waiting: list[int], machine: int) -> int:
        """Among jobs that need not stand back, or if none of theirs fits among all."""
        jobs = sorted({self.stages[number].job for number in waiting}, key=lambda job: (self.fair_key(job), job))
        front = jobs[: max(1, len(jobs) - int(self.params["fairness"] * len(jobs)))]
        fitting = [number for number in waiting if self.fits(number, machine)]
        return self.best([n for n in fitting if self.stages[n].job in front] or fitting, machine)

    def best(self, fitting: list[int], machine: int) -> int:
        alignment = {n: self.alignment(n, machine) for n in fitting}
        # In parts of a nanosecond, so that rounding orders no equal jobs.
        work = {n: math.floor(self.work_left[self.stages[n].job] * 1024 + 0.5) / 1024 for n in fitting}
        whole, all_work = math.fsum(alignment.values()) or 1.0, math.fsum(work.values()) or 1.0
        score = {n: alignment[n] / whole - self.params["epsilon"] * work[n] / all_work for n in fitting}
        last = [n for n in fitting if self.is_last(n)] or fitting
        most = max(score[n] for n in last)
        near = [n for n in last if score[n] > most - 1e-9]
        if len({(alignment[n], work[n]) for n in near}) > 1:
            raise Undecided
        return min(near, key=lambda n: (self.stages[n].job, self.depth(n), n))

    def alignment(self, number: int, machine: int) -> float:
        rows = zip(self.stages[number].demand, self.free[machine], self.capacity[machine], strict=True)
        return math.fsum((asked / has) * (free / has) for asked, free, has in rows if has)

    def is_last(self, number: int) -> bool:
        stage = self.stages[number]
        held_up = any(number in other.parents for other in self.stages)
        return held_up and stage.ended >= self.params["barrier"] * len(stage.tasks)
