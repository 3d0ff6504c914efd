"""Queue, read and cancel runs. Other modules start and pause them."""

from __future__ import annotations

import logging
import re
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from kombu.exceptions import OperationalError

from playground.errors import PlaygroundError, not_found, not_yours, problem
from playground.ground import links
from playground.ground.quotas import note_opened, quota_of_key, refuse_more
from playground.ground.simulator import digest_of
from playground.ground.viewers import Viewer
from playground.models import ACTIVE_STATES, FINAL_STATES, UNFINISHED_STATES, Experiment, Run, RunState
from playground.runs import queue
from playground.runs.live import store
from playground.runs.live.store import announce_state
from scheduler_core import Experiment as CoreExperiment

logger = logging.getLogger(__name__)

_ID = re.compile(r"[A-Za-z0-9_-]{1,32}")
RUN_TASK = "playground.tasks.run_task"


def queue_of(run: Run) -> str:
    """Return the name of a run's queue: workers take `runs` before `studies`."""
    return "studies" if run.background else "runs"


def enqueue(run: Run) -> None:
    """Put a run on the queue after the transaction commits, because a worker must find the row."""
    transaction.on_commit(lambda: _send(run.public_id, queue_of(run)))


def _send(run_id: str, queue_name: str) -> None:
    try:
        current_app.send_task(RUN_TASK, args=[run_id], queue=queue_name, ignore_result=True)
    except OperationalError:
        # The row says that it waits; the workers queue it again when they find the queue empty (runs/recovery.py).
        logger.warning("run %s waits for the broker to come back", run_id, exc_info=True)


def new_run(experiment: Experiment, core: CoreExperiment) -> Run:
    """Return an unsaved run of a checked experiment."""
    return Run(experiment=experiment, seed=core.seed, question_digest=digest_of(core), queued_at=timezone.now())


def queue_run(run: Run) -> Run:
    """Store a new run and queue it, within a transaction, for any owner."""
    run.save()
    store.want(run.public_id)  # whoever asked comes to watch it
    transaction.on_commit(lambda: announce_state(run.public_id, store.Progress(RunState.QUEUED, 0.0, None, 0)))
    enqueue(run)
    return run


def runs_of_owner(experiment: Experiment) -> QuerySet[Run]:
    """Return the runs of all experiments of the experiment's owner."""
    owner = Q(experiment__owner_token_hash=experiment.owner_token_hash)
    if experiment.owner_session:
        owner |= Q(experiment__owner_session=experiment.owner_session)
    return Run.objects.filter(owner)


def refuse_too_many(experiment: Experiment) -> None:
    """Refuse another run while its owner has the maximum number of runs under way."""
    active = runs_of_owner(experiment).filter(state__in=ACTIVE_STATES).count()
    limit = settings.LIMIT_RUNS_AT_ONCE
    if active >= limit:
        item = problem(
            "",
            f"{active} of your runs are queued or running",
            allowed=f"at most {limit} at once (setting PLAYGROUND_LIMIT_RUNS_AT_ONCE)",
            remedy="wait for one to end, or pause or cancel one",
        )
        raise PlaygroundError(429, "too-many-runs", "Too many runs at once", (item,))
    refuse_more(
        quota_of_key(experiment.counts_under),
        Run.objects.filter(experiment__counts_under=experiment.counts_under, state__in=ACTIVE_STATES, background=False),
        setting="LIMIT_RUNS_PER_ADDRESS", what="runs at once", kind="too-many-runs",
        remedy="wait for one to end, or pause or cancel one",
    )  # fmt: skip


def get_run(*, public_id: str) -> Run:
    """Return the run with an id. Raises PlaygroundError (404) if there is none or its experiment is deleted."""
    query = Run.objects.select_related("experiment").filter(public_id=public_id, experiment__deleted_at=None)
    found = query.first() if _ID.fullmatch(public_id) else None
    if found is None:
        raise not_found("run")
    note_opened(found.experiment)
    return found


def cancel_run(*, run: Run, viewer: Viewer) -> Run:
    """Cancel a run at once; the worker stops between two slices. A run that has ended stays as it is."""
    if not viewer.owns(run.experiment):
        raise not_yours("run")
    return end_run(run)


def end_run(run: Run) -> Run:
    """Cancel a run, whoever asks."""
    store.ask_to_cancel(run.public_id)
    changed = Run.objects.filter(pk=run.pk, state__in=UNFINISHED_STATES).update(
        state=RunState.CANCELLED, claim="", pause_asked=False, ended_at=timezone.now()
    )
    run.refresh_from_db()
    if changed:
        fraction, frames = _reached(run)
        announce_state(run.public_id, store.Progress(RunState.CANCELLED, fraction, None, frames))
        store.expire_frames(run.public_id)
        forget_snapshot(run)
    return run


def forget_snapshot(run: Run) -> None:
    """Delete the file of a paused run that will not continue from it any more."""
    name = Run.objects.values_list("snapshot", flat=True).get(pk=run.pk)
    if name:
        Run.objects.filter(pk=run.pk).update(snapshot="")
        run.snapshot.storage.delete(name)


def _compiled(run: Run) -> dict[str, int] | None:
    progress = store.read_progress(run.public_id) if run.state == RunState.COMPILING else None
    return {"done": progress.compiled[0], "known": progress.compiled[1]} if progress and progress.compiled else None


def _reached(run: Run) -> tuple[float, int]:
    """Return a run's progress and its number of frames: from Redis, else from its last pause."""
    progress = None if run.state == RunState.PAUSED else store.read_progress(run.public_id)
    if progress is None:
        return run.paused_fraction, run.frames
    return max(progress.fraction, run.paused_fraction), max(progress.frames, run.frames)


def run_payload(*, run: Run, base_url: str = "") -> dict[str, Any]:
    """Return a run as the API and the pages show it: its row, and its progress from Redis until it is over."""
    over = run.state in FINAL_STATES
    fraction, frames = (float(run.state == RunState.DONE), run.frames) if over else _reached(run)
    place = queue.place_of(run)
    error = {"code": run.error_code, "message": run.error_message} if run.error_code else None
    return {
        "id": run.public_id,
        "experiment_id": run.experiment.public_id,
        "seed": run.seed,
        "state": run.state,
        "progress": fraction,
        "eta_s": place.eta_s,
        "queue_position": place.position,
        "compiled": _compiled(run),
        "pausing": run.pause_asked and not over,
        "error": error,
        "frames": frames,
        "recording": recording_state(run),
        "outcome_digest": run.outcome_digest or None,
        "known": run.known,
        "agrees": run.agrees,
        "live_url": links.live_url(run, base_url),
        "socket_url": links.socket_url(run, base_url),
    }


def recording_state(run: Run) -> str:
    """Return the state of a run's frames: kept, removed (to make room), or none (the run has not finished)."""
    if run.recording_removed_at is not None:
        return "removed"
    return "kept" if run.recording else "none"
