"""Read the task_events table of Google's cluster trace of 2011, and its tables of constraints.

Format: clusterdata-2011-2, described by C. Reiss, J. Wilkes and J. L. Hellerstein, "Google cluster-usage traces:
format + schema" (version 2.1), and by the file schema.csv that comes with the trace. Checked against public
programs that quote them, not against the document itself, which is not public. CSV without a header.

task_events, 13 fields: 1 time (microseconds), 2 missing info, 3 job ID, 4 task index, 5 machine ID, 6 event type, 7
user, 8 scheduling class, 9 priority, 10 CPU, 11 memory, 12 disk request, 13 different machines restriction. Event
types: 0 SUBMIT, 1 SCHEDULE, 2 EVICT, 3 FAIL, 4 FINISH, 5 KILL, 6 LOST, 7 and 8 updates. Time 0 means before the
trace, 2^63 - 1 after it. Requests are fractions of the largest machine, not cores, so the reader leaves them, and
neither is the restriction to different machines. Constraints are in google2011_constraints.py.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from scheduler_core.workload.raw import Asked, Beside, Ints, LeftOut, RawWork, TraceReader
from scheduler_core.workload.readers.gathering import NONE, Events, Lives, Tasks
from scheduler_core.workload.readers.google2011_constraints import task_masks
from scheduler_core.workload.readers.table import Layout, Rows, Table, first_line

if TYPE_CHECKING:
    from scheduler_core.limits import Limits

_NAMES = (
    "time",
    "missing info",
    "job ID",
    "task index",
    "machine ID",
    "event type",
    "user",
    "scheduling class",
    "priority",
    "CPU request",
    "memory request",
    "disk request",
    "different machines",
)
INDEX_BITS = 20
_MOST_JOB, _MOST_TIME = 1 << (62 - INDEX_BITS), 10**15
_SUBMIT, _SCHEDULE, _FINISH = 0, 1, 4
_TYPES = 9


def sniff(head: bytes) -> bool:
    """Return True if the first line has 13 columns, with numbers where the table has them."""
    words = first_line(head).split(b",")
    types = {b"%d" % kind for kind in range(_TYPES)}
    return len(words) == 13 and all(words[at].isdigit() for at in (0, 2, 3)) and words[5] in types


def read(path: Path, limits: Limits) -> RawWork:
    """Read a task_events table alone; raises TraceError."""
    return read_beside(path, limits, Beside())


def read_beside(path: Path, limits: Limits, beside: Beside) -> RawWork:
    """Read a task_events table with the tables of constraints and of machine attributes; raises TraceError."""
    import pyarrow as pa

    names = ("time", "job ID", "task index", "event type", "different machines")
    table = Table(path, Layout(_NAMES, dict.fromkeys(names, pa.int64())), limits)
    events, apart = Events(limits), 0
    for rows in table.blocks():
        time, job, index, kind = (rows.numbers(name) for name in names[:4])
        apart += int(np.count_nonzero(rows.numbers("different machines", 0) == 1))
        add_events(events, rows, (job, index, time, kind), _TYPES)
    notes: tuple[str, ...] = ("Requests are fractions of the largest machine and were not imported.",)
    if apart:
        notes += (f"{apart:,} events ask for different machines for a job's tasks; this was not imported.",)
    return finished(events, table, limits, notes, beside)


def add_events(
    events: Events,
    rows: Rows,
    columns: tuple[Ints, Ints, Ints, Ints],
    types: int,
    *,
    submit: int = _SUBMIT,
    schedule: int = _SCHEDULE,
    finish: int = _FINISH,
) -> None:
    """Add a block of events: jobs, indices of tasks, times in microseconds and types."""
    job, index, time, kind = columns
    good = rows.keep(
        {
            "no job or task, or a number that is too large": (job < 0)
            | (job >= _MOST_JOB)
            | (index < 0)
            | (index >= 1 << INDEX_BITS),
            "no time within the trace (before its start or after its end)": (time < 0) | (time > _MOST_TIME),
            "an event of no known type": (kind < 0) | (kind >= types),
        }
    )
    used = np.flatnonzero(good & ((kind == submit) | (kind == schedule) | (kind == finish)))
    kind, time = kind[used], time[used]
    events.add(
        Lives(
            (job[used] << INDEX_BITS) | index[used],
            np.where(kind == submit, time, NONE),
            np.where(kind == schedule, time, -1),
            np.where(kind == finish, time, -1),
            used + rows.first,
        )
    )


def finished(
    events: Events,
    table: Table,
    limits: Limits,
    notes: tuple[str, ...],
    beside: Beside = Beside(),  # noqa: B008 - frozen
) -> RawWork:
    """Return the jobs of all tasks that started and finished."""
    lives = events.merge()
    wrong = {
        "tasks left out that never finish here": lives.end < 0,
        "tasks left out whose start is not here": (lives.start <= 0) | (lives.start > lives.end),
        "tasks left out whose submission is not here": lives.submit == NONE,
    }
    good = np.ones(len(lives.key), np.bool_)
    left_out: tuple[LeftOut, ...] = ()
    for kind, where in wrong.items():
        where = where & good
        if count := int(np.count_nonzero(where)):
            line = table.line_of(int(lives.row[where].min()))
            notes += (f"{count:,} {kind}; the first is on line {line:,}.",)
            left_out += (LeftOut(kind, count, line),)
            good &= ~where
    # Column by column: at the limit of tasks each of them is 40 MB.
    nothing = lives.row = np.empty(0, np.int64)
    lives.end -= lives.start
    lives.start = nothing
    key, lives.key = lives.key[good], nothing
    submit, lives.submit = lives.submit[good], nothing
    ran, lives.end = lives.end[good], nothing
    submit *= 1000
    ran *= 1000
    asks: Ints | None = None
    asked: tuple[Asked, ...] = ()
    if beside.constraints is not None:
        asks, asked, told = task_masks(key, INDEX_BITS, beside.constraints, beside.machine_attributes, limits)
        notes += told
    tasks = Tasks(limits)
    key >>= INDEX_BITS
    tasks.add(key, submit, ran, asks=asks)
    del key, submit, ran
    return tasks.work(notes, table=table, left_out=left_out, asked=asked)


READER = TraceReader(
    name="google-2011",
    label="Google cluster trace 2011, task_events (.csv)",
    help="CSV of 13 columns; a task runs from its last SCHEDULE to its FINISH; other tasks are left out and counted.",
    suffixes=(".csv", ".csv.gz", ".csv.zst"),
    has_queues=False,
    sniff=sniff,
    read=read,
    read_beside=read_beside,
    beside=("constraints", "machine_attributes"),
)
