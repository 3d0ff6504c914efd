"""The arrays of the DAG family, and the numeric codes of its rules."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import Ints, Records

# Kinds of events. DECIDE goes after all others of its instant, arrivals included: they are one decision.
TASK_END = 1
WAKE = 2
DECIDE = 65

# How near a task runs to its data, and how far a job that waits for that may go.
NODE, RACK, ANYWHERE = range(3)

# What a decision does next. Each phase is a series of short turns, so that no buffer overflows.
IDLE, PLAN, SHARE, LEFTOVER, PACK, OFFER, LOCAL, TELL, FILL = range(9)

# What puts jobs in order: the lowest goes first, among equal ones the first that arrived.
BY_DOMINANT, BY_ONE, BY_QUEUE, BY_LENGTH, BY_WORK, BY_ARRIVAL, BY_TASKS = range(7)

RULES = np.dtype(
    [
        ("delay_ns", "i8"),
        ("interval_ns", "i8"),  # the least time between two decisions
        ("room", "i8"),  # events that one step may schedule
        ("first_phase", "i8"),
        ("leftover_phase", "i8"),  # what comes after SHARE: IDLE, LEFTOVER or PACK
        ("order", "i8"),  # of jobs in SHARE
        ("reason", "i8"),  # of what SHARE starts
        ("resource", "i8"),  # the one that BY_ONE counts
        ("strict", "i8"),  # 1 where no job gets more than its share
        ("epsilon", "f8"),  # Tetris: how much short jobs count beside alignment
        ("fairness", "f8"),  # Tetris: the share of jobs, those with most, that have to yield
        ("barrier", "f8"),  # Tetris: from which share of its tasks ended a stage goes first
        ("wait_ns", "i8"),  # how long a job waits for a machine with its data, then for one in their racks
        ("rack_wait_ns", "i8"),
        ("rack_factor", "f8"),  # how much longer a task runs in the rack of its data, and elsewhere
        ("remote_factor", "f8"),
        ("phase", "i8"),
        ("pending", "i8"),  # 1 while a decision is due
        ("last_ns", "i8"),  # of the last decision, -1 before the first
        ("at", "i8"),  # how far the phase has come
        ("active", "i8"),  # jobs that have tasks to start
        ("ordered", "i8"),  # jobs left in `order`
        ("sorted", "i8"),  # 1 while the heaps of stages and jobs (alike.py) exist, and then how many
        ("noticed", "i8"),  # jobs have changed since they were brought up to date,
        ("untold", "i8"),  # jobs have waiting tasks without a reason yet,
        ("kinds", "i8"),  # kinds of stages are open
        ("open_classes", "i8"),  # classes of demand that open stages have, and those of them that fit nowhere now
        ("failed_open", "i8"),
        ("new_work", "i8"),  # 1 when a stage has opened since the last packing
        ("limits", "i8"),  # 1 where altruistic jobs are among selfish ones, who get no more than their share
        ("sets_aside", "i8"),  # 1 where DRF fills after what must start: it sets aside what altruistic jobs would get
        ("selfish", "i8"),  # jobs with tasks to start that are not altruistic in this decision
        ("asides", "i8"),  # tasks with room set aside
        ("draws", "i8"),  # 1 where a job draws its altruism at every decision
        ("has_data", "i8"),  # 1 where tasks of first stages have data, and jobs do not wait for them
        ("packs", "i8"),  # 1 where tasks of plans and of the leftover go to the machine with the best alignment
        ("tries", "i8"),  # decisions, and times that one gave room back: what `failed` counts by
        ("by_level", "i8"),  # 1 where shares are by `level`
        ("by_vector", "i8"),  # 1 where the share is a part of the job's remaining work, not of each resource
        ("reshare", "i8"),  # 1 when the next decision must find the level again
        ("level", "f8"),  # the dominant share, by weight, up to which DRF would fill all jobs
        ("weights", "f8"),  # of all jobs that have arrived and not ended
        ("in_place", "i8"),  # 1 where packing looks at the places of a job's stages
        ("by_queue", "i8"),  # 1 where a job weighs as much as its queue's share
        ("altruism", "f8"),
        ("tree", "i8"),  # how groups of queues compare (schedulers.shared.groups.tree); FLAT without groups
        ("striking", "i8"),  # the incident whose machines have gone out or come in, NOBODY for none
        ("strike_at", "i8"),  # the stage that loses tasks now
        ("strike_place", "i8"),  # the place among the stage's running tasks
        ("lost", "i8"),
        ("on_node", "i8"),
        ("in_rack", "i8"),
        ("remote", "i8"),
        ("unfinished", "i8"),
        ("decisions", "i8"),
        ("plans", "i8"),
        ("from_leftover", "i8"),
    ]
)
STAGE = np.dtype(
    [
        ("job", "i4"),
        ("first", "i4"),  # its first task, a place in `task_order`
        ("tasks", "i4"),
        ("started", "i4"),
        ("ended", "i4"),
        ("waits_for", "i4"),  # parents that have not ended
        ("demand", "i4"),
        ("first_child", "i4"),
        ("children", "i4"),
        ("first_parent", "i4"),
        ("parents", "i4"),
        ("rank", "i4"),  # lower ones of a job go first
        ("next_open", "i4"),
        ("due", "i4"),  # tasks that must start by now, with a plan
        ("hopeless", "i4"),
        ("told", "i4"),  # the last recorded reason for its waiting
        ("able", "i4"),  # machines that could run it, where that counts
        ("kind", "i4"),  # stages of one kind are alike to machines that choose
        ("last", "i4"),  # 1 when it goes first because few of its tasks remain, as the heaps have it
        ("place", "i4"),  # in the order of its job's stages that DAGPS finds, where that counts
        ("aside", "i4"),  # waiting tasks with room set aside
        ("unused", "i4"),
        ("duration_ns", "i8"),
        ("path_ns", "i8"),  # the longest chain from its beginning to the job's end
    ]
)
DAG_JOB = np.dtype(
    [
        ("first_stage", "i4"),
        ("stages", "i4"),
        ("first_open", "i4"),  # list of stages that have tasks to start, by rank
        ("active_at", "i4"),  # its place in `active`, NOBODY for none
        ("left", "i4"),  # tasks that have not ended and may start
        ("queue", "i4"),
        ("altruistic", "i4"),
        ("side", "i4"),  # FRONT, or BACK while it has to yield (alike.py)
        ("noticed", "i4"),
        ("untold", "i4"),
        ("present_at", "i4"),  # its place in `present`
        ("stale", "i4"),  # 1 when it needs a new plan
        ("plan_at", "i4"),  # its first plan row that is not due yet
        ("plan_end", "i4"),
        ("running", "i4"),  # tasks
        ("nearness", "i4"),  # of its last start: NODE, RACK or ANYWHERE
        ("awaited", "i4"),  # 1 while an event is to end its waiting
        ("skipped_ns", "i8"),  # since when it has let others go first for its data, -1 when it does not
        ("asks", "i8"),  # resources that its tasks ask for, as bits
        ("weight", "f8"),
        ("draw", "f8"),  # altruistic when it is below the altruism
        ("length_ns", "i8"),  # its critical path
        ("work", "f8"),  # ns for which its remaining work would fill the whole datacenter's scarcest resource
        ("gave", "f8"),  # sum over decisions of the part of its share that it left, and how many they were
        ("times", "i8"),
        ("share_seen", "f8"),  # its share and the key of its stages, as the heaps have it
        ("sort_by", "f8"),
        ("plan_share", "f8"),
        ("finish_ns", "i8"),  # when it ends by its plan
    ]
)
HEAP = np.dtype([("first", "i8"), ("held", "i8"), ("total", "f8"), ("changes", "i8"), ("open_at", "i8")])
"""`total` is the sum of what stages are ordered by, `open_at` a kind's place among the open ones."""
PLANNED = np.dtype([("latest_ns", "i8"), ("stage", "i4"), ("count", "i4")])
GROUP = np.dtype([("end_ns", "i8"), ("stage", "i4"), ("count", "i4")])
"""Tasks of one stage that start together in a plan."""
VIRTUAL = np.dtype([("left", "i4"), ("unended", "i4"), ("waits_for", "i4"), ("unused", "i4")])
"""A stage of the job that is being planned."""


LINE = np.dtype([("first", "i4"), ("jobs", "i4")])
"""The jobs of a queue that have tasks to start, where queues are in groups: a heap in a part of `order`."""


class DagState(NamedTuple):
    """The arrays of a DAG scheduler, with their shapes in comments.

    M machines, R resources, D demand classes, T tasks, S stages, J jobs, Q queues.
    """

    rules: Records  # (1,) RULES
    stage: Records  # (S,) STAGE
    relative: npt.NDArray[np.int32]  # children of all stages, then their parents
    task_order: npt.NDArray[np.int32]  # (T,) tasks, stage after stage: of each those that ended, that run, that wait
    stage_of: npt.NDArray[np.int32]  # (T,) the stage of each task
    job: Records  # (J,) DAG_JOB
    held: Ints  # (J, R) what a job's tasks hold
    queue_held: Ints  # (Q, R)
    queue_share: npt.NDArray[np.float64]  # (Q,)
    total: Ints  # (R,) capacity of all machines
    in_service: Ints  # (R,) of those that are not out
    setting: Records  # (1 or more,) RULES after each event that sets parameters
    replica: npt.NDArray[np.int32]  # (T or 1, copies) machines that have a task's data, NOBODY for none
    rack_first: npt.NDArray[np.int32]  # (racks + 1,) the first machine of each rack
    offers: npt.NDArray[np.uint64]  # (C + 1, words) machines that offer each constraint; the last row has all machines
    active: npt.NDArray[np.int32]  # (J,)
    present: npt.NDArray[np.int32]  # (J,) jobs that have arrived and not ended
    aside: npt.NDArray[np.int32]  # (T or 1, 2) stage and machine of each task with room set aside
    order: npt.NDArray[np.int32]  # (J,) heap of jobs by (key, number)
    key: npt.NDArray[np.float64]  # (J,)
    open_of: Ints  # (D,) open stages of each class of demand
    failed: Ints  # (D,) the last of `tries` in which no machine had room
    room: Ints  # (2 * leaves, R) tree over machines: the most that is free on any below; leaves < 0 beyond the last
    heap: Records  # (2 * kinds + 2,) HEAP: stages of each kind, in front and behind; then jobs
    item: npt.NDArray[np.int32]  # (2 * (S + J),) the heaps' items: stages, and jobs by S + number
    spot: npt.NDArray[np.int32]  # (S + J,) where each is in its heap, NOBODY for nowhere
    kind: npt.NDArray[np.int32]  # (kinds,) those that have open stages
    noticed: npt.NDArray[np.int32]  # (J,) jobs that something has happened to
    untold: npt.NDArray[np.int32]  # (J,) jobs whose waiting tasks need a reason
    freed: npt.NDArray[np.int8]  # (M,) 1 when the machine may hold a task that failed to fit before
    plan: Records  # (T or 1,) PLANNED, each job's where its tasks are
    draft: Records  # rows of the current plan in the making
    group: Records  # GROUP, of the same
    virtual: Records  # VIRTUAL, of the same
    needs: Ints  # (J, R) what a job's plan has running by now
    wants: npt.NDArray[np.float64]  # (J, R) by place in `active` or `present`: what each job would take, in parts
    left: Ints  # (J, R) what all tasks that have not ended take
    least: Ints  # (R,) the smallest capacity that a machine has, of those that have any
    given: Ints  # (R + 1, 101): decisions by the hundredth of their shares that jobs left, by resource and in the mean
    asked: Ints  # (S, R) estimated demand of a task of each stage: orders, scores, shares and plans count with it
    queue_weights: npt.NDArray[np.float64]  # (Q,) of the jobs of each queue that have arrived and not ended
    limit: Ints  # (4, R): what the job may use, what it uses in the plan, and scratch
    node: Records  # (N or 1,) the tree of groups and queues, parents first, where queues are in groups
    vector: npt.NDArray[np.float64]  # (N or 1, R): use below each node, as parts of the whole
    spare: Ints  # (R,): the most that any machine has free
    line: Records  # (Q or 1,) LINE
    asks_for: Ints  # (D or 1,) which resources a class of demand asks for: a row of the next
    wanted: Ints  # (kinds, R) 1 for a resource that the kind asks for
    open_in: Ints  # (Q or 1, kinds) open stages by queue and by what they ask for
