"""Word in the reader's language why a page cannot simulate a run: the library and the workers say it in English."""

from __future__ import annotations

import dataclasses
import functools
import re

from playground.errors import PlaygroundError, ProblemItem
from playground.web.patterns import pattern_of
from playground.web.reasons import numbers
from playground.web.words import SOURCE, gettext, language
from playground.web.words import marked as _

#: What the library (scheduler_core.run.start_file, touchable, limits) and a question's state say, with their places.
TEXTS = (
    _("A page cannot simulate this run"),
    _("The start is not ready"),
    _("this scheduler's event loop asks the server in mid-run. {why}"),
    _("OR-tools solves such rounds from scratch."),
    _("The function in the plugin's file chooses each machine."),
    _("An integer program plans each cycle, and OR-tools solves it."),
    _("there is no module of {name}"),
    _("the run enlarges its arrays again and again"),
    _("watch the server's run"),
    _("the scheduler drops tasks that no machine can hold, and only the server tells them from waiting tasks"),
    _("use the menu of a machine: the server simulates"),
    _("asks for {n} tasks that a page simulates"),
    _("asks for {n} machines that a page simulates"),
    _("asks for {n} bytes of arrays that a page simulates"),
    _("at most {n} (setting {name})"),
    _("ask for fewer"),
    _("it took too long"),
    _("simulate fewer tasks"),
    _("no worker took it"),
    _("see that the server has workers, then start it again"),
    _("the worker that computed it is gone"),
    _("start it again"),
    _("the answer failed; the error was logged"),
    _("no worker answered in time"),
    _("ask again in a moment"),
)


def worded(error: PlaygroundError) -> PlaygroundError:
    """Return the error with its title and its problems in the reader's language; a text of another kind stays."""
    return dataclasses.replace(error, title=told(error.title), problems=tuple(map(_worded, error.problems)))


def told(text: str) -> str:
    """Return one of TEXTS, filled, in the reader's language; a text of another kind stays as it is."""
    if language() == SOURCE:
        return text
    for template, pattern in _patterns():
        if found := pattern.fullmatch(text):
            return gettext(template, **{name: _value(name, value) for name, value in found.groupdict().items()})
    return text


def _worded(item: ProblemItem) -> ProblemItem:
    found = item.copy()
    found["message"], found["allowed"] = told(item["message"]), told(item["allowed"])
    found["remedy"] = told(item["remedy"])
    return found


def _value(name: str, value: str) -> str:
    return told(value) if name == "why" else numbers(value) if name == "n" else value


@functools.cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return each text with its pattern, whose groups are its places."""
    return tuple((text, pattern_of(text)) for text in TEXTS)
