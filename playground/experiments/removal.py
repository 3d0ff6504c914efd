"""Delete an experiment, and bring it back while that is possible."""

from __future__ import annotations

from django.utils import timezone

from playground.errors import not_found, not_yours
from playground.experiments.service import is_public_id
from playground.ground.viewers import Viewer
from playground.models import UNFINISHED_STATES, Experiment, Run
from playground.runs.service import cancel_run


def delete_experiment(*, experiment: Experiment, viewer: Viewer) -> None:
    """Hide an experiment, its runs and its link at once; it is removed for good when it can no longer be restored."""
    if not viewer.owns(experiment):
        raise not_yours("experiment")
    for run in Run.objects.select_related("experiment").filter(experiment=experiment, state__in=UNFINISHED_STATES):
        cancel_run(run=run, viewer=viewer)
    Experiment.objects.filter(pk=experiment.pk, deleted_at=None).update(deleted_at=timezone.now())


def restore_experiment(*, public_id: str, viewer: Viewer) -> Experiment:
    """Bring a deleted experiment back, as long as it is kept."""
    experiment = Experiment.objects.filter(public_id=public_id).first() if is_public_id(public_id) else None
    if experiment is None:
        raise not_found("experiment")
    if not viewer.owns(experiment):
        raise not_yours("experiment")
    Experiment.objects.filter(pk=experiment.pk).update(deleted_at=None)
    experiment.refresh_from_db()
    return experiment
