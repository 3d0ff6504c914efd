"""Schedulers that tell long jobs from short ones, in plain Python: lists for queues, sorts for waits, one heap.

They share with the kernels nothing but the keyed random numbers and what the experiment says.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from scheduler_core import Cluster, Experiment, Workload
from scheduler_core.constraints import machine_offers, rack_rules, task_asks
from scheduler_core.engine import rng
from tests.core.oracles_sparrow import plain_racks

END, ANSWER, ASK, ARRIVE, CONTACT, STOLEN, REFUSED, JOB, TICK = range(9)


@dataclass(eq=False)
class Batch:
    """Tasks of a job that are alike; `waiting` are not handed out yet."""

    number: int
    waiting: list[int]
    demand: tuple[int, ...]
    asks: int
    long: bool
    estimate: int
    able: list[int]
    anyone: list[int] = field(default_factory=list)
    """Those that could hold them if constraints are forgotten; `able` where they are not."""
    rack: list[int] | None = None
    """The machines of the rack that they have to run in; None where there is no rule."""


@dataclass(eq=False)
class Entry:
    """What waits in a queue: a probe, or a long task."""

    batch: Batch
    task: int | None = None
    came: int = 0
    waited: int = 0
    worker: int = -1


@dataclass(eq=False)
class Worker:
    """One worker; `sent` are long tasks on their way, waiting or running, with their cost."""

    number: int
    free: list[int]
    queue: list[Entry] = field(default_factory=list)
    busy: int = 0
    longs_running: int = 0
    backlog: int = 0
    running: dict[int, tuple[int, Fraction, int]] = field(default_factory=dict)
    draws: int = 0
    looking: bool = False
    scarcest_first: bool = False

    @property
    def has_long(self) -> bool:
        """Whether a long task runs, or has asked to, or waits here."""
        return self.longs_running > 0 or any(entry.batch.long for entry in self.queue)


class HawkOracle:
    """Hawk by the paper, and as the public simulator has it."""

    def __init__(self, experiment: Experiment, cluster: Cluster, workload: Workload) -> None:
        params: dict[str, Any] = experiment.scheduler.params
        self.params, self.seed = params, experiment.seed
        self.public = params["profile"] == "public-simulator"
        self.fork = self.public and experiment.scheduler.name in ("hawk-c", "eagle-c", "phoenix")
        self.delay = round(experiment.network.message_delay_s * 1e9)
        self.capacity = [tuple(int(x) for x in row) for row in cluster.capacity]
        self.workers = [Worker(m, list(row)) for m, row in enumerate(self.capacity)]
        self.first_long = math.floor(len(self.workers) * (1 - params["long_partition_share"]) + 1e-9)
        self.offers = [int(x) for x in machine_offers(experiment, cluster)]
        asks = task_asks(experiment, workload)
        self.rack_of = [int(x) for x in cluster.rack_of]
        self.rules = rack_rules(experiment, workload.jobs).tolist()
        self.soft = 0  # mask of the constraints that may be given up
        self.workload = workload
        self.alike = [(int(d), int(a)) for d, a in zip(workload.tasks["demand"], asks, strict=True)]
        self.batches: list[Batch] = []
        self.of_task: dict[int, Batch] = {}
        self.heap: list[tuple[int, int, int, tuple[Any, ...]]] = []
        self.pushed = 0
        self.outcome = [(-1, -1, -1)] * len(workload.tasks)
        self.counts = dict.fromkeys(("probes", "noops", "placed", "contacts", "steals", "stolen", "messages"), 0)

    def push(self, delay: int, kind: int, *what: Any) -> None:
        heapq.heappush(self.heap, (self.now + delay, kind, self.pushed, what))
        self.pushed += 1

    def send(self, delays: int, kind: int, *what: Any) -> None:
        self.counts["messages"] += 1
        self.push(delays * self.delay, kind, *what)

    def run(self) -> list[tuple[int, int, int]]:
        """(first start, end, machine) of every task."""
        self.now, self.left = 0, len(self.outcome)
        for number, job in enumerate(self.workload.jobs):
            self.push(int(job.arrival_ns), JOB, number)
        handlers: list[Any] = [
            self.on_end,
            self.on_answer,
            self.on_ask,
            self.on_arrival,
            self.on_contact,
            self.on_stolen,
            self.on_refused,
            self.on_job,
            self.on_tick,
        ]
        while self.left:
            self.now, kind, _, what = heapq.heappop(self.heap)
            handlers[kind](*what)
        return self.outcome

    # -- jobs ------------------------------------------------------------------------------------------------------

    def on_job(self, number: int) -> None:
        job = self.workload.jobs[number]
        estimate = self.estimate(number, int(job.mean_ns))
        long = estimate > round(self.params["short_cutoff_s"] * 1e9)
        tasks = range(job.first_task, job.first_task + job.tasks)
        rack_of = self.racks(number, list(tasks), long)
        self.left -= sum(rack is None for rack in rack_of.values())
        tasks = [t for t in tasks if rack_of[t] is not None]
        draws = 0
        for kind, rack in sorted({(self.alike[t], rack_of[t]) for t in tasks}):
            demand, asks = self.demand_of(kind), kind[1]
            within = [m for m in range(len(self.workers)) if rack in (-1, self.rack_of[m])]
            able = [m for m in within if self.eligible(m, demand, asks)]
            mine = [t for t in tasks if (self.alike[t], rack_of[t]) == (kind, rack)]
            batch = Batch(len(self.batches), mine, demand, asks, long, estimate, able, able)
            batch.rack = None if rack == -1 else within
            self.admit(batch)
            if not batch.able:
                self.left -= len(mine)
                continue
            if self.fork:
                batch.anyone = [m for m in range(len(self.workers)) if self.eligible(m, demand, 0)]
                batch.able = batch.anyone if long else batch.able
            self.batches.append(batch)
            self.of_task |= dict.fromkeys(mine, batch)
            draws = self.place(batch, draws) if long else self.probe(number, batch, draws)

    def demand_of(self, kind: tuple[int, int]) -> tuple[int, ...]:
        return tuple(int(x) for x in self.workload.demands[kind[0]])

    def racks(self, job: int, tasks: list[int], long: bool) -> dict[int, Any]:
        """The rack of each task; -1 for any, None when none will do. What no machine could run counts as free."""
        first = self.first_long if long else 0
        wishes: list[dict[int, set[int]]] = []
        for given_up, start in ((0, first), (0, 0), (self.soft, first), (self.soft, 0)):
            wish = {}
            for task in tasks:
                demand, asks = self.demand_of(self.alike[task]), self.alike[task][1] & ~given_up
                able = [m for m in range(len(self.workers)) if self.eligible(m, demand, asks)]
                wish[task] = {self.rack_of[m] for m in able if m >= start}
            wishes.append(wish)
        can = [task for task in tasks if wishes[-1][task]]
        found = plain_racks(self.seed, self.rules[job], job, can, self.alike, wishes, max(self.rack_of) + 1)
        return dict.fromkeys(tasks, -1) | found

    def admit(self, batch: Batch) -> None:
        """A batch comes; nothing is negotiated here."""

    def estimate(self, job: int, mean: int) -> int:
        error = self.params["estimate_error"]
        if error == "uniform":
            spread = self.params["estimate_error_percent"] / 100
            return math.floor(mean * (1 + spread * (2 * rng.uniform(self.seed, rng.STREAM_ERROR, job, 0) - 1)) + 0.5)
        if error == "lognormal":
            spread = self.params["estimate_error_sigma"]
            return math.floor(mean * math.exp(spread * rng.normal(self.seed, rng.STREAM_ERROR, job, 0)) + 0.5)
        return mean

    def eligible(self, machine: int, demand: tuple[int, ...], asks: int) -> bool:
        fits = all(c >= d for c, d in zip(self.capacity[machine], demand, strict=True))
        return fits and self.offers[machine] & asks == asks

    def probes_for(self, batch: Batch) -> int:
        ratio = round(self.params["probe_ratio"] * 1000)
        return max(len(batch.waiting), self.params["min_probes"], -(-len(batch.waiting) * ratio // 1000))

    def draw(self, job: int, batch: Batch, draws: int) -> tuple[list[int], int]:
        """Workers for all probes of a batch, and how many random numbers have been used."""
        wanted, among = self.probes_for(batch), self.among(batch, batch.able)
        chosen = [] if self.public else batch.able * (wanted // len(batch.able))
        whole = len(chosen)
        while len(chosen) < wanted:
            worker = among[rng.below(self.seed, rng.STREAM_PROBE, job, draws, len(among))]
            draws += 1
            if worker in batch.able and (self.public or worker not in chosen[whole:]):
                chosen.append(worker)
        return chosen, draws

    def among(self, batch: Batch, able: list[int]) -> list[int]:
        """Those that random numbers stand for, of which `able` ones are taken."""
        if batch.rack is not None:
            return batch.rack
        return able if len(able) * 32 < len(self.workers) else list(range(len(self.workers)))

    def probe(self, job: int, batch: Batch, draws: int) -> int:
        chosen, draws = self.draw(job, batch, draws)
        self.counts["probes"] += len(chosen)
        for worker in chosen:
            self.send(1, ARRIVE, Entry(batch, worker=worker))
        return draws

    # -- the central scheduler -------------------------------------------------------------------------------------

    def share(self, worker: Worker, batch: Batch) -> Fraction:
        """The part of the worker that a task counts for, in 256ths."""
        if self.public:
            return Fraction(1)
        parts = [-(-d * 256 // c) for c, d in zip(self.capacity[worker.number], batch.demand, strict=True) if d]
        return Fraction(min(256, max([1, *parts])), 256)

    def cost(self, worker: Worker, batch: Batch) -> int:
        return max(1, math.floor(batch.estimate * self.share(worker, batch)))

    def wait(self, worker: Worker) -> int:
        ran = math.floor(sum((self.now - start) * share for start, share, _ in worker.running.values()))
        return worker.backlog - min(ran, sum(cost for _, _, cost in worker.running.values()))

    def place(self, batch: Batch, draws: int) -> int:
        able = [self.workers[m] for m in batch.able]
        candidates = [worker for worker in able if worker.number >= self.first_long] or able
        chosen = [worker for worker in candidates if worker.backlog == 0][: len(batch.waiting)]
        waits = {worker.number: self.wait(worker) for worker in candidates if worker.backlog}
        waits |= {worker.number: self.cost(worker, batch) for worker in chosen}
        last: int | None = None
        while len(chosen) < len(batch.waiting):
            least = min(waits.values())
            if last is None or waits[last] > least:  # whoever was chosen last is chosen again among equals
                last = min(number for number, wait in waits.items() if wait == least)
            chosen.append(self.workers[last])
            waits[last] += self.cost(self.workers[last], batch)
        for worker, task in zip(chosen, batch.waiting, strict=True):
            self.promised(worker)
            worker.backlog += self.cost(worker, batch)
            self.counts["placed"] += 1
            self.send(1, ARRIVE, Entry(batch, None if self.public else task, worker=worker.number))
        if not self.public:
            batch.waiting = []
        return draws

    def promised(self, worker: Worker) -> None:
        """A long task is about to be sent to the worker."""

    # -- workers ---------------------------------------------------------------------------------------------------

    def on_arrival(self, entry: Entry) -> None:
        entry.came = self.now
        worker = self.workers[entry.worker]
        worker.queue.append(entry)
        self.joined(worker)
        self.serve(worker)

    def joined(self, worker: Worker) -> None:
        """Something has joined a queue."""

    def room(self, worker: Worker, batch: Batch) -> bool:
        if self.public:
            return worker.busy == 0
        return all(f >= d for f, d in zip(worker.free, batch.demand, strict=True))

    def take(self, worker: Worker, batch: Batch, sign: int) -> None:
        worker.busy += sign
        worker.free = [f - sign * d for f, d in zip(worker.free, batch.demand, strict=True)]

    def pick(self, worker: Worker) -> Entry | None:
        return worker.queue[0] if worker.queue else None

    def serve(self, worker: Worker) -> None:
        while (entry := self.pick(worker)) and self.room(worker, entry.batch):
            self.leave(worker, entry)
            worker.longs_running += entry.batch.long
            self.take(worker, entry.batch, +1)
            if entry.task is not None:
                self.start(worker, entry)
            elif self.public:
                self.counts["messages"] += 1
                self.on_ask(worker, entry)
            else:
                self.send(1, ASK, worker, entry)

    def leave(self, worker: Worker, entry: Entry) -> None:
        worker.queue.remove(entry)

    def on_ask(self, worker: Worker, entry: Entry) -> None:
        entry.task = entry.batch.waiting.pop(0) if entry.batch.waiting else None
        self.send(2 if self.public else 1, ANSWER, worker, entry)

    def on_answer(self, worker: Worker, entry: Entry) -> None:
        if entry.task is not None:
            self.start(worker, entry)
            return
        self.counts["noops"] += 1
        self.take(worker, entry.batch, -1)
        self.freed(worker)

    def start(self, worker: Worker, entry: Entry) -> None:
        task, batch = entry.task, entry.batch
        assert task is not None
        duration = int(self.workload.tasks[task].duration_ns)
        self.outcome[task] = (self.now, self.now + duration, worker.number)
        if batch.long:
            worker.running[task] = (self.now, self.share(worker, batch), self.cost(worker, batch))
        self.push(duration, END, worker, entry, task)

    def on_end(self, worker: Worker, entry: Entry, task: int) -> None:
        self.left -= 1
        self.take(worker, entry.batch, -1)
        if entry.batch.long:
            worker.longs_running -= 1
            worker.backlog -= worker.running.pop(task)[2]
        self.freed(worker)

    def freed(self, worker: Worker) -> None:
        if not worker.queue:
            self.look(worker)
        self.serve(worker)

    # -- stealing --------------------------------------------------------------------------------------------------

    def look(self, thief: Worker) -> None:
        most = self.params["steal_contacts"]
        if self.public:
            for _ in range(most):
                self.counts["contacts"] += 1
                if run := self.take_run(self.victim(thief), thief):
                    for entry in run:
                        entry.came = self.now - entry.waited
                    thief.queue += run
                    return
        elif not thief.looking and most:
            self.contact(thief, most, 1)

    def victim(self, thief: Worker) -> Worker | None:
        others = [w for w in self.workers[self.first_long :] if self.public or w is not thief]
        if not others:
            return None
        thief.draws += 1
        return others[rng.below(self.seed, rng.STREAM_PICK, thief.number, thief.draws - 1, len(others))]

    def contact(self, thief: Worker, left: int, delays: int) -> None:
        victim = self.victim(thief)
        thief.looking = victim is not None
        if victim is not None:
            self.counts["contacts"] += 1
            self.send(delays, CONTACT, thief, victim, left)

    def on_contact(self, thief: Worker, victim: Worker, left: int) -> None:
        self.counts["messages"] += 1
        if run := self.take_run(victim, thief):
            self.push(self.delay, STOLEN, thief, run)
        elif left > 1:
            self.contact(thief, left - 1, 2)
        else:
            thief.looking = False

    def take_run(self, victim: Worker | None, thief: Worker) -> list[Entry]:
        assert victim is not None
        kinds = [entry.batch.long for entry in victim.queue]
        at = 0
        if victim.longs_running == 0:
            at = kinds.index(True) if True in kinds else len(kinds)
        while at < len(kinds) and kinds[at]:
            at += 1
        end = at
        while end < len(kinds) and not kinds[end] and thief.number in victim.queue[end].batch.anyone:
            end += 1
        run, victim.queue[at:end] = victim.queue[at:end], []
        for entry in run:
            entry.waited = self.now - entry.came
        self.counts["steals"] += bool(run)
        self.counts["stolen"] += len(run)
        return run

    def on_stolen(self, thief: Worker, run: list[Entry]) -> None:
        thief.looking = False
        for entry in run:
            entry.came = self.now - entry.waited
        thief.queue += run
        self.serve(thief)

    def on_refused(self, entry: Entry) -> None:
        """Hawk's workers refuse nothing."""
        raise AssertionError

    def on_tick(self) -> None:
        """Only Phoenix has a monitor."""
        raise AssertionError


@dataclass(eq=False)
class EagleEntry(Entry):
    """A probe that may be refused, stay, and be overtaken."""

    turn: int = 0
    bypassed: int = 0
    stuck: bool = False
    state: str = "waits"  # or "asked"


class EagleOracle(HawkOracle):
    """Eagle: whole copies of the set of workers with long tasks, whole scans of queues."""

    def __init__(self, experiment: Experiment, cluster: Cluster, workload: Workload) -> None:
        super().__init__(experiment, cluster, workload)
        self.counts = dict.fromkeys(
            (
                "probes",
                "noops",
                "placed",
                "refused",
                "fallbacks",
                "sticky",
                "overtaking",
                "dropped",
                "behind_long",
                "lacking",
                "messages",
            ),
            0,
        )
        self.with_long: set[int] = set()
        self.version = 0
        self.copies: dict[int, tuple[int, frozenset[int]]] = {}  # of workers
        self.heard: dict[int, tuple[int, frozenset[int]]] = {}  # of batches
        self.left_of: dict[int, int] = {}
        self.draws_of: dict[int, int] = {}

    def copy(self) -> tuple[int, frozenset[int]]:
        return self.version, frozenset(self.with_long)

    def send_to(self, batch: Batch, entry: EagleEntry, worker: int, delays: int) -> None:
        entry.worker = worker
        self.counts["probes"] += 1
        self.counts["messages"] += delays
        self.push(delays * self.delay, ARRIVE, entry)

    def probe(self, job: int, batch: Batch, draws: int) -> int:
        self.left_of[batch.number] = len(batch.waiting)
        self.heard[batch.number] = (0, frozenset())
        if not self.public:
            chosen, draws = self.draw(job, batch, draws)
            for worker in chosen:
                self.send_to(batch, EagleEntry(batch), worker, 1)
            return draws
        missing = sent = self.probes_for(batch)
        rounds = self.params["rounds"]
        for turn in range(1, rounds + 2):
            heard, refused = self.heard[batch.number], 0
            for _ in range(sent):
                worker: int | None = None
                if turn > 1:
                    worker, draws = self.draw_free(batch, rng.STREAM_PROBE, job, draws, turn > rounds)
                if turn == 1 or (worker is None and turn > rounds):
                    worker, draws = self.draw_any(batch, rng.STREAM_PROBE, job, draws)
                if worker is not None and (turn > rounds or not self.workers[worker].has_long):
                    self.send_to(batch, EagleEntry(batch), worker, turn // 2 + 1)
                else:
                    refused += 1
                if worker in self.copies:
                    heard = max(heard, self.copies[worker], key=lambda copy: copy[0])
            self.heard[batch.number] = heard
            missing -= sent - refused
            self.counts["refused"] += refused
            if missing == 0 or (turn == rounds and missing < 0):
                return draws
            sent = max(missing, self.params["min_probes"]) if self.fork else missing
            self.counts["fallbacks"] += turn == rounds
        return draws

    def draw_any(self, batch: Batch, stream: int, key: int, draws: int) -> tuple[int, int]:
        among = self.among(batch, batch.able)
        while True:
            worker = among[rng.below(self.seed, stream, key, draws, len(among))]
            draws += 1
            if worker in batch.able:
                return worker, draws

    def draw_free(self, batch: Batch, stream: int, key: int, draws: int, short_only: bool) -> tuple[int | None, int]:
        among = self.among(batch, batch.anyone)
        busy = self.heard[batch.number][1]
        if short_only and among is not batch.anyone:
            among = [m for m in among if m < self.first_long]
        fit = {m for m in batch.anyone if m < self.first_long or (not short_only and m not in busy)}
        if not among:
            return None, draws
        for _ in range(1024 if batch.rack is None else min(1024, len(among))):
            worker = among[rng.below(self.seed, stream, key, draws, len(among))]
            draws += 1
            if worker in fit:
                return worker, draws
        start = rng.below(self.seed, stream, key, draws, len(among))
        found = [m for m in among[start:] + among[:start] if m in fit]
        return (found[0] if found else None), draws + 1

    def place(self, batch: Batch, draws: int) -> int:
        self.left_of[batch.number] = len(batch.waiting)
        return super().place(batch, draws)

    def promised(self, worker: Worker) -> None:
        if worker.backlog == 0:
            self.with_long.add(worker.number)
            self.version += 1
        self.last_copy = self.copy()

    def send(self, delays: int, kind: int, *what: Any) -> None:
        if kind == ARRIVE:  # a long task: with a copy as it is now
            what = (what[0], self.last_copy)
        super().send(delays, kind, *what)

    def on_arrival(self, entry: Entry, copy: tuple[int, frozenset[int]] | None = None) -> None:
        worker = self.workers[entry.worker]
        if copy is not None:
            known = self.copies.get(worker.number, copy)
            self.copies[worker.number] = self.copy() if self.public else max(known, copy, key=lambda one: one[0])
        elif worker.has_long:
            assert isinstance(entry, EagleEntry)
            if not self.public and entry.turn < self.params["rounds"]:
                entry.turn += 1
                self.counts["refused"] += 1
                super().send(1, REFUSED, entry, self.copies[worker.number])
                return
            self.counts["behind_long"] += 1
        super().on_arrival(entry)

    def on_refused(self, entry: Entry, copy: Any = None) -> None:
        assert isinstance(entry, EagleEntry)
        batch = entry.batch
        self.heard[batch.number] = max(self.heard[batch.number], copy, key=lambda one: one[0])
        if not batch.waiting:
            return
        draws, key = self.draws_of.get(batch.number, 0), batch.number
        last = entry.turn >= self.params["rounds"]
        worker, draws = self.draw_free(batch, rng.STREAM_PICK, key, draws, last)
        if worker is None and not last:
            last = True
            worker, draws = self.draw_free(batch, rng.STREAM_PICK, key, draws, last)
        if worker is None:
            worker, draws = self.draw_any(batch, rng.STREAM_PICK, key, draws)
        if last:
            self.counts["fallbacks"] += 1
            entry.turn = self.params["rounds"]
        self.draws_of[batch.number] = draws
        self.send_to(batch, entry, worker, 1)

    # -- the order of a queue: entries whose task runs or that have asked keep their places ------------------------

    def waits(self, entry: Entry) -> bool:
        return entry.batch.long or (isinstance(entry, EagleEntry) and entry.state == "waits")

    def pick(self, worker: Worker) -> Entry | None:
        """Return the entry to serve. Useless probes in front of where the search ends are dropped, others wait on."""
        best: Entry | None = None
        slack = math.inf
        for entry in list(worker.queue):
            if not self.waits(entry):
                continue
            if not entry.batch.long and self.left_of[entry.batch.number] == 0 and not self.fork:
                self.drop(worker, entry)
                continue
            if self.as_they_come(worker) or (entry.batch.long and (best is None or self.fork)):
                return entry
            if best is None or (entry.batch.estimate <= slack and self.goes_before(worker, entry, best)):
                best = entry
                if entry.batch.long:
                    return entry
            if isinstance(entry, EagleEntry) and not entry.batch.long:
                cap = round(self.params["bypass_cap"] * 1000) * entry.batch.estimate // 1000
                slack = min(slack, cap - entry.bypassed)
        return best

    def drop(self, worker: Worker, entry: Entry) -> None:
        worker.queue.remove(entry)
        self.counts["dropped"] += 1

    def as_they_come(self, worker: Worker) -> bool:
        return not self.params["shortest_first"]

    def remaining(self, entry: Entry) -> int:
        return entry.batch.estimate * self.left_of[entry.batch.number]

    def goes_before(self, worker: Worker, entry: Entry, other: Entry) -> bool:
        """Whether an entry goes before one in front of it; in Phoenix's program the last one does."""
        return self.fork or self.remaining(entry) < self.remaining(other)

    def serve(self, worker: Worker) -> None:
        """A worker whose room is full does not look at its queue, so it drops nothing."""
        least = [min(column) for column in zip(*self.demands, strict=True)]
        while worker.busy == 0 if self.public else all(f >= d for f, d in zip(worker.free, least, strict=True)):
            entry = self.pick(worker)
            if entry is None or not self.room(worker, entry.batch):
                return
            worker.longs_running += entry.batch.long
            self.take(worker, entry.batch, +1)
            if entry.batch.long:
                worker.queue.remove(entry)
            elif isinstance(entry, EagleEntry):
                entry.state = "asked"
            if entry.task is not None and entry.batch.long:
                self.left_of[entry.batch.number] -= 1
                self.start(worker, entry)
            elif self.public:
                self.counts["messages"] += 1
                self.on_ask(worker, entry)
            else:
                HawkOracle.send(self, 1, ASK, worker, entry)

    @property
    def demands(self) -> list[tuple[int, ...]]:
        """Demands of all tasks."""
        return [tuple(int(x) for x in self.workload.demands[kind]) for kind in {d for d, _ in self.alike}]

    def on_answer(self, worker: Worker, entry: Entry) -> None:
        batch = entry.batch
        if entry.task is None:
            worker.queue.remove(entry)
            self.counts["noops"] += 1
            self.take(worker, batch, -1)
            self.serve(worker)
            return
        self.left_of[batch.number] = 0 if not batch.waiting and not batch.long else self.left_of[batch.number] - 1
        if isinstance(entry, EagleEntry):
            passed = [one for one in worker.queue[: worker.queue.index(entry)] if self.waits(one)]
            for one in passed:
                if isinstance(one, EagleEntry):
                    one.bypassed += batch.estimate
            self.counts["sticky"] += entry.stuck
            self.counts["overtaking"] += bool(passed)
            asks = self.alike[entry.task][1]
            self.counts["lacking"] += self.offers[worker.number] & asks != asks
            entry.stuck = True
            if not self.params["sticky"]:
                worker.queue.remove(entry)
        self.start(worker, entry)

    def on_end(self, worker: Worker, entry: Entry, task: int) -> None:
        self.left -= 1
        self.take(worker, entry.batch, -1)
        if entry.batch.long:
            worker.longs_running -= 1
            worker.backlog -= worker.running.pop(task)[2]
            if worker.backlog == 0:
                self.with_long.discard(worker.number)
                self.version += 1
        elif isinstance(entry, EagleEntry):
            entry.state, entry.task = "waits", None
        self.serve(worker)
