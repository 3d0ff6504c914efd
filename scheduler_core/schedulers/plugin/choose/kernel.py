"""The event loop of a scheduler that is one function: it asks for a machine, and the shared queues do the rest.

Tasks wait at the scheduler in order of arrival. After each change the loop asks for the first of them, then for the
next one. It ends the round when `look_ahead` tasks have got no machine.
"""

from __future__ import annotations

from scheduler_core.engine import rng
from scheduler_core.engine.consult import CONSULT
from scheduler_core.engine.events import KIND_JOB_ARRIVAL, steps_with_room, take_event
from scheduler_core.engine.incidents import is_out
from scheduler_core.engine.jit import inner, kernel
from scheduler_core.engine.lines import join_line
from scheduler_core.engine.records import NOBODY, TASK_WAITING, Records, World
from scheduler_core.engine.tasks import arrive, could_hold, decide, still_runs
from scheduler_core.schedulers.plugin.choose.reasons import SENT
from scheduler_core.schedulers.plugin.choose.state import ANSWERED, ASKED, IDLE, ChooseState
from scheduler_core.schedulers.shared.lines.mechanics import ARRIVED, PLACE, TASK_END, on_event, park, send
from scheduler_core.schedulers.shared.lines.reasons import UNSCHEDULABLE


@kernel
def advance(w: World, s: ChooseState, until_ns: int, max_events: int) -> int:
    """Process events up to and including `until_ns`; return why it came back (engine.events), or CONSULT.

    Source: the function `choose` of the plugin's file.
    """
    last, steps, rules = w.control[0].events + max_events, 0, s.rules[0]
    while True:
        if rules.stage == ASKED:
            return CONSULT
        if steps == 0:
            steps, full = steps_with_room(w, rules.room)
            if steps == 0:
                return full
        steps -= 1
        if rules.stage == ANSWERED:
            _act(w, s, rules.asked, rules.answer)
        if rules.left > 0:
            _ask_next(w, s)
            continue
        kind, a, b = take_event(w, until_ns, last)
        if kind < 0:
            return -1 - kind
        _on_event(w, s, kind, a, b)


@inner
def _on_event(w: World, s: ChooseState, kind: int, a: int, b: int) -> None:
    """Process an event, then begin a round of questions."""
    if kind == KIND_JOB_ARRIVAL:
        arrive(w, a, UNSCHEDULABLE)
        for task in range(w.job[a].first_task, w.job[a].first_task + w.job[a].tasks):
            if w.task[task].state == TASK_WAITING:
                _wait_here(w, s, task)
    else:
        if kind == PLACE or (kind == TASK_END and still_runs(w, a, w.control[0].now_ns)):
            _take_back(w, s, a)
        arrives = kind == ARRIVED and w.task[a].attempts == 0 and not is_out(w, b)
        task = on_event(w, s, kind, a, b)
        if arrives:  # the shared queues count the whole time since the job's arrival
            w.task[a].communication_ns -= w.task[a].framework_ns
        if task != NOBODY:
            _wait_here(w, s, task)
    s.rules[0].left = s.rules[0].look_ahead if s.rules[0].waiting_here > 0 else 0
    s.rules[0].before = NOBODY


@inner
def _wait_here(w: World, s: ChooseState, task: int) -> None:
    """Append a task to the scheduler's queue."""
    join_line(w, s.line, w.machine.shape[0] + 1, task)
    s.rules[0].waiting_here += 1


@inner
def _take_back(w: World, s: ChooseState, task: int) -> None:
    """Forget what a task needed on the machine to which it was sent."""
    machine = w.task[task].place
    s.tasks[machine] -= 1
    for r in range(s.promised.shape[1]):
        s.promised[machine, r] -= w.demand[w.task[task].demand, r]


@inner
def _ask_next(w: World, s: ChooseState) -> None:
    """Ask for the next task of the round, or end the round."""
    rules = s.rules[0]
    task = s.line[w.machine.shape[0] + 1].first if rules.before == NOBODY else w.task[rules.before].next
    if task == NOBODY:
        rules.left = 0
        return
    _show_machines(w, s, task)
    if rules.able == 0:
        _leave_queue(w, s, task)
        park(w, s, task)
        return
    _show_task(w, s, task)
    rules.asked, rules.stage = task, ASKED
    rules.questions += 1


@inner
def _leave_queue(w: World, s: ChooseState, task: int) -> None:
    """Remove the task behind `before` from the scheduler's queue."""
    line, before = s.line[w.machine.shape[0] + 1], s.rules[0].before
    if before == NOBODY:
        line.first = w.task[task].next
    else:
        w.task[before].next = w.task[task].next
    if line.last == task:
        line.last = before
    line.length -= 1
    s.rules[0].waiting_here -= 1


@inner
def _act(w: World, s: ChooseState, task: int, machine: int) -> None:
    """Carry out an answer."""
    rules = s.rules[0]
    rules.stage = IDLE
    if machine == NOBODY:
        rules.declined += 1
        rules.left -= 1
        rules.before = task
        return
    _leave_queue(w, s, task)
    decide(w, task, machine, SENT, NOBODY, NOBODY, s.tasks[machine], rules.able)
    row = w.task[task]
    row.place = machine
    if row.attempts == 0:
        row.framework_ns = w.control[0].now_ns - w.job[row.job].arrival_ns
    s.tasks[machine] += 1
    for r in range(s.promised.shape[1]):
        s.promised[machine, r] += w.demand[row.demand, r]
    send(w, s, task, machine)


@inner
def _amount(amounts: Records, row: int, column: int) -> float:
    """Return an amount in whole units; 0 where nobody has the resource."""
    return amounts[row, column] / 1000.0 if column >= 0 else 0.0


@inner
def _show_task(w: World, s: ChooseState, task: int) -> None:
    """Write down what `choose` sees of a task."""
    row, it, rules = w.task[task], s.task[0], s.rules[0]
    it.number, it.job, it.attempts = task, row.job, row.attempts
    it.job_tasks, it.queue = w.job[row.job].tasks, w.job[row.job].queue
    it.cpus = _amount(w.demand, row.demand, rules.cpus_at)
    it.memory_gb = _amount(w.demand, row.demand, rules.memory_at)
    it.gpus = _amount(w.demand, row.demand, rules.gpus_at)
    it.wait_s = (w.control[0].now_ns - w.job[row.job].arrival_ns) / 1e9
    it.duration_s = row.duration_ns / 1e9
    it.draw = rng.uniform(w.control[0].seed, rng.STREAM_PICK, task, rules.questions)


@inner
def _show_machines(w: World, s: ChooseState, task: int) -> None:
    """Write down what `choose` sees of the machines in service that could run a task."""
    demand, able, rules = w.task[task].demand, 0, s.rules[0]
    for machine in range(w.machine.shape[0]):
        if is_out(w, machine) or not could_hold(w, machine, demand):
            continue
        it = s.seen[able]
        able += 1
        it.number, it.cluster, it.rack = machine, w.machine[machine].cluster, w.machine[machine].rack
        it.cpus = _amount(w.capacity, machine, rules.cpus_at)
        it.memory_gb = _amount(w.capacity, machine, rules.memory_at)
        it.gpus = _amount(w.capacity, machine, rules.gpus_at)
        it.free_cpus = it.cpus - _amount(s.promised, machine, rules.cpus_at)
        it.free_memory_gb = it.memory_gb - _amount(s.promised, machine, rules.memory_at)
        it.free_gpus = it.gpus - _amount(s.promised, machine, rules.gpus_at)
        it.tasks, it.running = s.tasks[machine], w.machine[machine].running
        it.waiting = it.tasks - it.running
        it.has_room = True
        for r in range(w.capacity.shape[1]):
            if w.capacity[machine, r] - s.promised[machine, r] < w.demand[demand, r]:
                it.has_room = False
        it.draw = rng.uniform(w.control[0].seed, rng.STREAM_PICK, -1 - machine, rules.questions)
    rules.able = able
