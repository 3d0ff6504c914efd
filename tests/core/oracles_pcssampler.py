"""PCSsampler in plain Python: lists, dictionaries and one heap."""

from __future__ import annotations

import heapq
from collections import defaultdict
from typing import Any

from scheduler_core import Cluster, Experiment, Workload
from scheduler_core.constraints import machine_offers, task_asks
from scheduler_core.engine import rng
from scheduler_core.schedulers.probing.pcssampler.reasons import KNOWN, REFUSED, SAMPLED, STARTED, UNSCHEDULABLE

END, TO_WORKER, TO_SCHEDULER, JOB = range(4)
Told = tuple[list[int], int, int, int]
"""What a worker told: free resources, tasks that wait, what stands before a task of the one asked for, and when."""


class PcsSamplerOracle:
    """Runs an experiment; `outcome` and `rows` are what the kernel has to come to."""

    def __init__(self, experiment: Experiment, cluster: Cluster, workload: Workload) -> None:
        params = experiment.to_dict()["scheduler"]["params"]
        self.seed, self.delay = experiment.seed, round(experiment.network.message_delay_s * 1e9)
        self.schedulers, self.probes = params["schedulers"], params["probes"]
        self.memory, self.ends_told = round(params["remember_s"] * 1e9), params["ends_told"]
        self.capacity = [[int(x) for x in row] for row in cluster.capacity]
        self.free = [list(row) for row in self.capacity]
        self.offers = [int(x) for x in machine_offers(experiment, cluster)]
        self.work = workload
        self.asks = [int(x) for x in task_asks(experiment, workload)]
        self.wants = [[int(x) for x in workload.demands[d]] for d in workload.tasks["demand"]]
        self.able = [
            [m for m in range(len(self.capacity)) if self.offers[m] & a == a and holds(self.capacity[m], d)]
            for d, a in zip(self.wants, self.asks, strict=True)
        ]
        self.least = [
            min(each) for each in zip(*(d for d, able in zip(self.wants, self.able, strict=True) if able), strict=True)
        ]
        self.queue: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
        self.known: list[dict[int, list[int]]] = [{} for _ in range(self.schedulers)]  # the last heard of is the last
        self.rooms: list[dict[int, list[int]]] = [{} for _ in range(self.schedulers)]
        self.told: list[dict[int, int]] = [defaultdict(int) for _ in range(self.schedulers)]
        self.flying: list[dict[int, int]] = [defaultdict(int) for _ in range(self.schedulers)]
        self.answers: dict[int, list[tuple[int, int]]] = {}
        self.joined: dict[int, int] = {}
        self.heap: list[tuple[int, int, int, tuple[Any, ...]]] = []
        self.pushed = self.now = 0
        self.rows: list[tuple[int, ...]] = []
        self.outcome = [(-1, -1, -1)] * len(self.wants)

    def push(self, time: int, kind: int, *what: Any) -> None:
        heapq.heappush(self.heap, (time, kind, self.pushed, what))
        self.pushed += 1

    def tell(self, task: int, machine: int, reason: int, to: int, x: int, y: int) -> None:
        self.rows.append((self.now, task, machine, reason, to, x, y))

    def run(self) -> None:
        for number, job in enumerate(self.work.jobs):
            self.push(int(job.arrival_ns), JOB, number)
        handlers = (self.on_end, self.on_worker, self.on_scheduler, self.on_job)
        self.left = len(self.wants)
        while self.left:
            self.now, kind, _, what = heapq.heappop(self.heap)
            handlers[kind](*what)

    def owner(self, task: int) -> int:
        return int(self.work.tasks["job"][task]) % self.schedulers

    def on_job(self, number: int) -> None:
        job = self.work.jobs[number]
        tasks = range(job.first_task, job.first_task + job.tasks)
        hopeless = [task for task in tasks if not self.able[task]]
        self.left -= len(hopeless)
        if hopeless:
            self.tell(hopeless[0], -1, UNSCHEDULABLE, -1, len(hopeless), 0)
        for task in tasks:
            if not self.able[task]:
                continue
            who = self.owner(task)
            worker = self.find(who, task)
            if worker is None:
                self.probe(task)
            else:
                self.tell(task, worker, KNOWN, who, self.now - self.told[who][worker], 0)
                self.send(task, worker, "try")

    def find(self, who: int, task: int) -> int | None:
        mine = self.known[who]
        for worker in [m for m in mine if self.told[who][m] < self.now - self.memory]:
            del mine[worker]
        for worker in list(reversed(mine))[:64]:
            if self.offers[worker] & self.asks[task] == self.asks[task] and holds(mine[worker], self.wants[task]):
                return worker
        return None

    def send(self, task: int, worker: int, what: str) -> None:
        who = self.owner(task)
        self.rooms[who][worker] = [r - d for r, d in zip(self.rooms[who][worker], self.wants[task], strict=True)]
        self.flying[who][worker] += 1
        if worker in self.known[who]:
            self.known[who][worker] = self.rooms[who][worker]
            if not holds(self.rooms[who][worker], self.least):
                del self.known[who][worker]
        self.push(self.now + self.delay, TO_WORKER, worker, task, what)

    def probe(self, task: int) -> None:
        able, drawn, draw = self.able[task], [], 0
        machines = len(self.capacity)
        among = able if len(able) * 32 < machines else range(machines)
        while len(drawn) < min(self.probes, len(able)):
            if self.probes >= len(able):
                drawn = list(able)
                break
            worker = among[rng.below(self.seed, rng.STREAM_PROBE, task, draw, len(among))]
            draw += 1
            if worker in able and worker not in drawn:
                drawn.append(worker)
        self.answers[task] = []
        self.asked = len(drawn)
        for worker in drawn:
            self.push(self.now + self.delay, TO_WORKER, worker, task, "probe")

    def on_worker(self, worker: int, task: int, what: str) -> None:
        at_once = not self.queue[worker] and holds(self.free[worker], self.wants[task])
        if what == "probe":
            self.answer(worker, task, "probed")
        elif what == "try" and not at_once:
            self.answer(worker, task, "back")
        else:
            self.queue[worker].append((task, self.now, len(self.queue[worker])))
            self.serve(worker)
            self.answer(worker, task, "taken")

    def answer(self, worker: int, task: int, what: str) -> None:
        length = len(self.queue[worker])
        ahead = 0 if length == 0 and holds(self.free[worker], self.wants[task]) else length + 1
        told = (list(self.free[worker]), length, ahead, self.now)
        self.push(self.now + self.delay, TO_SCHEDULER, worker, task, what, told)

    def serve(self, worker: int) -> None:
        while self.queue[worker] and holds(self.free[worker], self.wants[self.queue[worker][0][0]]):
            task, since, ahead = self.queue[worker].pop(0)
            self.free[worker] = [f - d for f, d in zip(self.free[worker], self.wants[task], strict=True)]
            end = self.now + int(self.work.tasks["duration_ns"][task])
            self.outcome[task] = (self.now, end, worker)
            self.tell(task, worker, STARTED, -1, self.now - since, ahead)
            self.push(end, END, worker, task)

    def on_end(self, worker: int, task: int) -> None:
        self.left -= 1
        self.free[worker] = [f + d for f, d in zip(self.free[worker], self.wants[task], strict=True)]
        self.serve(worker)
        if self.ends_told:
            self.answer(worker, task, "ended")

    def on_scheduler(self, worker: int, task: int, what: str, told: Told) -> None:
        who = self.owner(task)
        free, length, ahead, when = told
        age = self.now - self.told[who][worker]
        if what in ("taken", "back"):
            self.flying[who][worker] -= 1
        if self.flying[who][worker] == 0:
            self.rooms[who][worker], self.told[who][worker] = free, when
            self.known[who].pop(worker, None)
            if length == 0 and holds(free, self.least):
                self.known[who][worker] = free
        if what == "back":
            self.tell(task, worker, REFUSED, who, age, 0)
            self.probe(task)
        if what == "probed":
            self.answers[task].append((ahead, worker))
            if len(self.answers[task]) == min(self.probes, len(self.able[task])):
                self.choose(who, task)

    def choose(self, who: int, task: int) -> None:
        ahead, worker = min(self.answers[task], key=lambda answer: answer[0])
        known = self.find(who, task)
        if ahead > 0 and known is not None:
            ahead, worker = 0, known
        self.tell(task, worker, SAMPLED, who, ahead, len(self.answers[task]))
        self.send(task, worker, "stay")


def holds(room: list[int], demand: list[int]) -> bool:
    return all(r >= d for r, d in zip(room, demand, strict=True))
