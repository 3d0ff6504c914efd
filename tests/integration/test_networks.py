"""Networks of flow schedulers over HTTP: rounds, ways of tasks, the race of both solvers, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support import Playground, wait_until
from tests.support_api import Api

pytestmark = [pytest.mark.redis, pytest.mark.slow, pytest.mark.xdist_group("service")]

#: Figure 3 of Sirius: jobs of three and four tasks on four slots, two of each run.
FAIR: dict[str, Any] = {
    "schema_version": 1, "network": {"message_delay_s": 0},
    "topology": {"clusters": [{"name": "c", "machines": [{"count": 4, "cpus": 1, "memory_gb": 1}]}]},
    "workload": {"kind": "inline", "jobs": [
        {"arrival_s": 0, "durations_s": [5.0] * tasks, "demand": {"cpus": 1, "memory_gb": 0}} for tasks in (3, 4)]},
    "scheduler": {"name": "sirius-fairness", "params": {"solver_time": "none"}},
}  # fmt: skip
SLOW_S = 240  # kernels are compiled first


def drawn(tasks: int) -> dict[str, Any]:
    return FAIR | {"workload": {
        "kind": "synthetic", "tasks": tasks, "arrivals": {"kind": "poisson", "offered_load": 0.9},
        "tasks_per_job": {"kind": "constant", "value": 2}, "duration_s": {"kind": "exponential", "mean": 2},
    }}  # fmt: skip


@pytest.fixture(scope="module")
def api(playground: Playground) -> Api:
    return Api(playground.url)


@pytest.fixture(scope="module")
def run(api: Api) -> str:
    made = api.start(FAIR)
    assert api.wait(made["id"])["state"] == "done"
    return f"/api/v1/runs/{made['id']}"


def answered(api: Api, path: str) -> dict[str, Any]:
    """Ask until the worker's answer is there."""
    found: dict[str, Any] = {}

    def over() -> bool:
        answer = api.call("GET", path)
        assert answer.status == 200, answer.body
        found.update(answer.json)
        return found["state"] in ("done", "failed")

    wait_until(over, seconds=SLOW_S, what=f"an answer to {path}")
    return found


def test_rounds_and_ways_are_found_by_a_worker(api: Api, run: str) -> None:
    found = answered(api, f"{run}/network?round=1")
    assert (found["state"], found["progress"], found["problems"]) == ("done", 1, [])
    picture = found["answer"]
    assert (picture["round"], picture["tasks"], picture["waiting"]) == (1, 7, 3)
    assert len({len(column) for column in picture["arcs"].values()}) == 1
    # The next rounds came with it: nobody has to be asked.
    assert api.call("GET", f"{run}/network?round=2").json["answer"]["round"] == 2
    later = answered(api, f"{run}/network?not_before_s=4")["answer"]
    assert (later["t_s"], later["round"]) == (5, 3)
    way = answered(api, f"{run}/network/way?task=0&round=1")["answer"]
    assert (way["cost"], way["next"]["difference"]) == (1_000_000, 0)
    assert answered(api, f"{run}/network/way?task=6")["answer"]["round"] >= 1


def test_a_race_gives_its_rows_as_they_come_and_both_solvers_agree(api: Api, run: str) -> None:
    started = api.call("POST", f"{run}/network/races")
    assert started.status == 202
    race, rows, first = started.json["id"], [], 0

    def over() -> bool:
        nonlocal first
        now = api.call("GET", f"/api/v1/network-races/{race}?first={first}").json
        assert now["first"] == first
        rows.extend(now["rows"])
        first += len(now["rows"])
        return now["state"] == "done" and not now["rows"]

    wait_until(over, seconds=SLOW_S, what="the end of the race")
    assert [row["round"] for row in rows] == [1, 2, 3, 4]
    assert all(row["same"] and row["ssp_s"] > 0 and row["scaling_s"] > 0 and row["cold_s"] > 0 for row in rows)
    end = api.call("GET", f"/api/v1/network-races/{race}").json
    assert (end["over"], end["every"], end["progress"]) == ("end", 1, 1)
    assert "no part of any outcome" in end["unit"]


def test_a_race_is_cancelled_by_who_started_it(api: Api, playground: Playground) -> None:
    made = api.start(drawn(20_000))
    assert api.wait(made["id"])["state"] == "done"
    race = api.call("POST", f"/api/v1/runs/{made['id']}/network/races").json["id"]
    path = f"/api/v1/network-races/{race}"
    stranger = Api(playground.url, token="somebody-else")
    assert stranger.call("POST", f"{path}/cancel").status == 403
    joined = stranger.call("POST", f"/api/v1/runs/{made['id']}/network/races").json
    assert (joined["id"], joined["owner_token"]) == (race, None)
    wait_until(lambda: bool(api.call("GET", path).json["rows"]), seconds=SLOW_S, what="the first row")
    assert api.call("POST", f"{path}/cancel").json["state"] == "cancelled"
    # The worker has let go when somebody else's question is answered: one errand at a time.
    assert answered(api, f"/api/v1/runs/{made['id']}/network?round=1")["state"] == "done"
    assert api.call("GET", path).json["state"] == "cancelled"


def test_what_cannot_be_given_is_refused_in_words(api: Api, run: str, small_experiment: Any) -> None:
    def refused(path: str) -> tuple[int, str, str]:
        answer = api.call("GET", path)
        problem = (answer.json["problems"] or [{}])[0]
        return answer.status, answer.json["type"], f"{problem.get('message')}; {problem.get('allowed')}"

    assert refused(f"{run}/network?round=5") == (404, "not-found", "there is no round 5; 1 to 4")
    assert refused(f"{run}/network")[:2] == (422, "invalid-request")
    assert refused(f"{run}/network?round=1&not_before_s=1")[:2] == (422, "invalid-request")
    assert refused(f"{run}/network?round=0")[0] == 422
    assert refused(f"{run}/network/way?task=7&round=1") == (404, "not-found", "there is no task 7; 0 to 6")
    assert refused("/api/v1/network-races/nobody")[:2] == (404, "not-found")
    other = api.start(small_experiment)["id"]
    status, kind, words = refused(f"/api/v1/runs/{other}/network?round=1")
    assert (status, kind) == (404, "no-network")
    assert "which solves no network; runs of " in words
    assert "quincy" in words
    long = api.start(drawn(1_000_000))["id"]
    assert refused(f"/api/v1/runs/{long}/network?round=1")[:2] == (409, "not-done")
    assert api.call("POST", f"/api/v1/runs/{long}/network/races").status == 409
    api.call("POST", f"/api/v1/runs/{long}/cancel")
    failed = answered(api, f"{run}/network?not_before_s=1000")
    assert (failed["state"], failed["answer"]) == ("failed", None)
    assert "there is no round" in failed["problems"][0]["message"]
