"""A Global Master's view under the rules of the constraint-aware program, and its choice of a machine.

The machines of a partition are bits. A machine suits a task if its bit is set in the Global Master's view, in the set
of machines that are large enough, and in the set of each constraint of the task.
"""

from __future__ import annotations

import numpy as np

from scheduler_core.engine import rng
from scheduler_core.engine.bits import flip_bit, has_bit, lowest_bit
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.schedulers.federated.megha.aware.state import AwareState

_ONE = np.uint64(1)
_ZERO = np.uint64(0)


@inner
def see(s: AwareState, gm: int, machine: int, free: bool) -> None:
    """Set whether the Global Master believes the machine to be free."""
    place = s.place[machine]
    if has_bit(s.free, gm, place.word, place.bit) != free:
        flip_bit(s.free, gm, place.word, place.bit)
        s.free_count[gm, place.partition] += 1 if free else -1


@inner
def is_free(s: AwareState, machine: int) -> bool:
    """Return whether no task holds the machine, in truth."""
    place = s.place[machine]
    free: bool = has_bit(s.free, s.gm.shape[0], place.word, place.bit)
    return free


@inner
def change_truth(s: AwareState, machine: int) -> None:
    """Turn the machine from free to busy, or back, in truth."""
    place = s.place[machine]
    flip_bit(s.free, s.gm.shape[0], place.word, place.bit)


@inner
def suits(w: World, s: AwareState, machine: int, demand: int) -> bool:
    """Return whether the machine, were it empty, could hold the demand and offers all that it asks for."""
    asks = w.asks[demand]
    if (w.machine[machine].offers & asks) != asks:
        return False
    place = s.place[machine]
    large: bool = has_bit(s.size, s.size_of[demand], place.word, place.bit)
    return large


@inner
def _suitable(w: World, s: AwareState, gm: int, word: int, demand: int) -> np.uint64:
    """Return the bits of a word's machines that look free and suit the demand."""
    found: np.uint64 = s.free[gm, word] & s.size[s.size_of[demand], word]
    left = np.uint64(w.asks[demand])
    while found != _ZERO and left != _ZERO:
        number = lowest_bit(left)
        left ^= _ONE << np.uint64(number)
        found &= s.offer[number, word]
    return found


@inner
def _pick_in(w: World, s: AwareState, gm: int, number: int, demand: int) -> int:
    """Return a suitable machine of a partition, or NOBODY: a random one, or the one with the fewest properties."""
    partition, me, rules = s.partition[number], s.gm[gm], s.rules[0]
    count, best = 0, NOBODY
    for word in range(partition.first_word, partition.first_word + partition.words):
        found = _suitable(w, s, gm, word, demand)
        while found != _ZERO:
            count += 1
            machine = partition.first + ((word - partition.first_word) << 6) + lowest_bit(found)
            found &= found - _ONE
            if best == NOBODY or (rules.fewest == 1 and s.place[machine].properties < s.place[best].properties):
                best = machine
    if count < 2 or rules.fewest == 1:
        return best
    wanted = rng.below(w.control[0].seed, rng.STREAM_PICK, gm, me.draws, count)
    me.draws += 1
    for word in range(partition.first_word, partition.first_word + partition.words):
        found = _suitable(w, s, gm, word, demand)
        while found != _ZERO:
            if wanted == 0:
                drawn: int = partition.first + ((word - partition.first_word) << 6) + lowest_bit(found)
                return drawn
            wanted -= 1
            found &= found - _ONE
    return best


@inner
def search(w: World, s: AwareState, gm: int, demand: int) -> int:
    """Return a machine for the demand as the Global Master sees it, or NOBODY.

    Own partitions go first, then others', both in the order of the Local Masters and always from the first of them.
    """
    masters = s.gm.shape[0]
    for lm in range(s.lm.shape[0]):
        number = lm * masters + gm
        if s.free_count[gm, number] > 0:
            machine = _pick_in(w, s, gm, number, demand)
            if machine != NOBODY:
                return machine
    for number in range(s.partition.shape[0]):
        if s.partition[number].owner != gm and s.free_count[gm, number] > 0:
            machine = _pick_in(w, s, gm, number, demand)
            if machine != NOBODY:
                return machine
    return NOBODY
