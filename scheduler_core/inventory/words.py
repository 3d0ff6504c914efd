"""Sets of words, written as text."""

from __future__ import annotations


def words(text: str) -> tuple[str, ...]:
    """Return the words of a text, in order."""
    return tuple(text.split())
