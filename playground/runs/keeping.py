"""Store the files and the row of an ended run, and of the runs that were computed with it."""

from __future__ import annotations

import logging
import shutil
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeVar

from django.utils import timezone

from playground.ground.simulator import stored_experiment
from playground.known.results import find_computed, give, settle
from playground.models import HELD_STATES, Run, RunState
from playground.runs.live import store
from playground.runs.live.store import announce_state
from playground.runs.results.recorded import with_recorded
from playground.runs.service import forget_snapshot
from playground.runs.sharing import Together
from playground.storage import files
from scheduler_core import RunView, Simulation, copy_recording

logger = logging.getLogger(__name__)

_STORAGE_MAY_BE_AWAY_S, _AGAIN_S = 60.0, 2.0
_Done = TypeVar("_Done")


def keep_result(together: Together, simulation: Simulation, frames: int) -> None:
    """Store recording, task table and the end of every run that this worker still holds; `together` has those left."""
    while together.rows and not _keep(together, simulation, frames):
        together.let_go(together.leader)
    for row in together.others:
        if not _give(together.leader, row, simulation.experiment.scheduler.name):
            together.let_go(row)


def fail(together: Together, code: str, message: str) -> None:
    """End all runs that were computed at once: what breaks one breaks each of them."""
    frames = store.last_published(together.stream) + 1
    for run in together.rows:
        failed = together.held(run).update(
            state=RunState.FAILED, error_code=code, error_message=message, ended_at=timezone.now(), pause_asked=False
        )
        if failed:
            logger.info("run %s failed (%s): %s", run.public_id, code, message)
            forget_snapshot(run)
            announce_state(run.public_id, store.Progress(RunState.FAILED, 0.0, None, frames))
    store.expire_frames(together.stream)


def _keep(together: Together, simulation: Simulation, frames: int) -> bool:
    """Write the leader's files and its row; False, with nothing left of them, where it is held no more."""
    result, run = simulation.result, together.leader
    assert result is not None
    # A name of its own for each attempt: two attempts never write into one file.
    name = f"runs/{run.public_id}-{run.claim[:8]}"

    def write_recording(path: Path) -> None:
        RunView(simulation).write_recording(path)
        if run.pk != together.named_after:
            _rename(path, run)

    run.recording.name = _stored(write_recording, f"{name}.zip")
    run.tasks_table.name = _stored(with_recorded(result).to_parquet, f"{name}.parquet")
    run.outcome_digest = result.summary["outcome_digest"]
    if run.fresh:
        settle(run, simulation.experiment.scheduler.name)
    kept = together.held(run).update(
        state=RunState.DONE,
        pause_asked=False,
        summary=result.summary,
        outcome_digest=run.outcome_digest,
        frames=frames,
        recording=run.recording.name,
        tasks_table=run.tasks_table.name,
        ended_at=timezone.now(),
    )
    if not kept:
        _remove_files(run)
    elif not run.fresh:
        settle(run, simulation.experiment.scheduler.name)
    return bool(kept)


def _stored(write: Callable[[Path], None], name: str) -> str:
    """Write a file and store it. Raises OSError."""
    with ExitStack() as until_stored:
        path = _patiently(lambda: until_stored.enter_context(files.scratch()), name)
        _patiently(lambda: write(path), name)
        return _patiently(lambda: files.keep(path, name), name)


def _patiently(act: Callable[[], _Done], name: str) -> _Done:
    """Try again for a while where a disk is full, or the storage is away: the run is computed. Raises OSError."""
    deadline = time.monotonic() + _STORAGE_MAY_BE_AWAY_S
    while True:
        try:
            return act()
        except OSError as error:
            if time.monotonic() > deadline:
                raise
            logger.warning("%s is stored again in %s s: %s", name, _AGAIN_S, error)
            time.sleep(_AGAIN_S)


def _rename(recording: Path, run: Run) -> None:
    """Let a recording name the experiment of the run that it is kept for: the first run was cancelled."""
    with files.scratch() as renamed:
        with recording.open("rb") as source, renamed.open("wb") as target:
            copy_recording(source, target, {"experiment": stored_experiment(run.experiment, seed=run.seed).to_dict()})
        shutil.move(renamed, recording)


def _give(leader: Run, row: Run, scheduler: str) -> bool:
    """Give the leader's result to a run that was computed with it; say whether it is still held."""
    known = find_computed(question=leader.question_digest, scheduler=scheduler, but=row)
    if known is None:
        logger.warning("run %s is computed again: the result of %s is gone", row.public_id, leader.public_id)
        return False
    held = Run.objects.filter(pk=row.pk, claim=row.claim, state__in=HELD_STATES)
    try:
        give(row, known, stored_experiment(row.experiment, seed=row.seed))
    except OSError as error:
        logger.warning("run %s is computed again: %s", row.public_id, error)
        return False
    fields: dict[str, Any] = {
        name: getattr(row, name) for name in ("state", "summary", "outcome_digest", "frames", "code_digest", "ended_at")
    }
    files = {"recording": row.recording.name, "tasks_table": row.tasks_table.name}
    kept = held.update(**fields, **files, pause_asked=False)
    if not kept:
        _remove_files(row)
    return bool(kept)


def _remove_files(run: Run) -> None:
    run.recording.delete(save=False)
    run.tasks_table.delete(save=False)
