"""A slow plain version of Carbyne, decision by decision: it looks at every job, stage and machine each time."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from scheduler_core import Experiment, Simulation
from scheduler_core.engine import rng
from scheduler_core.engine.records import NOBODY
from tests.core.oracles_dags import PlainChoice, PlainStage, Undecided

Row = tuple[int, int, int]
"""Latest start in ns, stage, tasks."""
_HALVINGS = 24


@dataclass
class PlainJob:
    """What Carbyne keeps of a job."""

    stale: bool = True
    plan: list[Row] = field(default_factory=list)
    due: dict[int, int] = field(default_factory=dict)
    share: float = 0.0
    finish_ns: int = 0
    altruistic: bool = False


class PlainCarbyne(PlainChoice):
    """Carbyne under every value of its parameters, without faults."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.params = {"epsilon": 0.0, "barrier": 1.0, "fairness": 0.0} | self.params
        self.jobs = [PlainJob() for _ in self.work.jobs]
        self.running: list[tuple[int, int]] = []  # when the news of its end comes, stage
        self.present: list[int] = []
        self.weights = self.level = 0.0
        self.queue_weights = [0.0] * len(self.queues)
        self.seen_open: set[int] = set()
        self.decisions = 0
        self.delay_ns = round(self.experiment.network.message_delay_s * 1e9)
        self.replica: list[list[int]] | None = None
        if self.params["unsized_data"]:
            packed = Simulation(self.experiment, frames=0)
            packed.advance_to(0)
            self.replica = packed.state.replica.tolist()
            self.rack = packed.world.machine["rack"].tolist()
        self.remaining = [[0] * len(self.total) for _ in self.work.jobs]
        for number, stage in enumerate(self.stages):
            if not self.hopeless[number]:
                for r, asked in enumerate(stage.demand):
                    self.remaining[stage.job][r] += int(asked) * len(stage.tasks)

    # -- what happens --------------------------------------------------------------------------------------------

    def end(self, number: int, machine: int) -> None:
        super().end(number, machine)
        stage = self.stages[number]
        self.running.remove((self.now_ns, number))
        for r, asked in enumerate(stage.demand):
            self.remaining[stage.job][r] -= int(asked)
        if not self.left[stage.job]:
            at, last = self.present.index(stage.job), self.present.pop()
            if last != stage.job:
                self.present[at] = last
            self._weigh(stage.job, -1)
            self.reshare = True

    def arrive(self, job: int) -> None:
        self.present.append(job)
        self._weigh(job, 1)
        self.reshare = True

    def _weigh(self, job: int, sign: int) -> None:
        queue = int(self.work.jobs["queue"][job])
        self.weights = self.weights + sign * self.weight(job) if self.present else 0.0
        self.queue_weights[queue] = max(self.queue_weights[queue] + sign * self.weight(job), 0.0)

    def start(self, number: int, machine: int) -> tuple[int, int, int]:
        if self.replica is not None:
            self._take_nearest(self.stages[number], machine)
        found = super().start(number, machine)
        duration_ns = int(self.work.tasks["duration_ns"][found[1]])
        self.running.append((self.now_ns + 2 * self.delay_ns + duration_ns, number))
        return found

    def _take_nearest(self, stage: PlainStage, machine: int) -> None:
        """The waiting task with the nearest data goes first, and runs as long as its distance says."""
        assert self.replica is not None
        waiting = range(stage.started, len(stage.tasks))
        near = {at: self._distance(stage.tasks[at], machine) for at in waiting}
        at = min(waiting, key=lambda one: (near[one], one))
        stage.tasks[stage.started], stage.tasks[at] = stage.tasks[at], stage.tasks[stage.started]
        factor = (1.0, self.params["rack_factor"], self.params["remote_factor"])[near[at]]
        if self.replica[stage.tasks[stage.started]][0] != NOBODY:
            times = self.work.tasks["duration_ns"]
            times[stage.tasks[stage.started]] = math.floor(times[stage.tasks[stage.started]] * factor + 0.5)

    def _distance(self, task: int, machine: int) -> int:
        assert self.replica is not None
        holders = [one for one in self.replica[task] if one != NOBODY]
        if machine in holders:
            return 0
        return 1 if any(self.rack[one] == self.rack[machine] for one in holders) else 2

    def _near(self, number: int) -> int | None:
        """The first machine with room that has data of a waiting task, or else the first in a rack with them."""
        if self.replica is None:
            return None
        stage = self.stages[number]
        holders = [one for task in stage.tasks[stage.started :] for one in self.replica[task] if one != NOBODY]
        racks = [[m for m in range(len(self.free)) if self.rack[m] == self.rack[one]] for one in holders]
        places = holders + [machine for machines in racks for machine in machines]
        return next((machine for machine in places if self.fits(number, machine)), None)

    # -- a decision ----------------------------------------------------------------------------------------------

    def decide(self, arrived: set[int]) -> list[tuple[int, int, int]]:
        self.decisions += 1
        active = sorted({self.stages[n].job for n in self.open_stages(arrived)})
        self._find_level(arrived)
        for job in active:
            self._plan(job)
        altruistic = [job for job in active if self.jobs[job].altruistic]
        selfish = [job for job in active if not self.jobs[job].altruistic]
        started: list[tuple[int, int, int]] = []
        if self.params["selfish"] == "own_share":
            started += self._first_pass(active)
        else:
            started += self._fill(active) if selfish else []
            started += self._first_pass(altruistic)
        started += self._leftover(arrived)
        return started

    def in_order(self, number: int) -> tuple[int, int]:
        return self.depth(number), number

    def _open(self, job: int) -> list[int]:
        return sorted(self.open_stages({job}), key=self.in_order)

    def _key(self, job: int) -> float:
        if self.params["inter_job"] == "capacity":
            queue = int(self.work.jobs["queue"][job])
            return self.share(self.held[self.work.jobs["queue"] == queue].sum(axis=0)) / self.queues[queue]
        return self.share(self.held[job]) / self.weight(job)

    def _in_turn(self, jobs: list[int], key: Any, one: Any) -> list[tuple[int, int, int]]:
        """The job with the least key has its turn, until none can use it; `one` gives what it starts."""
        found, jobs = [], list(jobs)
        while jobs:
            job = min(jobs, key=lambda each: (key(each), each))
            start = one(job)
            if start is None:
                jobs.remove(job)
            else:
                found.append(start)
        return found

    def _first_pass(self, jobs: list[int]) -> list[tuple[int, int, int]]:
        def one(number: int) -> tuple[int, int, int] | None:
            job = self.jobs[number]
            limited = not job.altruistic and self.params["altruism"] > 0
            if limited and self.share(self.held[number]) >= self._share(number):
                return None
            stages = self._open(number)
            if job.altruistic:
                stages = [n for n in stages if self.stages[n].started < job.due.get(n, 0)]
            place = self._place(stages, packs=job.altruistic)
            return None if place is None else self.start(*place)

        return self._in_turn(jobs, self._key, one)

    def _place(self, stages: list[int], *, packs: bool = True) -> tuple[int, int] | None:
        """The first stage that fits, and the machine that it is aligned best with, or the first that has room."""
        for n in stages:
            machines = [m for m in range(len(self.free)) if self.fits(n, m)]
            near = self._near(n)
            if near is not None:
                return n, near
            if machines and packs and self.params["placement"] == "packing":
                return n, max(machines, key=lambda m: self._aligned(n, m))  # the first of equal ones
            if machines:
                return n, machines[0]
        return None

    def _aligned(self, number: int, machine: int) -> float:
        total = 0.0
        for asked, free, has in zip(
            self.stages[number].demand, self.free[machine], self.capacity[machine], strict=True
        ):
            total += (int(asked) / int(has)) * (int(free) / int(has)) if has else 0.0
        return total

    def _fill(self, jobs: list[int]) -> list[tuple[int, int, int]]:
        """DRF, in which room for what altruistic jobs can put off is only set aside; it is free again afterwards."""
        aside: list[tuple[int, int]] = []
        started: list[tuple[int, int, int]] = []

        def one(number: int) -> bool | None:
            job = self.jobs[number]
            due = (
                [n for n in self._open(number) if self.stages[n].started < job.due.get(n, 0)] if job.altruistic else []
            )
            if place := self._place(due):
                started.append(self.start(*place))
                return True
            for n in self._open(number):
                stage = self.stages[n]
                waiting = len(stage.tasks) - stage.started - sum(1 for other, _ in aside if other == n)
                machine = next((m for m in range(len(self.free)) if self.fits(n, m)), None)
                if not waiting or machine is None:
                    continue
                if self.jobs[number].altruistic:
                    aside.append((n, machine))
                    self.free[machine] -= stage.demand
                    self.held[number] += stage.demand
                else:
                    near = self._near(n)
                    started.append(self.start(n, machine if near is None else near))
                    self.jobs[number].stale = True
                return True
            return None

        self._in_turn(jobs, self._key, one)
        for n, machine in aside:
            self.free[machine] += self.stages[n].demand
            self.held[self.stages[n].job] -= self.stages[n].demand
        return started

    def _leftover(self, arrived: set[int]) -> list[tuple[int, int, int]]:
        if self.params["leftover"] == "packing":
            started = PlainChoice.decide(self, arrived)
        else:
            active = sorted({self.stages[n].job for n in self.open_stages(arrived)})
            started = self._in_turn(active, lambda job: self.work_left[job], self._next_left)
        for number, _, _ in started:
            self.jobs[self.stages[number].job].stale = True
        return started

    def _next_left(self, number: int) -> tuple[int, int, int] | None:
        job, stages = self.jobs[number], self._open(number)
        if job.altruistic:
            stages = [n for _, n, _ in job.plan if n in stages]
        place = self._place(stages)
        return None if place is None else self.start(*place)

    # -- shares and plans ----------------------------------------------------------------------------------------

    def _find_level(self, arrived: set[int]) -> None:
        """DRF's level, found anew when jobs have come or gone, or stages have opened or had their last start."""
        waiting = set(self.open_stages(arrived))
        if waiting != self.seen_open:
            self.reshare = True
        self.seen_open = waiting
        if self.params["inter_job"] != "drf" or not self.reshare:
            return
        self.reshare = False
        raise_all = self.params["planned_share"] == "drf_vector"
        jobs = self.present if raise_all else sorted({self.stages[n].job for n in waiting})
        wants = {job: self._wants(job, waiting, raise_all) for job in jobs}
        most = {job: max([0.0, *wants[job]]) for job in jobs}

        def overfull(level: float) -> bool:
            for r in range(len(self.total)):
                used = 0.0
                for job in jobs:
                    if most[job] > 0:
                        used += wants[job][r] * min(level * self.weight(job) / most[job], 1.0)
                if used > 1.0:
                    return True
            return False

        low, high = 0.0, 1.0
        if not overfull(high):
            self.level = high
            return
        for _ in range(_HALVINGS):
            middle = 0.5 * (low + high)
            low, high = (low, middle) if overfull(middle) else (middle, high)
        self.level = low

    def _wants(self, job: int, waiting: set[int], all_of_it: bool) -> list[float]:
        amounts = list(self.remaining[job])
        if not all_of_it:
            amounts = [int(held) for held in self.held[job]]
            for n in sorted(n for n in waiting if self.stages[n].job == job):
                stage = self.stages[n]
                for r, asked in enumerate(stage.demand):
                    amounts[r] += (len(stage.tasks) - stage.started) * int(asked)
        return [amount / int(total) if total else 0.0 for amount, total in zip(amounts, self.total, strict=True)]

    def _share(self, job: int) -> float:
        weight, queue = self.weight(job), int(self.work.jobs["queue"][job])
        if self.params["inter_job"] == "capacity":
            busy = 0.0
            for one, weights in zip(self.queues, self.queue_weights, strict=True):
                busy += one if weights > 0 else 0.0
            return self.queues[queue] / busy * weight / self.queue_weights[queue]
        return min(max(weight / self.weights, self.level * weight), 1.0)

    def _limit(self, job: int, share: float) -> list[int]:
        totals = [int(total) for total in self.total]
        if self.params["inter_job"] != "drf" or self.params["planned_share"] == "every_resource":
            return [int(share * total + 1e-6) for total in totals]
        most = max(left / total for left, total in zip(self.remaining[job], totals, strict=True) if total)
        part = min(share * (1.0 + 1e-6) / most, 1.0) if most > 0 else 0.0
        return [int(part * left + 1e-6) for left in self.remaining[job]]

    def _volunteers(self, job: int) -> bool:
        draw = 0 if self.params["drawn"] == "job" else self.decisions
        return rng.uniform(self.experiment.seed, rng.STREAM_ALTRUISM, job, draw) < self.params["altruism"]

    def _plan(self, number: int) -> None:
        job = self.jobs[number]
        job.altruistic = self._volunteers(number)
        if not job.altruistic:
            return
        share = self._share(number)
        if job.stale or share > job.share * 1.05 or share < job.share / 1.05:
            self._make_plan(number, share)
        now_ns = self.now_ns + round(self.params["interval_s"] * 1e9)
        while job.plan and job.plan[0][0] <= now_ns:
            _, n, count = job.plan.pop(0)
            job.due[n] += count

    def _make_plan(self, number: int, share: float) -> None:
        job, limit = self.jobs[number], self._limit(number, share)
        job.stale = False
        own = [n for n, stage in enumerate(self.stages) if stage.job == number]
        ahead, finish_ns = self._pack(own, limit, backward=False)
        holds = share >= job.share > 0
        job.share = share
        if holds and finish_ns > job.finish_ns:
            return
        job.finish_ns = finish_ns
        back, length_ns = self._pack(own, limit, backward=True)
        job.due = {n: self.stages[n].started for n in own}
        if length_ns <= finish_ns - self.now_ns:
            took = {n: self.stages[n].duration_ns + 2 * self.delay_ns for n in own}
            ahead = [(finish_ns - at_ns - took[n], n, count) for at_ns, n, count in back]
        job.plan = sorted(ahead, key=lambda row: row[0])
        same = {row[0] for row in job.plan}
        if len(same) < len(job.plan):
            raise Undecided  # rows that start together have no order

    def _pack(self, own: list[int], limit: list[int], *, backward: bool) -> tuple[list[Row], int]:
        """Rows in the order of their starts, and when all has ended; backward from 0."""
        able = [n for n in own if not self.hopeless[n]]
        left = {n: len(self.stages[n].tasks) - self.stages[n].started for n in able}
        if backward:
            now_ns, groups, unended = 0, [], dict(left)
            before = {n: {m for m in able if n in self.stages[m].parents and left[m]} for n in able}
        else:
            now_ns, unended = self.now_ns, {n: len(self.stages[n].tasks) - self.stages[n].ended for n in able}
            groups = [(end_ns, n, 1) for end_ns, n in self.running if n in unended]
            before = {n: {m for m in self.stages[n].parents if unended[m]} for n in able}
        rows: list[Row] = []
        while True:
            best = self._best_stage(able, left, before, unended, groups, limit)
            if best is not None:
                n, count = best
                rows.append((now_ns, n, count))
                groups.append((now_ns + self.stages[n].duration_ns + 2 * self.delay_ns, n, count))
                left[n] -= count
                continue
            if not groups:
                return rows, now_ns
            next_ns = min(end_ns for end_ns, _, _ in groups)
            now_ns = max(now_ns, next_ns)
            for _, n, count in (group for group in groups if group[0] == next_ns):
                unended[n] -= count
            groups = [group for group in groups if group[0] != next_ns]

    def _best_stage(
        self, able: list[int], left: Any, before: Any, unended: Any, groups: list[Row], limit: list[int]
    ) -> tuple[int, int] | None:
        used = [sum(count * int(self.stages[n].demand[r]) for _, n, count in groups) for r in range(len(limit))]
        best: tuple[int, int] | None = None
        best_score = -1.0
        for n in able:
            if not left[n] or any(unended[m] for m in before[n]):
                continue
            count, score = left[n], 0.0
            for r, asked in enumerate(map(int, self.stages[n].demand)):
                if asked > 0:
                    count = min(count, (limit[r] - used[r]) // asked)
                    score += (asked / limit[r]) * ((limit[r] - used[r]) / limit[r]) if limit[r] > 0 else 0.0
            if count < 1 and groups:
                continue
            if score > best_score or best is None:
                best, best_score = (n, max(count, 1)), score
        return best


def plain_carbyne(experiment: Experiment) -> PlainCarbyne:
    """Run it; raises Undecided where rounding or an order that is not defined decides."""
    plain = PlainCarbyne(experiment)
    plain.run()
    return plain
