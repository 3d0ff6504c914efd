"""Select single places of the sorted order of many values, without sorting them."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.jit import kernel

Ints = npt.NDArray[np.int64]

_FEW = 1 << 16
"""NumPy selects among fewer values: clearing and adding up the bins takes longer than that."""
_PART = 1 << 16
"""Number of values that become floats at a time."""
_SHIFT = 42
_FIRST = 1023 << 10
"""Upper bits of the float 1.0: exponent and the first ten bits of the fraction number the bins, 1,024 an octave."""
_BINS = (64 << 10) + 1


@kernel
def _count(bits, counts) -> None:  # type: ignore[no-untyped-def]
    """Count the values of each bin; `bits` are those of the values as floats, which keep the values' order."""
    for i in range(len(bits)):
        counts[max((bits[i] >> _SHIFT) - _FIRST + 1, 0)] += 1


@kernel
def _collect(values, bits, place, out) -> None:  # type: ignore[no-untyped-def]
    """Write the values of the wanted bins to `out`, each bin from its `place` on (-1: not wanted)."""
    for i in range(len(values)):
        at = max((bits[i] >> _SHIFT) - _FIRST + 1, 0)
        if place[at] >= 0:
            out[place[at]] = values[i]
            place[at] += 1


def _parts(values: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Yield the values, and their bits as floats, part by part in the same memory: whole copies take longer."""
    floats = np.empty(_PART)
    for first in range(0, len(values), _PART):
        part = values[first : first + _PART]
        floats[: len(part)] = part
        yield part, floats[: len(part)].view(np.int64)


def values_at(values: Ints, places: Collection[int]) -> dict[int, int]:
    """Return the values at some places of the sorted order, from 0; no value is below 0."""
    wanted = sorted(set(places))
    if len(values) < _FEW:
        ordered = np.partition(values, wanted)
        return {place: int(ordered[place]) for place in wanted}
    counts = np.zeros(_BINS, np.int64)
    for _, bits in _parts(values):
        _count(bits, counts)
    until = np.cumsum(counts)
    bins = np.searchsorted(until, wanted, "right")
    chosen = np.unique(bins)
    first = np.cumsum(counts[chosen]) - counts[chosen]
    start = np.full(_BINS, -1)
    start[chosen] = first
    out = np.empty(int(counts[chosen].sum()), np.int64)
    for part, bits in _parts(values):
        _collect(part, bits, start, out)
    found: dict[int, int] = {}
    for at, begin in zip(chosen.tolist(), first.tolist(), strict=True):
        some = out[begin : begin + int(counts[at])]
        before = int(until[at] - counts[at])
        mine = [place for place, own in zip(wanted, bins.tolist(), strict=True) if own == at]
        some.partition([place - before for place in mine])
        found |= {place: int(some[place - before]) for place in mine}
    return found
