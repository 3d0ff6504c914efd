"""How long a run still takes, and which place it has in the queue."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from playground.models import HELD_STATES, Run, RunState
from playground.runs.live import store
from playground.storage import workers

_RECENT_RUNS = 20
_LOOKED_AT = 50
#: Nothing that was asked for longer ago than this is passed any more.
LONGEST_PASSED = timedelta(minutes=5)


@dataclass(frozen=True)
class Place:
    """`position` counts from 1 and is None for a run that does not wait; `eta_s` is wall seconds to the run's end."""

    position: int | None
    eta_s: float | None


def place_of(run: Run) -> Place:
    """Tell where a run stands. Its time is an estimate: by its own progress, before that by runs that have ended."""
    if run.state == RunState.QUEUED:
        return _queued(run)
    if run.state in HELD_STATES:
        progress = store.read_progress(run.public_id)
        return Place(None, progress.eta_s if progress and progress.eta_s is not None else _needs_s(run))
    return Place(None, None)


def _queued(run: Run) -> Place:
    before = list(
        Run.objects.filter(state=RunState.QUEUED, background=False, queued_at__lte=run.queued_at)
        .exclude(pk=run.pk)
        .select_related("experiment")
        .order_by("queued_at", "pk")
    )
    before = [other for other in before if (other.queued_at, other.pk) < (run.queued_at, run.pk)]
    before = _computed_apart([other for other in before if not gives_way(other)], run)
    position = len(before) + 1
    own = _needs_s(run)
    held = [_left_s(other) for other in {other.claim: other for other in _held()}.values()]
    ahead = [_needs_s(other) for other in before]
    if own is None or None in held or None in ahead:
        return Place(position, None)
    # Every worker takes the next run when it is free; runs that are held occupy one each.
    free_at = [0.0] * max(1, settings.WORKERS * workers.workers_alive("runs"))
    for seconds in (*sorted(left for left in held if left is not None), *(need for need in ahead if need is not None)):
        heapq.heapreplace(free_at, free_at[0] + seconds)
    return Place(position, round(free_at[0] + own, 1))


def _computed_apart(before: list[Run], run: Run) -> list[Run]:
    """Leave out runs that will be computed together with an earlier one, or together with `run`."""
    if not settings.KNOWN_RUNS:
        return before
    apart: dict[str, Run] = {}
    for other in before:
        if not run.fresh and not other.fresh and other.question_digest == run.question_digest:
            break
        apart.setdefault(other.public_id if other.fresh else other.question_digest, other)
    return list(apart.values())


def gives_way(run: Run) -> bool:
    """Say whether a run lets others pass: nobody watches it or asks after it, and it has not waited long."""
    if run.background:
        return True
    waited = timezone.now() - run.created_at
    return not run.by_program and waited < LONGEST_PASSED and not store.is_wanted(run.public_id)


def somebody_waits(but: Sequence[Run]) -> bool:
    """Say whether another run, which does not give way, waits for a worker."""
    queued = Run.objects.filter(state=RunState.QUEUED, background=False).exclude(pk__in=[run.pk for run in but])
    return any(not gives_way(other) for other in queued.order_by("queued_at")[:_LOOKED_AT])


def _held() -> QuerySet[Run]:
    return Run.objects.filter(state__in=HELD_STATES).select_related("experiment")


def _takes_s(held: Run) -> float | None:
    """Estimate all the seconds of a run that is under way, None before its progress says something."""
    progress = store.read_progress(held.public_id)
    if progress is None or progress.eta_s is None or held.started_at is None:
        return None
    return held.spent_s + (timezone.now() - held.started_at).total_seconds() + progress.eta_s


def _left_s(run: Run) -> float | None:
    progress = store.read_progress(run.public_id)
    if progress is None or progress.eta_s is None:
        return _needs_s(run)
    # While a kernel is compiled, what is left of that; the run comes after it.
    return progress.eta_s + ((_needs_s(run) or 0.0) if run.state == RunState.COMPILING else 0.0)


def _needs_s(run: Run) -> float | None:
    """Estimate the seconds that a worker needs: as runs of the same question did, else as recent ones do."""
    ended = Run.objects.filter(state=RunState.DONE, started_at__isnull=False, ended_at__isnull=False)
    times = ended.order_by("-ended_at").values_list("started_at", "ended_at", "spent_s")
    rows = list(times.filter(experiment__digest=run.experiment.digest)[:3]) or list(times[:_RECENT_RUNS])
    took = [(end - start).total_seconds() + spent for start, end, spent in rows if start and end]
    took = took or [seconds for seconds in map(_takes_s, _held()) if seconds is not None]
    if not took:
        return None
    return max(0.0, sum(took) / len(took) - run.spent_s)
