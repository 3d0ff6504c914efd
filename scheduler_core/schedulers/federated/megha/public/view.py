"""A Global Master's view under the public simulator's rules: every update copies the true state of all clusters.

Only words in which the view may differ are copied: those in which the GM matched tasks, and those that have changed
since the last copy.
"""

from __future__ import annotations

import numpy as np

from scheduler_core.engine import rng
from scheduler_core.engine.bits import flip_bit, has_bit, lowest_bit, next_bit
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.schedulers.federated.megha.public.state import PublicState

_ONE = np.uint64(1)


@inner
def _members(word: np.uint64) -> int:
    """Return how many bits of a word are set."""
    word -= (word >> _ONE) & np.uint64(0x5555555555555555)
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))  # type: ignore[return-value]


@inner
def _nth_member(bits, row: int, first_word: int, n: int) -> int:  # type: ignore[no-untyped-def]
    """Return member number n, from 0, of the set that begins at `first_word`; it has more than n members."""
    at = first_word
    while True:
        count = _members(bits[row, at])
        if n < count:
            break
        n -= count
        at += 1
    word = bits[row, at]
    for _ in range(n):
        word &= word - _ONE
    found: int = ((at - first_word) << 6) + lowest_bit(word)
    return found


@inner
def _count_free(w: World, s: PublicState, gm: int, partition: int, change: int) -> None:
    """Add free machines to the GM's count of a partition, which may open or close the partition for it."""
    before = s.free_count[gm, partition]
    after = before + change
    s.free_count[gm, partition] = after
    if (before == 0) == (after == 0):
        return
    step = 1 if before == 0 else -1
    if s.partition[partition].owner == gm:
        s.gm[gm].own_open += step
        cluster = partition // s.gm.shape[0]
        flip_bit(s.open, gm, cluster >> 6, cluster & 63)
    else:
        s.gm[gm].others_open += step
        flip_bit(s.open, gm, s.rules[0].others_word + (partition >> 6), partition & 63)


@inner
def _mark_dirty(s: PublicState, gm: int, word: int) -> None:
    if s.is_dirty[gm, word] == 0:
        s.is_dirty[gm, word] = 1
        s.dirty[gm, s.gm[gm].dirty] = word
        s.gm[gm].dirty += 1


@inner
def take_in_view(w: World, s: PublicState, gm: int, machine: int) -> None:
    """Mark a machine as busy in the GM's view until the next update."""
    place = s.place[machine]
    flip_bit(s.free, gm, place.word, place.bit)
    _count_free(w, s, gm, place.partition, -1)
    _mark_dirty(s, gm, place.word)


@inner
def is_free(s: PublicState, machine: int) -> bool:
    """Return whether no task holds the machine, in truth."""
    place = s.place[machine]
    free: bool = has_bit(s.free, s.gm.shape[0], place.word, place.bit)
    return free


@inner
def change_truth(s: PublicState, machine: int) -> None:
    """Note that a machine was taken or freed."""
    place = s.place[machine]
    flip_bit(s.free, s.gm.shape[0], place.word, place.bit)
    for gm in range(s.gm.shape[0]):
        _mark_dirty(s, gm, place.word)


@inner
def copy_truth(w: World, s: PublicState, gm: int) -> None:
    """Copy the present truth to the GM's view."""
    truth = s.gm.shape[0]
    for number in range(s.gm[gm].dirty):
        word = s.dirty[gm, number]
        s.is_dirty[gm, word] = 0
        old, new = s.free[gm, word], s.free[truth, word]
        if old != new:
            s.free[gm, word] = new
            _count_free(w, s, gm, s.word_partition[word], _members(new) - _members(old))
    s.gm[gm].dirty = 0


@inner
def pick(w: World, s: PublicState, gm: int, demand: int, others: int) -> int:
    """Return a free machine in the GM's view, or NOBODY: any partition that has one, then any machine of it.

    From its own partitions, or with `others` 1 from those of other GMs.
    """
    me, seed = s.gm[gm], w.control[0].seed
    opened = me.others_open if others == 1 else me.own_open
    first_word = s.rules[0].others_word if others == 1 else 0
    if s.fits_anywhere[demand] == 0:
        return _pick_large(w, s, gm, demand, others)
    if opened == 0:
        return NOBODY
    found = _nth_member(s.open, gm, first_word, rng.below(seed, rng.STREAM_PICK, gm, me.draws, opened))
    number = found if others == 1 else found * s.gm.shape[0] + gm
    partition = s.partition[number]
    one = rng.below(seed, rng.STREAM_PICK, gm, me.draws + 1, s.free_count[gm, number])
    me.draws += 2
    machine: int = partition.first + _nth_member(s.free, gm, partition.first_word, one)
    return machine


@inner
def _can_hold(w: World, machine: int, demand: int) -> bool:
    """Return whether the machine could hold the demand when empty."""
    asks = w.asks[demand]
    if (w.machine[machine].offers & asks) != asks:
        return False
    for r in range(w.demand.shape[1]):
        if w.capacity[machine, r] < w.demand[demand, r]:
            return False
    return True


@inner
def _able_in(w: World, s: PublicState, gm: int, number: int, demand: int, wanted: int) -> tuple[int, int]:
    """Return (free able machines of a partition, the one of number `wanted` or NOBODY)."""
    partition = s.partition[number]
    count, machine, found = 0, NOBODY, -1
    while True:
        found = next_bit(s.free, gm, partition.first_word, found + 1, partition.words << 6)
        if found == NOBODY:
            return count, machine
        if _can_hold(w, partition.first + found, demand):
            if count == wanted:
                machine = partition.first + found
            count += 1


@inner
def _pick_large(w: World, s: PublicState, gm: int, demand: int, others: int) -> int:
    """Pick like `pick`, for a demand that only some machines can hold: look at all free ones."""
    me, seed = s.gm[gm], w.control[0].seed
    opened = 0
    for number in range(s.partition.shape[0]):
        if (s.partition[number].owner != gm) == (others == 1) and _able_in(w, s, gm, number, demand, -1)[0] > 0:
            opened += 1
    if opened == 0:
        return NOBODY
    left = rng.below(seed, rng.STREAM_PICK, gm, me.draws, opened)
    number = -1
    while left >= 0:
        number += 1
        if (s.partition[number].owner != gm) == (others == 1) and _able_in(w, s, gm, number, demand, -1)[0] > 0:
            left -= 1
    count = _able_in(w, s, gm, number, demand, -1)[0]
    one = rng.below(seed, rng.STREAM_PICK, gm, me.draws + 1, count)
    me.draws += 2
    machine: int = _able_in(w, s, gm, number, demand, one)[1]
    return machine
