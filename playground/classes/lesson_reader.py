"""Read the YAML of a lesson within bounds, in a process with little time and memory of its own.

Strangers send lessons. The C parser of libyaml gives one event after the other, so the counts below stop a nested or
large file before anything is built from it. The process that reads imports nothing else of the playground.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import yaml

#: Longer scalars are no text of a lesson. PyYAML reads `1:2:3` as a number in base 60, in quadratic time.
_MOST_SCALAR = 10_000
_CPU_S, _WALL_S = 5, 20
_MEMORY_BYTES = 512_000_000
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_DUMPER: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


@dataclass(frozen=True)
class Bounds:
    """What a lesson's file may hold: bytes, levels of nesting, and items (keys and values). `told` names settings."""

    bytes: int
    depth: int
    items: int
    told: dict[str, str]


class Unreadable(Exception):
    """Raised for a file that is refused: the place, what is wrong, what is allowed, what to do.

    `events` is the number of parser events until then: what the refusal cost.
    """

    def __init__(self, path: str, message: str, *, allowed: str = "", remedy: str = "", events: int = 0) -> None:
        super().__init__(message)
        self.told = {"path": path, "message": message, "allowed": allowed, "remedy": remedy}
        self.events = events


def read(text: str, bounds: Bounds) -> Any:
    """Return what a YAML text says. Raises Unreadable."""
    _refuse_long(text, bounds)
    try:
        _count(text, bounds)
        return yaml.load(text, Loader=_LOADER)  # noqa: S506 - the class is a safe loader: it makes no objects
    except (yaml.YAMLError, RecursionError, ValueError, OverflowError) as error:
        mark = getattr(error, "problem_mark", None)
        place = f"line {mark.line + 1}" if mark else ""
        if "nesting" in str(error):  # libyaml's own bound: it reads brackets ahead of their events
            raise _too_deep(place, bounds) from None
        raise Unreadable(place, "is not YAML", remedy="check quotes and indentation") from None


def _refuse_long(text: str, bounds: Bounds) -> None:
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > bounds.bytes:
        raise Unreadable("", "is too long", allowed=f"at most {bounds.bytes:,} bytes ({bounds.told['bytes']})")


def _count(text: str, bounds: Bounds) -> None:
    """Go through the events of a text and stop at the first bound that one exceeds."""
    depth = items = 0
    for number, event in enumerate(_events(text), 1):
        place = f"line {event.start_mark.line + 1}"
        items += isinstance(event, yaml.NodeEvent)
        if isinstance(event, yaml.AliasEvent):
            # An alias may stand for far more than the file holds.
            raise Unreadable(place, "holds a YAML alias (*name)", remedy="write the part out", events=number)
        if getattr(event, "tag", None) is not None:
            raise Unreadable(place, f"holds the YAML tag {event.tag[:40]}", remedy="remove the tag", events=number)
        if isinstance(event, yaml.ScalarEvent) and len(event.value) > _MOST_SCALAR:
            allowed = f"at most {_MOST_SCALAR:,} characters"
            raise Unreadable(place, "has a text that is too long", allowed=allowed, events=number)
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > bounds.depth:
            raise _too_deep(place, bounds, number)
        if items > bounds.items:
            raise _too_much(place, bounds, number)


def _too_deep(place: str, bounds: Bounds, events: int = 0) -> Unreadable:
    allowed = f"at most {bounds.depth} levels ({bounds.told['depth']})"
    return Unreadable(place, "is nested too deeply", allowed=allowed, events=events)


def _too_much(place: str, bounds: Bounds, events: int = 0) -> Unreadable:
    allowed = f"at most {bounds.items:,} keys and values ({bounds.told['items']})"
    return Unreadable(place, "holds too much", allowed=allowed, remedy="shorten the lesson", events=events)


def refuse_large(data: Any, bounds: Bounds) -> None:
    """Check the bounds of a lesson that is given as data, before it is written. Raises Unreadable."""
    items, level = 1, [data]
    for _ in range(bounds.depth + 1):
        below: list[Any] = []
        for value in level:
            items += len(value) * (2 if isinstance(value, dict) else 1) if isinstance(value, dict | list) else 0
            if items > bounds.items:
                raise _too_much("", bounds)
            inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
            below.extend(each for each in inner if isinstance(each, dict | list))
        if not below:
            return
        level = below
    raise _too_deep("", bounds)


def _events(text: str) -> Iterator[Any]:
    return iter(yaml.parse(text, Loader=_LOADER))


def read_apart(text: str, bounds: Bounds, *, memory_bytes: int = _MEMORY_BYTES) -> Any:
    """Do what `read` does in a process of its own, whose time and memory are bounded.

    Raises Unreadable, OSError, and TimeoutError if too many others are being read.
    """
    # Not at the top: the process that reads imports nothing else of the playground.
    from playground.ground.apart import TooCostly, ask_apart

    _refuse_long(text, bounds)
    asked = {"text": text, "bounds": asdict(bounds)}
    try:
        told = ask_apart(Path(__file__), asked, cpu_s=_CPU_S, wall_s=_WALL_S, memory_bytes=memory_bytes)
    except TooCostly:
        raise Unreadable("", "takes too much time or memory to read", remedy="shorten the lesson") from None
    if "refused" in told:
        raise Unreadable(**told["refused"])
    return json.loads(told["data"])


def answer(asked: dict[str, Any]) -> dict[str, Any]:
    """Read a lesson in the process of its own."""
    try:
        # Dates and the like, which YAML knows and JSON does not, become text: a lesson has none.
        return {"data": json.dumps(read(asked["text"], Bounds(**asked["bounds"])), default=str)}
    except TypeError:
        return {"refused": Unreadable("", "has a key that is not text").told}
    except Unreadable as error:
        return {"refused": error.told}


def dump(data: Any) -> str:
    """Write a lesson's data as YAML."""
    return str(yaml.dump(data, Dumper=_DUMPER, sort_keys=False, allow_unicode=True, width=100))
