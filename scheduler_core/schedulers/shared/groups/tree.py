"""Build the tree of groups and queues that the queues' `parent` fields define."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scheduler_core.engine.records import NOBODY, Records, records
from scheduler_core.experiment.sections import Queue

FLAT, NAIVE, HDRF = range(3)
"""How groups compare: not at all, by the sum of what is used in them, or by hierarchical DRF."""
NODE = np.dtype(
    [
        ("parent", "i4"),  # always of a smaller number; NOBODY for the root
        ("queue", "i4"),  # NOBODY for a group
        ("wants", "i4"),  # 1: a queue below it has a task that may start now
        ("blocked", "i4"),  # 1: nothing below it could run one more task
        ("weight", "f8"),
        ("share", "f8"),  # dominant share by weight
    ]
)


def tree_of(queues: Sequence[Queue]) -> Records:
    """Return the tree as NODE records: the root, groups before what is in them, then the queues by number.

    A queue's weight is its share; a group's is the sum of what is in it.
    """
    paths: dict[str, int] = {"": 0}
    rows: list[tuple[int, int]] = [(NOBODY, NOBODY)]
    for path in [queue.parent or "" for queue in queues]:
        steps = path.split("/") if path else []
        for depth in range(len(steps)):
            name, above = "/".join(steps[: depth + 1]), "/".join(steps[:depth])
            if name not in paths:
                paths[name] = len(rows)
                rows.append((paths[above], NOBODY))
    rows += [(paths[queue.parent or ""], number) for number, queue in enumerate(queues)]
    node = records(len(rows), NODE)
    node["parent"], node["queue"] = zip(*rows, strict=True)
    for number, queue in enumerate(queues):
        at = len(paths) + number
        while at != NOBODY:
            node["weight"][at] += queue.share
            at = int(node["parent"][at])
    return node
