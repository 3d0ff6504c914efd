"""Servers: a queue of regular tasks, and a queue of opportunistic tasks that run when capacity is idle."""

from __future__ import annotations

from scheduler_core.engine import rng
from scheduler_core.engine.events import schedule
from scheduler_core.engine.incidents import is_out
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.lists import take_out
from scheduler_core.engine.records import NOBODY, TASK_WAITING, World
from scheduler_core.engine.tasks import decide, finish_task, fits, start_task, still_runs, touch
from scheduler_core.schedulers.probing.apollo.reasons import FILLED, STARTED, UPGRADED
from scheduler_core.schedulers.probing.apollo.state import (
    MATCH_AGAIN,
    MORE,
    SPARE,
    TASK_END,
    TO_SERVER,
    UPGRADE,
    WHAT_BITS,
    ApolloState,
)
from scheduler_core.schedulers.shared.probing.notes import ARRIVED, DROPPED, SERVED, note_sent
from scheduler_core.schedulers.shared.probing.queues import drop_first, join
from scheduler_core.schedulers.shared.probing.sampling import put_back, take_unused
from scheduler_core.schedulers.shared.probing.state import AT_ONCE
from scheduler_core.world.reasons import HANDED_BACK


@inner
def on_message(w: World, s: ApolloState, task: int, server: int, what: int) -> int:
    """Process a task's message at a server: queue it with a token, beside it without; or give it a token.

    Returns the server, or NOBODY where nothing has changed.
    """
    row, it, now_ns = w.task[task], s.task[task], w.control[0].now_ns
    if what == UPGRADE:
        if it.waits == 0:
            return NOBODY  # it has started meanwhile
        _wait_no_more(w, s, task)
        it.expected_ns = max(now_ns, s.start_ns[server, 0]) - row.since_ns
        it.sent = 1
        decide(w, task, server, UPGRADED, NOBODY, NOBODY, 0, s.worker[server].length)
    else:
        if row.state != TASK_WAITING:
            it.live -= 1
            s.rules[0].dropped += 1
            note_sent(w, task, server, DROPPED, 0)
            return NOBODY
        if is_out(w, server):
            give_back(w, s, task, server)
            return NOBODY
        if it.came == 0:
            row.communication_ns = now_ns - row.since_ns
            row.since_ns = now_ns
        it.came += 1
        if what == SPARE:
            _wait_beside(w, s, task, server)
            return server
    probe = take_unused(s, row.kind)
    s.probe[probe].task = task
    join(w, s, probe, server)
    s.server[server].changed = 1
    return server


@inner
def _wait_beside(w: World, s: ApolloState, task: int, server: int) -> None:
    """Add a task without a token to those beside the server's queue."""
    there = s.server[server]
    note_sent(w, task, server, ARRIVED, NOBODY)
    s.task[task].waits = 1
    there.spare = _link(s, task, there.spare)
    there.spares += 1
    s.rules[0].spare += 1
    touch(w, server)


@inner
def _wait_no_more(w: World, s: ApolloState, task: int) -> None:
    """Remove a task from those without a token at its server."""
    server = s.task[task].server
    there = s.server[server]
    s.task[task].waits = 0
    there.spare = _unlink(s, task, there.spare)
    there.spares -= 1
    s.rules[0].spare -= 1
    touch(w, server)


@inner
def _link(s: ApolloState, task: int, first: int) -> int:
    """Put a task before the first of a list of its server: the new first."""
    s.task[task].next = first
    s.task[task].previous = NOBODY
    if first != NOBODY:
        s.task[first].previous = task
    return task


@inner
def _unlink(s: ApolloState, task: int, first: int) -> int:
    """Take a task out of a list of its server: the first one then."""
    it = s.task[task]
    if it.next != NOBODY:
        s.task[it.next].previous = it.previous
    if it.previous != NOBODY:
        s.task[it.previous].next = it.next
        return first
    after: int = it.next
    return after


@inner
def serve(w: World, s: ApolloState, server: int) -> None:
    """Start what is first in the queue while it fits; with nothing in the queue, any of the opportunistic ones."""
    for _ in range(AT_ONCE):
        probe, reason = s.worker[server].first, STARTED
        if probe != NOBODY:
            task, number = s.probe[probe].task, s.probe[probe].ahead
            gone = w.task[task].state != TASK_WAITING
            if not gone and not fits(w, server, w.task[task].demand):
                return
            drop_first(w, s, server)
            put_back(s, probe)
            s.server[server].changed = 1
            if gone:
                s.task[task].live -= 1
                s.rules[0].dropped += 1
                note_sent(w, task, server, DROPPED, 0)
                continue
        else:
            reason, number = FILLED, s.server[server].spares
            task = _draw_spare(w, s, server)
            if task == NOBODY:
                return
        _start(w, s, task, server, reason, number)
    schedule(w, w.control[0].now_ns, MORE, server, 0)


@inner
def _draw_spare(w: World, s: ApolloState, server: int) -> int:
    """Draw one of the opportunistic tasks, or else take the next one that fits; NOBODY when none does.

    Source: *Apollo: scalable and coordinated scheduling for cloud-scale computing* (opportunistic tasks).
    """
    there = s.server[server]
    if there.spares == 0 or not fits(w, server, w.demand.shape[0] - 1):
        return NOBODY
    task = there.spare
    for _ in range(rng.below(w.control[0].seed, rng.STREAM_TIE, server, there.draws, there.spares)):
        task = s.task[task].next
    for _ in range(there.spares):
        if fits(w, server, w.task[task].demand):
            there.draws += 1
            s.rules[0].filled += 1
            _wait_no_more(w, s, task)
            if s.task[task].token == 0:
                _want_no_token(w, s, task)
            found: int = task
            return found
        task = s.task[task].next
        if task == NOBODY:
            task = there.spare
    return NOBODY


@inner
def _start(w: World, s: ApolloState, task: int, server: int, reason: int, number: int) -> None:
    row, now_ns = w.task[task], w.control[0].now_ns
    if row.attempts == 0:
        row.worker_ns = now_ns - row.since_ns
    s.task[task].live -= 1
    decide(w, task, server, reason, NOBODY, NOBODY, now_ns - row.since_ns, number)
    note_sent(w, task, server, SERVED, 0)
    there = s.server[server]
    there.running = _link(s, task, there.running)
    there.changed = 1
    schedule(w, start_task(w, task, server, now_ns), TASK_END, task, 0)


@inner
def runs_no_more(s: ApolloState, task: int, server: int) -> None:
    """Remove a task from those that run on the server."""
    there = s.server[server]
    there.running = _unlink(s, task, there.running)
    there.changed = 1


@inner
def give_back_spare(w: World, s: ApolloState, server: int) -> None:
    """Send the first of the opportunistic tasks that wait at a server that is out back to its job."""
    task = s.server[server].spare
    _wait_no_more(w, s, task)
    give_back(w, s, task, server)


@called
def give_back(w: World, s: ApolloState, task: int, server: int) -> None:
    """Return a task's copy from a server that is out: match the task again if it has no other copy."""
    row, it = w.task[task], s.task[task]
    it.live -= 1
    if it.token == 0:
        _want_no_token(w, s, task)
    waited_ns = w.control[0].now_ns - row.since_ns
    decide(w, task, server, HANDED_BACK, NOBODY, NOBODY, waited_ns if it.came > 0 else 0, 0)
    match_again(w, s, task)


@called
def match_again(w: World, s: ApolloState, task: int) -> None:
    """Tell a task's job, one message from now, to match it again, unless it has another copy."""
    w.control[0].messages += 1
    if s.task[task].live == 0:
        s.task[task].sent = 0
        schedule(w, w.control[0].now_ns + s.rules[0].delay_ns, MATCH_AGAIN, task, 0)


@inner
def _want_no_token(w: World, s: ApolloState, task: int) -> None:
    """Remove a task from those of its job that wait for a token."""
    take_out(w.task, s.job[w.task[task].job], task)


@inner
def on_end(w: World, s: ApolloState, task: int) -> int:
    """Process a task's end, unless it was lost: pass its token to the job's first task without one.

    Return the server, or NOBODY if the task was lost.
    """
    row, rules, now_ns = w.task[task], s.rules[0], w.control[0].now_ns
    if not still_runs(w, task, now_ns):
        return NOBODY
    finish_task(w, task, now_ns)
    server: int = row.machine
    runs_no_more(s, task, server)
    if s.task[task].token == 0:
        return server
    job = s.job[row.job]
    job.used -= 1
    upgraded = job.first
    if upgraded != NOBODY:
        _want_no_token(w, s, upgraded)
        job.used += 1
        s.task[upgraded].token = 1
        rules.upgrades += 1
        w.control[0].messages += 1
        at = (s.task[upgraded].server << WHAT_BITS) | UPGRADE
        schedule(w, now_ns + rules.delay_ns, TO_SERVER, upgraded, at)
    return server
