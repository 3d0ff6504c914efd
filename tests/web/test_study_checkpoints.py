"""A study's run whose worker dies or is drained continues from its checkpoint, to the same result."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from playground.models import RunState, StudyRun
from playground.shell import retention
from playground.storage import draining
from playground.studies import checkpoints, execution
from playground.studies.service import grid_of
from scheduler_core import Simulation, load_simulation, measure_run
from scheduler_core.studies import running
from tests.support import chatty_experiment
from tests.web.conftest import JsonClient

pytestmark = [pytest.mark.django_db, pytest.mark.redis]


class Died(BaseException):
    """Stands for the end of a worker's process: nothing in the product catches it."""


@pytest.fixture
def row(browser: JsonClient, settings: Settings, tmp_path: Path) -> StudyRun:
    settings.MEDIA_ROOT = tmp_path
    made = browser.send("experiments", chatty_experiment(3_000)).json()
    study = browser.send(f"experiments/{made['id']}/studies", {"repeats": 2}).json()
    return StudyRun.objects.select_related("study").get(study__public_id=study["id"], number=0)


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Tell how far each run was that was continued."""
    found: list[float] = []

    def note(simulation: Simulation, source: Any) -> None:
        load_simulation(simulation, source)
        found.append(simulation.progress)

    monkeypatch.setattr(running, "load_simulation", note)
    monkeypatch.setattr(execution, "_LISTEN_EVERY_S", 0.0)
    monkeypatch.setattr(checkpoints, "WORTH_SAVING_S", 0.0)
    return found


@pytest.fixture
def drained() -> Iterator[None]:
    yield
    draining.end()


def at_half_way(monkeypatch: pytest.MonkeyPatch, act: Any) -> None:
    """Have something happen once a run has come half way."""
    listen = execution._Attempt._between_slices

    def listen_and_act(self: Any, simulation: Simulation) -> None:
        if simulation.progress > 0.5:
            act()
        listen(self, simulation)

    monkeypatch.setattr(execution._Attempt, "_between_slices", listen_and_act)


def die() -> None:
    raise Died


def ends_as_undisturbed(row: StudyRun, folder: Path) -> bool:
    row.refresh_from_db()
    alone = measure_run(grid_of(row.study), row.number)
    assert (row.state, row.snapshot.name, list((folder / "snapshots").iterdir())) == (RunState.DONE, "", [])
    assert row.summary is not None
    return bool(row.summary["outcome_digest"] == alone["outcome_digest"])


def test_a_run_whose_worker_dies_continues_from_its_checkpoint(
    row: StudyRun, loaded: list[float], settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settings.CHECKPOINT_SECONDS = 0.001
    monkeypatch.setattr(execution, "_LOOK_EVERY_S", 0.0)
    monkeypatch.setattr(checkpoints, "RARELY", 0)
    with monkeypatch.context() as dying:
        at_half_way(dying, die)
        with pytest.raises(Died):
            execution.execute_study_run(study_id=row.study.public_id, number=0)
    (kept,) = (tmp_path / "snapshots").iterdir()
    assert StudyRun.objects.get(pk=row.pk).snapshot.name == f"snapshots/{kept.name}"
    assert execution.recover_studies() == 1
    settings.CHECKPOINT_SECONDS = 0
    assert execution.execute_study_run(study_id=row.study.public_id, number=0)
    assert len(loaded) == 1
    assert 0 < loaded[0] < 1
    assert ends_as_undisturbed(row, tmp_path)


@pytest.mark.usefixtures("drained")
def test_a_drained_worker_hands_its_run_back_where_it_was(
    row: StudyRun, loaded: list[float], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with monkeypatch.context() as ending:
        at_half_way(ending, draining.begin)
        execution.execute_study_run(study_id=row.study.public_id, number=0)
    draining.end()
    monkeypatch.setattr(retention, "_UNREAD_FOR", -retention._UNREAD_FOR)
    retention.make_room()
    row.refresh_from_db()
    assert (row.state, row.snapshot.name) == (
        RunState.QUEUED,
        f"snapshots/{next((tmp_path / 'snapshots').iterdir()).name}",
    )
    assert execution.execute_study_run(study_id=row.study.public_id, number=0)
    assert loaded[0] > 0.5
    assert ends_as_undisturbed(row, tmp_path)


@pytest.mark.usefixtures("drained")
def test_a_file_that_does_not_fit_costs_time_alone(
    row: StudyRun, loaded: list[float], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "snapshots").mkdir()
    (tmp_path / "snapshots" / "odd").write_bytes(b"not a snapshot")
    StudyRun.objects.filter(pk=row.pk).update(snapshot="snapshots/odd")
    assert execution.execute_study_run(study_id=row.study.public_id, number=0)
    assert loaded == []
    assert ends_as_undisturbed(row, tmp_path)
