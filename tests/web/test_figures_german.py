"""Figures, captions, measures and verdicts on German pages have no English of their own."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any, cast, get_args

import numpy as np
import pytest
from django.utils import translation

from playground.claims.view import VERDICTS, claim_view
from playground.claims.wall import Asked as Filters
from playground.claims.wall import wall
from playground.figures import comparisons, traces
from playground.figures.captions import Source, bibtex_of, caption_of, load_words, run_words, seed_words
from playground.figures.look import Look
from playground.figures.parameters import parameter_words
from playground.figures.sources import _counted, _marks
from playground.figures.studies import Asked, study_figure
from playground.figures.words import duration_words, number_words, path_words
from playground.studies.intervals import LOG_METHOD
from playground.studies.method_words import method_words
from playground.studies.metric_names import _HEADS, _NAMED, measure_words, metric_words
from playground.studies.work_classes import RULES, definition_words
from playground.web.seeds_words import seeds_words
from scheduler_core.claims import known_claims
from scheduler_core.claims.over_seeds import SeedVerdict
from scheduler_core.claims.results import saved_results
from scheduler_core.experiment.classes import Rule
from scheduler_core.studies.seeds import seeds_change
from scheduler_core.studies.statistics import METHODS, STATISTICS
from tests.web.test_figures import HEARTBEAT, RESULTS, STUDY, cell, results_of, study_of

LIGHT = Look()
ENGLISH = re.compile(
    r"\b(the|of|is|are|by|to|with|and|or|over|each|from|runs|run|share|within|delay|mean|time|wait|than"
    r"|decides|draws|default|interval|bars|points|cells|yet|no|not|length|machines|queues|largest)\b"
)


@pytest.fixture
def german() -> Iterator[None]:
    with translation.override("de"):
        yield


def texts_of(figure: Any) -> list[str]:
    """Return what a person reads of a figure: titles, legend entries, and what the pointer reads."""
    told = figure.to_plotly_json()
    found: list[str] = [told["layout"]["meta"]["title"]]
    found += [(told["layout"].get(name) or {}).get("title", {}).get("text", "") for name in ("xaxis", "yaxis")]
    for trace in told["data"]:
        if (trace.get("meta") or {}).get("scale"):
            continue
        found.append(trace.get("name") or "")
        found += [text for text in np.ravel(np.asarray(trace.get("hovertext"), dtype=object)) if isinstance(text, str)]
    return [text for text in found if text]


def english_of(texts: list[str]) -> list[str]:
    return [text for text in texts if ENGLISH.search(text.replace("<br>", " ").lower())]


def figures() -> list[Any]:
    """Draw a figure of each kind, with every measure's way to compare."""
    axes = [{"path": HEARTBEAT, "values": [1, 10]}, {"path": "workload.jobs", "values": [5, 50]}]
    cells = [cell(at, 0, [at // 2, at % 2], 1.0 + 40 * at) for at in range(4)]
    pair = {"value": 1.5, "low": 1.0, "high": 2.0, "n": 3}
    undecided = {"verdict": "not distinguishable yet", "difference": pair, "ratio": pair}
    both = [{"scheduler": 1, "at": [None], "cell": 3, **undecided}]
    own = [{"scheduler": 0, "at": [0, 0], "cell": 0, **undecided}]
    seeds: dict[tuple[int, tuple[int | None, ...]], dict[int, float]] = {
        (0, (at,)): {1: 1.0, 2: 2.0} for at in range(3)
    }
    grid = study_of(axes, "Megha", "Sparrow")
    seconds = np.array([0.001, 0.5, 30.0])
    runs = [("Megha", seconds), ("Sparrow", seconds)]
    statistics: dict[str, Any] = {
        "distributions": {name: {"cdf": [(1.0, 0.5), (2.0, 1.0)]} for name in traces.DISTRIBUTIONS},
        "over_time": {"slot_s": 1.0, "running": [1, 2], "tasks": [1, 2]},
    }
    return [
        study_figure(STUDY, RESULTS, Asked(), LIGHT, seeds),
        *(
            study_figure(STUDY, results_of(RESULTS["cells"], comparisons=both), Asked(show=show), LIGHT)
            for show in ("difference", "ratio")
        ),
        study_figure(grid, results_of(cells, comparisons=own), Asked(), LIGHT),
        study_figure(grid, results_of(cells[:1]), Asked(lines=True), LIGHT),
        *(comparisons.distribution_figure(measure_words("makespan_s"), of, runs, LIGHT) for of in ("jobs", "tasks")),
        comparisons.percentiles_figure(
            measure_words("job_delay_s"), [("Megha", {"mean": 1.0, "p99": 2.0}), ("Sparrow", {"mean": None})], LIGHT
        ),
        comparisons.timeline_figure([], LIGHT),
        comparisons.pairs_figure(("Megha", "Sparrow"), {"mine_s": [1.0], "other_s": [2.0], "job": [1]}, LIGHT),
        *(traces.trace_figure("a", kind, statistics, statistics, LIGHT) for kind in traces.KINDS),
    ]


@pytest.mark.usefixtures("german")
def test_what_a_figure_shows_is_german() -> None:
    texts = [text for figure in figures() for text in texts_of(figure)]
    assert len(texts) > 100
    assert english_of(texts) == []
    assert any("logarithmisch" in text for text in texts)


def test_the_words_that_the_test_looks_for_are_in_english_figures() -> None:
    assert len(english_of([text for figure in figures() for text in texts_of(figure)])) > 50


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize("show", ["values", "difference", "ratio"])
@pytest.mark.parametrize("statistic", STATISTICS)
def test_a_caption_is_german(show: Any, statistic: str) -> None:
    results = results_of(RESULTS["cells"], statistic=statistic, method=method_words(statistic))
    marks = [
        _marks(one, Asked(show=show), heat=heat, seeds=True)
        for heat in (True, False)
        for one in (results, results | {"cells": []}, results | {"cells": [cell(0, 0, [0], 1.0, None)]})
    ]
    counts = [_counted([3, 8], heat=heat, pairs=pairs) for heat in (True, False) for pairs in (True, False)]
    trace = {"kind": "trace", "offered_load": 0.5}
    loads = [load_words(trace), load_words(trace, ["workload.offered_load"])]
    named: list[dict[str, Any]] = [
        {"name": "megha", "params": {"heartbeat_s": 3}, "label": "Megha"},
        {"name": "hawk", "label": "Hawk"},
    ]
    told = [*marks, *counts, *loads, seed_words([1, 2]), run_words([2], "value"), run_words([]), parameter_words(named)]
    source = Source("Titel", "1.0", ("ab" * 32, "cd" * 32), "https://example.org/a", "k", digest_of="claim", plan="ef")
    citation = bibtex_of(source).replace("The Scheduler Playground authors", "")
    assert english_of([caption_of("Titel", told, source), citation]) == []


@pytest.mark.usefixtures("german")
def test_every_measure_has_a_german_name() -> None:
    names = [*_HEADS, *_NAMED, "tasks.total", "jobs.completed", "counters.preemptions", "by_queue.web.tasks"]
    names += ["by_priority.3.allocation_delay_s.p99", "room.fits.4 cpus.cpus.least", "allocation_delay_s.mean"]
    assert english_of([measure_words(name) for name in names]) == []
    assert measure_words("allocation_delay_s.p99") == "Wartezeit, p99"
    assert measure_words("job_delay_s.mean") == "Verzögerung der Jobs, Mittel"
    assert metric_words("job_delay_s.mean") == "Job delay, mean"


@pytest.mark.usefixtures("german")
def test_numbers_of_figures_are_written_as_in_german() -> None:
    assert (number_words(1234.5), number_words(-0.25)) == ("1.234", "\u22120,25")
    assert duration_words(1.5) == "1,5\u202fs"
    assert path_words(HEARTBEAT) == "Heartbeat-Intervall"


def experiments() -> Iterator[dict[str, Any]]:
    """Give experiments with every way in which a seed changes them."""
    kinds = ("synthetic", "dag", "trace", "inline")
    for kind, again, by_share, asks in itertools.product(kinds, *[(False, True)] * 3):
        workload: dict[str, Any] = {"kind": kind, "queue_assignment": "by_share" if by_share else "round_robin"}
        if again and kind in ("trace", "inline"):
            workload["resampling"] = {"block_jobs": 10}
        yield {"workload": workload} | ({"constraints": {"catalogue": "a"}} if asks else {})


def test_what_a_seed_changes_is_the_librarys_sentence_in_english_and_german_on_german_pages() -> None:
    told = [(seeds_words(one), seeds_change(one)) for one in experiments()]
    assert [ours for ours, _ in told] == [theirs for _, theirs in told]
    with translation.override("de"):
        assert english_of([seeds_words(one) for one in experiments()]) == []


def test_methods_are_the_librarys_in_english() -> None:
    assert {name: method_words(name) for name in STATISTICS} == METHODS
    assert method_words("log") == LOG_METHOD


def test_what_makes_a_job_short_is_told_by_rule_and_cut_off() -> None:
    assert set(RULES) == set(get_args(Rule))
    for rule in RULES:
        work = {"definition": "A job is short.", "rule": rule, "cutoff_s": 90.5811}
        assert definition_words(work) == "A job is short."
        with translation.override("de"):
            assert "höchstens 90,5811 s" in definition_words(work)


def test_every_verdict_has_a_name() -> None:
    names = {one for part in get_args(SeedVerdict) for one in (get_args(part) or (part,))}
    assert names <= set(VERDICTS)


@pytest.mark.usefixtures("german")
def test_verdicts_of_papers_are_german() -> None:
    groups = wall(Filters())
    assert english_of([cast("str", group[name]) for group in groups for name in ("label", "about")]) == []
    views = [claim_view(claim, saved_results().get(claim.id)) for claim in list(known_claims().values())[:20]]
    words = [view.label for view in views] + [word for view in views for word in view.honest]
    words += [row["told"] for view in views for row in view.rows] + [view.known for view in views]
    words += [row["band"] for view in views for row in view.rows] + [view.seeds for view in views]
    assert english_of(words) == []
