"""Draw another trace from a trace by blocks of jobs, and stretch arrivals to a load.

The method is the circular block bootstrap (Politis and Romano, 1992): blocks of consecutive jobs, each with the gaps
before its jobs, follow one another until there are as many jobs as before. Within a block everything stays as it was,
so bursts survive. Where the length of a block is not given, it is that of the longest burst, which is a run of jobs
whose gaps are below the mean gap; at least the cube root of the number of jobs, and at most a fifth of them.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from scheduler_core.workload.raw import Ints, RawWork
from scheduler_core.workload.stages import moved_rows

_STREAM = 45
"""The random stream of the blocks, beside those of engine.rng."""


def block_length(arrival_ns: Ints) -> int:
    """Return the number of jobs of a block that lets the longest burst of these sorted arrivals survive."""
    jobs = len(arrival_ns)
    gaps = np.diff(arrival_ns)
    quick = np.concatenate([[0], (gaps < gaps.mean()).astype(np.int64), [0]]) if len(gaps) else np.zeros(2, np.int64)
    ends = np.flatnonzero(np.diff(quick))
    longest = int((ends[1::2] - ends[::2]).max(initial=0)) + 1
    return max(1, min(max(longest, int(np.ceil(jobs ** (1 / 3)))), jobs // 5))


def resampled(raw: RawWork, seed: int, block_jobs: int | None) -> RawWork:
    """Return as many jobs as `raw` has, in arrival order, drawn by blocks; `block_jobs` is the length of a block."""
    from scheduler_core.engine import rng  # loads the compiler, which checking an experiment does without

    jobs = len(raw.arrival_ns)
    length = min(block_jobs or block_length(raw.arrival_ns), jobs)
    blocks = -(-jobs // length)
    begin = np.array([rng.below(seed, _STREAM, number, 0, jobs) for number in range(blocks)], np.int64)
    order = ((begin[:, np.newaxis] + np.arange(length)) % jobs).ravel()[:jobs]
    span = int(raw.arrival_ns[-1] - raw.arrival_ns[0])
    # The first job of the trace has no gap before it: it takes the mean gap.
    gaps = np.diff(raw.arrival_ns, prepend=raw.arrival_ns[0] - span // max(1, jobs - 1))
    drawn = gaps[order]
    drawn[0] = 0
    method = (
        f"The jobs of the trace were resampled: circular block bootstrap, {blocks:,} blocks of {length:,} consecutive "
        f"jobs with their gaps, drawn by the seed."
    )
    work = in_order(raw, order)
    arrival: Ints = int(raw.arrival_ns[0]) + np.cumsum(drawn)
    return replace(work, arrival_ns=arrival, notes=(*raw.notes, method))


def in_order(raw: RawWork, order: Ints) -> RawWork:
    """Return the jobs with these numbers, in this order; a number may come several times."""
    moved = moved_rows(raw.tasks, order)
    return replace(
        raw,
        arrival_ns=raw.arrival_ns[order],
        tasks=raw.tasks[order],
        mean_ns=raw.mean_ns[order],
        duration_ns=raw.duration_ns[moved],
        queue=None if raw.queue is None else raw.queue[order],
        demand=None if raw.demand is None else raw.demand[moved],
        asks=None if raw.asks is None else raw.asks[moved],
        stages=None if raw.stages is None else raw.stages.in_order(order),
        priority=None if raw.priority is None else raw.priority[moved],
        gang=None if raw.gang is None else raw.gang[order],
        standing=None if raw.standing is None else raw.standing.moved(moved),
    )


def stretched(raw: RawWork, demands: Ints, capacity: Ints, load: float) -> RawWork:
    """Return the work with arrivals stretched so that it fills this fraction of the capacity while jobs arrive.

    `demands` (kinds, resources) and `capacity` (resources,) are in thousandths.
    """
    assert raw.demand is not None
    seconds = np.zeros(len(demands))
    np.add.at(seconds, raw.demand, raw.duration_ns / 1e9)
    work = seconds @ demands
    first, span_s = int(raw.arrival_ns[0]), float(raw.arrival_ns[-1] - raw.arrival_ns[0]) / 1e9
    busiest_s = float(max((w / c for w, c in zip(work, capacity, strict=True) if c), default=0.0))
    if span_s <= 0 or busiest_s <= 0:
        return raw
    factor = busiest_s / (load * span_s)
    arrival = first + np.floor((raw.arrival_ns - first) * factor + 0.5).astype(np.int64)
    note = (
        f"Arrivals were stretched by {factor:.4g}, so that the offered load is {load:g}; as recorded it is "
        f"{busiest_s / span_s:.4g} on these machines."
    )
    return replace(raw, arrival_ns=arrival, notes=(*raw.notes, note))
