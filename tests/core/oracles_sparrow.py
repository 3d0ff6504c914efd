"""Sparrow in plain Python: lists for queues, a sort for the shortest ones, one heap; no pools, links or lanes.

It shares with the kernel nothing but the keyed random numbers and what the experiment says.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from dataclasses import dataclass, field
from math import gcd

from scheduler_core import Cluster, Experiment, Workload
from scheduler_core.constraints import machine_offers, rack_rules, task_asks
from scheduler_core.engine import rng
from scheduler_core.schedulers.probing.sparrow.reasons import LAUNCHED, PLACED, STARTED, UNSCHEDULABLE

END, ANSWER, ASK, LENGTH, TO_WORKER, JOB = range(6)
Wanted = tuple[tuple[int, ...], int]
"""Demand, mask of constraints."""
Row = tuple[int, int, int, int, int, int]
"""A decision: time, task, machine, reason, x, y."""


@dataclass(eq=False)
class Batch:
    """Tasks that share their probes."""

    tasks: list[int]
    wanted: Wanted
    probes: list[Probe] = field(default_factory=list)  # that have not asked; or that have answered


@dataclass(eq=False)
class Probe:
    """One probe."""

    batch: Batch
    worker: int
    in_front: int
    task: int | None = None
    waits: bool = False
    came: int = 0
    behind: int = 0


def plain_racks(
    seed: int,
    rule: int,
    job: int,
    tasks: list[int],
    alike: list[tuple[int, int]],
    wishes: list[dict[int, set[int]]],
    racks: int,
) -> dict[int, int | None]:
    """The rack of each task; -1 for any, None when none will do.

    `wishes`: for each task the racks that would do, the most wanted first.
    """
    if rule == 0:
        return dict.fromkeys(tasks, -1)
    if rule == 1:
        for able in wishes:
            fit = sorted(set.intersection(*(able[t] for t in tasks))) if tasks else []
            if fit:
                return dict.fromkeys(tasks, fit[rng.below(seed, rng.STREAM_RACK, job, 0, len(fit))])
        return dict.fromkeys(tasks, None)
    drawn = rng.below(seed, rng.STREAM_RACK, job, 0, racks)
    step = 1 + rng.below(seed, rng.STREAM_RACK, job, 1, racks)
    while gcd(step, racks) != 1:
        step += 1
    order = [(drawn + step * turn) % racks for turn in range(racks)]
    found: dict[int, int | None] = {}
    for task in sorted(tasks, key=lambda t: (alike[t], t)):
        used = list(found.values())
        able = next((wish[task] for wish in wishes if wish[task]), set())
        found[task] = min((r for r in order if r in able), key=used.count, default=None)
    return found


class SparrowOracle:
    """Sparrow by the paper."""

    def __init__(self, experiment: Experiment, cluster: Cluster, workload: Workload) -> None:
        params = experiment.scheduler.params
        self.seed = experiment.seed
        self.delay = round(experiment.network.message_delay_s * 1e9)
        self.ratio = round(params["probe_ratio"] * 1000)
        self.per_task, self.late = params["sampling"] == "per_task", params["late_binding"]
        self.cancels = params["cancellation"] and self.late
        self.capacity = [[int(x) for x in row] for row in cluster.capacity]
        self.free = [list(row) for row in self.capacity]
        self.offers = [int(x) for x in machine_offers(experiment, cluster)]
        self.workload = workload
        self.rack_of = [int(x) for x in cluster.rack_of]
        self.rules = rack_rules(experiment, workload.jobs).tolist()
        asks = task_asks(experiment, workload)
        demands = [(int(d), int(a)) for d, a in zip(workload.tasks["demand"], asks, strict=True)]
        self.alike = demands  # sorted as they are numbered
        self.wanted: list[Wanted] = [(tuple(int(x) for x in workload.demands[d]), a) for d, a in demands]
        self.queue: dict[int, list[Probe]] = defaultdict(list)
        self.heap: list[tuple[int, int, int, tuple[object, ...]]] = []
        self.pushed = 0
        self.rows: list[Row] = []
        self.outcome = [(-1, -1, -1, 0)] * len(self.wanted)
        self.counts = {"probes": 0, "noops": 0, "cancelled": 0, "messages": 0}

    def push(self, time: int, kind: int, *what: object) -> None:
        heapq.heappush(self.heap, (time, kind, self.pushed, what))
        self.pushed += 1

    def send(self, kind: int, *what: object) -> None:
        self.counts["messages"] += 1
        self.push(self.now + self.delay, kind, *what)

    def tell(self, task: int, machine: int, reason: int, x: int, y: int) -> None:
        self.rows.append((self.now, task, machine, reason, x, y))

    def run(self) -> list[tuple[int, int, int, int]]:
        """(first start, end, machine, attempts) of every task."""
        for number, job in enumerate(self.workload.jobs):
            self.push(int(job.arrival_ns), JOB, number)
        handlers = (self.on_end, self.on_answer, self.on_ask, self.on_length, self.on_message, self.on_job)
        self.left = len(self.wanted)
        while self.left:
            self.now, kind, _, what = heapq.heappop(self.heap)
            handlers[kind](*what)  # type: ignore[arg-type]
        return self.outcome

    def eligible(self, worker: int, wanted: Wanted) -> bool:
        demand, asks = wanted
        return self.offers[worker] & asks == asks and self.holds(self.capacity[worker], demand)

    @staticmethod
    def holds(room: list[int], demand: tuple[int, ...]) -> bool:
        return all(r >= d for r, d in zip(room, demand, strict=True))

    def change(self, worker: int, wanted: Wanted, sign: int) -> None:
        self.free[worker] = [f + sign * d for f, d in zip(self.free[worker], wanted[0], strict=True)]

    def on_job(self, number: int) -> None:
        job = self.workload.jobs[number]
        tasks = range(job.first_task, job.first_task + job.tasks)
        can = [t for t in tasks if any(self.eligible(m, self.wanted[t]) for m in range(len(self.capacity)))]
        rack_of = self.racks(number, can)
        can = [t for t in can if rack_of[t] is not None]
        cannot = [t for t in tasks if t not in can]
        self.left -= len(cannot)
        if cannot:
            self.tell(cannot[0], -1, UNSCHEDULABLE, len(cannot), 0)
        if self.per_task:
            batches = [[task] for task in can]
        else:
            kinds = sorted({(self.alike[t], rack_of[t]) for t in can})
            batches = [[t for t in can if (self.alike[t], rack_of[t]) == kind] for kind in kinds]
        draws = 0
        for each in batches:
            draws = self.probe(number, Batch(each, self.wanted[each[0]]), draws, rack_of[each[0]])

    def racks(self, job: int, tasks: list[int]) -> dict[int, int | None]:
        """The rack of each task; -1 for any, None when none will do."""
        racks = max(self.rack_of) + 1
        able = {
            t: {self.rack_of[m] for m in range(len(self.capacity)) if self.eligible(m, self.wanted[t])} for t in tasks
        }
        return plain_racks(self.seed, self.rules[job], job, tasks, self.alike, [able], racks)

    def probe(self, job: int, batch: Batch, draws: int, rack: int | None) -> int:
        everyone = [m for m in range(len(self.capacity)) if rack in (-1, self.rack_of[m])]
        workers = [m for m in everyone if self.eligible(m, batch.wanted)]
        among = workers if rack == -1 and len(workers) * 32 < len(everyone) else everyone
        probes = max(len(batch.tasks), -(-len(batch.tasks) * self.ratio // 1000))
        rounds, rest = divmod(probes, len(workers))
        chosen = [(worker, lap) for lap in range(rounds) for worker in workers]
        drawn: list[int] = []
        while len(drawn) < rest:
            worker = among[rng.below(self.seed, rng.STREAM_PROBE, job, draws, len(among))]
            draws += 1
            if worker in workers and worker not in drawn:
                drawn.append(worker)
        batch_probes = [Probe(batch, worker, lap) for worker, lap in [*chosen, *((m, rounds) for m in drawn)]]
        batch.probes = list(batch_probes) if self.late else []
        self.counts["probes"] += probes
        self.expected = probes
        for probe in batch_probes:
            self.send(TO_WORKER, "probe", probe, probes)
        return draws

    def on_message(self, what: str, probe: Probe, probes: int) -> None:
        queue = self.queue[probe.worker]
        if what == "cancel":
            if probe not in queue:
                return
            queue.remove(probe)
            self.counts["cancelled"] += 1
        elif what == "probe" and not self.late:
            if queue or not self.holds(self.free[probe.worker], probe.batch.wanted[0]):
                probe.in_front += len(queue) + 1
            self.send(LENGTH, probe, probes)
            return
        else:
            if what == "task":
                assert probe.task is not None
                self.tell(probe.task, probe.worker, PLACED, probe.in_front, 0)
            probe.came, probe.behind = self.now, len(queue)
            queue.append(probe)
        self.serve(probe.worker)

    def serve(self, worker: int) -> None:
        queue = self.queue[worker]
        while queue and self.holds(self.free[worker], queue[0].batch.wanted[0]):
            probe = queue.pop(0)
            if probe.task is not None:
                self.start(probe, STARTED, self.now - probe.came)
            else:
                self.change(worker, probe.batch.wanted, -1)
                self.send(ASK, probe)

    def start(self, probe: Probe, reason: int, waited: int) -> None:
        assert probe.task is not None
        self.tell(probe.task, probe.worker, reason, waited, probe.behind)
        self.change(probe.worker, probe.batch.wanted, -1)
        end = self.now + int(self.workload.tasks[probe.task].duration_ns)
        self.outcome[probe.task] = (self.now, end, probe.worker, 1)
        self.push(end, END, probe)

    def on_length(self, probe: Probe, probes: int) -> None:
        batch = probe.batch
        batch.probes.append(probe)
        if len(batch.probes) < probes:
            return
        shortest = sorted(batch.probes, key=lambda each: each.in_front)[: len(batch.tasks)]
        for task, chosen in zip(batch.tasks, shortest, strict=True):
            chosen.task = task
            self.send(TO_WORKER, "task", chosen, 0)

    def on_ask(self, probe: Probe) -> None:
        batch = probe.batch
        if batch.tasks:
            probe.task = batch.tasks.pop(0)
            batch.probes.remove(probe)
            if self.cancels and not batch.tasks:
                for other in batch.probes:
                    self.send(TO_WORKER, "cancel", other, 0)
        self.send(ANSWER, probe)

    def on_answer(self, probe: Probe) -> None:
        self.change(probe.worker, probe.batch.wanted, 1)
        if probe.task is None:
            self.counts["noops"] += 1
            self.serve(probe.worker)
        else:
            self.start(probe, LAUNCHED, self.now - 2 * self.delay - probe.came)

    def on_end(self, probe: Probe) -> None:
        self.left -= 1
        self.change(probe.worker, probe.batch.wanted, 1)
        self.serve(probe.worker)
