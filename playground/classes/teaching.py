"""Teach a lesson in a class: prepare its steps at once, and go to one of them."""

from __future__ import annotations

import functools
from typing import Any

from django.db import transaction

import scheduler_core
from playground.arena.challenges import get_challenge, spec_of
from playground.classes import competing, forks, questions, rooms
from playground.classes.exploring import parse_exploration, worded
from playground.classes.lessons import Lesson, Show, asked_in, checked_lesson, explored_in, lesson_text
from playground.classes.telling import announce
from playground.errors import PlaygroundError, not_found, problem
from playground.experiments.service import create_experiment, get_experiment
from playground.gallery.service import entry_of, experiment_of
from playground.ground.simulator import stored_experiment
from playground.ground.viewers import Viewer
from playground.models import ClassMode, ClassQuestion, Classroom, Experiment, QuestionState
from playground.web.words import gettext
from scheduler_core import scheduler_by_name


def begin_lesson(*, classroom: Classroom, lesson: Lesson, viewer: Viewer) -> None:
    """Store what a lesson shows and have its answers computed, then go to its first step. Raises PlaygroundError.

    Steps hold the id of the experiment that they show, or the number of their question.
    """
    classroom.lesson = held(lesson, prepared_steps(classroom, lesson, viewer))
    classroom.save(update_fields=["lesson"])
    go_to(classroom=classroom, number=0, viewer=viewer)


def held(lesson: Lesson, steps: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a lesson as its class keeps it: what it is for, its prepared steps, the place among them, and its file."""
    told = {"title": lesson.title, "aims": lesson.aims, "guesses": lesson.guesses, "point": lesson.point}
    return told | {"at": -1, "steps": steps, "file": lesson_text(lesson)}


def prepared_steps(classroom: Classroom, lesson: Lesson, viewer: Viewer) -> list[dict[str, Any]]:
    """Store what a lesson shows and start to compute its answers; return its steps. Raises PlaygroundError."""
    steps: list[dict[str, Any]] = []
    shown = classroom.experiment
    seen: dict[str, Any] = {"experiment": shown.public_id, "at_s": None, "layer": ""} if shown is not None else {}
    near: int | None = None
    for at, step in enumerate(lesson.steps):
        told: dict[str, Any] = {"kind": step.kind, "text": step.text, "notes": step.notes, "minutes": step.minutes}
        if step.show is not None:
            shown = _stored(classroom, step.show, viewer)
            seen = {"experiment": shown.public_id, "at_s": step.show.at_s, "layer": step.show.layer}
            near = step.show.near
            told |= seen | {"marks": list(step.show.marks), "name": shown_name(step.show)}
        elif step.challenge is not None:
            challenge = get_challenge(public_id=step.challenge)
            told |= {"challenge": step.challenge, "name": spec_of(challenge).title}
        elif step.kind != "text" or step.marks:
            if shown is None:
                remedy = "put a step that shows a run before it"
                raise _refused(f"steps.{at}.{step.kind}", "stands before anything is shown", remedy)
            told |= _prepared(classroom, lesson, at, shown, viewer) if step.kind != "text" else seen
            told["marks"] = list(step.marks or ())
        if near is not None and shown is not None:
            told |= {"near": near, "near_in": shown.public_id}
        steps.append(told)
    return steps


def _prepared(classroom: Classroom, lesson: Lesson, at: int, shown: Experiment, viewer: Viewer) -> dict[str, Any]:
    """Prepare a question or an exploration of what is shown; return what its step holds."""
    if lesson.steps[at].explore is not None:
        asked = explored_in(lesson, at)
        labels = [knob["label"] for knob in worded(forks.check(asked, shown))]
        return {"experiment": shown.public_id, "explore": asked.model_dump(), "name": ", ".join(labels)}
    made = questions.prepare(classroom=classroom, shown=shown, asked=asked_in(lesson, at), viewer=viewer)
    return {"question": made.number, "text": made.asked["text"]}


def shown_name(show: Show) -> str:
    """Name what a step shows: the question of the gallery, or the experiment with its scheduler."""
    if show.gallery:
        return gettext(entry_of(name=show.gallery).question)
    data = show.experiment or {}
    scheduler = data.get("scheduler", {}).get("name", "")
    return str(data.get("name") or (scheduler_by_name(scheduler).label if scheduler else ""))


def _refused(path: str, message: str, remedy: str) -> PlaygroundError:
    return PlaygroundError(
        422, "invalid-lesson", "The lesson cannot be taught", (problem(path, message, remedy=remedy),)
    )


def _stored(classroom: Classroom, show: Show, viewer: Viewer) -> Experiment:
    data = experiment_of(entry_of(name=show.gallery)) if show.gallery else dict(show.experiment or {})
    made = create_experiment(data=data, viewer=viewer).experiment
    made.owner_token_hash = classroom.owner_token_hash
    made.save(update_fields=["owner_token_hash"])
    return made


def go_to(*, classroom: Classroom, number: int, viewer: Viewer) -> None:
    """Go to a step: show its run, open its question, or tell its text. Raises PlaygroundError."""
    steps = (classroom.lesson or {}).get("steps", [])
    if not 0 <= number < len(steps):
        raise not_found("step in this class's lesson")
    step = steps[number]
    if step["kind"] in ("show", "text") and "experiment" in step:
        experiment = get_experiment(public_id=step["experiment"])
        classroom.experiment, classroom.run = experiment, rooms.shown_run(experiment, viewer)
    if step["kind"] == "question":
        _open(classroom, step["question"])
    elif step["kind"] == "explore":
        shown = get_experiment(public_id=step["experiment"])
        forks.begin(classroom=classroom, shown=shown, asked=parse_exploration(step["explore"]))
    elif step["kind"] == "challenge":
        competing.compete(classroom=classroom, name=step["challenge"])
    else:
        classroom.mode = ClassMode.FOLLOW
    with transaction.atomic():
        classroom.lesson = {**(classroom.lesson or {}), "at": number}
        classroom.save(update_fields=["lesson", "mode", "experiment", "run"])
    announce(classroom)


def _open(classroom: Classroom, number: int) -> None:
    question = questions.question_of(classroom=classroom, number=number)
    question.classroom = classroom
    if question.state in (QuestionState.READY, QuestionState.CLOSED):
        questions.move(question=question, to=QuestionState.OPEN)
    else:
        classroom.mode, classroom.question = ClassMode.ASK, question
        classroom.save(update_fields=["mode", "question"])


def step_of(classroom: Classroom) -> dict[str, Any]:
    """Return the step of its lesson where a class is; empty without one."""
    lesson = classroom.lesson or {}
    at = lesson.get("at", -1)
    step: dict[str, Any] = lesson["steps"][at] if 0 <= at < len(lesson.get("steps", [])) else {}
    return step


def told_place(classroom: Classroom) -> dict[str, Any]:
    """Return the step that shows the run of a class now: its instant, layer, marks and place; empty without one.

    A step that shows nothing itself keeps the place of the run before it. A run without a step stands a second before
    its first outage, near the machines that are lost.
    """
    step, shown = step_of(classroom), classroom.experiment
    if shown is None:
        return {}
    if step.get("experiment") == shown.public_id:
        return step
    if step.get("near_in") == shown.public_id:
        return {"near": step["near"]}
    return _before_outage(shown.public_id, shown.digest) if shown.data.get("events") else {}


@functools.lru_cache(maxsize=256)
def _before_outage(experiment_id: str, digest: str) -> dict[str, Any]:
    """Return a second before the first outage of an experiment, and a machine that it takes; empty without one.

    `digest` is the experiment's: a changed experiment is looked at again.
    """
    # It loads the engine, which a class without outages does not need.
    outage = scheduler_core.first_outage(stored_experiment(get_experiment(public_id=experiment_id)))
    return {} if outage is None else {"near": outage[0], "at_s": max(0.0, outage[1] - 1)}


def told_text(classroom: Classroom) -> str:
    """Return the text of the step where the class is, for everybody; empty for a question, which has its own."""
    step = step_of(classroom)
    return "" if not step or step["kind"] == "question" or classroom.mode == ClassMode.ASK else str(step["text"])


def lesson_view(classroom: Classroom) -> dict[str, Any] | None:
    """Return the lesson with its notes, for the teacher alone."""
    lesson = classroom.lesson
    if not lesson:
        return None
    # Lessons that an earlier version began have no guesses, no point, and no names of steps.
    steps = [{"name": "", **step} for step in lesson["steps"]]
    told = {name: lesson[name] for name in ("title", "aims", "at")}
    return told | {"guesses": lesson.get("guesses", []), "point": lesson.get("point", ""), "steps": steps}


def recorded_lesson(classroom: Classroom) -> str:
    """Return the class's lesson as a file; without one, what was shown and asked in the class becomes one."""
    if classroom.lesson:
        return str(classroom.lesson["file"])
    steps: list[dict[str, Any]] = []
    last: Experiment | None = None
    for question in ClassQuestion.objects.filter(classroom=classroom).select_related("experiment"):
        if question.experiment is not None and question.experiment != last:
            last = question.experiment
            steps.append({"show": {"experiment": last.data}, "minutes": 3})
        steps.append({"question": question.asked, "minutes": 3})
    if not steps:
        raise PlaygroundError(409, "nothing-shown", "Nothing was asked in this class yet")
    return lesson_text(checked_lesson({"title": "My lesson", "steps": steps}))
