"""The packed start of a run and the modules of event loops over HTTP."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from playground.models import Run
from playground.questions.answering import answer_question
from playground.runs.results import starts
from playground.runs.results.starts import Wanted, tag_of
from scheduler_core import Experiment, simulate
from scheduler_core.engine.wasm import packed
from tests.web.conftest import JsonClient
from tests.web.test_known import asked, computed

pytestmark = [pytest.mark.django_db, pytest.mark.redis, pytest.mark.usefixtures("broker")]


def test_a_module_is_kept_for_good_under_its_name(browser: JsonClient) -> None:
    built = packed.manifest()["schedulers/probing/sparrow/kernel.py:advance"]
    answer = browser.read(f"engine/{built.file}")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/wasm")
    assert answer.content == packed.module_bytes(built)
    assert "immutable" in answer["Cache-Control"]


@pytest.mark.parametrize("name", ["none.wasm", "manifest.json", ".."])
def test_no_other_file_is_a_module(browser: JsonClient, name: str) -> None:
    assert browser.read(f"engine/{name}").status_code == 404


def test_a_run_that_is_not_done_has_no_start_yet(browser: JsonClient, small_experiment: dict[str, Any]) -> None:
    run = asked(browser, small_experiment)
    assert browser.read(f"runs/{run['id']}/start").status_code == 409


def test_a_touchable_start_is_another_file_than_the_run_s(
    browser: JsonClient, small_experiment: dict[str, Any]
) -> None:
    run = Run.objects.get(public_id=asked(browser, small_experiment)["id"])
    tag = tag_of(run, Wanted(touchable=True))
    assert tag != tag_of(run)
    address = f"/api/v1/runs/{run.public_id}/start"
    assert browser.get(f"{address}?touchable=true", headers={"If-None-Match": tag}).status_code == 304
    assert browser.get(address, headers={"If-None-Match": tag}).status_code == 409  # it asks for the run's own start
    assert browser.get(f"{address}?touchable=perhaps").status_code == 422


def burst(**changes: Any) -> dict[str, Any]:
    made = {"at_s": 1, "kind": "burst", "target": {"queue": "q0"}, "duration_s": 5, "value": {"rate_factor": 3}}
    return made | changes


def test_a_start_may_have_events_that_the_run_does_not_have(
    browser: JsonClient, small_experiment: dict[str, Any], tmp_path: Path
) -> None:
    """A page touches with what needs other arrays, such as a burst: the start's result is that of the fork."""
    run = computed(asked(browser, small_experiment), tmp_path)
    slow = {"at_s": 2, "kind": "set", "target": {"scheduler": True}, "value": {"heartbeat_s": 60}, "duration_s": 9}
    events = [burst(), slow]
    told = starts.ask_for_start(run=run, wanted=Wanted(touchable=True, events=events))
    assert answer_question(task=None, kind_name="start", name=told.name) == "done"
    answer = browser.read(f"runs/{run.public_id}/start?touchable=true&events={quote(json.dumps(events))}")
    assert answer.status_code == 200, answer.content
    header = starts.header_of(answer.content)
    stored = run.experiment.data
    fork = Experiment.parse(stored | {"seed": run.seed, "events": [*stored["events"], *events]})
    assert header["outcome_digest"] == simulate(fork).summary["outcome_digest"] != run.summary["outcome_digest"]  # type: ignore[index]
    assert answer["ETag"] == tag_of(run, Wanted(touchable=True, events=events)) != tag_of(run, Wanted(touchable=True))


def test_events_that_the_run_cannot_have_are_refused_with_their_place(
    browser: JsonClient, small_experiment: dict[str, Any], tmp_path: Path
) -> None:
    run = computed(asked(browser, small_experiment), tmp_path)
    address = f"runs/{run.public_id}/start?events="
    refused = browser.read(address + quote(json.dumps([burst(target={"queue": "none"})])))
    assert refused.status_code == 422
    assert [each["path"] for each in refused.json()["problems"]] == ["events[0].target.queue"]
    for wrong in ("[", "{}", json.dumps([burst()] * 17), json.dumps(["burst"])):
        assert browser.read(address + quote(wrong)).status_code == 422, wrong


def test_a_start_may_have_other_values_than_the_run(
    browser: JsonClient, small_experiment: dict[str, Any], tmp_path: Path
) -> None:
    """A page changes what needs other arrays: they come without a run, and the page may ask for larger ones."""
    run = computed(asked(browser, small_experiment), tmp_path)
    changes = {"seed": 5, "workload.arrivals.offered_load": 0.5}
    for full in ((), (6,)):
        wanted = Wanted(touchable=True, changes=changes, full=full)
        told = starts.ask_for_start(run=run, wanted=wanted)
        assert answer_question(task=None, kind_name="start", name=told.name) == "done"
        query = f"changes={quote(json.dumps(changes))}" + (f"&full={quote(json.dumps(full))}" if full else "")
        answer = browser.read(f"runs/{run.public_id}/start?{query}")
        assert answer.status_code == 200, answer.content
        header = starts.header_of(answer.content)
        assert (header["outcome_digest"], "touch" in header) == ("", True)
        assert answer["ETag"] == tag_of(run, wanted) != tag_of(run, Wanted(touchable=True))
    wrong = browser.read(f"runs/{run.public_id}/start?changes=" + quote(json.dumps({"seed": -1})))
    assert (wrong.status_code, [each["path"] for each in wrong.json()["problems"]]) == (422, ["seed"])
    for odd in ("[]", "1", json.dumps({"nowhere.at": 1})):
        assert browser.read(f"runs/{run.public_id}/start?changes={quote(odd)}").status_code == 422, odd
    assert browser.read(f"runs/{run.public_id}/start?{query}&full=[3]").status_code == 422
