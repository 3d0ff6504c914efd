"""Backfill by its definition, slowly: every plan is checked at every instant at which anything begins or ends.

Jobs wait in the order of arrival. At each instant with an arrival or an end, jobs start from the head of the queue
while all their tasks have room. Then each job in order gets the earliest start at which all its tasks have room until
its limit, beside running jobs (until their limits) and earlier reservations. A job whose start is now starts. EASY
keeps the reservation of the first job only, and the others may only start now. With a depth, the pass after an
arrival or an end tries that many jobs, and a full pass tries all of them at each multiple of its interval.
"""

from __future__ import annotations

from dataclasses import dataclass, field

SECOND = 10**9


@dataclass
class Job:
    arrival: int
    durations: list[int]
    demand: tuple[int, ...]
    limit: int
    start: int = -1
    machines: list[int] = field(default_factory=list)


@dataclass
class Claim:
    machine: int
    demand: tuple[int, ...]
    job: int
    start: int
    end: int


class Cluster:
    """Machines, and the jobs that wait and run on them."""

    def __init__(
        self,
        capacity: list[tuple[int, ...]],
        jobs: list[Job],
        mode: str,
        *,
        exclusive: bool = False,
        depth: int | None = None,
        every: int = 60 * SECOND,
    ) -> None:
        self.capacity, self.jobs, self.mode, self.exclusive = capacity, jobs, mode, exclusive
        self.depth, self.every = depth, every
        self.waiting: list[int] = []
        self.running: list[tuple[int, int, int]] = []  # end, job, machine
        self.extra: int | None = None

    def run(self) -> list[int]:
        """Return the start of each job, in ns."""
        now = 0
        to_come = sorted(range(len(self.jobs)), key=lambda number: (self.jobs[number].arrival, number))
        while to_come or self.waiting:
            times = [self.jobs[to_come[0]].arrival] if to_come else []
            times += [end for end, _, _ in self.running]
            times += [self.extra] if self.extra is not None else []
            if not times and (self.depth is None or not self.waiting):
                break
            if self.depth is not None and self.waiting:
                times.append((now // self.every + 1) * self.every)
            now = min(times)
            full = self.depth is None or (now > 0 and now % self.every == 0)
            happened = any(end == now for end, _, _ in self.running)
            self.running = [one for one in self.running if one[0] > now]
            while to_come and self.jobs[to_come[0]].arrival == now:
                self.waiting.append(to_come.pop(0))
                happened = True
            happened = happened or (full and self.depth is not None)
            if happened:
                self._in_order(now, None if full else self.depth)
            planned = self.extra == now
            if planned:
                self.extra = None
            if self.mode != "none" and self.waiting and (happened or planned):
                self._plan(now)
        return [job.start for job in self.jobs]

    def _in_order(self, now: int, depth: int | None) -> None:
        tried = 0
        while self.waiting and tried != depth:
            tried += 1
            number = self.waiting[0]
            claims = [
                Claim(machine, self.jobs[job].demand, job, now, now + 1)
                for end, job, machine in self.running
                if end > now
            ]
            found = self._place(claims, number, now, now + 1)
            if found is None:
                return
            self._start(number, found, now)

    def _plan(self, now: int) -> None:
        claims, overrun, reserved = [], False, 0
        for _, job, machine in self.running:
            end = self.jobs[job].start + self.jobs[job].limit
            if end <= now:
                end, overrun = now + SECOND, True
            claims.append(Claim(machine, self.jobs[job].demand, job, now, end))
        for number in list(self.waiting):
            limit = self.jobs[number].limit
            times = [now]
            if self.mode == "conservative" or not reserved:
                times += sorted({claim.end for claim in claims if claim.end > now})
            for time in times:
                found = self._place(claims, number, time, time + limit)
                if found is None:
                    continue
                claims += [Claim(m, self.jobs[number].demand, number, time, time + limit) for m in found]
                if time == now:
                    self._start(number, found, now)
                else:
                    reserved += 1
                break
        if overrun and self.waiting and self.extra is None:
            self.extra = now + SECOND

    def _start(self, number: int, machines: list[int], now: int) -> None:
        job = self.jobs[number]
        job.start, job.machines = now, machines
        self.waiting.remove(number)
        self.running += [(now + took, number, m) for took, m in zip(job.durations, machines, strict=True)]

    def _place(self, claims: list[Claim], number: int, start: int, end: int) -> list[int] | None:
        """Return the first machine with room for each task of a job from start to end; None if one has none."""
        job, found = self.jobs[number], list[int]()
        instants = {start} | {time for c in claims for time in (c.start, c.end) if start < time < end}
        for _ in job.durations:
            own = [Claim(m, job.demand, number, start, end) for m in found]
            for machine in range(len(self.capacity)):
                if all(self._free(claims + own, machine, job.demand, number, time) for time in instants):
                    found.append(machine)
                    break
            else:
                return None
        return found

    def _free(self, claims: list[Claim], machine: int, demand: tuple[int, ...], number: int, time: int) -> bool:
        there = [c for c in claims if c.machine == machine and c.start <= time < c.end]
        if self.exclusive and any(c.job != number for c in there):
            return False
        used = [sum(c.demand[r] for c in there) for r in range(len(demand))]
        return all(u + d <= c for u, d, c in zip(used, demand, self.capacity[machine], strict=True))
