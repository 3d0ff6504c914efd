"""Forks at a time: what comes before is the same, what comes after is what was asked for."""

from __future__ import annotations

from typing import Any

import pytest
from pytest_django import Settings

from playground.models import Experiment, Run
from playground.runs import execution
from scheduler_core import RecordingReader
from tests.web.conftest import JsonClient

pytestmark = [pytest.mark.django_db, pytest.mark.redis]

EVENTS: dict[str, list[dict[str, Any]]] = {
    "machine_faults": [
        {"kind": "fail", "target": {"machine": 3}, "duration_s": 20},
        {"kind": "drain", "target": {"rack": 0}},
        {"at_s": 50, "kind": "recover", "target": {"rack": 0}},
        {"kind": "fail", "target": {"cluster": "lm-1"}, "duration_s": 30},
    ],
    "master_faults": [
        {"kind": "fail", "target": {"local_master": "lm-0"}, "duration_s": 20},
        {"kind": "fail", "target": {"global_master": 1}, "duration_s": 20},
    ],
    "share_changes": [{"kind": "set", "target": {"queue": "q0"}, "value": {"share": 0.1}}],
    "parameter_changes": [{"kind": "set", "target": {"scheduler": True}, "value": {"heartbeat_s": 2.5}}],
    "burst": [{"kind": "burst", "target": {"queue": "q0"}, "duration_s": 20, "value": {"rate_factor": 5}}],
}
AT_S = 30.0


@pytest.fixture(autouse=True)
def own_files(settings: Settings, tmp_path: Any) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def base(small_experiment: dict[str, Any]) -> dict[str, Any]:
    """Give an experiment of about a minute and a half with two queues."""
    small_experiment["workload"]["jobs"] = 600
    small_experiment["queues"] = [{"name": f"q{i}", "share": 0.5, "global_master": i} for i in range(2)]
    return small_experiment


def fork(client: JsonClient, created: dict[str, Any], **changes: Any) -> dict[str, Any]:
    answer = client.send(f"experiments/{created['id']}/fork", changes)
    assert answer.status_code == 201, answer.content
    made: dict[str, Any] = answer.json()
    return made


def executed(client: JsonClient, created: dict[str, Any]) -> tuple[Run, list[dict[str, Any]]]:
    """Run an experiment; return the row and the frames."""
    run = client.send(f"experiments/{created['id']}/runs").json()
    execution.execute_run(run_id=run["id"])
    row = Run.objects.get(public_id=run["id"])
    assert row.state == "done", row.error_message
    with row.recording.open("rb") as file:
        return row, [frame.to_wire() for frame in RecordingReader(file).frames()]  # type: ignore[arg-type]


def test_an_unchanged_fork_has_the_same_outcome_frame_by_frame(
    browser: JsonClient, stranger: JsonClient, base: dict[str, Any]
) -> None:
    created = browser.make(base)
    made = fork(stranger, created, at_s=AT_S)
    shown = stranger.read(f"experiments/{made['id']}").json()
    assert shown["mine"] is True
    assert shown["experiment"]["fork_of"] == {"experiment": created["experiment_digest"], "at_s": AT_S}
    assert Experiment.objects.get(public_id=made["id"]).forked_from == Experiment.objects.get(public_id=created["id"])
    assert browser.read(f"experiments/{made['id']}").json()["mine"] is False
    first, frames = executed(browser, created)
    second, again = executed(stranger, made)
    assert second.outcome_digest == first.outcome_digest
    for each in (frames, again):
        each[-1].pop("end")
    assert again == frames


@pytest.mark.parametrize("feature", EVENTS)
def test_an_intervention_changes_what_comes_after_and_nothing_before(
    browser: JsonClient, base: dict[str, Any], feature: str
) -> None:
    created = browser.make(base)
    made = fork(browser, created, at_s=AT_S, events=EVENTS[feature])
    events = browser.read(f"experiments/{made['id']}").json()["experiment"]["events"]
    assert [event["at_s"] for event in events] == [event.get("at_s", AT_S) for event in EVENTS[feature]]
    first, frames = executed(browser, created)
    second, again = executed(browser, made)
    assert second.outcome_digest != first.outcome_digest
    before = [frame for frame in frames if frame["t_ns"] < AT_S * 1e9]
    assert len(before) > 50
    assert again[: len(before)] == before


def test_events_are_added_to_those_that_were_there(browser: JsonClient, base: dict[str, Any]) -> None:
    created = browser.make(base)
    first = fork(browser, created, at_s=10, events=[{"kind": "fail", "target": {"machine": 0}}])
    second = fork(browser, first, at_s=20.5, events=[{"at_s": 25, "kind": "recover", "target": {"machine": 0}}])
    data = browser.read(f"experiments/{second['id']}").json()["experiment"]
    assert [(event["at_s"], event["kind"]) for event in data["events"]] == [(10, "fail"), (25, "recover")]
    assert data["fork_of"] == {"experiment": first["experiment_digest"], "at_s": 20.5}
    # A scheduler that does not honor what is there already is told by the place in the experiment.
    public = {"name": "sparrow", "params": {"profile": "public-simulator"}}
    refused = browser.send(f"experiments/{first['id']}/fork", {"at_s": 5, "scheduler": public})
    assert (refused.status_code, refused.json()["problems"][0]["path"]) == (422, "experiment.events[0]")


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"events": [{"kind": "fail", "target": {"machine": 0}}]}, "at_s"),
        ({"at_s": -1}, "at_s"),
        ({"at_s": "soon"}, "at_s"),
        ({"at_s": True}, "at_s"),
        ({"at_s": 1e300}, "at_s"),
        ({"at_s": 5, "events": {}}, "events"),
        ({"at_s": 5, "events": [3]}, "events[0]"),
        ({"at_s": 5, "events": [{}]}, "events[0].kind"),
        ({"at_s": 5, "events": [{"at_s": 4.9, "kind": "fail", "target": {"machine": 0}}]}, "events[0].at_s"),
        ({"at_s": 5, "events": [{"at_s": "x", "kind": "fail", "target": {"machine": 0}}]}, "events[0].at_s"),
        ({"at_s": 5, "events": [{"kind": "fail", "target": {"machine": 40}}]}, "events[0].target.machine"),
        ({"at_s": 5, "events": [{"kind": "fail", "target": {"cluster": "nowhere"}}]}, "events[0].target.cluster"),
        ({"at_s": 5, "events": [{"kind": "drain", "target": {"global_master": 0}}]}, "events[0].target"),
        ({"at_s": 5, "events": [{"kind": "burst", "target": {"queue": "q0"}, "value": {"rate_factor": 2}}]},
         "events[0].duration_s"),
        ({"at_s": 5, "events": [{"kind": "set", "target": {"scheduler": True}, "value": {"heartbeat": 2}}]},
         "events[0].value.heartbeat"),
        ({"at_s": 5, "nonsense": 1}, "nonsense"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_by_the_place_in_the_request(
    browser: JsonClient, base: dict[str, Any], changes: dict[str, Any], path: str
) -> None:
    # The events of the experiment itself do not shift the places in the request.
    burst = {"kind": "burst", "target": {"queue": "q1"}, "duration_s": 1, "value": {"rate_factor": 2}}
    base["events"] = [{"at_s": 1, **burst}]
    created = browser.make(base)
    before = Experiment.objects.count()
    refused = browser.send(f"experiments/{created['id']}/fork", changes)
    assert refused.status_code == 422, refused.content
    assert path in [problem["path"] for problem in refused.json()["problems"]], refused.json()
    assert Experiment.objects.count() == before


def test_what_the_scheduler_does_not_honor_is_refused_at_once(browser: JsonClient, base: dict[str, Any]) -> None:
    base["scheduler"] = {"name": "sparrow"}
    created = browser.make(base)
    event = {"kind": "set", "target": {"scheduler": True}, "value": {"probe_ratio": 3}}
    refused = browser.send(f"experiments/{created['id']}/fork", {"at_s": 5, "events": [event]})
    assert refused.status_code == 422
    problem = refused.json()["problems"][0]
    assert problem["path"] == "events[0]"
    assert "sparrow" in problem["message"]
    assert problem["remedy"]
