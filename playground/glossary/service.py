"""Read the glossary from `fixtures/glossary.json`."""

from __future__ import annotations

import functools
import json
import re
from dataclasses import dataclass
from typing import Any

from django.conf import settings


@dataclass(frozen=True)
class Term:
    """A term, its explanation, and its other forms on pages."""

    term: str
    text: str
    also: tuple[str, ...]

    @property
    def anchor(self) -> str:
        """Return the name of the term's place on the glossary page."""
        return re.sub(r"[^a-z0-9]+", "-", self.term.lower()).strip("-")


@functools.cache
def glossary() -> tuple[Term, ...]:
    """Return all terms in alphabetical order."""
    path = settings.FIXTURES_DIR / "glossary.json"
    rows: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["terms"]
    terms = (Term(row["term"], row["text"], tuple(row.get("also", ()))) for row in rows)
    return tuple(sorted(terms, key=lambda one: one.term.casefold()))
