"""Kinds of tasks that found no machine, and which of them fit a machine that the view has gained."""

from __future__ import annotations

import numpy as np

from scheduler_core.engine.bits import has_bit, lowest_bit
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.schedulers.federated.megha.paper.state import MeghaState
from scheduler_core.schedulers.federated.megha.paper.view import believed_to_fit, scan

_ONE, _NONE, _ALL = np.uint64(1), np.uint64(0), np.uint64(0xFFFFFFFFFFFFFFFF)


@inner
def order_of(s: MeghaState, queue: int, place: int) -> int:
    """Return a waiting task's `order` (state.SLEEPER)."""
    order: int = (int(s.queue[queue].position) << 32) | place
    return order


@inner
def sleeper_word(s: MeghaState, gm: int, word: int) -> int:
    """Return the row of `asking` that tells of the GM's sleepers 64 * word .. + 63."""
    at: int = gm * (s.asking.shape[0] // s.gm.shape[0]) + word
    return at


@inner
def sleepers_allowed(s: MeghaState, gm: int, word: int, offers: int) -> np.uint64:
    """Return rows 64 * word .. + 63 of the GM's sleepers that need only what a machine offers, as bits."""
    asleep = s.gm[gm].asleep
    rows = _ALL if asleep >= (word + 1) << 6 else (_ONE << np.uint64(asleep & 63)) - _ONE
    at = sleeper_word(s, gm, word)
    lacking = np.uint64(~offers & ((1 << s.offer.shape[0]) - 1))
    while lacking != _NONE and rows != _NONE:
        number = lowest_bit(lacking)
        lacking ^= _ONE << np.uint64(number)
        rows &= ~s.asking[at, number]
    return rows


@inner
def note_gain(w: World, s: MeghaState, gm: int, machine: int) -> None:
    """Note a machine that the view gained, if it looks able to hold a kind that sleeps."""
    me = s.gm[gm]
    if me.asleep == 0 or not has_bit(s.bits, gm, s.rules[0].machines_word + (machine >> 6), machine & 63):
        return
    offers = w.machine[machine].offers
    for word in range((me.asleep + 63) >> 6):
        rows = sleepers_allowed(s, gm, word, offers)
        while rows != _NONE:
            bit = lowest_bit(rows)
            rows ^= _ONE << np.uint64(bit)
            if believed_to_fit(w, s, gm, machine, s.sleeper[gm, (word << 6) + bit].demand):
                if me.gained < s.gained.shape[1]:
                    s.gained[gm, me.gained] = machine
                me.gained += 1
                me.hopes = 1
                return


@inner
def first_sleeper(w: World, s: MeghaState, gm: int, before: int) -> tuple[int, int]:
    """Return (row, turn) of the first sleeping kind that a gained machine holds; row NOBODY if none.

    Kinds come by their queue's turn (how many queues are served before it), within a queue by place; only one before
    turn * 2**32 + place is looked for. Only what the view gained can hold a kind that slept, and of that only what is
    still free.
    """
    me = s.gm[gm]
    best = NOBODY
    if me.gained > s.gained.shape[1]:
        for row in range(me.asleep):
            order = _order_now(s, gm, row)
            if order < before and scan(w, s, gm, s.sleeper[gm, row].demand, 0, w.machine.shape[0]) != NOBODY:
                best, before = row, order
        return best, before >> 32
    number = 0
    while number < me.gained:
        machine = s.gained[gm, number]
        if not has_bit(s.bits, gm, s.rules[0].machines_word + (machine >> 6), machine & 63):
            me.gained -= 1
            s.gained[gm, number] = s.gained[gm, me.gained]
            continue
        number += 1
        offers = w.machine[machine].offers
        for word in range((me.asleep + 63) >> 6):
            rows = sleepers_allowed(s, gm, word, offers)
            while rows != _NONE:
                bit = lowest_bit(rows)
                rows ^= _ONE << np.uint64(bit)
                row = (word << 6) + bit
                order = _order_now(s, gm, row)
                if order < before and believed_to_fit(w, s, gm, machine, s.sleeper[gm, row].demand):
                    best, before = row, order
    return best, before >> 32


@inner
def _order_now(s: MeghaState, gm: int, row: int) -> int:
    """Return a sleeper's order as queues take turns, counted from the queue that is served next."""
    me = s.gm[gm]
    order: int = s.sleeper[gm, row].order - (int(me.queue_cursor) << 32)
    return order if order >= 0 else order + (int(me.queues) << 32)
