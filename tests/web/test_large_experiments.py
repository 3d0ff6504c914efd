"""Experiments of some hundred kilobytes: they are stored compressed, and read as if they were not."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection

from playground.models import Experiment, Run
from tests.web.conftest import JsonClient

pytestmark = [pytest.mark.redis, pytest.mark.usefixtures("broker"), pytest.mark.django_db(transaction=True)]


def large(experiment: dict[str, Any], clusters: int = 300) -> dict[str, Any]:
    groups = [{"name": f"c{number}", "machines": [{"count": 1}] * 60} for number in range(clusters)]
    return experiment | {"topology": {"global_masters": 2, "clusters": groups}}


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
    assert stored_characters(stored) < 40_000
    assert stored.stored_bytes < 40_000 + 2_000, "the quota counts what is stored"
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


def test_a_large_experiment_runs(browser: JsonClient, small_experiment: dict[str, Any]) -> None:
    made = browser.make(large(small_experiment))
    assert browser.send(f"experiments/{made['id']}/runs").status_code == 202
    assert Run.objects.get().experiment.public_id == made["id"]
