"""Studies in workers: simulate one run after the other, give way, and take over abandoned runs.

As with runs, everything stands being done twice: a row is claimed by a conditional update and held by a lease; who lost
it writes nothing. A run that is interrupted continues from its checkpoint (studies/checkpoints.py).
"""

from __future__ import annotations

import logging
import secrets
import time
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, NoReturn

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db import connection
from django.db.models import F
from django.utils import timezone

from playground.errors import PlaygroundError
from playground.ground.kept import kept_builds
from playground.ground.simulator import in_words, resolve_trace
from playground.models import RunState, Study, StudyRun, lease_name
from playground.questions.helping import help_question
from playground.questions.spread import Spread
from playground.runs.turns import group_of, owner_of
from playground.storage import connections, draining, leases, workers
from playground.storage.leases import Lease
from playground.storage.turns import note_served
from playground.studies import signals, turns
from playground.studies.checkpoints import Checkpoints
from playground.studies.hidden import measure_hidden
from playground.studies.service import OPEN_ROWS, QUEUE, UNFINISHED, grid_of, limits_of_run, send_runs, too_large
from scheduler_core import Cancelled, ExperimentError, Simulation, measure_run, watch_compiling
from scheduler_core.studies.running import Growth

logger = logging.getLogger(__name__)

_LISTEN_EVERY_S = 0.1
_LOOK_EVERY_S = 1.0
#: A run past this part goes on to its end, although others wait or the user pauses the study.
_NEARLY_DONE = 0.5
_FORGOTTEN_AFTER = timedelta(seconds=15)
_AT_ONCE = 200
#: How often a turn looks for another run where a worker was quicker.
_TRIES = 8


class PutBack(Exception):
    """The run is done later: its study is paused, its worker is drained, or a user waits for a run to watch."""


class TooLong(Exception):
    """The run took more seconds than it may."""


def execute_study_run(*, study_id: str, number: int) -> bool:
    """Take a turn: simulate the run that is due, of a study or of a question; say whether this call did.

    The due run need not be the one that the message names.
    """
    try:
        for _ in range(_TRIES):
            due = turns.due_run(study_id, number)
            if due is None:
                return False
            if _help(due) if isinstance(due, Spread) else _execute(*due):
                return True
        return False
    except (*connections.REDIS_AWAY, *connections.DATABASE_AWAY) as error:
        name = lease_name(study_id, number)
        logger.warning("run %s is left to recovery, for Redis or the database does not answer: %s", name, error)
        return False


def _help(question: Spread) -> bool:
    """Compute a run of a question that another worker answers; say whether this call did."""
    helped = help_question(question)
    if helped:
        note_served(turns.QUEUE, question.owner, question.group)
    return helped


def _execute(study_id: str, number: int) -> bool:
    """Simulate one run of a study, unless another process does, or it is over or paused; say whether this call did."""
    token, name = secrets.token_hex(16), lease_name(study_id, number)
    if not leases.take_lease(name, token):
        return False
    with Lease(name, token):
        claimed = StudyRun.objects.filter(
            study__public_id=study_id, study__state=RunState.RUNNING, number=number, state=RunState.QUEUED
        ).update(state=RunState.RUNNING, claim=token, attempts=F("attempts") + 1)
        if not claimed:
            return False
        row = StudyRun.objects.select_related("study__experiment").get(study__public_id=study_id, number=number)
        logger.info("run %s begins", row.lease_name)
        to_be_sent = _Attempt(row).execute()
    note_served(turns.QUEUE, owner_of(row.study.experiment), group_of(row.study.experiment))
    # Only after the lease is free: before that, the next worker would get a refusal.
    if to_be_sent:
        send_runs(row.study, [number])
    return True


@dataclass
class _Attempt:
    """One attempt at a row that this worker holds."""

    row: StudyRun
    began: float = field(default_factory=time.monotonic)
    next_listen: float = 0.0
    next_look: float = field(default_factory=lambda: time.monotonic() + _LOOK_EVERY_S)
    #: How the number that the study watches grows in this run.
    growth: Growth | None = None

    def __post_init__(self) -> None:
        self.checkpoints = Checkpoints(self.row)

    def execute(self) -> bool:
        """Simulate it and write what came of it; say whether it is to be queued again."""
        study = self.row.study
        try:
            with watch_compiling(self._on_compiling):
                summary = self._measure()
            grown = None if self.growth is None else self.growth.points
            self._end(state=RunState.DONE, summary=summary, grown=grown)
            workers.count_simulated(tasks=summary["tasks"]["completed"], seconds=summary["performance"]["wall_s"])
        except Cancelled:
            logger.info("run %s was cancelled or taken over", self.row.lease_name)
        except PutBack:
            return self._put_back()
        except ExperimentError as error:
            self._fail("refused", in_words(too_large(error.problems, study.runs)))
        except PlaygroundError as error:
            self._fail("refused", in_words(error))
        except (SoftTimeLimitExceeded, TooLong):
            setting = "LIMIT_ENTRY_RUN_SECONDS" if study.hidden else "LIMIT_RUN_SECONDS"
            limit = f"{self._limit_s} s (setting PLAYGROUND_{setting})"
            self._fail("time_limit", f"The run took longer than {limit}; make the workload shorter")
        except MemoryError:
            self._fail("memory", "The run needs more memory than the server has; make it smaller")
        except (*connections.REDIS_AWAY, *connections.DATABASE_AWAY):
            raise
        except Exception as error:
            # What a hidden run raises might name its seed.
            logger.error("run %s failed: %s", self.row.lease_name, type(error).__name__, exc_info=study.hidden is None)
            self._fail("internal", "The simulation failed because of an error in the playground; the error was logged")
        return False

    def _measure(self) -> dict[str, Any]:
        if self.row.study.hidden is not None:
            return measure_hidden(self.row, builds=kept_builds(), on_slice=self._between_slices)
        watched = self.row.study.watched
        self.growth = Growth(watched) if watched else None
        with self.checkpoints.opened() as saved:
            return measure_run(
                grid_of(self.row.study),
                self.row.number,
                resolve_trace=resolve_trace,
                limits=limits_of_run(self.row.study.runs),
                builds=kept_builds(),
                on_slice=self._between_slices,
                growth=self.growth,
                saved=saved,  # type: ignore[arg-type]
            )

    @property
    def _limit_s(self) -> int:
        """Seconds that the run may take."""
        return settings.LIMIT_ENTRY_RUN_SECONDS if self.row.study.hidden else settings.LIMIT_RUN_SECONDS

    def _on_compiling(self, compiling: bool) -> None:
        """Say so; what compiling takes is no part of the run's seconds, by which those left are estimated."""
        signals.note_compiling(self.row.study.public_id, compiling)
        signals.announce(self.row.study.public_id)
        self.began = time.monotonic()

    def _held(self) -> Any:
        return StudyRun.objects.filter(pk=self.row.pk, claim=self.row.claim, state=RunState.RUNNING)

    def _between_slices(self, simulation: Simulation) -> None:
        now = time.monotonic()
        if now < self.next_listen:
            return
        self.next_listen = now + _LISTEN_EVERY_S
        if now - self.began > self._limit_s:
            raise TooLong
        why = signals.asked_to_stop(self.row.study.public_id)
        if why == "cancel":
            raise Cancelled
        if draining.has_begun():
            self._leave(simulation)
        if simulation.progress < _NEARLY_DONE and (why == "pause" or self._is_awaited(now)):
            self._leave(simulation)
        if now >= self.next_look:
            self.next_look = now + _LOOK_EVERY_S
            self._look()
            self.checkpoints.save_if_due(simulation)

    def _leave(self, simulation: Simulation) -> NoReturn:
        """Save the run, for whichever worker takes it up, and stop computing it."""
        self.checkpoints.save(simulation)
        raise PutBack

    def _look(self) -> None:
        """Stop if another worker has the row; go on where the database does not answer."""
        try:
            if not self._held().exists():
                raise Cancelled
        except connections.DATABASE_AWAY as error:
            logger.warning("run %s goes on, though the database does not answer: %s", self.row.lease_name, error)
            connection.close_if_unusable_or_obsolete()

    def _is_awaited(self, now: float) -> bool:
        """Return whether a user waits for a run to watch, and this one has taken so long that it should give way."""
        return now - self.began > _LOOK_EVERY_S and workers.waiting_in_queue("runs") > 0

    def _end(self, **fields: Any) -> None:
        """Write the row's end, if it is still ours, and the study's when this was its last."""
        study = self.row.study
        if self._held().update(seconds=time.monotonic() - self.began, snapshot="", **fields):
            self.checkpoints.forget()
            end_if_over(study)
            signals.announce(study.public_id)

    def _fail(self, code: str, message: str) -> None:
        logger.info("run %s failed (%s): %s", self.row.lease_name, code, message)
        self._end(state=RunState.FAILED, error_code=code, error_message=message)

    def _put_back(self) -> bool:
        study = self.row.study
        put_back = self._held().update(state=RunState.QUEUED, claim="", attempts=F("attempts") - 1)
        signals.announce(study.public_id)
        # The study may have gone on meanwhile, without this run.
        return bool(put_back) and Study.objects.filter(pk=study.pk, state=RunState.RUNNING).exists()


def end_if_over(study: Study) -> bool:
    """End a study that has no run left to do; say whether this call did."""
    if study.rows.filter(state__in=OPEN_ROWS).exists():
        return False
    state = RunState.DONE if study.rows.filter(state=RunState.DONE).exists() else RunState.FAILED
    ended = Study.objects.filter(pk=study.pk, state__in=UNFINISHED).update(state=state, ended_at=timezone.now())
    if ended:
        logger.info("study %s is %s", study.public_id, state)
    return bool(ended)


def recover_studies() -> int:
    """Queue again runs whose worker died and messages that got lost; end what is over. Return how many were queued."""
    return _requeue_abandoned() + sum(_look_after(study) for study in _unfinished())


def _unfinished() -> list[Study]:
    return list(Study.objects.filter(state__in=UNFINISHED)[:_AT_ONCE])


def _requeue_abandoned() -> int:
    requeued = 0
    held = StudyRun.objects.filter(state=RunState.RUNNING).select_related("study")[:_AT_ONCE]
    for row in held:
        if leases.has_lease(row.lease_name):
            continue
        same = StudyRun.objects.filter(pk=row.pk, claim=row.claim, state=RunState.RUNNING)
        if row.attempts >= settings.LIMIT_RUN_ATTEMPTS:
            message = f"Its worker died {row.attempts} times; it was given up (setting PLAYGROUND_LIMIT_RUN_ATTEMPTS)"
            same.update(state=RunState.FAILED, claim="", error_code="worker_lost", error_message=message)
        elif same.update(state=RunState.QUEUED, claim=""):
            logger.warning("run %s lost its worker and is queued again", row.lease_name)
            if row.study.state == RunState.RUNNING:
                send_runs(row.study, [row.number])
            requeued += 1
        signals.announce(row.study.public_id)
    return requeued


def _look_after(study: Study) -> int:
    if end_if_over(study):
        signals.announce(study.public_id)
        return 0
    lost = study.state == RunState.RUNNING and study.sent_at < timezone.now() - _FORGOTTEN_AFTER
    if not lost or workers.waiting_in_queue(QUEUE) > 0:
        return 0
    waiting = list(study.rows.filter(state=RunState.QUEUED).values_list("number", flat=True))
    if waiting:
        send_runs(study, waiting)
    return len(waiting)
