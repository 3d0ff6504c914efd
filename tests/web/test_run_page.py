"""A run as one page: everything in it, nothing of it asked for, and names are text."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from PIL import Image
from pytest_django import Settings

import scheduler_core
from playground.models import Run
from playground.questions.answering import answer_question
from playground.runs.results import run_page, starts
from playground.runs.results.pictures import STILL_SIZE
from playground.web.built import file_of
from tests.support import PROJECT
from tests.tiers import wide
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
    assert not re.findall(r"""(?:\bsrc|<link[^>]*href)=["'](?!data:)[^"']""", page.split('<script type="module">')[0])
    script = page.split('<script type="module">')[1].split("</script>")[0]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}' 'wasm-unsafe-eval'; worker-src blob:;" in page
    assert "default-src 'none'" in page
    assert f'<meta name="generator" content="Scheduler Playground {scheduler_core.__version__}">' in page
    assert run.summary["outcome_digest"] in page  # type: ignore[index]  # a run that is done has one
    header = start_in(page)
    assert header["module"].startswith("schedulers.")
    assert f'data-module="{header["module"]}"' in page
    assert header["touch"]["racks"]
    assert "variants" not in header


def test_a_page_has_a_picture_with_caption_and_link_where_no_script_runs(
    browser: JsonClient, small_experiment: dict[str, Any], tmp_path: Path
) -> None:
    run = with_start(computed(asked(browser, small_experiment), tmp_path))
    page = browser.read(f"runs/{run.public_id}/page.html").content.decode()
    still = page.split("data-still>")[1].split("</figure>")[0]
    size = '" width="{}" height="{}" alt="'.format(*STILL_SIZE)
    picture = base64.b64decode(still.split("base64,")[1].split(size)[0])
    with Image.open(io.BytesIO(picture)) as image:
        assert image.size == STILL_SIZE
        assert len(image.getcolors() or []) > 1, "an empty picture"
    assert len(picture) < 100_000
    assert "Map of the machines in the middle of a run of Small" in still
    assert re.search(r"The machines at [\d.]+\xa0?\s?\w+\.", still)
    assert re.search(rf'<a href="http://[\w.]+/e/{run.experiment.slug}"', still)
    assert "is-still" in page.split("<body")[1].split(">")[0]


def test_a_page_names_the_third_party_files_in_it_with_their_licenses(
    browser: JsonClient, small_experiment: dict[str, Any], tmp_path: Path
) -> None:
    """What is in the scripts stands in their source maps; what is in the styles, in these."""
    static = PROJECT / "static"
    carried: set[str] = set()
    for name in ("run_page", "engine_worker"):
        sources = json.loads((static / f"{file_of(name)}.map").read_text(encoding="utf-8"))["sources"]
        carried |= {found[1] for each in sources if (found := re.search(r"/vendor/([\w-]+)/", each))}
    for name in run_page.STYLES:
        text = f"{name} {(static / name).read_text(encoding='utf-8')}"
        carried |= set(re.findall(r"vendor/([\w-]+)/", text))
    assert carried == set(run_page.CARRIED)
    run = with_start(computed(asked(browser, small_experiment), tmp_path))
    page = browser.read(f"runs/{run.public_id}/page.html").content.decode()
    notices = dict(re.findall(r'<h3>([\w-]+)</h3><pre class="run-page-license">(.*?)</pre>', page, re.DOTALL))
    assert set(notices) == carried | {"numba"}
    assert [name for name, text in notices.items() if "opyright" not in text] == []


@wide
@pytest.mark.slow
def test_a_page_of_20_000_tasks_has_less_than_3_mb(
    browser: JsonClient, small_experiment: dict[str, Any], tmp_path: Path
) -> None:
    clusters = [{"name": "lm", "repeat": 10, "machines": [{"count": 100, "cpus": 1}]}]
    work = small_experiment["workload"] | {"jobs": 20_000}
    large = small_experiment | {"topology": {"global_masters": 2, "clusters": clusters}, "workload": work}
    run = with_start(computed(asked(browser, large), tmp_path, frames=600))
    page = browser.read(f"runs/{run.public_id}/page.html").content
    assert 'id="engine-start"' in page.decode()
    assert len(page) < 3_000_000


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
    german = browser.read(f"runs/{run.public_id}/page.html?lang=de").content.decode()
    assert "fragt mitten im Lauf den Server" in german
    assert "asks the server in mid-run" not in german


def test_a_server_without_built_scripts_says_what_to_do(
    browser: JsonClient, small_experiment: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(run_page, "file_of", lambda page: None)
    run = with_start(computed(asked(browser, small_experiment), tmp_path))
    answer = browser.read(f"runs/{run.public_id}/page.html")
    assert (answer.status_code, answer.json()["type"].rsplit("/", 1)[-1]) == (409, "not-built")
    assert "manage.py bundle" in str(answer.json())
