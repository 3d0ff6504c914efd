"""Find runs whose worker died and queue them again. Every worker does this every two seconds."""

from __future__ import annotations

import logging
from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from playground.models import HELD_STATES, Run, RunState
from playground.runs.live import store
from playground.runs.live.store import announce_state
from playground.runs.service import enqueue, forget_snapshot, queue_of
from playground.storage import leases, workers

logger = logging.getLogger(__name__)

_FORGOTTEN_AFTER = timedelta(seconds=15)
_AT_ONCE = 100


def recover_runs() -> int:
    """Queue again what is held without a lease, or waits while the queue is empty; return how many.

    A broker redelivers a dead worker's message only after its visibility timeout, which must be longer than any run;
    a lease tells within seconds.
    """
    return _requeue_abandoned() + _requeue_forgotten()


def _requeue_abandoned() -> int:
    requeued = 0
    # Those with a checkpoint first: runs of the same experiment join them.
    for run in Run.objects.filter(state__in=HELD_STATES).order_by("-snapshot", "pk")[:_AT_ONCE]:
        if leases.has_lease(run.public_id, run.claim):
            if run.pause_asked:
                # The row knows the wish, Redis may have forgotten it. Asking twice does no harm.
                store.ask_to_pause(run.public_id)
            continue
        held = Run.objects.filter(pk=run.pk, claim=run.claim, state__in=HELD_STATES)
        if run.attempts >= settings.LIMIT_RUN_ATTEMPTS:
            message = f"Its worker died {run.attempts} times; it was given up (setting PLAYGROUND_LIMIT_RUN_ATTEMPTS)"
            if held.update(state=RunState.FAILED, error_code="worker_lost", error_message=message, claim=""):
                announce_state(run.public_id, store.Progress(RunState.FAILED, 0.0, None, 0))
                store.expire_frames(run.public_id)
                forget_snapshot(run)
            continue
        if held.update(state=RunState.QUEUED, claim="", queued_at=timezone.now()):
            logger.warning("run %s lost its worker and is queued again", run.public_id)
            progress = store.read_progress(run.public_id)
            frames = progress.frames if progress else run.frames
            announce_state(run.public_id, store.Progress(RunState.QUEUED, run.paused_fraction, None, frames))
            enqueue(run)
            requeued += 1
    return requeued


def _requeue_forgotten() -> int:
    """Queue runs again that wait in the database but not in the broker: Redis restarted, or lost a message."""
    waiting = Run.objects.filter(state=RunState.QUEUED, queued_at__lt=timezone.now() - _FORGOTTEN_AFTER)[:_AT_ONCE]
    empty = {name for name in {queue_of(run) for run in waiting} if workers.waiting_in_queue(name) == 0}
    forgotten = [run for run in waiting if queue_of(run) in empty]
    for run in forgotten:
        # A second message for a run does no harm: only one worker can claim it.
        Run.objects.filter(pk=run.pk, state=RunState.QUEUED).update(queued_at=timezone.now())
        enqueue(run)
    return len(forgotten)
