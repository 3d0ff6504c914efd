"""Homework: a lesson behind a link, which students do by themselves until an end date.

A homework is a class without a code: its link is what admits students. All its questions are open from the beginning.
Results and scores are shown after the end, or, `at_once`, after the own answer, which is final then.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Avg, Count, Exists, OuterRef, Sum
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from playground.classes import computing, people
from playground.classes.lessons import Lesson
from playground.classes.news import question_news, shown_of
from playground.classes.questions import asked_of, score_answers
from playground.classes.rooms import Opened, delete_class, get_class, new_room, store_room
from playground.classes.teaching import held, prepared_steps
from playground.errors import PlaygroundError, not_found, problem
from playground.experiments.service import get_experiment
from playground.ground.quotas import key_of_class
from playground.ground.viewers import Viewer
from playground.models import ClassAnswer, ClassQuestion, Classroom, QuestionState, RunState, Student

_TITLE = "The homework cannot be given"


def give_homework(*, lesson: Lesson, ends_at: str, at_once: bool, viewer: Viewer) -> Opened:
    """Store a lesson as a homework that ends at a time, and start to compute its answers. Raises PlaygroundError."""
    opened = new_room(viewer)
    classroom = opened.classroom
    classroom.due_at = classroom.used_at = end_of(ends_at)
    classroom.at_once = at_once
    # Pages may show the homework before its answers are prepared.
    classroom.lesson = held(lesson, [])
    store_room(classroom)
    # Whoever the teacher is: what the homework shows and computes counts against the homework itself.
    of_homework = Viewer(token=opened.owner_token, counts_under=key_of_class(classroom.pk))
    try:
        classroom.lesson = held(lesson, prepared_steps(classroom, lesson, of_homework))
    except PlaygroundError:
        delete_class(classroom=classroom)
        raise
    classroom.save(update_fields=["lesson"])
    classroom.questions.update(state=QuestionState.OPEN)
    return opened


def end_of(text: str) -> datetime:
    """Return the end of a homework: a time with its zone, in the future. Raises PlaygroundError."""
    try:
        found = parse_datetime(text)
    except ValueError:  # a form that is right with a day that is not, such as 30 February
        found = None
    days = settings.LIMIT_HOMEWORK_DAYS
    now = timezone.now()
    if found is None or found.tzinfo is None or not now < found <= now + timedelta(days=days):
        allowed = (
            f"a time with its zone, such as 2027-01-31T18:00:00Z, within {days} days from now "
            "(setting PLAYGROUND_LIMIT_HOMEWORK_DAYS)"
        )
        raise PlaygroundError(
            422, "invalid-homework", _TITLE, (problem("ends_at", "is not a time to end at", allowed=allowed),)
        )
    return found


def get_homework(*, public_id: str) -> Classroom:
    found = get_class(public_id=public_id)
    if found.due_at is None:
        raise not_found("homework")
    return found


def is_over(classroom: Classroom) -> bool:
    """Return whether nobody can answer any more; a class with a teacher has no end of its own."""
    return classroom.due_at is not None and classroom.due_at <= timezone.now()


def move_end(*, classroom: Classroom, ends_at: str) -> None:
    """Let a homework end at another time, unless it is over: results were shown. Raises PlaygroundError."""
    if is_over(classroom):
        item = problem("ends_at", "the homework is over, and students see its results", remedy="give it once more")
        raise PlaygroundError(409, "homework-over", "The end cannot be moved", (item,))
    classroom.due_at = classroom.used_at = end_of(ends_at)
    classroom.save(update_fields=["due_at", "used_at"])


def join(*, classroom: Classroom, name: str, viewer: Viewer) -> people.Joined:
    """Join a homework under a name, or under a drawn one, as long as it lasts. Raises PlaygroundError."""
    if is_over(classroom) and people.student_of(classroom=classroom, viewer=viewer) is None:
        item = problem("", f"it ended at {classroom.due_at:%Y-%m-%d %H:%M} UTC", remedy="ask your teacher")
        raise PlaygroundError(409, "homework-over", "This homework is over", (item,))
    return people.join(classroom=classroom, name=name, viewer=viewer)


def settle(classroom: Classroom) -> None:
    """Keep answers that have been computed meanwhile, and score what may be scored by now."""
    over = is_over(classroom)
    if not over and not classroom.at_once:
        return
    found = classroom.questions.select_related("study", "run").exclude(state=QuestionState.REVEALED)
    if not over:
        found = found.filter(Exists(ClassAnswer.objects.filter(question=OuterRef("pk"), score=None)))
    for question in found:
        if computing.state_of(question) == RunState.DONE:
            # Runs that did not measure the number give no answer.
            with suppress(PlaygroundError):
                score_answers(question, to=QuestionState.REVEALED if over else "")


def homework_view(classroom: Classroom) -> dict[str, Any]:
    """Return what whoever has the link reads."""
    lesson = classroom.lesson or {}
    assert classroom.due_at is not None
    return {
        "id": classroom.public_id,
        "title": lesson["title"],
        "aims": lesson["aims"],
        "minutes": sum(step["minutes"] for step in lesson["steps"]),
        "questions": sum(step["kind"] == "question" for step in lesson["steps"]),
        "ends_at": classroom.due_at.isoformat(timespec="seconds"),
        "over": is_over(classroom),
        "at_once": classroom.at_once,
    }


def steps_for(classroom: Classroom, student: Student | None) -> list[dict[str, Any]]:
    """Return the steps for a student, with the results that the student may see; the teacher (None) sees those of all.

    No step has the teacher's notes.
    """
    rows = classroom.questions.select_related("experiment", "study", "run")
    questions = {question.number: question for question in rows}
    scored: set[int] = set()
    if student is not None:
        scored = set(student.answers.exclude(score=None).values_list("question__number", flat=True))
    return [_step(step, questions, scored) for step in (classroom.lesson or {}).get("steps", [])]


def _step(step: dict[str, Any], questions: dict[int, ClassQuestion], scored: set[int]) -> dict[str, Any]:
    told = {name: step.get(name, "") for name in ("kind", "name", "text")} | {"minutes": step["minutes"]}
    question = questions.get(step.get("question", 0))
    return told | {
        "question": None if question is None else _question(question, step, question.number in scored),
        "shown": _shown(step) if question is None else None,
        "challenge": step.get("challenge"),
    }


def _question(question: ClassQuestion, step: dict[str, Any], is_scored: bool) -> dict[str, Any]:
    told: dict[str, Any] = {**question_news(question, step)}
    if is_scored and question.state != QuestionState.REVEALED and question.answer is not None:
        told |= {"state": "revealed", "result": computing.result_of(question, asked_of(question))}
    return told


def _shown(step: dict[str, Any]) -> dict[str, Any] | None:
    if "experiment" not in step:
        return None
    try:
        experiment = get_experiment(public_id=step["experiment"])
    except PlaygroundError:  # deleted meanwhile
        return None
    run = experiment.runs.exclude(state__in=(RunState.FAILED, RunState.CANCELLED)).order_by("-created_at").first()
    told = shown_of(experiment, run, step)
    return None if told is None else {**told}


def results_view(classroom: Classroom) -> dict[str, Any]:
    """Return how a homework stands, for its teacher: who has answered how much, and how each question did."""
    found = classroom.students.filter(removed_at=None).annotate(done=Count("answers"), score=Sum("answers__score"))
    students = [
        {"number": number, "name": name, "answered": done, "score": round(score or 0.0, 2)}
        for number, name, done, score in found.order_by("number").values_list("number", "name", "done", "score")
    ]
    rows = classroom.questions.select_related("study", "run").annotate(
        answered=Count("answers"), mean=Avg("answers__score")
    )
    questions = [
        {
            "number": row.number,
            "text": row.asked["text"],
            "answered": row.answered,
            "score": None if row.mean is None else round(row.mean, 2),
            "computed": str(computing.state_of(row)),
            **computing.doubts_of(row, asked_of(row)),
        }
        for row in rows
    ]
    return {"locked": classroom.locked, "students": students, "questions": questions}


def answers_of(student: Student) -> list[dict[str, Any]]:
    own = ClassAnswer.objects.filter(student=student).select_related("question").order_by("question__number")
    return [{"question": one.question.number, "value": one.value, "score": one.score} for one in own]
