"""What the profiles of Megha's public programs share: the layout of partitions, and the first events."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from scheduler_core.cluster import Cluster
from scheduler_core.cluster.partitions import partitions_of
from scheduler_core.engine.records import EVENT, NOBODY, World, records

PARTITION = np.dtype([("first", "i4"), ("owner", "i4"), ("first_word", "i4"), ("words", "i4")])
"""A Global Master's part of a cluster, whose machines begin a word of bits."""


def lay_out(cluster: Cluster, machines: int, place_type: np.dtype[Any]) -> tuple[Any, Any]:
    """Divide each cluster among the Global Masters: (PARTITION of every partition, `place_type` of every machine)."""
    masters = cluster.global_masters
    partition = records(len(cluster.cluster_names) * masters, PARTITION)
    place = records(machines, place_type)
    for number in range(len(cluster.cluster_names)):
        first, end = int(cluster.cluster_first[number]), int(cluster.cluster_first[number + 1])
        for owner, start, count in partitions_of(first, end, masters):
            row = partition[number * masters + owner]
            row.first, row.owner, row.words = start, owner, (count + 63) // 64
            mine = place[start : start + count]
            mine["partition"], mine["owner"] = number * masters + owner, owner
            mine["word"], mine["bit"] = np.arange(count) >> 6, np.arange(count) & 63
    # A partition may be empty: it has no words, and no view ever opens it.
    partition["first_word"] = np.cumsum(partition["words"]) - partition["words"]
    place["word"] += partition["first_word"][place["partition"]]
    place["borrower"] = NOBODY
    return partition, place


def first_events(world: World, events: Iterable[tuple[int, int]]) -> None:
    """Schedule the first events, (time in ns, kind) in order of time; what is of one instant goes as it is listed."""
    heap = world.heap
    assert heap.dtype == EVENT
    for place, (time_ns, kind) in enumerate(events):
        heap[place].time_ns, heap[place].order, heap[place].a = time_ns, kind, 0
        heap[place].b = np.float64(time_ns / 1e9).view(np.int64)
        world.control["heap_size"] = place + 1
    world.control["next_job"] = 1
