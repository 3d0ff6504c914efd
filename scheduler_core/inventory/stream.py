"""Yield the objects of a JSON file one at a time, as bytes. Nested or enormous input is refused before it is parsed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from scheduler_core.errors import Problem, TraceError
from scheduler_core.inventory import boundaries
from scheduler_core.inventory.boundaries import AT, DEPTH, IN_TEXT, ROOT_START, START, STATE_SLOTS, TEXT_START
from scheduler_core.limits import Limits
from scheduler_core.workload.readers.packed import opened
from scheduler_core.workload.readers.watching import Reading, tell

_BLOCK = 1 << 22
_EVENTS = 1 << 14
_TOLD_EVERY = 1_000


@dataclass(frozen=True)
class Found:
    """One object: its bytes, the name of the list that it is in, and the kind that the document states."""

    data: bytes
    of: str
    kind: str


def objects(path: Path, limits: Limits) -> Iterator[Found]:
    """Yield the objects of a JSON document, of several documents in a row, or of lines that are objects.

    Raises TraceError for text that is not JSON, too deep, or larger than the limits allow.
    """
    with opened(path) as file:
        scanner = _Scanner(limits)
        for found in scanner.objects(file.read):
            yield found
            if scanner.count % _TOLD_EVERY == 0:
                tell(Reading(file.position, file.size, 0, scanner.count))


class _Scanner:
    """Carries what one block has begun over to the next."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._state = np.zeros(STATE_SLOTS, np.int64)
        self._state[[START, ROOT_START]] = -1
        self._events = np.zeros((_EVENTS, 3), np.int64)
        self._texts: list[str] = []
        self._of = ""
        self._read = 0
        self.count = 0

    def objects(self, read: Callable[[int], bytes]) -> Iterator[Found]:
        """Yield the objects that `read` gives, a function like a file's `read`."""
        rest = b""
        while block := read(_BLOCK):
            self._count(len(block))
            text = rest + block
            yield from self._in(text)
            rest = self._carry(text)
        if self._state[DEPTH] or self._state[IN_TEXT]:
            raise _wrong("ends in the middle of an object", "a whole file", "copy it again: it was cut off")
        if not self.count:
            raise _wrong("has no objects", "what kubectl or scontrol prints as JSON")

    def _count(self, size: int) -> None:
        self._read += size
        if (problem := self._limits.exceeded("inventory_bytes", self._read, "")) is not None:
            raise TraceError([problem])

    def _in(self, text: bytes) -> Iterator[Found]:
        block = np.frombuffer(text, np.uint8)
        while True:
            found, code = boundaries.scan(block, len(block), self._state, self._events, self._limits.inventory_depth)
            for what, start, end in self._events[:found].tolist():
                if what == boundaries.OPENED:
                    self._texts.clear()
                    self._of = ""
                elif what == boundaries.TEXT:
                    self._note(text[start:end])
                elif what == boundaries.LIST:
                    self._of = self._texts[-1] if self._texts else ""
                else:
                    yield self._object(text[start:end], whole=what == boundaries.WHOLE)
            if code == boundaries.END:
                return
            if code != boundaries.FULL:
                raise self._refused(code)

    def _note(self, text: bytes) -> None:
        if len(self._texts) == 64:  # only the latest matter: the name of a list, and the kind of the document
            del self._texts[1:32]
        self._texts.append(text[:200].decode("utf-8", "replace"))

    def _object(self, data: bytes, *, whole: bool) -> Found:
        self.count += 1
        for name, asked in (("inventory_objects", self.count), ("inventory_object_bytes", len(data))):
            if (problem := self._limits.exceeded(name, asked, "")) is not None:
                raise TraceError([problem])
        if whole:
            return Found(data, "", "")
        pairs = zip(self._texts, self._texts[1:], strict=False)
        kind = next((value for key, value in pairs if key == "kind" and value.endswith("List")), "")
        return Found(data, self._of, kind.removesuffix("List"))

    def _carry(self, text: bytes) -> bytes:
        """Keep what an unfinished object or text needs, and move the places in the state accordingly."""
        state = self._state
        begun = [int(state[slot]) for slot in (START,) if state[slot] >= 0]
        if state[ROOT_START] >= 0 and state[boundaries.ITEMS] == 0:
            begun.append(int(state[ROOT_START]))
        if state[IN_TEXT]:
            begun.append(int(state[TEXT_START]))
        first = min(begun, default=len(text))
        if (problem := self._limits.exceeded("inventory_object_bytes", len(text) - first, "")) is not None:
            raise TraceError([problem])
        for slot in (START, ROOT_START):
            state[slot] = state[slot] - first if state[slot] >= first else (-1 if slot == START else state[slot])
        if state[ROOT_START] >= 0 and state[boundaries.ITEMS] != 0:
            state[ROOT_START] = 0
        state[TEXT_START] -= first
        state[AT] = len(text) - first
        return text[first:]

    def _refused(self, code: int) -> TraceError:
        if code == boundaries.TOO_DEEP:
            most = self._limits.inventory_depth
            return _wrong(
                f"has more than {most} levels of nesting", f"at most {most:,} levels (limit 'inventory_depth')"
            )
        return _wrong("is not JSON: brackets do not match, or text stands outside of them", "a JSON document")


def _wrong(message: str, allowed: str, remedy: str = "") -> TraceError:
    return TraceError([Problem("", message, allowed, remedy)])
