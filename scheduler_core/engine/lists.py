"""Lists of tasks that any task may leave.

The tasks' `next` and `previous` link them, between the `first` and `last` of their owner's record.
"""

from __future__ import annotations

from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, Records


@inner
def put_last(tasks: Records, ends: Records, task: int) -> None:
    """Append a task to a list."""
    row = tasks[task]
    row.next = NOBODY
    row.previous = ends.last
    if ends.last == NOBODY:
        ends.first = task
    else:
        tasks[ends.last].next = task
    ends.last = task


@inner
def put_first(tasks: Records, ends: Records, task: int) -> None:
    """Insert a task at the head of a list."""
    row = tasks[task]
    row.next = ends.first
    row.previous = NOBODY
    if ends.first == NOBODY:
        ends.last = task
    else:
        tasks[ends.first].previous = task
    ends.first = task


@inner
def take_out(tasks: Records, ends: Records, task: int) -> None:
    """Remove a task from a list; leave the task's own links unchanged."""
    row = tasks[task]
    if row.next == NOBODY:
        ends.last = row.previous
    else:
        tasks[row.next].previous = row.previous
    if row.previous == NOBODY:
        ends.first = row.next
    else:
        tasks[row.previous].next = row.next
