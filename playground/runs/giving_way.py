"""How a run that nobody waits for lets others have its worker: it waits again, and is simulated from its start."""

from __future__ import annotations

import logging
from contextlib import AbstractContextManager, nullcontext
from datetime import timedelta

from django.conf import settings
from django.db.models import F
from django.utils import timezone

from playground.models import HELD_STATES, Run, RunState
from playground.runs.queue import gives_way, somebody_waits
from playground.runs.service import enqueue
from playground.storage import workers
from scheduler_core import only_compiled

logger = logging.getLogger(__name__)

#: Within so long a server has compiled every kernel ahead, where it does.
_AHEAD_WITHIN = timedelta(minutes=30)


class GiveWay(Exception):
    """The run waits again: nobody waits for it, and somebody for another one, or its kernel is still compiled ahead."""


def give_way(run: Run) -> None:
    """Raise GiveWay for a run that nobody waits for, while somebody waits for another one."""
    if workers.waiting_in_queue("runs") and gives_way(run) and somebody_waits(run):
        raise GiveWay


def compiling_or_not(run: Run) -> AbstractContextManager[None]:
    """Refuse to compile for the site's own runs, as long as another process compiles every kernel ahead."""
    leave_it = run.background and settings.WARM_KERNELS and timezone.now() - run.created_at < _AHEAD_WITHIN
    return only_compiled() if leave_it else nullcontext()


def put_back(run: Run) -> None:
    """Let a run that its worker holds wait again, from its start; recovery queues the site's own after a while."""
    logger.info("run %s gives way", run.public_id)
    Run.objects.filter(pk=run.pk, claim=run.claim, state__in=HELD_STATES).update(
        state=RunState.QUEUED, claim="", attempts=F("attempts") - 1, queued_at=timezone.now()
    )
    if not run.background:
        enqueue(run)
