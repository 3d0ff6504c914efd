"""Free space: delete recordings that are too old or too many, and unreachable rows and files.

Of the recordings that are too many, those of runs that nobody shares go first, oldest first. The run stays, with its
summary, and says that its recording is gone: the same seed gives the same again. Those of the gallery are the site's
own: they neither count nor go.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import timedelta
from importlib import import_module

from django.conf import settings
from django.core.files.storage import default_storage
from django.db import close_old_connections, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet, Sum
from django.utils import timezone

from playground.arena.line import remove_old_challenges
from playground.classes import starts
from playground.classes.rooms import remove_old_classes
from playground.experiments.removal import RESTORE_FOR
from playground.ground.quotas import key_of_class
from playground.ground.simulator import scheduler_label
from playground.models import (
    FINAL_STATES,
    UNFINISHED_STATES,
    Classroom,
    Experiment,
    GoneLink,
    Run,
    RunState,
    StudyRun,
    Trace,
)
from playground.runs.results import pictures
from playground.runs.service import forget_snapshot
from playground.storage import connections, files
from playground.studies import service as studies
from playground.traces import uploads
from playground.traces.checking import FOLDER

logger = logging.getLogger(__name__)

EVERY_S = 300
_UNREAD_FOR = timedelta(hours=1)
_AT_ONCE = 200
_UNUSED_AT_ONCE = 1_000
#: How long a link says what it led to.
_TOLD_FOR = timedelta(days=365)
_SESSIONS_KEY, _SESSIONS_EVERY_S = "retention:sessions", 3600
_KEY = "retention:done"
#: Looking through all recordings takes long where there are many.
_FILES_KEY, _FILES_EVERY_S = "retention:files", 24 * 3600


def make_room_if_due() -> int:
    """Make room unless some worker did so minutes ago; called by every worker's caretaker."""
    if not connections.client().set(_KEY, b"1", nx=True, ex=EVERY_S):
        return 0
    return make_room()


def make_room() -> int:
    """Delete what is over quota, over age or out of reach; return how many recordings were deleted."""
    close_old_connections()
    _count_bytes()
    _remove_deleted_experiments()
    _remove_unused_experiments()
    _remove_old_sessions()
    _remove_unread_uploads()
    _remove_starts_of_classes()
    uploads.remove_old_uploads()
    _remove_unused_traces()
    _remove_files_of_dead_workers()
    studies.remove_old_studies()
    remove_old_classes()
    remove_old_challenges()
    oldest_allowed = timezone.now() - timedelta(days=settings.KEEP_RECORDINGS_DAYS)
    removed = _remove(_visitors().filter(ended_at__lt=oldest_allowed).order_by("ended_at")[:_AT_ONCE], "age")
    return removed + _remove(_over_quota(), "room")


def _kept() -> QuerySet[Run]:
    return Run.objects.filter(state=RunState.DONE, recording_removed_at=None).exclude(recording="")


def _visitors() -> QuerySet[Run]:
    return _kept().filter(shown_in_gallery=None)


def _count_bytes() -> None:
    """Write down the sizes of new files once, so that the sum is a query."""
    for run in _kept().filter(stored_bytes=0)[:_AT_ONCE]:
        total = 0
        for file in (run.recording, run.tasks_table):
            try:
                total += file.size if file else 0
            except OSError:
                continue
        Run.objects.filter(pk=run.pk).update(stored_bytes=max(total, 1))


def _over_quota() -> list[Run]:
    """Choose what has to go: of runs that nobody shares first, then by age."""
    have = _visitors().aggregate(total=Sum("stored_bytes"))["total"] or 0
    chosen: list[Run] = []
    unshared = _visitors().filter(experiment__shared_at=None).order_by("ended_at")
    shared = _visitors().exclude(experiment__shared_at=None).order_by("ended_at")
    for query in (unshared, shared):
        for run in query.iterator(chunk_size=_AT_ONCE):
            if have <= settings.KEEP_RECORDINGS_BYTES:
                return chosen
            have -= run.stored_bytes
            chosen.append(run)
    return chosen


def _remove(runs: Iterable[Run], why: str) -> int:
    removed = 0
    for run in runs:
        # The row first: it tells a reader that the file is gone.
        Run.objects.filter(pk=run.pk).update(recording_removed_at=timezone.now(), recording="", tasks_table="")
        _delete_files(run)
        logger.info("recording of run %s was deleted (%s): %s bytes", run.public_id, why, run.stored_bytes)
        removed += 1
    return removed


def _delete_files(run: Run) -> None:
    for file in (run.recording, run.tasks_table, run.snapshot):
        if file.name:
            default_storage.delete(file.name)


def _remove_deleted_experiments() -> None:
    """Remove for good what was deleted a while ago, unless a run of it is still in a worker's hands."""
    gone = Experiment.objects.filter(deleted_at__lt=timezone.now() - RESTORE_FOR)
    for experiment in gone.exclude(runs__state__in=(RunState.RUNNING, RunState.COMPILING))[:_AT_ONCE]:
        for run in experiment.runs.all():
            _delete_files(run)
            pictures.forget_pictures(run)
        experiment.delete()


def _remove_unused_experiments() -> None:
    """Remove experiments that nobody shared, ran, forked or opened for a while, with runs whose recordings are gone."""
    now = timezone.now()
    oldest = now - timedelta(days=settings.KEEP_EXPERIMENTS_DAYS)
    oldest_run = min(oldest, now - timedelta(days=settings.KEEP_RECORDINGS_DAYS))
    needed = Run.objects.filter(experiment=OuterRef("pk")).filter(
        Q(state__in=UNFINISHED_STATES)
        | Q(created_at__gte=oldest_run)
        | Q(shown_in_gallery__isnull=False)
        | (~Q(recording="") & Q(recording_removed_at=None))
    )
    taught = [key_of_class(pk) for pk in Classroom.objects.values_list("pk", flat=True)]
    unused = Experiment.objects.filter(Q(opened_at=None) | Q(opened_at__lt=oldest), created_at__lt=oldest)
    unused = unused.filter(shared_at=None, deleted_at=None, forks=None, studies=None, classes=None)
    gone = unused.filter(~Exists(needed), challenge_entries=None).exclude(counts_under__in=taught).order_by("pk")
    rows = list(gone.only("pk", "slug", "name", "opened_at", "data")[:_UNUSED_AT_ONCE])
    with transaction.atomic():
        GoneLink.objects.bulk_create(
            [
                GoneLink(slug=row.slug, name=row.name, scheduler=scheduler_label(row.data))
                for row in rows
                if row.opened_at is not None  # others have no link in anybody's hands
            ],
            ignore_conflicts=True,
        )
        for row in rows:
            for run in row.runs.all():
                _delete_files(run)
                pictures.forget_pictures(run)
        Experiment.objects.filter(pk__in=[row.pk for row in rows]).delete()
    GoneLink.objects.filter(removed_at__lt=now - _TOLD_FOR).delete()


def _remove_old_sessions() -> None:
    """Remove sessions that have run out, once an hour: every visitor without a cookie leaves one."""
    if connections.client().set(_SESSIONS_KEY, b"1", nx=True, ex=_SESSIONS_EVERY_S):
        import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()


def _remove_unread_uploads() -> None:
    """Remove files of uploads whose server died before they were read, and files that no row names."""
    known = set(Trace.objects.values_list("file", flat=True))
    for name in files.unnamed(FOLDER, known, timezone.now() - _UNREAD_FOR):
        default_storage.delete(name)


def _remove_files_of_dead_workers() -> None:
    """Remove snapshots that no row names, and once a day recordings and tables: their workers died."""
    for run in Run.objects.filter(state__in=FINAL_STATES, ended_at__lt=timezone.now() - _UNREAD_FOR).exclude(
        snapshot=""
    ):
        forget_snapshot(run)
    fields = {"snapshots": ["snapshot"]}
    if connections.client().set(_FILES_KEY, b"1", nx=True, ex=_FILES_EVERY_S):
        fields["runs"] = ["recording", "tasks_table"]
    for folder, names in fields.items():
        known = {name for row in Run.objects.values_list(*names).iterator() for name in row}
        if folder == "snapshots":
            known |= set(StudyRun.objects.filter(state__in=studies.OPEN_ROWS).values_list("snapshot", flat=True))
        for name in files.unnamed(folder, known, timezone.now() - _UNREAD_FOR):
            default_storage.delete(name)
            logger.info("%s was deleted: no run names it", name)


def _remove_starts_of_classes() -> None:
    """Remove packed starts that no class names any more."""
    for name in files.unnamed(starts.FOLDER, starts.known_files(), timezone.now() - _UNREAD_FOR):
        default_storage.delete(name)


def _remove_unused_traces() -> None:
    """Remove uploaded traces of some age that no experiment names, deleted ones that can be restored included."""
    oldest = timezone.now() - timedelta(days=settings.KEEP_TRACES_DAYS)
    for trace in Trace.objects.filter(created_at__lt=oldest).order_by("created_at").iterator(chunk_size=_AT_ONCE):
        if Experiment.objects.filter(data__workload__trace=trace.public_id).exists():
            continue
        stored = trace.file.name
        trace.delete()
        if stored:
            default_storage.delete(stored)
        logger.info("trace %s was deleted: no experiment names it", trace.public_id)
