"""What pages say to those who see only their link, and of what a link names that is not there."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.contrib.staticfiles import finders
from django.urls import resolve
from django.utils import timezone
from pytest_django import Settings

from playground.models import Experiment, Run, RunState, StudyRun
from tests.web.conftest import JsonClient

pytestmark = [pytest.mark.django_db, pytest.mark.redis]


def told(page: str, name: str) -> str:
    found = re.search(f'property="og:{name}" content="([^"]*)"', page)
    assert found is not None, name
    return found[1]


def finished_run(experiment: dict[str, Any]) -> str:
    stored = Experiment.objects.get(public_id=experiment["id"])
    now = timezone.now()
    run = Run.objects.create(experiment=stored, seed=1, state=RunState.DONE, queued_at=now, ended_at=now, summary={})
    return str(run.public_id)


#: Addresses that people hold since the first version; tests/js/old_links.test.mjs has what stands behind them.
OLD_ADDRESSES = {
    "/": "landing",
    "/studio": "studio",
    "/studio/4fTqKz2mWc": "studio-experiment",
    "/e/warm-otter-12": "shared",
    "/e/warm-otter-12/embed": "embed",
    "/e/warm-otter-12/preview.png": "preview",
    "/e/warm-otter-12/qr.svg": "qr",
    "/e/warm-otter-12/forks": "forks",
    "/gallery": "gallery",
    "/compare": "compare",
    "/studies/4fTqKz2mWc": "study",
    "/traces/4fTqKz2mWc": "trace",
    "/experiments": "experiments",
}


def test_addresses_of_the_first_version_lead_to_their_pages() -> None:
    assert {address: resolve(address).url_name for address in OLD_ADDRESSES} == OLD_ADDRESSES
    assert resolve("/studio/").func is resolve("/studio").func


@pytest.mark.parametrize("path", ["/", "/gallery", "/studio?gallery=short-job"])
def test_a_page_has_a_card_whose_picture_exists(browser: JsonClient, path: str) -> None:
    page = browser.get(path).content.decode()
    assert told(page, "url") == f"http://localhost{path}"
    assert told(page, "title")
    assert finders.find(urlsplit(told(page, "image")).path.removeprefix("/static/")) is not None
    if "short-job" in path:
        assert told(page, "title") == "Why does the short job wait?"


def test_an_address_of_the_studio_has_a_card_for_others(
    browser: JsonClient, stranger: JsonClient, small_experiment: dict[str, Any]
) -> None:
    made = browser.make({**small_experiment, "name": "Passed on"})
    path = f"/studio/{made['id']}"
    assert "og:title" not in browser.get(path).content.decode(), "the owner's own page"
    page = stranger.get(path).content.decode()
    assert (told(page, "title"), told(page, "url")) == ("Passed on", f"http://localhost/e/{made['slug']}")


def test_a_study_says_what_it_asks_in_its_card_and_in_the_list(
    browser: JsonClient, small_experiment: dict[str, Any]
) -> None:
    made = browser.make(small_experiment)
    plan = {
        "name": "How stale?",
        "axes": [{"path": "scheduler.params.heartbeat_s", "values": [1, 2, 3]}],
        "schedulers": [{"name": "megha"}, {"name": "sparrow"}],
        "repeats": 4,
    }
    study = browser.send(f"experiments/{made['id']}/studies", plan).json()
    page = browser.get(f"/studies/{study['id']}").content.decode()
    assert told(page, "title") == "How stale?"
    assert (
        told(page, "description")
        == "Megha, Sparrow; Heartbeat interval 1\u202fs, 2\u202fs, 3\u202fs; 4 seeds, with 95 % intervals."
    )
    assert "Heartbeat interval: 1\u202fs, 2\u202fs, 3\u202fs" in browser.get("/studies").content.decode()


def test_pages_of_what_is_under_way_are_shown_while_redis_is_away(
    browser: JsonClient, small_experiment: dict[str, Any], settings: Settings
) -> None:
    made = browser.make(small_experiment)
    study = browser.send(f"experiments/{made['id']}/studies", {"name": "Under way", "repeats": 2}).json()
    first = StudyRun.objects.filter(study__public_id=study["id"]).first()
    assert first is not None
    # One run is done, so there is a time left to estimate; and one waits in the queue.
    StudyRun.objects.filter(pk=first.pk).update(state=RunState.DONE, seconds=1.0)
    waiting = browser.send(f"experiments/{made['id']}/runs").json()["id"]
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    for path in ("/studies", f"/studies/{study['id']}", "/experiments"):
        assert browser.get(path).status_code == 200, path
    assert "Under way" in browser.get("/studies").content.decode()
    # How far a run is stands in Redis: its page waits, and says so.
    away = browser.get(f"/compare?runs={waiting}")
    assert (away.status_code, away["Refresh"]) == (503, "5")
    assert "One moment" in away.content.decode()


@pytest.mark.parametrize(
    ("path", "goes"),
    [("/studio/nothing", "/experiments"), ("/e/nothing", "/experiments"), ("/studies/nothing", "/studies"),
     ("/traces/nothing", "/gallery"), ("/nothing-here", "/experiments")],
)  # fmt: skip
def test_what_is_not_there_says_where_to_go(browser: JsonClient, path: str, goes: str) -> None:
    answer = browser.get(path)
    assert answer.status_code == 404
    assert f'<a href="{goes}">' in answer.content.decode()


def test_in_a_frame_only_a_link_out_of_it_is_offered(browser: JsonClient) -> None:
    page = browser.get("/e/nothing/embed").content.decode()
    links = re.findall(r"<a [^>]*>", page)
    assert links
    assert all('target="_blank"' in link for link in links), "the other pages refuse to be framed"


def test_runs_that_a_comparison_lacks_are_counted(browser: JsonClient, small_experiment: dict[str, Any]) -> None:
    one, other = (finished_run(browser.make({**small_experiment, "seed": seed})) for seed in (1, 2))
    both = browser.get(f"/compare?runs={one},{other},gone").content.decode()
    assert "1 more run that the link names is not on this server." in both
    assert "data-sides" in both
    alone = browser.get(f"/compare?runs={one},gone").content.decode()
    assert "data-sides" not in alone, "one run is nothing to compare"
    assert f"?run={one}" in alone
    assert "2 runs that are not on this server" in browser.get("/compare?runs=gone,lost").content.decode()
    assert "not on this server" not in browser.get("/compare").content.decode()
    eight, nine = (browser.get(f"/compare?runs={','.join([one] * many)}").content.decode() for many in (8, 9))
    assert ("At most eight runs" in eight, "At most eight runs" in nine) == (False, True)


def test_a_comparison_shows_experiments_whose_runs_wait_for_a_place(
    browser: JsonClient, small_experiment: dict[str, Any]
) -> None:
    done, waits = (browser.make({**small_experiment, "seed": seed}) for seed in (1, 2))
    page = browser.get(f"/compare?runs={finished_run(done)}&next={waits['id']},gone").content.decode()
    assert 'data-runs="2"' in page
    assert "1 more run that the link names is not on this server." in page
    boot = json.loads(re.search(r'<script id="boot"[^>]*>(.*?)</script>', page, re.DOTALL)[1])  # type: ignore[index]
    assert [one["run"] is None for one in boot["runs"]] == [False, True]
    assert boot["runs"][1]["experiment"]["id"] == waits["id"]
    alone = browser.get(f"/compare?next={waits['id']},gone").content.decode()
    assert f"/studio/{waits['id']}" in alone
    assert "data-sides" not in alone


@pytest.mark.parametrize("path", ["/studio/{id}", "/e/{slug}", "/e/{slug}/embed", "/experiments", "/e/{slug}/forks"])
def test_markup_in_an_experiments_texts_is_text(
    browser: JsonClient, small_experiment: dict[str, Any], path: str
) -> None:
    odd = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"
    made = browser.make({**small_experiment, "name": odd, "question": odd})
    answer = browser.get(path.format(**made))
    assert answer.status_code == 200
    page = answer.content.decode()
    assert "alert(1)" in page
    assert "<script>alert" not in page
    assert "<img src=x" not in page
