"""Each student's fork of the teacher's experiment: previews compute it, and the teacher sees all forks on a wall.

A fork is a row with values. Its preview is asked for at a place of its own; whoever has the class open reads the
answers there (`collect`) and stores the figures. A phone that simulates its fork by itself (classes/starts.py) tells
the figures (`take`). The row then says so: they could be made up, and nothing is judged by them.
"""

from __future__ import annotations

import time
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, NamedTuple, NotRequired, TypedDict

import msgpack
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from playground.classes import noise, rooms, starts
from playground.classes.exploring import (
    MEASURES,
    Exploration,
    Value,
    chosen,
    forked_data,
    knobs_of,
    measures,
    problems_of_result,
    worded,
)
from playground.classes.telling import announce, announce_together
from playground.contract.classes import ClassExplore, ClassKnob, ClassShown, ClassValue
from playground.errors import PlaygroundError, not_found, problem
from playground.experiments.service import create_experiment, get_experiment
from playground.ground.quotas import key_of_class, quota_of_key
from playground.ground.simulator import stored_data
from playground.ground.viewers import Viewer
from playground.models import ClassFork, ClassMode, Classroom, Experiment, Student
from playground.previews import newest
from playground.previews.service import ask_at, place_named
from playground.storage.connections import REDIS_AWAY
from playground.web.rates import refuse_previews_too_often
from scheduler_core.studies.results import measured_numbers

#: Ask again for a preview without an answer: Redis or a worker may have lost it. At most four at a time.
_AGAIN_S = 30
_AGAIN_AT_ONCE = 4
#: Documents of experiments that classes explore, by their ids, with the time of each reading.
_DOCUMENTS: dict[str, tuple[float, dict[str, Any]]] = {}
_DOCUMENT_S, _MOST_DOCUMENTS = 10.0, 50
_NO_START: starts.Kept = {"question": "", "made": None}


_NOTHING_COMPUTED: dict[str, Any] = {"figures": None, "failure": "", "digest": "", "by_phone": False}


class Explored(TypedDict):
    """What `Classroom.explore` holds."""

    experiment: str
    knobs: list[ClassKnob]
    x: str
    y: str
    spot: dict[str, Any] | None
    noise: NotRequired[list[noise.Other]]
    start: NotRequired[starts.Kept]


class Told(NamedTuple):
    """What a phone tells of its fork: the values, the start that it used, and the outcome's digest and figures."""

    values: dict[str, Any]
    start: str
    digest: str
    figures: dict[str, Any]


class _Waiting(NamedTuple):
    """A fork without figures, and the number of its student; None for the teacher."""

    pk: int
    preview: int
    asked_at: datetime
    student: int | None


def explore(*, classroom: Classroom, asked: Exploration) -> None:
    """Let a class change parameters of what it sees; other axes alone keep everybody's fork. Raises PlaygroundError."""
    if classroom.experiment is None:
        item = problem("", "the class shows no experiment", remedy="show one first")
        raise PlaygroundError(409, "nothing-shown", "There is nothing to explore", (item,))
    begin(classroom=classroom, shown=classroom.experiment, asked=asked)


def begin(*, classroom: Classroom, shown: Experiment, asked: Exploration) -> None:
    """Begin to explore an experiment, or choose other axes. Raises PlaygroundError."""
    knobs, (x, y) = knobs_of(asked, stored_data(shown)), asked.axes
    before = explored_in(classroom)
    goes_on = before is not None and (before["experiment"], before["knobs"]) == (shown.public_id, knobs)
    made: Explored = {"experiment": shown.public_id, "knobs": knobs, "x": x, "y": y, "spot": None}
    if goes_on and before is not None:
        made["noise"] = before.get("noise", [])
        made["start"] = before.get("start", _NO_START)
    with transaction.atomic():
        if not goes_on:
            classroom.forks.all().delete()
        classroom.explore, classroom.mode = made, ClassMode.EXPLORE
        classroom.save(update_fields=["explore", "mode"])
    if not goes_on:
        _compute(classroom, None, {knob["path"]: knob["value"] for knob in knobs})
        others = noise.ask(classroom, _document(shown.public_id))
        classroom.explore = {**made, "noise": others, "start": starts.ask(shown)}
        classroom.save(update_fields=["explore"])
    announce(classroom)


def check(asked: Exploration, shown: Experiment) -> list[ClassKnob]:
    """Return the open parameters. Raises PlaygroundError for those that the experiment does not have."""
    return knobs_of(asked, stored_data(shown))


def explored_in(classroom: Classroom) -> Explored | None:
    """Return what a class explores, or explored last."""
    found: Explored | None = classroom.explore
    return found


def _now_explored(classroom: Classroom) -> Explored:
    found = explored_in(classroom)
    if found is None or classroom.mode != ClassMode.EXPLORE:
        item = problem("", "the class explores nothing now", remedy="wait until the teacher lets the class explore")
        raise PlaygroundError(409, "not-exploring", "Nothing can be changed now", (item,))
    return found


def change(
    *, classroom: Classroom, student: Student, values: dict[str, Any], base_url: str = ""
) -> tuple[ClassFork, str]:
    """Set a student's values and ask for their preview; return the fork and the address of its socket.

    Raises PlaygroundError for values that the lesson does not leave open.
    """
    wanted = chosen(_now_explored(classroom)["knobs"], values)
    refuse_previews_too_often(_place(classroom, student))
    fork, socket_url = _compute(classroom, student, wanted, base_url)
    announce_together(classroom)
    return fork, socket_url


def take(*, classroom: Classroom, student: Student, told: Told) -> dict[str, Any]:
    """Store what a student's phone computed; return the fork as its student reads it.

    Raises PlaygroundError for values that are not open or that a phone cannot change, for another start than the
    class's, and for figures that no run has.
    """
    found = _now_explored(classroom)
    values = chosen(found["knobs"], told.values)
    _refuse_made_up(found, values, told)
    refuse_previews_too_often(_place(classroom, student))
    row = {"values": values, "figures": told.figures, "digest": told.digest, "by_phone": True, "failure": ""}
    # No preview has the number 0: the answer to an earlier one is nobody's.
    stored = row | {"preview": 0, "asked_at": timezone.now()}
    # One statement, also for a student's first fork: phones tell many.
    fork = ClassFork(classroom=classroom, student=student, **stored)
    one = ("classroom", "student")
    ClassFork.objects.bulk_create([fork], update_conflicts=True, unique_fields=one, update_fields=list(stored))
    announce_together(classroom)
    return row


def made_in(found: Explored) -> starts.Made | None:
    """Return the start from which phones simulate; None without one."""
    return found.get("start", _NO_START)["made"]


def _refuse_made_up(found: Explored, values: dict[str, Value], told: Told) -> None:
    made = made_in(found)
    if made is None or told.start != made["digest"]:
        remedy = "let the server compute the fork, or fetch the class's present start"
        item = problem("start", "is not the start of this class", allowed=made["digest"] if made else "", remedy=remedy)
        raise PlaygroundError(409, "another-start", "This result belongs to another run", (item,))
    own = {knob["path"]: knob["value"] for knob in found["knobs"]}
    turns = ", ".join(path for path in own if path in made["turns"])
    wrong = [
        problem(f"values.{path}", "is a change that a phone cannot compute", allowed=turns)
        for path, value in values.items()
        if value != own[path] and path not in made["turns"]
    ]
    if wrong := [*wrong, *problems_of_result(told.digest, told.figures)]:
        raise PlaygroundError(422, "invalid-result", "This result cannot be stored", tuple(wrong))


def _place(classroom: Classroom, student: Student | None) -> str:
    return _place_of(classroom, student.number if student else None)


def _place_of(classroom: Classroom, number: int | None) -> str:
    return place_named("class", f"{classroom.public_id}/{number or 0}")


def _compute(
    classroom: Classroom, student: Student | None, values: dict[str, Any], base_url: str = ""
) -> tuple[ClassFork, str]:
    found = explored_in(classroom)
    assert found is not None
    data = forked_data(_document(found["experiment"]), values)
    quota = quota_of_key(key_of_class(classroom.pk))
    told = ask_at(place=_place(classroom, student), data=data, quota=quota, base_url=base_url)
    row = {"values": values, "preview": told["preview"], "asked_at": timezone.now(), **_NOTHING_COMPUTED}
    fork, _ = ClassFork.objects.update_or_create(classroom=classroom, student=student, defaults=row)
    return fork, told["socket_url"]


def _document(public_id: str) -> dict[str, Any]:
    """Return what a class explores, read once for all who ask within some seconds: it never changes."""
    known = _DOCUMENTS.get(public_id)
    if known is None or known[0] < time.monotonic() - _DOCUMENT_S:
        if len(_DOCUMENTS) >= _MOST_DOCUMENTS:
            _DOCUMENTS.clear()
        known = _DOCUMENTS[public_id] = time.monotonic(), stored_data(get_experiment(public_id=public_id))
    return known[1]


def collect(classroom: Classroom) -> tuple[bool, bool]:
    """Store the figures of previews that are answered by now; return whether some came in, and some are left."""
    parts = [_collect_forks(classroom), noise.collect(classroom), starts.collect(classroom)]
    return any(came for came, _ in parts), any(waits for _, waits in parts)


def _collect_forks(classroom: Classroom) -> tuple[bool, bool]:
    # Values, not rows: hundreds of forks may wait, and the server looks at them twice a second.
    pending = classroom.forks.filter(figures__isnull=True, failure="").order_by()
    waiting = [_Waiting(*row) for row in pending.values_list("pk", "preview", "asked_at", "student__number")]
    if not waiting:
        return False, False
    try:
        told = newest.told_to([_place_of(classroom, fork.student) for fork in waiting])
    except REDIS_AWAY:
        return False, True
    with transaction.atomic():
        left = [fork for fork, packed in zip(waiting, told, strict=True) if not _stored(fork, packed)]
    overdue = timezone.now() - timedelta(seconds=_AGAIN_S)
    late = [fork.pk for fork in left if fork.asked_at < overdue][:_AGAIN_AT_ONCE]
    for fork in classroom.forks.filter(pk__in=late).select_related("student") if late else ():
        # The next look asks for what cannot run now.
        with suppress(PlaygroundError, *REDIS_AWAY):
            _compute(classroom, fork.student, fork.values)
    return len(left) < len(waiting), bool(left)


def _stored(fork: _Waiting, packed: bytes | None) -> bool:
    message: dict[str, Any] = {} if packed is None else msgpack.unpackb(packed)
    if message.get("preview") != fork.preview or message.get("state") not in ("done", "failed"):
        return False
    if message["state"] == "failed":
        said = message["error"]
        fields: dict[str, Any] = {"failure": str(said.get("message") or said.get("title") or "failed")[:300]}
    else:
        numbers = measured_numbers(message["summary"])
        fields = {
            "figures": {name: numbers.get(name) for name in MEASURES},
            "reduced": bool(message["reduced"]),
            "digest": str(message["summary"].get("outcome_digest", "")),
        }
    # Not what the student has changed meanwhile.
    ClassFork.objects.filter(pk=fork.pk, preview=fork.preview).update(**fields)
    return True


def open_on_screen(*, classroom: Classroom, number: int) -> None:
    """Run a student's fork and show it on the projector; 0 shows the wall again. Raises PlaygroundError."""
    found = _now_explored(classroom)
    spot = None if number == 0 else _spot(classroom, found, number)
    classroom.explore = {**found, "spot": spot}
    classroom.save(update_fields=["explore"])
    announce(classroom)


def _spot(classroom: Classroom, found: Explored, number: int) -> dict[str, Any]:
    fork = classroom.forks.filter(student__number=number).first()
    if fork is None:
        raise not_found("fork in this class")
    shown = get_experiment(public_id=found["experiment"])
    of_class = Viewer(counts_under=key_of_class(classroom.pk))
    made = create_experiment(data=forked_data(stored_data(shown), fork.values), viewer=of_class, forked_from=shown)
    run = rooms.shown_run(made.experiment, Viewer(token=made.owner_token))
    return {
        "number": number,
        "values": fork.values,
        "shown": {
            "experiment": made.experiment.public_id,
            "slug": made.experiment.slug,
            "run": run.public_id,
            "at_s": None,
            "layer": "",
        },
    }


def explore_news(classroom: Classroom) -> ClassExplore | None:
    """Return what everybody in the class reads of an exploration: no fork of anybody but the teacher's."""
    found = explored_in(classroom)
    if found is None or classroom.mode != ClassMode.EXPLORE:
        return None
    base = classroom.forks.filter(student=None).first()
    spot = found["spot"]
    shown: ClassShown | None = spot["shown"] if spot else None
    values = spot["values"].items() if spot else ()
    chosen_values: list[ClassValue] = [{"path": path, "value": value} for path, value in values]
    return {
        "knobs": worded(found["knobs"]),
        "measures": measures(),
        "x": found["x"],
        "y": found["y"],
        "base": base.figures if base is not None else None,
        "noise": noise.bands(base.figures if base is not None else None, found.get("noise", [])),
        "reduced": settings.LIMIT_PREVIEW_TASKS if base is not None and base.reduced else None,
        "start": starts.start_news(made_in(found), found["knobs"], settings.LIMIT_PREVIEW_TASKS),
        "spot": shown,
        "spot_values": chosen_values,
    }


def fork_view(fork: ClassFork | None) -> dict[str, Any] | None:
    """Return a student's own values and figures."""
    if fork is None:
        return None
    return {
        "values": fork.values,
        "figures": fork.figures,
        "failure": fork.failure,
        "digest": fork.digest,
        "by_phone": fork.by_phone,
    }


def wall(classroom: Classroom, *, to_teacher: bool = True) -> dict[str, Any]:
    """Return everybody's fork, for the teacher; for the projector without names that the teacher hides."""
    found = explored_in(classroom)
    if found is None:
        return {"explore": None, "spot": None, "forks": []}
    rows = classroom.forks.filter(student__removed_at=None).exclude(student=None).select_related("student")
    named = to_teacher or not classroom.anonymous
    told = [
        {"number": one.student.number, "name": one.student.name if named else "", **(fork_view(one) or {})}
        for one in rows
        if one.student is not None
    ]
    spot = found["spot"]["number"] if found["spot"] else None
    return {"explore": explore_news(classroom), "spot": spot, "forks": told}
