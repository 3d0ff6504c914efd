"""Handle servers out of service: jobs match lost or returned tasks again unless a copy runs elsewhere."""

from __future__ import annotations

from scheduler_core.engine.incidents import HAND_BACK, LOSE_TASK, MACHINE_IN, MACHINE_OUT, go_on
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, TASK_WAITING, World
from scheduler_core.engine.tasks import decide, stop_task
from scheduler_core.schedulers.probing.apollo.matching import match_tasks
from scheduler_core.schedulers.probing.apollo.servers import give_back, give_back_spare, match_again, runs_no_more
from scheduler_core.schedulers.probing.apollo.state import ApolloState
from scheduler_core.schedulers.shared.probing.outages import count_able, retry_more, take_parked
from scheduler_core.schedulers.shared.probing.queues import drop_first
from scheduler_core.schedulers.shared.probing.sampling import put_back
from scheduler_core.world.reasons import LOST


@called
def on_incident(w: World, s: ApolloState, step: int, number: int) -> None:
    """Process one step of an incident (engine.incidents); shares of queues mean nothing here."""
    if step == MACHINE_OUT or step == MACHINE_IN:
        count_able(w, s, number, 1 if step == MACHINE_IN else -1)
        s.server[number].changed = 1
    elif step == HAND_BACK:
        _hand_back(w, s, number)
    elif step == LOSE_TASK:
        _lose(w, s, number)


@inner
def _hand_back(w: World, s: ApolloState, server: int) -> None:
    """Give back the first of the queue of a server that is out, then the tasks that wait beside it."""
    probe = s.worker[server].first
    if probe != NOBODY:
        task = s.probe[probe].task
        drop_first(w, s, server)
        put_back(s, probe)
        if w.task[task].state == TASK_WAITING:
            give_back(w, s, task, server)
        else:
            s.task[task].live -= 1
            s.rules[0].dropped += 1
    elif s.server[server].spares > 0:
        give_back_spare(w, s, server)
    else:
        go_on(w)


@inner
def _lose(w: World, s: ApolloState, task: int) -> None:
    """Lose a task whose server failed; a copy that waits elsewhere replaces it."""
    row, now_ns = w.task[task], w.control[0].now_ns
    stop_task(w, task, now_ns)
    runs_no_more(s, task, row.machine)
    decide(w, task, row.machine, LOST, NOBODY, NOBODY, now_ns - row.last_start_ns, 0)
    row.since_ns = now_ns
    match_again(w, s, task)


@called
def on_match_again(w: World, s: ApolloState, task: int) -> None:
    """Tell a job that a task has to be matched again."""
    if w.task[task].state == TASK_WAITING:
        match_tasks(s, w.task[task].job, task, task + 1)


@called
def on_retry(w: World, s: ApolloState) -> None:
    """Match the next task that had found no server, after one has come in."""
    probe = take_parked(s)
    if probe != NOBODY:
        task = s.probe[probe].task
        put_back(s, probe)
        on_match_again(w, s, task)
    retry_more(w, s)
