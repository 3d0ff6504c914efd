"""Networks and paths that are shipped beside the recordings of examples, so that their pictures wait for no worker.

`manage.py ship_recordings` makes them. A file has a line of JSON about paths, and one per network, compressed together:
the networks of consecutive rounds hardly differ.
"""

from __future__ import annotations

import functools
import hashlib
import json
import lzma
from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings

from playground.known.shipped import Shipped, folder, say_once, valid_shipped

SUFFIX = ".networks"


@dataclass(frozen=True)
class Networks:
    """The shipped networks of an example: `lines` of JSON by `rounds`, and paths of some tasks.

    Each path is [from_s, until_s, answer]: it is the answer about the task at every instant from `from_s` on and before
    `until_s`.
    """

    rounds: tuple[int, ...]
    lines: tuple[bytes, ...]
    ways: tuple[tuple[float, float, dict[str, Any]], ...]

    def at(self, number: int, *, nearest: bool = False) -> dict[str, Any] | None:
        """Return the network of a round; with `nearest`, else that of the nearest earlier one; None if unknown."""
        place = bisect_right(self.rounds, number) - 1
        if place < 0 or (self.rounds[place] != number and not nearest):
            return None
        found: dict[str, Any] = json.loads(self.lines[place])
        return found

    def way(self, task: int, number: int | None, at_s: float | None) -> dict[str, Any] | None:
        """Return the path of a task in a round, or in the round that decided about it at an instant."""
        for from_s, until_s, answer in self.ways:
            there = answer["round"] == number if number is not None else at_s is not None and from_s <= at_s < until_s
            if answer["task"] == task and there:
                return answer
        return None


def known_networks(question: str) -> Networks | None:
    """Return the shipped networks of an experiment, by its digest; None if there are none that are valid today."""
    if not settings.KNOWN_RUNS:
        return None
    found = valid_shipped(question)
    if found is None or not found.networks:
        return None
    return _read(folder() / f"{found.name}{SUFFIX}", found)


@functools.lru_cache(maxsize=4)
def _read(path: Path, found: Shipped) -> Networks | None:
    try:
        content = path.read_bytes()
    except OSError as error:
        say_once(path.name, str(error))
        return None
    if hashlib.sha256(content).hexdigest() != found.networks:
        say_once(path.name, "the file is damaged")
        return None
    first, *lines = lzma.decompress(content).split(b"\n")
    head = json.loads(first)
    ways = tuple((from_s, until_s, answer) for from_s, until_s, answer in head["ways"])
    return Networks(tuple(head["rounds"]), tuple(lines), ways)
