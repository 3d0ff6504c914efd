"""Questions of a class: their kinds, their states, and answers, one for each student and question."""

from __future__ import annotations

import math
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from playground.classes import computing
from playground.classes.asked import Asked, parse_asked
from playground.classes.rooms import shown_run
from playground.classes.telling import announce, announce_together
from playground.errors import PlaygroundError, not_found, problem
from playground.experiments.service import create_experiment
from playground.ground.quotas import key_of_class
from playground.ground.simulator import stored_data
from playground.ground.viewers import Viewer
from playground.models import (
    ClassAnswer,
    ClassMode,
    ClassQuestion,
    Classroom,
    Experiment,
    QuestionState,
    Student,
    Study,
)
from playground.studies.service import UNFINISHED, start_study

#: Largest number of answers of a class that workers compute at once.
_MOST_UNFINISHED = 12


def ask(*, classroom: Classroom, data: Any, viewer: Viewer) -> ClassQuestion:
    """Store a question and have its answer computed. Raises PlaygroundError."""
    asked = parse_asked(data)
    if classroom.experiment is None:
        item = problem("", "the class shows no experiment", remedy="show one first")
        raise PlaygroundError(409, "nothing-shown", "There is nothing to ask about", (item,))
    return prepare(classroom=classroom, shown=classroom.experiment, asked=asked, viewer=viewer)


def prepare(*, classroom: Classroom, shown: Experiment, asked: Asked, viewer: Viewer) -> ClassQuestion:
    """Store a question about an experiment and have its answer computed. Raises PlaygroundError."""
    _refuse_many(classroom)
    run = shown_run(shown, viewer)
    study = None
    if asked.kind == "point":
        computing.refuse_unknown_reason(run, asked.reason)
    else:
        study = _computed_aside(classroom, shown, asked)
    with transaction.atomic():
        Classroom.objects.select_for_update().get(pk=classroom.pk)
        last = classroom.questions.aggregate(last=Max("number"))["last"] or 0
        made = ClassQuestion.objects.create(
            classroom=classroom,
            number=last + 1,
            asked=asked.model_dump(),
            experiment=shown,
            study=study,
            run=run,
        )
    announce(classroom)
    return made


def _computed_aside(classroom: Classroom, shown: Experiment, asked: Asked) -> Study:
    """Start the study that computes an answer, of a copy that nobody finds: studies of what is shown are public.

    The copy counts against the quota of the class.
    """
    of_class = Viewer(counts_under=key_of_class(classroom.pk))
    made = create_experiment(data=stored_data(shown), viewer=of_class)
    owner = Viewer(token=made.owner_token)
    return start_study(experiment=made.experiment, asked=asked.plan(), viewer=owner, watched=asked.metric)


def _refuse_many(classroom: Classroom) -> None:
    unfinished = ClassQuestion.objects.filter(
        classroom__owner_token_hash=classroom.owner_token_hash, study__state__in=UNFINISHED
    ).count()
    if unfinished >= _MOST_UNFINISHED:
        item = problem("", f"{unfinished} answers are being computed", remedy="wait for one of them")
        raise PlaygroundError(409, "too-many-answers", "Too many answers at once", (item,))
    limit = settings.LIMIT_CLASS_QUESTIONS
    if classroom.questions.count() >= limit:
        allowed = f"at most {limit:,} (setting PLAYGROUND_LIMIT_CLASS_QUESTIONS)"
        item = problem("", "this class has that many questions", allowed=allowed, remedy="open another class")
        raise PlaygroundError(409, "too-many-questions", "Too many questions", (item,))


def question_of(*, classroom: Classroom, number: int) -> ClassQuestion:
    found = classroom.questions.select_related("experiment", "study", "run").filter(number=number).first()
    if found is None:
        raise not_found("question in this class")
    return found


def bare_question(*, classroom: Classroom, number: int) -> ClassQuestion:
    """Return a question without what computes its answer: all that an answer needs."""
    found = classroom.questions.filter(number=number).first()
    if found is None:
        raise not_found("question in this class")
    return found


def asked_of(question: ClassQuestion) -> Asked:
    return Asked.model_validate(question.asked)


#: From which states a question may go to which.
_MOVES: dict[str, tuple[QuestionState, ...]] = {
    QuestionState.OPEN: (QuestionState.READY, QuestionState.OPEN, QuestionState.CLOSED),
    QuestionState.CLOSED: (QuestionState.OPEN, QuestionState.CLOSED),
    QuestionState.REVEALED: (QuestionState.OPEN, QuestionState.CLOSED, QuestionState.REVEALED),
}


def move(*, question: ClassQuestion, to: QuestionState) -> None:
    """Open, close or reveal a question, and lead the class to it. Raises PlaygroundError.

    Revealing also closes it, and scores every answer. To reveal it again shows the same result again.
    """
    if question.state not in _MOVES[to]:
        item = problem("", f"the question is {question.state}", allowed=", ".join(_MOVES[to]))
        raise PlaygroundError(409, "wrong-state", f"This question cannot become {to}", (item,))
    if to == QuestionState.REVEALED:
        if question.state != to:
            _reveal(question)
    else:
        ClassQuestion.objects.filter(pk=question.pk).update(state=to)
        question.state = to
    classroom = question.classroom
    classroom.mode, classroom.question = ClassMode.ASK, question
    classroom.save(update_fields=["mode", "question"])
    announce(classroom)


def _reveal(question: ClassQuestion) -> None:
    score_answers(question, to=QuestionState.REVEALED)


def score_answers(question: ClassQuestion, *, to: str = "") -> None:
    """Keep the computed answer of a question, go to state `to`, and score every answer. Raises PlaygroundError."""
    asked = asked_of(question)
    answer: Any = question.answer or computing.answer_of(question, asked)
    with transaction.atomic():
        row = ClassQuestion.objects.select_for_update().get(pk=question.pk)
        row.state, row.answer = to or row.state, answer
        row.save(update_fields=["state", "answer"])
        answers = list(row.answers.filter(score=None))
        for one in answers:
            one.score = computing.score(asked, one.value, answer)
        ClassAnswer.objects.bulk_update(answers, ["score"], batch_size=200)
    question.state, question.answer = row.state, row.answer


def answer(*, question: ClassQuestion, student: Student, value: Any) -> ClassAnswer:
    """Store a student's answer in place of the one before. Raises PlaygroundError once the question is closed."""
    checked = _checked(asked_of(question), value)
    with transaction.atomic():
        # A lock keeps answers out while the teacher closes or reveals the question.
        state = ClassQuestion.objects.select_for_update().values_list("state", flat=True).get(pk=question.pk)
        if state != QuestionState.OPEN:
            item = problem("", f"the question is {state}", allowed="an open question", remedy="wait for the next one")
            raise PlaygroundError(409, "question-closed", "This question accepts no answers now", (item,))
        _refuse_late(question, student)
        # In one statement: nobody else can answer in the meantime.
        stored = ClassAnswer(question=question, student=student, value=checked, answered_at=timezone.now())
        ClassAnswer.objects.bulk_create(
            [stored],
            update_conflicts=True,
            unique_fields=["question", "student"],
            update_fields=["value", "answered_at"],
        )
    announce_together(question.classroom)
    return stored


def _refuse_late(question: ClassQuestion, student: Student) -> None:
    """Refuse an answer after the end of a homework, and a second one once the result was shown."""
    due = question.classroom.due_at
    if due is None:
        return
    if due <= timezone.now():
        item = problem("", f"it ended at {due:%Y-%m-%d %H:%M} UTC", remedy="ask your teacher")
        raise PlaygroundError(409, "homework-over", "This homework is over", (item,))
    if question.answers.filter(student=student).exclude(score=None).exists():
        item = problem("", "you have seen its result", remedy="go on to the next question")
        raise PlaygroundError(409, "answer-final", "Your answer is final", (item,))


def _checked(asked: Asked, value: Any) -> Any:
    """Return an answer as it is stored. Raises PlaygroundError."""
    if asked.kind == "choice":
        return _whole(value, len(asked.schedulers or asked.values) - 1)
    if asked.kind == "point":
        return _whole(value, 10_000_000)
    if asked.kind == "number":
        return _on_scale(asked, value, "value")
    if not isinstance(value, list) or len(value) != len(asked.values):
        raise _refused("value", f"a list of {len(asked.values)} numbers, one for each place")
    return [_on_scale(asked, one, f"value.{at}") for at, one in enumerate(value)]


def _whole(value: Any, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise _refused("value", f"a whole number from 0 to {most:,}")
    return value


def _on_scale(asked: Asked, value: Any, path: str) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value) or not asked.low <= value <= asked.high:
        raise _refused(path, f"a number from {asked.low:g} to {asked.high:g}")
    return float(value)


def _refused(path: str, allowed: str) -> PlaygroundError:
    item = problem(path, "does not answer this question", allowed=allowed)
    return PlaygroundError(422, "invalid-answer", "This answer cannot be accepted", (item,))
