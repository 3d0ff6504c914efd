"""Figures of two to eight runs: durations of tasks or jobs, percentiles, values over time, jobs in pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from playground.figures.axes import Axis
from playground.figures.drawing import Series, lines_figure
from playground.figures.look import Look
from playground.figures.words import duration_words, number_words, value_words
from playground.studies.intervals import spans_much
from playground.web.words import gettext

Floats = npt.NDArray[np.float64]
PERCENTILES = ("p50", "p90", "p99", "p99.9", "p99.99", "max")
_POINTS = 300
_TAIL = 60
_MOST_POINTS = 1_000
_MOST_NAMES = 4
#: A logarithmic axis shows shorter delays at this one; the simulation is no finer.
_FLOOR_S = 1e-6


@dataclass(frozen=True)
class Timeline:
    """A value of a run, as a time series: instants in seconds, ascending, and values of unit `1` (a share) or none."""

    label: str
    unit: str
    t_s: Floats
    value: Floats


def distribution_figure(what: str, whose: str, runs: Sequence[tuple[str, Floats]], look: Look) -> go.Figure:
    """Draw for each run the share of `whose` (tasks, jobs) that took at most a time, from each one's seconds."""
    told = {"measure": what, "runs": _all(runs)}
    series = []
    positive = [values[values > 0] for _, values in runs]
    longest = max((float(values.max()) for _, values in runs if len(values)), default=0.0)
    log = spans_much(end for values in positive if len(values) for end in (values.min(), values.max()))
    for place, (name, values) in enumerate(runs):
        if not len(values):
            continue
        x, share = steps_of(np.sort(values))
        if log:
            x = np.maximum(x, _FLOOR_S)
        # The first step rises from 0, and a run stays at 1 where another one goes on.
        x, share = np.concatenate([x[:1], x, [longest]]), np.concatenate([[0.0], share, [1.0]])
        words = [
            f"{name}<br>{_within(whose, value_words(part, '1'), duration_words(at))}"
            for at, part in zip(x.tolist(), share.tolist(), strict=True)
        ]
        series.append(Series(name, x.tolist(), share.tolist(), kind="steps", place=place, words=words))
    if whose == "jobs":
        up, title = gettext("Share of jobs"), gettext("{measure}, distribution over jobs: {runs}", **told)
    else:
        up, title = gettext("Share of tasks"), gettext("{measure}, distribution over tasks: {runs}", **told)
    return lines_figure(title, (Axis(what, "s", log=log, zero=True), Axis(up, "1", zero=True)), series, look)


def _within(whose: str, share: str, time: str) -> str:
    """Return in words which share of the tasks or jobs took at most a time."""
    if whose == "jobs":
        return gettext("{share} of jobs within {time}", share=share, time=time)
    return gettext("{share} of tasks within {time}", share=share, time=time)


def steps_of(ordered: Floats) -> tuple[Floats, Floats]:
    """Thin an empirical distribution: evenly over ranks, more finely in the tail; shares are of values at most x."""
    count = len(ordered)
    tail = 1 - np.geomspace(0.02, 1 / count, _TAIL) if count > _POINTS else np.zeros(0)
    ranks = np.unique(np.rint(np.concatenate([np.linspace(0, 1, _POINTS), tail]) * (count - 1)).astype(np.int64))
    x = np.unique(ordered[ranks])
    return x, np.searchsorted(ordered, x, side="right") / count


def percentiles_figure(what: str, runs: Sequence[tuple[str, dict[str, float | None]]], look: Look) -> go.Figure:
    """Draw the mean and percentiles of each run side by side, from the parts of their summaries.

    A run in which no task started has no marks; its name says so.
    """
    names = [name for name in ("mean", *PERCENTILES) if any(name in found for _, found in runs)]
    drawn = [found.get(name) for _, found in runs for name in names]
    log = spans_much(value for value in drawn if value is not None and value > 0)
    series = [
        Series(
            name if found.get("mean") is not None else f"{name} ({gettext('none started')})",
            x=[float(at) for at in range(len(names))],
            y=[None if log and not found.get(each) else found.get(each) for each in names],
            place=place,
            words=[f"{name}<br>{gettext(each)}: {value_words(found.get(each), 's')}" for each in names],
        )
        for place, (name, found) in enumerate(runs)
    ]
    axes = Axis(gettext("Percentile"), categories=tuple(map(gettext, names))), Axis(what, "s", log=log, zero=True)
    return lines_figure(
        gettext("{measure}, mean and percentiles: {runs}", measure=what, runs=_all(runs)), axes, series, look
    )


def timeline_figure(runs: Sequence[tuple[str, Timeline]], look: Look) -> go.Figure:
    """Draw one value over simulated time for each run."""
    series = []
    for place, (name, found) in enumerate(runs):
        step = max(1, -(-len(found.t_s) // _MOST_POINTS))
        x, y = found.t_s[::step].tolist(), found.value[::step].tolist()
        words = [
            f"{name}<br>{duration_words(at)}: {value_words(value, found.unit)}" for at, value in zip(x, y, strict=True)
        ]
        series.append(Series(name, x, y, kind="steps", place=place, words=words))
    label, unit = (runs[0][1].label, runs[0][1].unit) if runs else (gettext("Value"), "")
    axes = (Axis(gettext("Simulated time"), "s", zero=True), Axis(label, unit, zero=True))
    return lines_figure(gettext("{measure} over time: {runs}", measure=label, runs=_all(runs)), axes, series, look)


def _all(runs: Sequence[tuple[str, Any]]) -> str:
    """Return the names of runs for a title; their number where the names would fill two lines."""
    return f"{len(runs)} runs" if len(runs) > _MOST_NAMES else ", ".join(name for name, _ in runs)


def pairs_figure(names: tuple[str, str], pairs: dict[str, Any], look: Look) -> go.Figure:
    """Draw each job as a point: its completion time in the other run across, in this run up (see `PairsOut`)."""
    mine, other, jobs = pairs["mine_s"], pairs["other_s"], pairs["job"]
    log = spans_much([*mine, *other])
    words = [
        "<br>".join(
            (
                gettext("Job {job}", job=number_words(job)),
                f"{names[0]}: {duration_words(one)}",
                f"{names[1]}: {duration_words(two)}",
            )
        )
        for job, one, two in zip(jobs, mine, other, strict=True)
    ]
    points = Series(gettext("jobs"), other, mine, kind="points", words=words, light=True)
    ends = [min([*mine, *other], default=0.0), max([*mine, *other], default=1.0)]
    guide = Series(gettext("the same time"), [*ends], [*ends], kind="guide")
    axes = tuple(Axis(gettext("Job completion time, {name}", name=name), "s", log=log) for name in (names[1], names[0]))
    title = gettext("Job completion time: {one} and {other}", one=names[0], other=names[1])
    return lines_figure(title, (axes[0], axes[1]), [guide, points], look)
