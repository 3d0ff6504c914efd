"""Sheets of paper: a claim, a comparison and a study as one file that asks for nothing and shows all it has."""

from __future__ import annotations

import base64
import html
import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client
from pytest_django import Settings

from playground.models import RunState, StudyRun
from playground.sheets import sheet as sheets
from scheduler_core import Experiment, StudyPlan, expand
from scheduler_core.claims import known_claims
from scheduler_core.claims.papers import papers, standing
from scheduler_core.claims.running import experiments_of
from tests.web.conftest import JsonClient
from tests.web.test_known import asked, computed

pytestmark = [pytest.mark.django_db, pytest.mark.redis]
EVIL = "</title><script>alert(1)</script>"
PLAN = {
    "axes": [{"path": "scheduler.params.heartbeat_s", "values": [1, 10]}],
    "repeats": 2,
    "schedulers": [{"name": "megha"}, {"name": "sparrow"}],
}
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True)
def own_media(settings: Settings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"


def page_at(browser: JsonClient, address: str) -> str:
    """Return a sheet that keeps what every sheet promises."""
    answer = browser.read(address)
    assert answer.status_code == 200, answer.content
    assert "attachment" in answer["Content-Disposition"]
    page: str = answer.content.decode()
    assert len(answer.content) <= sheets.MOST_BYTES
    assert "<script" not in page
    assert "default-src 'none'" in page
    assert not re.findall(r"""\bsrc=|<link|url\(|@import""", page)
    assert not re.findall(r"""href=["'](?!data:|http://)""", page)
    for picture in pictures_in(page):
        assert picture.get("width", "").endswith("mm")
    return page


def pictures_in(page: str) -> list[ElementTree.Element]:
    """The pictures of a sheet, each a document of its own."""
    return [ElementTree.fromstring(one) for one in re.findall(r"<svg.*?</svg>", page, re.DOTALL)]


def files_in(page: str) -> dict[str, str]:
    """What the links of a sheet save; the same stands in the sheet to be read."""
    links = re.findall(r'href="data:[^"]*;base64,([^"]*)" download="([^"]*)"', page)
    found = {name: base64.b64decode(content).decode() for content, name in links}
    shown = dict(re.findall(r'<pre[^>]* data-file="([^"]*)">(.*?)</pre>', page, re.DOTALL))
    assert {name: html.unescape(text) for name, text in shown.items()} == {name: found[name] for name in shown}
    assert set(found) - set(shown) == {name for name in found if name.endswith((".svg", ".bib"))}
    return found


def text_of(picture: ElementTree.Element) -> list[str]:
    return [one.text or "" for one in picture.iter(f"{SVG}text")]


def test_a_claim_is_a_sheet_with_verdict_data_and_the_experiments_that_repeat_it(browser: JsonClient) -> None:
    claim = known_claims()["megha-f3-4-tail"]
    page = page_at(browser, f"papers/claims/{claim.id}/sheet.html")
    assert html.escape(claim.says, quote=True) in page
    assert 'data-standing="at the edge"' in page
    assert f"python -m scheduler_core claims run {claim.id}" in page
    files = files_in(page)
    made = experiments_of(claim, claim.seeds[0])
    found = {name: Experiment.parse(json.loads(files[f"{claim.id}-{name}.json"])) for name in made}
    assert found == made
    assert "Megha, ours, seed 1" in files[f"{claim.id}.csv"]
    assert "claim digest" in files["cite.bib"]
    (picture,) = pictures_in(page)
    assert {"Published", "Megha, ours", "Accepted range"} <= set(text_of(picture))
    alone = browser.read(f"papers/claims/{claim.id}/figure.svg?width_mm=85&font_pt=7")
    assert alone["Content-Type"] == "image/svg+xml"
    assert ElementTree.fromstring(alone.content).get("width") == "85.00mm"


def test_claims_of_every_kind_have_a_sheet(browser: JsonClient) -> None:
    claims = [claim for paper in papers().values() for claim in paper.claims]
    kinds = {(standing(claim), claim.chart is None, claim.runs): claim for claim in claims}
    assert {kind[0] for kind in kinds} == {
        "tick",
        "reproduced",
        "at the edge",
        "sign only",
        "not reproduced",
        "cannot be run",
    }
    for claim in kinds.values():
        page = page_at(browser, f"papers/claims/{claim.id}/sheet.html")
        # The cause with which a reason begins is a sentence of its own on the page.
        told = claim.reason.partition(": ")[2] or claim.missing
        assert html.escape(told[:1].upper() + told[1:], quote=True) in page, claim.id
    assert browser.read("papers/claims/no-such-claim/sheet.html").status_code == 404


@pytest.mark.django_db(transaction=True)
def test_a_study_is_a_sheet_with_intervals_and_the_plan(
    browser: JsonClient, small_experiment: dict[str, Any], client: Client
) -> None:
    made = browser.make(small_experiment | {"name": EVIL, "question": EVIL})
    told = browser.send(f"experiments/{made['id']}/studies", PLAN | {"name": EVIL}).json()
    for number, delay in enumerate((1.0, 30.0, 4.0, 3.0, 50.0, 4.5)):
        summary = {"scheduler": "megha", "allocation_delay_s": {"p99": delay}}
        StudyRun.objects.filter(study__public_id=told["id"], number=number).update(
            state=RunState.DONE, summary=summary, seconds=2.0
        )
    page = page_at(browser, f"studies/{told['id']}/sheet.html?statistic=median")
    assert html.escape(EVIL) in page
    files = files_in(page)
    experiment, plan = (json.loads(files[name]) for name in ("experiment.json", "plan.json"))
    grid = expand(Experiment.parse(experiment), StudyPlan.parse(plan))
    assert grid.runs == told["runs"]
    assert files[f"study-{told['id']}.csv"].startswith("series,")
    digest = browser.read(f"experiments/{made['id']}").json()["experiment_digest"]
    assert digest in files["cite.bib"]
    assert digest in page
    names = text_of(pictures_in(page)[0])
    assert {"Megha", "Sparrow", "10\u202fs"} <= set(names)


def test_runs_side_by_side_are_a_sheet_with_each_experiment(
    browser: JsonClient, small_experiment: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = computed(asked(browser, small_experiment | {"name": EVIL}), tmp_path)
    other = computed(asked(browser, small_experiment | {"seed": 7}), tmp_path)
    address = f"comparisons/sheet.html?runs={first.public_id},{other.public_id}&kind=percentiles"
    page = page_at(browser, address)
    assert html.escape(EVIL) in page
    files = files_in(page)
    seeds = [json.loads(text)["seed"] for name, text in files.items() if name.endswith(".json")]
    assert seeds == [first.seed, other.seed]
    assert [name for name in files if name.endswith(".csv")] == ["percentiles.csv", "waits.csv", "jobs.csv"]
    assert len(pictures_in(page)) == 3
    for run in (first, other):
        assert run.outcome_digest in page
    # This server's address opens nothing elsewhere, so the sheet leaves it out.
    assert not re.search(r"https?://(testserver|localhost|127\.)", page)
    monkeypatch.setattr(sheets, "MOST_BYTES", 1_000)
    refused = browser.read(address)
    assert (refused.status_code, refused.json()["type"].rsplit("/", 1)[-1]) == (409, "too-large")
