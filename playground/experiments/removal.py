"""Delete an experiment, and bring it back while that is possible."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from playground.errors import not_found, not_yours
from playground.experiments.listing import repeats_of
from playground.experiments.service import is_public_id
from playground.ground.viewers import Viewer
from playground.models import UNFINISHED_STATES, Experiment, Run
from playground.runs.service import cancel_run

RESTORE_FOR = timedelta(hours=24)
"""How long a deleted experiment can be restored."""


def delete_experiment(*, experiment: Experiment, viewer: Viewer) -> None:
    """Hide an experiment, its runs and its link at once; it is removed for good when it can no longer be restored.

    Equal ones go with it that the list showed as this one, because the next of them would take its place there.
    """
    if not viewer.owns(experiment):
        raise not_yours("experiment")
    listed = bool(viewer.session_key) and viewer.session_key == experiment.owner_session
    gone = [experiment.pk, *(repeats_of(experiment).values_list("pk", flat=True) if listed else ())]
    for run in Run.objects.select_related("experiment").filter(experiment__in=gone, state__in=UNFINISHED_STATES):
        cancel_run(run=run, viewer=viewer)
    Experiment.objects.filter(pk__in=gone, deleted_at=None).update(deleted_at=timezone.now())


def restore_experiment(*, public_id: str, viewer: Viewer) -> Experiment:
    """Bring a deleted experiment back, and equal ones that went with it, as long as they are kept."""
    experiment = Experiment.objects.filter(public_id=public_id).first() if is_public_id(public_id) else None
    long_gone = timezone.now() - RESTORE_FOR
    if experiment is None or (experiment.deleted_at is not None and experiment.deleted_at < long_gone):
        raise not_found("experiment")
    if not viewer.owns(experiment):
        raise not_yours("experiment")
    together = Experiment.objects.filter(owner_session=experiment.owner_session, digest=experiment.digest)
    together.filter(deleted_at=experiment.deleted_at).update(deleted_at=None)
    experiment.refresh_from_db()
    return experiment
