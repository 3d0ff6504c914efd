"""Delete a cluster that a user brought, and everything that was made of it."""

from __future__ import annotations

from django.utils import timezone

from playground.errors import not_found, not_yours
from playground.experiments.listing import experiments_of
from playground.experiments.removal import RESTORE_FOR
from playground.ground.simulator import uploaded_trace
from playground.ground.viewers import Viewer
from playground.models import UNFINISHED_STATES, Experiment, Run
from playground.runs.service import end_run
from playground.traces.service import delete_trace

#: Longer ago than a deleted experiment may be restored: the next sweep removes it with its files.
_LONG_AGO = 2 * RESTORE_FOR


def delete_everything(*, trace_id: str, viewer: Viewer) -> int:
    """Delete a trace of this viewer, every experiment that names it, their forks and their runs; count experiments.

    Nothing of it can be restored. Experiments are out of reach at once; their files go with the next sweep.
    """
    trace = uploaded_trace(trace_id)
    if trace is None:
        raise not_found("uploaded trace")
    if not viewer.owns(trace):
        raise not_yours("trace")
    own = Experiment.objects.filter(experiments_of(viewer), created_at__gte=trace.created_at)
    gone = {one.pk for one in own.iterator(chunk_size=200) if one.data.get("workload", {}).get("trace") == trace_id}
    while more := set(Experiment.objects.filter(forked_from__in=gone).values_list("pk", flat=True)) - gone:
        gone |= more
    for run in Run.objects.select_related("experiment").filter(experiment__in=gone, state__in=UNFINISHED_STATES):
        # Whoever owns the fork: a paused run of a stranger must not keep the cluster on the server.
        end_run(run)
    Experiment.objects.filter(pk__in=gone).update(deleted_at=timezone.now() - _LONG_AGO)
    delete_trace(trace_id=trace_id, viewer=viewer)
    return len(gone)
