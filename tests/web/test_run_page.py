"""A run as one page: everything in it, nothing of it asked for, and names are text."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from playground.models import Run
from playground.questions.answering import answer_question
from playground.runs.results import run_page, starts
from playground.web.built import file_of
from tests.web.conftest import JsonClient
from tests.web.test_known import asked, computed

pytestmark = [pytest.mark.django_db, pytest.mark.redis, pytest.mark.usefixtures("broker")]


def with_start(run: Run, state: str = "done") -> Run:
    """Answer the question for the run's start, as a worker does."""
    assert answer_question(task=None, kind_name="start", name=starts.ask_for_start(run=run).name) == state
    return run


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
    start = base64.b64decode(page.split('id="engine-start">')[1].split("<")[0])
    assert starts.module_of(start).startswith("schedulers.")


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
