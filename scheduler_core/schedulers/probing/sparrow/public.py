"""The public simulator's rules: a worker runs one task, and learns at once if a task is left for it."""

from __future__ import annotations

from scheduler_core.engine.events import schedule, schedule_in_lane
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import decide, finish_task, start_task
from scheduler_core.schedulers.probing.sparrow.reasons import LAUNCHED
from scheduler_core.schedulers.probing.sparrow.state import ENDS, FREED, PROBED, SparrowState
from scheduler_core.schedulers.shared.probing.notes import ASKED, GIVEN, IN_VAIN, note
from scheduler_core.schedulers.shared.probing.queues import drop_first, join
from scheduler_core.schedulers.shared.probing.sampling import put_back
from scheduler_core.schedulers.shared.probing.state import LANE_ANSWER, PUBLIC


@inner
def on_public(w: World, s: SparrowState, about: int, worker: int, what: int) -> None:
    """Process a probe's arrival, a task's end, or an empty answer that frees the worker."""
    if what == PROBED:
        join(w, s, about, worker)
    else:
        if what == ENDS:
            finish_task(w, about, w.control[0].now_ns)
        s.worker[worker].taken = 0
    _serve_one(w, s, worker)


@inner
def _serve_one(w: World, s: SparrowState, worker: int) -> None:
    """Serve a free worker's first probe; a task is settled at once, and known two delays later.

    Probes of jobs that have no task left cost their 2 delays, too.
    """
    queue, rules = s.worker[worker], s.rules[0]
    probe = queue.first
    if queue.taken == 1 or probe == NOBODY:
        return
    it = s.probe[probe]
    group, now_ns = s.group[it.group], w.control[0].now_ns
    answer_ns = now_ns + 2 * rules.delay_ns
    queue.taken = 1
    drop_first(w, s, worker)
    note(w, s, probe, worker, ASKED, 0)
    w.control[0].messages += 2
    if group.next < group.end:
        task = s.order[group.next]
        group.next += 1
        note(w, s, probe, worker, GIVEN, task)
        row = w.task[task]
        row.worker_ns = now_ns - it.since_ns
        row.communication_ns = answer_ns - row.since_ns - row.worker_ns
        decide(w, task, worker, LAUNCHED, NOBODY, NOBODY, row.worker_ns, it.ahead)
        schedule(w, start_task(w, task, worker, answer_ns), PUBLIC, task, (worker << 2) | ENDS)
    else:
        note(w, s, probe, worker, IN_VAIN, 0)
        rules.noops += 1
        schedule_in_lane(w, LANE_ANSWER, answer_ns, PUBLIC, 0, (worker << 2) | FREED)
    put_back(s, probe)
