"""A class's answers and scores as CSV, a row for each answer."""

from __future__ import annotations

import csv
import io
import json
from codecs import BOM_UTF8
from typing import Any

from playground.classes.asked import Asked
from playground.classes.computing import right_options
from playground.classes.news import options_of
from playground.classes.questions import asked_of
from playground.models import ClassAnswer, Classroom
from scheduler_core.spreadsheet import safe_cell
from scheduler_core.studies.results import unit_of

_COLUMNS = (
    "student", "name", "question", "kind", "text", "state", "answer", "correct", "unit", "score", "answered_at"
)  # fmt: skip


def answers_table(classroom: Classroom) -> bytes:
    """Return all answers; what is correct stands there once the question is revealed.

    The byte order mark tells spreadsheets that names are UTF-8.
    """
    out = io.StringIO()
    rows = csv.writer(out)
    rows.writerow(_COLUMNS)
    found = ClassAnswer.objects.filter(question__classroom=classroom).select_related("question", "student")
    for one in found.order_by("question__number", "student__number"):
        question, computed, asked = one.question, one.question.answer, asked_of(one.question)
        score = "" if one.score is None else round(one.score, 4)
        row = [
            one.student.number, one.student.name, question.number, asked.kind, asked.text,
            question.state, _value(asked, one.value), "" if computed is None else _correct(asked, computed),
            "" if asked.kind in ("choice", "point") else unit_of(asked.metric), score,
            one.answered_at.isoformat(timespec="seconds"),
        ]  # fmt: skip
        rows.writerow([safe_cell(each) for each in row])
    return BOM_UTF8 + out.getvalue().encode()


def _value(asked: Asked, value: object) -> str:
    """Write an answer: an option by its name, a number or a curve as numbers."""
    if asked.kind == "choice" and isinstance(value, int | float):
        return str(options_of(asked)[int(value)])
    return json.dumps(value)


def _correct(asked: Asked, computed: dict[str, Any]) -> str:
    """Write the computed answer; options that the runs cannot tell from the best are right, too."""
    if asked.kind != "choice":
        return _value(asked, computed["answer"])
    right = right_options(computed)
    return " / ".join(_value(asked, at) for at in right)
