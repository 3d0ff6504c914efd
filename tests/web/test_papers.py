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
from playground.claims.labels import labels_of
from playground.claims.links import compared_links, studio_links
from playground.claims.openings import offered
from playground.claims.parts import band_words, part_value_words
from playground.claims.view import STANDINGS
from playground.claims.wall import part_of
from playground.storage import workers
from scheduler_core import SCHEDULERS, Experiment
from scheduler_core.claims import known_claims, results
from scheduler_core.claims.charts import Band
from scheduler_core.claims.counted import COUNTED, counted
from scheduler_core.claims.papers import papers, standing
from scheduler_core.claims.parts import PartRow
from scheduler_core.claims.running import experiments_of
from tests.tiers import all_but_wide
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
    assert set(found.values()) | {"no evidence"} == set(STANDINGS)


def counted_at_the_head(html: str, part: str) -> list[tuple[int, str]]:
    section = re.findall(rf'<section data-counted="{part}">(.*?)</section>', html, re.DOTALL)[0]
    told = [(int(many), words) for many, words in re.findall(r"<li><b>(\d+)</b> ([^<]+)</li>", section)]
    assert f"{sum(many for many, _ in told)} " in section.partition("</h2>")[0]
    return told


def test_the_wall_counts_statements_by_kind_and_programs_apart(client: Client) -> None:
    html = client.get("/papers").content.decode()
    for part, programs in (("papers", False), ("programs", True)):
        expected = [(many, COUNTED[name]) for name, many in counted(programs=programs).items()]
        assert counted_at_the_head(html, part) == expected


def test_the_head_and_the_groups_of_the_wall_count_the_same(client: Client) -> None:
    html = client.get("/papers").content.decode()
    for part in ("papers", "programs", "settings"):
        heads = re.findall(rf'<span data-counted="{part}">(\d+) ', html)
        told = [many for many, _ in counted_at_the_head(html, part)]
        assert sorted(map(int, heads)) == sorted(told), part
        assert sum(told) == sum(part_of(claim) == part for claim in CLAIMS)
    for group in html.split('<section class="verdict-group"')[1:]:
        heads = re.findall(r'<span data-counted="\w+">(\d+) ', group)
        assert sum(map(int, heads)) == group.count('class="tile"')


def test_a_part_whose_range_differs_from_the_catalogue_s_shows_both(client: Client) -> None:
    html = client.get("/papers/hawk").content.decode().split('id="hawk-vs-sparrow"')[1].split("</article>")[0]
    assert "Right direction, wrong size" in html
    row = html.split("Long jobs, p50")[1].split("</tr>")[0]
    assert re.findall(r"<td[^>]*>([^<]*)", row)[2:4] == ["26.2\u202f% to 43.8\u202f%", "above 0\u202f%"]


def test_a_claim_at_the_edge_says_under_how_many_seeds_it_holds(client: Client) -> None:
    html = client.get("/papers/megha").content.decode().split('id="megha-f3-4-tail"')[1].split("</article>")[0]
    assert 'data-standing="at the edge"' in html
    assert "The claim holds under 4 of 5 seeds." in html


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
    assert by_name["Ours"] == pytest.approx([82, 84, 22, 10], abs=1)
    markers = [trace["marker"]["symbol"] for trace in parts if trace["name"] in ("Published", "Ours")]
    assert len(set(markers)) == 2, "in gray, published values and ours differ by their markers"
    assert "Ours, seeds" in browser.read("papers/claims/hawk-vs-sparrow/figure.csv").content.decode()
    seeds = browser.read("papers/claims/megha-f3-4-tail/figure.csv").content.decode()
    assert '"Megha, ours, seed 2",Longest,' in seeds
    for name in ("fuxi", "no-such-claim"):
        assert browser.read(f"papers/claims/{name}/figure").status_code == 404


def test_a_comparison_with_a_program_stands_on_its_scheduler_s_page_with_the_program_s_values(
    client: Client, browser: JsonClient
) -> None:
    html = client.get("/papers/pigeon").content.decode()
    assert "Compared with the authors' public program" in html.replace("&#x27;", "'")
    assert '<th scope="col">Program</th>' in html
    told = browser.read("papers/claims/oracle-pigeon-yh1-4000/figure").json()["figure"]
    names = {trace["name"] for trace in told["data"] if trace["showlegend"]}
    assert {"Short jobs, ours", "Program", "Accepted range"} <= names
    assert told["layout"]["xaxis"]["ticktext"] == ["mean", "p90", "p99"]


def test_a_claim_without_its_trace_says_so_and_names_no_folder_of_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCHEDULER_TRACES", str(tmp_path))
    told = KIND.answer(SimpleNamespace(key="oracle-pigeon-yh1-4000", args={}, look=lambda part: None))  # type: ignore
    assert told["verdict"] == "cannot be run"
    assert "YH1_sub.tr" in told["why"]
    assert str(tmp_path) not in told["why"]


@pytest.mark.parametrize("paper", all_but_wide(papers(), ("megha",)))
def test_every_figure_of_a_paper_can_be_drawn(client: Client, browser: JsonClient, paper: str) -> None:
    html = client.get(f"/papers/{paper}").content.decode()
    for name in re.findall(r'data-claim-figure="([^"]+)"', html):
        assert browser.read(f"papers/claims/{name}/figure").status_code == 200


@pytest.mark.django_db
def test_arms_that_share_a_workload_are_compared_and_every_experiment_is_one_that_runs_here(
    client: Client, browser: JsonClient
) -> None:
    html = client.get("/papers/graphene").content.decode()
    groups = [found.split(",") for found in re.findall(r'data-claim="graphene" data-setups="([^"]+,[^"]+)"', html)]
    assert groups == [["drf", "dagps", "tetris_default"], ["apart", "apart_cpm", "apart_tetris", "apart_drf"]]
    for names in groups:
        told = [browser.read(f"papers/claims/graphene/experiments/{name}") for name in names]
        assert {one.status_code for one in told} == {200}
        made = [Experiment.parse(one.json()) for one in told]
        assert len({one.scheduler.name for one in made}) == len(names)
        assert len({json.dumps(one.to_dict()["workload"], sort_keys=True) for one in made}) == 1
        assert browser.send("experiments", told[0].json()).status_code == 201
    assert browser.read("papers/claims/graphene/experiments/no-such-setup").status_code == 404
    assert browser.read("papers/claims/no-such-claim/experiments/drf").status_code == 404


def test_a_claim_on_a_trace_offers_no_experiment_and_says_how_to_get_the_trace(
    client: Client, browser: JsonClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCHEDULER_TRACES", str(tmp_path))
    assert "data-setups" not in client.get("/papers/pigeon").content.decode()
    answer = browser.read("papers/claims/oracle-pigeon-yh1-4000/experiments/pigeon_yh1_4000")
    assert answer.status_code == 409
    assert "YH1_sub.tr" in str(answer.json())
    assert str(tmp_path) not in str(answer.json())


def test_labels_are_in_the_reader_s_language(client: Client) -> None:
    """They were kept in the language of the first reader."""

    def shown(**headers: str) -> str:
        page = client.get("/papers/graphene", headers=headers).content.decode()
        return re.sub(r"<script.*?</script>", "", page, flags=re.S)  # the catalogue names each English text

    assert "100 machines" in shown()
    german = shown(**{"accept-language": "de"})
    assert "100 Maschinen" in german
    assert "100 machines" not in german


def test_results_of_other_sources_are_shown_as_old(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "code_digest", lambda families: "other")
    assert "data-old" in client.get("/papers/mercury").content.decode()
    monkeypatch.setattr(results.Result, "current", True)
    assert "data-old" not in client.get("/papers/mercury").content.decode()


@pytest.mark.redis
def test_a_server_without_workers_says_so_to_whoever_runs_a_claim_again(browser: JsonClient, broker: None) -> None:
    told = browser.send("papers/claims/carbyne-f2-toy/run", {})
    assert (told.status_code, told.json()["state"]) == (202, "waiting")
    assert "worker" in told.json()["problems"][0]["message"]
    workers.mark_worker_alive("previews@here", 1)
    assert browser.read("papers/claims/carbyne-f2-toy/run").json()["problems"] == []
    # Other seeds are another question, within bounds.
    assert browser.read("papers/claims/carbyne-f2-toy/run?seeds=3&from=500").status_code == 404
    assert browser.send("papers/claims/carbyne-f2-toy/run?seeds=3&from=500", {}).status_code == 202
    assert browser.read("papers/claims/carbyne-f2-toy/run?seeds=3&from=500").status_code == 200
    for wrong in ("seeds=21", "seeds=3&from=-1", "seeds=3&from=1000000001", "seeds=x"):
        assert browser.send(f"papers/claims/carbyne-f2-toy/run?{wrong}", {}).status_code == 422
    assert browser.send("papers/claims/no-such-claim/run", {}).status_code == 404
    assert browser.send("papers/claims/fuxi/run", {}).status_code == 409


def test_an_order_that_is_published_in_words_is_a_band(browser: JsonClient) -> None:
    """One master of each kind is to wait more than twice as long as any other datacenter with as many machines."""
    told = browser.read("papers/claims/megha-f6-central/figure").json()["figure"]["data"]
    least = [min(trace["y"]) for trace in told if trace["name"] == "Accepted range"]
    ours = {trace["name"]: trace["y"] for trace in told}  # of a curve's traces the medians come last
    others = [ours["10 × 10 masters, ours"], ours["10 × 25 masters, ours"]]
    assert least == pytest.approx([2 * max(values) for values in zip(*others, strict=True)])


def label_without_words(label: str, paper: str) -> str:
    """Return what is left of a label without schedulers, counts and what the paper's file gives for a setup's words."""
    words = [each for word in papers()[paper].words.values() for each in (word, word[:1].upper() + word[1:])]
    known = sorted([spec.label for spec in SCHEDULERS] + words, key=len, reverse=True)
    for each in known:
        label = label.replace(each, "")
    label = re.sub(r"[\d,]+ machines?|\d+ × \d+ masters", "", label)
    return re.sub(r"\W", "", label)


def test_no_label_of_an_experiment_is_the_raw_name_of_its_setup() -> None:
    assert label_without_words("DRF (tpch drf)", "carbyne") == "tpchdrf"
    for paper in papers().values():
        for claim in SHOWN[paper.name]:
            names = list(offered(claim))
            all_of_them = labels_of(claim, names)
            shown = [[link["name"] for link in links(claim)] for links in (studio_links, compared_links)]
            raw = {label for label in (*all_of_them, *shown[0], *shown[1]) if label_without_words(label, paper.name)}
            assert raw == set(), f"{claim.id}: give `words` of {paper.name}.toml what the names of setups mean"
            assert all(len(set(labels)) == len(labels) for labels in shown), f"{claim.id}: two links have one label"


@pytest.mark.django_db
def test_an_experiment_of_a_claim_is_named_by_its_label_and_its_place_in_the_paper(browser: JsonClient) -> None:
    told = browser.read("papers/claims/carbyne-t4-sim/experiments/tpch_drf").json()
    assert told["name"] == f"DRF, 100 machines (TPC-H) · {known_claims()['carbyne-t4-sim'].ref}"


def test_a_band_is_written_so_that_its_ends_differ_and_an_excluded_end_is_named() -> None:
    def words(unit: str, **ends: float) -> str:
        return band_words(PartRow("part", unit, None, None, (), Band(**ends), None)).replace("\u202f", " ")

    assert words("s", least=0.999, most=1.001) == "0.999 s to 1.001 s"
    assert words("s", least=1.66, most=4.98) == "1.66 s to 4.98 s"
    assert words("s", least=2, most=2) == "2 s"
    assert words("x", below=1) == "below 1×"
    assert words("x", above=1, most=1.5) == "above 1×, at most 1.5×"
    assert words("1", least=0.03, most=0.1) == "3 % to 10 %"
    assert part_value_words(211_727.4, "x") == "212,000×"
    assert Band(below=1).holds(0.9999)
    assert not Band(below=1).holds(1)
    with pytest.raises(ValueError, match="not both"):
        Band(below=1, most=1)
