"""Choose the next queued run, and compute a run's place in the queue and its remaining time."""

from __future__ import annotations

import functools
import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from playground.models import HELD_STATES, Run, RunState
from playground.runs import turns
from playground.runs.live import store
from playground.storage import workers

_RECENT_RUNS, _ALIKE_RUNS = 20, 3
#: What an estimate reads of a run that has ended; and what nobody needs of one that waits, and takes long to read.
_TOOK = ("started_at", "ended_at", "spent_s")
_NOT_READ = ("experiment__data", "summary")
_LOOKED_AT = 50
#: No run passes one that has waited longer than this.
LONGEST_PASSED = timedelta(minutes=5)


@dataclass(frozen=True)
class Place:
    """`position` counts from 1 and is None for a run that does not wait; `eta_s` is wall seconds to the run's end."""

    position: int | None
    eta_s: float | None


def place_of(run: Run) -> Place:
    """Return a run's place and estimated time: from its own progress, or from earlier runs before it starts."""
    if run.state == RunState.QUEUED:
        return _queued(run)
    if run.state in HELD_STATES:
        progress = store.read_progress(run.public_id)
        return Place(None, progress.eta_s if progress and progress.eta_s is not None else _Times([run]).needs_s(run))
    return Place(None, None)


def _queued(run: Run) -> Place:
    others = Run.objects.filter(state=RunState.QUEUED, background=False).exclude(pk=run.pk)
    rows = list(others.select_related("experiment").defer(*_NOT_READ).order_by("queued_at", "pk"))
    in_hand = turns.held_runs()
    ordered = turns.in_turn([*not_giving_way(rows), run], in_hand)
    ahead = _computed_apart(ordered[: ordered.index(run)], run)
    position = len(ahead) + 1
    held = list({other.claim: other for other in in_hand}.values())
    takes = _Times([run, *ahead, *held])
    own = takes.needs_s(run)
    busy_s = [takes.left_s(other) for other in held]
    ahead_s = [takes.needs_s(other) for other in ahead]
    if own is None or None in busy_s or None in ahead_s:
        return Place(position, None)
    # Every free process takes the next run; a held run occupies one process.
    free_at = [0.0] * max(1, workers.processes_alive("runs"))
    for seconds in (
        *sorted(left for left in busy_s if left is not None),
        *(need for need in ahead_s if need is not None),
    ):
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
    """Return True if a run lets others pass: it has no viewer and has not waited long."""
    return not not_giving_way([run])


def not_giving_way(runs: Sequence[Run]) -> list[Run]:
    """Return those of some runs that let nobody pass; Redis is asked once."""
    wanted = store.wanted_of([run.public_id for run in runs])
    now = timezone.now()
    return [
        run for run in runs
        if not run.background
        and (run.by_program or now - run.created_at >= LONGEST_PASSED or run.public_id in wanted)
    ]  # fmt: skip


def due_run(*, background: bool) -> str | None:
    """Return the id of the queued run that a worker should compute now; None if none waits."""
    waiting = Run.objects.filter(state=RunState.QUEUED, background=background).select_related("experiment")
    queued = list(turns.oldest_of_each_group(waiting.defer(*_NOT_READ), "experiment__", "queued_at", "pk")[:_LOOKED_AT])
    first = (not background and not_giving_way(queued)) or queued
    ordered = turns.in_turn(first, turns.held_runs()) if len(first) > 1 else first
    return ordered[0].public_id if ordered else None


def somebody_waits(but: Sequence[Run]) -> bool:
    """Return True if another run that does not give way waits for a worker."""
    queued = Run.objects.filter(state=RunState.QUEUED, background=False).exclude(pk__in=[run.pk for run in but])
    return bool(
        not_giving_way(
            list(turns.oldest_of_each_group(queued.defer("summary"), "experiment__", "queued_at", "pk")[:_LOOKED_AT])
        )
    )


class _Times:
    """How long some runs need, from those that have ended; read at once for all, since every page that waits asks."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self._ended = Run.objects.filter(state=RunState.DONE, started_at__isnull=False, ended_at__isnull=False)
        digests = {run.experiment.digest for run in runs}
        alike = self._ended.filter(experiment__digest__in=digests).order_by("-ended_at")
        self._alike: dict[str, list[float]] = {}
        fields = ("experiment__digest", *_TOOK)
        for digest, *row in alike.values_list(*fields)[: _RECENT_RUNS * len(digests)]:
            self._alike.setdefault(digest, []).append(_took_s(*row))

    def needs_s(self, run: Run) -> float | None:
        """Estimate the seconds that a worker needs: as runs of the same experiment did, else as recent ones do."""
        took = self._alike.get(run.experiment.digest, [])[:_ALIKE_RUNS] or self._recent
        return max(0.0, sum(took) / len(took) - run.spent_s) if took else None

    @functools.cached_property
    def _recent(self) -> list[float]:
        rows = self._ended.order_by("-ended_at").values_list(*_TOOK)[:_RECENT_RUNS]
        took = [_took_s(*row) for row in rows]
        return took or [seconds for seconds in map(_takes_s, turns.held_runs()) if seconds is not None]

    def left_s(self, run: Run) -> float | None:
        """Estimate the seconds that a worker still needs for a run that it holds."""
        progress = store.read_progress(run.public_id)
        if progress is None or progress.eta_s is None:
            return self.needs_s(run)
        # While a kernel compiles, the rest of that; the run comes after it.
        return progress.eta_s + ((self.needs_s(run) or 0.0) if run.state == RunState.COMPILING else 0.0)


def _took_s(started: datetime, ended: datetime, spent_s: float) -> float:
    return (ended - started).total_seconds() + spent_s


def _takes_s(held: Run) -> float | None:
    """Estimate all the seconds of a run that is under way, None before its progress says something."""
    progress = store.read_progress(held.public_id)
    if progress is None or progress.eta_s is None or held.started_at is None:
        return None
    return held.spent_s + (timezone.now() - held.started_at).total_seconds() + progress.eta_s
