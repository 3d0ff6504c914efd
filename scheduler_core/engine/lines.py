"""First-in, first-out queues of tasks, linked by the tasks' own `next`."""

from __future__ import annotations

import numpy as np

from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, Records, World, records
from scheduler_core.engine.tasks import touch

LINE = np.dtype([("first", "i4"), ("last", "i4"), ("length", "i4"), ("unused", "i4")])


def empty_lines(length: int) -> Records:
    """Return `length` empty queues: (length,) LINE."""
    lines = records(length, LINE)
    lines["first"] = lines["last"] = NOBODY
    return lines


@inner
def join_line(w: World, lines: Records, number: int, task: int) -> None:
    """Append a task to a queue."""
    line = lines[number]
    w.task[task].next = NOBODY
    if line.first == NOBODY:
        line.first = task
    else:
        w.task[line.last].next = task
    line.last = task
    line.length += 1
    if number < w.machine.shape[0]:
        touch(w, number)


@inner
def take_first(w: World, lines: Records, number: int) -> int:
    """Remove and return the first task of a queue; NOBODY if the queue is empty."""
    line = lines[number]
    task: int = line.first
    if task != NOBODY:
        line.first = w.task[task].next
        if line.first == NOBODY:
            line.last = NOBODY
        line.length -= 1
        if number < w.machine.shape[0]:
            touch(w, number)
    return task
