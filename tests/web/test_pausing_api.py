"""Pausing as the API has it, the worker's part done in this process."""

from __future__ import annotations

import asyncio
import threading
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from playground.models import Run, RunState
from playground.runs import execution, queue, recovery
from playground.runs.live import replay, store
from playground.storage import connections, leases
from tests.web.conftest import JsonClient

pytestmark = [pytest.mark.django_db, pytest.mark.redis]


@pytest.fixture(autouse=True)
def own_files(settings: Settings, tmp_path: Any) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def run(browser: JsonClient, small_experiment: dict[str, Any]) -> dict[str, Any]:
    """Give a queued run of a second or so."""
    small_experiment["workload"]["jobs"] = 20_000
    created = browser.make(small_experiment)
    started: dict[str, Any] = browser.send(f"experiments/{created['id']}/runs").json()
    return started


def state_of(browser: JsonClient, run: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = browser.read(f"runs/{run['id']}").json()
    return found


def paused_by_its_worker(browser: JsonClient, run: dict[str, Any]) -> None:
    """Execute the run with the wish to pause in its row, as if it had come just after the worker took it."""
    store.ask_to_pause(run["id"])
    Run.objects.filter(public_id=run["id"]).update(pause_asked=True)
    assert execution.execute_run(run_id=run["id"])


def test_only_the_owner_pauses_and_resumes(browser: JsonClient, stranger: JsonClient, run: dict[str, Any]) -> None:
    for what in ("pause", "resume"):
        assert stranger.send(f"runs/{run['id']}/{what}").status_code == 403
    assert state_of(browser, run)["state"] == "queued"


def test_a_queued_run_pauses_at_once_twice_is_once_and_its_message_starts_nothing(
    browser: JsonClient, run: dict[str, Any]
) -> None:
    for _ in range(2):
        answer = browser.send(f"runs/{run['id']}/pause")
        assert (answer.status_code, answer.json()["state"], answer.json()["pausing"]) == (200, "paused", False)
    assert execution.execute_run(run_id=run["id"]) is False
    resumed = browser.send(f"runs/{run['id']}/resume").json()
    assert (resumed["state"], resumed["queue_position"]) == ("queued", 1)
    assert browser.send(f"runs/{run['id']}/resume").json()["state"] == "queued"
    assert execution.execute_run(run_id=run["id"]) is True
    assert state_of(browser, run)["state"] == "done"
    for what in ("pause", "resume"):
        refused = browser.send(f"runs/{run['id']}/{what}")
        assert (refused.status_code, refused.json()["type"]) == (409, "ended")
        assert refused["Content-Type"] == "application/problem+json"


def test_a_worker_saves_a_run_and_frees_itself(browser: JsonClient, run: dict[str, Any]) -> None:
    paused_by_its_worker(browser, run)
    found = state_of(browser, run)
    assert (found["state"], found["pausing"], found["error"]) == ("paused", False, None)
    assert not leases.has_lease(run["id"])
    row = Run.objects.get(public_id=run["id"])
    assert row.snapshot.size > 0
    assert row.spent_s > 0
    # Redis forgets everything; the row still knows.
    connections.client().flushdb()
    assert state_of(browser, run)["frames"] == found["frames"] > 0
    browser.send(f"runs/{run['id']}/resume")
    assert execution.execute_run(run_id=run["id"])
    ended = state_of(browser, run)
    assert ended["state"] == "done"
    assert store.last_published(run["id"]) == ended["frames"] - 1
    assert connections.client().xlen(f"run:{run['id']}:frames") == ended["frames"]
    row.refresh_from_db()
    assert not row.snapshot
    assert not row.snapshot.storage.exists(f"snapshots/{run['id']}.zip")


def test_seconds_before_a_pause_count_towards_the_limit(
    browser: JsonClient, run: dict[str, Any], settings: Settings
) -> None:
    paused_by_its_worker(browser, run)
    Run.objects.filter(public_id=run["id"]).update(spent_s=settings.LIMIT_RUN_SECONDS - 0.01)
    browser.send(f"runs/{run['id']}/resume")
    execution.execute_run(run_id=run["id"])
    ended = state_of(browser, run)
    assert (ended["state"], ended["error"]["code"]) == ("failed", "time_limit")
    assert "PLAYGROUND_LIMIT_RUN_SECONDS" in ended["error"]["message"]
    assert not Run.objects.get(public_id=run["id"]).snapshot


def test_a_wish_that_redis_forgot_is_told_again(browser: JsonClient, run: dict[str, Any]) -> None:
    Run.objects.filter(public_id=run["id"]).update(state=RunState.RUNNING, claim="x", attempts=1)
    assert browser.send(f"runs/{run['id']}/pause").json()["pausing"] is True
    connections.client().flushdb()
    assert leases.take_lease(run["id"], "x")
    recovery.recover_runs()
    assert store.is_pause_asked(run["id"])
    assert browser.send(f"runs/{run['id']}/resume").json()["pausing"] is False
    assert not store.is_pause_asked(run["id"])


def test_paused_runs_are_limited_and_one_that_goes_on_counts_as_running(
    browser: JsonClient, run: dict[str, Any], settings: Settings
) -> None:
    settings.LIMIT_PAUSED_RUNS, settings.LIMIT_RUNS_AT_ONCE = 1, 1
    assert browser.send(f"runs/{run['id']}/pause").json()["state"] == "paused"
    second = browser.send(f"experiments/{run['experiment_id']}/runs").json()
    refused = browser.send(f"runs/{second['id']}/pause")
    assert (refused.status_code, refused.json()["type"]) == (429, "too-many-paused")
    assert "PLAYGROUND_LIMIT_PAUSED_RUNS" in refused.json()["problems"][0]["allowed"]
    assert browser.send(f"runs/{run['id']}/resume").status_code == 429
    assert state_of(browser, run)["state"] == "paused"


def test_a_run_that_is_resumed_before_its_worker_let_go_is_not_lost(browser: JsonClient, run: dict[str, Any]) -> None:
    assert leases.take_lease(run["id"], "the worker before")
    threading.Timer(0.3, leases.drop_lease, (run["id"], "the worker before")).start()
    assert execution.execute_run(run_id=run["id"]) is True
    assert state_of(browser, run)["state"] == "done"


def test_who_waits_is_told_a_place_and_a_time(
    browser: JsonClient, run: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"experiments/{run['experiment_id']}/runs"
    others = [browser.send(path).json() for _ in range(2)]
    assert [state_of(browser, each)["queue_position"] for each in (run, *others)] == [1, 2, 3]
    # Nothing has ended yet, so nothing is known about how long it takes, until one is under way.
    assert state_of(browser, others[1])["eta_s"] is None
    began = timezone.now()
    Run.objects.filter(public_id=run["id"]).update(state=RunState.RUNNING, started_at=began)
    store.write_progress(run["id"], store.Progress("running", 0.5, 40.0, 3))
    with monkeypatch.context() as clock:
        # The estimate counts the time since the start, and a slow database would let some pass.
        clock.setattr(queue, "timezone", SimpleNamespace(now=lambda: began))
        assert [state_of(browser, each)["eta_s"] for each in others] == [80, 120]
    Run.objects.filter(public_id=run["id"]).update(state=RunState.QUEUED)
    execution.execute_run(run_id=run["id"])
    done = state_of(browser, run)
    assert (done["queue_position"], done["eta_s"]) == (None, None)
    waits = [state_of(browser, each) for each in others]
    assert [each["queue_position"] for each in waits] == [1, 2]
    assert 0 < waits[0]["eta_s"] < waits[1]["eta_s"]
    Run.objects.filter(public_id=others[0]["id"]).update(state=RunState.RUNNING)
    store.write_progress(others[0]["id"], store.Progress("running", 0.5, 100.0, 3))
    held = state_of(browser, others[0])
    assert (held["queue_position"], held["eta_s"]) == (None, 100.0)
    assert state_of(browser, others[1])["eta_s"] > 100


@pytest.mark.parametrize("state", ["paused", "done"])
def test_viewers_who_share_a_row_read_its_file_each_for_themselves(
    browser: JsonClient, run: dict[str, Any], state: str
) -> None:
    if state == "paused":
        # In the middle: there are frames to read.
        store.ask_to_pause(run["id"])
        Run.objects.filter(public_id=run["id"]).update(pause_asked=True)
    execution.execute_run(run_id=run["id"])
    row = Run.objects.get(public_id=run["id"])
    assert row.state == state

    async def seqs() -> list[int]:
        return [frame.seq async for frames in replay.frames_after(run=row, after=-1) for frame in frames]

    async def both() -> list[list[int]]:
        return list(await asyncio.gather(*(seqs() for _ in range(4))))

    assert asyncio.run(both()) == [list(range(row.frames))] * 4
    assert row.frames > 0
