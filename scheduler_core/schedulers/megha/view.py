"""A Global Master's view of the datacenter: how it is searched, and how it goes stale and is mended.

A Local Master's message means "this is the state of all my partitions". Sending it whole would cost the size of the
cluster each time, so the cluster keeps a log of its changes, a message carries the version at its sending, and the
receiver applies the changes up to that version. What it has asked for and has no answer to stays deducted on top of
that: the result is the same, entry by entry, as copying the state and deducting (tested).
"""

from __future__ import annotations

import numpy as np

from scheduler_core.engine.bits import flip_bit, has_bit, lowest_bit, next_bit, next_common_bit
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.schedulers.megha.state import CAME_IN, FREED, TOOK, MeghaState

CHANGES_HEADROOM = 256
"""Changes that one event may make in a cluster, at most."""

_ONE, _NONE, _ALL = np.uint64(1), np.uint64(0), np.uint64(0xFFFFFFFFFFFFFFFF)


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
    _set_candidate(w, s, gm, machine, able)


@inner
def _set_candidate(w: World, s: MeghaState, gm: int, machine: int, able: bool) -> None:
    word = s.rules[0].machines_word + (machine >> 6)
    if able != has_bit(s.bits, gm, word, machine & 63):
        flip_bit(s.bits, gm, word, machine & 63)
        _count_candidate(w, s, gm, machine, 1 if able else -1)


@inner
def _change_service(w: World, s: MeghaState, gm: int, machine: int, sign: int) -> None:
    """In the GM's view a machine comes in again (sign 1) or goes out (-1), as engine.incidents withholds it."""
    able = True
    smallest = w.demand.shape[0] - 1
    for r in range(w.demand.shape[1]):
        amount = s.believed[gm, machine, r] + sign * (w.capacity[machine, r] + 1)
        s.believed[gm, machine, r] = amount
        if amount < w.demand[smallest, r]:
            able = False
    _set_candidate(w, s, gm, machine, able)


@inner
def _count_candidate(w: World, s: MeghaState, gm: int, machine: int, step: int) -> None:
    """A machine became a candidate (step 1) or ceased to be one (-1): its partition may have opened or closed."""
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
def _believed_to_fit(w: World, s: MeghaState, gm: int, machine: int, demand: int) -> bool:
    for r in range(w.demand.shape[1]):
        if s.believed[gm, machine, r] < w.demand[demand, r]:
            return False
    return True


@inner
def _scan(w: World, s: MeghaState, gm: int, demand: int, first: int, end: int) -> int:
    """First machine in first .. end-1 that the GM believes can hold the demand, or NOBODY."""
    word, asks = s.rules[0].machines_word, w.asks[demand]
    machine = first - 1
    while True:
        machine = next_common_bit(s.bits, gm, word, machine + 1, end, s.offer, asks)
        if machine == NOBODY or _believed_to_fit(w, s, gm, machine, demand):
            return machine


@inner
def _search_partition(w: World, s: MeghaState, gm: int, partition: int, demand: int) -> tuple[int, int]:
    """(machine or NOBODY, machines passed over), going on where the last search of this partition ended."""
    seen = s.seen_partition[gm, partition]
    cursor, first, end, passed = seen.cursor, seen.cursor, seen.end, 0
    while True:  # from the cursor to the end, then from the beginning to the cursor
        machine = _scan(w, s, gm, demand, first, end)
        if machine != NOBODY:
            # On to the next machine: a message may make this one look free again before the request was verified.
            seen.cursor = machine + 1 if machine + 1 < seen.end else seen.first
            return machine, passed + machine - first + 1
        passed += end - first
        if end == cursor:
            return NOBODY, passed
        first, end = seen.first, cursor


@inner
def _search_round(
    w: World, s: MeghaState, gm: int, demand: int, word: int, cursor: int, end: int, stride: int, offset: int
) -> tuple[int, int, int]:
    """(machine or NOBODY, where it was, machines and partitions passed over) over one set of open partitions.

    Round robin from `cursor` over the set that begins at `word` and has `end` members; member i is partition
    i * stride + offset. A partition without candidates costs as much as one machine.
    """
    passed = 0
    at, stop, wrapped = cursor, end, False
    while True:
        found = next_bit(s.bits, gm, word, at, stop)
        if found == NOBODY:
            passed += stop - at
            if wrapped:
                return NOBODY, 0, passed
            at, stop, wrapped = 0, cursor, True
            continue
        passed += found - at
        machine, count = _search_partition(w, s, gm, found * stride + offset, demand)
        passed += count
        if machine != NOBODY:
            return machine, found, passed
        at = found + 1


@inner
def search(w: World, s: MeghaState, gm: int, demand: int) -> tuple[int, int]:
    """(machine or NOBODY, machines passed over): own partitions round robin, then those of others round robin."""
    me, masters = s.gm[gm], s.gm.shape[0]
    passed = 0
    for own in (1, 0):
        word, end, stride, offset, cursor = 0, s.lm.shape[0], masters, gm, me.internal_cursor
        if own == 0:
            word, end, stride, offset = s.rules[0].others_word, s.seen_partition.shape[1], 1, 0
            cursor = me.external_cursor
        machine, found, more = _search_round(w, s, gm, demand, word, cursor, end, stride, offset)
        passed += more
        if machine != NOBODY:
            following = found + 1 if found + 1 < end else 0
            if own == 1:
                me.internal_cursor = following
            else:
                me.external_cursor = following
            return machine, passed
    return NOBODY, passed


@inner
def remember_request(w: World, s: MeghaState, gm: int, task: int, machine: int) -> None:
    """The GM deducts what it asks for, until the answer has come."""
    row = w.task[task]
    row.requested = 1
    row.place = machine
    change_view(w, s, gm, machine, row.demand, -1)


@inner
def settle_request(w: World, s: MeghaState, gm: int, task: int) -> None:
    """The answer did not confirm what was deducted: it is added again. Of a lost cluster only the numbers are kept."""
    row = w.task[task]
    machine = row.place
    row.requested = 0
    if s.seen_cluster[gm, w.machine[machine].cluster].lost == 1:
        for r in range(w.demand.shape[1]):
            s.believed[gm, machine, r] += w.demand[row.demand, r]
    else:
        change_view(w, s, gm, machine, row.demand, 1)
        note_gain(w, s, gm, machine)


@inner
def record_change(w: World, s: MeghaState, cluster: int, machine: int, task: int, what: int) -> None:
    """The cluster's truth changed: one version more. Sets `changes_full` when the ring has to grow soon."""
    lm = s.lm[cluster]
    capacity = s.change.shape[1]  # a power of two
    change = s.change[cluster, lm.version & (capacity - 1)]
    change.machine = machine
    change.task = task
    change.what = what
    lm.version += 1
    if lm.version - lm.oldest_needed + CHANGES_HEADROOM > capacity:
        oldest = lm.version
        for gm in range(s.gm.shape[0]):
            oldest = min(oldest, s.seen_cluster[gm, cluster].version)
        lm.oldest_needed = oldest
        if lm.version - oldest + CHANGES_HEADROOM > capacity:
            s.rules[0].changes_full = 1


@inner
def apply_state(w: World, s: MeghaState, gm: int, cluster: int, version: int) -> None:
    """The GM's view of the cluster becomes the cluster's state at `version`; what it gained is noted."""
    seen = s.seen_cluster[gm, cluster]
    first = seen.version
    mask = s.change.shape[1] - 1  # the capacity is a power of two
    gained = False
    if seen.lost == 1:
        _count_others(w, s, gm, cluster)
    for number in range(first, version):
        change = s.change[cluster, number & mask]
        task, machine = change.task, change.machine
        if change.what == FREED or change.what == TOOK:
            sign = 1 if change.what == FREED else -1
            own = w.task[task].requested == 1 and w.task[task].place == machine and owner_of(w, s, task) == gm
            if sign == -1 and own:
                w.task[task].requested = 0  # its own request, now confirmed: what was deducted stays deducted
            else:
                change_view(w, s, gm, machine, w.task[task].demand, sign)
            note_use(w, s, gm, machine, task, -sign)
            gained = gained or sign == 1
        else:
            _change_service(w, s, gm, machine, 1 if change.what == CAME_IN else -1)
            gained = gained or change.what == CAME_IN
    seen.version = version
    if seen.lost == 1:
        seen.lost = 0
        _see_anew(w, s, gm, cluster)
        gained = False
    if gained:
        for number in range(first, version):
            change = s.change[cluster, number & mask]
            if change.what == FREED or change.what == CAME_IN:
                note_gain(w, s, gm, change.machine)


@inner
def owner_of(w: World, s: MeghaState, task: int) -> int:
    """The GM that schedules the task: its queue's."""
    owner: int = s.queue[s.kind[w.task[task].kind].queue].owner
    return owner


@inner
def note_use(w: World, s: MeghaState, gm: int, machine: int, task: int, sign: int) -> None:
    """What the GM believes of a queue's use grows or shrinks by a task; its own queues' it counts itself."""
    if s.gm[gm].keeps_books == 1:
        note_held(w, s, gm, machine, task, sign, 1)


@inner
def note_held(w: World, s: MeghaState, gm: int, machine: int, task: int, sign: int, counts: int) -> None:
    """The task holds (1) or no longer holds (-1) resources of the machine; `counts` 1: others' use tells it, too."""
    row = w.task[task]
    queue = s.kind[row.kind].queue
    foreign = counts == 1 and s.queue[queue].owner != gm
    holds = False
    for r in range(w.demand.shape[1]):
        amount = sign * w.demand[row.demand, r]
        s.held[gm, machine, queue, r] += amount
        holds = holds or s.held[gm, machine, queue, r] != 0
        if foreign:
            s.use[gm, queue, r] += amount
    which = gm * s.queue.shape[0] + queue
    if holds != has_bit(s.holding, which, machine >> 6, machine & 63):
        flip_bit(s.holding, which, machine >> 6, machine & 63)


@inner
def count_own_use(w: World, s: MeghaState, gm: int, task: int, sign: int) -> None:
    """A GM's own books: a task of its queues was asked for, or ended, or came back."""
    if s.rules[0].books == 0:
        return
    row = w.task[task]
    queue = s.kind[row.kind].queue
    for r in range(w.demand.shape[1]):
        s.use[gm, queue, r] += sign * w.demand[row.demand, r]


@inner
def forget_view(w: World, s: MeghaState, gm: int) -> None:
    """The GM's view is lost: it sees no machine of a cluster before a message of its LM has come."""
    for cluster in range(s.lm.shape[0]):
        s.seen_cluster[gm, cluster].lost = 1
    for word in range(s.bits.shape[1]):
        s.bits[gm, word] = 0
    for partition in range(s.seen_partition.shape[1]):
        s.seen_partition[gm, partition].candidates = 0
    s.gm[gm].gained = s.gm[gm].hopes = 0
    for queue in range(s.use.shape[1]):
        if s.queue[queue].owner != gm:
            for r in range(s.use.shape[2]):
                s.use[gm, queue, r] = 0


@inner
def _count_others(w: World, s: MeghaState, gm: int, cluster: int) -> None:
    """After a loss: others' use of a cluster counts again, beginning with what was last told of it."""
    if s.gm[gm].keeps_books == 0:
        return
    for machine in range(s.lm[cluster].first, s.lm[cluster].end):
        for queue in range(s.use.shape[1]):
            if s.queue[queue].owner != gm:
                for r in range(s.use.shape[2]):
                    s.use[gm, queue, r] += s.held[gm, machine, queue, r]


@inner
def _see_anew(w: World, s: MeghaState, gm: int, cluster: int) -> None:
    """The first message after a loss: what it tells of each machine is known again."""
    smallest = w.demand.shape[0] - 1
    for machine in range(s.lm[cluster].first, s.lm[cluster].end):
        if _believed_to_fit(w, s, gm, machine, smallest):
            _set_candidate(w, s, gm, machine, True)
            note_gain(w, s, gm, machine)


@inner
def sleepers_allowed(s: MeghaState, gm: int, word: int, offers: int) -> np.uint64:
    """Rows 64 * word .. + 63 of the GM's sleepers that ask for nothing but what a machine offers, as bits."""
    asleep = s.gm[gm].asleep
    rows = _ALL if asleep >= (word + 1) << 6 else (_ONE << np.uint64(asleep & 63)) - _ONE
    lacking = np.uint64(~offers & ((1 << s.offer.shape[0]) - 1))
    while lacking != _NONE and rows != _NONE:
        number = lowest_bit(lacking)
        lacking ^= _ONE << np.uint64(number)
        rows &= ~s.asking[gm, number, word]
    return rows


@inner
def note_gain(w: World, s: MeghaState, gm: int, machine: int) -> None:
    """The view of a machine gained: remember it if it looks able to hold a kind that slept for want of one."""
    me = s.gm[gm]
    if me.asleep == 0 or not has_bit(s.bits, gm, s.rules[0].machines_word + (machine >> 6), machine & 63):
        return
    offers = w.machine[machine].offers
    for word in range((me.asleep + 63) >> 6):
        rows = sleepers_allowed(s, gm, word, offers)
        while rows != _NONE:
            bit = lowest_bit(rows)
            rows ^= _ONE << np.uint64(bit)
            if _believed_to_fit(w, s, gm, machine, s.sleeper[gm, (word << 6) + bit].demand):
                if me.gained < s.gained.shape[1]:
                    s.gained[gm, me.gained] = machine
                me.gained += 1
                me.hopes = 1
                return


@inner
def first_sleeper(w: World, s: MeghaState, gm: int, turn: int, place: int) -> tuple[int, int]:
    """(row, turn) of the sleeping kind that comes first among those that a gained machine holds; row NOBODY if none.

    Kinds come by their queue's turn, within a queue by place; only one before `turn` and `place` is looked for. Only
    what the view gained can hold a kind that slept, and of that only what is still free.
    """
    me = s.gm[gm]
    best = NOBODY
    if me.gained > s.gained.shape[1]:
        for row in range(me.asleep):
            its_turn = _turn_of(s, gm, row)
            if comes_before(its_turn, s.sleeper[gm, row].place, turn, place):
                if _scan(w, s, gm, s.sleeper[gm, row].demand, 0, w.machine.shape[0]) != NOBODY:
                    best, turn, place = row, its_turn, s.sleeper[gm, row].place
        return best, turn
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
                its_turn = _turn_of(s, gm, row)
                if comes_before(its_turn, s.sleeper[gm, row].place, turn, place):
                    if _believed_to_fit(w, s, gm, machine, s.sleeper[gm, row].demand):
                        best, turn, place = row, its_turn, s.sleeper[gm, row].place
    return best, turn


@inner
def _turn_of(s: MeghaState, gm: int, row: int) -> int:
    """How many queues are served before the sleeper's."""
    turn: int = s.sleeper[gm, row].position - s.gm[gm].queue_cursor
    return turn + s.gm[gm].queues if turn < 0 else turn


@inner
def comes_before(turn: int, place: int, other_turn: int, other_place: int) -> bool:
    """Order of tasks in a GM: by their queue's turn, within a queue by place."""
    return turn < other_turn or (turn == other_turn and place < other_place)
