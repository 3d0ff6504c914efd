"""Recorded runs of the gallery: one for each question, owned by the site, computed when a user first opens it.

Who comes later is shown the recording at once. A run is recorded again when its experiment or the simulator is another
one, or when its files are gone; the one before then counts as anybody's.
"""

from __future__ import annotations

import hashlib
import json
import logging
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from playground.errors import PlaygroundError
from playground.experiments.service import create_experiment, mark_shared
from playground.gallery.service import Entry, experiment_of
from playground.ground.simulator import parse_experiment, refuse_unsupported
from playground.ground.viewers import Viewer
from playground.known.shipped import code_of
from playground.models import UNFINISHED_STATES, GalleryRun, Run, RunState
from playground.runs.service import new_run, queue_run
from playground.runs.starting import give_known
from playground.storage import connections

logger = logging.getLogger(__name__)

#: After a failed run, a user who opens its question so much later starts it again.
_AGAIN_AFTER = timedelta(hours=1)


class _Begun(Exception):
    """Another process has begun it at the same moment."""


def recorded_run(*, entry: Entry) -> Run | None:
    """Return the run that shows a question: recorded, or on its way; None where there can be none now."""
    experiment = experiment_of(entry)
    key = _key(experiment)
    known = _known(entry.name)
    if known is None or known.key != key or not _serves(known.run):
        try:
            return _begin(entry.name, key, experiment, known)
        except _Begun:
            known = _known(entry.name)
        except PlaygroundError as error:
            logger.warning("question %s of the gallery cannot be run here: %s", entry.name, error.title)
            return None
        except connections.REDIS_AWAY:
            return None
    return known.run if known is not None and known.run.state in (RunState.DONE, *UNFINISHED_STATES) else None


def _known(name: str) -> GalleryRun | None:
    return GalleryRun.objects.select_related("run__experiment").filter(name=name).first()


def _serves(run: Run) -> bool:
    """Return whether a run is not to be begun again: it can be watched, or has failed a moment ago."""
    if run.experiment.deleted_at is not None:
        return False
    if run.state == RunState.DONE:
        name = run.recording.name
        return name is not None and name != "" and run.recording.storage.exists(name)
    ended = run.ended_at
    return run.state in UNFINISHED_STATES or (ended is not None and timezone.now() - ended < _AGAIN_AFTER)


def _begin(name: str, key: str, experiment: dict[str, Any], known: GalleryRun | None) -> Run:
    """Store the experiment as nobody's and queue a run of it. Raises _Begun, PlaygroundError."""
    core = parse_experiment(experiment)
    refuse_unsupported(core)
    with transaction.atomic():
        made = create_experiment(data=experiment, viewer=Viewer()).experiment
        mark_shared(made)
        run = new_run(made, core)
        if not give_known(run, core):
            queue_run(run)
        if known is None:
            try:
                GalleryRun.objects.create(name=name, key=key, run=run)
            except IntegrityError:
                raise _Begun from None
        elif not GalleryRun.objects.filter(pk=known.pk, run=known.run_id).update(key=key, run=run):
            raise _Begun
    logger.info("question %s of the gallery is recorded by run %s", name, run.public_id)
    return run


def _key(experiment: dict[str, Any]) -> str:
    """Name what a recording is of: the experiment, and the code that can change its outcome."""
    code, text = code_of(experiment["scheduler"]["name"]), json.dumps(experiment, sort_keys=True)
    return hashlib.sha256(f"{code} {text}".encode()).hexdigest()
