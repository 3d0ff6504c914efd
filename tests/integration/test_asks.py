"""Questions about an experiment over HTTP: a worker searches, tells how far it is, and stops on request."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from typing import Any

import pytest

from scheduler_core import Experiment, ask_question
from tests.integration.test_networks import answered
from tests.support import Playground, alive, children_of, running_playground, small_experiment, wait_until
from tests.support_api import Api
from tests.tiers import wide

pytestmark = [pytest.mark.redis, pytest.mark.slow, pytest.mark.xdist_group("service")]

PROMISE = "allocation_delay_s.p99 <= 2"


@pytest.fixture(scope="module")
def api(playground: Playground) -> Api:
    return Api(playground.url)


def begin(api: Api, body: dict[str, Any], of: dict[str, Any] | None = None) -> dict[str, Any]:
    made = api.create(of or small_experiment())
    started = api.call("POST", f"/api/v1/experiments/{made['id']}/asks", body)
    assert started.status == 202, started.body
    asked: dict[str, Any] = started.json
    assert asked["experiment_id"] == made["id"]
    return asked


def test_a_worker_gives_the_answer_of_the_library(api: Api) -> None:
    asked = begin(api, {"question": "machines", "promise": PROMISE, "seeds": 2})
    found = answered(api, f"/api/v1/asks/{asked['id']}")
    assert (found["state"], found["progress"], found["problems"]) == ("done", 1, [])
    expected = ask_question(Experiment.parse(small_experiment()), "machines", PROMISE, seeds=2)
    assert found["answer"] == expected
    assert 0 < found["runs"] <= found["expected"]


def test_a_tried_value_is_opened_as_an_experiment_with_the_measure_that_was_told(api: Api) -> None:
    asked = begin(api, {"question": "machines", "promise": PROMISE, "seeds": 1})
    place = f"/api/v1/asks/{asked['id']}"
    answer = answered(api, place)["answer"]
    number = next(at for at, one in enumerate(answer["tried"]) if one["value"] == answer["fails_at"])
    made = api.call("POST", f"{place}/fork", {"tried": number, "name": "One machine less"})
    assert made.status == 201, made.body
    stored = api.call("GET", f"/api/v1/experiments/{made.json['id']}").json["experiment"]
    assert stored["name"] == "One machine less"
    clusters = stored["topology"]["clusters"]
    machines = sum(group["count"] * (one["repeat"] or 1) for one in clusters for group in one["machines"])
    assert machines == answer["fails_at"]
    owner = Api(api.url, made.json["owner_token"])
    started = owner.call("POST", f"/api/v1/experiments/{made.json['id']}/runs", {})
    assert started.status == 202, started.body
    run = started.json
    assert api.wait(run["id"])["state"] == "done"
    summary = api.call("GET", f"/api/v1/runs/{run['id']}/summary").json
    assert summary["allocation_delay_s"]["p99"] == answer["tried"][number]["by_seed"][0] > 2
    refused = [api.call("POST", f"{place}/fork", body) for body in ({"tried": 999}, {"tried": True}, {"value": 1})]
    assert [(one.status, one.json["problems"][0]["path"]) for one in refused] == [
        (422, "tried"), (422, "tried"), (422, "value"),
    ]  # fmt: skip
    assert api.call("POST", "/api/v1/asks/a0/fork", {"tried": 0}).status == 404


def test_what_does_not_fit_is_told_by_its_field(api: Api) -> None:
    asked = begin(api, {"question": "machines", "promise": "allocation_delay.p99 <= 2", "options": {"cluster": "x"}})
    found = answered(api, f"/api/v1/asks/{asked['id']}")
    assert found["state"] == "failed"
    assert [one["path"] for one in found["problems"]] == ["promise"]
    experiment = api.create(small_experiment())["id"]
    refused = api.call("POST", f"/api/v1/experiments/{experiment}/asks", {"question": "machine", "seeds": 0, "to": 1})
    assert refused.status == 422
    assert [one["path"] for one in refused.json["problems"]] == ["to", "question", "promise", "seeds"]
    assert api.call("GET", "/api/v1/asks/a0").status == 404


def test_only_who_asked_stops_a_search(api: Api) -> None:
    long = small_experiment() | {
        "workload": {
            "kind": "synthetic",
            "tasks": 200_000,
            "arrivals": {"kind": "poisson", "offered_load": 0.9},
            "duration_s": {"kind": "exponential", "mean": 5},
        }
    }
    asked = begin(api, {"question": "load", "promise": PROMISE, "seeds": 30}, long)
    place = f"/api/v1/asks/{asked['id']}"
    wait_until(lambda: api.call("GET", place).json["state"] == "working", what="a worker searches")
    assert Api(api.url).call("POST", f"{place}/cancel").status == 403
    stopped = api.call("POST", f"{place}/cancel", headers={"Authorization": f"Bearer {asked['owner_token']}"})
    assert (stopped.status, stopped.json["state"], stopped.json["answer"]) == (200, "cancelled", None)
    # The worker is free again: it takes another question.
    other = begin(api, {"question": "machines", "promise": PROMISE, "seeds": 1})
    assert answered(api, f"/api/v1/asks/{other['id']}")["state"] == "done"


@pytest.fixture(scope="module")
def two_workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Playground]:
    """Give a playground whose worker of runs has two processes, and which logs everything."""
    with running_playground(
        tmp_path_factory.mktemp("asks") / "var", PLAYGROUND_WORKERS="2", PLAYGROUND_LOG_LEVEL="DEBUG"
    ) as started:
        yield started


def helped(playground: Playground, asked: dict[str, Any]) -> list[str]:
    """Return the runs of a question that workers of runs began."""
    return re.findall(rf"run ({asked['id']}-\S+) begins", playground.log.read_text())


@wide
def test_workers_of_runs_help_and_one_of_them_dies(two_workers: Playground) -> None:
    api, large = Api(two_workers.url), small_experiment()
    large["workload"]["jobs"] = 10_000
    asked = begin(api, {"question": "machines", "promise": PROMISE, "seeds": 10}, large)
    place = f"/api/v1/asks/{asked['id']}"
    # Reading keeps the search alive.
    wait_until(lambda: api.call("GET", place) and len(helped(two_workers, asked)) > 2, seconds=300, what="help")
    victim = children_of(two_workers.children()["runs"])[0]
    os.kill(victim, signal.SIGKILL)
    wait_until(lambda: api.call("GET", place) and not alive(victim), seconds=20, what="the worker is dead")
    found = answered(api, place)
    assert found["answer"] == ask_question(Experiment.parse(large), "machines", PROMISE, seeds=10)


@wide
def test_a_cancelled_search_frees_all_workers(two_workers: Playground) -> None:
    api, large = Api(two_workers.url), small_experiment()
    large["workload"]["jobs"] = 200_000
    asked = begin(api, {"question": "load", "promise": PROMISE, "seeds": 30}, large)
    place = f"/api/v1/asks/{asked['id']}"
    wait_until(lambda: api.call("GET", place) and len(helped(two_workers, asked)) > 1, seconds=300, what="help")
    stopped = api.call("POST", f"{place}/cancel", headers={"Authorization": f"Bearer {asked['owner_token']}"})
    assert stopped.json["state"] == "cancelled"
    other = Api(two_workers.url)
    assert other.wait(other.start(small_experiment())["id"])["state"] == "done"
