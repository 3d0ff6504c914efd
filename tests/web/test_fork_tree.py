"""Where an experiment came from, and what was made of it."""

from __future__ import annotations

from typing import Any

import pytest

from playground.experiments.fork_tree import changes_between, rows_of, tree_of
from playground.experiments.service import mark_shared
from playground.ground.viewers import Viewer
from playground.models import Experiment
from tests.web.conftest import JsonClient

pytestmark = [pytest.mark.django_db, pytest.mark.redis]


def stored(made: dict[str, Any]) -> Experiment:
    return Experiment.objects.get(public_id=made["id"])


def make(client: JsonClient, experiment: dict[str, Any], load: float, made_of: dict[str, Any] | None = None) -> Any:
    work = {**experiment["workload"], "arrivals": {"kind": "poisson", "offered_load": load}}
    path = f"experiments?made_of={made_of['id']}" if made_of else "experiments"
    answer = client.send(path, {**experiment, "name": f"load {load}", "workload": work})
    assert answer.status_code == 201, answer.content
    return answer.json()


def test_steps_are_counted_and_branches_drawn(browser: JsonClient, small_experiment: dict[str, Any]) -> None:
    root = make(browser, small_experiment, 0.5)
    step = make(browser, small_experiment, 0.6, root)
    left = make(browser, small_experiment, 0.7, step)
    right = browser.send(f"experiments/{left['id']}/fork", {"at_s": 3, "name": "later"}).json()
    other = make(browser, small_experiment, 0.9, left)
    tree = browser.read(f"experiments/{left['id']}/tree").json()
    told = [(node["id"], node["parent"], node["steps"], node["at_s"]) for node in tree["nodes"]]
    assert told == [
        (root["id"], None, 0, None), (left["id"], root["id"], 1, None), (right["id"], left["id"], 0, 3.0),
        (other["id"], left["id"], 0, None),
    ]  # fmt: skip
    assert tree["nodes"][1]["changes"] == ["Load: 0.5 → 0.7"]
    assert [node["here"] for node in tree["nodes"]] == [False, True, False, False]
    owner = Viewer(token=root["owner_token"])
    drawn = rows_of(tree_of(experiment=stored(root), viewer=owner))
    assert [(row.lane, row.bends) for row in drawn][:1] == [(0, False)]
    page = browser.get(f"/e/{left['slug']}/forks").content.decode()
    assert page.count('class="fork-row') == 4
    assert "after 1 step" in page
    assert "forked at 3 s" in page
    assert browser.get("/e/none/forks").status_code == 404


def test_what_nobody_shared_is_counted_not_shown(
    browser: JsonClient, stranger: JsonClient, small_experiment: dict[str, Any]
) -> None:
    mine = make(browser, small_experiment, 0.5)
    forks = [stranger.send(f"experiments/{mine['id']}/fork", {"seed": seed}).json() for seed in (7, 8)]
    alone = browser.read(f"experiments/{mine['id']}/tree").json()
    assert (len(alone["nodes"]), alone["hidden"], alone["cut"]) == (1, 2, False)
    mark_shared(stored(forks[0]))
    seen = browser.read(f"experiments/{mine['id']}/tree").json()
    assert ([node["id"] for node in seen["nodes"]], seen["hidden"]) == ([mine["id"], forks[0]["id"]], 1)
    # An origin that is not there is no reason to refuse an experiment.
    assert browser.send("experiments?made_of=nothing", small_experiment).status_code == 201


def test_what_a_fork_at_a_moment_changed_is_an_event_in_words() -> None:
    """Events are told one by one; what holds nothing, or another's name, is no change."""
    fail = {"at_s": 5, "kind": "fail", "target": {"rack": 3, "machine": None}, "duration_s": 10, "value": {}}
    knob = {"at_s": 186.447, "kind": "set", "target": {"scheduler": True}, "value": {"heartbeat_s": 0.5}}
    before = {"name": "a", "seed": 1, "events": []}
    assert changes_between(before, {"name": "b", "seed": 1, "events": [fail, knob]}) == (
        ["at 5 s fail rack 3 for 10 s", "at 186.447 s set scheduler heartbeat interval 0.5"], 0,
    )  # fmt: skip
    assert changes_between({**before, "events": [fail, knob]}, {**before, "events": [knob], "seed": 2}) == (
        ["no longer at 5 s fail rack 3 for 10 s", "Seed: 1 → 2"], 0,
    )  # fmt: skip
