"""The record arrays that all protocols share.

There are few arrays with many columns, because a compiled function takes arrays one by one and each costs compile time.
A NamedTuple of a dozen arrays passes as a whole at no cost. Times are int64 nanoseconds; resources are int64
thousandths.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Records: TypeAlias = Any
"""A np.recarray. Typed as Any because column access by attribute cannot be expressed."""

Ints: TypeAlias = npt.NDArray[np.int64]

NEVER = np.iinfo(np.int64).max
NOBODY = -1

_LINE = 64

# States of a task.
TASK_FUTURE, TASK_WAITING, TASK_ASKED, TASK_RUNNING, TASK_DONE, TASK_UNSCHEDULABLE = range(6)

# Why no machine holds a task, as a decision row carries it: not examined; resource r for CAUSE_RESOURCE + r; ...
CAUSE_UNKNOWN, CAUSE_RESOURCE = 0, 1
CAUSE_TOGETHER = 1001  # each resource is large enough somewhere, but not all on one machine
CAUSE_CONSTRAINTS = 1002  # no machine offers all constraints
CAUSE_OUT = 1003  # the machines that offer them are out of service
CAUSE_RACKS = 1004  # no rack has machines for all that the job's rule wants in it
CAUSE_PARENT = 1005  # it waits for a stage that no machine holds
CAUSE_GANG = 1006  # the datacenter cannot hold all tasks of its gang at once
CAUSE_CONSTRAINT = 2000  # CAUSE_CONSTRAINT + c: no machine offers constraint c

# Why a machine is out of service: bits of its `outage` (engine.incidents).
FAILED, DRAINED = 1, 2

# What the walk through an incident looks for on each machine: bits of `walks` (engine.incidents).
LISTS, QUEUES, DRAINS = 1, 2, 4
MAY_BE_OUT = LISTS | QUEUES | DRAINS
# How running tasks slow down one that starts beside them: more bits of `walks` (engine.company).
KINDS_DISTURB, SHARES_DISTURB = 8, 16

LANES = 4
"""The number of event queues whose times never decrease: one for each constant delay. See engine.events."""

CONTROL = np.dtype(
    [
        ("now_ns", "i8"),
        ("seed", "i8"),
        ("next_sequence", "i8"),
        ("heap_size", "i8"),
        ("next_job", "i8"),
        ("log_size", "i8"),
        ("watched_task", "i8"),
        ("tasks_wanted", "i8"),  # the run ends when this many tasks have ended or can never start
        ("events", "i8"),
        ("messages", "i8"),
        ("tasks_arrived", "i8"),
        ("tasks_started", "i8"),
        ("tasks_done", "i8"),
        ("tasks_running", "i8"),
        ("tasks_waiting", "i8"),
        ("tasks_unschedulable", "i8"),
        ("jobs_done", "i8"),
        ("last_end_ns", "i8"),
        ("incidents_left", "i8"),
        ("stuck", "i8"),  # a protocol has found that the waiting tasks can never start
        ("walks", "i8"),  # what the walk through an incident looks for on each machine (engine.incidents)
        ("walking", "i8"),  # number of the current incident plus one; 0 for none
        ("walk_at", "i8"),  # the machine that the walk has reached
        ("walk_stage", "i8"),  # the progress of the walk on that machine
        ("interference", "f8"),  # how strongly running tasks slow down one that starts (engine.company)
        ("kinds_by_queue", "i8"),  # 1: the queue determines a job's kind, 0: a draw does
    ]
)

EVENT = np.dtype([("time_ns", "i8"), ("order", "i8"), ("a", "i8"), ("b", "i8")])
LANE = np.dtype([("head", "i8"), ("tail", "i8")])

# 24 bytes, because kernels look at many machines: four more made Megha 5 % slower. There are at most 1,000 clusters.
MACHINE = np.dtype(
    [
        ("cluster", "i2"),
        ("outage", "i2"),
        ("rack", "i4"),
        ("running", "i4"),
        ("first", "i4"),  # the first of its running tasks, where lists of them exist (engine.incidents, LISTS)
        ("offers", "i8"),
    ]
)

TASK = np.dtype(
    [
        # What starting and ending a task needs comes first: 64 bytes, one line of the processor's cache.
        ("job", "i4"),
        ("demand", "i4"),
        ("machine", "i4"),
        ("attempts", "i4"),
        ("state", "i4"),
        ("place", "i4"),  # the protocol's own: its number in a queue
        ("requested", "i4"),  # the protocol's own
        ("kind", "i4"),  # the protocol's own: tasks of one kind are alike to it
        ("next", "i4"),  # the protocol's own; while the task runs, its neighbors in the machine's list, if any
        ("previous", "i4"),
        ("duration_ns", "i8"),
        ("last_start_ns", "i8"),
        ("end_ns", "i8"),
        ("first_start_ns", "i8"),
        ("since_ns", "i8"),  # when the current part of the delay began
        ("framework_ns", "i8"),
        ("processing_ns", "i8"),
        ("communication_ns", "i8"),
        ("worker_ns", "i8"),
        ("lost_ns", "i8"),
        ("own_ns", "i8"),  # how long it takes where nothing slows it down; each row is two whole lines
    ]
)

JOB = np.dtype(
    [
        ("arrival_ns", "i8"),
        ("queue", "i4"),
        ("tasks", "i4"),
        ("first_task", "i4"),
        ("done", "i4"),
        ("mean_ns", "i8"),
        ("ideal_ns", "i8"),
        ("end_ns", "i8"),
    ]
)

INCIDENT = np.dtype([("time_ns", "i8"), ("what", "i4"), ("first", "i4"), ("end", "i4"), ("x", "i8")])
"""A fault, drain or change of the datacenter: see engine.incidents."""

DECISION = np.dtype(
    [
        ("t_ns", "i8"),
        ("task", "i4"),
        ("machine", "i4"),
        ("reason", "i4"),
        ("frm", "i4"),
        ("to", "i4"),
        ("count", "i4"),
        ("x", "i8"),
        ("y", "i8"),
    ]
)

HISTOGRAM_OCTAVES = 44
HISTOGRAM_STEPS = 8
HISTOGRAM_LOWEST_BIT = 9
"""The first bin ends at 2**10 ns, about a microsecond; each octave above it has 8 bins; the last one is open."""
HISTOGRAM_BINS = 2 + HISTOGRAM_OCTAVES * HISTOGRAM_STEPS


class World(NamedTuple):
    """The state of the simulated datacenter and its workload. Every field is an array, so a snapshot is a copy.

    Times are int64 nanoseconds; resources are int64 thousandths. The comments give each field's shape and record type.
    """

    control: Records  # (1,) CONTROL
    machine: Records  # (machines,) MACHINE
    capacity: Ints  # (machines, resources)
    free: Ints  # (machines, resources): the actual state
    used: Ints  # (resources,): held by tasks, over all machines
    touched: npt.NDArray[np.uint8]  # (machines,): 1 for what the map shows of it may have changed since the last frame
    demand: Ints  # (demand classes + 1, resources); the last row holds the least that any task asks of each resource
    asks: Ints  # (demand classes + 1,) mask of the constraints that each class asks for
    task: Records  # (tasks,) TASK
    job: Records  # (jobs,) JOB, in order of arrival
    heap: Records  # (capacity,) EVENT
    lane_event: Records  # (LANES, capacity) EVENT, rings
    lane: Records  # (LANES,) LANE
    log: Records  # (capacity,) DECISION
    incident: Records  # (incidents,) INCIDENT, in order of time
    histogram: Ints  # (HISTOGRAM_BINS,) queueing delays so far
    company: npt.NDArray[np.int32]  # (machines, kinds): running tasks of each kind; (1, 1) where tasks do not disturb


def records(length: int | tuple[int, ...], dtype: np.dtype[Any]) -> Records:
    """Return a zeroed record array with columns as attributes; its first row starts at a processor cache line."""
    shape = (length,) if isinstance(length, int) else length
    size = math.prod(shape) * dtype.itemsize
    room = np.zeros(size + _LINE, np.uint8)
    start = -room.ctypes.data % _LINE
    return room[start : start + size].view(dtype).reshape(shape).view(np.recarray)


def histogram_edges_ns() -> Ints:
    """Return the lower edges of the bins in ns: (HISTOGRAM_BINS,), starting at 0."""
    edges = [0]
    for octave in range(HISTOGRAM_OCTAVES):
        low = 1 << (HISTOGRAM_LOWEST_BIT + 1 + octave)
        edges += [low + low * step // HISTOGRAM_STEPS for step in range(HISTOGRAM_STEPS)]
    edges.append(1 << (HISTOGRAM_LOWEST_BIT + 1 + HISTOGRAM_OCTAVES))
    return np.array(edges, np.int64)
