"""Word decisions in the reader's language: a scheduler's template, translated, filled with the decision's arguments."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping
from typing import Any

from playground.web.words import SOURCE, catalogue, language
from scheduler_core import scheduler_by_name
from scheduler_core.run.telling import CLAUSES

_CLAUSE_ARGUMENTS = frozenset({"cause", "lack", "loss", "loss_frm", "taken"})
_NUMBER = re.compile(r"[\d.,]*\d")
_SWAPPED = str.maketrans(",.", ".,")


def reworded(scheduler: str, decisions: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return decisions with their sentences in the reader's language; those without a translation stay English."""
    templates = {reason.name: reason.template for reason in scheduler_by_name(scheduler).reasons}
    return [
        {**one, "sentence": filled(templates[one["reason"]], one["arguments"]) or one["sentence"]} for one in decisions
    ]


def moments_told(moments: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a run's moments with their texts in the reader's language; a text with an unknown part stays English."""
    return [_moment_told(each) for each in moments]


def _moment_told(moment: dict[str, Any]) -> dict[str, Any]:
    told = {name: value for name, value in moment.items() if name != "said"}
    for name, parts in moment.get("said", {}).items():
        texts = [filled(part["template"], part["arguments"]) for part in parts]
        if all(texts):
            told[name] = " ".join(texts)
    return told


def filled(template: str, arguments: Mapping[str, str]) -> str:
    """Return a reason's template in the reader's language with its arguments; empty if it is not translated."""
    found = catalogue(language()).get(template)
    if not isinstance(found, str):
        return ""
    return found.format(**{name: _argument(name, value) for name, value in arguments.items()})


def _argument(name: str, value: str) -> str:
    if name in _CLAUSE_ARGUMENTS:
        return _clause(value)
    if name == "role" or name.startswith("place_"):
        found = catalogue(language()).get(value, value)
        return found if isinstance(found, str) else value
    # Names of queues and clusters stay as they are; numbers have a comma and points, as in all languages here.
    return value if name.startswith(("queue_", "owner_", "cluster")) else numbers(value)


def numbers(text: str, spoken: str = "") -> str:
    """Return an English text with its numbers as the reader's language writes them."""
    return text if (spoken or language()) == SOURCE else _NUMBER.sub(lambda found: found[0].translate(_SWAPPED), text)


def _clause(text: str) -> str:
    texts = catalogue(language())
    for template, pattern in _patterns():
        if found := pattern.fullmatch(text):
            what = found.groupdict().get("what", "")
            named = texts.get(what, what)
            return str(texts.get(template, template)).replace("{what}", numbers(str(named)))
    return text


@functools.cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return each clause with its pattern, the longest first: the shorter ones would match more."""
    return tuple(
        (each, re.compile(re.escape(each).replace(r"\{what\}", "(?P<what>.+)")))
        for each in sorted(CLAUSES, key=len, reverse=True)
    )
