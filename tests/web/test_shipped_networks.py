"""Pictures of an example's networks and paths wait for no worker: they are shipped beside its recording."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from playground.gallery.shipping import to_ship
from playground.known import shipped
from playground.known.networks import known_networks
from scheduler_core import Experiment, flow_pictures, flow_way, scheduler_by_name, signature_experiment
from tests.tiers import wide
from tests.web.conftest import JsonClient

pytestmark = [pytest.mark.django_db, pytest.mark.redis]

FLOWS = [name for name, each in to_ship().items() if scheduler_by_name(each.scheduler.name).network]


@pytest.fixture(autouse=True)
def known_runs(settings: Settings, tmp_path: Path) -> None:
    settings.KNOWN_RUNS, settings.MEDIA_ROOT = True, tmp_path / "media"


def example(visitor: JsonClient, name: str) -> tuple[str, list[dict[str, Any]]]:
    """Open an example; return its run, and the moments to which its page jumps."""
    answer = visitor.send("runs", {"experiment": to_ship()[name].to_dict()})
    run: dict[str, Any] = answer.json()
    assert run["state"] == "done", "the example is shipped"
    moments = visitor.read(f"runs/{run['id']}/moments").json()["moments"]
    return run["id"], moments


@pytest.mark.parametrize("name", FLOWS)
def test_networks_and_paths_of_an_example_need_no_worker(browser: JsonClient, name: str) -> None:
    run, moments = example(browser, name)
    seen = 0
    for moment in moments:
        if moment["task"] < 0:
            continue
        way = browser.read(f"runs/{run}/network/way?task={moment['task']}&at_s={moment['t_ns'] / 1e9}").json()
        assert way["state"] == "done", f"the path of task {moment['task']} waits for a worker"
        assert way["answer"]["task"] == moment["task"]
        if way["answer"]["round"] < 1:
            continue
        network = browser.read(f"runs/{run}/network?round={way['answer']['round']}").json()
        assert (network["state"], network["answer"]["round"]) == ("done", way["answer"]["round"])
        seen += 1
    assert seen > 0
    for number in (1, 7, 90):
        network = browser.read(f"runs/{run}/network?round={number}&nearest=true").json()
        assert network["state"] == "done"
        assert 1 <= network["answer"]["round"] <= number


def test_only_who_says_so_gets_an_earlier_round_and_only_examples_have_any(
    browser: JsonClient, settings: Settings
) -> None:
    run, _ = example(browser, "signature-firmament")
    assert browser.read(f"runs/{run}/network?round=2").json().get("state") != "done"
    assert browser.read(f"runs/{run}/network?round=2&nearest=true").json()["answer"]["round"] == 1
    question = to_ship()["signature-quincy"].digest()
    found = known_networks(question)
    assert found is not None
    assert found.rounds == tuple(range(1, 97)), "of a run with few rounds all are shipped"
    settings.KNOWN_RUNS = False
    assert known_networks(question) is None
    settings.KNOWN_RUNS = True
    assert known_networks("of another experiment") is None


def test_a_damaged_file_is_not_used(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    question = to_ship()["signature-quincy"].digest()
    place = shipped.folder()
    (tmp_path / "known").mkdir()
    (tmp_path / "known" / shipped.INDEX).write_bytes((place / shipped.INDEX).read_bytes())
    (tmp_path / "known" / "signature-quincy.networks").write_bytes(b"no networks")
    monkeypatch.setattr(settings, "FIXTURES_DIR", tmp_path)
    assert known_networks(question) is None


@wide
def test_what_is_shipped_is_what_a_worker_finds() -> None:
    experiment = Experiment.parse(signature_experiment("quincy"))
    found = known_networks(experiment.digest())
    assert found is not None
    assert found.at(13) == json.loads(json.dumps(flow_pictures(experiment, 13)[0]))
    from_s, until_s, answer = next(way for way in found.ways if way[2]["round"] == 13)
    for at_s in (from_s, (from_s + until_s) / 2):
        assert answer == json.loads(json.dumps(flow_way(experiment, answer["task"], at_s=at_s)))
