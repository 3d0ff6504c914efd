"""The central scheduler: send each task of a long job to the worker with the smallest estimated wait."""

from __future__ import annotations

from scheduler_core.engine.events import schedule_in_lane
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import World
from scheduler_core.schedulers.probing.hawk.state import HawkState
from scheduler_core.schedulers.shared.probing.central import choose_least_waiting, park_tasks, promise, wait_ns
from scheduler_core.schedulers.shared.probing.sampling import take_unused
from scheduler_core.schedulers.shared.probing.state import LANE_TO_WORKER, TASK, TO_WORKER


@inner
def place(w: World, s: HawkState, number: int) -> None:
    """Send every task of a long group to the worker chosen for it; in the public simulator, a probe that fetches it.

    Source: *Hawk: hybrid datacenter scheduling* (long jobs: the least waiting).
    """
    rules, group, now_ns = s.rules[0], s.group[number], w.control[0].now_ns
    if s.eligible[group.able].machines == 0:
        park_tasks(s, number)
        return
    for place in range(choose_least_waiting(w, s, number)):
        worker, probe = s.chosen[place], take_unused(s, number)
        it = s.probe[probe]
        it.since_ns = wait_ns(s, worker, now_ns)  # told when it arrives: a step has no room for these rows
        if rules.public == 0:
            it.task = s.order[group.next + place]
        promise(w, s, worker, number)
        rules.placed += 1
        w.control[0].messages += 1
        schedule_in_lane(w, LANE_TO_WORKER, now_ns + rules.delay_ns, TO_WORKER, probe, (worker << 2) | TASK)
    if rules.public == 0:
        group.next = group.end
