"""Divide the machines of each cluster among the Global Masters: one partition for each of them."""

from __future__ import annotations


def partitions_of(first: int, end: int, owners: int) -> list[tuple[int, int, int]]:
    """Return the partitions of machines first .. end-1, one for each owner, as (owner, first machine, machines).

    One for each owner, as even as can be. With no owners there is one partition, of owner 255 (nobody).
    """
    if not owners:
        return [(255, first, end - first)]
    edges = [first + (end - first) * owner // owners for owner in range(owners + 1)]
    return [(owner, edges[owner], edges[owner + 1] - edges[owner]) for owner in range(owners)]
