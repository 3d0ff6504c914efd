"""A class's answers and scores as CSV, a row for each answer."""

from __future__ import annotations

import csv
import io
import json

from playground.models import ClassAnswer, Classroom

_COLUMNS = ("student", "name", "question", "kind", "text", "state", "answer", "correct", "score", "answered_at")
#: Spreadsheets take a text that begins so for a formula.
_FORMULA = ("=", "+", "-", "@")


def answers_table(classroom: Classroom) -> bytes:
    """Return all answers; what is correct stands there once the question is revealed."""
    out = io.StringIO()
    rows = csv.writer(out)
    rows.writerow(_COLUMNS)
    found = ClassAnswer.objects.filter(question__classroom=classroom).select_related("question", "student")
    for one in found.order_by("question__number", "student__number"):
        question, computed = one.question, one.question.answer
        correct = "" if computed is None else json.dumps(computed["answer"])
        score = "" if one.score is None else round(one.score, 4)
        rows.writerow([
            one.student.number, _text(one.student.name), question.number, question.asked["kind"],
            _text(question.asked["text"]), question.state, json.dumps(one.value), correct, score,
            one.answered_at.isoformat(),
        ])  # fmt: skip
    return out.getvalue().encode()


def _text(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text
