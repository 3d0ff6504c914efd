"""The people of a class: join by a code, return, and be renamed or removed by the teacher."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Max, Q
from django.utils import timezone

from playground.classes.names import drawn_name, told_apart, typed_code, typed_name
from playground.classes.rooms import class_of_code, note_use
from playground.classes.telling import announce, announce_together
from playground.errors import PlaygroundError, not_found, problem
from playground.ground.viewers import Viewer, hash_token, new_owner_token
from playground.models import Classroom, Student
from playground.web.rates import count_wrong_code, is_guessing

_TRIES = 20
_MOST_ADDRESSES = 1_000


@dataclass(frozen=True)
class Joined:
    """A student; the token only where the student is new."""

    student: Student
    token: str = ""


def find_by_code(*, code: str, address: str, key: str = "") -> Classroom:
    """Return the class that a code opens. Raises PlaygroundError.

    Only wrong codes count against the address. Nobody's wrong codes keep others of the same lecture hall out: a right
    code passes, unless a machine guesses from an address (`key`) at which nobody of that class is.
    """
    # The class is looked up first, and in the same way, whatever the address did.
    found = class_of_code(typed_code(code))
    is_known = found is not None and key in (found.counts_under, *found.addresses)
    if found is not None and not is_known and is_guessing(address):
        found = None
    if found is None:
        count_wrong_code(address)
        item = problem(
            "code",
            "is not the code of a class",
            allowed="the five letters on the teacher's screen",
            remedy="Check the letters on the teacher's screen and type them again.",
        )
        raise PlaygroundError(404, "not-found", "No class has this code", (item,))
    return found


def join(*, classroom: Classroom, name: str, viewer: Viewer) -> Joined:
    """Join a class under a name, or under a drawn one; who is in it already stays who they are."""
    known = student_of(classroom=classroom, viewer=viewer)
    if known is not None:
        _refuse_removed(known)
        return Joined(known)
    if classroom.locked:
        item = problem("", "it admits no new students", remedy="Ask the teacher to unlock it.")
        raise PlaygroundError(403, "class-locked", "This class is locked", (item,))
    wanted = typed_name(name) if name.strip() else ""
    joined = _added(classroom, wanted, viewer)
    _note_address(classroom, viewer.counts_under)
    note_use(classroom)
    announce_together(classroom)
    return joined


def _note_address(classroom: Classroom, key: str) -> None:
    """Note the address of a student who joined, so that a guesser there keeps no other student out."""
    if key and key not in classroom.addresses:
        classroom.addresses = [*classroom.addresses, key][-_MOST_ADDRESSES:]
        classroom.save(update_fields=["addresses"])


def _added(classroom: Classroom, wanted: str, viewer: Viewer) -> Joined:
    token = new_owner_token()
    for _ in range(_TRIES):
        try:
            with transaction.atomic():
                # One at a time, so that two people never get one number: this locks the row (in SQLite, everything).
                Classroom.objects.select_for_update().get(pk=classroom.pk)
                last = classroom.students.aggregate(last=Max("number"))["last"] or 0
                _refuse_full(classroom)
                taken = set(classroom.students.values_list("name", flat=True))
                name = told_apart(wanted, taken) if wanted else drawn_name(taken)
                row = {"number": last + 1, "name": name, "owner_session": viewer.session_key}
                made = Student.objects.create(classroom=classroom, owner_token_hash=hash_token(token), **row)
            return Joined(made, token)
        except IntegrityError:
            # A second tab of the same browser joined at the same moment.
            known = student_of(classroom=classroom, viewer=viewer)
            if known is not None:
                return Joined(known)
    raise PlaygroundError(503, "unavailable", "The class cannot be joined now; ask again in a moment")


def _refuse_full(classroom: Classroom) -> None:
    people, limit = classroom.students.filter(removed_at=None).count(), settings.LIMIT_CLASS_PEOPLE
    if people >= limit:
        allowed = f"at most {limit:,} (setting PLAYGROUND_LIMIT_CLASS_PEOPLE)"
        item = problem("", f"{people:,} people are in it", allowed=allowed, remedy="Ask the teacher.")
        raise PlaygroundError(409, "class-full", "This class is full", (item,))


def student_of(*, classroom: Classroom, viewer: Viewer) -> Student | None:
    """Return who the viewer is in a class, removed ones too; None for another person."""
    who = Q(pk__in=[])
    if viewer.session_key:
        who |= Q(owner_session=viewer.session_key)
    if viewer.token:
        who |= Q(owner_token_hash=hash_token(viewer.token))
    return classroom.students.filter(who).first()


def own_student(*, classroom: Classroom, viewer: Viewer) -> Student:
    """Return who the viewer is in a class. Raises PlaygroundError for another person, and for a removed one."""
    found = student_of(classroom=classroom, viewer=viewer)
    if found is None:
        raise not_in_class()
    _refuse_removed(found)
    return found


def not_in_class() -> PlaygroundError:
    item = problem("", "you are not in it", remedy="Join with its code.")
    return PlaygroundError(403, "not-in-class", "This class is not yours", (item,))


def student_numbered(*, class_id: str, number: int) -> Student:
    """Return a student with the class, in one query: of the class, what a student's own fork needs.

    Raises PlaygroundError for a removed student.
    """
    rows = Student.objects.select_related("classroom").defer("classroom__lesson")
    found = rows.filter(classroom__public_id=class_id, number=number).first()
    if found is None:
        raise not_found("student in this class")
    _refuse_removed(found)
    return found


def _refuse_removed(student: Student) -> None:
    if student.removed_at is not None:
        item = problem("", "this browser cannot join again", remedy="Ask the teacher.")
        raise PlaygroundError(403, "removed", "The teacher removed you from this class", (item,))


def person(*, classroom: Classroom, number: int) -> Student:
    found = classroom.students.filter(number=number).first()
    if found is None:
        raise not_found("student in this class")
    return found


def rename(*, student: Student, name: str) -> None:
    others = student.classroom.students.exclude(pk=student.pk).values_list("name", flat=True)
    student.name = told_apart(typed_name(name), set(others))
    student.save(update_fields=["name"])
    announce(student.classroom)


def remove(*, student: Student) -> None:
    """Remove a student with all answers; the browser cannot join again. Repeated calls change nothing."""
    with transaction.atomic():
        student.answers.all().delete()
        student.forks.all().delete()
        Student.objects.filter(pk=student.pk, removed_at=None).update(removed_at=timezone.now(), name="")
    announce(student.classroom)
