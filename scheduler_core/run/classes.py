"""Short and long jobs of a run's own workload, and what to say of a cut-off that does not separate them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.experiment import Experiment
from scheduler_core.experiment.classes import YAHOO_S, Cutoff, fitted, work_cutoff
from scheduler_core.experiment.workloads import DagWorkload, TraceWorkload
from scheduler_core.workload.clusters.standing import ENDLESS_NS

_MOST = 4_000
_ASTRAY = 0.1
"""The share of the work's smaller class on the wrong side of a cut-off that is worth a note."""


def cutoff_of(experiment: Experiment, mean_ns: npt.NDArray[np.int64]) -> Cutoff:
    """Return the cut-off that belongs to the work; a trace's and graphs' durations tell their own.

    Jobs without an end say nothing about it.
    """
    if not isinstance(experiment.workload, TraceWorkload | DagWorkload):
        return work_cutoff(experiment.workload)
    ended = mean_ns[mean_ns < ENDLESS_NS]
    ordered = np.sort(ended if len(ended) else mean_ns) / 1e9
    step = max(1, len(ordered) // _MOST)
    return fitted(ordered[step // 2 :: step].tolist())


def cutoff_notes(experiment: Experiment, mean_ns: npt.NDArray[np.int64]) -> tuple[str, ...]:
    """Return a note if the scheduler's cut-off does not separate the short jobs of the work from the long ones."""
    params: dict[str, Any] = experiment.scheduler.params
    seconds = params.get("short_cutoff_s")
    if seconds is None or params.get("profile", "paper") != "paper" or not len(mean_ns):
        return ()
    work = cutoff_of(experiment, mean_ns)
    short, short_by_work = mean_ns <= seconds * 1e9, mean_ns <= work.seconds * 1e9
    whose = ", which is Yahoo's and not of this work," if seconds == YAHOO_S else ""
    said = f"The cut-off for short jobs, {seconds:g} s{whose}"
    better = "" if work.rule == "yahoo" else f" By the work, the cut-off is {work.seconds:g} s."
    if short.all() or not short.any():
        side = "short" if short.all() else "long"
        return (f"{said} does not separate this work: all {len(short):,} jobs are {side}.{better}",)
    astray = int((short != short_by_work).sum())
    smaller = min(int(short_by_work.sum()), int((~short_by_work).sum()))
    if work.rule != "yahoo" and astray > _ASTRAY * smaller:
        return (f"{said} puts {astray:,} of {len(short):,} jobs into the other class than the work does.{better}",)
    return ()
