"""Figure builders: what a figure says, without a server and without a browser."""

from __future__ import annotations

import csv
import io
import math
import os
import re
import subprocess
import sys
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from playground.claims import curves as claim_curves
from playground.figures import comparisons, traces
from playground.figures.axes import Axis
from playground.figures.captions import (
    Source,
    bibtex_of,
    caption_of,
    load_words,
    plan_digest,
    run_words,
    seed_words,
)
from playground.figures.look import Look
from playground.figures.parameters import parameter_words
from playground.figures.studies import Asked, drawn_counts, study_figure, title_of
from playground.figures.svg import figure_svg
from playground.figures.tables import figure_csv, figure_rows
from playground.figures.template import DASHES, MARKERS
from playground.figures.ticks import choose, linear_time_levels, log_levels
from playground.figures.tokens import level_colors, series_colors, tokens
from playground.figures.words import duration_words, path_value_words, path_words, tick_words
from playground.studies.intervals import as_drawn
from playground.studies.metric_names import metric_words
from scheduler_core import SCHEDULERS
from tests.support import PROJECT
from tests.tiers import wide

HEARTBEAT = "scheduler.params.heartbeat_s"
LIGHT = Look()


def cell(number: int, scheduler: int, at: list[int | None], value: float, half: float | None = 0.1) -> dict[str, Any]:
    ends = {"low": None, "high": None} if half is None else {"low": value - half, "high": value + half}
    return {"cell": number, "scheduler": scheduler, "at": at, "values": at, "value": value, "n": 10, **ends}


def study_of(axes: list[dict[str, Any]], *labels: str) -> dict[str, Any]:
    return {"plan": {"axes": axes}, "schedulers": [{"label": label} for label in labels], "seeds": [1, 2, 3]}


def results_of(cells: list[dict[str, Any]], unit: str = "s", **more: Any) -> dict[str, Any]:
    known = {"metric": "allocation_delay_s.p99", "unit": unit, "statistic": "mean", "method": "mean of the runs; by t"}
    return {**known, "against": 0, "cells": cells, "comparisons": [], **more}


ONE_AXIS = [{"path": HEARTBEAT, "values": [10, 0.1, 1]}]
STUDY = study_of(ONE_AXIS, "Megha", "Sparrow")
#: Sparrow has no heartbeat: one cell for all values.
RESULTS = results_of(
    [cell(0, 0, [0], 400.0, 300.0), cell(1, 0, [1], 0.5), cell(2, 0, [2], 2.0, 3.0), cell(3, 1, [None], 7.0, None)]
)


def drawn(figure: Any) -> dict[str, Any]:
    found: dict[str, Any] = figure.to_plotly_json()
    return found


def lines_in(figure: dict[str, Any]) -> list[dict[str, Any]]:
    return [trace for trace in figure["data"] if not (trace.get("meta") or {}).get("guide")]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 s"), (1.2, "1.2 s"), (0.0005, "500 µs"), (59.98, "1 min"), (180, "3 min"), (150, "2 min 30 s"),
        (9_960, "2 h 46 min"), (86_400, "1 d"), (-3.5, "−3.5 s"), (3_599.9, "1 h"),
    ],
)  # fmt: skip
def test_times_are_written_in_units_that_fit(seconds: float, words: str) -> None:
    assert duration_words(seconds).replace("\u202f", " ") == words


def test_ticks_of_time_are_round_in_the_unit_that_is_shown() -> None:
    levels = linear_time_levels(0, 10_000)
    chosen = choose(levels, 0, 10_000, 8)
    assert chosen is not None
    texts = [text.replace("\u202f", " ") for text in chosen.texts]
    assert texts == ["0 s", "30 min", "1 h", "1 h 30 min", "2 h", "2 h 30 min"]
    # Zoomed in, a finer level is still exact.
    fine = choose(levels, 3_600, 4_200, 8)
    assert fine is not None
    inside = [value for value in fine.values if 3_600 <= value <= 4_200]
    assert inside[0] == 3_600
    assert len(inside) >= 3
    assert tick_words(600.2, 0.2).replace("\u202f", " ") == "10 min 0.2 s"


@pytest.mark.parametrize(("low", "high"), [(1e-3, 5.0), (0.5, 90_000.0), (2.0, 3.0)])
def test_log_ticks_of_time_are_unique_and_round(low: float, high: float) -> None:
    levels = log_levels(low, high, "s")
    for level in levels:
        assert len(set(level.texts)) == len(level.texts)
        assert all(re.fullmatch(r"(1|2|3|4|5|6|12|[1-9]0|[1-9]00)\u202f\S+", text) for text in level.texts), level.texts
    counts = [level.within(low / 3, high * 3) for level in levels]
    assert counts == sorted(counts)
    assert counts[-1] >= 2


def test_the_legend_has_each_line_once_and_lines_differ_without_color() -> None:
    figure = drawn(study_figure(STUDY, RESULTS, Asked(), LIGHT))
    lines = lines_in(figure)
    assert [line["name"] for line in lines] == ["Megha", "Sparrow"]
    assert [line["name"] for line in figure["data"] if line["showlegend"]] == ["Megha", "Sparrow"]
    assert figure["layout"]["showlegend"] is True
    assert lines[0]["line"]["dash"] != lines[1]["line"]["dash"]
    assert lines[0]["marker"]["symbol"] != lines[1]["marker"]["symbol"]
    assert len(set(DASHES)) == len(set(MARKERS)) == 8


def test_seeds_are_light_lines_under_the_entry_of_their_line() -> None:
    seeds = {(0, (at,)): {1: 1.0 + at, 2: 2.0 + at} for at in range(3)}
    figure = drawn(study_figure(STUDY, RESULTS, Asked(), LIGHT, seeds))
    light = [trace for trace in figure["data"] if (trace.get("meta") or {}).get("row", "").startswith("Megha, seed")]
    assert len(light) == 2
    assert all(trace["legendgroup"] == "Megha" and not trace["showlegend"] and trace["opacity"] < 1 for trace in light)
    assert [trace["name"] for trace in figure["data"] if trace["showlegend"]] == ["Megha", "Sparrow"]


def test_a_line_runs_from_left_to_right_and_a_scheduler_without_the_parameter_stands_at_all_values() -> None:
    megha, sparrow = lines_in(drawn(study_figure(STUDY, RESULTS, Asked(), LIGHT)))
    assert megha["x"] == [0.1, 1.0, 10.0]
    assert megha["y"] == [0.5, 2.0, 400.0]
    assert sparrow["y"] == [7.0, 7.0, 7.0]
    assert "no interval yet" in sparrow["hovertext"][0]


def test_axes_have_names_units_and_a_log_scale_where_values_span_much() -> None:
    layout = drawn(study_figure(STUDY, RESULTS, Asked(), LIGHT))["layout"]
    assert layout["yaxis"]["title"]["text"] == "Queueing delay, p99 (log scale)"
    assert layout["yaxis"]["type"] == layout["xaxis"]["type"] == "log"
    assert layout["xaxis"]["title"]["text"] == "Heartbeat interval (log scale)"
    assert "1\u202fs" in layout["xaxis"]["ticktext"]
    assert layout["meta"]["ticks"]["yaxis"]


def test_intervals_on_a_log_axis_stay_above_zero_and_keep_the_mean() -> None:
    told = as_drawn(RESULTS)
    by_cell = {one["cell"]: one for one in told["cells"]}
    assert all(one["low"] > 0 for one in told["cells"] if one["low"] is not None)
    assert by_cell[2]["value"] == 2.0
    # By hand: 2 * exp(±3/2).
    assert by_cell[2]["low"] == pytest.approx(2 / math.exp(1.5))
    assert by_cell[2]["high"] == pytest.approx(2 * math.exp(1.5))
    assert "logarithm" in told["method"]
    lines = lines_in(drawn(study_figure(STUDY, told, Asked(), LIGHT)))
    for line in lines:
        for y, down in zip(line["y"], (line.get("error_y") or {}).get("arrayminus") or [], strict=False):
            assert down is None or y - down > 0


def test_intervals_on_a_linear_axis_are_left_alone() -> None:
    near = results_of([cell(0, 0, [0], 2.0, 3.0), cell(1, 0, [1], 3.0)])
    assert as_drawn(near) == near
    medians = RESULTS | {"statistic": "median"}
    assert as_drawn(medians) == medians


def test_two_parameters_make_a_heat_map_with_values_in_its_cells() -> None:
    axes = [{"path": HEARTBEAT, "values": [1, 10]}, {"path": "workload.arrivals.offered_load", "values": [0.5, 0.9]}]
    study = study_of(axes, "Megha", "Sparrow")
    cells = [cell(0, 0, [0, 0], 1.0), cell(1, 0, [1, 0], 2.0), cell(2, 0, [0, 1], 30.0)]
    pairs = [{"cell": 3, "other": 0, "scheduler": 0, "at": [0, 0], "verdict": "not distinguishable yet"}]
    figure = drawn(study_figure(study, results_of(cells, comparisons=pairs), Asked(), LIGHT))
    heat = figure["data"][0]
    assert (heat["type"], heat["z"]) == ("heatmap", [[1.0, 2.0], [30.0, None]])
    assert figure["layout"]["yaxis"]["ticktext"] == ["50\u202f%", "90\u202f%"]
    # The content policy refuses plotly's color bar, and heat maps without gaps.
    assert heat["showscale"] is False
    assert heat["xgap"] > 0
    # Colors by the logarithm: half way from 1 to 30 is the root of 30.
    stops = dict(heat["colorscale"]) if not isinstance(heat["colorscale"], dict) else heat["colorscale"]
    middle = min(stops, key=lambda at: abs(at - (math.sqrt(30) - 1) / 29))
    assert stops[middle] == level_colors("light")[16][1]
    assert figure_rows(figure)[1:] == [
        ["1\u202fs", "50\u202f%", 1.0],
        ["10\u202fs", "50\u202f%", 2.0],
        ["1\u202fs", "90\u202f%", 30.0],
    ]
    # On paper the same cells are areas: a heat map would be pixels.
    paper = drawn(study_figure(study, results_of(cells), Asked(), Look(width_mm=85)))
    assert {trace["type"] for trace in paper["data"]} == {"bar"}
    cells_of = paper["data"][0]
    assert list(zip(cells_of["x"], cells_of["text"], strict=True)) == [
        (0, "1\u202fs"),
        (1, "2\u202fs"),
        (0, "30\u202fs"),
    ]
    assert cells_of["marker"]["color"] == [0.0, pytest.approx(math.log(2) / math.log(30)), 1.0]
    turned = drawn(study_figure(study, results_of(cells), Asked(x=1), LIGHT))
    assert turned["data"][0]["z"] == [[1.0, 30.0], [2.0, None]]
    as_lines = lines_in(drawn(study_figure(study, results_of(cells), Asked(lines=True), LIGHT)))
    assert [line["name"] for line in as_lines] == ["Load 50\u202f%", "Load 90\u202f%"]


def test_differences_are_paired_and_have_a_line_at_zero() -> None:
    pair = {"difference": {"value": 5.0, "low": 4.0, "high": 6.0, "n": 10}, "ratio": None, "verdict": "more"}
    pairs = [{"cell": 3, "other": at, "scheduler": 1, "at": [at], **pair} for at in range(3)]
    results = RESULTS | {"comparisons": pairs}
    figure = drawn(study_figure(STUDY, results, Asked(show="difference"), LIGHT))
    guide, line = figure["data"]
    assert (guide["y"], guide["showlegend"], guide["hoverinfo"]) == ([0.0, 0.0], False, "skip")
    assert (line["name"], line["y"]) == ("Sparrow", [5.0, 5.0, 5.0])
    assert title_of(STUDY, results, Asked(show="difference")).startswith(
        "Difference in queueing delay, p99, against Megha"
    )


def test_a_study_of_nothing_yet_is_an_empty_figure() -> None:
    empty = results_of([])
    for axes in ([], ONE_AXIS, [*ONE_AXIS, {"path": "a.b", "values": ["x", "y"]}]):
        figure = drawn(study_figure(study_of(axes, "Megha"), empty, Asked(), LIGHT))
        assert figure_rows(figure)[1:] == []


def test_csv_holds_what_is_drawn_with_ends_as_values() -> None:
    figure = drawn(study_figure(STUDY, as_drawn(RESULTS), Asked(), LIGHT))
    rows = list(csv.reader(io.StringIO(figure_csv(figure))))
    assert rows[0] == ["series", "Heartbeat interval (s)", "Queueing delay, p99 (s)", "low", "high"]
    assert len(rows) == 1 + sum(len(line["x"]) for line in lines_in(figure))
    line = lines_in(figure)[0]
    for row, x, y, up in zip(rows[1:4], line["x"], line["y"], line["error_y"]["array"], strict=True):
        assert row[0] == "Megha"
        assert (float(row[1]), float(row[2]), float(row[4])) == (x, y, pytest.approx(y + up))


def test_a_csv_of_short_and_long_jobs_begins_with_what_they_are() -> None:
    bare = {"data": [{"type": "scatter", "name": "Megha", "x": [1], "y": [2.0]}], "layout": {}}
    said = "A job is short if its mean task duration is at most 30 s."
    assert figure_csv(bare, said).splitlines() == [f"# {said}", "series,x,y", "Megha,1,2.0"]
    assert figure_csv(bare).splitlines()[0] == "series,x,y"


def test_distributions_end_at_one_and_keep_the_tail() -> None:
    waits = np.concatenate([np.zeros(100), np.geomspace(1e-3, 100, 100_000)])
    x, share = comparisons.steps_of(np.sort(waits))
    assert (x[-1], share[-1]) == (100.0, 1.0)
    assert len(x) < 400
    assert share[-2] > 0.9999
    figure = drawn(comparisons.distribution_figure("Queueing delay", "tasks", [("A", waits), ("B", waits * 2)], LIGHT))
    assert figure["layout"]["xaxis"]["type"] == "log"
    assert all(min(line["x"]) > 0 for line in figure["data"])
    assert [line["line"]["shape"] for line in figure["data"]] == ["hv", "hv"]


def test_percentiles_and_pairs_say_what_each_mark_is() -> None:
    part = {"mean": 1.0, "p50": 0.5, "p99": 30.0, "max": 60.0}
    figure = drawn(comparisons.percentiles_figure("Queueing delay", [("A", part), ("B", part)], LIGHT))
    assert figure["layout"]["xaxis"]["ticktext"] == ["mean", "p50", "p99", "max"]
    assert figure_rows(figure)[3] == ["A", "p99", 30.0]
    none = dict.fromkeys(part)
    beside = drawn(comparisons.percentiles_figure("Queueing delay", [("A", part), ("B", none)], LIGHT))
    assert [line["name"] for line in beside["data"]] == ["A", "B (none started)"]
    assert beside["data"][1]["y"] == [None] * 4
    pairs = {"job": [4, 5], "mine_s": [1.0, 2.0], "other_s": [3.0, 1.0]}
    both = drawn(comparisons.pairs_figure(("A", "B"), pairs, LIGHT))
    assert both["layout"]["yaxis"]["title"]["text"].endswith(", A")
    assert both["data"][1]["hovertext"][0] == "Job 4<br>A: 1\u202fs<br>B: 3\u202fs"


def test_a_trace_has_its_fit_laid_over_it() -> None:
    cdf = {"cdf": [[1.0, 0.5], [10.0, 0.75], [100.0, 1.0]]}
    statistics = {"distributions": {"duration_s": cdf, "gap_s": None}, "graphs": None}
    over = {"slot_s": 60.0, "running": [1.0, 2.0], "tasks": [3, 4]}
    own = {**statistics, "over_time": over}
    figure = traces.trace_figure("google", "duration_s", own, own, LIGHT)
    assert figure is not None
    assert [trace.name for trace in figure.data] == ["the trace", "one draw of the fit"]
    assert traces.trace_figure("google", "gap_s", own, None, LIGHT) is None
    running = traces.trace_figure("google", "running", own, None, LIGHT)
    assert running is not None
    assert list(running.data[0].x) == [0.0, 60.0]


def test_no_text_of_a_user_becomes_markup() -> None:
    cdf = {"cdf": [[1.0, 0.5], [10.0, 1.0]]}
    figure = traces.trace_figure("<b>x</b>", "duration_s", {"distributions": {"duration_s": cdf}}, None, LIGHT)
    assert figure is not None
    study = study_of([{"path": "a.b", "values": ["<i>y</i>"]}], "<a href='z'>Megha</a>")
    shown = study_figure(study, results_of([cell(0, 0, [0], 1.0)]), Asked(), LIGHT)
    for text in (figure.to_json(), shown.to_json()):
        assert re.findall(r"<(?!br>)|\\u003c(?!br)", text) == []


def test_a_papers_figure_lays_ours_over_what_is_published() -> None:
    curve = claim_curves.Curve("Sparrow", (1.0, 2.0), (1.0, 2.0), (0.5, 1.5), (1.5, 2.5), ((1.0, 1.2),), ((0.9, 2.1),))
    figure = drawn(claim_curves.paper_figure("Fig. 3", (Axis("Load", "1"), Axis("Delay", "s")), [curve], LIGHT))
    assert [trace["name"] for trace in figure["data"] if trace["showlegend"]] == ["Sparrow, ours", "Sparrow, published"]
    ours, published = (trace for trace in figure["data"] if trace["showlegend"])
    assert ours["line"]["color"] == published["marker"]["color"]
    assert ours["marker"]["symbol"] != published["marker"]["symbol"]
    names = [row[0] for row in figure_rows(figure)[1:]]
    assert names == ["Sparrow, ours, seed 1"] * 2 + ["Sparrow, ours"] * 2 + ["Sparrow, published"]


def test_over_categories_a_papers_figure_has_points_side_by_side_and_where_they_hold() -> None:
    curves = [
        claim_curves.Curve("Megha", (0.0, 1.0), (2.0, None), published=((0.0, 3.0),), holds=((0.0, None, 4.0),)),
        claim_curves.Curve("Sparrow", (0.0, 1.0), (5.0, 6.0), seeds=((4.0, 5.0), (6.0, 7.0)), again=(5.5, 6.5)),
    ]
    axes = Axis("Tasks", categories=("Median", "p99")), Axis("Wait", "s", log=True)
    figure = drawn(claim_curves.paper_figure("Fig. 3", axes, curves, LIGHT, theirs="program"))
    assert {trace["mode"] for trace in figure["data"] if not (trace.get("meta") or {}).get("band")} == {"markers"}
    found = {(row[0], row[1]): row[2] for row in figure_rows(figure)[1:]}
    assert found["Megha, ours", "Median"] == 2.0
    assert found["Megha, program", "Median"] == 3.0
    assert found["Sparrow, ours, seed 2", "p99"] == 7.0
    assert found["Sparrow, run again here", "p99"] == 6.5
    assert "Program" in {trace["name"] for trace in figure["data"]}, "published points share an entry"
    [band] = [trace for trace in figure["data"] if trace["name"] == claim_curves.HOLDS]
    assert max(band["y"]) == 4.0
    assert min(band["y"]) < 2.0, "an open end is that of the picture"


@pytest.mark.parametrize(("way", "least", "most"), [("rises", 2.0, 6.6), ("falls", 0.0, 2.0)])
def test_words_of_a_direction_are_a_band_from_each_point_to_the_next(way: str, least: float, most: float) -> None:
    curve = claim_curves.Curve("Wait", (1.0, 2.0, 3.0), (2.0, 3.0, 6.0), way=way)  # type: ignore[arg-type]
    figure = drawn(claim_curves.paper_figure("Fig. 8", (Axis("Machines"), Axis("Wait", "s")), [curve], LIGHT))
    first, _ = (trace for trace in figure["data"] if trace["name"] == claim_curves.HOLDS)
    assert (min(first["x"]), max(first["x"])) == (1.0, 2.0)
    assert (min(first["y"]), max(first["y"])) == pytest.approx((least, most))


def test_a_figure_for_paper_has_its_size_in_millimeters_and_its_type_in_points() -> None:
    look = Look(width_mm=85, height_mm=60, font="serif", font_pt=8)
    layout = drawn(study_figure(STUDY, RESULTS, Asked(), look))["layout"]
    assert (layout["width"], layout["height"]) == (
        pytest.approx(85 * 96 / 25.4, abs=0.01),
        pytest.approx(226.77, abs=0.01),
    )
    font = layout["template"]["layout"]["font"]
    assert font["size"] == pytest.approx(8 * 96 / 72)
    assert "Times" in font["family"]


def test_the_template_reads_the_tokens_of_both_themes() -> None:
    for theme in ("light", "dark"):
        layout = drawn(study_figure(STUDY, RESULTS, Asked(), Look(theme=theme)))["layout"]["template"]["layout"]
        assert layout["paper_bgcolor"] == tokens(theme)["surface"]
        assert layout["font"]["color"] == tokens(theme)["ink"]
        assert len(set(layout["colorway"])) == 8
    assert tokens("light")["surface"] != tokens("dark")["surface"]
    assert series_colors("light") != series_colors("dark")
    assert tokens("light")["data-soft"].startswith("rgba(53, 99, 196")


def lightness(color: str) -> float:
    red, green, blue = (int(color[at : at + 2], 16) for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_scale_of_heat_maps_reads_in_gray(theme: Any) -> None:
    levels = [lightness(color) for _, color in level_colors(theme)]
    assert levels == sorted(levels, reverse=theme == "light")


def test_a_caption_has_runs_seeds_version_digest_and_link() -> None:
    url = "https://play.example.org/studies/s1"
    source = Source("Delay by heartbeat: Megha", "0.1.0", ("abcdef0123456789",), url, "s_1", 2026)
    words = caption_of(source.title, [run_words([10, 8]), seed_words([1, 2, 3]), ""], source)
    assert words == (
        "Delay by heartbeat: Megha. n = 8 to 10 runs per point. 3 seeds (1 to 3). "
        f"Scheduler Playground 0.1.0, experiment digest abcdef012345, {url}."
    )
    entry = bibtex_of(source)
    assert entry.startswith("@misc{scheduler-playground-s1,")
    assert "experiment digest abcdef0123456789" in entry
    assert f"url = {{{url}}}" in entry
    assert entry.count("{") == entry.count("}")
    exact = Source(source.title, "1", source.digests, url, "k", plan="beef", seeds="10 seeds (1 to 10)")
    assert "digest abcdef0123456789; plan digest beef; 10 seeds (1 to 10)}" in bibtex_of(exact)
    digests = [plan_digest("a", {"axes": [1], "name": name}) for name in ("", "a title")]
    assert len({*digests, plan_digest("b", {"axes": [1]}), plan_digest("a", {"axes": [2]})}) == 3
    assert r"50\% \& more" in bibtex_of(Source("50% & more", "1", (), "u", "k"))


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8000", "localhost:8000", "[::1]:8000", "192.168.0.7", "10.1.2.3", "web:8000", "desk.local"]
)
def test_nobody_is_sent_to_an_address_that_only_this_computer_or_network_has(host: str) -> None:
    source = Source("Delay", "0.1.0", ("abcdef0123456789",), f"http://{host}/studies/s1", "s_1", 2026)
    for text in (caption_of(source.title, [], source), bibtex_of(source)):
        assert "http" not in text
        assert host not in text
        assert "Scheduler Playground" in text
        assert "abcdef012345" in text


def test_title_and_count_name_what_is_drawn_and_nothing_else() -> None:
    """Sparrow has no such number: neither its name nor its runs are in the figure."""
    only = results_of([cell(0, 0, [0], 4.0), cell(1, 0, [1], 5.0)])
    assert title_of(STUDY, only, Asked()).endswith(": Megha")
    assert title_of(STUDY, RESULTS, Asked()).endswith(": Megha, Sparrow")
    assert title_of(STUDY, results_of([]), Asked()).endswith(": Megha, Sparrow")
    assert drawn_counts(STUDY, only, Asked()) == [10, 10]
    ratio = {"value": 1.0, "low": 0.9, "high": 1.1, "n": 3}
    pairs = [{"cell": 3, "scheduler": 1, "at": [None], "verdict": "more", "ratio": ratio, "difference": None}]
    assert drawn_counts(STUDY, RESULTS | {"comparisons": pairs}, Asked(show="ratio")) == [3]


def test_a_caption_says_that_a_traces_arrivals_are_stretched() -> None:
    trace = {"kind": "trace", "trace": "t_1"}
    assert load_words(trace) == load_words({"kind": "synthetic", "offered_load": 1}, ["workload.offered_load"]) == ""
    assert load_words(trace | {"offered_load": 0.8}) == "The arrivals of the trace are stretched to the load"
    assert load_words(trace, ["workload.offered_load"]).endswith("stretched to each load")


def test_a_caption_says_that_a_load_takes_the_place_of_a_rate() -> None:
    """A fit gives its arrivals by a rate, a plan may give them as times."""
    path = "workload.arrivals.offered_load"
    words = "The arrivals of the workload are stretched to each load"
    fit = {"kind": "synthetic", "arrivals": {"kind": "poisson", "rate_per_s": 2.0, "offered_load": None}}
    assert load_words(fit, [path]) == words
    assert load_words({"kind": "synthetic", "arrivals": {"kind": "replayed", "times_s": [0, 1]}}, [path]) == words
    assert load_words(fit) == load_words(fit, ["workload.jobs"]) == ""
    assert load_words({"kind": "synthetic", "arrivals": {"kind": "poisson", "offered_load": 0.8}}, [path]) == ""


def test_a_caption_names_the_parameters_that_differ_from_the_defaults() -> None:
    heartbeat = next(one for one in SCHEDULERS if one.name == "megha").params().heartbeat_s  # type: ignore[attr-defined]
    told = [
        {"name": "megha", "label": "Megha", "params": {"heartbeat_s": heartbeat + 1}},
        {"name": "sparrow", "label": "Sparrow", "params": {}},
    ]
    words = parameter_words(told)
    assert words.startswith("Parameters other than the defaults: Megha: heartbeat interval ")
    assert "Sparrow" not in words
    told[0]["params"] = {"heartbeat_s": heartbeat}
    assert parameter_words(told) == "All parameters of schedulers have their defaults"
    told[0]["params"] = {"heartbeat_s": heartbeat + 1}
    assert parameter_words(told, [HEARTBEAT]) == "All parameters of schedulers have their defaults"


def test_every_schedulers_defaults_are_known_to_captions() -> None:
    for one in SCHEDULERS:
        params = one.params().model_dump(mode="json")
        told = [{"name": one.name, "label": one.label, "params": params}]
        assert parameter_words(told).startswith("All parameters of schedulers have their defaults"), one.name


def test_a_default_that_suits_one_trace_is_told_until_another_value_is_chosen() -> None:
    told = [{"name": name, "label": name.title(), "params": {}} for name in ("eagle", "hawk", "sparrow")]
    fitted = "perhaps not this work: Eagle, Hawk: workers that may run long jobs 0.98 (Yahoo trace)"
    assert fitted in parameter_words(told).replace("\u202f", " ")
    assert "Sparrow" not in parameter_words(told)
    for one in told[:2]:
        one["params"] = {"long_partition_share": 0.9}
    assert "suit one trace" not in parameter_words(told)
    assert "suit one trace" not in parameter_words([told[2]], ["scheduler.params.long_partition_share"])


def test_a_parameter_tells_its_unit_on_its_axis_and_in_words() -> None:
    path = "scheduler.params.rack_gb_s"
    assert (path_words("x.rack_gb_s"), path_value_words(path, 0.125)) == ("rack", "0.125\u202fGB/s")
    assert path_value_words("scheduler.params.scan_ns", 50) == "50\u202fns"
    assert path_value_words(HEARTBEAT, 0.5) == "500\u202fms"
    study = study_of([{"path": path, "values": [10, 0.1, 1]}], "Megha", "Sparrow")
    axis = drawn(study_figure(study, RESULTS, Asked(), LIGHT))["layout"]["xaxis"]
    assert axis["title"]["text"].endswith(" (GB/s) (log scale)")


def test_the_server_draws_what_the_figure_says() -> None:
    figure = drawn(study_figure(STUDY, RESULTS, Asked(), Look(width_mm=85, font_pt=7)))
    picture = ElementTree.fromstring(figure_svg(figure))
    space = "{http://www.w3.org/2000/svg}"
    assert (picture.get("width"), picture.get("height")) == ("85.00mm", "53.13mm")
    texts = [one.text for one in picture.iter(f"{space}text")]
    layout = figure["layout"]
    for axis in ("xaxis", "yaxis"):
        assert layout[axis]["title"]["text"] in texts
        assert set(layout[axis]["ticktext"]) & set(texts)
    assert texts[-2:] == ["Megha", "Sparrow"]
    # A full marker for each point of the first line and for its entry; Sparrow's are open.
    circles = [one.get("fill") for one in picture.iter(f"{space}circle")]
    first, second = lines_in(figure)
    assert circles.count(first["marker"]["color"]) == len(first["x"]) + 1
    assert circles.count("none") == len(second["x"]) + 1
    # Left to right, and the larger value higher.
    places = [(float(one.get("cx", 0)), float(one.get("cy", 0))) for one in picture.iter(f"{space}circle")]
    shown = [place for place, fill in zip(places, circles, strict=True) if fill != "none"][: len(first["x"])]
    assert [x for x, _ in shown] == sorted(x for x, _ in shown)
    assert [y for _, y in shown] == sorted((y for _, y in shown), reverse=True)
    heat = study_of([ONE_AXIS[0], {"path": "queues[0].share", "values": [0.5]}], "Megha")
    cells = results_of([cell(0, 0, [0, 0], 1.0), cell(1, 0, [1, 0], 30.0)])
    cellular = ElementTree.fromstring(figure_svg(drawn(study_figure(heat, cells, Asked(), Look(width_mm=85)))))
    colors = [one.get("fill") for one in cellular.iter(f"{space}rect")]
    assert {level_colors("light")[0][1], level_colors("light")[-1][1]} <= set(colors)


def test_measures_have_the_names_of_the_glossary() -> None:
    assert metric_words("allocation_delay_s.p99.9") == "Queueing delay, p99.9"
    assert metric_words("by_class.short.job_delay_s.p99") == "Short jobs: job delay, p99"
    assert metric_words("makespan_s") == "Makespan"
    assert metric_words("by_queue.web.v2.allocation_delay_s.p99") == "Queue web.v2: queueing delay, p99"
    assert metric_words("by_priority.-5.pending") == "Priority -5: tasks pending"
    fit = "Largest request for cpus that fits on a machine with 0.5 cpus, 4 memory gb, least"
    assert metric_words("room.fits.0.5 cpus, 4 memory_gb.cpus.least") == fit
    assert metric_words("counters.noops") == "Wasted probes"
    assert metric_words("counters.preemptions") == "Preemptions / Tasks preempted"
    assert metric_words("counters.preemptions", ["megha", "sparrow"]) == "Preemptions"


@wide
def test_no_worker_loads_plotly_when_it_starts() -> None:
    """What the web process loads, tests/integration/test_imports.py tells."""
    start = "import django; django.setup(); from playground.celery import app; app.loader.import_default_modules()"
    code = f"import sys; {start}; print('plotly' in sys.modules)"
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "playground.settings"}
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, env=environment, capture_output=True, text=True)
    assert done.stdout.strip() == "False", done.stdout + done.stderr


@pytest.mark.parametrize(("unit", "factor"), [("s", 1), ("ms", 1000), ("min", 1 / 60)])
def test_a_chosen_unit_is_that_of_every_tick_and_of_the_files(unit: str, factor: float) -> None:
    asked = Asked(unit=unit, x_unit=unit)  # type: ignore[arg-type]
    figure = study_figure(STUDY, RESULTS, asked, LIGHT).to_plotly_json()
    megha = figure["data"][0]
    assert megha["x"] == pytest.approx([0.1 * factor, 1 * factor, 10 * factor])
    assert megha["y"] == pytest.approx([0.5 * factor, 2 * factor, 400 * factor])
    assert megha["error_y"]["array"] == pytest.approx([0.1 * factor, 3 * factor, 300 * factor])
    assert f"\u202f{unit}<br>95 % interval" in megha["hovertext"][0]
    rows = list(csv.DictReader(io.StringIO(figure_csv(figure))))
    across, up = f"Heartbeat interval ({unit})", f"Queueing delay, p99 ({unit})"
    assert float(rows[2][across]) == pytest.approx(10 * factor)
    assert float(rows[2][up]) == pytest.approx(400 * factor)
    sized = study_figure(STUDY, RESULTS, asked, Look(width_mm=120)).to_plotly_json()
    texts = [text for axis in ("xaxis", "yaxis") for text in sized["layout"][axis]["ticktext"]]
    assert texts
    assert not any(text.endswith(("s", "min", "h")) for text in texts)
    assert f"({unit}) (log scale)" in figure_svg(sized)


def test_a_unit_of_time_changes_no_ratio_and_no_share() -> None:
    shares = results_of(RESULTS["cells"], unit="1")
    pairs = [{"cell": 3, "scheduler": 1, "at": [None], "verdict": "more", "difference": None,
              "ratio": {"value": 2.0, "low": 1.5, "high": 3.0, "n": 3}}]  # fmt: skip
    for results, asked in ((shares, "values"), ({**RESULTS, "comparisons": pairs}, "ratio")):
        drawn = [
            study_figure(STUDY, results, Asked(show=asked, unit=unit), LIGHT).to_plotly_json()  # type: ignore[arg-type]
            for unit in ("auto", "ms")
        ]
        assert drawn[0] == drawn[1]
