"""Shares, packing and stages over HTTP, and reasons at an instant: what the studio's pictures of graphs are made of."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support import PROJECT, Playground
from tests.support_api import Api

pytestmark = [pytest.mark.redis, pytest.mark.slow, pytest.mark.xdist_group("service")]


@pytest.fixture
def api(playground: Playground) -> Api:
    return Api(playground.url)


@pytest.fixture
def altruism() -> dict[str, Any]:
    made: dict[str, Any] = json.loads((PROJECT / "fixtures" / "experiments" / "altruism.json").read_text())
    return made


def done(api: Api, experiment: dict[str, Any]) -> str:
    run = api.start(experiment)
    assert api.wait(run["id"])["state"] == "done"
    return f"/api/v1/runs/{run['id']}"


def test_tables_come_in_pages_that_fit_together(api: Api, altruism: dict[str, Any]) -> None:
    run = done(api, altruism)
    jobs = api.call("GET", f"{run}/graphs/jobs").json
    assert (jobs["total"], jobs["first"], jobs["next"]) == (2, 0, None)
    assert jobs["columns"]["end_us"] == [2_100_000, 1_000_000]
    stages = api.call("GET", f"{run}/graphs/stages").json["columns"]
    assert stages["name"] == ["s0", "s1", "s2", "only"]
    assert stages["parents"] == [[], [], [0, 1], []]
    assert [demand[0] for demand in stages["demand"]] == [0.04, 0.21, 0.1, 0.29]
    whole = api.call("GET", f"{run}/graphs/placements").json
    pages, first = [], 0
    while first is not None:
        page = api.call("GET", f"{run}/graphs/placements?first={first}&count=3").json
        assert page["total"] == 8
        pages.append(page["columns"])
        first = page["next"]
    assert len(pages) == 3
    assert {name: [value for page in pages for value in page[name]] for name in whole["columns"]} == whole["columns"]
    beyond = api.call("GET", f"{run}/graphs/placements?first=99").json
    assert (beyond["columns"]["task"], beyond["next"]) == ([], None)


def test_what_cannot_be_given_is_refused_in_words(api: Api, altruism: dict[str, Any], small_experiment: Any) -> None:
    run = done(api, altruism)
    assert api.call("GET", f"{run}/graphs/nothing").status == 422
    assert api.call("GET", f"{run}/graphs/jobs?count=0").status == 422
    assert api.call("GET", f"{run}/graphs/jobs?count=20001").status == 422
    assert api.call("GET", f"{run}/graphs/jobs?first=-1").status == 422
    assert api.call("GET", f"{run}/explain?task=0&at_s=-1").status == 422
    other = api.call("GET", f"{done(api, small_experiment)}/graphs/jobs")
    assert (other.status, other.json["type"]) == (404, "no-graphs")
    assert "graphs" in other.json["problems"][0]["allowed"]


def test_reasons_are_those_of_the_instant(api: Api, altruism: dict[str, Any]) -> None:
    run = done(api, altruism)
    early = api.call("GET", f"{run}/explain?task=5&at_s=0.5").json
    assert (early["state"], [one["reason"] for one in early["decisions"]]) == ("waiting", ["held_up"])
    whole = api.call("GET", f"{run}/explain?task=5").json
    assert whole["state"] == "done"
    assert whole["decisions"][-1]["reason"] == "must_start"
