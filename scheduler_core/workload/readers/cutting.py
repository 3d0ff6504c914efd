"""Take a part of a trace: a time window, a sample of its jobs, faster or slower arrivals, a limit on tasks."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import numpy as np
from pydantic import ValidationError, model_validator

from scheduler_core.errors import ExperimentError, Problem, TraceError
from scheduler_core.experiment.fields import LARGEST_WHOLE, LONGEST_S, Number, Part, refuse
from scheduler_core.workload.raw import Ints, RawWork, in_arrival_order
from scheduler_core.workload.raw.seconds import NS


class Cut(Part):
    """The part of a trace to keep; without any value, the whole trace."""

    from_s: Annotated[float, Number(0, LONGEST_S, "s")] = 0.0
    """Jobs that arrive at this time or later, in seconds after the first arrival."""
    to_s: Annotated[float, Number(0, LONGEST_S, "s", above=True)] | None = None
    """Jobs that arrive before this time, in seconds after the first arrival."""
    sample: Annotated[float, Number(0, 1, above=True)] = 1.0
    """Share of the jobs, chosen by a hash of each job's place in the trace. The result is the same every time."""
    sample_seed: Annotated[int, Number(0, LARGEST_WHOLE, whole=True)] = 0
    """A different number selects different jobs."""
    rate_factor: Annotated[float, Number(0, 1_000_000, above=True)] = 1.0
    """How many times as fast jobs arrive: 2 halves the gaps between them."""
    tasks: Annotated[int, Number(1, 1_000_000_000, whole=True)] | None = None
    """Keep at most this number of tasks: as many jobs from the start as fit."""

    @model_validator(mode="after")
    def _window(self) -> Cut:
        if self.to_s is not None and self.to_s <= self.from_s:
            raise refuse("ends its window before it begins", "`to_s` after `from_s`")
        return self


def parse_cut(data: object, path: str = "cut") -> Cut:
    """Return the cut in `data`. Raises ExperimentError with paths below `path`."""
    from scheduler_core.experiment.problems import from_pydantic

    try:
        return Cut.model_validate(data)
    except ValidationError as error:
        raise ExperimentError(from_pydantic(error, Cut, data, path)) from None


def cut_work(raw: RawWork, cut: Cut) -> RawWork:
    """Return the part of a trace that `cut` selects; jobs stay whole. Raises TraceError if no job remains."""
    if cut == Cut():
        return raw
    raw = in_arrival_order(raw)
    since = raw.arrival_ns - int(raw.arrival_ns.min())
    keep = since >= cut.from_s * NS
    if cut.to_s is not None:
        keep &= since < cut.to_s * NS
    if cut.sample < 1:
        keep &= _hashed(len(since), cut.sample_seed) < np.uint64(int(cut.sample * 2**64))
    chosen = np.flatnonzero(keep)
    if cut.tasks is not None:
        chosen = chosen[: int(np.searchsorted(np.cumsum(raw.tasks[chosen]), cut.tasks, side="right"))]
    if not len(chosen):
        first = "" if cut.tasks is None or not keep.any() else f": the first one has {int(raw.tasks[keep][0]):,} tasks"
        raise TraceError(
            [
                Problem(
                    "cut",
                    f"leaves no job of {len(since):,}{first}",
                    "at least one job",
                    "take a longer window, a larger sample or more tasks",
                )
            ]
        )
    part = _jobs_of(raw, chosen.astype(np.int64))
    arrival = part.arrival_ns
    if cut.rate_factor != 1:
        arrival = np.rint((arrival - arrival[0]) / cut.rate_factor).astype(np.int64)
        if int(arrival[-1]) > LONGEST_S * NS:
            raise TraceError(
                [
                    Problem(
                        "cut.rate_factor",
                        "moves arrivals too far into the future",
                        f"the last one before {LONGEST_S:,.0f} s",
                        "raise it",
                    )
                ]
            )
    note = (
        f"A part of the trace: {len(part.tasks):,} of {len(raw.tasks):,} jobs, {int(part.tasks.sum()):,} of "
        f"{len(raw.duration_ns):,} tasks."
    )
    return replace(part, arrival_ns=arrival, notes=(*raw.notes, note))


def _hashed(jobs: int, seed: int) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """Hash each job's place (splitmix64), uint64."""
    state = np.arange(jobs, dtype=np.uint64) + np.uint64((1 + seed * 0xD1B54A32D192ED03) % 2**64)
    with np.errstate(over="ignore"):
        state = state * np.uint64(0x9E3779B97F4A7C15)
        state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state ^ (state >> np.uint64(31))


def _jobs_of(raw: RawWork, chosen: Ints) -> RawWork:
    """Return some of the jobs, in their order."""
    tasks = raw.tasks[chosen]
    before = np.cumsum(raw.tasks) - raw.tasks
    rows = np.repeat(before[chosen] - (np.cumsum(tasks) - tasks), tasks) + np.arange(int(tasks.sum()), dtype=np.int64)
    return replace(
        raw,
        arrival_ns=raw.arrival_ns[chosen],
        tasks=tasks,
        mean_ns=raw.mean_ns[chosen],
        duration_ns=raw.duration_ns[rows],
        queue=None if raw.queue is None else raw.queue[chosen],
        demand=None if raw.demand is None else raw.demand[rows],
        asks=None if raw.asks is None else raw.asks[rows],
        stages=None if raw.stages is None else raw.stages.in_order(chosen).or_none(),
        priority=None if raw.priority is None else raw.priority[rows],
        gang=None if raw.gang is None else raw.gang[chosen],
        standing=None if raw.standing is None else raw.standing.moved(rows),
    )
