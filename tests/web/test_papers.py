"""The wall of claims and the pages of papers."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.test import Client

from playground.claims.again import KIND
from playground.papers.service import STANDINGS
from scheduler_core import Experiment
from scheduler_core.claims import known_claims
from scheduler_core.claims.papers import papers, standing
from scheduler_core.claims.running import experiments_of
from tests.web.conftest import JsonClient

SHOWN = {name: (*paper.claims, *paper.besides) for name, paper in papers().items()}
CLAIMS = [claim for claims in SHOWN.values() for claim in claims]


def tiles(client: Client, query: str = "") -> dict[str, str]:
    """How each tile of the wall stands, by claim."""
    html = client.get(f"/papers{query}").content.decode()
    return {name: how for how, name in re.findall(r'class="tile" data-standing="([^"]+)" data-claim="([^"]+)"', html)}


def test_the_wall_has_every_claim_by_how_it_stands(client: Client) -> None:
    found = tiles(client)
    assert found == {claim.id: standing(claim) for claim in CLAIMS}
    assert set(found.values()) == set(STANDINGS)


@pytest.mark.parametrize(
    ("query", "held"),
    [
        ("?verdict=not+reproduced", lambda paper, claim: standing(claim) == "not reproduced"),
        ("?scheduler=hawk", lambda paper, claim: "hawk" in paper.schedulers),
        ("?paper=megha&verdict=tick", lambda paper, claim: paper.name == "megha" and standing(claim) == "tick"),
        ("?verdict=no-such", lambda paper, claim: True),
    ],
)
def test_the_address_filters_without_a_script(client: Client, query: str, held) -> None:  # type: ignore[no-untyped-def]
    expected = {claim.id for paper in papers().values() for claim in SHOWN[paper.name] if held(paper, claim)}
    assert set(tiles(client, query)) == expected


def test_a_paper_begins_with_its_main_claim_and_leads_to_the_studio(client: Client) -> None:
    for paper in papers().values():
        html = client.get(f"/papers/{paper.name}").content.decode()
        assert re.findall(r'<article class="claim" id="([^"]+)"', html) == [claim.id for claim in SHOWN[paper.name]]
    html = client.get("/papers/carbyne").content.decode().split('id="carbyne-f2-toy"')[1]
    packed = re.findall(r'href="/studio#x2\.([^"]+)">DRF<', html)[0]
    told = json.loads(zlib.decompress(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), -15))
    del told["rules"]
    assert Experiment.parse(told) == experiments_of(known_claims()["carbyne-f2-toy"], 1)["drf"]
    assert client.get("/papers/no-such-paper").status_code == 404


def test_a_claim_with_numbers_has_a_figure_of_published_values_and_ours(browser: JsonClient) -> None:
    told = browser.read("papers/claims/carbyne-f11-altruism/figure?theme=dark").json()
    names = [trace["name"] for trace in told["figure"]["data"]]
    ours = ["Carbyne, ours"] * 4 + ["Carbyne, published"]  # three seeds and their median
    assert names == ["Accepted range"] * 3 + ours
    parts = browser.read("papers/claims/hawk-vs-sparrow/figure").json()["figure"]["data"]
    by_name = {trace["name"]: trace["y"] for trace in parts if len(trace["y"]) == 4 and "Ours" in trace["name"]}
    assert by_name["Ours"] == pytest.approx([81, 86, 22, 10], abs=1)
    markers = [trace["marker"]["symbol"] for trace in parts if trace["name"] in ("Published", "Ours")]
    assert len(set(markers)) == 2, "in grey, published values and ours differ by their markers"
    assert "Ours, seeds" in browser.read("papers/claims/hawk-vs-sparrow/figure.csv").content.decode()
    seeds = browser.read("papers/claims/megha-f3-4-tail/figure.csv").content.decode()
    assert '"Megha, ours, seed 2",Longest,' in seeds
    for name in ("fuxi", "no-such-claim"):
        assert browser.read(f"papers/claims/{name}/figure").status_code == 404


def test_a_comparison_with_a_program_stands_on_its_scheduler_s_page_with_the_program_s_values(
    client: Client, browser: JsonClient
) -> None:
    html = client.get("/papers/pigeon").content.decode()
    assert "Beside the authors' public program" in html.replace("&#x27;", "'")
    assert '<th scope="col">Program</th>' in html
    told = browser.read("papers/claims/oracle-pigeon-yh1-4000/figure").json()["figure"]
    names = {trace["name"] for trace in told["data"] if trace["showlegend"]}
    assert {"Short jobs, ours", "Program", "Accepted range"} <= names
    assert told["layout"]["xaxis"]["ticktext"] == ["mean", "p90", "p99"]


def test_a_claim_without_its_trace_says_so_and_names_no_folder_of_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCHEDULER_TRACES", str(tmp_path))
    told = KIND.answer(SimpleNamespace(key="oracle-pigeon-yh1-4000", look=lambda part: None))  # type: ignore
    assert told["verdict"] == "cannot be run"
    assert "YH1_sub.tr" in told["why"]
    assert str(tmp_path) not in told["why"]


@pytest.mark.parametrize("paper", papers())
def test_every_figure_of_a_paper_can_be_drawn(client: Client, browser: JsonClient, paper: str) -> None:
    html = client.get(f"/papers/{paper}").content.decode()
    for name in re.findall(r'data-claim-figure="([^"]+)"', html):
        assert browser.read(f"papers/claims/{name}/figure").status_code == 200
