"""A study as a sheet: its results so far."""

from __future__ import annotations

from collections import Counter
from typing import Any

from playground.figures.captions import seed_words
from playground.figures.published import published_study
from playground.figures.schemas import StudyIn
from playground.figures.tables import figure_csv
from playground.figures.words import axis_words, capital, path_value_words, value_words
from playground.ground.simulator import stored_experiment
from playground.models import Study
from playground.sheets.sheet import PAPER, SCREEN, Rows, Sheet, Text, facts_of, json_text, listed, picture_of
from playground.studies.results import results_of
from playground.studies.service import get_study, study_payload
from playground.web.words import gettext

#: The first of a grid of many cells; the CSV has the figure's, the study's own table every run.
_MOST_ROWS = 200
_REPEAT = """python - <<'END'
import json
from scheduler_core import Experiment, run_study

found = run_study(Experiment.from_file("experiment.json"), json.load(open("plan.json")))
print(json.dumps(found.tell({metric!r}, {statistic!r}, against={against}), indent=1))
END"""


def sheet_of_study(*, study_id: str, asked: StudyIn, base_url: str) -> Sheet:
    """Return a study as a sheet. Raises PlaygroundError."""
    study = get_study(public_id=study_id)
    told = study_payload(study=study, base_url=base_url)
    results = results_of(
        study=study, metric=asked.metric, statistic=asked.statistic, against=asked.against, scale="drawn"
    )
    drawn, data = (
        published_study(study_id=study_id, asked=asked, look=look, base_url=base_url, issued=True)
        for look in (PAPER, SCREEN)
    )
    verdict, reason = _verdict(told, results)
    return Sheet(
        kind=gettext("A study"),
        title=told["name"] or drawn.title,
        lead=tuple(one for one in (study.experiment.question, _asked(told)) if one),
        verdict=verdict,
        reason=reason,
        known=_known(told, results),
        pictures=(picture_of(drawn, f"study-{study_id}.svg"),),
        tables=tuple(one for one in (_estimates(told, results), _comparisons(told, results)) if one.rows),
        facts=_facts(study, told),
        command=_REPEAT.format(metric=asked.metric, statistic=asked.statistic, against=asked.against),
        repeat=gettext("Save the two JSON files below in one folder, then run this where the library is installed."),
        files=(
            json_text(gettext("Experiment"), "experiment.json", _experiment(study)),
            json_text(gettext("Plan of the study"), "plan.json", study.plan),
            Text(gettext("Data of the figure"), f"study-{study_id}.csv", figure_csv(data.figure.to_plotly_json())),
        ),
        bibtex=drawn.bibtex,
        url=told["url"],
    )


def _experiment(study: Study) -> dict[str, Any]:
    return stored_experiment(study.experiment).to_dict()


def _asked(told: dict[str, Any]) -> str:
    axes = [
        f"{axis_words(axis)} {listed([path_value_words(axis['path'], value) for value in axis['values']])}"
        for axis in told["plan"].get("axes") or []
    ]
    labels = listed([one["label"] for one in told["schedulers"]])
    return "; ".join([labels, *axes, seed_words(told["seeds"])]) + "."


def _verdict(told: dict[str, Any], results: dict[str, Any]) -> tuple[str, str]:
    """Count how the schedulers compare with the one that they are held against, cell by cell."""
    pairs = results["comparisons"]
    if not pairs:
        return gettext("Estimates without a comparison"), gettext("The study compares no two schedulers yet.")
    labels = [one["label"] for one in told["schedulers"]]
    sentences = []
    for scheduler in dict.fromkeys(pair["scheduler"] for pair in pairs):
        found = Counter(pair["verdict"] for pair in pairs if pair["scheduler"] == scheduler)
        sentences.append(_counted(labels[scheduler], found))
    measure = results["labels"][results["metric"]]
    against = labels[results["against"]]
    return (
        gettext("{measure}, compared with {against}", measure=measure, against=against),
        " ".join(sentences),
    )


def _counted(label: str, found: Counter[str]) -> str:
    """Return how often each verdict occurs for a scheduler; the verdict alone where there is one comparison."""
    if found.total() == 1:
        return f"{label}: {_words(next(iter(found)))}."
    counted = listed([gettext("{result} at {n}", result=_words(name), n=many) for name, many in found.items()])
    return gettext("{label}, compared at {all} values: {counted}.", label=label, all=found.total(), counted=counted)


def _words(verdict: str) -> str:
    known = {"more": gettext("higher"), "less": gettext("lower"), "same": gettext("the same")}
    return known.get(verdict) or gettext("not distinguishable yet")


def _known(told: dict[str, Any], results: dict[str, Any]) -> tuple[str, ...]:
    method = f"{results['method'][:1].upper()}{results['method'][1:]}."
    share = round(100 * results["confidence"])
    paired = gettext("Comparisons pair runs of the same seed. An interval that contains 0 shows no difference.")
    runs = gettext(
        "{done} of {runs} runs are done, {failed} failed.", done=told["done"], runs=told["runs"], failed=told["failed"]
    )
    intervals = gettext("All intervals are {share} % intervals over seeds.", share=share)
    return (method, intervals, *((paired,) if results["comparisons"] else ()), runs)


def _where(told: dict[str, Any], at: list[int | None]) -> list[str]:
    axes = told["plan"].get("axes") or []
    return [
        path_value_words(axis["path"], None if place is None else axis["values"][place])
        for axis, place in zip(axes, at, strict=True)
    ]


def _head(told: dict[str, Any]) -> tuple[str, ...]:
    axes = told["plan"].get("axes") or []
    return (gettext("Scheduler"), *(capital(axis_words(axis)) for axis in axes))


def _estimates(told: dict[str, Any], results: dict[str, Any]) -> Rows:
    unit = results["unit"]
    rows = tuple(
        (
            told["schedulers"][cell["scheduler"]]["label"],
            *_where(told, cell["at"]),
            value_words(cell["value"], unit),
            _interval(cell, unit),
            str(cell["n"]),
        )
        for cell in results["cells"][:_MOST_ROWS]
    )
    measure = results["labels"][results["metric"]]
    return Rows(measure, (*_head(told), measure, gettext("95 % interval"), gettext("Runs")), rows, _left_out(results))


def _left_out(results: dict[str, Any]) -> str:
    many = len(results["cells"]) - _MOST_ROWS
    return gettext("{many} more cells are in the CSV below.", many=many) if many > 0 else ""


def _interval(found: dict[str, Any], unit: str) -> str:
    if found["low"] is None:
        return "–"
    return gettext("{low} to {high}", low=value_words(found["low"], unit), high=value_words(found["high"], unit))


def _comparisons(told: dict[str, Any], results: dict[str, Any]) -> Rows:
    unit = results["unit"]
    rows = tuple(
        (
            told["schedulers"][pair["scheduler"]]["label"],
            *_where(told, pair["at"]),
            value_words(pair["difference"]["value"], unit),
            _interval(pair["difference"], unit),
            f"{value_words(pair['ratio']['value'], '')}×" if pair["ratio"] else "–",
            _words(pair["verdict"]),
        )
        for pair in results["comparisons"][:_MOST_ROWS]
    )
    against = told["schedulers"][results["against"]]["label"]
    head = (*_head(told), gettext("Difference"), gettext("95 % interval"), gettext("Ratio"), gettext("Result"))
    return Rows(gettext("Compared with {name}", name=against), head, rows)


def _facts(study: Study, told: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    trace = stored_experiment(study.experiment).to_dict()["workload"].get("trace")
    return facts_of(
        (gettext("Study"), study.public_id),
        (gettext("Seeds"), seed_words(told["seeds"])),
        (gettext("Version"), study.core_version),
        (gettext("Digest of the experiment (equal experiments have the same)"), study.experiment.digest),
        (gettext("Trace"), gettext("{trace}, which is not in this file", trace=trace) if trace else ""),
    )
