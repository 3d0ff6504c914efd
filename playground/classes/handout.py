"""A lesson as a sheet of paper: what students read and answer, and, for the teacher, notes and expected mistakes."""

from __future__ import annotations

from typing import Any

from playground.arena.challenges import get_challenge, spec_of
from playground.classes.asked import Asked
from playground.classes.exploring import knobs_of, worded
from playground.classes.lessons import Lesson, asked_in, explored_in
from playground.classes.news import axis_words, options_of
from playground.classes.teaching import shown_name
from playground.errors import PlaygroundError
from playground.gallery.service import entry_of, experiment_of
from playground.studies.metric_names import measure_words
from playground.web.words import gettext, three
from scheduler_core.studies.results import unit_of


def handout(lesson: Lesson, *, notes: bool) -> dict[str, Any]:
    """Return a lesson for a page and its print; with `notes`, as its teacher reads it."""
    shown: dict[str, Any] | None = None
    steps: list[dict[str, Any]] = []
    for at, step in enumerate(lesson.steps):
        told: dict[str, Any] = {"kind": step.kind, "text": step.text, "minutes": step.minutes, "name": ""}
        told["notes"] = step.notes if notes else ""
        if step.show is not None:
            shown = experiment_of(entry_of(name=step.show.gallery)) if step.show.gallery else step.show.experiment
            told |= {"name": shown_name(step.show), "gallery": step.show.gallery, "at_s": step.show.at_s}
        elif step.question is not None:
            told |= _question(asked_in(lesson, at), (shown or {}).get("scheduler", {}).get("name", ""))
        elif step.explore is not None:
            knobs = worded(knobs_of(explored_in(lesson, at), shown or {}))
            told["name"] = ", ".join(knob["label"] for knob in knobs)
        elif step.challenge is not None:
            told |= {"name": _title(step.challenge), "challenge": step.challenge}
        steps.append(told)
    told = {"title": lesson.title, "aims": lesson.aims, "minutes": lesson.minutes, "steps": steps, "notes": notes}
    return told | {"guesses": lesson.guesses if notes else [], "point": lesson.point if notes else ""}


def _question(asked: Asked, scheduler: str) -> dict[str, Any]:
    """Return a question with the places for an answer by hand."""
    unit = "" if asked.kind == "point" else unit_of(asked.metric)
    shown = {"1": gettext("a fraction"), "": ""}.get(unit, unit)
    return {
        "text": asked.text,
        "ask": asked.kind,
        "options": options_of(asked) if asked.kind == "choice" else [],
        "measure": "" if asked.kind == "point" else measure_words(asked.metric),
        "unit": shown,
        "axis": axis_words(asked.path, [scheduler]) if asked.kind == "curve" else "",
        "at": [three(float(value)) for value in asked.values] if asked.kind == "curve" else [],
        "low": three(asked.low),
        "high": three(asked.high),
        "target": asked.target,
        "after_s": three(asked.after_s),
    }


def _title(name: str) -> str:
    try:
        return gettext(spec_of(get_challenge(public_id=name)).title)
    except PlaygroundError:  # deleted meanwhile
        return name
