"""When may machines be switched off? A plan by periods, in each of which as many as possible are off."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scheduler_core.ask.points import Point, Points
from scheduler_core.ask.question import Ran, Run
from scheduler_core.ask.stock import Stock

Plan = tuple[int, ...]
"""How many machines are off in each period: the first ones of the order in which machines may go."""


@dataclass(frozen=True)
class Periods:
    """Equal periods of a span of simulated time."""

    count: int
    until_s: float

    @property
    def length_s(self) -> float:
        """Return the length of one period in seconds."""
        return self.until_s / self.count

    def drains(self, plan: Plan, order: list[int], kind: str) -> list[dict[str, Any]]:
        """Return the events of a plan. A machine that is off in neighboring periods has one event for them."""
        events = []
        for place, machine in enumerate(order[: max(plan, default=0)]):
            off = [place < count for count in plan]
            for first in range(self.count):
                if not off[first] or (first and off[first - 1]):
                    continue
                last = first
                while last + 1 < self.count and off[last + 1]:
                    last += 1
                events.append(
                    {
                        "at_s": first * self.length_s,
                        "kind": kind,
                        "target": {"machine": machine},
                        "duration_s": (last - first + 1) * self.length_s,
                    }
                )
        return events


def busy_periods(periods: Periods, now: Point) -> list[int]:
    """Return the periods in the order of the work that ran in them in the runs as they are, the calmest first."""
    edges = np.linspace(0.0, periods.until_s * 1e9, periods.count + 1)
    work = np.zeros(periods.count)
    for one in now.ran:
        placed = one.machines >= 0
        start, end = (one.end_ns - one.ran_ns)[placed], one.end_ns[placed]
        for number in range(periods.count):
            inside = np.minimum(end, edges[number + 1]) - np.maximum(start, edges[number])
            work[number] += np.maximum(inside, 0).sum()
    return [int(number) for number in np.argsort(work, kind="stable")]


def planned(
    points: Points, periods: Periods, calmest: list[int], most: int
) -> Generator[Sequence[Run], Sequence[Ran], Plan]:
    """Return a plan: period by period, the calmest first, the largest number that keeps the promise with the rest."""
    plan: Plan = (0,) * periods.count
    guess = most
    for period in calmest:

        def changed(count: int, plan: Plan = plan, period: int = period) -> Plan:
            return (*plan[:period], count, *plan[period + 1 :])

        keeps, fails = 0, most + 1
        while fails - keeps > 1:
            # The next period is rarely calmer: begin near what the last one took.
            count = min(max(guess, keeps + 1), fails - 1) if fails > most and keeps == 0 else (keeps + fails) // 2
            if (yield from points.one(changed(count))).kept:
                keeps = count
            else:
                fails = count
        plan, guess = changed(keeps), max(keeps, 1)
    return plan


def planned_drains(rows: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    """Return the events of a plan as `told_plan` gave it: of two periods, one has all machines of the other."""
    order: dict[int, None] = {}
    for row in sorted(rows, key=lambda row: len(row["machines"])):
        order |= dict.fromkeys(row["machines"])
    plan = tuple(len(row["machines"]) for row in rows)
    return Periods(len(rows), rows[-1]["until_s"]).drains(plan, list(order), kind)


def told_plan(
    periods: Periods, plan: Plan, order: list[int], last: Point, stock: Stock, price: float | None
) -> dict[str, Any]:
    """Return a plan in JSON types, with the machine-hours that it saves under the first seed.

    A machine counts as off from when its last task ends: until then it takes no new ones.
    """
    ran, length_ns = last.ran[0], periods.length_s * 1e9
    rows, saved_ns = [], 0.0
    for number, count in enumerate(plan):
        begin = number * length_ns
        off_ns = 0.0
        for machine in order[:count]:
            mine = ran.machines == machine
            running = mine & (ran.end_ns - ran.ran_ns < begin + length_ns) & (ran.end_ns > begin)
            busy_until = float(ran.end_ns[running].max(initial=begin))
            off_ns += max(0.0, begin + length_ns - busy_until)
        saved_ns += off_ns
        rows.append(
            {
                "from_s": begin / 1e9,
                "until_s": (begin + length_ns) / 1e9,
                "machines": sorted(order[:count]),
                "machine_hours": off_ns / 3.6e12,
            }
        )
    hours = saved_ns / 3.6e12
    whole = stock.machines * periods.until_s / 3600
    found = {"plan": rows, "machine_hours": hours, "of_machine_hours": whole}
    return found | ({} if price is None else {"saved": hours * price})
