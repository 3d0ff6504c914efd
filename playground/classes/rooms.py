"""Open a class, find one, and change its state. A session or token owns it, as for experiments."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from playground.classes.names import new_code
from playground.classes.telling import announce
from playground.errors import PlaygroundError, not_found, problem
from playground.experiments.forks import fork_experiment
from playground.experiments.service import get_experiment
from playground.gallery.recordings import recorded_run
from playground.gallery.service import entry_of
from playground.ground.quotas import Quota, key_of_class, key_of_closed, quota_of_key, refuse_experiment, refuse_more
from playground.ground.viewers import Viewer, hash_token, new_owner_token
from playground.models import ClassMode, ClassQuestion, Classroom, Experiment, Run, RunState, Study, Trace, Upload
from playground.runs.starting import start_run
from playground.studies.service import stop_studies

_ID = re.compile(r"[A-Za-z0-9_-]{1,32}")
_MOST_LISTED = 50
_DRAWS = 20
#: Note the use of a class this often, not with each answer.
_NOTED_EVERY = timedelta(minutes=10)


@dataclass(frozen=True)
class Opened:
    """A new class, and the token of its teacher."""

    classroom: Classroom
    owner_token: str


def open_class(*, viewer: Viewer, experiment: str = "", gallery: str = "") -> Opened:
    """Open a class; it shows an experiment or a question of the gallery where one is named. Raises PlaygroundError."""
    opened = new_room(viewer)
    classroom = _stored(opened.classroom)
    if experiment or gallery:
        show(classroom=classroom, viewer=viewer, experiment=experiment, gallery=gallery)
    return opened


def new_room(viewer: Viewer) -> Opened:
    """Return the row of a class or a homework of the viewer's, not stored yet. Raises PlaygroundError for too many."""
    address = quota_of_key(viewer.counts_under)
    _refuse_many(address)
    # What closed classes of the address left counts together: each class has a quota of its own.
    refuse_experiment(Quota(key_of_closed(address.key)), 0)
    token = new_owner_token()
    owner = {"owner_session": viewer.session_key, "owner_token_hash": hash_token(token)}
    return Opened(Classroom(**owner, counts_under=address.key), token)


def _refuse_many(address: Quota, but: int = 0) -> None:
    refuse_more(
        address, Classroom.objects.filter(counts_under=address.key).exclude(pk=but),
        setting="LIMIT_CLASSES_PER_ADDRESS", what="classes", kind="too-many-classes",
        remedy="delete one that is over",
    )  # fmt: skip


def _stored(classroom: Classroom) -> Classroom:
    classroom.used_at = timezone.now()
    for _ in range(_DRAWS):
        classroom.code = new_code()
        try:
            with transaction.atomic():
                store_room(classroom)
        except IntegrityError:
            continue
        return classroom
    raise PlaygroundError(503, "unavailable", "No code is free; ask again in a moment")


def store_room(classroom: Classroom) -> None:
    """Store a new class. Raises PlaygroundError if others of its address were stored since `new_room` counted."""
    classroom.save()
    try:
        _refuse_many(quota_of_key(classroom.counts_under), but=classroom.pk)
    except PlaygroundError:
        classroom.delete()
        raise


def get_class(*, public_id: str) -> Classroom:
    """Return a class with what it shows and asks."""
    return _found(public_id, Classroom.objects.select_related("experiment", "run", "question"))


def bare_class(*, public_id: str) -> Classroom:
    """Return a class without what it shows, asks and teaches: all that a student's own request needs."""
    return _found(public_id, Classroom.objects.defer("lesson"))


def _found(public_id: str, classrooms: QuerySet[Classroom]) -> Classroom:
    found = classrooms.filter(public_id=public_id).first() if _ID.fullmatch(public_id) else None
    if found is None:
        raise not_found("class")
    return found


def own_class(*, public_id: str, viewer: Viewer) -> Classroom:
    """Return a class of the viewer's. Raises PlaygroundError for anybody but its teacher."""
    found = get_class(public_id=public_id)
    if not viewer.owns(found):
        item = problem("", "only its teacher may do this", remedy="use the browser that opened it, or send its token")
        raise PlaygroundError(403, "not-yours", "This class belongs to someone else", (item,))
    note_use(found)
    return found


def classes_of(*, viewer: Viewer, homework: bool = False) -> list[Classroom]:
    """Return the classes that a browser opened, or its homework, newest first."""
    if not viewer.session_key:
        return []
    here = Count("students", filter=Q(students__removed_at=None))
    found = Classroom.objects.filter(owner_session=viewer.session_key, due_at__isnull=not homework)
    found = found.annotate(people=here)
    return list(found.order_by("-created_at")[:_MOST_LISTED])


def class_of_code(code: str) -> Classroom | None:
    """Return the class that a code opens now."""
    oldest = timezone.now() - timedelta(hours=settings.KEEP_CLASS_CODES_HOURS)
    return Classroom.objects.filter(code=code, used_at__gte=oldest).first() if code else None


def note_use(classroom: Classroom) -> None:
    """Note that a class is used, so that its code and its rows stay."""
    now = timezone.now()
    # A homework is kept for a while after its end, whoever uses it.
    if classroom.due_at is None and now - classroom.used_at > _NOTED_EVERY:
        Classroom.objects.filter(pk=classroom.pk).update(used_at=now)
        classroom.used_at = now


def change_class(*, classroom: Classroom, changes: dict[str, Any], viewer: Viewer) -> None:
    """Change mode, `locked`, `anonymous`, or what is shown (`experiment` by its id, or `gallery` by its name)."""
    fields = [name for name in ("mode", "locked", "anonymous") if name in changes]
    if changes.get("mode") == ClassMode.ASK and classroom.question is None:
        item = problem("mode", "there is no question to answer", remedy="open a question")
        raise PlaygroundError(409, "no-question", "Nothing is asked", (item,))
    if changes.get("mode") == ClassMode.EXPLORE and classroom.explore is None:
        item = problem("mode", "no parameters are open", remedy="choose the parameters that students may change")
        raise PlaygroundError(409, "nothing-to-explore", "Nothing can be explored", (item,))
    if changes.get("mode") == ClassMode.COMPETE and not (changes.get("challenge") or classroom.challenge):
        item = problem("mode", "no challenge is chosen", remedy="name a challenge of the arena")
        raise PlaygroundError(409, "no-challenge", "No challenge can be played", (item,))
    if "experiment" in changes or "gallery" in changes:
        named = {name: changes.get(name, "") for name in ("experiment", "gallery")}
        show(classroom=classroom, viewer=viewer, **named)
    for name in fields:
        setattr(classroom, name, changes[name])
    if fields:
        classroom.save(update_fields=fields)
    announce(classroom)


def show(*, classroom: Classroom, viewer: Viewer, experiment: str = "", gallery: str = "") -> None:
    """Show an experiment with a run of it: the teacher's own, else a copy, since only its owner presents it."""
    found = _named(experiment, gallery)
    if _is_own(classroom, viewer, found):
        classroom.experiment, classroom.run = found, shown_run(found, viewer)
    else:
        classroom.experiment, classroom.run = _copied(classroom, viewer, found)
    classroom.save(update_fields=["experiment", "run"])
    announce(classroom)


def _named(experiment: str, gallery: str) -> Experiment:
    if not gallery:
        return get_experiment(public_id=experiment)
    run = recorded_run(entry=entry_of(name=gallery))
    if run is None:
        raise PlaygroundError(503, "unavailable", "This question of the gallery cannot be run now")
    return run.experiment


def _is_own(classroom: Classroom, viewer: Viewer, experiment: Experiment) -> bool:
    same_token = experiment.owner_token_hash == classroom.owner_token_hash
    return viewer.owns(experiment) and (same_token or bool(viewer.session_key))


def _copied(classroom: Classroom, viewer: Viewer, experiment: Experiment) -> tuple[Experiment, Run]:
    forked = fork_experiment(experiment=experiment, changes={}, viewer=viewer)
    made, maker = forked.experiment, replace(viewer, token=forked.owner_token)
    run = shown_run(made, maker)
    # A program that has the class's token owns what the class shows, too.
    made.owner_token_hash = classroom.owner_token_hash
    made.save(update_fields=["owner_token_hash"])
    return made, run


def shown_run(experiment: Experiment, viewer: Viewer) -> Run:
    """Return the newest good run of an experiment; start one where there is none."""
    good = experiment.runs.exclude(state__in=(RunState.FAILED, RunState.CANCELLED)).filter(recording_removed_at=None)
    found = good.order_by("-created_at").first()
    return found or start_run(experiment=experiment, viewer=viewer)


def delete_class(*, classroom: Classroom) -> None:
    """Delete a class with all names and answers."""
    _delete(Classroom.objects.filter(pk=classroom.pk))
    announce(classroom)


def remove_old_classes() -> None:
    """Take back codes that have run out, and delete classes of some age with all names and answers; to make room."""
    now = timezone.now()
    unused = now - timedelta(hours=settings.KEEP_CLASS_CODES_HOURS)
    Classroom.objects.filter(used_at__lt=unused).exclude(code=None).update(code=None)
    _delete(Classroom.objects.filter(used_at__lt=now - timedelta(days=settings.KEEP_CLASSES_DAYS)))


def _delete(classrooms: QuerySet[Classroom]) -> None:
    """Delete classes, and stop and delete the studies that compute their answers, with their copies of experiments.

    What else they stored stays, and counts with what other closed classes of their address left.
    """
    asked = ClassQuestion.objects.filter(classroom__in=classrooms).exclude(study=None)
    copies = list(asked.values_list("study__experiment", flat=True))
    stop_studies(Study.objects.filter(experiment__in=copies))
    for pk, address in list(classrooms.values_list("pk", "counts_under")):
        for rows in (Experiment.objects, Trace.objects, Upload.objects):
            rows.filter(counts_under=key_of_class(pk)).update(counts_under=key_of_closed(address))
    classrooms.delete()
    Experiment.objects.filter(pk__in=copies).update(deleted_at=timezone.now())
