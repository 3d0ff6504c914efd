"""The names behind the numbers in a decision row."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Names:
    """The names behind the numbers in a decision row; its number replaces a missing name."""

    resources: tuple[str, ...] = ()
    queues: tuple[str, ...] = ()
    owners: tuple[int, ...] = ()  # the GM of each queue
    constraints: tuple[str, ...] = ()
    stops: frozenset[tuple[int, int]] = frozenset()  # (time in ns, task) of each event that stops a task


_MADE = re.compile(r"(?:lm-|q)(\d+)")
#: Default names of an experiment's only cluster, and names in the project's own experiments: pages write them alike.
_ONLY = ("lm", "machines")
_HALL = re.compile(r"hall-(\d+)")


def bare_name(name: str) -> str:
    """Return the number of a cluster or queue that nobody named (`lm-3`, `q0`), and any other name as it is."""
    found = _MADE.fullmatch(name)
    return found[1] if found else name


def cluster_name(name: str) -> str:
    """Return a cluster's name for a sentence, as pages write it: "Cluster 3" if nobody named it."""
    if name in _ONLY:
        return "Cluster 0"
    if hall := _HALL.fullmatch(name):
        return f"Hall {hall[1]}"
    return name if bare_name(name) == name else f"Cluster {bare_name(name)}"


def queue_name(name: str) -> str:
    """Return a queue's name for a sentence, as pages write it: "Queue 0" if nobody named it."""
    return f"queue {name}" if bare_name(name) == name else f"Queue {bare_name(name)}"
