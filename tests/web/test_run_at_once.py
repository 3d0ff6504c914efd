"""An experiment is stored and run by one request."""

from __future__ import annotations

import time
from typing import Any

import pytest
from pytest_django import Settings

from playground.experiments import api
from playground.models import Experiment, Run, RunState
from playground.runs.live.ending import wait_for_end
from tests.web.conftest import JsonClient

pytestmark = [pytest.mark.redis, pytest.mark.django_db]


def test_one_request_stores_an_experiment_and_queues_a_run(
    browser: JsonClient, stranger: JsonClient, small_experiment: dict[str, Any]
) -> None:
    answer = browser.send("runs", {"experiment": small_experiment, "seed": 7})
    assert answer.status_code == 202, answer.content
    told = answer.json()
    assert (told["state"], told["seed"], told["summary"]) == ("queued", 7, None)
    assert told["live_url"] == f"http://localhost/e/{told['slug']}?run={told['id']}"
    assert told["socket_url"] == f"ws://localhost/ws/runs/{told['id']}"
    assert told["share_url"] == f"http://localhost/e/{told['slug']}"
    stored = browser.read(f"experiments/{told['experiment_id']}").json()
    assert (stored["mine"], stored["experiment_digest"]) == (True, told["experiment_digest"])
    assert [run["id"] for run in stored["runs"]] == [told["id"]]
    # The session owns it, and so does whoever shows the token that was told.
    assert stranger.send(f"runs/{told['id']}/cancel", {}).status_code == 403
    cancelled = stranger.send(f"runs/{told['id']}/cancel", {}, token=told["owner_token"])
    assert (cancelled.status_code, cancelled.json()["state"]) == (200, "cancelled")


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"experiment": None}, "experiment"),
        ({"experiment": {"schema_version": 1}}, "topology"),
        ({"seed": -1}, "seed"),
        ({"speed": 1}, "speed"),
    ],
)
def test_what_cannot_be_run_leaves_nothing(
    browser: JsonClient, small_experiment: dict[str, Any], change: dict[str, Any], path: str
) -> None:
    answer = browser.send("runs", {"experiment": small_experiment} | change)
    assert answer.status_code == 422, answer.content
    assert path in [item["path"] for item in answer.json()["problems"]]
    assert (Experiment.objects.count(), Run.objects.count()) == (0, 0)


def test_a_run_too_many_leaves_no_experiment(
    browser: JsonClient, small_experiment: dict[str, Any], settings: Settings
) -> None:
    settings.LIMIT_RUNS_AT_ONCE = 1
    assert browser.send("runs", {"experiment": small_experiment}).status_code == 202
    assert browser.send("runs", {"experiment": small_experiment}).status_code == 429
    assert Experiment.objects.count() == 1


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'{"experiment": {}, "experiment": {}}'])
def test_a_body_that_is_no_request_is_refused(browser: JsonClient, body: bytes) -> None:
    answer = browser.send("runs", raw=body)
    assert 400 <= answer.status_code < 500, answer.content
    assert answer.json()["problems"]


def test_without_a_worker_waiting_ends_in_time(browser: JsonClient, small_experiment: dict[str, Any]) -> None:
    began = time.monotonic()
    answer = browser.send("runs?wait=0.5", {"experiment": small_experiment})
    assert (answer.status_code, answer.json()["state"]) == (202, "queued")
    assert 0.5 <= time.monotonic() - began < 10
    assert browser.send("runs?wait=61", {"experiment": small_experiment}).status_code == 422


def test_whoever_waits_is_told_the_summary(
    browser: JsonClient, small_experiment: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run ends while the request waits; that a worker's end wakes it is asked of a whole playground."""

    async def end_and_wait(run_id: str, seconds: float) -> None:
        run = Run.objects.filter(public_id=run_id)
        await run.aupdate(state=RunState.DONE, summary={"seed": 1}, outcome_digest="d" * 64)
        began = time.monotonic()
        await wait_for_end(run_id, seconds)
        assert time.monotonic() - began < 30

    monkeypatch.setattr(api, "wait_for_end", end_and_wait)
    answer = browser.send("runs?wait=60", {"experiment": small_experiment})
    assert answer.status_code == 200, answer.content
    told = answer.json()
    assert (told["state"], told["progress"], told["summary"]) == ("done", 1, {"seed": 1})
