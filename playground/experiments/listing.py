"""List, share and delete the experiments of a browser's owner, and undo a deletion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from playground.ground.simulator import scheduler_label
from playground.ground.viewers import Viewer, hash_token
from playground.models import Experiment, Run, RunState
from playground.runs.results.pictures import has_picture

_MOST_LISTED = 200


@dataclass(frozen=True)
class Listed:
    """An experiment as the list shows it."""

    experiment: Experiment
    scheduler: str
    machines: int
    run: Run | None
    picture_run: Run | None

    @property
    def waits(self) -> dict[str, float | None]:
        return dict((self.run.summary or {}).get("allocation_delay_s") or {}) if self.run else {}

    @property
    def state(self) -> str:
        """Word for the newest run: its state, that its recording is gone, or that there is none."""
        if self.run is None:
            return "never"
        return "removed" if self.run.recording_removed_at else str(self.run.state)


def experiments_of(viewer: Viewer) -> Q:
    owner = Q(pk__in=[])
    if viewer.session_key:
        owner |= Q(owner_session=viewer.session_key)
    if viewer.token:
        owner |= Q(owner_token_hash=hash_token(viewer.token))
    return owner


def list_experiments(*, viewer: Viewer) -> list[Listed]:
    """List a viewer's experiments that were run or shared, newest first.

    Every change of a control stores an experiment; one whose run was dropped for the next turn is left out. Each visit
    of the studio stores its first experiment again; of equal ones that nothing else refers to, the newest is listed.
    """
    runs = Run.objects.filter(experiment=OuterRef("pk"))
    telling = Exists(runs.exclude(state=RunState.CANCELLED)) | ~Exists(runs) | Q(shared_at__isnull=False)
    found = Experiment.objects.filter(experiments_of(viewer), telling, deleted_at=None).order_by("-created_at", "-pk")
    in_order = Run.objects.order_by("created_at")
    found = found.annotate(unused=Exists(_unused().filter(pk=OuterRef("pk"))))
    rows, seen = [], set()
    for experiment in found.prefetch_related(Prefetch("runs", queryset=in_order))[: 2 * _MOST_LISTED]:
        same = (experiment.digest, experiment.name, experiment.question)
        if same not in seen or not experiment.unused:
            seen.add(same)
            rows.append(_listed(experiment))
    return rows[:_MOST_LISTED]


def repeats_of(experiment: Experiment) -> QuerySet[Experiment]:
    """Return the owner's experiments that equal this one and that nothing else refers to: the list hides them."""
    return _unused().filter(
        owner_session=experiment.owner_session,
        digest=experiment.digest,
        name=experiment.name,
        question=experiment.question,
        deleted_at=None,
    )


def _unused() -> QuerySet[Experiment]:
    """Return what was stored in a browser, never shared, and is of no study, class, challenge or fork."""
    own = Experiment.objects.exclude(owner_session="").filter(shared_at=None)
    return own.filter(forks=None, studies=None, classes=None, challenge_entries=None)


def _listed(experiment: Experiment) -> Listed:
    runs = list(experiment.runs.all())
    done = [run for run in runs if run.state == RunState.DONE]
    for run in runs:
        run.experiment = experiment
    return Listed(
        experiment=experiment,
        scheduler=scheduler_label(experiment.data),
        machines=_machines(experiment.data),
        run=done[-1] if done else runs[-1] if runs else None,
        picture_run=_pictured(done),
    )


def _pictured(done: list[Run]) -> Run | None:
    """Choose the run that the list shows: the newest with a recording, or the picture that outlived one."""
    kept = [run for run in done if run.recording]
    run = kept[-1] if kept else done[-1] if done else None
    return run if run is not None and has_picture(run, "light") else None


def _machines(data: dict[str, Any]) -> int:
    clusters = data.get("topology", {}).get("clusters", [])
    return sum(
        int(cluster.get("repeat") or 1) * sum(int(kind.get("count") or 1) for kind in cluster.get("machines", []))
        for cluster in clusters
    )
