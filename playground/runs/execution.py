"""What a worker does with a run: claim it, simulate, publish frames, keep the result.

A run may be executed more than once: its worker may die, or its message may come twice. Every step stands that. The
claim is a conditional update, held by a lease in Redis; the simulation is deterministic; a frame enters the stream once
by its number; the end is written only by the holder of the claim. A paused run goes on in whatever worker takes it.

Where Redis stays away, a worker lets the run be: its row says that it is held, no lease does, and so recovery finds it.
"""

from __future__ import annotations

import logging
import secrets
import tempfile
import time
from pathlib import Path

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.core.files import File
from django.db import OperationalError, connection
from django.db.models import F
from django.utils import timezone

from playground.errors import PlaygroundError
from playground.ground.simulator import in_words, invalid_experiment, resolve_trace, stored_experiment, web_limits
from playground.known.results import settle
from playground.models import HELD_STATES, Run, RunState
from playground.runs.giving_way import GiveWay, compiling_or_not, give_way, put_back
from playground.runs.live import store
from playground.runs.live.store import announce_state
from playground.runs.pausing import put_aside
from playground.runs.results import decisions, tracks
from playground.runs.service import forget_snapshot
from playground.storage import connections, leases, workers
from playground.storage.leases import Lease
from scheduler_core import (
    Cancelled,
    ExperimentError,
    Frame,
    NotCompiled,
    RecordingReader,
    Simulation,
    compile_for_people,
    load_simulation,
    watch_compiling,
)

logger = logging.getLogger(__name__)

_PROGRESS_EVERY_S = 0.2
_LISTEN_EVERY_S = 0.1
_KEEP_CLAIM_EVERY_S = 1.0


class LostClaim(Exception):
    """This worker no longer holds the run."""


class PutAside(Exception):
    """The run is paused: it was saved, and this worker is free."""


class TooLong(Exception):
    """The run took all the seconds that it may, those before its pauses and of workers that died included."""


def execute_run(*, run_id: str) -> bool:
    """Run it to its end, unless somebody else does or it is over; say whether this call did."""
    try:
        return _execute(run_id, secrets.token_hex(16))
    except connections.REDIS_AWAY as error:
        # Neither its own fault nor that of the experiment. Recovery finds it by its row and queues it again.
        logger.warning("run %s is left to recovery, for Redis does not answer: %s", run_id, error)
        return False


def _execute(run_id: str, token: str) -> bool:
    if not _take_lease(run_id, token):
        return False
    with Lease(run_id, token):
        claimed = Run.objects.filter(public_id=run_id, state=RunState.QUEUED).update(
            state=RunState.RUNNING, claim=token, started_at=timezone.now(), attempts=F("attempts") + 1
        )
        if not claimed:
            return False
        run = Run.objects.select_related("experiment").get(public_id=run_id)
        _execute_claimed(run)
    return True


def _take_lease(run_id: str, token: str) -> bool:
    """Take the lease; a run that waits although it has one is being let go by its worker, which takes a moment."""
    deadline = time.monotonic() + settings.LEASE_SECONDS + 1
    while not leases.take_lease(run_id, token):
        waits = Run.objects.filter(public_id=run_id, state=RunState.QUEUED).exists()
        if not waits or time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def _execute_claimed(run: Run) -> None:
    try:
        logger.info("run %s begins (attempt %s)", run.public_id, run.attempts)
        _Execution(run).run()
        logger.info("run %s is done", run.public_id)
    except (Cancelled, LostClaim):
        logger.info("run %s was cancelled or taken over", run.public_id)
    except PutAside:
        logger.info("run %s is paused", run.public_id)
    except (GiveWay, NotCompiled):
        put_back(run)
    except ExperimentError as error:
        _fail(run, "refused", in_words(invalid_experiment(error.problems)))
    except PlaygroundError as error:
        _fail(run, "refused", in_words(error))
    except (SoftTimeLimitExceeded, TooLong):
        limit = f"{settings.LIMIT_RUN_SECONDS} s (setting PLAYGROUND_LIMIT_RUN_SECONDS)"
        attempts = f", all {run.attempts} attempts together" if run.attempts > 1 else ""
        _fail(run, "time_limit", f"The run took longer than {limit}{attempts}; make the workload shorter")
    except MemoryError:
        _fail(run, "memory", "The run needs more memory than the server has; make the workload or the topology smaller")
    except connections.REDIS_AWAY:
        raise
    except Exception:
        logger.exception("run %s failed", run.public_id)
        _fail(run, "internal", "The simulation broke; this is a fault of the playground and was logged")


class _Execution:
    """One attempt at a run: the loop between the core and Redis."""

    def __init__(self, run: Run) -> None:
        self.run_row, self.run_id = run, run.public_id
        self.began = self.started = time.monotonic()
        self.next_progress = self.next_listen = 0.0
        self.next_claim = self.began + _KEEP_CLAIM_EVERY_S
        self.frames = 0
        self.fraction = self.first_fraction = run.paused_fraction
        self.compiling = False

    def run(self) -> None:
        self._announce(RunState.RUNNING)
        compile_for_people()
        with watch_compiling(self._on_compiling), compiling_or_not(self.run_row):
            simulation = self._begin()
            self.started = time.monotonic()
            last = self._publish_all_but_last(simulation)
        self._keep_result(simulation)
        forget_snapshot(self.run_row)
        self._count(simulation)
        if not self.run_row.fresh:
            settle(self.run_row, simulation.experiment.scheduler.name)
        # Whoever reads the last frame finds summary and recording in place.
        store.publish_frame(self.run_id, last.seq, last.encode(), key=last.key)
        announce_state(self.run_id, store.Progress(RunState.DONE, 1.0, 0.0, self.frames))
        store.expire_frames(self.run_id)

    @property
    def spent_s(self) -> float:
        return self.run_row.spent_s + time.monotonic() - self.began

    def _announce(self, state: RunState) -> None:
        announce_state(self.run_id, store.Progress(state, self.fraction, None, max(self.frames, self.run_row.frames)))

    def _on_compiling(self, compiling: bool) -> None:
        """Say so while a kernel is compiled, here or by another process that this one waits for."""
        self.compiling = compiling
        state = RunState.COMPILING if compiling else RunState.RUNNING
        held = Run.objects.filter(pk=self.run_row.pk, claim=self.run_row.claim, state__in=HELD_STATES)
        if held.update(state=state):
            self._announce(state)

    def _begin(self) -> Simulation:
        """Prepare the run: from its start, or from where it was paused."""
        experiment = stored_experiment(self.run_row.experiment, seed=self.run_row.seed)
        if self.run_row.snapshot:
            simulation = Simulation(experiment, resolve_trace=resolve_trace, limits=web_limits())
            try:
                with self.run_row.snapshot.open("rb") as file:
                    load_simulation(simulation, file)  # type: ignore[arg-type]
                    self._publish_earlier(file)
                self.first_fraction = self.fraction
                return simulation
            except (OSError, ValueError) as error:
                # The same experiment comes to the same frames, so nobody notices but by the time it takes.
                logger.warning("run %s is simulated from its start again: %s", self.run_id, error)
                self.run_row.spent_s = self.first_fraction = 0.0
        give_way(self.run_row)  # before anything is compiled
        simulation = Simulation(experiment, resolve_trace=resolve_trace, limits=web_limits())
        simulation.prepare()
        return simulation

    def _publish_earlier(self, saved: File[bytes]) -> None:
        """Publish what was published before the pause and is no longer in the stream."""
        store.keep_frames(self.run_id)
        with RecordingReader(saved) as reader:  # type: ignore[arg-type]
            for frame in reader.frames(after=store.last_published(self.run_id)):
                store.publish_frame(self.run_id, frame.seq, frame.encode(), key=frame.key)
            self.frames = reader.count

    def _publish_all_but_last(self, simulation: Simulation) -> Frame:
        store.keep_frames(self.run_id)
        published = store.last_published(self.run_id)
        for frame in simulation.run(on_slice=self._between_slices):
            self.frames = frame.seq + 1
            if frame.end is not None:
                return frame
            # What an earlier attempt published is not even encoded again.
            if frame.seq > published:
                store.publish_frame(self.run_id, frame.seq, frame.encode(), key=frame.key)
        raise AssertionError("the last frame has an end")

    def _between_slices(self, simulation: Simulation) -> None:
        now = time.monotonic()
        self.fraction = min(max(simulation.progress, 0.0), 1.0)
        if now >= self.next_listen:
            self.next_listen = now + _LISTEN_EVERY_S
            self._listen(simulation)
        if now >= self.next_claim:
            self.next_claim = now + _KEEP_CLAIM_EVERY_S
            self._keep_claim()
            give_way(self.run_row)
        if now >= self.next_progress or self.fraction == 1.0:
            self.next_progress = now + _PROGRESS_EVERY_S
            progress = store.Progress(RunState.RUNNING, self.fraction, self._left_s(now), self.frames)
            store.write_progress(self.run_id, progress)

    def _listen(self, simulation: Simulation) -> None:
        """Give up if somebody asks for it, or if the time is over; tell those who ask what has happened so far."""
        if store.is_cancel_asked(self.run_id):
            raise Cancelled
        if self.spent_s > settings.LIMIT_RUN_SECONDS:
            raise TooLong
        if store.is_pause_asked(self.run_id) and put_aside(
            run=self.run_row, simulation=simulation, frames=self.frames, spent_s=self.spent_s
        ):
            raise PutAside
        decisions.answer_questions(run_id=self.run_id, simulation=simulation)
        tracks.answer_questions(run_id=self.run_id, simulation=simulation)

    def _keep_claim(self) -> None:
        """Note the seconds spent, for whoever takes over, and give up if somebody has."""
        held = Run.objects.filter(pk=self.run_row.pk, claim=self.run_row.claim, state__in=HELD_STATES)
        try:
            kept = held.update(spent_s=self.spent_s)
        except OperationalError as error:
            logger.warning("run %s goes on, though the database does not answer: %s", self.run_id, error)
            connection.close_if_unusable_or_obsolete()
            return
        if not kept:
            raise LostClaim

    def _left_s(self, now: float) -> float | None:
        """Estimate by what this attempt has done."""
        done = self.fraction - self.first_fraction
        return (now - self.started) * (1.0 - self.fraction) / done if done > 0.01 else None

    def _count(self, simulation: Simulation) -> None:
        assert simulation.result is not None
        summary = simulation.result.summary
        workers.count_simulated(tasks=summary["tasks"]["completed"], seconds=summary["performance"]["wall_s"])

    def _keep_result(self, simulation: Simulation) -> None:
        """Store recording and task table, then the row's end, if the run is still ours."""
        result = simulation.result
        assert result is not None
        run = self.run_row
        with tempfile.TemporaryDirectory(prefix="playground-run-") as folder:
            recording = Path(folder) / "recording.zip"
            simulation.write_recording(recording)
            tasks = Path(folder) / "tasks.parquet"
            result.tasks.to_parquet(tasks)
            # A name of its own for each attempt: two attempts never write into one file.
            with recording.open("rb") as file:
                run.recording.save(f"{run.public_id}-{run.claim[:8]}.zip", File(file), save=False)
            with tasks.open("rb") as file:
                run.tasks_table.save(f"{run.public_id}-{run.claim[:8]}.parquet", File(file), save=False)
        run.outcome_digest = result.summary["outcome_digest"]
        if run.fresh:
            settle(run, simulation.experiment.scheduler.name)
        held = Run.objects.filter(pk=run.pk, claim=run.claim, state__in=HELD_STATES)
        kept = held.update(
            state=RunState.DONE,
            pause_asked=False,
            summary=result.summary,
            outcome_digest=run.outcome_digest,
            frames=self.frames,
            recording=run.recording.name,
            tasks_table=run.tasks_table.name,
            ended_at=timezone.now(),
        )
        if not kept:
            run.recording.delete(save=False)
            run.tasks_table.delete(save=False)
            raise LostClaim


def _fail(run: Run, code: str, message: str) -> None:
    failed = Run.objects.filter(pk=run.pk, claim=run.claim, state__in=HELD_STATES).update(
        state=RunState.FAILED, error_code=code, error_message=message, ended_at=timezone.now(), pause_asked=False
    )
    if failed:
        logger.info("run %s failed (%s): %s", run.public_id, code, message)
        forget_snapshot(run)
        frames = store.last_published(run.public_id) + 1
        announce_state(run.public_id, store.Progress(RunState.FAILED, 0.0, None, frames))
        store.expire_frames(run.public_id)
