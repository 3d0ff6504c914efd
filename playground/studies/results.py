"""The results of a study so far: estimates with intervals, and its grid as a file."""

from __future__ import annotations

import io
from typing import Any

from playground.errors import PlaygroundError, problem
from playground.models import RunState, Study
from playground.studies.cutoffs import cutoffs_of
from playground.studies.intervals import LOG_METHOD, as_drawn
from playground.studies.method_words import method_words
from playground.studies.metric_names import CONSTANTS, measure_words
from playground.studies.service import grid_of, varied_paths
from playground.studies.work_classes import definition_words
from playground.web.seeds_words import seeds_words
from playground.web.words import gettext
from scheduler_core import STATISTICS, Findings, measured_numbers, study_table, write_study
from scheduler_core.studies.statistics import Statistic

DEFAULT_METRIC = "allocation_delay_s.p99"
#: Resampling takes milliseconds a cell.
_MOST_BOOTSTRAPPED = 100
#: A table of many numbers has a column for each cell.
_MOST_ALSO = 100
_OF_A_NUMBER = ("metric", "unit", "cells", "none", "comparisons")


def results_of(
    *, study: Study, metric: str, statistic: str, against: int, scale: str = "linear", also: str = ""
) -> dict[str, Any]:
    """Estimate one measured number for each cell from the runs that are done. Raises PlaygroundError.

    `scale` "drawn": where the estimates are drawn on a logarithmic axis, intervals are those of the logarithm.
    `also` names parts of the summary, separated by commas, of which all numbers are estimated.
    """
    grid = grid_of(study)
    findings = _findings(study)
    names = findings.metrics()
    if names and metric not in names:
        raise _refused(
            "metric",
            gettext("no run of this study has measured '{metric}'", metric=metric[:100]),
            ", ".join(names),
        )
    if not 0 <= against < len(grid.schedulers):
        raise _refused(
            "against",
            gettext("is not a scheduler of this study"),
            gettext("{first} to {last}", first=0, last=len(grid.schedulers) - 1),
        )
    chosen = next((one for one in STATISTICS if one == statistic), None)
    if chosen is None:
        raise _refused("statistic", gettext("is not known"), ", ".join(STATISTICS))
    if chosen == "bootstrap" and len(grid.cells) > _MOST_BOOTSTRAPPED:
        raise _refused(
            "statistic",
            gettext("this study has {cells} cells", cells=len(grid.cells)),
            gettext("the bootstrap for at most {most}", most=_MOST_BOOTSTRAPPED),
            gettext("choose mean or median"),
        )
    told = findings.tell(metric, chosen, against=against)
    taking_part = [str(one["name"]) for one in grid.schedulers]
    labels = {name: measure_words(name, taking_part) for name in {metric, *names}}
    shown = as_drawn(told) if scale == "drawn" else told
    definition = _definition(study) if metric.startswith("by_work_class.") else ""
    return {
        "metrics": [name for name in names if name not in CONSTANTS],
        "labels": labels,
        "definition": definition,
        "cutoffs": cutoffs_of(findings, varied_paths(study.plan)),
        "also": _also(findings, also, chosen, against),
        **shown,
        "method": method_words("log" if shown["method"] == LOG_METHOD else chosen),
        "seeds_change": seeds_words(grid.base),
    }


def _also(findings: Findings, also: str, statistic: Statistic, against: int) -> list[dict[str, Any]]:
    """Return the estimates of all numbers of some parts of the summary, in the summary's order."""
    parts = tuple(f"{part}." for part in also.split(",") if part)
    cells = len(findings.grid.cells)
    if parts and cells > _MOST_ALSO:
        raise _refused(
            "also",
            gettext("this study has {cells} cells", cells=cells),
            gettext("a study of at most {most} cells", most=_MOST_ALSO),
        )
    some = [name for name in findings.metrics() if name.startswith(parts)] if parts else []
    told = (findings.tell(name, statistic, against=against) for name in some)
    return [{key: one[key] for key in _OF_A_NUMBER} for one in told]


def _definition(study: Study) -> str:
    """Return what makes a job short, in the runs of a study; several definitions if the work varies."""
    found = dict.fromkeys(
        definition_words(work)
        for _, summary in _summaries(study)
        if isinstance(work := summary.get("by_work_class"), dict)
    )
    return " ".join(list(found)[:3])


def _findings(study: Study) -> Findings:
    findings = Findings(grid_of(study))
    for number, summary in _summaries(study):
        findings.add(number, measured_numbers(summary))
    return findings


def values_by_seed(*, study: Study, metric: str) -> dict[tuple[int, tuple[int | None, ...]], dict[int, float]]:
    """Give the number of each run that is done, by its scheduler and its places on the axes, then by its seed."""
    grid = grid_of(study)
    found: dict[tuple[int, tuple[int | None, ...]], dict[int, float]] = {}
    for number, numbers in sorted(_findings(study).numbers.items()):
        value = numbers.get(metric)
        if value is not None:
            cell, seed = grid.run(number)
            found.setdefault((cell.scheduler, tuple(cell.at)), {})[seed] = value
    return found


def _refused(path: str, message: str, allowed: str, remedy: str = "") -> PlaygroundError:
    item = problem(path, message, allowed=allowed, remedy=remedy)
    return PlaygroundError(422, "invalid-request", gettext("The study has no such result"), (item,))


def _summaries(study: Study) -> list[tuple[int, dict[str, Any]]]:
    rows = study.rows.filter(state=RunState.DONE).values_list("number", "summary")
    return [(number, summary or {}) for number, summary in rows]


def study_file(*, study: Study, kind: str) -> io.BytesIO:
    """Write the grid as "csv" or "parquet": a row for each run that is done."""
    target = io.BytesIO()
    write_study(study_table(grid_of(study), _summaries(study)), target, kind)
    target.seek(0)
    return target
