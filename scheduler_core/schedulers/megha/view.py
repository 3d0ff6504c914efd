"""A Global Master's view of the datacenter: how it is searched, and how it goes stale and is mended.

A Local Master's message means "this is the state of all my partitions". Sending it whole would cost the size of the
cluster each time, so the cluster keeps a log of its changes, a message carries the version at its sending, and the
receiver applies the changes up to that version. What the receiver had deducted for requests that the message does not
know of is undone, as a whole copy would undo it: the result is the same, entry by entry, as copying (tested).
"""

from __future__ import annotations

import numpy as np

from scheduler_core.engine.jit import kernel
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.schedulers.megha.state import MeghaState


@kernel
def change_view(w: World, s: MeghaState, gm: int, machine: int, demand: int, sign: int) -> None:
    """Add (sign 1) or take (-1) a demand in the GM's view of a machine; keeps the candidate bits and counts true."""
    able = True
    for r in range(s.smallest.shape[0]):
        s.view[gm, machine, r] += sign * w.demand[demand, r]
        if s.view[gm, machine, r] < s.smallest[r]:
            able = False
    word, bit = machine >> 6, np.uint64(1) << np.uint64(machine & 63)
    was_able = (s.candidate[gm, word] & bit) != np.uint64(0)
    if able == was_able:
        return
    s.candidate[gm, word] ^= bit
    step = 1 if able else -1
    partition = s.home[machine]
    s.seen_partition[gm, partition].candidates += step
    if partition % s.gm.shape[0] == gm:
        s.gm[gm].internal_candidates += step
    else:
        s.gm[gm].external_candidates += step


@kernel
def _believed_to_fit(w: World, s: MeghaState, gm: int, machine: int, demand: int) -> bool:
    for r in range(s.smallest.shape[0]):
        if s.view[gm, machine, r] < w.demand[demand, r]:
            return False
    return True


@kernel
def _scan(w: World, s: MeghaState, gm: int, demand: int, first: int, end: int) -> int:
    """First machine in first .. end-1 that the GM believes can hold the demand, or NOBODY."""
    machine = first
    while machine < end:
        word = s.candidate[gm, machine >> 6] >> np.uint64(machine & 63)
        if word == np.uint64(0):
            machine = ((machine >> 6) + 1) << 6
            continue
        while (word & np.uint64(0xFF)) == np.uint64(0):
            word >>= np.uint64(8)
            machine += 8
        while (word & np.uint64(1)) == np.uint64(0):
            word >>= np.uint64(1)
            machine += 1
        if machine < end and _believed_to_fit(w, s, gm, machine, demand):
            return machine
        machine += 1
    return NOBODY


@kernel
def _search_partition(w: World, s: MeghaState, gm: int, partition: int, demand: int) -> tuple[int, int]:
    """(machine or NOBODY, machines passed over), going on where the last search of this partition ended."""
    seen = s.seen_partition[gm, partition]
    if seen.candidates == 0:
        return NOBODY, 1
    first, end, cursor = s.partition[partition].first, s.partition[partition].end, seen.cursor
    machine = _scan(w, s, gm, demand, cursor, end)
    passed = machine - cursor
    if machine == NOBODY:
        machine = _scan(w, s, gm, demand, first, cursor)
        passed = end - cursor + machine - first
    if machine == NOBODY:
        return NOBODY, end - first
    seen.cursor = machine
    return machine, passed + 1


@kernel
def search(w: World, s: MeghaState, gm: int, demand: int) -> tuple[int, int]:
    """(machine or NOBODY, machines passed over): own partitions round robin, then those of others round robin."""
    masters = s.gm.shape[0]
    clusters = s.lm.shape[0]
    me = s.gm[gm]
    passed = 0
    if me.internal_candidates > 0:
        for step in range(clusters):
            cluster = (me.internal_cursor + step) % clusters
            machine, count = _search_partition(w, s, gm, cluster * masters + gm, demand)
            passed += count
            if machine != NOBODY:
                me.internal_cursor = (cluster + 1) % clusters
                return machine, passed
    if me.external_candidates > 0:
        partitions = s.partition.shape[0]
        for step in range(partitions):
            partition = (me.external_cursor + step) % partitions
            if partition % masters == gm:
                continue
            machine, count = _search_partition(w, s, gm, partition, demand)
            passed += count
            if machine != NOBODY:
                me.external_cursor = (partition + 1) % partitions
                return machine, passed
    return NOBODY, passed


@kernel
def remember_request(w: World, s: MeghaState, gm: int, task: int, machine: int) -> None:
    """The GM deducts what it asks for, until a message of that cluster overwrites its view."""
    row = w.task[task]
    cluster = s.home[machine] // s.gm.shape[0]
    seen = s.seen_cluster[gm, cluster]
    row.flags = 1
    row.previous = NOBODY
    row.next = seen.asked_first
    if seen.asked_first != NOBODY:
        w.task[seen.asked_first].previous = task
    seen.asked_first = task
    change_view(w, s, gm, machine, row.demand, -1)


@kernel
def _forget_request(w: World, s: MeghaState, gm: int, cluster: int, task: int) -> None:
    row = w.task[task]
    if row.previous == NOBODY:
        s.seen_cluster[gm, cluster].asked_first = row.next
    else:
        w.task[row.previous].next = row.next
    if row.next != NOBODY:
        w.task[row.next].previous = row.previous
    row.flags = 0


@kernel
def record_change(w: World, s: MeghaState, cluster: int, machine: int, task: int, freed: int) -> None:
    """The cluster's truth changed: one version more. Sets `changes_full` when the ring has to grow soon."""
    lm = s.lm[cluster]
    capacity = s.change.shape[1]
    change = s.change[cluster, lm.version % capacity]
    change.machine = machine
    change.task = task
    change.freed = freed
    lm.version += 1
    if lm.version - lm.oldest_needed + 2 > capacity:
        oldest = lm.version
        for gm in range(s.gm.shape[0]):
            oldest = min(oldest, s.seen_cluster[gm, cluster].version)
        lm.oldest_needed = oldest
        if lm.version - oldest + 2 > capacity:
            s.rules[0].changes_full = 1


@kernel
def apply_state(w: World, s: MeghaState, gm: int, cluster: int, version: int) -> None:
    """The GM's view of the cluster becomes the cluster's state at `version`."""
    seen = s.seen_cluster[gm, cluster]
    gained = False
    for number in range(seen.version, version):
        change = s.change[cluster, number % s.change.shape[1]]
        task = change.task
        if change.freed == 1:
            change_view(w, s, gm, change.machine, w.task[task].demand, 1)
            gained = True
        elif w.task[task].flags == 1 and s.owner_of_queue[w.job[w.task[task].job].queue] == gm:
            # Its own request, now confirmed: what was deducted at asking stays deducted.
            _forget_request(w, s, gm, cluster, task)
        else:
            change_view(w, s, gm, change.machine, w.task[task].demand, -1)
    seen.version = version
    while seen.asked_first != NOBODY:
        task = seen.asked_first
        _forget_request(w, s, gm, cluster, task)
        change_view(w, s, gm, w.task[task].machine, w.task[task].demand, 1)
        gained = True
    if gained:
        s.gm[gm].view_stamp += 1
