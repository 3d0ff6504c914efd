"""Selectors of pods: each distinct one is matched once against all groups of pods with the same labels."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import numpy as np

from scheduler_core.kube.labels import Flags, LabelTable, Requirement, requirements_of
from scheduler_core.kube.spec import Fields

Namespaces = frozenset[str] | None
"""None: all of them."""
Key = tuple[object, ...]


class PodSelectors:
    """Groups of pods by namespace and labels, and which of them each selector matches."""

    def __init__(self, pods: Sequence[Fields], namespaces: Mapping[str, Mapping[str, str]]) -> None:
        self._spaces = namespaces
        known: dict[str, int] = {}
        labels: list[Mapping[str, str]] = []
        self._namespace: list[str] = []
        self.group_of: list[int] = []
        for pod in pods:
            space, mine = pod.get("namespace") or "", pod.get("labels") or {}
            key = json.dumps([space, mine], sort_keys=True)
            if key not in known:
                known[key] = len(labels)
                labels.append(mine)
                self._namespace.append(space)
            self.group_of.append(known[key])
        self.size = len(labels)
        self._labels = labels
        self._table = LabelTable(labels)
        self._in = np.array(self._namespace, object)
        self._known: dict[Key, int] = {}
        self.matches: list[Flags] = []
        """Flags by group, for each selector."""

    def number(self, namespaces: Namespaces, requirements: tuple[Requirement, ...] | None) -> int:
        """Return the number of a selector; null requirements match nothing."""
        key = (namespaces, requirements)
        if key not in self._known:
            found = np.zeros(self.size, np.bool_)
            if requirements is not None:
                found = self._table.meets_all(requirements)
                if namespaces is not None:
                    found &= np.isin(self._in, list(namespaces))
            self._add(key, found)
        return self._known[key]

    def all_of(self, numbers: Sequence[int]) -> int:
        """Return the number of the selector that matches what all of these match."""
        key = ("all", *sorted(set(numbers)))
        if len(key) == 2:
            return numbers[0]
        if key not in self._known:
            self._add(key, np.logical_and.reduce([self.matches[each] for each in numbers]))
        return self._known[key]

    def of_term(self, term: Fields, pod: Fields) -> int:
        """Return the number of the selector of a pod affinity term of a pod."""
        needed = _with_keys(requirements_of(term.get("labelSelector")), term, pod)
        return self.number(self._namespaces(term, pod), needed)

    def of_spread(self, constraint: Fields, pod: Fields) -> int:
        """Return the number of the selector of a topology spread constraint of a pod."""
        needed = _with_keys(requirements_of(constraint.get("labelSelector")), constraint, pod)
        return self.number(frozenset([pod.get("namespace") or ""]), needed)

    def of_budget(self, budget: Fields) -> Flags:
        """Return which groups a disruption budget guards; an empty selector guards none."""
        selector = budget.get("selector") or {"matchLabels": budget.get("matchLabels")}
        needed = requirements_of(selector)
        if not needed:
            return np.zeros(self.size, np.bool_)
        found = self.matches[self.number(frozenset([budget.get("namespace") or ""]), needed)]
        labeled: Flags = np.array([bool(labels) for labels in self._labels])
        return found & labeled

    def _add(self, key: Key, found: Flags) -> None:
        self._known[key] = len(self.matches)
        self.matches.append(found)

    def _namespaces(self, term: Fields, pod: Fields) -> Namespaces:
        """Return the namespaces of a term: listed, or selected by their labels, or the pod's own."""
        listed, selector = term.get("namespaces") or (), term.get("namespaceSelector")
        if not listed and selector is None:
            return frozenset([pod.get("namespace") or ""])
        if selector is None:
            return frozenset(listed)
        needed = requirements_of(selector)
        if not needed:
            return None
        names = list(self._spaces)
        chosen = LabelTable([self._spaces[name] for name in names]).meets_all(needed)
        return frozenset([*listed, *(name for name, good in zip(names, chosen, strict=True) if good)])


def _with_keys(
    requirements: tuple[Requirement, ...] | None, given: Fields, pod: Fields
) -> tuple[Requirement, ...] | None:
    """Add what `matchLabelKeys` and `mismatchLabelKeys` say about the pod's own values."""
    if requirements is None:
        return None
    labels, more = pod.get("labels") or {}, []
    for name, operator in (("matchLabelKeys", "In"), ("mismatchLabelKeys", "NotIn")):
        more += [(key, operator, (labels[key],)) for key in given.get(name) or () if key in labels]
    return tuple(sorted([*requirements, *more]))
