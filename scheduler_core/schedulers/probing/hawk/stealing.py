"""Stealing: a worker that becomes free with an empty queue asks other workers for short tasks.

It takes the tasks that are delayed most: the first consecutive short tasks behind a long one.
"""

from __future__ import annotations

from scheduler_core.engine import rng
from scheduler_core.engine.events import schedule_in_lane
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import decide, touch
from scheduler_core.schedulers.probing.hawk.reasons import STOLE
from scheduler_core.schedulers.probing.hawk.state import HawkState
from scheduler_core.schedulers.shared.probing.notes import TAKEN, note
from scheduler_core.schedulers.shared.probing.queues import join
from scheduler_core.schedulers.shared.probing.sampling import could_hold
from scheduler_core.schedulers.shared.probing.state import CONTACT, LANE_FAR, LANE_TO_WORKER, STOLEN

_LEFT_BITS = 16


@inner
def look_for_work(w: World, s: HawkState, thief: int) -> None:
    """Begin to steal for an idle worker; in the public simulator it asks others without any delay.

    Source: *Hawk: hybrid datacenter scheduling* (stealing).
    """
    rules = s.rules[0]
    if rules.public == 0:
        if s.worker[thief].looking == 0 and rules.most_contacts > 0:
            contact(w, s, thief, rules.most_contacts, rules.delay_ns, LANE_TO_WORKER)
        return
    for asked in range(rules.most_contacts):
        rules.contacts += 1
        first = take_run(w, s, draw_victim(w, s, thief), thief, asked + 1)
        if first != NOBODY:
            on_stolen(w, s, first, thief)
            return


@inner
def contact(w: World, s: HawkState, thief: int, left: int, delay_ns: int, lane: int) -> None:
    """Ask one more worker, with `left` attempts including it; `looking` is 1 until the search ends."""
    victim = draw_victim(w, s, thief)
    s.worker[thief].looking = 0 if victim == NOBODY else 1
    if victim != NOBODY:
        s.rules[0].contacts += 1
        w.control[0].messages += 1
        at_ns = w.control[0].now_ns + delay_ns
        schedule_in_lane(w, lane, at_ns, CONTACT, thief, (victim << _LEFT_BITS) | left)


@inner
def draw_victim(w: World, s: HawkState, thief: int) -> int:
    """Draw a worker that may have long tasks, by the paper not the thief; NOBODY when there is none."""
    rules = s.rules[0]
    first, workers = rules.first_long, len(s.worker) - rules.first_long
    other = rules.public == 0 and thief >= first
    if workers - other < 1:
        return NOBODY
    draw = s.worker[thief].draws
    s.worker[thief].draws += 1
    victim: int = first + rng.below(w.control[0].seed, rng.STREAM_PICK, thief, draw, workers - other)
    return victim + 1 if other and victim >= thief else victim


@inner
def on_contact(w: World, s: HawkState, thief: int, about: int) -> None:
    """Ask a worker for its run of short tasks; if it has none, ask the next worker."""
    victim, left = about >> _LEFT_BITS, about & ((1 << _LEFT_BITS) - 1)
    rules = s.rules[0]
    w.control[0].messages += 1
    first = take_run(w, s, victim, thief, rules.most_contacts - left + 1)
    if first != NOBODY:
        schedule_in_lane(w, LANE_TO_WORKER, w.control[0].now_ns + rules.delay_ns, STOLEN, first, thief)
    elif left > 1:
        contact(w, s, thief, left - 1, 2 * rules.delay_ns, LANE_FAR)
    else:
        s.worker[thief].looking = 0


@inner
def take_run(w: World, s: HawkState, victim: int, thief: int, asked: int) -> int:
    """Take the first run of probes behind a long task out of a queue, those that the thief could hold: its first.

    A long task that runs is in front of the whole queue.

    Source: *Hawk: hybrid datacenter scheduling* (stealing).
    """
    queue = s.worker[victim]
    if queue.longs == 0 or queue.length == queue.queued_longs:
        return NOBODY
    before, probe = NOBODY, queue.first
    if queue.longs == queue.queued_longs:  # none of them runs
        while s.group[s.probe[probe].group].long == 0:
            before, probe = probe, s.probe[probe].next
    while probe != NOBODY and s.group[s.probe[probe].group].long == 1:
        before, probe = probe, s.probe[probe].next
    first, last, taken, now_ns = probe, NOBODY, 0, w.control[0].now_ns
    while probe != NOBODY and _may_go(w, s, s.probe[probe].group, thief):
        it = s.probe[probe]
        note(w, s, probe, victim, TAKEN, 0)
        it.frm, it.since_ns = victim + 1, now_ns - it.since_ns
        last, probe = probe, it.next
        taken += 1
    if taken == 0:
        return NOBODY
    s.probe[last].next = NOBODY
    if before == NOBODY:
        queue.first = probe
    else:
        s.probe[before].next = probe
    if probe == NOBODY:
        queue.last = before
    queue.length -= taken
    touch(w, victim)
    rules = s.rules[0]
    rules.waiting -= taken
    rules.steals += 1
    rules.stolen += taken
    group = s.group[s.probe[first].group]
    decide(w, s.order[min(group.next, group.end - 1)], thief, STOLE, victim, NOBODY, taken, asked)
    run: int = first
    return run


@inner
def _may_go(w: World, s: HawkState, number: int, thief: int) -> bool:
    """Return whether a probe is for short tasks that the thief could hold, in their rack if they are bound to one."""
    group = s.group[number]
    if group.long == 1:
        return False
    able = s.eligible[group.able + s.rules[0].forget]
    if able.listed == 0 and (thief < able.first or thief >= able.first + able.positions):
        return False
    return able.machines == len(s.worker) or could_hold(w, thief, group.demand, able.asks)


@inner
def on_stolen(w: World, s: HawkState, first: int, thief: int) -> None:
    """Add stolen probes to the thief's queue; the time that they have waited counts on."""
    s.worker[thief].looking = 0
    probe = first
    while probe != NOBODY:
        after, waited_ns = s.probe[probe].next, s.probe[probe].since_ns
        join(w, s, probe, thief)
        s.probe[probe].since_ns -= waited_ns
        probe = after
