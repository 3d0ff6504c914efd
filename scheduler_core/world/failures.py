"""Random failures: machines of a place fail at a rate, some with their whole rack, and recover later.

Keyed draws fix failures before the run. The same machines fail at the same times under every scheduler and in a fork.
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
    """Return the outages of an event, unordered: (from, until, first machine, machine after the last).

    `number` is the event's place in the experiment. Each machine's times between failures and repair times are
    exponential. With a given probability a failure takes down the rack; then all of the place's machines in that rack
    are out for as long. `rack_of` is the rack of every machine, ascending.
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
    """Yield ascending numbers as ranges: (first, after the last)."""
    first = members[0]
    for one, after in zip(members, [*members[1:], None], strict=True):
        if after != one + 1:
            yield first, one + 1
            first = after if after is not None else first


def _fails(event: Event, entity: int, seed: int) -> Iterator[tuple[int, Outage]]:
    """Yield the failures of one machine on its own: (number, outage)."""
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
    """Return the machines of a place that share a rack with a machine."""
    first, end = machine, machine + 1
    while first > machines.start and rack_of[first - 1] == rack_of[machine]:
        first -= 1
    while end < machines.stop and rack_of[end] == rack_of[machine]:
        end += 1
    return range(first, end)


def _merged(times: list[Outage]) -> list[Outage]:
    """Return outages in order, with overlapping ones merged."""
    merged: list[Outage] = []
    for begin, end in sorted(times):
        if merged and begin <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((begin, end))
    return merged
