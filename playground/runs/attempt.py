"""One attempt at a run: the loop between the simulation and Redis.

A frame enters the stream once, by its number. Only the holder of the claim writes the end. Runs of the same experiment
that wait at that moment are computed together with it (runs/sharing.py).
"""

from __future__ import annotations

import logging
import time
from contextlib import suppress
from typing import NoReturn

from django.conf import settings
from django.core.files import File
from django.db import connection

from playground.ground.simulator import resolve_trace, stored_experiment, web_limits
from playground.models import Run, RunState
from playground.runs.checkpoints import Checkpoints
from playground.runs.giving_way import GiveWay, compiling_or_not, give_way, put_back
from playground.runs.keeping import keep_result
from playground.runs.live import store
from playground.runs.live.publishing import Publishing
from playground.runs.live.store import announce_state
from playground.runs.pausing import put_aside
from playground.runs.results import decisions, tracks
from playground.runs.service import forget_snapshot
from playground.runs.sharing import Together, share_stream
from playground.storage import connections, draining, workers
from scheduler_core import (
    Cancelled,
    Compiled,
    Frame,
    RecordingReader,
    Simulation,
    compile_for_people,
    compile_while,
    follow_compiling,
    load_simulation,
    watch_compiling,
)
from scheduler_core.studies.cluster_measures import add_cluster_measures

logger = logging.getLogger(__name__)

_PROGRESS_EVERY_S = 0.2
_LISTEN_EVERY_S = 0.1
_KEEP_CLAIM_EVERY_S = 1.0


class LostClaim(Exception):
    """Raised when this worker no longer holds the run."""


class PutAside(Exception):
    """Raised when the run is paused: it is saved, and this worker is free."""


class TooLong(Exception):
    """Raised when a run exceeds its time limit, which includes time before pauses and in workers that died."""


class Attempt:
    """One attempt at a run: the loop between the core and Redis."""

    def __init__(self, together: Together) -> None:
        self.together, self.state = together, RunState.RUNNING
        run = together.leader
        self.run_id = run.public_id
        self.began = self.started = time.monotonic()
        self.next_progress = self.next_listen = 0.0
        self.next_claim = self.began + _KEEP_CLAIM_EVERY_S
        self.frames = 0
        self.fraction = self.first_fraction = run.paused_fraction
        self.compiling = False

    def run(self) -> None:
        self._take_in()
        self._announce()
        compile_for_people()
        scheduler = str(self.run_row.experiment.data["scheduler"]["name"])
        following = follow_compiling(scheduler, self._on_compiled)
        interrupted = compile_while(self._between_functions)
        with following, watch_compiling(self._on_compiling), compiling_or_not(self.together.rows), interrupted:
            simulation = self._begin()
            self.started = time.monotonic()
            self.checkpoints = Checkpoints()
            last = self._publish_all_but_last(simulation)
        self._take_in()
        keep_result(self.together, simulation, self.frames)
        if not self.together.rows:
            raise LostClaim
        self._count(simulation)
        # Whoever reads the last frame finds summary and recording in place.
        store.publish_frames(self.together.stream, [store.Encoded(last.seq, last.encode(), last.key)])
        for row in self.together.rows:
            announce_state(row.public_id, store.Progress(RunState.DONE, 1.0, 0.0, self.frames))
        store.expire_frames(self.together.stream)
        for row in self.together.rows:
            forget_snapshot(row)

    @property
    def run_row(self) -> Run:
        return self.together.leader

    def _take_in(self) -> None:
        """Add the runs that have requested the same result since the last call."""
        for row in self.together.take_in(self.state):
            progress = store.Progress(self.state, self.fraction, None, max(self.frames, row.frames))
            share_stream(row, self.together.stream, progress)

    def _announce(self) -> None:
        for row in self.together.rows:
            frames = max(self.frames, row.frames)
            announce_state(row.public_id, store.Progress(self.state, self.fraction, None, frames))

    def _on_compiling(self, compiling: bool) -> None:
        """Report that a kernel compiles, here or in another process that this one waits for."""
        self.compiling = compiling
        self.state = RunState.COMPILING if compiling else RunState.RUNNING
        if not self.together.rows:
            return  # users cancelled all of them
        self._take_in()
        if self.together.held().update(state=self.state):
            self._announce()

    def _on_compiled(self, compiled: Compiled) -> None:
        """Report the progress of compilation; a thread calls this."""
        for row in list(self.together.rows):
            functions = (compiled.done, compiled.known)
            frames = max(self.frames, row.frames)
            progress = store.Progress(RunState.COMPILING, self.fraction, compiled.left_s, frames, functions)
            with suppress(*connections.REDIS_AWAY):
                store.write_progress(row.public_id, progress)

    def _begin(self) -> Simulation:
        """Prepare the run from its start, or from its pause."""
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
        give_way(self.together.rows)  # before compiling starts
        simulation = Simulation(experiment, resolve_trace=resolve_trace, limits=web_limits())
        simulation.prepare()
        return simulation

    def _publish_earlier(self, saved: File[bytes]) -> None:
        """Publish the frames from before the pause that are no longer in the stream."""
        stream = self.together.stream
        store.keep_frames(stream)
        with RecordingReader(saved) as reader, Publishing(stream) as publishing:  # type: ignore[arg-type]
            for frame in reader.frames(after=store.last_published(stream)):
                publishing.add(frame)
            self.frames = reader.count

    def _publish_all_but_last(self, simulation: Simulation) -> Frame:
        stream = self.together.stream
        store.keep_frames(stream)
        with Publishing(stream) as self.publishing:
            for frame in simulation.run(on_slice=self._between_slices):
                self.frames = frame.seq + 1
                if frame.end is not None:
                    add_cluster_measures(simulation)  # to the summary that the frame holds
                    return frame
                self.publishing.add(frame)
        raise AssertionError("the last frame has an end")

    def _between_slices(self, simulation: Simulation) -> None:
        now = time.monotonic()
        self.publishing.flush_if_due()
        self.fraction = min(max(simulation.progress, 0.0), 1.0)
        if now >= self.next_listen:
            self.next_listen = now + _LISTEN_EVERY_S
            self._listen(simulation)
        if now >= self.next_claim:
            self.next_claim = now + _KEEP_CLAIM_EVERY_S
            self._look_at_rows(simulation)
            self.checkpoints.save_if_due(self.together, simulation, frames=self.frames)
        if now >= self.next_progress or self.fraction == 1.0:
            self.next_progress = now + _PROGRESS_EVERY_S
            progress = store.Progress(RunState.RUNNING, self.fraction, self._left_s(now), self.frames)
            for row in self.together.rows:
                store.write_progress(row.public_id, progress)

    def _look_at_rows(self, simulation: Simulation) -> None:
        """Keep the claim, take in who asks for the same, let others pass; go on where the database does not answer."""
        try:
            self._keep_claim()
            self._take_in()
            self._let_others_pass(simulation)
        except connections.DATABASE_AWAY as error:
            logger.warning("run %s goes on, though the database does not answer: %s", self.run_id, error)
            connection.close_if_unusable_or_obsolete()

    def _between_functions(self) -> None:
        """Stop compiling for runs that were cancelled or left, if another run waits; without one it serves the next."""
        now = time.monotonic()
        if now >= self.next_listen:
            self.next_listen = now + _LISTEN_EVERY_S
            if draining.has_begun():
                raise GiveWay
            if workers.waiting_in_queue("runs"):
                self._hear_cancelled()
                give_way(self.together.rows)

    def _hear_cancelled(self) -> dict[str, store.Wishes]:
        wishes = store.wishes([row.public_id for row in self.together.rows])
        self._let_go([row for row in self.together.rows if wishes[row.public_id].cancel], Cancelled)
        return wishes

    def _listen(self, simulation: Simulation) -> None:
        """Stop on request or at the time limit; answer questions about what has happened so far."""
        wishes = self._hear_cancelled()
        if self.together.spent_s(self.run_row) > settings.LIMIT_RUN_SECONDS:
            raise TooLong
        paused = [row for row in self.together.rows if wishes[row.public_id].pause and self._put_aside(row, simulation)]
        self._let_go(paused, PutAside)
        if draining.has_begun():
            self._hand_back(simulation)
        for row in self.together.rows:
            if wishes[row.public_id].questions:
                decisions.answer_questions(run_id=row.public_id, simulation=simulation)
                tracks.answer_questions(run_id=row.public_id, simulation=simulation)

    def _let_go(self, rows: list[Run], when_alone: type[Exception]) -> None:
        """Continue without some runs; stop if no other run wants the same result."""
        for row in rows:
            self.together.let_go(row)
        if not self.together.rows:
            raise when_alone

    def _put_aside(self, row: Run, simulation: Simulation) -> bool:
        spent_s = self.together.spent_s(row)
        if not put_aside(run=row, simulation=simulation, frames=self.frames, spent_s=spent_s):
            return False
        self.together.own_stream(row)
        return True

    def _let_others_pass(self, simulation: Simulation) -> None:
        """Raise GiveWay if nobody waits for this run and a user waits for another; this run continues later."""
        try:
            give_way(self.together.rows)
        except GiveWay:
            self._hand_back(simulation)

    def _hand_back(self, simulation: Simulation) -> NoReturn:
        """Save the run, for whichever worker takes it up, and stop computing it."""
        put_back(self.run_row, simulation, frames=self.frames, spent_s=self.together.spent_s(self.run_row))
        raise GiveWay

    def _keep_claim(self) -> None:
        """Record the seconds spent, for a worker that takes over, and stop for runs that a user cancelled or took."""
        rows = self.together.rows
        lost = [row for row in rows if not self.together.held(row).update(spent_s=self.together.spent_s(row))]
        self._let_go(lost, LostClaim)
        store.keep_frames(self.together.stream)  # whose first run may be over, while others go on

    def _left_s(self, now: float) -> float | None:
        """Return the estimated seconds left, from the speed of this attempt; None if it has hardly begun."""
        done = self.fraction - self.first_fraction
        return (now - self.started) * (1.0 - self.fraction) / done if done > 0.01 else None

    def _count(self, simulation: Simulation) -> None:
        assert simulation.result is not None
        summary = simulation.result.summary
        workers.count_simulated(tasks=summary["tasks"]["completed"], seconds=summary["performance"]["wall_s"])
