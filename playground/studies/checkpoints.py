"""Checkpoints of a study's runs: a worker that takes over a run continues from the last saved state.

As with runs that a user watches (runs/checkpoints.py), the row names the newest file. Some runs are never saved: those
under hidden seeds, because the file would tell the seed, and those whose study watches a number grow, because the file
does not hold what was noted so far.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO

from django.conf import settings
from django.core.files.storage import default_storage

from playground.models import RunState, StudyRun
from playground.runs.checkpoints import RARELY
from playground.runs.giving_way import WORTH_SAVING_S
from playground.storage import connections, files
from scheduler_core import Simulation, save_simulation

logger = logging.getLogger(__name__)


class Checkpoints:
    """Save a run that a worker holds every `PLAYGROUND_CHECKPOINT_SECONDS` (0: never), and when it is put back."""

    def __init__(self, row: StudyRun) -> None:
        self._row, self._never = row, row.study.hidden is not None or bool(row.study.watched)
        self._next = time.monotonic() + settings.CHECKPOINT_SECONDS

    @contextmanager
    def opened(self) -> Iterator[IO[bytes] | None]:
        """Give the file from which the run continues; None if it begins."""
        name = self._row.snapshot.name
        try:
            file = default_storage.open(name, "rb") if name else None
        except OSError as error:
            logger.warning("run %s is simulated from its start again: %s", self._row.lease_name, error)
            file = None
        try:
            yield file
        finally:
            if file is not None:
                file.close()

    def save_if_due(self, simulation: Simulation) -> None:
        began = time.monotonic()
        if settings.CHECKPOINT_SECONDS and began >= self._next:
            self.save(simulation)
            took_s = time.monotonic() - began
            self._next = began + took_s + max(settings.CHECKPOINT_SECONDS, RARELY * took_s)

    def save(self, simulation: Simulation) -> None:
        """Save the run where it is, unless it has just begun; where that fails, whoever takes it up begins earlier."""
        if self._never or simulation.wall_s < WORTH_SAVING_S:
            return
        row, earlier = self._row, self._row.snapshot.name
        try:
            with files.scratch() as path:
                save_simulation(simulation, path)
                name = files.keep(path, f"snapshots/{row.study.public_id}-{row.number}-{row.claim[:8]}.zip")
            held = StudyRun.objects.filter(pk=row.pk, claim=row.claim, state=RunState.RUNNING).update(snapshot=name)
        except (OSError, *connections.DATABASE_AWAY) as error:
            logger.warning("run %s has no new checkpoint: %s", row.lease_name, error)
            return
        if held:
            row.snapshot.name = name
        _delete(earlier if held else name)

    def forget(self) -> None:
        """Delete the file of a run that has ended; the row names it no more."""
        _delete(self._row.snapshot.name)


def _delete(name: str | None) -> None:
    if name:
        with suppress(OSError):  # retention deletes what no row names
            default_storage.delete(name)
