"""A Global Master's view of the datacenter, and its search. Module `updates` keeps the view current."""

from __future__ import annotations

from scheduler_core.engine.bits import flip_bit, has_bit, next_bit, next_common_bit
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.schedulers.federated.megha.paper.state import MeghaState


@inner
def change_view(w: World, s: MeghaState, gm: int, machine: int, demand: int, sign: int) -> None:
    """Add (sign 1) or take (-1) a demand in the GM's view of a machine; keeps the sets of candidates true."""
    able = True
    smallest = w.demand.shape[0] - 1
    for r in range(w.demand.shape[1]):
        amount = s.believed[gm, machine, r] + sign * w.demand[demand, r]
        s.believed[gm, machine, r] = amount
        if amount < w.demand[smallest, r]:
            able = False
    set_candidate(w, s, gm, machine, able)


@inner
def change_service(w: World, s: MeghaState, gm: int, machine: int, sign: int) -> None:
    """Put a machine into (1) or out of (-1) service in the GM's view, as engine.incidents withholds it."""
    able = True
    smallest = w.demand.shape[0] - 1
    for r in range(w.demand.shape[1]):
        amount = s.believed[gm, machine, r] + sign * (w.capacity[machine, r] + 1)
        s.believed[gm, machine, r] = amount
        if amount < w.demand[smallest, r]:
            able = False
    set_candidate(w, s, gm, machine, able)


@inner
def set_candidate(w: World, s: MeghaState, gm: int, machine: int, able: bool) -> None:
    """Set whether the machine looks able to hold the smallest demand, and update the sets."""
    word = s.rules[0].machines_word + (machine >> 6)
    if able != has_bit(s.bits, gm, word, machine & 63):
        flip_bit(s.bits, gm, word, machine & 63)
        _count_candidate(w, s, gm, machine, 1 if able else -1)


@inner
def _count_candidate(w: World, s: MeghaState, gm: int, machine: int, step: int) -> None:
    """Count a machine that became a candidate (1) or ceased to be one (-1); its partition may open or close."""
    place = s.place[machine]
    seen = s.seen_partition[gm, place.partition]
    seen.candidates += step
    if seen.candidates == (1 if step == 1 else 0):
        if place.owner == gm:
            cluster = w.machine[machine].cluster
            flip_bit(s.bits, gm, cluster >> 6, cluster & 63)
        else:
            flip_bit(s.bits, gm, s.rules[0].others_word + (place.partition >> 6), place.partition & 63)


@inner
def believed_to_fit(w: World, s: MeghaState, gm: int, machine: int, demand: int) -> bool:
    """Return whether the GM believes that the machine's free resources hold the demand.

    Source: Megha, Section IV-B2, equation 6.
    """
    for r in range(w.demand.shape[1]):
        if s.believed[gm, machine, r] < w.demand[demand, r]:
            return False
    return True


@inner
def scan(w: World, s: MeghaState, gm: int, demand: int, first: int, end: int) -> int:
    """Return the first machine in first .. end-1 that the GM believes can hold the demand, or NOBODY.

    Source: Megha, Section IV-B3, Algorithm 1, equations 5 and 6.
    """
    word, asks = s.rules[0].machines_word, w.asks[demand]
    machine = first - 1
    while True:
        machine = next_common_bit(s.bits, gm, word, machine + 1, end, s.offer, asks)
        if machine == NOBODY or believed_to_fit(w, s, gm, machine, demand):
            return machine


@inner
def _search_partition(w: World, s: MeghaState, gm: int, partition: int, demand: int) -> tuple[int, int]:
    """Return (machine or NOBODY, machines passed over): first fit, or on from the partition's last search."""
    seen = s.seen_partition[gm, partition]
    cursor = seen.first if s.rules[0].first_fit == 1 else seen.cursor
    first, end, passed = cursor, seen.end, 0
    while True:  # from the cursor to the end, then from the beginning to the cursor
        machine = scan(w, s, gm, demand, first, end)
        if machine != NOBODY:
            # On to the next machine: before the check of the request, a message may make this one look free again.
            seen.cursor = machine + 1 if machine + 1 < seen.end else seen.first
            return machine, passed + machine - first + 1
        passed += end - first
        if end == cursor:
            return NOBODY, passed
        first, end = seen.first, cursor


@inner
def _search_round(
    w: World, s: MeghaState, gm: int, demand: int, word: int, cursor: int, end: int, stride: int, offset: int
) -> tuple[int, int, int, int]:
    """Search one set of open partitions.

    Return (machine or NOBODY, its place, machines and partitions passed over, machines of the searched partitions).
    Round robin from `cursor` over the set that begins at `word` and has `end` members; member i is partition
    i * stride + offset. A partition without candidates costs as much as one machine.
    """
    passed, searched = 0, 0
    at, stop, wrapped = cursor, end, False
    while True:
        found = next_bit(s.bits, gm, word, at, stop)
        if found == NOBODY:
            passed += stop - at
            if wrapped:
                return NOBODY, 0, passed, searched
            at, stop, wrapped = 0, cursor, True
            continue
        passed += found - at
        partition = found * stride + offset
        machine, count = _search_partition(w, s, gm, partition, demand)
        passed += count
        searched += s.seen_partition[gm, partition].end - s.seen_partition[gm, partition].first
        if machine != NOBODY:
            return machine, found, passed, searched
        at = found + 1


@inner
def search(w: World, s: MeghaState, gm: int, demand: int) -> tuple[int, int, int]:
    """Search own partitions round robin, then those of others.

    Return (machine or NOBODY, machines passed over, machines of the searched partitions).

    Source: Megha, Sections IV-B3 and IV-B4.
    """
    me, masters = s.gm[gm], s.gm.shape[0]
    passed, searched = 0, 0
    for own in (1, 0):
        word, end, stride, offset, cursor = 0, s.lm.shape[0], masters, gm, me.internal_cursor
        if own == 0:
            word, end, stride, offset = s.rules[0].others_word, s.seen_partition.shape[1], 1, 0
            cursor = me.external_cursor
        machine, found, more, among = _search_round(w, s, gm, demand, word, cursor, end, stride, offset)
        passed += more
        searched += among
        if machine != NOBODY:
            following = found + 1 if found + 1 < end else 0
            if own == 1:
                me.internal_cursor = following
            else:
                me.external_cursor = following
            return machine, passed, searched
    return NOBODY, passed, searched


@inner
def owner_of(w: World, s: MeghaState, task: int) -> int:
    """Return the GM that schedules the task: its queue's."""
    owner: int = s.queue[s.kind[w.task[task].kind].queue].owner
    return owner
