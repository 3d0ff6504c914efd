"""One to eight finished runs side by side as a sheet."""

from __future__ import annotations

import re
from typing import Any

from playground.figures.published import published_runs
from playground.figures.run_names import names_of
from playground.figures.schemas import ComparisonIn
from playground.figures.tables import figure_csv
from playground.figures.words import number_words, value_words
from playground.ground.simulator import stored_data, stored_experiment
from playground.models import Run
from playground.runs.results.files import summary_of
from playground.runs.service import get_run
from playground.sheets.sheet import PAPER, SCREEN, Picture, Rows, Sheet, Text, facts_of, json_text, listed, picture_of
from playground.studies.metric_names import measure_words
from playground.web.words import gettext
from scheduler_core import measured_numbers

#: Measures of each run, where it has them, with their units.
_MEASURES = {
    "allocation_delay_s.mean": "s",
    "allocation_delay_s.p50": "s",
    "allocation_delay_s.p99": "s",
    "allocation_delay_s.max": "s",
    "job_completion_s.mean": "s",
    "job_completion_s.p99": "s",
    "makespan_s": "s",
    "utilisation.cpus": "1",
    "fairness.jain_mean": "",
}
_TOLD = "allocation_delay_s.mean"
_FARTHEST = 1_000
"""Beyond this factor a ratio is only bounded, as in the pages' tables (kit/format.js)."""


def sheet_of_runs(*, asked: ComparisonIn, base_url: str) -> Sheet:
    """Return finished runs as a sheet. Raises PlaygroundError."""
    drawn = published_runs(asked=asked, look=PAPER, base_url=base_url, issued=True)
    runs = [get_run(public_id=run_id) for run_id in asked.run_ids]
    names = names_of([(stored_data(run.experiment), run.seed) for run in runs])
    numbers = [measured_numbers(summary_of(run=run)) for run in runs]
    pictures, data = _drawn(asked, base_url)
    files = [_file_name(name, at) for at, name in enumerate(names)]
    return Sheet(
        kind=gettext("A comparison of runs"),
        title=_title(runs, names),
        lead=tuple(dict.fromkeys(run.experiment.question for run in runs if run.experiment.question)),
        verdict=_verdict(names, numbers),
        reason=_reason(len(runs)),
        known=(gettext("Figures are exact over all tasks and jobs of the runs, with percentiles by nearest rank."),),
        pictures=pictures,
        tables=(_table(names, numbers),),
        facts=_facts(runs, names),
        command="\n".join(f"python -m scheduler_core run {name}" for name in files),
        repeat=gettext("Save the experiments below, then run these where the library is installed."),
        files=(
            *(
                json_text(gettext("Experiment: {name}", name=name), file, _experiment(run))
                for name, file, run in zip(names, files, runs, strict=True)
            ),
            *data,
        ),
        bibtex=drawn.bibtex,
        url=f"{base_url}/compare?runs={','.join(asked.run_ids)}",
    )


def _reason(runs: int) -> str:
    if runs == 1:
        return gettext("One run under one seed. A study over seeds shows how much of it is chance.")
    return gettext("One run each. A study over seeds shows how much of the difference is chance.")


def _experiment(run: Run) -> dict[str, Any]:
    return stored_experiment(run.experiment, seed=run.seed).to_dict()


def _title(runs: list[Run], names: list[str]) -> str:
    named = list(dict.fromkeys(run.experiment.name for run in runs if run.experiment.name))
    return named[0] if len(named) == 1 else listed(names)


def _drawn(asked: ComparisonIn, base_url: str) -> tuple[tuple[Picture, ...], tuple[Text, ...]]:
    """Draw what is on the page first, then how long tasks waited and jobs took."""
    pictures, data = [], []
    for kind in dict.fromkeys((asked.kind, "waits", "jobs")):
        one = asked.model_copy(update={"kind": kind})
        pictures.append(picture_of(published_runs(asked=one, look=PAPER, base_url=base_url), f"{kind}.svg"))
        rows = published_runs(asked=one, look=SCREEN, base_url=base_url)
        heading = gettext("Data: {title}", title=rows.title)
        data.append(Text(heading, f"{kind}.csv", figure_csv(rows.figure.to_plotly_json())))
    return tuple(pictures), tuple(data)


def _verdict(names: list[str], numbers: list[dict[str, float | None]]) -> str:
    """Return a sentence that compares the mean waits, the shortest first."""
    known = [
        (value, name) for name, found in zip(names, numbers, strict=True) if (value := found.get(_TOLD)) is not None
    ]
    if len(known) < 2:
        return gettext("Figures of one run")
    known.sort()
    (least, best), (most, worst) = known[0], known[-1]
    values = {"best": best, "worst": worst, "least": value_words(least, "s"), "most": value_words(most, "s")}
    if least == most:
        return gettext("The mean queueing delay is {least} in every run.", **values)
    if least <= 0:
        return gettext("The mean queueing delay is {least} under {best} and {most} under {worst}.", **values)
    times = number_words(most / least)
    if most / least > _FARTHEST:
        times = gettext("more than {factor}", factor=_FARTHEST)
    return gettext(
        "The mean queueing delay under {worst} is {times} times that under {best} ({most} and {least}).",
        times=times,
        **values,
    )


def _table(names: list[str], numbers: list[dict[str, float | None]]) -> Rows:
    rows = tuple(
        (measure_words(metric), *(value_words(found.get(metric), unit) for found in numbers))
        for metric, unit in _MEASURES.items()
        if any(found.get(metric) is not None for found in numbers)
    )
    return Rows(gettext("Whole runs"), (gettext("Measure"), *names), rows)


def _facts(runs: list[Run], names: list[str]) -> tuple[tuple[str, str], ...]:
    found: list[tuple[str, str]] = []
    for run, name in zip(runs, names, strict=True):
        summary = run.summary or {}
        trace = _experiment(run)["workload"].get("trace")
        told = [
            gettext("seed {seed}", seed=str(run.seed)),
            gettext("version {version}", version=summary.get("core_version", "")),
            gettext("digest of the experiment {digest}", digest=run.experiment.digest),
            gettext("digest of the outcome {digest}", digest=summary.get("outcome_digest", "")),
        ]
        if trace:
            told.append(gettext("trace {trace}, which is not in this file", trace=trace))
        found.append((name, "; ".join(told)))
    return facts_of(*found)


def _file_name(name: str, at: int) -> str:
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    return f"{at + 1}-{plain[:40] or 'run'}.json"
