"""The arrays of a pipeline."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import Ints, Records

RULES = np.dtype(
    [
        ("delay_ns", "i8"),
        ("timer_ns", "i8"),
        ("on_arrival", "i8"),
        ("on_end", "i8"),
        ("charge", "i8"),
        ("by_queue", "i8"),  # 1: each queue has lines of its own
        ("fair", "i8"),  # the queue with the least for its share goes first: COUNT_TASKS, COUNT_SHARES or NONE
        ("bags", "i8"),  # 1: lines have no order, a draw picks the next task
        ("by_time", "i8"),  # 1: T2 goes by when tasks became eligible
        ("by_left", "i8"),  # 1: T2 goes by the remaining work
        ("j2", "i8"),
        ("j2_jobs", "i8"),
        ("j2_tasks", "i8"),
        ("j3", "i8"),  # 1: J3 sorts jobs
        ("t1", "i8"),
        ("t2", "i8"),
        ("keys", "i8"),  # of a change: which row of `new_keys` is its, or NOBODY
        ("j5", "i8"),
        ("j5_job_ns", "i8"),
        ("j5_task_ns", "i8"),
        ("t5_ns", "i8"),
        ("j7_ns", "i8"),
        ("t6", "i8"),
        ("t6_ns", "i8"),
        ("t8_ns", "i8"),
        ("t9", "i8"),
        ("t9_more", "i8"),  # copies beside the task itself
        ("t9_factor", "f8"),
        ("t10", "i8"),
        ("t10_wait_ns", "i8"),
        ("t10_times", "i8"),
        ("t11", "i8"),
        ("t11_wait_ns", "i8"),
        ("t11_retries", "i8"),
        ("t12", "i8"),
        ("t12_ns", "i8"),
        ("t12_live", "i8"),  # 1: what moves keeps what it has done
        ("provider", "i8"),  # the cluster of B's provider, or NOBODY
        ("b_latency_ns", "i8"),
        ("b_price", "f8"),
        ("m2", "i8"),
        ("m4", "i8"),
        ("m4_load", "f8"),
        ("m5", "i8"),
        ("next_node", "i8"),
        ("r2", "i8"),
        ("extra_ns", "i8"),  # delay of the last placed task's start: passed on, brokered
        ("r3", "i8"),
        ("r4", "i8"),
        ("r4_ns", "i8"),
        ("r5", "i8"),
        ("phase", "i8"),
        ("pending_ns", "i8"),  # when the next iteration is to be, NEVER for none
        ("token", "i8"),  # of the newest request
        ("busy_ns", "i8"),  # end of the time that an iteration costs
        ("iterations", "i8"),
        ("told_job", "i8"),  # the job that was last told that J2 holds it back
        ("by_share", "i8"),  # 1: shares of queues are the keys of T2, 2: of J3, 3: of both
        ("by_task", "i8"),  # 1: the experiment has priorities, each task's `kind` is its own
        ("incoming", "i8"),  # jobs that wait for admission
        ("jobs_in", "i8"),  # admitted jobs that have not ended
        ("tasks_in", "i8"),  # their tasks that have not ended
        ("unsubmitted", "i8"),  # of these, those that do not run
        ("eligible", "i8"),  # of these, those whose parents have ended: they are in lines
        ("looked_at", "i8"),  # machines that the lines' tasks make R4 look at, all together
        ("lines", "i8"),  # lines with tasks
        ("draws", "i8"),  # of the iteration
        ("to_copy", "i8"),  # the first of the tasks that T9 copies at the end of the iteration, or NOBODY
        ("to_copy_last", "i8"),
        ("copy_of", "i8"),  # the task that needs a machine without a copy of it, or NOBODY
        ("held_machine", "i8"),  # R4 keeps it for tasks of `held_line`; NOBODY
        ("held_line", "i8"),
        ("cursor", "i8"),  # the machine behind the one chosen last
        ("spent_ns", "i8"),  # the iteration's modeled time so far
        ("placed", "i8"),  # tasks submitted by the iteration
        ("last_spent_ns", "i8"),
        ("last_placed", "i8"),
        ("last_length", "i8"),  # eligible tasks that the last iteration began with
        ("submitted", "i8"),
        ("lost", "i8"),
        ("given_up", "i8"),
        ("preemptions", "i8"),
        ("migrations", "i8"),
        ("copies", "i8"),
        ("copies_won", "i8"),
        ("brokered", "i8"),
        ("passed_on", "i8"),
        ("cost", "f8"),
        ("r7", "i8"),
        ("r7_least", "i8"),
        ("r7_period_ns", "i8"),
        ("r6_delay_ns", "i8"),
        ("r6_price", "f8"),
        ("target", "i8"),  # machines that R7 wants
        ("pool", "i8"),  # machines that are there or on their way
        ("pool_ns", "i8"),  # since when the pool has this size
        ("machine_s", "f8"),  # seconds of machines leased
        ("scale_at", "i8"),
        ("leases", "i8"),
        ("releases", "i8"),
    ]
)
LINE = np.dtype(
    [
        ("first", "i8"),  # where its entries begin
        ("count", "i8"),
        ("able", "i8"),  # machines that R4 looks at for a task of it
        ("demand", "i4"),
        ("queue", "i4"),  # or NOBODY
        ("live_at", "i4"),  # its place among the lines with tasks, or NOBODY
        ("shut", "i4"),  # 1 while no machine has room for a task of it
        ("only", "i4"),  # the one machine that may have room since it was shut, NOBODY when any may
        ("told", "i4"),  # the task that was last told that there is no room
    ]
)
ENTRY = np.dtype([("first_key", "i8"), ("second_key", "i8"), ("task", "i8")])
"""A task in a line; the least goes first."""
PIPE_TASK = np.dtype(
    [
        ("first_key", "i8"),
        ("second_key", "i8"),
        ("node", "i4"),
        ("line", "i4"),
        ("token", "i4"),
        ("stops", "i4"),
        ("losses", "i4"),
        ("copies", "i4"),
        ("left_ns", "i8"),
        ("copied_next", "i8"),
    ]
)
"""`token` counts starts: the end of an earlier one is no news. `left_ns` is the work that is
left, on the fastest machine; `copies` are those that run beside it."""
COPY = np.dtype(
    [("start_ns", "i8"), ("duration_ns", "i8"), ("machine", "i4"), ("token", "i4"), ("live", "i4"), ("unused", "i4")]
)
"""A further copy of a task; those of a task lie side by side."""
NODE = np.dtype(
    [
        ("job", "i4"),
        ("first", "i4"),  # its first task, a place in `task_order`
        ("tasks", "i4"),
        ("left", "i4"),  # tasks that have not ended
        ("waits_for", "i4"),  # parents that have not ended
        ("first_child", "i4"),
        ("children", "i4"),
        ("parents", "i4"),
        ("hopeless", "i4"),
        ("mean_ns", "i8"),  # of its tasks
    ]
)
PIPE_JOB = np.dtype([("next", "i4"), ("first_node", "i4"), ("nodes", "i4"), ("left", "i4"), ("inside", "i8")])
"""`next` is the next job of its queue that was not let in; `left` the tasks that have not ended."""
GROUP = np.dtype([("share", "f8"), ("running", "i8"), ("jobs_in", "i8"), ("head", "i4"), ("tail", "i4")])
"""A queue; `head` and `tail` are of its jobs that were not let in."""
COUNT = np.dtype([("calls", "i8"), ("operations", "i8")])
CLOCK = np.dtype(
    [
        ("on", "i8"),
        ("skip", "i8"),
        ("drawn", "i8"),
        ("last", "i8"),
        ("own", "i8"),
        ("looks", "i8"),
        ("timed", "i8"),
        ("owed_s", "f8"),
    ]
)
"""Of the stage clock (`clock.py`): 1 while a step is timed, steps to pass over, the last reading and what one takes,
timed steps since time was shared out and before, CPU time that was not shared out yet."""
REAL = np.dtype([("cycles", "i8"), ("cpu_s", "f8")])
"""What the stage clock found: cycles since time was shared out, and CPU time before."""


class PipelineState(NamedTuple):
    """The arrays of a pipeline, with their shapes in comments.

    M machines, R resources, T tasks, N nodes (stages of DAGs), J jobs, Q queues, L lines, 33 pipeline stages.
    """

    rules: Records  # (1,) RULES
    stage: Records  # (33,) COUNT
    clock: Records  # (1,) CLOCK
    real: Records  # (34,) REAL, of each stage and of the engine
    cost_ns: npt.NDArray[np.float64]  # (33,) of one operation
    line: Records  # (L,) LINE
    live: npt.NDArray[np.int32]  # (L,): those with tasks
    entry: Records  # (T,) ENTRY
    task: Records  # (T,) PIPE_TASK
    task_order: npt.NDArray[np.int32]  # (T,): tasks, node after node
    node: Records  # (N,) NODE
    child: npt.NDArray[np.int32]
    job: Records  # (J,) PIPE_JOB
    queue: Records  # (Q,) GROUP
    queue_held: Ints  # (Q, R): what its tasks hold
    total: Ints  # (R,): of all machines
    allowed: npt.NDArray[np.uint8]  # (Q + 2, C): clusters that each queue may use; those that all may; every one
    cluster_first: Ints  # (C + 1,): the first machine of each cluster
    node_free: Ints  # (C, R): what is free in each cluster
    node_total: Ints  # (C, R)
    freed: Ints  # (R,): scratch, what stopping tasks would free
    lease: npt.NDArray[np.int8]  # (M,): OUT, COMING or IN
    first_on: npt.NDArray[np.int32]  # (M,): the first of the tasks that run there, or NOBODY
    room: Ints  # (2 * leaves, R) tree over machines: the most that is free on any below
    part: npt.NDArray[np.float64]  # (R,): what one unit is of the largest machine; 0 where no task takes any
    last_on: npt.NDArray[np.int32]  # (M,): the task that ended there last, or NOBODY
    copy: Records  # (T * t9_more or 1,) COPY
    setting: Records  # (S,) RULES, of each change of parameters
    new_keys: Ints  # (S, 2, T or 1): keys of J3 and T2 after each change
    slowness: npt.NDArray[np.float64]  # (M or 1,): by how much longer tasks run
