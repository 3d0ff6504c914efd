"""Experiments of some hundred kilobytes: a process of its own checks them; the database holds them compressed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import pytest
from django.db import connection

from playground.errors import PlaygroundError
from playground.ground import checking, simulator
from playground.models import Experiment, Run
from scheduler_core import Experiment as CoreExperiment
from tests.tiers import wide
from tests.web.conftest import JsonClient

pytestmark = [pytest.mark.redis, pytest.mark.usefixtures("broker"), pytest.mark.django_db(transaction=True)]


def large(experiment: dict[str, Any], clusters: int = 100) -> dict[str, Any]:
    groups = [{"name": f"c{number}", "machines": [{"count": 1}] * 60} for number in range(clusters)]
    return experiment | {"topology": {"global_masters": 2, "clusters": groups}}


@pytest.fixture
def checked_here() -> Iterator[list[int]]:
    """Give the number of machine groups of each experiment that this process, which serves people, checks itself."""
    found: list[int] = []
    parse = CoreExperiment.parse

    def counting(data: Any, **more: Any) -> CoreExperiment:
        made = parse(data, **more)
        found.append(sum(len(cluster.machines) for cluster in made.topology.clusters))
        return made

    with patch.object(CoreExperiment, "parse", counting):
        yield found


def stored_characters(experiment: Experiment) -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT CAST(data AS TEXT) FROM playground_experiment WHERE id = %s", [experiment.pk])
        return len(cursor.fetchone()[0])


def test_a_large_experiment_is_stored_compressed_and_reads_the_same(
    browser: JsonClient, small_experiment: dict[str, Any]
) -> None:
    asked = large(small_experiment)
    made = browser.make(asked)
    stored = Experiment.objects.get(public_id=made["id"])
    assert stored_characters(stored) < 10_000
    assert stored.stored_bytes < 10_000 + 2_000, "the quota counts what is stored"
    told = browser.read(f"experiments/{made['id']}").json()
    groups = told["experiment"]["topology"]["clusters"]
    assert [group["name"] for group in groups] == [group["name"] for group in asked["topology"]["clusters"]]
    assert all(len(group["machines"]) == 60 for group in groups)
    assert groups[0]["machines"][0]["cpus"] is not None, "defaults are written out"
    assert browser.get(f"/e/{made['slug']}").status_code == 200


def test_a_small_experiment_is_stored_as_it_is(browser: JsonClient, small_experiment: dict[str, Any]) -> None:
    stored = Experiment.objects.get(public_id=browser.make(small_experiment)["id"])
    with connection.cursor() as cursor:
        cursor.execute("SELECT CAST(data AS TEXT) FROM playground_experiment WHERE id = %s", [stored.pk])
        assert '"topology"' in cursor.fetchone()[0]


@wide
def test_queries_reach_the_fork_and_the_trace_of_a_large_experiment(
    browser: JsonClient, small_experiment: dict[str, Any]
) -> None:
    made = browser.make(large(small_experiment))
    forked = browser.send(f"experiments/{made['id']}/fork", {"at_s": 1.5, "events": []})
    assert forked.status_code == 201, forked.content
    assert Experiment.objects.filter(data__fork_of__at_s=1.5).count() == 1
    traced = Experiment.objects.get(public_id=made["id"])
    traced.data["workload"] = {"kind": "trace", "trace": "abc"}
    traced.save()
    assert Experiment.objects.get(data__workload__trace="abc") == traced
    assert Experiment.objects.get(pk=traced.pk).data == traced.data


@wide
def test_a_large_experiment_runs(browser: JsonClient, small_experiment: dict[str, Any]) -> None:
    made = browser.make(large(small_experiment))
    assert browser.send(f"experiments/{made['id']}/runs").status_code == 202
    assert Run.objects.get().experiment.public_id == made["id"]


def test_the_web_process_checks_no_large_experiment(
    browser: JsonClient, small_experiment: dict[str, Any], checked_here: list[int]
) -> None:
    asked = large(small_experiment)
    made = browser.make(asked)
    forked = browser.send(f"experiments/{made['id']}/fork", {"seed": 7})
    assert forked.status_code == 201, forked.content
    assert browser.send("previews", asked).status_code == 202
    assert browser.send("former-rules", asked).status_code == 200
    assert checked_here == []
    browser.make(small_experiment)
    assert len(checked_here) == 1, "a small one needs no process"


def test_a_large_experiment_is_the_same_wherever_it_is_checked(small_experiment: dict[str, Any]) -> None:
    asked = large(small_experiment) | {"name": "Größe", "question": "Why?"}
    core = simulator.parse_experiment(asked)
    for given in (asked, json.dumps(asked).encode(), json.dumps(asked, ensure_ascii=False).encode()):
        apart_ = checking.checked_experiment(given)
        assert (apart_.digest, apart_.name, apart_.question) == (simulator.digest_of(core), "Größe", "Why?")
        assert json.loads(apart_.text) == core.to_dict()


@pytest.mark.parametrize(
    "wrong",
    [
        {"seed": -1}, {"name": "\ud800"},
        *(pytest.param(wrong, marks=wide) for wrong in (
            {"name": "a\0b"}, {"scheduler": {"name": "none"}},
            {"workload": {"kind": "trace", "path": "/etc/passwd"}}, {"workload": {"kind": "trace", "trace": "nowhere"}},
        )),
    ],
)  # fmt: skip
def test_a_large_experiment_is_refused_with_the_same_words(small_experiment: dict[str, Any], wrong: Any) -> None:
    asked = large(small_experiment) | wrong
    with pytest.raises(PlaygroundError) as here:
        simulator.digest_of(simulator.parse_experiment(asked))
    with pytest.raises(PlaygroundError) as there:
        checking.checked_experiment(asked)
    assert there.value.to_dict() == here.value.to_dict()


@wide
def test_a_large_experiment_of_a_trace_has_the_same_digest(
    small_experiment: dict[str, Any], browser: JsonClient
) -> None:
    trace = browser.read("traces").json()[-1]["id"]
    asked = large(small_experiment) | {"workload": {"kind": "trace", "trace": trace}}
    core = simulator.parse_experiment(asked)
    assert checking.checked_experiment(asked).digest == simulator.digest_of(core)


def test_a_check_that_takes_too_much_is_refused(
    small_experiment: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "_MEMORY_BYTES", 20_000_000)
    with pytest.raises(PlaygroundError, match="cannot be used") as refused:
        checking.checked_experiment(large(small_experiment))
    assert "time or memory" in refused.value.problems[0]["message"]


def test_a_nest_too_deep_to_write_is_refused(small_experiment: dict[str, Any]) -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(PlaygroundError) as refused:
        checking.checked_experiment(small_experiment | {"events": [deep, *[{}] * 5_000]})
    assert refused.value.status == 422
