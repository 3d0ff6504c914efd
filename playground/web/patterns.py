"""Sentences with names and numbers in them in the reader's language: a sentence is known by its fixed words.

`playground/locale/patterns/xx.json` has them by subject, each English pattern with its translation. A place such as
`{text}` stands for any text, which goes into the translation: translated in its turn, if it is known. A `{name}` stays
as it is, and a `{number}` is written as the reader's language does.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping
from pathlib import Path

from django.conf import settings

from playground.web.reasons import numbers
from playground.web.words import SOURCE, catalogue, language

_PLACE = re.compile(r"\{(\w+)\}")
Patterns = tuple[tuple[re.Pattern[str], str], ...]


def by_pattern(text: str, subject: str, spoken: str = "", parts: Mapping[str, str] | None = None) -> str:
    """Return a text in the reader's language; as it is where neither a pattern nor the catalogue knows it.

    `parts` are translations of texts that may stand in a place, by their English.
    """
    spoken = spoken or language()
    return text if spoken == SOURCE or not text else _said(text, patterns(subject, spoken), spoken, parts or {})


def _said(text: str, known: Patterns, spoken: str, parts: Mapping[str, str]) -> str:
    whole = parts.get(text) or catalogue(spoken).get(text)
    if isinstance(whole, str):
        return whole
    for pattern, translation in known:
        found = pattern.fullmatch(text)
        if found is not None:
            places = {name: _place(name, part, known, spoken, parts) for name, part in found.groupdict().items()}
            return translation.format_map(places)
    return text


def _place(place: str, text: str, known: Patterns, spoken: str, parts: Mapping[str, str]) -> str:
    if place == "name":
        return text
    return numbers(text, spoken) if place == "number" else _said(text, known, spoken, parts)


def knows(text: str, subject: str, spoken: str) -> bool:
    """Return True if a language has a pattern or a text of the catalogue for a text."""
    return text in catalogue(spoken) or any(pattern.fullmatch(text) for pattern, _ in patterns(subject, spoken))


@functools.cache
def patterns(subject: str, spoken: str) -> Patterns:
    """Return the patterns of a subject in a language, those with the most fixed words first."""
    found: dict[str, str] = {}
    for folder in settings.LOCALE_PATHS:
        path = Path(folder) / "patterns" / f"{spoken}.json"
        if path.is_file():
            found |= json.loads(path.read_text(encoding="utf-8")).get(subject, {})
    return tuple(
        (pattern_of(english), found[english])
        for english in sorted(found, key=lambda english: (-len(_PLACE.sub("", english)), english))
    )


def pattern_of(english: str) -> re.Pattern[str]:
    """Return what a sentence with places such as `{name}` matches; each place is a group of that name."""
    pieces = _PLACE.split(english)
    return re.compile(
        "".join(f"(?P<{piece}>.+?)" if number % 2 else re.escape(piece) for number, piece in enumerate(pieces)),
        re.DOTALL,
    )
