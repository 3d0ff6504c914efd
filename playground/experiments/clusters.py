"""Delete a cluster that a user brought, and everything that was made of it."""

from __future__ import annotations

from django.utils import timezone

from playground.errors import not_found, not_yours
from playground.experiments.removal import RESTORE_FOR
from playground.ground.simulator import uploaded_trace
from playground.ground.viewers import Viewer
from playground.models import UNFINISHED_STATES, Experiment, Run
from playground.questions import store
from playground.runs.service import end_run
from playground.traces.service import delete_trace

#: Longer ago than a deleted experiment may be restored: the next sweep removes it with its files.
_LONG_AGO = 2 * RESTORE_FOR


def delete_everything(*, trace_id: str, viewer: Viewer) -> int:
    """Delete a trace of this viewer, every experiment that names it, their forks and their runs; count experiments.

    Experiments of other people that name the trace go, too, and so do the answers that questions about any of these
    gave. Nothing of it can be restored. Experiments are out of reach at once; their files go with the next sweep.
    """
    trace = uploaded_trace(trace_id)
    if trace is None:
        raise not_found("uploaded trace")
    if not viewer.owns(trace):
        raise not_yours("trace")
    # Its id is random: whoever names it got it from this owner.
    naming = Experiment.objects.filter(data__workload__trace=trace_id, created_at__gte=trace.created_at)
    gone = set(naming.values_list("pk", flat=True))
    while more := set(Experiment.objects.filter(forked_from__in=gone).values_list("pk", flat=True)) - gone:
        gone |= more
    for run in Run.objects.select_related("experiment").filter(experiment__in=gone, state__in=UNFINISHED_STATES):
        # Whoever owns the fork: a paused run of a stranger must not keep the cluster on the server.
        end_run(run)
    Experiment.objects.filter(pk__in=gone).update(deleted_at=timezone.now() - _LONG_AGO)
    for subject in (trace_id, *Experiment.objects.filter(pk__in=gone).values_list("public_id", flat=True)):
        store.forget_subject(subject)
    delete_trace(trace_id=trace_id, viewer=viewer)
    return len(gone)
