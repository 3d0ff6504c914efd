"""The starts of jobs beside the recorded ones: the API gives what the library's result has, in pages and as files."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
import pytest
from django.core.files.base import ContentFile
from django.utils import timezone
from pytest_django import Settings

from playground.models import Run, RunState
from playground.runs.results.recorded import with_recorded
from scheduler_core import Experiment, RunResult, simulate
from tests.web.conftest import JsonClient

pytestmark = [pytest.mark.django_db, pytest.mark.redis]

JOBS = [
    {"arrival_s": 0, "started_s": 1, "durations_s": [4, 5, 6]},
    {"arrival_s": 0, "started_s": 30, "durations_s": [1, 1]},
    {"arrival_s": 1, "durations_s": [2]},
    {"arrival_s": 2, "started_s": 3, "durations_s": [3]},
]
"""Three jobs with a recorded start, and one without."""


@pytest.fixture(autouse=True)
def own_folder(settings: Settings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"


def experiment(jobs: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "schema_version": 1,
        "topology": {"clusters": [{"name": "c", "machines": [{"count": 2, "cpus": 2}]}]},
        "workload": {"kind": "inline", "jobs": jobs},
        "scheduler": {"name": "fifo"},
    }


def done(browser: JsonClient, tmp_path: Path, jobs: list[dict[str, Any]], *, wider: bool = True) -> tuple[str, Any]:
    """Do with a queued run what a worker does; return its id and the library's result."""
    found: RunResult = simulate(Experiment.parse(experiment(jobs)))
    started = browser.send("runs", {"experiment": experiment(jobs)}).json()
    run = Run.objects.get(public_id=started["id"])
    path = tmp_path / "tasks.parquet"
    (with_recorded(found) if wider else found.tasks).to_parquet(path)
    run.tasks_table.save(f"{run.public_id}.parquet", ContentFile(path.read_bytes()), save=False)
    run.state, run.ended_at, run.summary = RunState.DONE, timezone.now(), found.summary
    run.save()
    return run.public_id, found


def content(answer: Any) -> bytes:
    assert answer.status_code == 200
    return b"".join(answer.streaming_content)


def test_the_jobs_starts_are_those_of_the_library(browser: JsonClient, tmp_path: Path) -> None:
    run, found = done(browser, tmp_path, JOBS)
    assert found.starts is not None
    expected = {name: found.starts[name].tolist() for name in found.starts.dtype.names}
    assert expected["job"] == [0, 1, 3]
    page = browser.read(f"runs/{run}/recorded-starts").json()
    assert (page["total"], page["first"], page["next"]) == (3, 0, None)
    assert page["job"] == expected["job"]
    for name in ("start", "recorded_start", "shift"):
        assert page[f"{name}_s"] == [value / 1e9 for value in expected[f"{name}_ns"]]
    assert pq.read_table(io.BytesIO(content(browser.read(f"runs/{run}/starts.parquet")))).to_pydict() == expected
    assert pa_csv.read_csv(io.BytesIO(content(browser.read(f"runs/{run}/starts.csv")))).to_pydict() == expected
    # The summary counts the same jobs.
    assert found.summary["recorded_starts"]["jobs"] == page["total"]
    assert found.summary["recorded_starts"]["later"] == sum(shift > 0 for shift in page["shift_s"])


def test_the_largest_difference_comes_first_page_by_page(browser: JsonClient, tmp_path: Path) -> None:
    run, _ = done(browser, tmp_path, JOBS)
    whole = browser.read(f"runs/{run}/recorded-starts?order=difference").json()
    sizes = [abs(shift) for shift in whole["shift_s"]]
    assert sizes == sorted(sizes, reverse=True)
    assert whole["job"][0] == 1, "recorded at 30 s, and there is room from the first second on"
    first = browser.read(f"runs/{run}/recorded-starts?order=difference&count=2").json()
    rest = browser.read(f"runs/{run}/recorded-starts?order=difference&count=2&first={first['next']}").json()
    assert first["job"] + rest["job"] == whole["job"]
    assert (first["next"], rest["next"]) == (2, None)


def test_a_run_without_recorded_starts_says_so(browser: JsonClient, tmp_path: Path) -> None:
    plain = [{key: value for key, value in job.items() if key != "started_s"} for job in JOBS]
    run, found = done(browser, tmp_path, plain)
    assert found.starts is None
    for path in ("recorded-starts", "starts.csv", "starts.parquet"):
        answer = browser.read(f"runs/{run}/{path}")
        assert answer.status_code == 404
        assert answer.json()["type"].endswith("no-recorded-starts")


def test_a_run_of_an_earlier_version_says_how_to_get_them(browser: JsonClient, tmp_path: Path) -> None:
    run, _ = done(browser, tmp_path, JOBS, wider=False)
    answer = browser.read(f"runs/{run}/recorded-starts")
    assert answer.status_code == 410
    assert answer.json()["problems"][0]["remedy"]
