"""A run as one page: everything in it, nothing of it asked for, and names are text."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from pytest_django import Settings

from playground.models import Run
from playground.questions.answering import answer_question
from playground.runs.results import run_page, starts
from playground.web.built import file_of
from tests.web.conftest import JsonClient
from tests.web.test_known import asked, computed

pytestmark = [pytest.mark.django_db, pytest.mark.redis, pytest.mark.usefixtures("broker")]


def with_start(run: Run, state: str = "done", chosen: dict[str, list[Any]] | None = None) -> Run:
    """Answer the question for what the page simulates, as a worker does."""
    name = starts.ask_for_page(run=run, chosen=chosen or {}).name
    assert answer_question(task=None, kind_name="start", name=name) == state
    return run


def start_in(page: str) -> dict[str, Any]:
    """Return the header of the packed start in a page."""
    return starts.header_of(base64.b64decode(page.split('id="engine-start">')[1].split("<")[0]))


@pytest.fixture(autouse=True)
def own_media(settings: Settings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"


def test_a_run_is_one_page_that_asks_for_nothing_and_shows_a_name_as_text(
    browser: JsonClient, small_experiment: dict[str, Any], tmp_path: Path
) -> None:
    assert file_of("run_page"), "make test builds the pages' scripts: manage.py bundle"
    name = "</title><script>alert(1)</script>"
    run = with_start(computed(asked(browser, small_experiment | {"name": name}), tmp_path))
    answer = browser.read(f"runs/{run.public_id}/page.html")
    assert answer.status_code == 200, answer.content
    assert "attachment" in answer["Content-Disposition"]
    page = answer.content.decode()
    assert len(page) < 8_000_000
    assert "<script>alert" not in page
    # What begins to load is in the page, and its policy refuses everything else.
    assert not re.findall(r"""(?:\bsrc|<link[^>]*href)=["'][^"']""", page.split('<script type="module">')[0])
    script = page.split('<script type="module">')[1].split("</script>")[0]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}' 'wasm-unsafe-eval'; worker-src blob:;" in page
    assert "default-src 'none'" in page
    assert run.summary["outcome_digest"] in page  # type: ignore[index]  # a run that is done has one
    header = start_in(page)
    assert header["module"].startswith("schedulers.")
    assert f'data-module="{header["module"]}"' in page
    assert header["touch"]["racks"]
    assert "variants" not in header


def test_a_page_has_the_settings_that_its_author_leaves_in(
    browser: JsonClient, small_experiment: dict[str, Any], tmp_path: Path
) -> None:
    chosen: dict[str, list[Any]] = {"scheduler.params.heartbeat_s": [1, 60]}
    run = with_start(computed(asked(browser, small_experiment), tmp_path), chosen=chosen)
    page = browser.read(f"runs/{run.public_id}/page.html?{urlencode({'settings': json.dumps(chosen)})}")
    assert page.status_code == 200, page.content
    text = page.content.decode()
    (setting,) = json.loads(text.split('id="boot"')[1].split(">", 1)[1].split("</script>")[0])["settings"]
    own = run.experiment.data["scheduler"]["params"]["heartbeat_s"]
    assert setting["values"] == sorted({1, 60, own})
    assert setting["values"][setting["own"]] == own
    assert (setting["label"], setting["kind"], setting["words"][-1]) == ("Heartbeat interval", "number", "60\u202fs")
    assert len(start_in(text)["variants"]) == len(setting["values"]) - 1


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ("[1]", "settings"),
        ("{", "settings"),
        ('{"scheduler.params.heartbeat_s": [-1]}', "Heartbeat interval"),
        ('{"scheduler.params.nothing": [1]}', "name a setting that this run has"),
        (json.dumps({"workload.arrivals.offered_load": [each / 100 for each in range(1, 80)]}), "LIMIT_PAGE_RUNS"),
        ('{"workload.jobs": [900000000]}', "900,000,000"),
    ],
)
def test_settings_that_a_page_cannot_have_are_refused_at_once(
    browser: JsonClient, small_experiment: dict[str, Any], tmp_path: Path, chosen: str, words: str
) -> None:
    run = computed(asked(browser, small_experiment), tmp_path)
    answer = browser.read(f"runs/{run.public_id}/page.html?{urlencode({'settings': chosen})}")
    assert answer.status_code == 422
    assert words in answer.content.decode()


def test_a_run_that_no_page_can_simulate_says_why_in_its_page(
    browser: JsonClient, small_experiment: dict[str, Any], tmp_path: Path
) -> None:
    asked_for = asked(browser, small_experiment | {"scheduler": {"name": "quincy"}})
    run = with_start(computed(asked_for, tmp_path), "failed")
    page = browser.read(f"runs/{run.public_id}/page.html").content.decode()
    assert "asks the server in mid-run" in page
    assert "wasm-unsafe-eval" not in page
    assert 'id="engine-start"' not in page


def test_a_server_without_built_scripts_says_what_to_do(
    browser: JsonClient, small_experiment: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(run_page, "file_of", lambda page: None)
    run = with_start(computed(asked(browser, small_experiment), tmp_path))
    answer = browser.read(f"runs/{run.public_id}/page.html")
    assert (answer.status_code, answer.json()["type"].rsplit("/", 1)[-1]) == (409, "not-built")
    assert "manage.py bundle" in str(answer.json())
    german = browser.read(f"runs/{run.public_id}/page.html?lang=de").content.decode()
    assert "fragt mitten im Lauf den Server" in german
    assert "asks the server in mid-run" not in german
