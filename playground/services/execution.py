"""What a worker does with a run: claim it, simulate, publish frames, keep the result.

A run may be executed more than once: its worker may die, or its message may come twice. Every step stands that. The
claim is a conditional update, held by a lease in Redis; the simulation is deterministic; a frame enters the stream once
by its number; the end is written only by the holder of the claim.
"""

from __future__ import annotations

import logging
import secrets
import tempfile
import threading
import time
from pathlib import Path
from types import TracebackType

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.core.files import File
from django.db import close_old_connections
from django.db.models import F
from django.utils import timezone

from playground.errors import PlaygroundError
from playground.live import store
from playground.live.notices import announce_state
from playground.models import HELD_STATES, Run, RunState
from playground.services.core import resolve_trace, stored_experiment, web_limits
from scheduler_core import Cancelled, ExperimentError, Frame, Simulation

logger = logging.getLogger(__name__)

_PROGRESS_EVERY_S = 0.2
_CANCEL_EVERY_S = 0.1


class LostClaim(Exception):
    """This worker no longer holds the run."""


class Lease:
    """Says "a worker is on it" while the block runs: a key in Redis that expires unless a thread renews it.

    A thread, because compiling a kernel gives no slices in which to renew.
    """

    def __init__(self, run_id: str, token: str) -> None:
        self._run_id, self._token = run_id, token
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._renew, name=f"lease-{run_id}", daemon=True)

    def _renew(self) -> None:
        while not self._stop.wait(settings.LEASE_SECONDS / 4):
            try:
                store.renew_lease(self._run_id, self._token)
            except Exception:
                logger.warning("lease of run %s not renewed", self._run_id, exc_info=True)

    def __enter__(self) -> Lease:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._stop.set()
        self._thread.join()
        store.drop_lease(self._run_id, self._token)


def execute_run(*, run_id: str) -> bool:
    """Run it to its end, unless somebody else does or it is over; say whether this call did."""
    close_old_connections()
    token = secrets.token_hex(16)
    if not store.take_lease(run_id, token):
        return False
    with Lease(run_id, token):
        claimed = Run.objects.filter(public_id=run_id, state=RunState.QUEUED).update(
            state=RunState.COMPILING, claim=token, started_at=timezone.now(), attempts=F("attempts") + 1
        )
        if not claimed:
            return False
        run = Run.objects.select_related("experiment").get(public_id=run_id)
        _execute_claimed(run)
    return True


def _execute_claimed(run: Run) -> None:
    try:
        _Execution(run).run()
    except (Cancelled, LostClaim):
        logger.info("run %s was cancelled or taken over", run.public_id)
    except ExperimentError as error:
        _fail(run, "refused", str(error))
    except PlaygroundError as error:
        details = "; ".join(f"{item['path']}: {item['message']}" for item in error.problems)
        _fail(run, "refused", details or error.title)
    except SoftTimeLimitExceeded:
        limit = f"{settings.LIMIT_RUN_SECONDS} s (setting PLAYGROUND_LIMIT_RUN_SECONDS)"
        _fail(run, "time_limit", f"The run took longer than {limit}; make the workload shorter")
    except MemoryError:
        _fail(run, "memory", "The run needs more memory than the server has; make the workload or the topology smaller")
    except Exception:
        logger.exception("run %s failed", run.public_id)
        _fail(run, "internal", "The simulation broke; this is a fault of the playground and was logged")


class _Execution:
    """One attempt at a run: the loop between the core and Redis."""

    def __init__(self, run: Run) -> None:
        self.run_row, self.run_id = run, run.public_id
        self.started = time.monotonic()
        self.next_progress = self.next_cancel = 0.0
        self.frames = 0

    def run(self) -> None:
        announce_state(self.run_id, store.Progress(RunState.COMPILING, 0.0, None, 0))
        experiment = stored_experiment(self.run_row.experiment.data, seed=self.run_row.seed)
        simulation = Simulation(experiment, resolve_trace=resolve_trace, limits=web_limits())
        simulation.prepare()
        self._enter_running()
        self.started = time.monotonic()
        last = self._publish_all_but_last(simulation)
        self._keep_result(simulation)
        # Whoever reads the last frame finds summary and recording in place.
        if last is not None:
            store.publish_frame(self.run_id, last.seq, last.encode(), key=last.key)
        announce_state(self.run_id, store.Progress(RunState.DONE, 1.0, 0.0, self.frames))
        store.expire_frames(self.run_id)

    def _enter_running(self) -> None:
        held = Run.objects.filter(pk=self.run_row.pk, claim=self.run_row.claim, state=RunState.COMPILING)
        if not held.update(state=RunState.RUNNING):
            raise LostClaim
        announce_state(self.run_id, store.Progress(RunState.RUNNING, 0.0, None, 0))

    def _publish_all_but_last(self, simulation: Simulation) -> Frame | None:
        published = store.last_published(self.run_id)
        pending: Frame | None = None
        for frame in simulation.run(on_slice=self._between_slices):
            # What an earlier attempt published is not even encoded again.
            if pending is not None and pending.seq > published:
                store.publish_frame(self.run_id, pending.seq, pending.encode(), key=pending.key)
            pending = frame
            self.frames = frame.seq + 1
            # A short stretch to the next frame has no slices in between.
            self._between_slices(simulation)
        return pending

    def _between_slices(self, simulation: Simulation) -> None:
        now = time.monotonic()
        if now >= self.next_cancel:
            self.next_cancel = now + _CANCEL_EVERY_S
            if store.is_cancel_asked(self.run_id):
                raise Cancelled
        if now >= self.next_progress:
            self.next_progress = now + _PROGRESS_EVERY_S
            fraction = min(max(simulation.progress, 0.0), 1.0)
            elapsed = now - self.started
            eta = elapsed * (1.0 - fraction) / fraction if fraction > 0.01 else None
            store.write_progress(self.run_id, store.Progress(RunState.RUNNING, fraction, eta, self.frames))

    def _keep_result(self, simulation: Simulation) -> None:
        """Store recording and task table, then the row's end, if the run is still ours."""
        result = simulation.result
        assert result is not None
        run = self.run_row
        with tempfile.TemporaryDirectory(prefix="playground-run-") as folder:
            recording = Path(folder) / "recording.zip"
            simulation.write_recording(recording)
            tasks = Path(folder) / "tasks.parquet"
            result.tasks.to_pandas().to_parquet(tasks, index=False)
            # A name of its own for each attempt: two attempts never write into one file.
            with recording.open("rb") as file:
                run.recording.save(f"{run.public_id}-{run.claim[:8]}.zip", File(file), save=False)
            with tasks.open("rb") as file:
                run.tasks_table.save(f"{run.public_id}-{run.claim[:8]}.parquet", File(file), save=False)
        held = Run.objects.filter(pk=run.pk, claim=run.claim, state=RunState.RUNNING)
        kept = held.update(
            state=RunState.DONE,
            summary=result.summary,
            outcome_digest=result.summary["outcome_digest"],
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
        state=RunState.FAILED, error_code=code, error_message=message, ended_at=timezone.now()
    )
    if failed:
        frames = store.last_published(run.public_id) + 1
        announce_state(run.public_id, store.Progress(RunState.FAILED, 0.0, None, frames))
        store.expire_frames(run.public_id)
