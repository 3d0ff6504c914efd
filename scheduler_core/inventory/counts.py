"""Count what is not understood, by field and pseudonymous object."""

from __future__ import annotations

from collections import Counter

_MOST_FIELDS = 200
_SHOWN = 5


class Unknown:
    """What is not understood: how often by field, and pseudonyms of the first objects that have it."""

    def __init__(self) -> None:
        self.fields: Counter[str] = Counter()
        self.objects: dict[str, list[str]] = {}

    def count(self, field: str, thing: str = "") -> None:
        """Count a field of an object; beyond 200 fields, further ones count under `(other)`."""
        if field not in self.fields and len(self.fields) >= _MOST_FIELDS:
            field = "(other)"
        self.fields[field] += 1
        self.show(field, thing)

    def show(self, field: str, thing: str) -> None:
        """Name an object that has a field, if few are named so far."""
        shown = self.objects.setdefault(field, [])
        if thing and len(shown) < _SHOWN and thing not in shown:
            shown.append(thing)
