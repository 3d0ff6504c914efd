"""Reader of the task_events table of Google's cluster trace of 2011.

Format: C. Reiss, J. Wilkes and J. L. Hellerstein, "Google cluster-usage traces: format + schema" (version 2.1): CSV
without a header, 13 columns, times in microseconds; event types 0 SUBMIT, 1 SCHEDULE, 2 EVICT, 3 FAIL, 4 FINISH, 5
KILL, 6 LOST, 7 and 8 updates. Requests are fractions of the largest machine, not cores, so they are not taken over.
Constraints lie in another table, task_constraints; here only "different machine" is, and neither is taken over.
Written from memory: not yet compared with that document or with a file of the trace.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from scheduler_core.workload.gathering import NONE, Events, Lives, Tasks
from scheduler_core.workload.raw import Ints, RawWork, TraceReader
from scheduler_core.workload.table import Layout, Rows, Table, first_line

if TYPE_CHECKING:
    from scheduler_core.limits import Limits

_NAMES = (
    "time", "missing info", "job ID", "task index", "machine ID", "event type", "user", "scheduling class", "priority",
    "CPU request", "memory request", "disk request", "different machines",
)
INDEX_BITS = 20
_MOST_JOB, _MOST_TIME = 1 << (62 - INDEX_BITS), 10**15
_SUBMIT, _SCHEDULE, _FINISH = 0, 1, 4
_TYPES = 9


def sniff(head: bytes) -> bool:
    """Tell whether the first line has 13 columns, with numbers where the table has them."""
    words = first_line(head).split(b",")
    types = {b"%d" % kind for kind in range(_TYPES)}
    return len(words) == 13 and all(words[at].isdigit() for at in (0, 2, 3)) and words[5] in types


def read(path: Path, limits: Limits) -> RawWork:
    """Read a task_events table; raises TraceError."""
    import pyarrow as pa

    names = ("time", "job ID", "task index", "event type", "different machines")
    table = Table(path, Layout(_NAMES, dict.fromkeys(names, pa.int64())), limits)
    events, apart = Events(limits), 0
    for rows in table.blocks():
        time, job, index, kind = (rows.numbers(name) for name in names[:4])
        apart += int(np.count_nonzero(rows.numbers("different machines", 0) == 1))
        add_events(events, rows, (job, index, time, kind), _TYPES)
    notes: tuple[str, ...] = ("Requests are fractions of the largest machine and were not taken over.",)
    if apart:
        notes += (f"{apart:,} events ask for different machines for a job's tasks; this was not taken over.",)
    return finished(events, table, limits, notes)


def add_events(events: Events, rows: Rows, columns: tuple[Ints, Ints, Ints, Ints], types: int, *,
               submit: int = _SUBMIT, schedule: int = _SCHEDULE, finish: int = _FINISH) -> None:
    """Add a block of events: jobs, indices of tasks, times in microseconds and types."""
    job, index, time, kind = columns
    good = rows.keep({
        "no job or task, or a number that is too large": (job < 0) | (job >= _MOST_JOB) | (index < 0)
        | (index >= 1 << INDEX_BITS),
        "no time within the trace (before its start or after its end)": (time < 0) | (time > _MOST_TIME),
        "an event of no known type": (kind < 0) | (kind >= types),
    })
    used = np.flatnonzero(good & ((kind == submit) | (kind == schedule) | (kind == finish)))
    kind, time = kind[used], time[used]
    events.add(Lives(
        (job[used] << INDEX_BITS) | index[used],
        np.where(kind == submit, time, NONE), np.where(kind == schedule, time, -1), np.where(kind == finish, time, -1),
        used + rows.first,
    ))


def finished(events: Events, table: Table, limits: Limits, notes: tuple[str, ...]) -> RawWork:
    """Make jobs of the tasks that were scheduled and finished."""
    lives = events.merged()
    wrong = {
        "tasks left out that never finish here": lives.end < 0,
        "tasks left out whose start is not here": (lives.start < 0) | (lives.start > lives.end),
        "tasks left out whose submission is not here": lives.submit == NONE,
    }
    good = np.ones(len(lives.key), np.bool_)
    for kind, where in wrong.items():
        where = where & good
        if count := int(np.count_nonzero(where)):
            line = table.line_of(int(lives.row[where].min()))
            notes += (f"{count:,} {kind}; the first is on line {line:,}.",)
            good &= ~where
    tasks = Tasks(limits)
    ran = (lives.end - lives.start)[good]
    tasks.add(lives.key[good] >> INDEX_BITS, lives.submit[good] * 1000, ran * 1000)
    return tasks.work((*notes, *table.skipped.notes))


READER = TraceReader(
    name="google-2011",
    label="Google cluster trace 2011, task_events (.csv)",
    help="CSV of 13 columns; a task runs from its last SCHEDULE to its FINISH; other tasks are left out and counted.",
    suffixes=(".csv", ".csv.gz", ".csv.zst"),
    has_queues=False,
    sniff=sniff,
    read=read,
)
