"""Bursts: for a while the jobs of a queue arrive faster, so all its later jobs arrive earlier.

A burst changes the clock of one queue's arrivals, not the work: while it lasts, the queue's arrivals come `rate_factor`
times as fast. A Poisson process stays one, with that many times the rate; a trace plays faster for that time.
The work of a run and of its fork are the same jobs, so that a page can compare both job by job.
"""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np

from scheduler_core.experiment import Experiment, effective_queues
from scheduler_core.workload.raw import Ints, RawWork, sorted_by_arrival


def with_bursts(experiment: Experiment, raw: RawWork, queue: Ints) -> tuple[RawWork, Ints]:
    """Return the work and each job's queue with arrivals moved by the bursts, in the new order of arrival."""
    names = [one.name for one in effective_queues(experiment)]
    windows: dict[int, list[tuple[int, int, float]]] = {}
    for event in experiment.events:
        if event.kind == "burst" and event.target.queue is not None and event.duration_s is not None:
            end_ns = round((event.at_s + event.duration_s) * 1e9)
            window = (round(event.at_s * 1e9), end_ns, float(event.value["rate_factor"]))
            windows.setdefault(names.index(event.target.queue), []).append(window)
    if not windows:
        return raw, queue
    arrival = raw.arrival_ns.copy()
    for number, own in windows.items():
        mine = queue == number
        arrival[mine] = _moved(arrival[mine], own)
    return sorted_by_arrival(replace(raw, arrival_ns=arrival), queue)


def _moved(arrival_ns: Ints, windows: list[tuple[int, int, float]]) -> Ints:
    """Return arrivals under a clock that runs faster in the windows; overlapping factors multiply.

    Piece by piece, a stretch of true time takes in `rate` times as much of the original arrivals' time.
    """
    edges = sorted({0, *(edge for start, end, _ in windows for edge in (start, end))})
    true_ns, own_ns = [0.0], [0.0]
    for start, end in itertools.pairwise(edges):
        rate = float(np.prod([factor for first, last, factor in windows if first <= start and end <= last]))
        true_ns.append(float(end))
        own_ns.append(own_ns[-1] + rate * (end - start))
    moved = np.interp(arrival_ns, own_ns, true_ns)
    after = arrival_ns >= own_ns[-1]
    moved[after] = arrival_ns[after] - own_ns[-1] + true_ns[-1]
    return np.rint(moved).astype(np.int64)
