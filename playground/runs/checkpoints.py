"""Checkpoints: the worker of a long run saves it periodically, so a worker's death costs only seconds.

A checkpoint is the file that a paused run leaves (`save_aside`): the snapshot, the frames so far, and what the next
frame is compared with. The row names the newest one. Whoever takes the run over continues from it: frames that the
stream lacks are published from the file, and frames that the dead worker had published already are refused by their
numbers.
"""

from __future__ import annotations

import logging
import time

from django.conf import settings
from django.db import OperationalError, connection

from playground.runs.pausing import save_aside
from playground.runs.sharing import Together
from scheduler_core import Simulation

logger = logging.getLogger(__name__)

#: The seconds between two checkpoints are at least this multiple of the seconds that saving took.
RARELY = 20


class Checkpoints:
    """Save the run that a worker holds every `PLAYGROUND_CHECKPOINT_SECONDS` (0: never)."""

    def __init__(self) -> None:
        self._next = time.monotonic() + settings.CHECKPOINT_SECONDS

    def save_if_due(self, together: Together, simulation: Simulation, *, frames: int) -> bool:
        """Save the first of the runs that are computed together; the others join it again. Say whether it is saved."""
        began = time.monotonic()
        if not settings.CHECKPOINT_SECONDS or began < self._next:
            return False
        saved = _save(together, simulation, frames)
        took_s = time.monotonic() - began
        self._next = began + took_s + max(settings.CHECKPOINT_SECONDS, RARELY * took_s)
        return saved


def _save(together: Together, simulation: Simulation, frames: int) -> bool:
    run = together.leader
    storage, earlier = run.snapshot.storage, run.snapshot.name
    try:
        save_aside(run, simulation)
        kept = together.held(run).update(
            snapshot=run.snapshot.name,
            paused_fraction=min(max(simulation.progress, 0.0), 1.0),
            frames=frames,
            attempts=1,  # what counts is how often the rest of it fails
        )
    except (OSError, OperationalError) as error:
        # The run goes on: it only has further to go back if its worker dies.
        logger.warning("run %s has no new checkpoint: %s", run.public_id, error)
        connection.close_if_unusable_or_obsolete()
        kept = 0
    unused = earlier if kept else run.snapshot.name
    if not kept:
        run.snapshot.name = earlier
    if unused and unused != run.snapshot.name:
        try:
            storage.delete(unused)
        except OSError as error:
            logger.warning("%s is left to retention: %s", unused, error)
    return bool(kept)
