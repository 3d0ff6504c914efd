"""Refusals of a student's fork in the reader's language: a student reads them on the phone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from playground.errors import PlaygroundError, ProblemItem
from playground.web.patterns import by_pattern

SUBJECT = "fork"


@contextmanager
def in_words() -> Iterator[None]:
    """Raise what is refused inside in the reader's language; programs know it by its `kind`."""
    try:
        yield
    except PlaygroundError as error:
        problems = tuple(_told(item) for item in error.problems)
        raise replace(error, title=by_pattern(error.title, SUBJECT), problems=problems) from None


def _told(item: ProblemItem) -> ProblemItem:
    return {
        **item,
        "message": by_pattern(item["message"], SUBJECT),
        "allowed": by_pattern(item["allowed"], SUBJECT),
        "remedy": by_pattern(item["remedy"], SUBJECT),
    }
