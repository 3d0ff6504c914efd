"""Match label selectors against many objects at once: a column of numbers for each label key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import NOBODY

Flags = npt.NDArray[np.bool_]
Requirement = tuple[str, str, tuple[str, ...]]
"""Key, operator and values."""


class LabelTable:
    """The labels of N objects, column by column."""

    def __init__(self, labels: Sequence[Mapping[str, str]]) -> None:
        self.size = len(labels)
        self._labels = labels
        self._columns: dict[str, tuple[npt.NDArray[np.int32], dict[str, int]]] = {}

    def column(self, key: str) -> tuple[npt.NDArray[np.int32], dict[str, int]]:
        """Return the number of each object's value of a label, NOBODY without it, and the numbers by value."""
        if key not in self._columns:
            numbers: dict[str, int] = {}
            column = np.full(self.size, NOBODY, np.int32)
            for at, labels in enumerate(self._labels):
                if key in labels:
                    column[at] = numbers.setdefault(labels[key], len(numbers))
            self._columns[key] = (column, numbers)
        return self._columns[key]

    def meets(self, requirement: Requirement) -> Flags:
        """Return which objects meet a requirement."""
        key, operator, values = requirement
        column, numbers = self.column(key)
        if operator == "Exists":
            return column >= 0
        if operator == "DoesNotExist":
            return column < 0
        if operator in ("Gt", "Lt"):
            return self._compares(column, numbers, operator, values)
        wanted = np.array([numbers[value] for value in values if value in numbers], np.int32)
        among: Flags = np.isin(column, wanted)
        return among if operator == "In" else ~among

    def meets_all(self, requirements: Iterable[Requirement]) -> Flags:
        """Return which objects meet all requirements; all objects if there are none."""
        found = np.ones(self.size, np.bool_)
        for requirement in requirements:
            found &= self.meets(requirement)
        return found

    @staticmethod
    def _compares(
        column: npt.NDArray[np.int32], numbers: Mapping[str, int], operator: str, values: tuple[str, ...]
    ) -> Flags:
        limit = _integer(values[0]) if len(values) == 1 else None
        good = np.zeros(len(numbers) + 1, np.bool_)  # the last: no label
        for value, number in numbers.items():
            mine = _integer(value)
            if limit is not None and mine is not None:
                good[number] = mine > limit if operator == "Gt" else mine < limit
        return good[column]


def requirements_of(selector: Mapping[str, Any] | None) -> tuple[Requirement, ...] | None:
    """Return the requirements of a label selector: None for a null selector, which matches nothing."""
    if selector is None:
        return None
    found: list[Requirement] = [(key, "In", (value,)) for key, value in (selector.get("matchLabels") or {}).items()]
    found += expressions(selector.get("matchExpressions"))
    return tuple(sorted(found))


def expressions(given: Sequence[Mapping[str, Any]] | None) -> list[Requirement]:
    """Return match expressions as requirements."""
    return [(each["key"], each["operator"], tuple(map(str, each.get("values") or ()))) for each in given or ()]


def node_terms(table: LabelTable, names: LabelTable, terms: Sequence[Mapping[str, Any]] | None) -> Flags:
    """Return which nodes match one of several node selector terms; `names` has the nodes' fields."""
    found = np.zeros(table.size, np.bool_)
    for term in terms or ():
        labels, fields = expressions(term.get("matchExpressions")), expressions(term.get("matchFields"))
        if labels or fields:
            found |= table.meets_all(labels) & names.meets_all(fields)
    return found


def tolerates(toleration: Mapping[str, Any], taint: Mapping[str, Any]) -> bool:
    """Return whether a toleration tolerates a taint."""
    if toleration.get("effect") and toleration["effect"] != taint.get("effect", ""):
        return False
    if toleration.get("key") and toleration["key"] != taint["key"]:
        return False
    operator = toleration.get("operator") or "Equal"
    if operator == "Exists":
        return True
    return bool(operator == "Equal" and (toleration.get("value") or "") == (taint.get("value") or ""))


def _integer(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None
