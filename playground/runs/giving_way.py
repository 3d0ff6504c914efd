"""Return an unfinished run from a worker to the queue; it continues later from the same point.

Runs that nobody waits for let others have their worker. A worker that is drained hands back whatever it holds.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import F
from django.utils import timezone

from playground.models import HELD_STATES, Run, RunState
from playground.runs.live import store
from playground.runs.live.store import announce_state
from playground.runs.pausing import save_aside
from playground.runs.queue import gives_way, somebody_waits
from playground.runs.service import enqueue
from playground.storage import draining, workers
from scheduler_core import Simulation, only_compiled

logger = logging.getLogger(__name__)

#: Within so long a server has compiled every kernel ahead, where it does.
_AHEAD_WITHIN = timedelta(minutes=30)
#: Compute shorter work again instead: a user waits for the saving. A draining worker saves whatever
#: it holds, since the run must wait for another worker anyway.
WORTH_SAVING_S = 2.0


class GiveWay(Exception):
    """Runs wait again: their worker is drained, or nobody waits for them and a user for another one.

    Or a kernel is still compiled ahead.
    """


def give_way(runs: Sequence[Run]) -> None:
    """Raise GiveWay for runs that nobody waits for, while a user waits for another one."""
    if workers.waiting_in_queue("runs") and all(map(gives_way, runs)) and somebody_waits(runs):
        raise GiveWay


def compiling_or_not(runs: Sequence[Run]) -> AbstractContextManager[None]:
    """Refuse to compile for the site's own runs, as long as another process compiles every kernel ahead."""
    own = all(run.background and timezone.now() - run.created_at < _AHEAD_WITHIN for run in runs)
    return only_compiled() if own and settings.WARM_KERNELS else nullcontext()


def put_back(run: Run, simulation: Simulation | None = None, *, frames: int = 0, spent_s: float = 0.0) -> None:
    """Let a run that its worker holds wait again, where it is, or from its start; recovery queues the site's own."""
    held = Run.objects.filter(pk=run.pk, claim=run.claim, state__in=HELD_STATES)
    fields: dict[str, Any] = {"state": RunState.QUEUED, "claim": "", "attempts": F("attempts") - 1}
    if not draining.has_begun():
        fields["queued_at"] = timezone.now()  # behind those that it lets pass
    storage, earlier = run.snapshot.storage, run.snapshot.name
    worth_saving_s = 0.0 if draining.has_begun() else WORTH_SAVING_S
    if simulation is not None and simulation.wall_s > worth_saving_s:
        try:
            save_aside(run, simulation)
            fraction = min(max(simulation.progress, 0.0), 1.0)
            fields |= {"snapshot": run.snapshot.name, "paused_fraction": fraction, "frames": frames, "spent_s": spent_s}
        except OSError as error:
            logger.warning("run %s cannot be saved, so it is simulated again: %s", run.public_id, error)
            run.snapshot.name = earlier
    kept = held.update(**fields)
    unused = earlier if kept else run.snapshot.name
    if unused and run.snapshot.name != earlier:
        storage.delete(unused)
    if kept:
        fraction, frames = fields.get("paused_fraction", run.paused_fraction), max(frames, run.frames)
        announce_state(run.public_id, store.Progress(RunState.QUEUED, fraction, None, frames))
        logger.info("run %s waits again, at %.0f %%", run.public_id, 100 * fraction)
        if not run.background:
            enqueue(run)
