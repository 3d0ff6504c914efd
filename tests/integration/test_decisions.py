"""The last decisions of a run over HTTP: what a stage of a pipeline did up to an instant."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support import Playground, endless_experiment, small_experiment, wait_until
from tests.support_api import Api

pytestmark = [pytest.mark.redis, pytest.mark.slow, pytest.mark.xdist_group("service")]


@pytest.fixture(scope="module")
def run(playground: Playground) -> tuple[Api, str]:
    api = Api(playground.url)
    made = api.start(small_experiment() | {"scheduler": {"name": "pipeline"}})
    assert api.wait(made["id"], seconds=300)["state"] == "done"
    return api, f"/api/v1/runs/{made['id']}"


def test_the_last_ones_come_first_and_none_is_later_than_asked(run: tuple[Api, str]) -> None:
    api, path = run
    whole = api.call("GET", f"{path}/decisions?count=200").json
    times = [row["t_s"] for row in whole["rows"]]
    assert times == sorted(times, reverse=True)
    assert len(times) == min(200, whole["total"])
    middle = times[len(times) // 2]
    until = api.call("GET", f"{path}/decisions?until_s={middle}&count=5").json
    assert 0 < until["total"] < whole["total"]
    assert until["rows"][0]["t_s"] == middle
    assert len(until["rows"]) == 5
    assert api.call("GET", f"{path}/decisions?until_s=0&reason=lost").json == {"total": 0, "rows": []}


def test_every_task_is_submitted_once_and_says_where(run: tuple[Api, str]) -> None:
    api, path = run
    tasks = api.call("GET", f"{path}/summary").json["tasks"]["total"]
    placed = api.call("GET", f"{path}/decisions?reason=submitted&reason=only_one&count=200").json
    assert placed["total"] == tasks
    assert {row["reason"] for row in placed["rows"]} <= {"submitted", "only_one"}
    assert all(row["machine"] >= 0 for row in placed["rows"])


def test_what_there_is_not_is_refused_in_words(run: tuple[Api, str]) -> None:
    api, path = run
    refused = api.call("GET", f"{path}/decisions?reason=repartition")
    assert (refused.status, refused.json["problems"][0]["path"]) == (422, "reason")
    assert "submitted" in refused.json["problems"][0]["allowed"]
    for query in ("count=0", "count=201", "until_s=-1", "until_s=nan", "until_s=1e30"):
        assert api.call("GET", f"{path}/decisions?{query}").status == 422, query
    assert api.call("GET", "/api/v1/runs/nothing/decisions").status == 404


def test_while_a_run_is_computed_its_worker_tells_those_so_far(playground: Playground) -> None:
    api, endless = Api(playground.url), endless_experiment()
    endless["workload"]["arrivals"] = {"kind": "at_once"}
    made = api.start(endless)
    path = f"/api/v1/runs/{made['id']}"

    def known() -> Any:
        answer = api.call("GET", f"{path}/decisions?count=3")
        return answer.json if answer.status == 200 and answer.json["total"] else None

    told = wait_until(known, seconds=300, what="decisions of the run so far are told")
    assert len(told["rows"]) == 3
    assert api.run(made["id"])["state"] == "running"
    assert api.call("GET", f"{path}/decisions?reason=no_such").status == 422
    assert api.call("POST", f"{path}/cancel", {}).status == 200
    api.wait(made["id"])
    assert api.call("GET", f"{path}/decisions").status == 409
