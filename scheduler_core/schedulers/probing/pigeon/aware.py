"""Pigeon's event loop under the rules of the constraint-aware program of Megha's authors.

Each task goes to a random master. The draw is weighted by the number of each master's suitable workers. There the task
takes the idle suitable worker with the fewest properties, or waits. A worker that becomes free takes the first suitable
task anywhere in its master's queues. The program's weights are kept, although they count too many workers if a worker's
properties include another's (docs/development/agreement.md).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scheduler_core.engine import rng
from scheduler_core.engine.events import schedule, schedule_in_lane
from scheduler_core.engine.jit import inner, kernel
from scheduler_core.engine.lists import put_last, take_out
from scheduler_core.engine.records import NOBODY, TASK_UNSCHEDULABLE, Records, World
from scheduler_core.engine.tasks import arrive, decide, finish_task, start_task
from scheduler_core.schedulers.probing.pigeon.reasons import FROM_HIGH, FROM_LOW, LAUNCHED, UNSCHEDULABLE
from scheduler_core.schedulers.probing.pigeon.state import HIGH, LANE_TO_MASTER, LOW, TASK_END, TO_MASTER
from scheduler_core.schedulers.shared.probing.room import take_step


class AwareState(NamedTuple):
    """M workers, G groups, D demand classes. A worker is idle while no task runs there."""

    rules: Records  # (1,) RULES
    worker: Records  # (M,) WORKER
    queue: Records  # (G, 2) LIST of tasks: HIGH, LOW
    turns: npt.NDArray[np.int64]  # (G,) short tasks taken from the queue since the last long one
    first: npt.NDArray[np.int32]  # (G + 1,) first worker of each group
    properties: npt.NDArray[np.int32]  # (M,) how many properties each worker has
    size: npt.NDArray[np.uint8]  # (D, sizes of machines) whether a machine of the size could hold the demand
    size_of: npt.NDArray[np.int32]  # (M,) number of the worker's size
    weight: npt.NDArray[np.int64]  # (D, G) cumulative weights of the masters


@kernel
def advance(w: World, s: AwareState, until_ns: int, max_events: int) -> int:
    """Process events up to and including `until_ns`; returns why it came back (engine.events).

    Source: the public program of Megha's authors, which has a Pigeon with constraints.
    """
    rules, last, steps = s.rules[0], w.control[0].events + max_events, 0
    while True:
        steps, kind, a, b = take_step(w, rules.room, False, until_ns, last, steps)
        if kind < 0:
            return -1 - kind
        if kind == TASK_END:
            on_end(w, s, a)
        elif kind == TO_MASTER:
            on_task(w, s, a, b)
        else:
            on_job(w, s, a)
            steps = 0


@inner
def on_job(w: World, s: AwareState, job: int) -> None:
    """Send each task of the job to a master, drawn by the weights for what the task asks for."""
    row, masters = w.job[job], s.weight.shape[1]
    arrive(w, job, UNSCHEDULABLE)
    for task in range(row.first_task, row.first_task + row.tasks):
        demand = w.task[task].demand
        if w.task[task].state == TASK_UNSCHEDULABLE:
            continue
        drawn = rng.below(w.control[0].seed, rng.STREAM_PICK, task, 0, s.weight[demand, masters - 1])
        low, high = 0, masters - 1
        while low < high:
            middle = (low + high) >> 1
            if s.weight[demand, middle] > drawn:
                high = middle
            else:
                low = middle + 1
        w.control[0].messages += 1
        schedule_in_lane(w, LANE_TO_MASTER, w.control[0].now_ns + s.rules[0].delay_ns, TO_MASTER, task, low)


@inner
def suits(w: World, s: AwareState, worker: int, demand: int) -> bool:
    """Return whether the worker, were it idle, could run the demand."""
    asks = w.asks[demand]
    able: bool = (w.machine[worker].offers & asks) == asks and s.size[demand, s.size_of[worker]] == 1
    return able


@inner
def on_task(w: World, s: AwareState, task: int, master: int) -> None:
    """Start the task on the idle suitable worker with the fewest properties, or queue it."""
    demand, best = w.task[task].demand, NOBODY
    for worker in range(s.first[master], s.first[master + 1]):
        fewer = best == NOBODY or s.properties[worker] < s.properties[best]
        if fewer and w.machine[worker].running == 0 and suits(w, s, worker, demand):
            best = worker
    if best != NOBODY:
        s.rules[0].direct += 1
        launch(w, s, task, best, LAUNCHED)
        return
    which = w.task[task].kind
    put_last(w.task, s.queue[master, which], task)
    count(s, master, which, 1)


@inner
def count(s: AwareState, master: int, which: int, change: int) -> None:
    """Keep the lengths of the queues, which pictures and series show."""
    s.queue[master, which].length += change
    if which == HIGH:
        s.rules[0].high_waiting += change
    else:
        s.rules[0].low_waiting += change


@inner
def launch(w: World, s: AwareState, task: int, worker: int, reason: int) -> None:
    """Send a task to a worker, which starts it one message later; the master hears of its end another one later."""
    row, delay_ns, now_ns = w.task[task], s.rules[0].delay_ns, w.control[0].now_ns
    master = s.worker[worker].master
    row.framework_ns = now_ns - row.since_ns - delay_ns
    row.communication_ns = 2 * delay_ns
    s.worker[worker].longs += row.kind
    w.control[0].messages += 2
    decide(w, task, worker, reason, NOBODY, master, row.framework_ns, s.queue[master, row.kind].length)
    end_ns = start_task(w, task, worker, now_ns + delay_ns)
    schedule(w, end_ns + delay_ns, TASK_END, task, 0)


@inner
def on_end(w: World, s: AwareState, task: int) -> None:
    """Give the worker the next suitable task: a short one while it is their turn, else a long one, else a short one.

    The job ends when its master hears of its last task.
    """
    worker, now_ns = w.task[task].machine, w.control[0].now_ns
    master: int = s.worker[worker].master
    finish_task(w, task, now_ns - s.rules[0].delay_ns)
    w.job[w.task[task].job].end_ns = max(w.job[w.task[task].job].end_ns, now_ns)
    s.worker[worker].longs -= w.task[task].kind
    found = NOBODY
    if s.turns[master] <= s.rules[0].weight or s.queue[master, LOW].first == NOBODY:
        found = take(w, s, master, HIGH, worker)
    if found == NOBODY:
        found = take(w, s, master, LOW, worker)
    if found == NOBODY:
        found = take(w, s, master, HIGH, worker)
    if found != NOBODY:
        launch(w, s, found, worker, FROM_HIGH if w.task[found].kind == HIGH else FROM_LOW)


@inner
def take(w: World, s: AwareState, master: int, which: int, worker: int) -> int:
    """Take the first task of a queue that suits the worker, or NOBODY."""
    queue = s.queue[master, which]
    task = queue.first
    while task != NOBODY and not suits(w, s, worker, w.task[task].demand):
        task = w.task[task].next
    if task == NOBODY:
        return NOBODY
    rules = s.rules[0]
    take_out(w.task, queue, task)
    count(s, master, which, -1)
    if which == HIGH:
        rules.waited_high += 1
        s.turns[master] += 1
    else:
        rules.waited_low += 1
        s.turns[master] = 0
    found: int = task
    return found
