"""Megha's events and messages, and its masters as single servers with a queue each.

A free master handles a message at once. Otherwise, the message gets the next free interval of the master, in order of
arrival. A Global Master reads its messages before it continues to match. A message of a Local Master leaves when it has
been written, so its messages arrive in the order of sending.
"""

from __future__ import annotations

import numpy as np

from scheduler_core.engine.events import KIND_JOB_ARRIVAL, schedule, schedule_in_lane
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import TASK_RUNNING, World
from scheduler_core.engine.tasks import start_task
from scheduler_core.schedulers.federated.megha.paper.residents import enter_machine
from scheduler_core.schedulers.federated.megha.paper.softness import set_pace
from scheduler_core.schedulers.federated.megha.paper.state import TOOK, MeghaState
from scheduler_core.schedulers.federated.megha.paper.updates import record_change

# Kinds of events, in the order in which they go at one instant (engine.events). Whatever an LM tells is one kind:
# messages of one instant arrive in the order of sending, or an older state would overwrite a newer one. What waited at
# a busy master has a kind of its own, SERVED lower: it goes before what comes only now.
SERVED_END, SERVED_REQUEST, SERVED_HEARTBEAT, TASK_END, REQUEST, HEARTBEAT, UPDATE, STATE = range(1, 9)
MATCH = KIND_JOB_ARRIVAL + 1
SERVED = 3

# What an LM's message tells beside its state.
REFUSED, GRANTED, ENDED, BEAT, STOPPED, RETURNED, NO_ROOM = range(7)

LANE_REQUEST, LANE_STATE, LANE_MATCH, LANE_BEAT = range(4)

_ABOUT = (1 << 32) - 1


@inner
def about_of(a: int) -> int:
    """Return the task that a message of an LM is about; the cluster for a heartbeat."""
    return a & _ABOUT


@inner
def cluster_of(a: int) -> int:
    """Return the cluster that a message is of."""
    return a >> 32


@inner
def what_of(b: int) -> int:
    """Return what a message tells."""
    return b & 15


@inner
def gm_of(b: int) -> int:
    """Return the GM that an UPDATE is for."""
    return (b >> 4) & 4095


@inner
def version_of(b: int) -> int:
    """Return the version of the state that a message carries."""
    return b >> 16


@inner
def lm_cost_ns(s: MeghaState, cluster: int) -> int:
    """Return time that an LM spends on a message and its reply, which carries the state of all its machines."""
    rules, lm = s.rules[0], s.lm[cluster]
    cost: int = rules.request_ns + rules.send_ps * (lm.end - lm.first) // 1000
    return cost


@inner
def gm_cost_ns(s: MeghaState, cluster: int) -> int:
    """Return time that a GM spends on reading a cluster's state."""
    rules, lm = s.rules[0], s.lm[cluster]
    cost: int = rules.update_ns + rules.apply_ps * (lm.end - lm.first) // 1000
    return cost


@inner
def reserve_lm(w: World, s: MeghaState, cluster: int, cost_ns: int) -> int:
    """Return when the LM begins with a message that arrives now; a failed LM begins once its standby is ready."""
    lm = s.lm[cluster]
    begin: int = max(w.control[0].now_ns, lm.busy_until_ns, lm.down_until_ns)
    lm.busy_until_ns = begin + cost_ns
    return begin


@inner
def is_outdated(w: World, task: int, start_ns: int) -> bool:
    """Return whether the news of a task's end is of a start before which it was stopped."""
    row = w.task[task]
    outdated: bool = row.state != TASK_RUNNING or row.last_start_ns != start_ns
    return outdated


@inner
def waits_at_lm(w: World, s: MeghaState, kind: int, a: int, b: int) -> bool:
    """Return whether a message has to wait for its LM; then it gets an event for its turn.

    A heartbeat is left out while the one before it still waits: it would tell the same.
    """
    cost_of = 1
    if kind == HEARTBEAT or kind == SERVED_HEARTBEAT:
        cluster = a
        cost_of = s.gm.shape[0]
        if kind == HEARTBEAT and s.lm[cluster].beat_waits == 1:
            return True
    elif kind == TASK_END or kind == SERVED_END:
        if is_outdated(w, a, b):
            return False
        cluster = w.machine[w.task[a].machine].cluster
    else:
        cluster = w.machine[w.task[a].place].cluster
    now_ns = w.control[0].now_ns
    served = kind <= SERVED_HEARTBEAT
    if served and s.lm[cluster].down_until_ns <= now_ns:
        if kind == SERVED_HEARTBEAT:
            s.lm[cluster].beat_waits = 0
        return False
    begin_ns = reserve_lm(w, s, cluster, cost_of * lm_cost_ns(s, cluster))
    if begin_ns <= now_ns:
        return False
    if kind == HEARTBEAT:
        s.lm[cluster].beat_waits = 1
    schedule(w, begin_ns, kind if served else kind - SERVED, a, b)
    return True


@inner
def waits_at_gm(w: World, s: MeghaState, gm: int, a: int, b: int) -> bool:
    """Return whether a message has to wait for the GM; then it gets an event for its reading.

    A heartbeat is dropped while the cluster's last one is still unread.
    """
    me, now_ns = s.gm[gm], w.control[0].now_ns
    if me.down == 1:
        return False
    beat = what_of(b) == BEAT
    if beat and s.seen_cluster[gm, cluster_of(a)].beat_waits == 1:
        return True
    begin_ns = max(now_ns, me.busy_until_ns)
    me.busy_until_ns = begin_ns + gm_cost_ns(s, cluster_of(a))
    if begin_ns <= now_ns:
        return False
    if beat:
        s.seen_cluster[gm, cluster_of(a)].beat_waits = 1
    schedule(w, begin_ns, UPDATE, a, b | (gm << 4))
    return True


@inner
def tell(w: World, s: MeghaState, cluster: int, about: int, what: int, sent_ns: int) -> None:
    """Send what happened (to a task; for a heartbeat to the LM itself) with the LM's state, by version.

    It leaves at `sent_ns`, but never before what the LM sent earlier.
    """
    lm = s.lm[cluster]
    lm.sent_ns = max(lm.sent_ns, sent_ns)
    arrival_ns = lm.sent_ns + s.rules[0].delay_ns
    schedule_in_lane(
        w, LANE_STATE, arrival_ns, STATE, int(about) | int(np.int64(cluster) << 32), (int(lm.version) << 16) | what
    )
    w.control[0].messages += 1


@inner
def wake(w: World, s: MeghaState, gm: int) -> None:
    """Let the GM match, as soon as it is free, if its view may hold a machine for a task that waits."""
    me = s.gm[gm]
    if me.fresh + me.hopes > 0 and me.step_pending == 0 and me.down == 0 and s.rules[0].matching != gm:
        me.step_pending = 1
        schedule_in_lane(w, LANE_MATCH, max(w.control[0].now_ns, me.busy_until_ns), MATCH, gm, 0)


@inner
def launch(w: World, s: MeghaState, cluster: int, task: int, machine: int, start_ns: int) -> bool:
    """Launch the task on a machine, to start when the message arrives; True for a repartition."""
    if s.rules[0].soft != 0:
        set_pace(w, s, task, machine)
    end_ns = start_task(w, task, machine, start_ns)
    lent = enter_machine(w, s, task)
    record_change(w, s, cluster, machine, task, TOOK)
    w.control[0].messages += 1
    # The start tells the news of its end apart: a task that stops before never sends it.
    schedule(w, end_ns + s.rules[0].delay_ns, TASK_END, task, start_ns)
    return lent


@inner
def charge_message(w: World, s: MeghaState, task: int, read_ns: int) -> None:
    """Charge one message that its receiver began to read at `read_ns`: its way, and the wait in the receiver's queue.

    A task's delay ends with its first start, so later messages are not charged.

    Source: Megha, Section III, equation 2.
    """
    row = w.task[task]
    if row.attempts == 0:
        row.communication_ns += s.rules[0].delay_ns
        row.framework_ns += read_ns - row.since_ns - s.rules[0].delay_ns
    row.since_ns = read_ns


@inner
def charge_processing(w: World, task: int, until_ns: int) -> None:
    """Charge a Local Master's work on a task since the task's last step.

    Source: Megha, Section III, equation 2.
    """
    row = w.task[task]
    if row.attempts == 0:
        row.processing_ns += until_ns - row.since_ns
    row.since_ns = until_ns
