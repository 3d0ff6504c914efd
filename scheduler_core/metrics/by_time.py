"""Sort what happens to tasks by time, in time linear in the number of tasks."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.jit import kernel

Ints = npt.NDArray[np.int64]
Places = npt.NDArray[np.int32]

Pairs = tuple[Ints, Places]

_BITS = 11
_TOP = 3 * _BITS
"""The upper bits by which times are sorted first: what is left out of order then is little."""
_MOVES = 4
"""The moves for each time after which insertion gives way to sorting by all bits."""
_FEW = 1 << 12
"""Fewer times are sorted by NumPy: counting would touch more memory than they have."""


@kernel
def _pass(times, places, shift, counts, times_to, places_to) -> None:  # type: ignore[no-untyped-def]
    """Move (time, place) pairs into the order of one digit of the time; equal digits keep their order."""
    mask = len(counts) - 1
    counts[:] = 0
    for i in range(len(times)):
        counts[(times[i] >> shift) & mask] += 1
    at = 0
    for digit in range(len(counts)):
        number = counts[digit]
        counts[digit] = at
        at += number
    for i in range(len(times)):
        digit = (times[i] >> shift) & mask
        to = counts[digit]
        counts[digit] = to + 1
        times_to[to] = times[i]
        places_to[to] = places[i]


@kernel
def _insert(times, places, most) -> bool:  # type: ignore[no-untyped-def]
    """Sort pairs that are nearly in order by insertion; give up, and return False, after `most` moves."""
    moves = 0
    for i in range(1, len(times)):
        time, place, to = times[i], places[i], i
        while to > 0 and times[to - 1] > time:
            times[to], places[to] = times[to - 1], places[to - 1]
            to -= 1
        if to < i:
            times[to], places[to] = time, place
            moves += i - to
            if moves > most:
                return False
    return True


def by_time(times: Ints, places: Places) -> tuple[Ints, Places]:
    """Return times (ns, none below 0) and their places in order of time; equal times keep their order.

    The arrays given may be overwritten.
    """
    if len(times) < _FEW:
        order = np.argsort(times, kind="stable")
        return times[order], places[order]
    scratch = np.empty_like(times), np.empty_like(places)
    bits = int(times.max()).bit_length()
    lowest = max(bits - _TOP, 0)
    (times, places), scratch = _by_digits((times, places), scratch, lowest, bits)
    if lowest and not _insert(times, places, _MOVES * len(times)):
        (times, places), scratch = _by_digits((times, places), scratch, 0, bits)
    return times, places


def _by_digits(pairs: Pairs, scratch: Pairs, lowest: int, bits: int) -> tuple[Pairs, Pairs]:
    """Sort pairs by the bits of their times from `lowest` on; return them, and what is scratch now."""
    counts = np.zeros(1 << _BITS, np.int64)
    for shift in range(lowest, bits, _BITS):
        _pass(*pairs, shift, counts, *scratch)
        pairs, scratch = scratch, pairs
    return pairs, scratch
