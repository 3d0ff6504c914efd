"""Checkpoints and draining, the worker's part done in this process: the run goes on where it was, to the same end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from playground.models import Run, RunState
from playground.runs import attempt, checkpoints, execution, giving_way, recovery
from playground.storage import draining
from scheduler_core import Experiment, RecordingReader, Simulation
from scheduler_core.studies.cluster_measures import add_cluster_measures
from tests.web.conftest import JsonClient

pytestmark = [pytest.mark.django_db, pytest.mark.redis]


class Died(BaseException):
    """Stands for the end of a worker's process: nothing in the product catches it."""


@pytest.fixture
def run(browser: JsonClient, small_experiment: dict[str, Any], settings: Settings, tmp_path: Path) -> Run:
    settings.MEDIA_ROOT = tmp_path
    small_experiment["workload"]["jobs"] = 10_000
    answer = browser.send("runs", {"experiment": small_experiment})
    assert answer.status_code == 202, answer.content
    return Run.objects.select_related("experiment").get(public_id=answer.json()["id"])


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Tell how far each run was that was continued."""
    found: list[float] = []
    load = attempt.load_simulation

    def note(simulation: Simulation, source: Any) -> None:
        load(simulation, source)
        found.append(simulation.progress)

    monkeypatch.setattr(attempt, "load_simulation", note)
    return found


@pytest.fixture
def each_slice(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[int], None]], None]:
    """Give what has something done between two slices; it is given the number of frames."""
    for name in ("_KEEP_CLAIM_EVERY_S", "_LISTEN_EVERY_S"):
        monkeypatch.setattr(attempt, name, 0.0)
    listen = attempt.Attempt._listen

    def act_on(action: Callable[[int], None]) -> None:
        def listen_and_act(self: attempt.Attempt, simulation: Simulation) -> None:
            action(self.frames)
            listen(self, simulation)

        monkeypatch.setattr(attempt.Attempt, "_listen", listen_and_act)

    return act_on


@pytest.fixture
def drained() -> Iterator[None]:
    yield
    draining.end()


def assert_whole(run: Run, folder: Path) -> None:
    """Assert that the run's end and frames are those of one that nothing has disturbed."""
    run.refresh_from_db()
    assert run.state == RunState.DONE, run.error_message
    undisturbed = Simulation(Experiment.parse(run.experiment.data | {"seed": run.seed}))
    expected = [frame.to_wire() for frame in undisturbed.run()]
    assert undisturbed.result is not None
    add_cluster_measures(undisturbed)  # to the summary that the last frame holds
    assert run.outcome_digest == undisturbed.result.summary["outcome_digest"]
    with (folder / str(run.recording.name)).open("rb") as file, RecordingReader(file) as reader:
        kept = [frame.to_wire() for frame in reader.frames()]
    for frames in (expected, kept):
        frames[-1]["end"].pop("performance")
    assert kept == expected
    assert (run.snapshot.name, list((folder / "snapshots").iterdir())) == ("", [])


def test_a_run_whose_worker_dies_goes_on_from_its_checkpoint(
    run: Run,
    loaded: list[float],
    each_slice: Callable[..., None],
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    settings.CHECKPOINT_SECONDS = 0.001
    monkeypatch.setattr(checkpoints, "RARELY", 0)
    seen: list[str] = []

    def die_after_two_checkpoints(frames: int) -> None:
        names = [path.name for path in (tmp_path / "snapshots").glob("*")]
        assert len(names) <= 1, "the one before is deleted"
        seen.extend(name for name in names if name not in seen)
        if len(seen) == 2:
            raise Died

    each_slice(die_after_two_checkpoints)
    with pytest.raises(Died):
        execution.execute_run(run_id=run.public_id)
    run.refresh_from_db()
    assert (run.state, run.attempts) == (RunState.RUNNING, 1)
    assert run.snapshot.name == f"snapshots/{seen[-1]}"
    assert recovery.recover_runs() == 1
    settings.CHECKPOINT_SECONDS = 0
    each_slice(lambda frames: None)
    assert execution.execute_run(run_id=run.public_id)
    assert len(loaded) == 1
    assert 0 < loaded[0] < 1
    assert_whole(run, tmp_path)


def test_no_checkpoints_where_they_are_turned_off(
    run: Run, each_slice: Callable[..., None], settings: Settings, tmp_path: Path
) -> None:
    settings.CHECKPOINT_SECONDS = 0
    each_slice(lambda frames: None)
    assert execution.execute_run(run_id=run.public_id)
    assert not (tmp_path / "snapshots").exists()


def test_a_run_goes_on_where_no_checkpoint_can_be_stored(
    run: Run, settings: Settings, tmp_path: Path, each_slice: Callable[..., None]
) -> None:
    settings.CHECKPOINT_SECONDS = 0.001
    (tmp_path / "snapshots").write_bytes(b"a file where the folder of snapshots should be")
    each_slice(lambda frames: None)
    assert execution.execute_run(run_id=run.public_id)
    run.refresh_from_db()
    assert (run.state, run.snapshot.name) == (RunState.DONE, "")


@pytest.mark.usefixtures("drained")
def test_a_drained_worker_hands_its_run_back_where_it_was(
    run: Run,
    loaded: list[float],
    each_slice: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr(giving_way, "WORTH_SAVING_S", 0.0)
    each_slice(lambda frames: draining.begin() if frames > 20 else None)
    queued_at = run.queued_at
    assert execution.execute_run(run_id=run.public_id)
    run.refresh_from_db()
    assert (run.state, run.claim, run.attempts) == (RunState.QUEUED, "", 0)
    assert run.queued_at == queued_at, "it keeps its place"
    assert 0 < run.paused_fraction < 1
    draining.end()
    each_slice(lambda frames: None)
    assert execution.execute_run(run_id=run.public_id)
    assert loaded == [pytest.approx(run.paused_fraction)]
    assert_whole(run, tmp_path)
