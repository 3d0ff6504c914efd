"""What a worker does with its run when Redis is gone, or has forgotten it, the worker's part done in this process."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from playground.models import Run, RunState
from playground.runs import attempt, execution, recovery
from playground.runs.live import store
from playground.storage import connections, leases
from playground.storage.leases import Lease
from tests.support import MortalRedis, wait_until
from tests.tiers import wide
from tests.web.conftest import JsonClient

pytestmark = [pytest.mark.django_db, pytest.mark.redis]


@pytest.fixture
def mortal(real_redis: None, settings: Settings, tmp_path: Path) -> Iterator[MortalRedis]:
    """Give a Redis that may be killed; runs of this test use it."""
    server = MortalRedis(tmp_path)
    settings.REDIS_URL = server.url
    settings.MEDIA_ROOT = tmp_path / "media"
    yield server
    server.kill()


@pytest.fixture
def run(mortal: MortalRedis, browser: JsonClient, small_experiment: dict[str, Any]) -> Run:
    small_experiment["workload"]["jobs"] = 40_000
    created = browser.make(small_experiment)
    return Run.objects.get(public_id=browser.send(f"experiments/{created['id']}/runs").json()["id"])


def test_a_run_is_left_to_recovery_and_not_failed(mortal: MortalRedis, run: Run) -> None:
    def kill_under_way() -> None:
        wait_until(lambda: store.last_published(run.public_id) > 20, seconds=60, what="the run is under way")
        mortal.kill()

    killer = threading.Thread(target=kill_under_way)
    killer.start()
    assert execution.execute_run(run_id=run.public_id) is False
    killer.join()
    run.refresh_from_db()
    assert (run.state, run.error_code) == (RunState.RUNNING, "")

    mortal.start()
    assert recovery.recover_runs() == 1
    assert execution.execute_run(run_id=run.public_id) is True
    run.refresh_from_db()
    assert (run.state, run.attempts, run.error_code) == (RunState.DONE, 2, "")
    assert store.last_published(run.public_id) == run.frames - 1


def test_a_lease_that_redis_forgot_is_taken_back_unless_somebody_has_it(
    mortal: MortalRedis, settings: Settings
) -> None:
    settings.LEASE_SECONDS = 2
    assert leases.take_lease("r", "mine")
    with Lease("r", "mine"):
        mortal.kill()
        mortal.start()
        assert not leases.has_lease("r")
        wait_until(lambda: leases.has_lease("r"), seconds=10, what="the lease is taken back")
        connections.client().set("run:r:lease", "another's")
        assert leases.renew_lease("r", "mine") is False
    assert leases.has_lease("r"), "the other one's lease was dropped"


def test_seconds_of_workers_that_died_count_and_a_run_taken_over_is_given_up(
    run: Run, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attempt, "_KEEP_CLAIM_EVERY_S", 0.0)
    noted: list[float] = []

    def take_over() -> None:
        noted.append(Run.objects.get(pk=run.pk).spent_s)
        if noted[-1] > 0:
            Run.objects.filter(pk=run.pk).update(state=RunState.QUEUED, claim="")

    listen = attempt.Attempt._listen
    monkeypatch.setattr(attempt.Attempt, "_listen", lambda *given: (take_over(), listen(*given)))
    execution.execute_run(run_id=run.public_id)
    run.refresh_from_db()
    assert run.state == RunState.QUEUED
    assert 0 == noted[0] < run.spent_s

    monkeypatch.undo()
    Run.objects.filter(pk=run.pk).update(spent_s=settings.LIMIT_RUN_SECONDS)
    execution.execute_run(run_id=run.public_id)
    run.refresh_from_db()
    assert (run.state, run.error_code) == (RunState.FAILED, "time_limit")
    assert "2 attempts" in run.error_message


@wide
def test_only_a_server_that_says_it_is_still_starting_is_no_line_in_the_log(
    settings: Settings, browser: JsonClient, small_experiment: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    created = browser.make(small_experiment)
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert browser.get("/readyz").status_code == 503
    assert "Service Unavailable" not in caplog.text
    assert browser.send(f"experiments/{created['id']}/runs").status_code == 503
    assert "Service Unavailable" in caplog.text
