"""Incidents in the datacenter during a run: faults, drains and changes, and the walk through each of them.

The rows of `World.incident` hold the incidents; world.planned makes them from an experiment's events. Each incident has
an event of kind `KIND_INCIDENT`, which goes before everything else at its instant. A protocol's loop sees an incident
as a series of events of that kind, one for each step of the walk through its machines and their tasks: (KIND_INCIDENT,
step, number). `World.control` holds the position of the walk, so a slice or a snapshot may end between any two steps.

| step | number | what the protocol does |
|---|---|---|
| `MACHINE_OUT` | machine | the machine has just gone out of service: start no more tasks there |
| `HAND_BACK` | machine | (`QUEUES`) send one entry of its queue elsewhere; `go_on` when it is empty. The step repeats |
| `LOSE_TASK` | task | (`LISTS`) the task's machine failed, or an event stops the task: stop it and let it wait again |
| `LOSE_ON` | machine | (without `LISTS`) stop one running task; `go_on` when none remains. The step repeats |
| `MACHINE_IN` | machine | the machine is in service again, empty except for tasks that a drain left running |
| `HAS_ROOM` | machine | an event has stopped a task there: tasks that wait for the machine may start |
| `WALKED` | incident | all machines of the incident have had their steps |
| `CHANGED` | incident | a share, the parameters or a master: see the row |
| `NOTHING` | incident | the task that an event would stop does not run |

A machine that is out of service has all its capacity and a little more withheld. Its free resources fall below zero, so
no task fits, and tasks on it release their resources as usual.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import DRAINED, DRAINS, FAILED, LISTS, NOBODY, QUEUES, World
from scheduler_core.engine.tasks import has_ended, runs_now, touch

KIND_INCIDENT = 0

# What an incident does. `first .. end-1` are machines, or `first` is the number of a master, a queue or a task.
FAIL_MACHINES, DRAIN_MACHINES, RESTORE_MACHINES = range(3)
FAIL_LOCAL_MASTER, RECOVER_LOCAL_MASTER, FAIL_GLOBAL_MASTER, RECOVER_GLOBAL_MASTER = range(3, 7)
SET_SHARE, SET_PARAMS = range(7, 9)
STOP_TASK = 9

SHARE_UNIT = 1_000_000_000
"""Shares are counted in billionths."""

MACHINE_OUT, MACHINE_IN, HAND_BACK, LOSE_TASK, LOSE_ON, CHANGED, WALKED, HAS_ROOM, NOTHING = range(9)
_OUT, _EMPTY, _LOSE = range(3)


@inner
def withhold(w: World, machine: int, why: int) -> bool:
    """Take a machine out of service; return True if it was in service until now."""
    it = w.machine[machine]
    was = it.outage
    it.outage = was | why
    touch(w, machine)
    if was != 0:
        return False
    for r in range(w.free.shape[1]):
        w.free[machine, r] -= w.capacity[machine, r] + 1
    return True


@inner
def restore(w: World, machine: int, why: int) -> bool:
    """Remove reasons for an outage; return True if the machine is in service again."""
    it = w.machine[machine]
    was = it.outage
    it.outage = was & ~why
    touch(w, machine)
    if was == 0 or it.outage != 0:
        return False
    for r in range(w.free.shape[1]):
        w.free[machine, r] += w.capacity[machine, r] + 1
    return True


@inner
def is_out(w: World, machine: int) -> bool:
    """Return True if a machine is out of service, judged by its free resources.

    In a run without incidents no machine is out; the kernel then skips the read, because it may examine many machines.
    Unleased machines of a pipeline do not count as out.
    """
    return bool(w.incident.shape[0] != 0 and w.free[machine, 0] < 0)


@inner
def begin_walk(w: World, number: int) -> None:
    """Begin the walk through row `number` of the incidents."""
    control = w.control[0]
    control.walking = number + 1
    control.walk_at = w.incident[number].first
    control.walk_stage = _OUT


@inner
def go_on(w: World) -> None:
    """Finish the step that the last report named and move on to the next one."""
    control = w.control[0]
    if control.walk_stage == _EMPTY:
        control.walk_stage = _LOSE
    else:
        control.walk_stage = _OUT
        control.walk_at += 1


@called
def next_step(w: World) -> tuple[int, int]:
    """Take the next step of the current incident and return (step, number), as in the table above."""
    control = w.control[0]
    number = control.walking - 1
    row = w.incident[number]
    if row.what == STOP_TASK:
        return _next_of_stop(w, number)
    while row.what <= RESTORE_MACHINES and control.walk_at < row.end:
        machine = control.walk_at
        if row.what == RESTORE_MACHINES:
            control.walk_at += 1
            if restore(w, machine, row.x):
                return MACHINE_IN, machine
            continue
        if control.walk_stage == _OUT:
            control.walk_stage = _EMPTY
            if withhold(w, machine, row.x):
                return MACHINE_OUT, machine
        if control.walk_stage == _EMPTY:
            if control.walks & QUEUES != 0:
                return HAND_BACK, machine
            control.walk_stage = _LOSE
        if row.what == FAIL_MACHINES or control.walks & DRAINS != 0:
            if control.walks & LISTS == 0:
                return LOSE_ON, machine
            task = _first_running(w, machine)
            if task != NOBODY:
                return LOSE_TASK, task
        go_on(w)
    control.walking = 0
    control.incidents_left -= 1
    return (WALKED if row.what <= RESTORE_MACHINES else CHANGED), number


@inner
def _next_of_stop(w: World, number: int) -> tuple[int, int]:
    """Take the next step of an event that stops one task; its machine stays in service."""
    control, task = w.control[0], w.incident[number].first
    if control.walk_stage == _OUT and runs_now(w, task):
        control.walk_stage = _EMPTY
        control.walk_at = w.task[task].machine
        return LOSE_TASK, task
    if control.walk_stage == _EMPTY:
        control.walk_stage = _LOSE
        if w.machine[control.walk_at].outage == 0:
            return HAS_ROOM, control.walk_at
    control.walking = 0
    control.incidents_left -= 1
    return (WALKED if control.walk_stage == _LOSE else NOTHING), number


@inner
def _first_running(w: World, machine: int) -> int:
    """Return the machine's first listed task that has not ended; an ended task may still be in the list."""
    task: int = w.machine[machine].first
    while task != NOBODY and has_ended(w, task):
        task = w.task[task].next
    return task


def look_for(world: World, what: int) -> None:
    """Let the walk through incidents look for LISTS, QUEUES or DRAINS; do nothing in a run without incidents."""
    if len(world.incident):
        world.control["walks"] |= what


def held(world: World) -> npt.NDArray[np.int64]:
    """Return the resources that tasks hold on each machine: int64 (machines, resources), in thousandths."""
    out = world.machine["outage"] != 0
    used: npt.NDArray[np.int64] = world.capacity - world.free
    used[out] -= world.capacity[out] + 1
    return used


def paint_outage(world: World, machines: npt.NDArray[np.int32], out: npt.NDArray[np.uint8]) -> None:
    """Write the outage layer of the machines into `out` (uint8): 0 in service, half draining, full failed."""
    flags = world.machine["outage"][machines]
    out[:] = np.where(flags & FAILED, 255, np.where(flags & DRAINED, 128, 0))
