from __future__ import annotations

import math
from typing import Any

import pytest
from pytest_django import Settings

from playground.models import Experiment, Run
from tests.web.conftest import JsonClient

pytestmark = [pytest.mark.django_db, pytest.mark.redis]


def test_a_stored_experiment_has_links_a_digest_and_expanded_defaults(
    browser: JsonClient, small_experiment: dict[str, Any]
) -> None:
    created = browser.make(small_experiment)
    assert created["url"].startswith("http://")
    assert created["share_url"].endswith("/e/" + created["slug"])
    assert len(created["id"]) >= 22
    shown = browser.read(f"experiments/{created['id']}").json()
    assert shown["mine"] is True
    assert shown["experiment"]["seed"] == 1
    assert shown["experiment_digest"] == created["experiment_digest"]
    assert shown["runs"] == []
    again = browser.make({**small_experiment, "name": "Another name"})
    assert again["experiment_digest"] == created["experiment_digest"]
    assert again["id"] != created["id"]


def test_the_owner_token_is_stored_only_as_a_hash(browser: JsonClient, small_experiment: dict[str, Any]) -> None:
    created = browser.make(small_experiment)
    row = Experiment.objects.values().get(public_id=created["id"])
    assert created["owner_token"] not in str(row)


def test_a_stranger_reads_and_forks_but_does_not_write(
    browser: JsonClient, stranger: JsonClient, small_experiment: dict[str, Any]
) -> None:
    created = browser.make(small_experiment)
    assert stranger.read(f"experiments/{created['id']}").json()["mine"] is False
    refused = stranger.send(f"experiments/{created['id']}/runs", {"seed": 1})
    assert (refused.status_code, refused.json()["type"]) == (403, "not-yours")
    forked = stranger.send(f"experiments/{created['id']}/fork", {"scheduler": {"name": "sparrow"}})
    assert forked.status_code == 201
    mine = stranger.read(f"experiments/{forked.json()['id']}").json()
    assert (mine["mine"], mine["experiment"]["scheduler"]["name"]) == (True, "sparrow")
    assert stranger.send(f"experiments/{forked.json()['id']}/runs", {}).status_code == 202


def test_a_stranger_cannot_cancel(browser: JsonClient, stranger: JsonClient, small_experiment: dict[str, Any]) -> None:
    created = browser.make(small_experiment)
    run = browser.send(f"experiments/{created['id']}/runs", {}).json()
    assert stranger.send(f"runs/{run['id']}/cancel").status_code == 403
    assert Run.objects.get(public_id=run["id"]).state == "queued"
    assert browser.send(f"runs/{run['id']}/cancel").json()["state"] == "cancelled"


def test_the_owner_token_works_without_the_session(
    browser: JsonClient, stranger: JsonClient, small_experiment: dict[str, Any]
) -> None:
    created = browser.make(small_experiment)
    path = f"experiments/{created['id']}/runs"
    assert stranger.send(path, {}, token=created["owner_token"]).status_code == 202
    assert stranger.send(path, {}, token="wrong").status_code == 403


def test_a_run_takes_the_experiments_seed_or_another(browser: JsonClient, small_experiment: dict[str, Any]) -> None:
    created = browser.make({**small_experiment, "seed": 5})
    path = f"experiments/{created['id']}/runs"
    assert browser.send(path).json()["seed"] == 5
    run = browser.send(path, {"seed": 9}).json()
    assert (run["seed"], run["state"], run["progress"], run["error"]) == (9, "queued", 0.0, None)
    assert run["socket_url"] == f"ws://localhost/ws/runs/{run['id']}"
    assert run["live_url"].startswith(created["share_url"])


def test_runs_at_once_are_limited_and_the_error_names_the_setting(
    browser: JsonClient, small_experiment: dict[str, Any], settings: Settings
) -> None:
    settings.LIMIT_RUNS_AT_ONCE = 2
    created = browser.make(small_experiment)
    path = f"experiments/{created['id']}/runs"
    assert [browser.send(path).status_code for _ in range(3)] == [202, 202, 429]
    assert "PLAYGROUND_LIMIT_RUNS_AT_ONCE" in browser.send(path).json()["problems"][0]["allowed"]
    # Another experiment of the same browser counts too.
    other = browser.make(small_experiment)
    assert browser.send(f"experiments/{other['id']}/runs").status_code == 429


def test_machines_are_limited_and_the_error_names_the_setting(
    browser: JsonClient, small_experiment: dict[str, Any], settings: Settings
) -> None:
    settings.LIMIT_MACHINES = 39
    refused = browser.send("experiments", small_experiment)
    assert refused.status_code == 422
    assert "PLAYGROUND_LIMIT_MACHINES" in refused.content.decode()


def test_a_body_is_bounded(browser: JsonClient, settings: Settings) -> None:
    settings.LIMIT_BODY_BYTES = 1000
    refused = browser.send("experiments", raw=b"[" * 1001)
    assert refused.status_code == 413
    assert "PLAYGROUND_LIMIT_BODY_BYTES" in refused.json()["problems"][0]["allowed"]


def test_a_path_of_the_servers_files_is_refused(browser: JsonClient, small_experiment: dict[str, Any]) -> None:
    small_experiment["workload"] = {"kind": "trace", "format": "sparrow", "path": "/etc/passwd"}
    refused = browser.send("experiments", small_experiment)
    assert refused.status_code == 422
    assert refused.json()["problems"][0]["path"] == "workload.path"


@pytest.mark.parametrize("trace", ["nothing-here", "../../etc/passwd", "..", "a/b", ".hidden"])
def test_an_unknown_trace_is_refused(browser: JsonClient, small_experiment: dict[str, Any], trace: str) -> None:
    small_experiment["workload"] = {"kind": "trace", "format": "sparrow", "trace": trace}
    refused = browser.send("experiments", small_experiment)
    assert refused.status_code == 422
    assert refused.json()["problems"][0]["path"] == "workload.trace"


@pytest.mark.parametrize(
    ("origin", "status"),
    [("http://localhost", 201), ("http://evil.example", 403), ("null", 403), ("http://localhost.evil.example", 403),
     ("http://localhost:9999", 403), ("http://[", 403)],
)  # fmt: skip
def test_only_our_origin_writes(
    browser: JsonClient, small_experiment: dict[str, Any], origin: str, status: int
) -> None:
    assert browser.send("experiments", small_experiment, Origin=origin).status_code == status


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_what_is_not_json_is_refused(browser: JsonClient, content_type: str) -> None:
    refused = browser.send("experiments", raw=b"{}", Content_Type=content_type)
    assert (refused.status_code, refused.json()["type"]) == (415, "not-json")


def test_registries_are_listed(browser: JsonClient) -> None:
    listed = {entry["name"]: entry for entry in browser.read("schedulers").json()}
    assert {"megha", "sparrow"} <= listed.keys()
    assert "heartbeat_s" in listed["megha"]["params"]["properties"]
    assert all(entry["family_label"] != entry["family"] for entry in listed.values())  # each family has a name
    # Of a page's knobs those that make a scheduler what it is come before those that it shares with others.
    assert next(iter(listed["firmament"]["params"]["properties"])) == "policy"
    assert browser.read("presets").status_code == 200
    assert "/api/v1/experiments/{experiment_id}/runs" in browser.read("openapi.json").json()["paths"]
    assert browser.read("docs").status_code == 200


MASTER_FAULT = {"at_s": 1, "kind": "fail", "target": {"global_master": 0}, "duration_s": 5}


def test_what_the_scheduler_cannot_do_is_said_before_anything_is_stored(
    browser: JsonClient, small_experiment: dict[str, Any]
) -> None:
    small_experiment["events"] = [{"at_s": 1, "kind": "fail", "target": {"machine": 0}}, MASTER_FAULT]
    assert browser.send("experiments", small_experiment).status_code == 201
    refused = browser.send("experiments", small_experiment | {"scheduler": {"name": "sparrow"}})
    assert refused.status_code == 422
    said = refused.json()["problems"]
    assert [problem["path"] for problem in said] == ["events[1]"]
    assert "sparrow" in said[0]["message"]
    assert said[0]["remedy"]


def test_a_stored_experiment_that_its_scheduler_cannot_do_is_not_queued(
    browser: JsonClient, small_experiment: dict[str, Any]
) -> None:
    created = browser.make(small_experiment)
    stored = Experiment.objects.get(public_id=created["id"])
    # As a version whose scheduler could do more may have left it.
    stored.data = stored.data | {"scheduler": {"name": "sparrow"}, "events": [MASTER_FAULT]}
    stored.save()
    refused = browser.send(f"experiments/{created['id']}/runs", {})
    assert (refused.status_code, refused.json()["problems"][0]["path"]) == (422, "events[0]")
    assert not Run.objects.exists()


def test_links_and_ids_are_too_many_to_guess(browser: JsonClient, small_experiment: dict[str, Any]) -> None:
    """58 bits for a link that people type, 128 for an id and a token."""
    made = [browser.make(small_experiment) for _ in range(2)]
    slug, name, token = (made[0][key] for key in ("slug", "id", "owner_token"))
    assert len(set(slug) - set("23456789abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ")) == 0
    assert len(slug) * math.log2(56) >= 57
    assert len(name) * math.log2(64) >= 128
    assert len(token) * math.log2(64) >= 128
    assert all(made[0][key] != made[1][key] for key in ("slug", "id", "owner_token"))
