"""Questions why over HTTP: parts of a run from its files, and what a worker finds out by simulating again."""

from __future__ import annotations

from typing import Any

import pytest

from tests.integration.test_networks import answered
from tests.support import Playground
from tests.support_api import Api

pytestmark = [pytest.mark.redis, pytest.mark.slow, pytest.mark.xdist_group("service")]

CONTENDED: dict[str, Any] = {
    "schema_version": 1, "network": {"message_delay_s": 0.05},
    "topology": {"global_masters": 2, "clusters": [{"name": "lm", "repeat": 2, "machines": [{"count": 4, "cpus": 1}]}]},
    "queues": [{"name": "q0", "share": 0.8}, {"name": "q1", "share": 0.2}],
    "workload": {"kind": "inline", "jobs": [{"arrival_s": n / 10, "durations_s": [0.5, 1, 0.7]} for n in range(30)]},
    "scheduler": {"name": "megha"},
}  # fmt: skip


@pytest.fixture(scope="module")
def api(playground: Playground) -> Api:
    return Api(playground.url)


@pytest.fixture(scope="module")
def runs(api: Api) -> tuple[str, str]:
    """A run, and its fork in which a machine fails at 1.5 s."""
    first = api.start(CONTENDED)
    forked = api.start(CONTENDED | {"events": [{"at_s": 1.5, "kind": "fail", "target": {"machine": 0}}]})
    for one in (first, forked):
        assert api.wait(one["id"], seconds=300)["state"] == "done"
    return first["id"], forked["id"]


def test_parts_of_a_run_are_told_from_its_files(api: Api, runs: tuple[str, str]) -> None:
    path = f"/api/v1/runs/{runs[0]}/parts"
    whole = api.call("GET", f"{path}/queue/0").json
    early = api.call("GET", f"{path}/queue/0?until_s=0.3").json
    assert (whole["name"], whole["tasks"]["total"], whole["tasks"]["done"]) == ("Queue q0", 45, 45)
    assert 0 < early["tasks"]["started"] < 45
    assert all(event["t_s"] <= 0.3 for event in early["events"])
    assert sum(whole["delay_s"].values()) > 0
    queues = [api.call("GET", f"{path}/owner/{owner}").json["tasks"]["total"] for owner in (0, 1)]
    assert sum(queues) == 90
    clusters = [api.call("GET", f"{path}/cluster/{number}").json["tasks"]["total"] for number in (0, 1)]
    parts = [api.call("GET", f"{path}/partition/{n}?owner={owner}").json["tasks"]["total"]
             for n in (0, 1) for owner in (0, 1)]  # fmt: skip
    machines = [api.call("GET", f"{path}/machine/{number}").json["tasks"]["total"] for number in range(8)]
    assert sum(clusters) == sum(parts) == sum(machines) == 90
    task = api.call("GET", f"{path}/task/5").json
    assert task["sentence"].startswith("Task 5 of job 1 arrived at 100 ms")
    assert [event["text"] for event in task["events"]][-1].startswith("It ends")
    assert api.call("GET", f"{path}/job/1").json["tasks"]["total"] == 3
    for refused in ("machine/8", "task/90", "partition/0", "partition/0?owner=2"):
        assert api.call("GET", f"{path}/{refused}").status == 404, refused
    assert api.call("GET", f"{path}/rack/0").status == 422
    slow = api.call("GET", f"/api/v1/runs/{runs[0]}/slowest-tasks?percent=90").json
    assert slow["total"] == len(slow["tasks"]) >= 9
    assert min(each["wait_s"] for each in slow["tasks"]) == slow["wait_s"]


def test_one_goes_from_decision_to_decision(api: Api, runs: tuple[str, str]) -> None:
    path = f"/api/v1/runs/{runs[0]}/decisions"
    first, second = api.call("GET", f"{path}?after_s=0&count=2").json["rows"]
    assert 0 < first["t_s"] <= second["t_s"]
    later = api.call("GET", f"{path}?after_s={second['t_s']}&count=1").json["rows"][0]
    assert later["t_s"] > second["t_s"]


def test_a_worker_finds_the_change_that_helps_where_runs_part_and_the_messages(api: Api, runs: tuple[str, str]) -> None:
    mine, other = runs
    slowest = api.call("GET", f"/api/v1/runs/{mine}/slowest-tasks").json["tasks"][-1]
    path = f"/api/v1/runs/{mine}"
    change = answered(api, f"{path}/smallest-change?task={slowest['task']}")["answer"]
    assert change["helps"]
    assert all(one["start_s"] < change["start_s"] for one in change["helps"])
    assert api.start(change["helps"][0]["experiment"])["state"] == "queued"
    parted = answered(api, f"{path}/first-difference/{other}")["answer"]
    assert parted["t_s"] >= 1.5
    assert parted["mine"] != parted["other"]
    assert answered(api, f"{path}/first-difference/{mine}")["answer"]["same"]
    log = answered(api, f"{path}/messages?task=0")["answer"]
    assert [one["kind"] for one in log["messages"]][:2] == ["request", "launch"]
    counted = answered(api, f"{path}/parts/partition/0/messages?owner=1&until_s=1.5")["answer"]
    assert counted["whole"]
    assert {kind["kind"] for kind in counted["kinds"]} >= {"request", "granted"}
    told = api.call("GET", f"{path}/explain?task={slowest['task']}&at_s={slowest['start_s'] - slowest['wait_s'] / 2}")
    assert told.json["ruled_out"]
    assert "waited" in told.json["answer"]


def test_what_cannot_be_asked_is_refused_in_words(api: Api, runs: tuple[str, str]) -> None:
    path = f"/api/v1/runs/{runs[0]}"
    assert api.call("GET", f"{path}/smallest-change?task=90").status == 404
    assert api.call("GET", f"{path}/messages?count=0").status == 422
    assert api.call("GET", f"{path}/parts/task/90/messages?until_s=1").status == 404
    nobody = answered(api, f"{path}/parts/partition/0/messages?until_s=1")
    assert (nobody["state"], nobody["problems"][0]["path"]) == ("failed", "owner")
    less = api.start(CONTENDED | {"workload": {"kind": "inline", "jobs": [{"arrival_s": 0, "durations_s": [1]}]}})
    assert api.wait(less["id"])["state"] == "done"
    refused = api.call("GET", f"{path}/first-difference/{less['id']}")
    assert (refused.status, refused.json["problems"][0]["path"]) == (422, "other")
