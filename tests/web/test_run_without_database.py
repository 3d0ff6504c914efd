"""The database is restarted, or a disk is full, while a worker computes: the run goes on, and no result is lost."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError
from pytest_django import Settings

from playground.models import Run, RunState
from playground.runs import attempt, execution, keeping, recovery
from playground.runs import service as runs
from scheduler_core import Experiment, simulate
from tests.web.conftest import JsonClient

pytestmark = [pytest.mark.django_db, pytest.mark.redis]


@pytest.fixture
def run(browser: JsonClient, small_experiment: dict[str, Any], settings: Settings, tmp_path: Path) -> Run:
    settings.MEDIA_ROOT = tmp_path
    answer = browser.send("runs", {"experiment": small_experiment})
    return Run.objects.select_related("experiment").get(public_id=answer.json()["id"])


def failing_at_first(act: Callable[..., Any], error: Exception) -> Callable[..., Any]:
    """Return `act`, which raises an error when it is called for the first time."""
    errors = [error]

    def try_to(*arguments: Any, **named: Any) -> Any:
        if errors:
            raise errors.pop()
        return act(*arguments, **named)

    return try_to


def ended_well(run: Run) -> bool:
    run.refresh_from_db()
    alone = simulate(Experiment.parse(run.experiment.data | {"seed": run.seed})).summary["outcome_digest"]
    return (run.state, run.outcome_digest) == (RunState.DONE, alone)


def test_a_run_goes_on_while_the_database_is_away(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempt, "_KEEP_CLAIM_EVERY_S", 0.0)
    away = failing_at_first(attempt.Attempt._keep_claim, OperationalError("the database system is starting up"))
    monkeypatch.setattr(attempt.Attempt, "_keep_claim", lambda self: away(self))
    assert execution.execute_run(run_id=run.public_id)
    assert ended_well(run)


def test_a_run_that_ends_while_the_database_is_away_is_computed_again(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = OperationalError("database or disk is full")
    monkeypatch.setattr(attempt, "keep_result", failing_at_first(keeping.keep_result, full))
    assert not execution.execute_run(run_id=run.public_id)
    assert Run.objects.get(pk=run.pk).state == RunState.RUNNING, "not failed: recovery queues it again"
    assert recovery.recover_runs() == 1
    assert execution.execute_run(run_id=run.public_id)
    assert ended_well(run)


@pytest.mark.parametrize("name", ["keep", "scratch"])
def test_a_result_waits_for_a_disk_that_is_full(run: Run, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(keeping, "_AGAIN_S", 0.0)
    full = OSError(errno.ENOSPC, "No space left on device")
    monkeypatch.setattr(keeping.files, name, failing_at_first(getattr(keeping.files, name), full))
    assert execution.execute_run(run_id=run.public_id)
    assert ended_well(run)


def test_a_request_is_told_to_come_back(run: Run, browser: JsonClient, monkeypatch: pytest.MonkeyPatch) -> None:
    away = OperationalError("server closed the connection unexpectedly")
    monkeypatch.setattr(runs, "get_run", failing_at_first(runs.get_run, away))
    refused = browser.read(f"runs/{run.public_id}")
    assert (refused.status_code, refused["Retry-After"]) == (503, "5")
    assert browser.read(f"runs/{run.public_id}").status_code == 200
