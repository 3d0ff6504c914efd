"""Figures over HTTP: of a study whose rows are written as a worker does, and of a trace whose statistics are kept."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from pytest_django import Settings

from playground.figures.captions import plan_digest
from playground.figures.words import duration_words
from playground.ground.simulator import parse_experiment
from playground.models import Experiment, RunState, Study, StudyRun, Trace
from playground.studies.service import grid_of
from tests.web.conftest import JsonClient

pytestmark = [pytest.mark.redis, pytest.mark.django_db(transaction=True)]

PLAN = {
    "axes": [{"path": "scheduler.params.heartbeat_s", "values": [1, 10]}],
    "repeats": 3,
    "schedulers": [{"name": "megha"}, {"name": "sparrow"}],
}


@pytest.fixture
def study_id(browser: JsonClient, small_experiment: dict[str, Any]) -> str:
    """Give a study of which the first two seeds are done: Megha at 1 s, Sparrow, Megha at 10 s."""
    made = browser.make(small_experiment)
    told = browser.send(f"experiments/{made['id']}/studies", PLAN).json()
    for number, delay in enumerate((1.0, 30.0, 4.0, 3.0, 50.0, 4.5)):
        summary = {"scheduler": "megha", "allocation_delay_s": {"p99": delay}}
        StudyRun.objects.filter(study__public_id=told["id"], number=number).update(
            state=RunState.DONE, summary=summary, seconds=2.0
        )
    return str(told["id"])


def test_a_caption_of_short_jobs_names_each_schedulers_cut_off(
    browser: JsonClient, small_experiment: dict[str, Any]
) -> None:
    made = browser.make(small_experiment)
    hawk = {"name": "hawk", "params": {"short_cutoff_s": 30}}
    plan = {"repeats": 1, "schedulers": [hawk, {"name": "eagle"}, {"name": "sparrow"}]}
    told = browser.send(f"experiments/{made['id']}/studies", plan).json()
    delays = {"count": 5, "mean": 1.0, "p50": 1.0, "p99": 2.0}
    summary = {"scheduler": "hawk", "by_class": {"short": {"allocation_delay_s": delays}}}
    StudyRun.objects.filter(study__public_id=told["id"]).update(state=RunState.DONE, summary=summary, seconds=2.0)
    metric = "by_class.short.allocation_delay_s.p99"
    answer = browser.read(f"studies/{told['id']}/figure?metric={metric}")
    assert answer.status_code == 200, answer.content
    caption = answer.json()["caption"].replace("\u202f", " ")
    grid = grid_of(Study.objects.get(public_id=told["id"]))
    cells = {cell.scheduler: parse_experiment(grid.experiment(cell, 1)).to_dict() for cell in grid.cells}
    eagle = duration_words(cells[1]["scheduler"]["params"]["short_cutoff_s"]).replace("\u202f", " ")
    assert f"which jobs are short: Hawk 30 s, Eagle {eagle}." in caption


def test_a_study_is_drawn_with_caption_and_citation(browser: JsonClient, study_id: str) -> None:
    answer = browser.read(f"studies/{study_id}/figure?theme=dark&width_mm=85&font=serif&font_pt=8")
    assert answer.status_code == 200, answer.content
    told = answer.json()
    lines = told["figure"]["data"]
    assert [line["name"] for line in lines] == ["Megha", "Sparrow"]
    assert [line["y"] for line in lines] == [[2.0, 4.25], [40.0, 40.0]]
    assert told["title"] == "Queueing delay, p99 by heartbeat interval: Megha, Sparrow"
    assert "n = 2 runs per point, 6 runs in all. 3 seeds (1 to 3). Each seed draws other jobs" in told["caption"]
    assert "logarithm of the mean" in told["caption"]
    digest = browser.read(f"studies/{study_id}").json()
    experiment = browser.read(f"experiments/{digest['experiment_id']}").json()
    assert experiment["experiment_digest"][:12] in told["caption"]
    assert experiment["experiment_digest"] in told["bibtex"]
    # The experiment alone does not tell the figure: another plan of it is another figure.
    plan = Study.objects.get(public_id=study_id).plan
    assert f"plan digest {plan_digest(experiment['experiment_digest'], plan)}; 3 seeds (1 to 3)" in told["bibtex"]
    assert "127.0.0.1" not in told["bibtex"]
    assert told["figure"]["layout"]["width"] == pytest.approx(85 * 96 / 25.4, abs=0.01)
    # Intervals of two runs by t reach far below 0; on this axis they stay above.
    for line in lines:
        errors = line["error_y"]
        assert all(y - down > 0 for y, down in zip(line["y"], errors["arrayminus"], strict=True))
    results = browser.read(f"studies/{study_id}/results?metric=allocation_delay_s.p99").json()
    assert min(cell["low"] for cell in results["cells"]) < 0
    as_drawn = browser.read(f"studies/{study_id}/results?metric=allocation_delay_s.p99&scale=drawn").json()
    assert min(cell["low"] for cell in as_drawn["cells"]) > 0


def test_a_caption_names_no_bars_where_nothing_varied(browser: JsonClient, study_id: str) -> None:
    rows = StudyRun.objects.filter(study__public_id=study_id)
    assert "bars: 95 % interval" in browser.read(f"studies/{study_id}/figure").json()["caption"]
    rows.update(summary={"scheduler": "megha", "allocation_delay_s": {"p99": 1.001827}}, state=RunState.DONE)
    told = browser.read(f"studies/{study_id}/figure").json()
    assert "no confidence intervals: nothing varied between seeds" in told["caption"]
    assert "bars" not in told["caption"]


def test_the_csv_holds_what_the_figure_shows(browser: JsonClient, study_id: str) -> None:
    figure = browser.read(f"studies/{study_id}/figure?seeds=true").json()["figure"]
    answer = browser.read(f"studies/{study_id}/figure.csv?seeds=true")
    assert answer["Content-Type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert len(rows) == sum(len(trace["x"]) for trace in figure["data"])
    ours = [row for row in rows if row["series"] == "Megha"]
    assert [float(row["Queueing delay, p99 (s)"]) for row in ours] == [2.0, 4.25]
    assert [row["series"] for row in rows if "seed 2" in row["series"]] == ["Megha, seed 2"] * 2 + [
        "Sparrow, seed 2"
    ] * 2


@pytest.mark.parametrize(
    "address", ["/api/v1/studies/{}/figure.svg", "/api/v1/studies/{}/sheet.html", "/studies/{}/figure"]
)
def test_a_figure_or_a_citation_that_a_user_takes_keeps_its_experiment(
    browser: JsonClient, study_id: str, address: str
) -> None:
    assert browser.read(f"studies/{study_id}/figure").status_code == 200
    assert Experiment.objects.get().shared_at is None, "looking at a figure shares nothing"
    assert browser.get(address.format(study_id)).status_code == 200
    assert Experiment.objects.get().shared_at is not None


def test_a_figure_is_given_beyond_the_quota_of_shared_experiments(
    browser: JsonClient, study_id: str, settings: Settings
) -> None:
    settings.LIMIT_SHARED_PER_ADDRESS = 0
    assert browser.read(f"studies/{study_id}/figure.svg").status_code == 200
    assert Experiment.objects.get().shared_at is None


@pytest.mark.usefixtures("broker")
def test_the_citation_of_runs_keeps_their_experiments(browser: JsonClient, small_experiment: dict[str, Any]) -> None:
    made = browser.make(small_experiment)
    run = browser.send(f"experiments/{made['id']}/runs").json()["id"]
    assert browser.get(f"/compare/figure?runs={run},nothing").status_code == 200
    assert Experiment.objects.get().shared_at is not None


def test_differences_and_ratios_are_paired_by_seed(browser: JsonClient, study_id: str) -> None:
    line = browser.read(f"studies/{study_id}/figure?show=difference").json()["figure"]["data"][-1]
    assert (line["name"], line["y"]) == ("Sparrow", [38.0, 35.75])
    ratio = browser.read(f"studies/{study_id}/figure?show=ratio").json()["figure"]["data"][-1]
    assert ratio["y"][0] == pytest.approx((30 * 50 / 3) ** 0.5)


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("metric=odd", "metric"), ("shown=5", "shown"), ("x=1", "x"), ("against=7", "against"), ("theme=blue", "theme"),
        ("width_mm=1e9", "width_mm"), ("font_pt=nan", "font_pt"), ("show=all", "show"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("ending", ["", ".csv"])
def test_what_cannot_be_drawn_is_said(browser: JsonClient, study_id: str, query: str, path: str, ending: str) -> None:
    answer = browser.read(f"studies/{study_id}/figure{ending}?{query}")
    assert (answer.status_code, answer.json()["problems"][0]["path"].split(".")[-1]) == (422, path)


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("runs=none", 404),
        ("runs=,", 422),
        ("runs=a,b,c,d,e,f,g,h,i", 422),
        ("kind=waits", 422),
        ("runs=a&kind=pairs", 422),
    ],
)
def test_comparisons_name_one_to_eight_runs(browser: JsonClient, query: str, status: int) -> None:
    assert browser.read(f"comparisons/figure?{query}").status_code == status


def test_a_trace_is_drawn_from_its_statistics(browser: JsonClient) -> None:
    statistics = {
        "jobs": 3, "tasks": 6, "distributions": {"duration_s": {"cdf": [[1.0, 0.5], [50.0, 1.0]]}}, "graphs": None,
        "over_time": {"slot_s": 1.0, "running": [1.0, 2.0], "tasks": [3, 3]},
    }  # fmt: skip
    trace = Trace.objects.create(
        name="own.tr", bytes=1, jobs=3, tasks=6, span_s=1.0, work_s=1.0, details={"statistics": statistics}
    )
    told = browser.read(f"traces/{trace.public_id}/figure?kind=duration_s").json()
    assert told["figure"]["data"][0]["x"] == [1.0, 1.0, 50.0]
    assert "n = 3 jobs, 6 tasks." in told["caption"]
    assert "digest" not in told["caption"]
    rows = browser.read(f"traces/{trace.public_id}/figure.csv?kind=running").content.decode().splitlines()
    assert rows[1:] == ["the trace,0.0,1.0", "the trace,1.0,2.0"]
    assert browser.read(f"traces/{trace.public_id}/figure?kind=critical_path_s").status_code == 404
    assert browser.read("traces/none/figure").status_code == 404


def test_the_description_has_every_figure_with_its_parameters(browser: JsonClient) -> None:
    paths = browser.read("openapi.json").json()["paths"]
    for subject in ("studies/{study_id}", "comparisons", "traces/{trace_id}"):
        drawn = paths[f"/api/v1/{subject}/figure"]["get"]
        names = {one["name"] for one in drawn["parameters"]}
        assert {"theme", "width_mm", "height_mm", "font", "font_pt"} <= names
        assert "text/csv" in paths[f"/api/v1/{subject}/figure.csv"]["get"]["responses"]["200"]["content"]
    assert {"metric", "x", "show", "seeds"} <= {
        one["name"] for one in paths["/api/v1/studies/{study_id}/figure"]["get"]["parameters"]
    }
