"""Phoenix in plain Python: demand counted anew at every look, waits from lists, one pass over a queue a choice."""

from __future__ import annotations

import math

from scheduler_core import Cluster, Experiment, Workload
from scheduler_core.constraints import fixed_ratios, soft_mask
from tests.core.oracles_hybrid import TICK, Batch, EagleOracle, Entry, Worker


class PhoenixOracle(EagleOracle):
    """Phoenix by the paper, and as its authors' program has it."""

    def __init__(self, experiment: Experiment, cluster: Cluster, workload: Workload) -> None:
        super().__init__(experiment, cluster, workload)
        self.counts |= dict.fromkeys(("reorders", "negotiated", "switches"), 0)
        given = experiment.constraints
        self.soft, slowdowns = soft_mask(given) if given else (0, [1.0])
        self.slowdowns = [float(factor) for factor in slowdowns]
        fixed = [round(ratio * 1_000_000) for ratio in fixed_ratios(given)] if self.fork and given else None
        self.ratios = fixed or [0] * len(self.slowdowns)
        self.of_nothing = 1_912_200 if fixed else 0
        self.on, self.first, self.next_look = False, -1, -1
        self.unanswered: dict[int, int] = {}
        self.came: dict[int, list[int]] = {}
        self.took: dict[int, list[float]] = {}
        self.arrived = self.ended = 0
        self.asking: dict[int, Batch] = {}

    # -- the monitor -----------------------------------------------------------------------------------------------

    def on_job(self, number: int) -> None:
        interval = round(self.params["monitor_interval_s"] * 1e9)
        if self.first < 0:
            self.first = self.now
        if self.next_look < 0:
            self.next_look = self.first + -(-(self.now - self.first) // interval) * interval
            self.push(self.next_look - self.now, TICK)
        super().on_job(number)

    def on_tick(self) -> None:
        limit = round(self.params["load_threshold_percent"] * 10_000)
        on = self.load() > limit
        self.counts["switches"] += on != self.on
        self.on = on
        if not self.fork:
            self.ratios = [self.demand(c) * 1_000_000 // max(1, self.supply(c)) for c in range(len(self.ratios))]
        self.next_look = -1
        if self.arrived > self.ended:
            interval = round(self.params["monitor_interval_s"] * 1e9)
            self.next_look = self.now + interval
            self.push(interval, TICK)

    def load(self) -> int:
        if self.fork:
            return sum(worker.busy > 0 for worker in self.workers) * 100 // len(self.workers) * 10_000
        most = 0
        for r in range(len(self.capacity[0])):
            total = sum(row[r] for row in self.capacity)
            used = total - sum(worker.free[r] for worker in self.workers)
            most = max(most, int(used / total * 1_000_000) if total else 0)
        return most

    def demand(self, c: int) -> int:
        return sum(left for number, left in self.unanswered.items() if self.asking[number].asks >> c & 1)

    def supply(self, c: int) -> int:
        return sum(offers >> c & 1 for offers in self.offers)

    def scarcity(self, asks: int) -> int:
        if not asks:
            return self.of_nothing
        return max(ratio for c, ratio in enumerate(self.ratios) if asks >> c & 1)

    # -- admission -------------------------------------------------------------------------------------------------

    def admit(self, batch: Batch) -> None:
        soft = batch.asks & self.soft
        most = round(self.params["negotiate_ratio"] * 1_000_000)
        scarce = self.on and self.params["negotiate"] and self.scarcity(soft) > most
        everyone = range(len(self.workers)) if batch.rack is None else batch.rack
        relaxed = [m for m in everyone if self.eligible(m, batch.demand, batch.asks & ~self.soft)]
        if not relaxed:
            return
        self.arrived += len(batch.waiting)
        if soft and (not batch.able or scarce):
            batch.able = batch.anyone = relaxed
            batch.asks &= ~self.soft
            self.counts["negotiated"] += len(batch.waiting)
        if not batch.long:
            self.unanswered[batch.number], self.asking[batch.number] = len(batch.waiting), batch

    def start(self, worker: Worker, entry: Entry) -> None:
        assert entry.task is not None
        lacking, factor = self.alike[entry.task][1] & ~self.offers[worker.number] & self.soft, 1.0
        for c, slowdown in enumerate(self.slowdowns):
            factor *= slowdown if lacking >> c & 1 else 1.0
        row = self.workload.tasks[entry.task]
        if lacking:
            row.duration_ns = math.floor(row.duration_ns * factor + 0.5)
        super().start(worker, entry)

    # -- waits -----------------------------------------------------------------------------------------------------

    def joined(self, worker: Worker) -> None:
        self.came.setdefault(worker.number, []).append(self.now)

    def serve(self, worker: Worker) -> None:
        worried = not self.fork and self.expected_wait(worker.number) > self.params["wait_threshold_s"]
        worker.scarcest_first = self.on or worried
        dropped = self.counts["dropped"]
        super().serve(worker)
        self.took.setdefault(worker.number, []).extend([0.0] * (self.counts["dropped"] - dropped))

    def expected_wait(self, number: int) -> float:
        came, took, memory = self.came.get(number, []), self.took.get(number, []), self.params["wait_memory"]
        if len(came) < 2 or not took:
            return 0.0
        gap = mean = square = 0.0
        for n in range(1, len(came)):
            gap += ((came[n] - came[n - 1]) * 1e-9 - gap) / min(n, memory)
        for n, seconds in enumerate(took, 1):
            part = 1.0 / min(n, memory)
            mean += (seconds - mean) * part
            square += (seconds * seconds - square) * part
        return 1e9 if mean >= gap else square / (2.0 * (gap - mean))

    def note(self, worker: Worker, batch: Batch, busy: int) -> None:
        self.took.setdefault(worker.number, []).append(busy * int(self.share(worker, batch) * 256) / 256 * 1e-9)

    def on_end(self, worker: Worker, entry: Entry, task: int) -> None:
        self.ended += 1
        asked = 0 if entry.batch.long else 2 * self.delay
        self.note(worker, entry.batch, self.now - self.outcome[task][0] + asked)
        if not entry.batch.long and self.params["sticky"]:
            self.joined(worker)
        super().on_end(worker, entry, task)

    def on_answer(self, worker: Worker, entry: Entry) -> None:
        if entry.task is None:
            self.note(worker, entry.batch, 2 * self.delay)
        elif not entry.batch.long:
            self.unanswered[entry.batch.number] -= 1
        overtaking = self.counts["overtaking"]
        super().on_answer(worker, entry)
        self.counts["reorders"] += worker.scarcest_first * (self.counts["overtaking"] - overtaking)

    # -- the order of a queue --------------------------------------------------------------------------------------

    def as_they_come(self, worker: Worker) -> bool:
        return not worker.scarcest_first and super().as_they_come(worker)

    def goes_before(self, worker: Worker, entry: Entry, other: Entry) -> bool:
        if not worker.scarcest_first:
            return super().goes_before(worker, entry, other)
        if entry.batch.long:
            return False
        mine, its = self.scarcity(entry.batch.asks), self.scarcity(other.batch.asks)
        return mine > its or (mine == its and not self.fork and self.remaining(entry) < self.remaining(other))
