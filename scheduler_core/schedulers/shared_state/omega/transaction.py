"""A transaction: copy the state, let decision time pass, choose machines, and check the commit for conflicts.

The loop handles the tasks of a transaction one by one (`rules.phase`), so that a slice of the run can end at any point
without changing the outcome.
"""

from __future__ import annotations

from scheduler_core.engine.events import schedule, schedule_in_lane
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import decide, fits, hold, release, start_held, touch
from scheduler_core.schedulers.shared_state.omega.copies import make_copy, note_change, search, spend
from scheduler_core.schedulers.shared_state.omega.queues import join, remove_task, set_aside, take_next
from scheduler_core.schedulers.shared_state.omega.reasons import (
    CHANGED,
    COMMITTED,
    CONFLICT,
    INCOMPLETE,
    NO_ROOM,
    ROLLED_BACK,
)
from scheduler_core.schedulers.shared_state.omega.state import (
    AWAY,
    CHOOSING,
    CLAIMING,
    COMMIT,
    DECIDED,
    IDLE,
    LANE_COMMIT,
    LANE_REPLY,
    READY,
    REPLY,
    SETTLING,
    TASK_END,
    OmegaState,
)


@inner
def begin(w: World, s: OmegaState, who: int) -> None:
    """Take the scheduler's next job if it has none in hand, copy the state and begin to think."""
    me, rules = s.scheduler[who], s.rules[0]
    if me.job != NOBODY:
        return
    number = take_next(w, s, who)
    if number == NOBODY:
        return
    job = s.job[number]
    me.job = number
    me.tasks = job.waiting
    job.draws += 1
    make_copy(w, s, who)
    a_job_ns, a_task_ns = rules.job_ns, rules.task_ns
    if job.service == 1:
        a_job_ns, a_task_ns = rules.service_job_ns, rules.service_task_ns
    took_ns = a_job_ns + a_task_ns * me.tasks
    me.busy_ns += took_ns
    me.busy_until_ns = me.copied_ns + took_ns
    schedule(w, me.busy_until_ns, DECIDED, who, 0)


@inner
def enter(s: OmegaState, who: int, phase: int) -> None:
    """Enter a phase of a scheduler's transaction, from its first task on."""
    me, rules = s.scheduler[who], s.rules[0]
    rules.phase = phase
    rules.who = who
    rules.task = s.job[me.job].first
    rules.left = me.tasks
    if phase == CHOOSING:
        me.found = 0
    if phase == CLAIMING:
        me.refused = 0


@inner
def turn(w: World, s: OmegaState) -> None:
    """Process one task of the transaction, or what follows the last one."""
    rules = s.rules[0]
    who, task = rules.who, rules.task
    if rules.left == 0:
        _end_phase(w, s, who)
        return
    rules.left -= 1
    rules.task = w.task[task].next
    if rules.phase == CHOOSING:
        _choose(w, s, who, task)
    elif w.task[task].place != NOBODY and rules.phase == CLAIMING:
        _claim(w, s, who, task)
    elif rules.phase == SETTLING:
        _settle(w, s, who, task)


@inner
def _is_whole(s: OmegaState, who: int) -> bool:
    """Return whether a scheduler commits all of its job or nothing: by the rule for all, or as a gang."""
    return bool(s.rules[0].whole == 1 or s.job[s.scheduler[who].job].gang == 1)


@inner
def _end_phase(w: World, s: OmegaState, who: int) -> None:
    rules = s.rules[0]
    if rules.phase == CLAIMING:
        enter(s, who, SETTLING)
        return
    if rules.phase == CHOOSING:
        _send(w, s, who)
    else:
        _reply(w, s, who)
    rules.phase = IDLE


@inner
def _choose(w: World, s: OmegaState, who: int, task: int) -> None:
    """Find a machine in the copy, and take it there."""
    me, row = s.scheduler[who], w.task[task]
    if row.attempts == 0:
        row.framework_ns += me.copied_ns - row.since_ns
        row.processing_ns += w.control[0].now_ns - me.copied_ns
    row.since_ns = w.control[0].now_ns
    row.place = NOBODY
    if me.vain_freed == me.copied_freed and me.vain_demand == row.demand:
        return
    machine = search(w, s, who, task)
    row.place = machine
    if machine != NOBODY:
        me.found += 1
        spend(w, s, who, machine, row.demand)
    elif me.found == 0 or not _is_whole(s, who):
        me.vain_demand = row.demand
        me.vain_freed = me.copied_freed


@inner
def _send(w: World, s: OmegaState, who: int) -> None:
    """Send the commit, unless there is nothing to commit: then the job is put aside, and the next one's turn comes."""
    me, rules, now_ns = s.scheduler[who], s.rules[0], w.control[0].now_ns
    number = me.job
    in_parts = not _is_whole(s, who) or (me.alone == 1 and s.job[number].gang == 0)
    if me.found > 0 and (me.found == me.tasks or in_parts):
        rules.transactions += 1
        w.control[0].messages += 1
        schedule_in_lane(w, LANE_COMMIT, now_ns + rules.delay_ns, COMMIT, who, 0)
        return
    rules.vain_decisions += 1
    s.job[number].state = AWAY
    me.job = NOBODY
    reason = NO_ROOM if me.found == 0 else INCOMPLETE
    _put_aside(w, s, who, number, reason)
    schedule(w, now_ns, REPLY, who, 0)


@inner
def _put_aside(w: World, s: OmegaState, who: int, number: int, reason: int) -> None:
    """Set aside a job with too little room in the copy until some has come back."""
    me, job = s.scheduler[who], s.job[number]
    x, y = job.waiting, 0
    if reason == INCOMPLETE:
        x, y = me.found, me.tasks
    if job.told != reason:
        decide(w, _told_about(w, s, number), NOBODY, reason, NOBODY, who, x, y)
    set_aside(w, s, number, reason, x, y, me.copied_freed)


@inner
def _told_about(w: World, s: OmegaState, number: int) -> int:
    """Return the task that a row about its whole job is written for: the first waiting or the watched one."""
    watched: int = w.control[0].watched_task
    first: int = s.job[number].first
    if watched >= 0 and w.task[watched].job == number and w.task[watched].machine == NOBODY:
        return watched
    return first


@inner
def _claim(w: World, s: OmegaState, who: int, task: int) -> None:
    """Hold a claim against the truth; what is accepted is held at once.

    Source: *Omega: flexible, scalable schedulers for large compute clusters* (optimistic commits).
    """
    me, rules, row = s.scheduler[who], s.rules[0], w.task[task]
    machine = row.place
    it, room = s.machine[machine], fits(w, machine, row.demand)
    if room and (rules.coarse == 0 or it.sequence == s.seen[who, machine]):
        hold(w, machine, row.demand)
        note_change(s, machine)
        return
    me.refused += 1
    rules.refused_claims += 1
    it.conflicts += 1
    touch(w, machine)
    row.place = NOBODY
    decide(w, task, machine, CHANGED if room else CONFLICT, NOBODY, who, it.last_task, w.machine[machine].outage)


@inner
def _settle(w: World, s: OmegaState, who: int, task: int) -> None:
    """Start what was claimed; or give it back, where it was to be all or nothing and something was refused.

    Source: *Omega: flexible, scalable schedulers for large compute clusters* (conflicts).
    """
    me, rules, row, now_ns = s.scheduler[who], s.rules[0], w.task[task], w.control[0].now_ns
    machine = row.place
    heard_ns = now_ns + rules.delay_ns  # when the news arrives: at the machine to start, at the scheduler to try again
    if row.attempts == 0:
        row.communication_ns += heard_ns - row.since_ns
    row.since_ns = heard_ns
    if machine == NOBODY:
        return
    row.place = NOBODY
    if me.refused > 0 and _is_whole(s, who):
        release(w, machine, row.demand)
        decide(w, task, machine, ROLLED_BACK, NOBODY, who, me.refused, me.tasks)
        return
    it = s.machine[machine]
    it.sequence += 1
    it.last_task = task
    remove_task(w, s, task)
    decide(w, task, machine, COMMITTED, NOBODY, who, now_ns - me.copied_ns, s.job[row.job].tries)
    row.next = it.first
    row.previous = NOBODY
    if it.first != NOBODY:
        w.task[it.first].previous = task
    it.first = task
    w.control[0].messages += 2
    end_ns = start_held(w, task, machine, heard_ns)
    schedule(w, end_ns + rules.delay_ns, TASK_END, task, heard_ns)


@inner
def _reply(w: World, s: OmegaState, who: int) -> None:
    """Tell the scheduler the result of its commit; what is left of the job waits for another turn."""
    me, rules, now_ns = s.scheduler[who], s.rules[0], w.control[0].now_ns
    number = me.job
    job = s.job[number]
    nothing = me.refused > 0 and _is_whole(s, who)
    placed = 0 if nothing else me.found - me.refused
    rules.commits += 1 if placed > 0 else 0
    if me.refused > 0:
        rules.conflicts += 1
        rules.retried_tasks += me.found if nothing else me.refused
        job.tries += 1
        me.vain_freed = NOBODY  # it did not get what its copy was spent on
    w.control[0].messages += 1
    job.told = 0
    if job.waiting == 0:
        job.gang = 0  # lost tasks start again alone
    if job.waiting == 0 and job.scheduled == 0:
        job.scheduled = 1
        rules.jobs_scheduled += 1
    schedule_in_lane(w, LANE_REPLY, now_ns + rules.delay_ns, REPLY, who, 1)


@inner
def on_reply(w: World, s: OmegaState, who: int, committed: int) -> None:
    """Process the reply: put the rest of the scheduler's job into a list, and go on with the next job."""
    me = s.scheduler[who]
    if committed == 1:
        number = me.job
        job = s.job[number]
        job.state = AWAY
        me.job = NOBODY
        if job.waiting > 0 and me.refused == 0 and me.found < me.tasks:
            _put_aside(w, s, who, number, NO_ROOM)
        elif job.waiting > 0:
            join(w, s, number, READY)
    begin(w, s, who)
