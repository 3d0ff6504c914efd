"""Share one computation among runs of the same experiment and seed that are due at the same time.

A worker computes for the run of its message and for all that join it: queued ones that it finds, and new ones, which
join at once. Each keeps its own row, progress and files; frames have one stream. Whoever cancels or pauses takes only
their own run out. The token of the worker is the claim of all of them, and its lease stands for all.
"""

from __future__ import annotations

import logging
import time
from dataclasses import replace

from django.conf import settings
from django.db.models import F, QuerySet
from django.utils import timezone

from playground.models import HELD_STATES, Run, RunState
from playground.runs.live import store
from playground.runs.live.store import announce_state
from playground.storage import leases

logger = logging.getLogger(__name__)


def join(run: Run) -> bool:
    """Join a queued run to a worker that computes the same run already; return True if there is one."""
    if run.snapshot or not _may_share(run):
        return False
    for other in _alike(run).filter(state__in=HELD_STATES).exclude(claim="").order_by("started_at"):
        if leases.has_lease(other.claim) and _claim(run, other.claim, RunState(other.state)):
            run.refresh_from_db()
            progress = store.read_progress(other.public_id) or store.Progress(run.state, 0.0, None, 0)
            share_stream(run, store.stream_of(other.public_id), replace(progress, state=run.state))
            return True
    return False


def share_stream(run: Run, stream: str, progress: store.Progress) -> None:
    """Send all viewers of a run to a stream of frames, which may be another run's."""
    announce_state(run.public_id, replace(progress, stream=stream))


class Together:
    """The runs that one worker computes at once. The first one leads: what is kept is kept in its name."""

    def __init__(self, run: Run) -> None:
        self.rows = [run]
        self.token = run.claim
        self.stream = store.stream_of(run.public_id)
        self._joined = {run.pk: time.monotonic()}
        #: Whose experiment the simulation names.
        self.named_after = run.pk

    @property
    def leader(self) -> Run:
        return self.rows[0]

    @property
    def others(self) -> list[Run]:
        return self.rows[1:]

    def held(self, *rows: Run) -> QuerySet[Run]:
        """Return those of some runs (all, where none is given) that this worker still holds."""
        keys = [row.pk for row in rows or self.rows]
        return Run.objects.filter(pk__in=keys, claim=self.token, state__in=HELD_STATES)

    def spent_s(self, row: Run) -> float:
        return row.spent_s + time.monotonic() - self._joined[row.pk]

    def take_in(self, state: RunState) -> list[Run]:
        """Claim queued runs of the same, and return all that have joined since the last call."""
        if not _may_share(self.leader):
            return []
        here = [row.pk for row in self.rows]
        for queued in _alike(self.leader).filter(state=RunState.QUEUED, snapshot=""):
            _claim(queued, self.token, state)
        new = Run.objects.filter(claim=self.token, state__in=HELD_STATES).exclude(pk__in=here)
        joined = list(new.select_related("experiment"))
        self._joined |= dict.fromkeys((row.pk for row in joined), time.monotonic())
        self.rows += joined
        return joined

    def let_go(self, row: Run) -> None:
        """Go on without a run; the next one leads where it was the first."""
        self.rows.remove(row)
        logger.info("run %s is no longer computed with %s others", row.public_id, len(self.rows))

    def own_stream(self, row: Run) -> None:
        """Give a run that leaves the others a stream of its own: theirs goes on."""
        if len(self.rows) > 1:
            stream = f"{row.public_id}-{self.token[:8]}"
            fraction, frames = row.paused_fraction, row.frames
            store.write_progress(row.public_id, store.Progress(row.state, fraction, None, frames, stream=stream))


def _may_share(run: Run) -> bool:
    """Return True if a run may use another run's computation; False if it must be computed separately."""
    return settings.KNOWN_RUNS and not run.fresh and bool(run.question_digest)


def _alike(run: Run) -> QuerySet[Run]:
    return Run.objects.filter(question_digest=run.question_digest, fresh=False).exclude(pk=run.pk)


def _claim(run: Run, token: str, state: RunState) -> bool:
    """Claim a queued run for a worker; False where it does not wait any more."""
    waits = Run.objects.filter(pk=run.pk, state=RunState.QUEUED)
    return bool(waits.update(state=state, claim=token, started_at=timezone.now(), attempts=F("attempts") + 1))
