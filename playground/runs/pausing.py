"""Pause and resume a run: the request, the worker's response, and the file of the paused run.

Whoever asks writes the wish into the row; Redis only wakes the worker. The worker writes the file between two slices
and gives the run up by one conditional update, so that a wish that was taken back meanwhile, or a cancellation, wins.
"""

from __future__ import annotations

import logging
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.files import File
from django.db import transaction
from django.utils import timezone

from playground.errors import PlaygroundError, not_yours, problem
from playground.ground.quotas import quota_of_key, refuse_more
from playground.ground.viewers import Viewer
from playground.models import FINAL_STATES, HELD_STATES, Run, RunState
from playground.runs.live import store
from playground.runs.live.store import announce_state
from playground.runs.service import enqueue, refuse_too_many, runs_of_owner

if TYPE_CHECKING:
    from scheduler_core import Simulation

logger = logging.getLogger(__name__)


def pause_run(*, run: Run, viewer: Viewer) -> Run:
    """Ask for a pause; a queued run pauses at once, another one as soon as its worker has saved it.

    Pausing twice is once. Raises PlaygroundError for a run that is over.
    """
    if not viewer.owns(run.experiment):
        raise not_yours("run")
    _refuse_ended(run, "be paused")
    if run.state != RunState.PAUSED:
        _refuse_many_paused(run)
        queued = Run.objects.filter(pk=run.pk, state=RunState.QUEUED)
        if queued.update(state=RunState.PAUSED, pause_asked=False):
            run.refresh_from_db()
            _announce_paused(run)
        elif Run.objects.filter(pk=run.pk, state__in=HELD_STATES).update(pause_asked=True):
            store.ask_to_pause(run.public_id)
    run.refresh_from_db()
    _refuse_ended(run, "be paused")
    return run


def resume_run(*, run: Run, viewer: Viewer) -> Run:
    """Queue a paused run again, or take back a wish to pause; one that is not paused stays as it is.

    Raises PlaygroundError for a run that is over, and when too many are under way.
    """
    if not viewer.owns(run.experiment):
        raise not_yours("run")
    _refuse_ended(run, "go on")
    if run.state == RunState.PAUSED:
        with transaction.atomic():
            refuse_too_many(run.experiment)
            paused = Run.objects.filter(pk=run.pk, state=RunState.PAUSED)
            if paused.update(state=RunState.QUEUED, queued_at=timezone.now(), pause_asked=False):
                store.take_back_pause(run.public_id)
                progress = store.Progress(RunState.QUEUED, run.paused_fraction, None, run.frames)
                transaction.on_commit(lambda: announce_state(run.public_id, progress))
                enqueue(run)
    elif Run.objects.filter(pk=run.pk, state__in=HELD_STATES, pause_asked=True).update(pause_asked=False):
        store.take_back_pause(run.public_id)
    run.refresh_from_db()
    return run


def _refuse_ended(run: Run, what: str) -> None:
    if run.state in FINAL_STATES:
        item = problem("", f"the run is {run.state}", allowed="a run that is not over", remedy="start a run again")
        raise PlaygroundError(409, "ended", f"A run that is {run.state} cannot {what}", (item,))


def _refuse_many_paused(run: Run) -> None:
    paused = runs_of_owner(run.experiment).filter(state=RunState.PAUSED).count()
    if paused >= settings.LIMIT_PAUSED_RUNS:
        item = problem(
            "",
            f"{paused} of your runs are paused",
            allowed=f"at most {settings.LIMIT_PAUSED_RUNS} (setting PLAYGROUND_LIMIT_PAUSED_RUNS)",
            remedy="resume one, or cancel one",
        )
        raise PlaygroundError(429, "too-many-paused", "Too many paused runs", (item,))
    refuse_more(
        quota_of_key(run.experiment.counts_under),
        Run.objects.filter(experiment__counts_under=run.experiment.counts_under, state=RunState.PAUSED),
        setting="LIMIT_PAUSED_RUNS_PER_ADDRESS", what="paused runs", kind="too-many-paused",
        remedy="resume one, or cancel one",
    )  # fmt: skip


def _announce_paused(run: Run) -> None:
    announce_state(run.public_id, store.Progress(RunState.PAUSED, run.paused_fraction, None, run.frames))
    store.expire_frames(run.public_id)


def put_aside(*, run: Run, simulation: Simulation, frames: int, spent_s: float) -> bool:
    """Save a run that its worker holds and give it up, if that is still wished; say whether it was given up."""
    ours = Run.objects.filter(pk=run.pk, claim=run.claim, state__in=HELD_STATES, pause_asked=True)
    store.take_back_pause(run.public_id)
    if not ours.exists():
        return False
    earlier = run.snapshot.name
    try:
        save_aside(run, simulation)
    except OSError:
        logger.exception("run %s cannot be saved, so it goes on", run.public_id)
        ours.update(pause_asked=False)
        run.snapshot.name = earlier
        return False
    given_up = ours.update(
        state=RunState.PAUSED,
        claim="",
        pause_asked=False,
        attempts=0,  # what counts is how often the rest of it fails
        snapshot=run.snapshot.name,
        paused_fraction=min(max(simulation.progress, 0.0), 1.0),
        frames=frames,
        spent_s=spent_s,
    )
    storage = run.snapshot.storage
    if not given_up:
        storage.delete(str(run.snapshot.name))
        run.snapshot.name = earlier
        return False
    if earlier:
        storage.delete(earlier)
    run.refresh_from_db()
    _announce_paused(run)
    return True


def save_aside(run: Run, simulation: Simulation) -> None:
    """Write the file that a run goes on from, and name it in the row, which is not stored. Raises OSError."""
    from scheduler_core import save_simulation

    with tempfile.TemporaryDirectory(prefix="playground-pause-") as folder:
        path = Path(folder) / "snapshot"
        save_simulation(simulation, path)
        with path.open("rb") as file:
            run.snapshot.save(f"{run.public_id}-{run.claim[:8]}.zip", File(file), save=False)
