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
from playground.web.words import gettext
from playground.web.words import marked as _


@dataclass(frozen=True)
class Drawing:
    """One figure of a trace: its title, its horizontal axis, and what its shares are of, for the catalogue."""

    title: str
    axis: str
    unit: str
    share: str
    """The title of the vertical axis of a distribution, or how the values over time are counted."""
    at_most: str = ""
    """What the pointer reads at a share of a distribution."""


DISTRIBUTIONS = {
    "tasks_per_job": Drawing(
        _("Tasks per job"), _("Tasks per job"), "", _("Share of jobs"), _("{share} of jobs: at most {value}")
    ),
    "duration_s": Drawing(
        _("Task duration"), _("Task duration"), "s", _("Share of tasks"), _("{share} of tasks: at most {value}")
    ),
    "gap_s": Drawing(
        _("Gaps between jobs"), _("Time between arrivals of jobs"), "s", _("Share of gaps"),
        _("{share} of gaps: at most {value}"),
    ),
    "stages_per_job": Drawing(
        _("Stages per graph"), _("Stages per graph"), "", _("Share of graphs"), _("{share} of graphs: at most {value}")
    ),
    "critical_path_s": Drawing(
        _("Critical path"), _("Critical path of a graph"), "s", _("Share of graphs"),
        _("{share} of graphs: at most {value}"),
    ),
}  # fmt: skip
OVER_TIME = {
    "running": Drawing(_("Tasks that run at a time"), _("Tasks"), "", _("if every task started as it arrived")),
    "tasks": Drawing(_("Arrivals"), _("Tasks that arrive"), "", _("in each of 240 equal intervals")),
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
    both = [(gettext("the trace"), own), (gettext("one draw of the fit"), drawn)]
    known = [(label, found) for label, found in both if found]
    log = spans_much(value for each in known for value, _share in each[1]["cdf"] if value > 0)
    series = []
    for place, (label, found) in enumerate(known):
        rows = [(value, share) for value, share in found["cdf"] if value > 0 or not log]
        words = [
            f"{label}<br>{gettext(told.at_most, share=value_words(share, '1'), value=_show(value, told.unit))}"
            for value, share in rows
        ]
        # The first step rises from 0.
        xs, ys = [value for value, _ in [*rows[:1], *rows]], [0.0, *(share for _, share in rows)]
        words = words[:1] + words
        series.append(Series(label, [*xs], [*ys], kind="steps", place=place, words=words))
    axes = (Axis(gettext(told.axis), told.unit, log=log, zero=True), Axis(gettext(told.share), "1", zero=True))
    return lines_figure(f"{gettext(told.title)}: {name}", axes, series, look)


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
    known = [(gettext("the trace"), own), *([(gettext("one draw of the fit"), fit)] if fit else [])]
    series = []
    for place, (label, found) in enumerate(known):
        xs = [at * found["slot_s"] for at in range(len(found[what]))]
        ys = [float(value) for value in found[what]]
        words = [
            f"{label}<br>{gettext('{time}: {many} tasks', time=duration_words(x), many=number_words(y))}"
            for x, y in zip(xs, ys, strict=True)
        ]
        series.append(Series(label, [*xs], [*ys], kind="steps", place=place, words=words))
    axes = (Axis(gettext("Time since the first arrival"), "s", zero=True), Axis(gettext(told.axis), zero=True))
    return lines_figure(f"{gettext(told.title)}, {gettext(told.share)}: {name}", axes, series, look)
