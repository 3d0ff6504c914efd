"""Sort what happens to tasks by time, in time linear in the number of tasks."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.jit import kernel

Ints = npt.NDArray[np.int64]
Places = npt.NDArray[np.int32]

_BITS = 11
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


def by_time(times: Ints, places: Places) -> tuple[Ints, Places]:
    """Return times (ns, none below 0) and their places in order of time; equal times keep their order.

    The arrays given may be overwritten.
    """
    if len(times) < _FEW:
        order = np.argsort(times, kind="stable")
        return times[order], places[order]
    other, others, counts = np.empty_like(times), np.empty_like(places), np.zeros(1 << _BITS, np.int64)
    for shift in range(0, int(times.max()).bit_length(), _BITS):
        _pass(times, places, shift, counts, other, others)
        times, other, places, others = other, times, others, places
    return times, places
