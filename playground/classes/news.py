"""The news of a class: the common part, and the additional parts for its teacher and for each student."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, cast

from django.db.models import Sum

from playground.classes.asked import Asked
from playground.classes.competing import challenge_news, played_challenges
from playground.classes.computing import doubts_of, result_of, state_of
from playground.classes.forks import explore_news, fork_view
from playground.classes.questions import asked_of
from playground.classes.teaching import lesson_view, step_of, told_place, told_text
from playground.contract.classes import AskedQuestion, ClassModeName, ClassNews, ClassShown, QuestionStateName
from playground.ground import links
from playground.models import ClassMode, ClassQuestion, Classroom, Experiment, QuestionState, Run, Student
from playground.storage.presence import here
from playground.studies.metric_names import metric_words, plain
from playground.web.words import gettext
from scheduler_core import scheduler_by_name
from scheduler_core.experiment.labels import label_of
from scheduler_core.studies.results import unit_of

_SECONDS = "_s"
_NO_STEP: Mapping[str, Any] = MappingProxyType({})


def news_of(classroom: Classroom) -> ClassNews:
    """Return how a class stands, the same for all readers of a language: no early answer, names only if shown."""
    people = classroom.students.filter(removed_at=None)
    names = [] if classroom.anonymous else list(people.values_list("name", flat=True))
    question = classroom.question
    asking = classroom.mode == ClassMode.ASK and question is not None and question.state != QuestionState.READY
    return {
        "mode": cast("ClassModeName", classroom.mode),
        "people": people.count(),
        "here": here(classroom.public_id),
        "locked": classroom.locked,
        "names": names,
        "shown": shown_of(classroom.experiment, classroom.run, told_place(classroom)),
        "text": told_text(classroom),
        "question": question_news(question, step_of(classroom)) if asking and question is not None else None,
        "explore": explore_news(classroom),
        "challenge": challenge_news(classroom),
    }


def shown_of(experiment: Experiment | None, run: Run | None, step: Mapping[str, Any] = _NO_STEP) -> ClassShown | None:
    """Return the run that a class looks at, as the step of a lesson shows it; `step` is empty without one."""
    if experiment is None or run is None:
        return None
    told: ClassShown = {
        "experiment": experiment.public_id,
        "slug": experiment.slug,
        "run": run.public_id,
        "at_s": step.get("at_s"),
        "layer": step.get("layer", ""),
    }
    if step.get("marks"):
        told["marks"] = step["marks"]
    if step.get("near") is not None:
        told["near"] = step["near"]
    return told


def question_news(question: ClassQuestion, step: Mapping[str, Any] = _NO_STEP) -> AskedQuestion:
    """Return a question as students see it; its result only once it is revealed. `step`: where its lesson is."""
    asked = asked_of(question)
    is_point = asked.kind == "point"
    return {
        "number": question.number,
        "kind": asked.kind,
        "text": asked.text,
        "state": cast("QuestionStateName", question.state),
        "answered": question.answers.count(),
        "options": options_of(asked) if asked.kind == "choice" else [],
        "measure": "" if is_point else metric_words(asked.metric),
        "unit": "" if is_point else unit_of(asked.metric),
        "low": asked.low,
        "high": asked.high,
        "log": asked.log,
        "axis": _axis(asked.path, question.experiment) if asked.kind == "curve" else "",
        "at": [cast("float", value) for value in asked.values] if asked.kind == "curve" else [],
        "target": asked.target,
        "at_s": asked.after_s if is_point else None,
        "shown": shown_of(question.experiment, question.run, step if step.get("question") == question.number else {}),
        "result": result_of(question, asked) if question.state == QuestionState.REVEALED else None,
    }


def options_of(asked: Asked) -> list[str]:
    if asked.schedulers:
        return [gettext(scheduler_by_name(name).label) for name in asked.schedulers]
    unit = " s" if asked.path.endswith(_SECONDS) else ""
    return [f"{_word(value)}{unit}" for value in asked.values]


def _word(value: object) -> str:
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    return f"{value:g}" if isinstance(value, int | float) else str(value)


def _axis(path: str, experiment: Experiment | None) -> str:
    return axis_words(path, [] if experiment is None else [experiment.data["scheduler"]["name"]])


def axis_words(path: str, scheduler: list[str]) -> str:
    """Name the parameter that varies, as one of the scheduler's where it has it."""
    name = gettext(label_of(path, scheduler)) or plain(path.rpartition(".")[2])
    return f"{name} (s)" if path.endswith(_SECONDS) else name


def teacher_view(classroom: Classroom, base_url: str) -> dict[str, Any]:
    """Return what only the teacher reads: the code, who is there, and all questions."""
    code = classroom.code or ""
    return {
        "code": code,
        "join_url": f"{base_url}/join/{code}" if code else "",
        "anonymous": classroom.anonymous,
        "lesson": lesson_view(classroom),
        "students": students_of(classroom),
        "questions": [teacher_question(one) for one in classroom.questions.select_related("study", "run")],
        "challenges": played_challenges(classroom),
    }


def students_of(classroom: Classroom) -> list[dict[str, Any]]:
    """Return everybody with the sum of their scores."""
    # Values, not rows: a class has hundreds of students, and the teacher reads them at each of their own moves.
    found = classroom.students.filter(removed_at=None).annotate(score=Sum("answers__score")).order_by("number")
    told = found.values_list("number", "name", "score")
    return [{"number": number, "name": name, "score": round(score or 0.0, 2)} for number, name, score in told]


def teacher_question(question: ClassQuestion) -> dict[str, Any]:
    """Return a question as its teacher sees it: with the state of the computation, without the answer itself."""
    return {
        "number": question.number,
        "state": question.state,
        "kind": question.asked["kind"],
        "text": question.asked["text"],
        "answered": question.answers.count(),
        "computed": str(state_of(question)),
        **doubts_of(question, asked_of(question)),
    }


def student_view(student: Student) -> dict[str, Any]:
    """Return what one student reads: the own name, and the own answers with their scores."""
    own = student.answers.select_related("question").order_by("question__number")
    return {
        "number": student.number,
        "name": student.name,
        "answers": [{"question": one.question.number, "value": one.value, "score": one.score} for one in own],
        "fork": fork_view(student.forks.first()),
    }


def class_view(classroom: Classroom, base_url: str = "") -> dict[str, Any]:
    """Return what everybody in a class may read over HTTP: the news, and its addresses."""
    return {
        "id": classroom.public_id,
        "url": links.class_url(classroom, base_url),
        "socket_url": links.class_socket_url(classroom, base_url),
        "news": news_of(classroom),
    }
