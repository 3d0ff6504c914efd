"""Figures of a trace's statistics, with those of a fitted workload if there is one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from playground.figures.axes import Axis
from playground.figures.drawing import Series, lines_figure
from playground.figures.look import Look
from playground.figures.words import duration_words, literal, number_words, value_words
from playground.studies.intervals import spans_much


@dataclass(frozen=True)
class Drawing:
    """One figure of a trace: its title, its horizontal axis, and what its shares are of."""

    title: str
    axis: str
    unit: str
    of: str


DISTRIBUTIONS = {
    "tasks_per_job": Drawing("Tasks per job", "Tasks per job", "", "jobs"),
    "duration_s": Drawing("Task duration", "Task duration", "s", "tasks"),
    "gap_s": Drawing("Gaps between jobs", "Time between arrivals of jobs", "s", "gaps"),
    "stages_per_job": Drawing("Stages per graph", "Stages per graph", "", "graphs"),
    "critical_path_s": Drawing("Critical path", "Critical path of a graph", "s", "graphs"),
}
OVER_TIME = {
    "running": Drawing("Tasks that run at a time", "Tasks", "", "if every task started as it arrived"),
    "tasks": Drawing("Arrivals", "Tasks that arrive", "", "in each of 240 equal intervals"),
}
KINDS = (*DISTRIBUTIONS, *OVER_TIME)


def trace_figure(
    name: str, what: str, statistics: dict[str, Any], fit: dict[str, Any] | None, look: Look
) -> go.Figure | None:
    """Draw one of `KINDS` of the trace called `name`; None where the trace does not have it."""
    name = literal(name)
    if what in OVER_TIME:
        return _over_time(name, what, statistics["over_time"], fit["over_time"] if fit else None, look)
    own, drawn = _distribution(statistics, what), _distribution(fit, what)
    if own is None:
        return None
    told = DISTRIBUTIONS[what]
    both = [("the trace", own), ("one draw of the fit", drawn)]
    known = [(label, found) for label, found in both if found]
    log = spans_much(value for _, found in known for value, _ in found["cdf"] if value > 0)
    series = []
    for place, (label, found) in enumerate(known):
        rows = [(value, share) for value, share in found["cdf"] if value > 0 or not log]
        words = [
            f"{label}<br>{value_words(share, '1')} of {told.of}: at most {_show(value, told.unit)}"
            for value, share in rows
        ]
        # The first step rises from 0.
        xs, ys = [value for value, _ in [*rows[:1], *rows]], [0.0, *(share for _, share in rows)]
        words = words[:1] + words
        series.append(Series(label, [*xs], [*ys], kind="steps", place=place, words=words))
    axes = (Axis(told.axis, told.unit, log=log, zero=True), Axis(f"Share of {told.of}", "1", zero=True))
    return lines_figure(f"{told.title}: {name}", axes, series, look)


def _distribution(statistics: dict[str, Any] | None, what: str) -> dict[str, Any] | None:
    if statistics is None:
        return None
    graphs = (statistics.get("graphs") or {}).get("distributions") or {}
    found: dict[str, Any] | None = statistics["distributions"].get(what) or graphs.get(what)
    return found


def _show(value: float, unit: str) -> str:
    return duration_words(value) if unit == "s" else number_words(value)


def _over_time(name: str, what: str, own: dict[str, Any], fit: dict[str, Any] | None, look: Look) -> go.Figure:
    told = OVER_TIME[what]
    series = []
    for place, (label, found) in enumerate([("the trace", own), *([("one draw of the fit", fit)] if fit else [])]):
        xs = [at * found["slot_s"] for at in range(len(found[what]))]
        ys = [float(value) for value in found[what]]
        words = [f"{label}<br>{duration_words(x)}: {number_words(y)} tasks" for x, y in zip(xs, ys, strict=True)]
        series.append(Series(label, [*xs], [*ys], kind="steps", place=place, words=words))
    axes = (Axis("Time since the first arrival", "s", zero=True), Axis(told.axis, zero=True))
    return lines_figure(f"{told.title}, {told.of}: {name}", axes, series, look)
