"""Keep the allowed fields of one Kubernetes object, with pseudonyms for names; count what is not understood."""

from __future__ import annotations

import re
from typing import Any

from scheduler_core.inventory.counts import Unknown
from scheduler_core.inventory.kubernetes.allowed import EVERY_ADDRESS, KINDS, NEEDED, WORDS
from scheduler_core.inventory.names import Names
from scheduler_core.inventory.quantities import quantity
from scheduler_core.limits import Limits

_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})\Z")
_FIELD = re.compile(r"[A-Za-z][A-Za-z0-9]{0,62}\Z")
CLAIM = "persistentVolumeClaim"
_LARGEST = 2**63
_NOTHING: Any = object()


class Keeper:
    """Walk an object beside the tree of its kind."""

    def __init__(self, names: Names, unknown: Unknown, limits: Limits) -> None:
        self.names = names
        self.unknown = unknown
        self._most_labels = limits.inventory_labels
        self._leaves = {
            "key": names.key,
            "value": names.value,
            "name:class": names.priority_class,
        }

    def whole(self, kind: str, thing: dict[str, Any]) -> dict[str, Any]:
        """Return what is kept of an object; `metadata.namespace` and names as pseudonyms."""
        meta = thing.get("metadata")
        name = meta.get("name") if isinstance(meta, dict) else None
        said = f"{kind} {self.names.of(kind.lower(), name)}" if isinstance(name, str) else kind
        kept = {}
        for field, tree in KINDS[kind].items():
            if (value := thing.get(field)) is not None:
                only = field != "spec" or kind not in ("Pod", "Node")
                found = self.part(tree, value, f"{kind}.{field}", said, only_known=only)
                if found is not _NOTHING:
                    kept[field] = found
        return kept

    def part(self, tree: Any, value: Any, path: str, said: str, *, only_known: bool = False) -> Any:
        """Return what is kept of a value. `only_known`: fields outside of the tree are dropped and not counted."""
        if isinstance(tree, dict):
            if not isinstance(value, dict):
                return self._wrong(path, said)
            found = self._fields(tree, value, path, said, only_known)
            return found if _is_whole(tree, found) else self._wrong(path, said)
        if isinstance(tree, list):
            if not isinstance(value, list):
                return self._wrong(path, said)
            kept = (self.part(tree[0], one, f"{path}[]", said, only_known=only_known) for one in value)
            return [one for one in kept if one is not _NOTHING]
        if tree == "drop":
            return _NOTHING
        if tree == "tell":
            return self._wrong(path, said) if value else _NOTHING
        if tree == "volumes":
            claims = [one for one in value if isinstance(one, dict) and CLAIM in one] if isinstance(value, list) else []
            return self._wrong(f"{path}[].{CLAIM}", said) if claims else _NOTHING
        return self.leaf(tree, value, path, said)

    def _fields(self, tree: dict[str, Any], value: dict[str, Any], path: str, said: str, only_known: bool) -> Any:
        kept = {}
        # What a container or a port has beside these fields says nothing to a scheduler.
        quiet = only_known or path.endswith(("ontainers[]", "ports[]"))
        for field, inner in value.items():
            known = tree.get(field)
            if known is None:
                if not quiet:
                    self.unknown.count(f"{path}.{field}" if _FIELD.match(field) else f"{path}.(other)", said)
                continue
            if inner is not None:
                found = self.part(known, inner, f"{path}.{field}", said, only_known=only_known)
                if found is not _NOTHING:
                    kept[field] = found
        return kept

    def leaf(self, leaf: str, value: Any, path: str = "", said: str = "") -> Any:
        """Return what is kept of a single value."""
        if leaf == "labels":
            return self._labels(value, path, said)
        if leaf == "resources":
            return self._resources(value, path, said)
        if leaf == "int":
            good = isinstance(value, int) and not isinstance(value, bool) and abs(value) < _LARGEST
            return value if good else self._wrong(path, said)
        if leaf == "bool":
            return value if isinstance(value, bool) else self._wrong(path, said)
        if not isinstance(value, str):
            return self._wrong(path, said)
        if leaf == "word":
            return value if value in WORDS else self._wrong(path, said)
        if leaf == "time":
            return value if _TIME.match(value) else self._wrong(path, said)
        if leaf == "address":
            return value if value in ("", EVERY_ADDRESS) else self.names.of("address", value)
        if leaf == "kind":
            return value if value in WORDS else self.names.of("kind", value)
        named = self._leaves.get(leaf)
        return named(value) if named is not None else self.names.of(leaf.removeprefix("name:"), value)

    def _labels(self, value: Any, path: str, said: str) -> Any:
        good = isinstance(value, dict) and all(isinstance(one, str) for one in value.values())
        if not good or len(value) > self._most_labels:
            return self._wrong(path, said)
        return self.names.labels(value)

    def _resources(self, value: Any, path: str, said: str) -> Any:
        if not isinstance(value, dict) or len(value) > self._most_labels:
            return self._wrong(path, said)
        kept: dict[str, str] = {}
        for name, amount in value.items():
            if isinstance(amount, bool) or not isinstance(amount, str | int | float) or quantity(amount) is None:
                self.unknown.count(f"{path} (a quantity)", said)
                continue
            kept[self.names.resource(name)] = str(amount)
        return kept

    def _wrong(self, path: str, said: str) -> Any:
        self.unknown.count(path, said)
        return _NOTHING


def _is_whole(tree: dict[str, Any], kept: dict[str, Any]) -> bool:
    """Return False for a thing that lacks what Kubernetes demands of it: no run could read it."""
    for field, most in NEEDED.get(id(tree), {}).items():
        value = kept.get(field)
        if value is None or (most and not 1 <= value <= most):
            return False
    return True


def is_nothing(value: Any) -> bool:
    """Return True for what `Keeper.part` gives for a value that is not kept."""
    return value is _NOTHING
