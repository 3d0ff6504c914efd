"""Start a run: give it a known result, or queue it.

A shipped recording may be brief. Its run is shown at once, and the complete result follows: a run of the site's own
computes it behind everything that a user waits for, and the brief run gets its files when a user opens them.
"""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any

from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

import scheduler_core
from playground.errors import PlaygroundError, not_yours, problem
from playground.ground.quotas import refuse_full_disk
from playground.ground.simulator import refuse_unsupported, stored_experiment
from playground.ground.viewers import Viewer, hash_token, new_owner_token
from playground.known.results import find_computed, find_known, give
from playground.models import UNFINISHED_STATES, Experiment, Run
from playground.runs.service import new_run, queue_run, refuse_too_many
from playground.runs.sharing import join
from scheduler_core import Experiment as CoreExperiment

logger = logging.getLogger(__name__)

#: How much later a new attempt may follow a complete result that came to nothing.
_AGAIN_AFTER = timedelta(hours=1)


def start_run(*, experiment: Experiment, viewer: Viewer, seed: int | None = None, fresh: bool = False) -> Run:
    """Run an experiment under `seed` (its own when None); a known result is given at once unless it is to be fresh.

    Raises PlaygroundError.
    """
    if not viewer.owns(experiment):
        raise not_yours("experiment")
    refuse_full_disk(0)
    core = stored_experiment(experiment, seed=seed)
    refuse_unsupported(core)
    with transaction.atomic():
        run = new_run(experiment, core)
        if not fresh and give_known(run, core):
            return run
        refuse_too_many(experiment)
        run.fresh, run.by_program = fresh, viewer.is_program
        queue_run(run)
        transaction.on_commit(lambda: join(run))
        return run


def is_fresh(asked: dict[str, Any]) -> bool:
    """Return whether a request wants its run computed although the result is known. Raises PlaygroundError."""
    fresh = asked.get("fresh", False)
    if not isinstance(fresh, bool):
        item = problem("fresh", f"{str(fresh)[:40]!r} is not true or false", allowed="true, false")
        raise PlaygroundError(422, "invalid-request", "The run cannot be started", (item,))
    return fresh


def give_known(run: Run, core: CoreExperiment) -> bool:
    """Store a new run with the result that is known, if one is; say whether."""
    known = find_known(question=run.question_digest, scheduler=core.scheduler.name)
    if known is None:
        return False
    try:
        give(run, known, core)
    except OSError as error:
        logger.warning("a known result cannot be given to run %s, which is computed: %s", run.public_id, error)
        return False
    run.save()
    if run.brief:
        complete_soon(run, core)
    return True


def complete_soon(run: Run, core: CoreExperiment) -> None:
    """Queue the computation of a brief run's whole result once for all, behind everything that a user waits for."""
    alike = Run.objects.filter(question_digest=run.question_digest, background=True)
    if alike.filter(Q(state__in=UNFINISHED_STATES) | Q(queued_at__gt=timezone.now() - _AGAIN_AFTER)).exists():
        return
    own = Experiment.objects.create(
        data=core.to_dict(), digest=run.question_digest, schema_version=core.schema_version,
        core_version=scheduler_core.__version__, owner_token_hash=hash_token(new_owner_token()),
    )  # fmt: skip
    whole = new_run(own, core)
    whole.background = True
    queue_run(whole)


def fill_in(run: Run) -> None:
    """Replace the files of a brief run by complete ones; where they are not computed yet, have them computed."""
    core = stored_experiment(run.experiment, seed=run.seed)
    known = find_computed(question=run.question_digest, scheduler=core.scheduler.name)
    if known is None:
        with transaction.atomic():
            complete_soon(run, core)
        return
    before = run.recording.name
    try:
        give(run, known, core)
    except OSError as error:
        logger.warning("run %s stays brief: %s", run.public_id, error)
        run.refresh_from_db()
        return
    filled = Run.objects.filter(pk=run.pk, brief=True, recording=before).update(
        brief=False, recording=run.recording.name, tasks_table=run.tasks_table.name, frames=run.frames,
        summary=run.summary, stored_bytes=0,
    )  # fmt: skip
    if filled:
        default_storage.delete(str(before))
