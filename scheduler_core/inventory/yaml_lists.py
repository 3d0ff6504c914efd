"""Read lists of objects in YAML. Aliases are refused: they make a small file enormous. So are tags."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import yaml

from scheduler_core.errors import Problem, TraceError
from scheduler_core.inventory.stream import Found
from scheduler_core.limits import Limits
from scheduler_core.workload.readers.packed import opened

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_HEAD = 4096


def is_yaml(path: Path) -> bool:
    """Return True if a file begins like YAML of Kubernetes, not like JSON."""
    with opened(path) as file:
        head = file.read(_HEAD).removeprefix(b"\xef\xbb\xbf").lstrip()
    return not head.startswith((b"{", b"["))


def yaml_objects(path: Path, limits: Limits) -> Iterator[Found]:
    """Yield the objects of YAML documents and of lists in them, as JSON bytes. Raises TraceError."""
    with opened(path) as file:
        text = file.read(limits.inventory_yaml_bytes + 1)
    if (problem := limits.exceeded("inventory_yaml_bytes", len(text), "")) is not None:
        raise TraceError([problem, Problem("", "is YAML, which is slow to read", "JSON of any size", "use -o json")])
    try:
        _refuse_wild(text, limits)
        for document in yaml.load_all(text, Loader=_Loader):
            yield from _objects(document, limits)
    except TraceError:
        raise
    # A key that is no text, or a number beyond 64 bits, cannot be written as JSON.
    except (yaml.YAMLError, ValueError, TypeError, OverflowError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        line = f"line {mark.line + 1}" if mark is not None else ""
        raise TraceError(
            [Problem(line, "is neither JSON nor YAML", "what kubectl prints with -o json or yaml")]
        ) from None


def _refuse_wild(text: bytes, limits: Limits) -> None:
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        if isinstance(event, yaml.AliasEvent):
            raise TraceError([Problem(_line(event), "has an alias, which is refused", "YAML without aliases")])
        if getattr(event, "tag", None):
            # kubectl writes none, and the parser raises errors of any kind for a tag that does not fit.
            raise TraceError([Problem(_line(event), "has a tag, which is refused", "YAML without tags")])
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > limits.inventory_depth:
                most = f"at most {limits.inventory_depth:,} levels (limit 'inventory_depth')"
                raise TraceError([Problem(_line(event), "is nested too deeply", most)])
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def _line(event: yaml.Event) -> str:
    return "" if event.start_mark is None else f"line {event.start_mark.line + 1}"


def _objects(document: Any, limits: Limits) -> Iterator[Found]:
    if document is None:
        return
    if not isinstance(document, dict | list):
        raise ValueError("no object")
    kind = str(document.get("kind", "")) if isinstance(document, dict) else ""
    items = document if isinstance(document, list) else document.get("items") if kind.endswith("List") else None
    if items is not None and not isinstance(items, list):
        raise ValueError("no list")
    for one in [document] if items is None else items:
        data = msgspec.json.encode(one)
        if (problem := limits.exceeded("inventory_object_bytes", len(data), "")) is not None:
            raise TraceError([problem])
        yield Found(data, "items", "" if items is None else kind.removesuffix("List"))
