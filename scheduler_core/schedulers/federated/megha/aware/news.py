"""Messages between Global and Local Masters under the rules of the constraint-aware program.

A Local Master notes each change of a machine, and a message carries the notes since the last one. A Global Master keeps
one list of tasks that have no machine. It requests each machine that a note or an answer reports as free.
"""

from __future__ import annotations

from scheduler_core.engine.jit import inner
from scheduler_core.engine.lists import put_first, put_last, take_out
from scheduler_core.engine.records import NOBODY, TASK_ASKED, TASK_WAITING, World
from scheduler_core.schedulers.federated.megha.aware.state import AwareState
from scheduler_core.schedulers.federated.megha.aware.view import see, suits
from scheduler_core.schedulers.federated.megha.shared.order import push

ARRIVAL, VERIFY, REFUSED, LAUNCH, TASK_END, RESPONSE, NEWS_CAME, HEARTBEAT = range(8)


@inner
def gm_of(s: AwareState, job: int) -> int:
    """Return the Global Master of a job: jobs go to them in turn."""
    gm: int = job % s.gm.shape[0]
    return gm


@inner
def lm_of(s: AwareState, machine: int) -> int:
    """Return the Local Master of a machine."""
    lm: int = s.place[machine].partition // s.gm.shape[0]
    return lm


@inner
def ask_for(w: World, s: AwareState, task: int, machine: int) -> None:
    """Choose the machine for the task; the request follows later."""
    row, now_ns = w.task[task], w.control[0].now_ns
    s.rules[0].matches += 1
    row.state = TASK_ASKED
    row.machine = machine
    row.framework_ns += now_ns - row.since_ns
    row.since_ns = now_ns
    row.next = NOBODY


@inner
def send(w: World, s: AwareState, first: int) -> None:
    """Send the requests of the tasks in the list from `first` on to their Local Master."""
    rules = s.rules[0]
    w.control[0].messages += 1
    push(w, w.control[0].now_ns + rules.delay_ns, rules.now_s + rules.delay_s, VERIFY, first)


@inner
def offer(w: World, s: AwareState, gm: int, machine: int) -> None:
    """Ask for a machine that became free for the first task of the list that it suits; else see it free."""
    task = s.gm[gm].first
    while task != NOBODY and not suits(w, s, machine, w.task[task].demand):
        task = w.task[task].next
    if task == NOBODY:
        see(s, gm, machine, True)
        return
    leave(w, s, gm, task)
    ask_for(w, s, task, machine)
    send(w, s, task)


@inner
def note(w: World, s: AwareState, machine: int, gm: int, freed: int) -> None:
    """Note a change of a machine for all Global Masters but the one whose task made it."""
    rules = s.rules[0]
    number, lm = rules.notes, s.lm[lm_of(s, machine)]
    rules.notes = number + 1
    it = s.note[number]
    it.machine = machine
    it.gm = gm
    it.freed = freed
    it.next = NOBODY
    if lm.last_note == NOBODY:
        lm.first_note = number
    else:
        s.note[lm.last_note].next = number
    lm.last_note = number


@inner
def hear(w: World, s: AwareState, gm: int, lm: int, since: int, up_to: int) -> None:
    """Apply the notes behind `since` up to `up_to`, partition by partition: first all that is busy, then what is free.

    A message loses the order of its changes: a machine that became free and busy again looks free.
    """
    if since == up_to:
        return
    masters = s.gm.shape[0]
    for number in range(lm * masters, (lm + 1) * masters):
        for freed in range(2):
            at = s.lm[lm].first_note if since == NOBODY else s.note[since].next
            while at != NOBODY:
                it = s.note[at]
                if it.gm != gm and it.freed == freed and s.place[it.machine].partition == number:
                    if freed == 1:
                        offer(w, s, gm, it.machine)
                    else:
                        see(s, gm, it.machine, False)
                if at == up_to:
                    break
                at = it.next


@inner
def join_at_tail(w: World, s: AwareState, gm: int, task: int) -> None:
    """Append a task to the list of its Global Master."""
    w.task[task].state = TASK_WAITING
    put_last(w.task, s.gm[gm], task)
    s.gm[gm].waiting += 1


@inner
def join_at_front(w: World, s: AwareState, gm: int, task: int) -> None:
    """Put a task before all others of the list of its Global Master."""
    w.task[task].state = TASK_WAITING
    put_first(w.task, s.gm[gm], task)
    s.gm[gm].waiting += 1


@inner
def leave(w: World, s: AwareState, gm: int, task: int) -> None:
    """Take a task out of the list of its Global Master."""
    take_out(w.task, s.gm[gm], task)
    s.gm[gm].waiting -= 1
