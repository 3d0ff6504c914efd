"""One bit vector over all machines for each constraint: AND them to find the machines that can hold a task."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.constraints.offers import Masks
from scheduler_core.engine.jit import kernel

Words = npt.NDArray[np.uint64]


def bits_of(masks: Masks, constraints: int) -> npt.NDArray[np.bool_]:
    """Return bit c of each mask, bool (masks, constraints)."""
    found: npt.NDArray[np.bool_] = (masks[:, None] >> np.arange(constraints) & 1).astype(np.bool_)
    return found


def packed_bits(masks: Masks, constraints: int) -> Words:
    """Return bit-vectors over machines, uint64 (constraints, words): bit m of row c is 1 if m offers c."""
    words = np.zeros((constraints, -(-len(masks) // 64)), np.uint64)
    _pack(np.ascontiguousarray(masks), words)
    return words


def eligible(words: Words, masks: Masks, machines: int) -> Masks:
    """Return how many machines offer all of each mask."""
    counts = np.full(len(masks), machines, np.int64)
    _count(words, np.ascontiguousarray(masks), counts)
    return counts


@kernel
def _pack(masks: Any, words: Any) -> None:
    for machine in range(masks.shape[0]):
        for c in range(words.shape[0]):
            words[c, machine >> 6] |= np.uint64(masks[machine] >> c & 1) << np.uint64(machine & 63)


@kernel
def _count(words: Any, masks: Any, counts: Any) -> None:
    """Set the count of each mask that asks for something."""
    for number in range(masks.shape[0]):
        mask = masks[number]
        if mask == 0:
            continue
        total = np.uint64(0)
        for w in range(words.shape[1]):
            both = ~np.uint64(0)
            for c in range(words.shape[0]):
                if mask >> c & 1:
                    both &= words[c, w]
            # The number of bits set, in parallel: pairs, nibbles, bytes, and their sum in the highest byte.
            both -= (both >> np.uint64(1)) & np.uint64(0x5555555555555555)
            both = (both & np.uint64(0x3333333333333333)) + ((both >> np.uint64(2)) & np.uint64(0x3333333333333333))
            both = (both + (both >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
            total += (both * np.uint64(0x0101010101010101)) >> np.uint64(56)
        counts[number] = np.int64(total)
