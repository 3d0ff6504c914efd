"""Read the tables batch_task and batch_instance of Alibaba's cluster trace of 2018.

Format: checked against github.com/alibaba/clusterdata, cluster-trace-v2018: schema.txt (the columns' order is the
files') and trace_2018.md. CSV without a header. batch_task, 9 fields: 1 task_name, 2 instance_num, 3 job_name, 4
task_type, 5 status, 6 start_time, 7 end_time (seconds), 8 plan_cpu (100 is a core), 9 plan_mem (normalized, not
taken over). batch_instance, 14 fields: 1 instance_name, 2 task_name, 3 job_name, 4 task_type, 5 status, 6
start_time, 7 end_time, 8 machine_id, 9 seq_no, 10 total_seq_no, 11 to 14 averages and maxima of use. A name such as
R3_1_2 says that task 3 waits for 1 and 2 of its job, whatever letters they begin with; tasks of other names, such as
task_ and letters, wait for none (trace_2018.md, 2.3). A task becomes a stage, its instances tasks. There is no time of
submission: a job arrives when the first of its rows starts. That a task that ended well has the status Terminated, and
that jobs are called j_ and a number, is from memory.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from scheduler_core.experiment.workloads import LONGEST_TASK_S
from scheduler_core.workload.raw import Ints, RawWork, TraceReader
from scheduler_core.workload.raw.seconds import NS
from scheduler_core.workload.readers.gathering import Tasks
from scheduler_core.workload.readers.graphs import ranges, waits_of
from scheduler_core.workload.readers.table import Layout, Rows, Table, first_line

if TYPE_CHECKING:
    from scheduler_core.limits import Limits

_TASK = (
    "task_name",
    "instance_num",
    "job_name",
    "task_type",
    "status",
    "start_time",
    "end_time",
    "plan_cpu",
    "plan_mem",
)
_INSTANCE = (
    "instance_name",
    "task_name",
    "job_name",
    "task_type",
    "status",
    "start_time",
    "end_time",
    "machine_id",
    "seq_no",
    "total_seq_no",
    "cpu_avg",
    "cpu_max",
    "mem_avg",
    "mem_max",
)
_JOB = re.compile(rb"j_\d+\Z")
_NAME = r"^[A-Za-z]+(?P<number>[0-9]{1,9})(?P<parents>(?:_[0-9]{1,9})*)$"
_MOST_TIME, _MOST_CPU, _MOST_INSTANCES = 10**9, 10**6, 10**7


def sniff_tasks(head: bytes) -> bool:
    """Return True if the first line is one of batch_task."""
    words = first_line(head).split(b",")
    return len(words) == 9 and _JOB.match(words[2]) is not None


def sniff_instances(head: bytes) -> bool:
    """Return True if the first line is one of batch_instance."""
    words = first_line(head).split(b",")
    return len(words) == 14 and _JOB.match(words[2]) is not None


def read_tasks(path: Path, limits: Limits) -> RawWork:
    """Read batch_task: a row is a task of several instances, each of which runs as long as the row says."""
    import pyarrow as pa

    whole = ("instance_num", "start_time", "end_time")
    types = {"task_name": pa.string(), "job_name": pa.string(), "status": pa.string(), "plan_cpu": pa.float64()}
    return _read(Table(path, Layout(_TASK, types | dict.fromkeys(whole, pa.int64())), limits))


def read_instances(path: Path, limits: Limits) -> RawWork:
    """Read batch_instance: a row is one instance."""
    import pyarrow as pa

    types = {"task_name": pa.string(), "job_name": pa.string(), "status": pa.string()}
    return _read(Table(path, Layout(_INSTANCE, types | dict.fromkeys(("start_time", "end_time"), pa.int64())), limits))


def _read(table: Table) -> RawWork:
    import pyarrow.compute as pc

    tasks, planned = Tasks(table.limits), "plan_cpu" in table.layout.types
    for rows in table.blocks():
        job, start, end = _job_numbers(rows.column("job_name")), rows.numbers("start_time"), rows.numbers("end_time")
        count = rows.numbers("instance_num") if planned else np.ones(len(rows), np.int64)
        cpus = rows.numbers("plan_cpu") if planned else np.full(len(rows), -1.0)
        done = pc.equal(rows.column("status"), "Terminated").fill_null(False).to_numpy(zero_copy_only=False)
        good = rows.keep(
            {
                "a job that is not j_ and a number": job < 0,
                "a status other than Terminated": ~done,
                "no start or end within the trace": (start < 0)
                | (end < start)
                | (start > _MOST_TIME)
                | (end - start > LONGEST_TASK_S),
                "no number of instances": (count < 1) | (count > _MOST_INSTANCES),
                "a number of CPUs out of bounds": ~((cpus >= -1) & (cpus <= _MOST_CPU)),
            }
        )
        # 100 is a core, so ten times that are thousandths of one.
        amounts = np.where(cpus[good] > 0, np.rint(cpus[good] * 10), -1).astype(np.int64)
        stage, row, parent = _named(rows, job, good, planned)
        tasks.add(
            job[good],
            start[good] * NS,
            (end - start)[good] * NS,
            count=count[good] if planned else None,
            demand={"cpus": amounts} if planned else None,
            stage=stage[good],
            waits=waits_of(rows, good, row, parent),
        )
    notes: tuple[str, ...] = ("Jobs arrive when their first row starts: the trace has no times of submission.",)
    if planned:
        notes += ("Memory is relative in this trace and was not imported.",)
    return tasks.work(notes, table=table)


def _named(rows: Rows, job: Ints, good: NDArray[np.bool_], planned: bool) -> tuple[Ints, Ints, Ints]:
    """Read the names: a number in its job for each row, and of each edge its row and the number that it waits for.

    Tasks whose names have no number get one below 0: each row of batch_task its own, instances of one job the same.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    names = rows.column("task_name").fill_null("").dictionary_encode()
    which = names.indices.to_numpy().astype(np.int64)
    parts = pc.extract_regex(names.dictionary, _NAME)
    numbers = pc.struct_field(parts, "number").cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False)
    own = -1 - (rows.first + np.arange(len(rows), dtype=np.int64)) if planned else np.full(len(rows), -1, np.int64)
    stage = np.where(numbers[which] >= 0, numbers[which], own)
    listed = pc.split_pattern(pc.utf8_slice_codeunits(pc.struct_field(parts, "parents").fill_null(""), 1), "_")
    text, of_name = pc.list_flatten(listed), pc.list_parent_indices(listed).to_numpy(zero_copy_only=False)
    said = pc.not_equal(text, "").to_numpy(zero_copy_only=False)
    parents, of_name = pc.if_else(pc.equal(text, ""), "0", text).cast(pa.int64()).to_numpy()[said], of_name[said]
    if not len(parents):
        return stage, np.zeros(0, np.int64), np.zeros(0, np.int64)
    count = np.bincount(of_name, minlength=len(numbers))
    waiting = np.flatnonzero((count[which] > 0) & good)
    if not planned:  # each instance of a task says again what the task waits for
        _, once = np.unique(job[waiting] * np.int64(len(numbers)) + which[waiting], return_index=True)
        waiting = waiting[np.sort(once)]
    begin = np.cumsum(count) - count
    row = np.repeat(waiting, count[which[waiting]])
    return stage, row, parents[ranges(begin[which[waiting]], count[which[waiting]])]


def _job_numbers(names: Any) -> Ints:
    """Return the number in each job's name; -1 if it is not `j_` and up to 18 digits."""
    import pyarrow as pa
    import pyarrow.compute as pc

    fits = pc.match_substring_regex(names, r"^j_[0-9]{1,18}$").fill_null(False)
    digits = pc.utf8_slice_codeunits(pc.if_else(fits, names, "j_0"), 2)
    numbers: Ints = digits.cast(pa.int64()).to_numpy(zero_copy_only=False)
    return np.where(fits.to_numpy(zero_copy_only=False), numbers, -1)


TASKS_READER = TraceReader(
    name="alibaba-2018-tasks",
    label="Alibaba cluster trace 2018, batch_task (.csv)",
    help="CSV of 9 columns; a row is a task with its number of instances, from start to end.",
    suffixes=(".csv", ".csv.gz", ".csv.zst"),
    has_queues=False,
    sniff=sniff_tasks,
    read=read_tasks,
)
INSTANCES_READER = TraceReader(
    name="alibaba-2018-instances",
    label="Alibaba cluster trace 2018, batch_instance (.csv)",
    help="CSV of 14 columns; a row is an instance of a task, from start to end.",
    suffixes=(".csv", ".csv.gz", ".csv.zst"),
    has_queues=False,
    sniff=sniff_instances,
    read=read_instances,
)
