"""Handle faults, drains and share changes: lost tasks are the next of their group to start."""

from __future__ import annotations

from scheduler_core.engine.incidents import CHANGED, LOSE_TASK, SET_SHARE, SHARE_UNIT, WALKED
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import decide, stop_task
from scheduler_core.schedulers.spacetime.state import SpaceState
from scheduler_core.world.reasons import LOST


@called
def on_incident(w: World, s: SpaceState, step: int, number: int) -> bool:
    """Process one step of an incident (engine.incidents); return whether a cycle may find something new."""
    if step == LOSE_TASK:
        _lose(w, s, number)
    elif step == CHANGED and w.incident[number].what == SET_SHARE:
        s.share[w.incident[number].first] = w.incident[number].x / SHARE_UNIT
        if s.rules[0].by_share == 1:
            _weigh_again(w, s)
    return step == WALKED or step == CHANGED


@inner
def _weigh_again(w: World, s: SpaceState) -> None:
    """Set each job's weight to its queue's share over the mean of all shares."""
    total = 0.0
    for queue in range(s.share.shape[0]):
        total += s.share[queue]
    for number in range(s.job.shape[0]):
        s.job[number].weight = s.share[w.job[number].queue] * s.share.shape[0] / total


@inner
def _lose(w: World, s: SpaceState, task: int) -> None:
    """Lose a task whose machine failed."""
    row, now_ns, number = w.task[task], w.control[0].now_ns, s.group_of[task]
    group = s.group[number]
    stop_task(w, task, now_ns)
    decide(w, task, row.machine, LOST, NOBODY, NOBODY, max(now_ns - row.last_start_ns, 0), 0)
    group.started -= 1
    group.told = 0
    last, place = group.first + group.started, group.first
    while s.task_order[place] != task:
        place += 1
    s.task_order[place] = s.task_order[last]
    s.task_order[last] = task
    if group.open == 0:
        group.open = 1
        s.rules[0].open += 1
