"""Failures at random: machines of a place fail at a rate, some with their whole rack, and come back after a while.

Drawn by key before the run, so the same machines fail at the same times under every scheduler, and in a fork.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from scheduler_core.engine import rng
from scheduler_core.experiment.sections import REPAIR_S, Event

Outage = tuple[int, int]
"""From when to when a machine is out, in ns."""


def outages(event: Event, number: int, seed: int, machines: range, rack_of: Any) -> list[tuple[int, int, int, int]]:
    """(from, until, first machine, machine behind the last) of the outages that an event makes, in no order.

    `number` is the event's place in the experiment. Each machine's times between failures and times of repair are
    exponential; a failure takes the rack along with a probability, and then all of the place's machines in that rack
    are out as long as it is. `rack_of` is the rack of every machine, ascending.
    """
    found: dict[int, list[Outage]] = {machine: [] for machine in machines}
    share = float(event.value.get("rack_share", 0.0))
    for machine in machines:
        for draw, one in _fails(event, (number << 32) + machine, seed):
            taken = rng.uniform(seed, rng.STREAM_FAILURE, (number << 32) + machine, 3 * draw + 2) < share
            for other in _rack(machine, machines, rack_of) if taken else (machine,):
                found[other].append(one)
    together: dict[Outage, list[int]] = defaultdict(list)
    for machine, times in found.items():
        for one in _merged(times):
            together[one].append(machine)
    return [(*times, first, end) for times, members in together.items() for first, end in _runs(members)]


def _runs(members: list[int]) -> Iterator[tuple[int, int]]:
    """Ascending numbers as ranges: (first, behind the last)."""
    first = members[0]
    for one, after in zip(members, [*members[1:], None], strict=True):
        if after != one + 1:
            yield first, one + 1
            first = after if after is not None else first


def _fails(event: Event, entity: int, seed: int) -> Iterator[tuple[int, Outage]]:
    """The failures of one machine by itself: (number, outage)."""
    time_s, end_s, draw = event.at_s, event.at_s + float(event.duration_s or 0.0), 0
    while True:
        time_s += float(event.value["every_s"]) * rng.exponential(seed, rng.STREAM_FAILURE, entity, 3 * draw)
        if time_s >= end_s:
            return
        repair_s = float(event.value.get("repair_s", REPAIR_S))
        repair_s *= rng.exponential(seed, rng.STREAM_FAILURE, entity, 3 * draw + 1)
        yield draw, (round(time_s * 1e9), round((time_s + repair_s) * 1e9))
        time_s += repair_s
        draw += 1


def _rack(machine: int, machines: range, rack_of: Any) -> range:
    """The machines of a place that are in one rack with a machine."""
    first, end = machine, machine + 1
    while first > machines.start and rack_of[first - 1] == rack_of[machine]:
        first -= 1
    while end < machines.stop and rack_of[end] == rack_of[machine]:
        end += 1
    return range(first, end)


def _merged(times: list[Outage]) -> list[Outage]:
    """Outages in order, those that overlap as one."""
    merged: list[Outage] = []
    for begin, end in sorted(times):
        if merged and begin <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((begin, end))
    return merged
