"""Pack Pigeon's state under the rules of the constraint-aware program, including its weights of masters."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import NOBODY, Records, World, records
from scheduler_core.schedulers.probing.pigeon.aware import AwareState
from scheduler_core.schedulers.probing.pigeon.state import LIST


def pack_aware(world: World, rules: Records, worker: Records, masters: int) -> AwareState:
    """Pack the state at time zero; `rules` and `worker` are filled, and each task's `kind` is its queue."""
    queue = records((masters, 2), LIST)
    queue["first"] = queue["last"] = NOBODY
    first = np.searchsorted(worker["master"], np.arange(masters + 1)).astype(np.int32)
    sizes, size_of = np.unique(world.capacity, axis=0, return_inverse=True)
    size: npt.NDArray[np.bool_] = np.all(sizes[np.newaxis] >= world.demand[:-1, np.newaxis], axis=2)
    return AwareState(
        rules=rules,
        worker=worker,
        queue=queue,
        turns=np.zeros(masters, np.int64),
        first=first,
        properties=np.bitwise_count(world.machine["offers"]).astype(np.int32),
        size=size.astype(np.uint8),
        size_of=size_of.ravel().astype(np.int32),
        weight=_weights(world, first),
    )


def _weights(world: World, first: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    """Return the cumulative weights of the masters for each class of demand, int64 (classes, masters).

    The program keeps the sets of properties that are no part of an earlier kept one, each with a count: a worker whose
    set is part of kept ones adds 1 to each of those. A master's weight is the sum of the counts of the sets that
    contain what is asked for.
    """
    offers, asks = world.machine["offers"], world.asks[:-1]
    weight = np.zeros((len(asks), len(first) - 1), np.int64)
    for master in range(weight.shape[1]):
        kept, counts = _kept(offers[first[master] : first[master + 1]])
        weight[:, master] = ((kept[np.newaxis] & asks[:, np.newaxis]) == asks[:, np.newaxis]) @ counts
    cumulative: npt.NDArray[np.int64] = np.cumsum(weight, axis=1)
    return cumulative


def _kept(offers: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the kept sets of a master's workers and their counts."""
    kept: list[int] = []
    counts: list[int] = []
    for mask in offers.tolist():
        inside = [number for number, other in enumerate(kept) if mask & ~other == 0]
        for number in inside:
            counts[number] += 1
        if not inside:
            kept.append(mask)
            counts.append(1)
    return np.array(kept, np.int64), np.array(counts, np.int64)
