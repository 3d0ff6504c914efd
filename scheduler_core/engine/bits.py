"""Sets of small integers stored as bits of 64-bit words. A row of a two-dimensional array holds one or more sets."""

from __future__ import annotations

from typing import Any

import numpy as np

from scheduler_core.engine.jit import inner, zeros_counter
from scheduler_core.engine.records import NOBODY

Bits = Any
"""uint64 (rows, words)."""

_low_zeros = zeros_counter("cttz", lambda word: (int(word) & -int(word)).bit_length() - 1)
_high_zeros = zeros_counter("ctlz", lambda word: 64 - int(word).bit_length())
_ONE = np.uint64(1)
_ZERO = np.uint64(0)


@inner
def has_bit(bits: Bits, row: int, word: int, bit: int) -> bool:
    """Return True if bit `bit` (0 to 63) of a word is 1."""
    found: bool = (bits[row, word] >> np.uint64(bit)) & _ONE != _ZERO
    return found


@inner
def flip_bit(bits: Bits, row: int, word: int, bit: int) -> None:
    """Invert bit `bit` (0 to 63) of a word."""
    bits[row, word] ^= _ONE << np.uint64(bit)


@inner
def lowest_bit(word: np.uint64) -> int:
    """Return the position of the lowest set bit of a nonzero word."""
    return _low_zeros(word)


@inner
def highest_bit(number: int) -> int:
    """Return the position of the highest set bit of a number above 0."""
    return 63 - _high_zeros(np.uint64(number))


@inner
def next_bit(bits: Bits, row: int, first_word: int, start: int, end: int) -> int:
    """Return the first member from `start` to `end` - 1 of the set that begins at `first_word`, or NOBODY."""
    if start >= end:
        return NOBODY
    at = start >> 6
    word = bits[row, first_word + at] >> np.uint64(start & 63)
    if word != _ZERO:
        found = start + lowest_bit(word)
        return found if found < end else NOBODY
    last = (end - 1) >> 6
    at += 1
    while at <= last:
        word = bits[row, first_word + at]
        if word != _ZERO:
            found = (at << 6) + lowest_bit(word)
            return found if found < end else NOBODY
        at += 1
    return NOBODY


@inner
def next_common_bit(bits: Bits, row: int, first_word: int, start: int, end: int, sets: Bits, members: int) -> int:
    """Return the next set bit like `next_bit`, also set in every row of `sets` whose bit in `members` is set."""
    if start >= end:
        return NOBODY
    at, last = start >> 6, (end - 1) >> 6
    word = bits[row, first_word + at] >> np.uint64(start & 63) << np.uint64(start & 63)
    while True:
        left = np.uint64(members)
        while word != _ZERO and left != _ZERO:
            number = lowest_bit(left)
            left ^= _ONE << np.uint64(number)
            word &= sets[number, at]
        if word != _ZERO:
            found = (at << 6) + lowest_bit(word)
            return found if found < end else NOBODY
        at += 1
        if at > last:
            return NOBODY
        word = bits[row, first_word + at]
