"""A slow plain version of schedulers of one queue, for gangs and rules on racks: lists of tasks, looked at one by one.

Decisions and messages take no time, nothing fails, nobody is stopped, and of the machines with room the emptiest is
taken (Swarm's `spread`). Only the order in which equal machines are looked at is the fast version's: what found no
room looks where something was freed since.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from scheduler_core import Experiment, build_cluster, build_workload
from scheduler_core.constraints import machine_offers, rack_rules, task_asks
from scheduler_core.constraints.racks import AFFINITY, SPREAD
from scheduler_core.engine import rng


class PlainQueue:
    """Runs an experiment; afterwards `start` and `machine` of each task, None where it never ran."""

    def __init__(self, experiment: Experiment) -> None:
        cluster, self.seed = build_cluster(experiment), experiment.seed
        work = build_workload(experiment, cluster)
        params = experiment.scheduler.params
        self.slots, self.patience = params["slots"] or 1 << 30, params["gang_wait_s"]
        self.capacity, self.rack = cluster.capacity.tolist(), cluster.rack_of.tolist()
        self.free = [list(one) for one in self.capacity]
        self.offers = machine_offers(experiment, cluster).tolist()
        self.asks = task_asks(experiment, work).tolist()
        self.needs = work.demands[work.tasks["demand"]].tolist()
        self.lasts, self.job_of = work.tasks["duration_ns"].tolist(), work.tasks["job"].tolist()
        self.jobs, self.rule = work.jobs, rack_rules(experiment, work.jobs).tolist()
        gang = work.gang if work.gang is not None else np.zeros(len(work.jobs), np.int64)
        self.gang = ((gang == 1) & (work.jobs["tasks"] > 1)).tolist()
        tasks = len(self.job_of)
        self.start: list[int | None] = [None] * tasks
        self.machine: list[int | None] = [None] * tasks
        self.end: list[int | None] = [None] * tasks
        self.on = [0] * len(self.capacity)
        self.waiting: list[int] = []
        self.order: list[int] = []
        self.freed: list[int] = []
        self.failed: dict[Any, int] = {}
        self.now = 0
        self.run()

    def holds(self, t: int, m: int, free: list[list[int]]) -> bool:
        room = all(want <= has for want, has in zip(self.needs[t], free[m], strict=True))
        return room and self.asks[t] & ~self.offers[m] == 0

    def mates(self, t: int) -> list[int]:
        row = self.jobs[self.job_of[t]]
        return list(range(int(row["first_task"]), int(row["first_task"] + row["tasks"])))

    def alike(self, t: int) -> Any:
        """What is told apart: tasks of a job with a gang or a rule from all others."""
        job = self.job_of[t]
        own = job if self.gang[job] or self.rule[job] else None
        return own, int(self.jobs["queue"][job]), tuple(self.needs[t]), self.asks[t]

    def run(self) -> None:
        arrivals = self.jobs["arrival_ns"].tolist()
        times = sorted(set(arrivals))
        while times:
            now = times.pop(0)
            self.now = now
            for t in self.order:
                if self.end[t] == now:
                    self.leave(t)
            for job, at in enumerate(arrivals):
                if at == now:
                    self.waiting += [t for t in self.mates(int(self.jobs["first_task"][job])) if self.can_ever(t)]
            self.waiting.sort()
            self.decide()
            times = sorted({*times, *(end for end in self.end if end is not None and end > now)})

    def can_ever(self, t: int) -> bool:
        """Whether it could run on empty machines, with all of its gang; jobs here have tasks of one kind."""
        job, mates = self.job_of[t], self.mates(t)
        most = [
            min([self.slots, *(c // n for c, n in zip(self.capacity[m], self.needs[t], strict=True) if n)])
            if self.asks[t] & ~self.offers[m] == 0
            else 0
            for m in range(len(self.capacity))
        ]
        by_rack = Counter(dict.fromkeys(self.rack, 0))
        for m, count in enumerate(most):
            by_rack[self.rack[m]] += count
        able = [count for count in by_rack.values() if count]
        if not self.gang[job]:
            return bool(able)
        if self.rule[job] == AFFINITY:
            return max(by_rack.values()) >= len(mates)
        if self.rule[job] == SPREAD:
            return bool(able) and sum(min(count, min(able) + 1) for count in able) >= len(mates)
        return sum(able) >= len(mates)

    def leave(self, t: int) -> None:
        m = self.machine[t]
        assert m is not None
        self.free[m] = [has + want for has, want in zip(self.free[m], self.needs[t], strict=True)]
        self.on[m] -= 1
        self.freed.append(m)

    def decide(self) -> None:
        """Look at what waits, the oldest first, until nothing more starts."""
        while True:
            for t in self.waiting:
                mates = [one for one in self.mates(t) if one in self.waiting]
                if self.failed.get(self.alike(t)) != len(self.freed):
                    whole = self.gang[self.job_of[t]]
                    found = self.together(mates) if whole else self.alone(t)
                    if found:
                        for one, m in found:
                            self.begin(one, m)
                        break
                    self.failed[self.alike(t)] = len(self.freed)
                if self.gang[self.job_of[t]] and self.holds_up(t):
                    return
            else:
                return

    def holds_up(self, t: int) -> bool:
        if self.patience is None or not any(end is not None and end > self.now for end in self.end):
            return False
        return bool(self.now - int(self.jobs["arrival_ns"][self.job_of[t]]) >= round(self.patience * 1e9))

    def begin(self, t: int, m: int) -> None:
        self.start[t], self.machine[t], self.end[t] = self.now, m, self.now + self.lasts[t]
        self.free[m] = [has - want for has, want in zip(self.free[m], self.needs[t], strict=True)]
        self.on[m] += 1
        self.waiting.remove(t)
        self.order.append(t)
        if self.rule[self.job_of[t]]:
            self.failed.pop(self.alike(t), None)

    def alone(self, t: int) -> list[tuple[int, int]]:
        racks = Counter(self.rack[m] for one in self.mates(t) if (m := self.machine[one]) is not None)
        m = self.best(t, self.free, self.on, racks, next(iter(racks), None))
        return [] if m is None else [(t, m)]

    def together(self, tasks: list[int]) -> list[tuple[int, int]]:
        """Machines for all of them at once, or none; under affinity the racks are tried in turn."""
        job, racks = self.job_of[tasks[0]], max(self.rack) + 1
        first = rng.below(self.seed, rng.STREAM_RACK, job, 0, racks)
        for i in range(racks if self.rule[job] == AFFINITY else 1):
            free, on, count = [list(one) for one in self.free], list(self.on), Counter[int]()
            found = []
            for t in tasks:
                m = self.best(t, free, on, count, (first + i) % racks)
                if m is None:
                    break
                found.append((t, m))
                free[m] = [has - want for has, want in zip(free[m], self.needs[t], strict=True)]
                on[m] += 1
                count[self.rack[m]] += 1
            else:
                return found
        return []

    def best(self, t: int, free: list[list[int]], on: list[int], racks: Counter[int], rack: int | None) -> int | None:
        """The emptiest machine with room in a rack that the rule allows; of equals that with fewer tasks."""
        rule, key = self.rule[self.job_of[t]], self.alike(t)
        seen = self.failed.get(key)
        order = list(range(len(free)))
        if seen is not None and key[0] is None and len(self.freed) - seen < len(free):
            order = self.freed[seen:]
        fewest = min((racks[self.rack[m]] for m in range(len(free)) if self.holds(t, m, self.capacity)), default=0)
        most, best = -np.inf, None
        for m in order:
            if not self.holds(t, m, free) or on[m] >= self.slots:
                continue
            if rule == AFFINITY and rack is not None and self.rack[m] != rack:
                continue
            if rule == SPREAD and racks[self.rack[m]] > fewest:
                continue
            total, kinds = 0.0, 0
            for has, want, all_of_it in zip(free[m], self.needs[t], self.capacity[m], strict=True):
                if all_of_it:
                    total, kinds = total + (has - want) / all_of_it, kinds + 1
            mark = 100.0 * (total / kinds if kinds else 1.0)
            if mark > most or (best is not None and mark == most and on[m] < on[best]):
                most, best = mark, m
        return best
