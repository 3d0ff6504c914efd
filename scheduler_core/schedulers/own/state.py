"""The arrays of a scheduler that runs a user's own policy."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import Records

# Kinds of events. DECIDE and DECIDED go after all others of their instant, arrivals included.
TASK_END, REQUEST, REFUSED, REPORT, HEARTBEAT, TICK, PLACE, MORE = range(1, 9)
DECIDE, DECIDED = 65, 66

TRUTH, STALE, SAMPLE = range(3)
"""What schedulers know about machines."""

# Where the kernel finds a word's value.
OF_TASK, OF_JOB, OF_MACHINE, OF_ALL, OF_VICTIM, COMPUTED = range(6)

ORDER, FILTER, SCORE, PREEMPT, VICTIM_ORDER = range(5)
"""Rows of `hook`."""

MOST_VICTIMS = 64
"""Largest number of tasks that one decision looks at on a machine to preempt them."""
MOST_STEPS_OF_ONE = 200_000_000
"""Largest number of steps that one decision may take; a policy that could take more is not followed at all."""

RULES = np.dtype(
    [
        ("delay_ns", "i8"),
        ("room", "i8"),  # most events of one step
        ("decision_ns", "i8"),
        ("tick_ns", "i8"),
        ("heartbeat_ns", "i8"),
        ("news", "i8"),
        ("at_machine", "i8"),  # 1: tasks wait at machines
        ("overtake", "i8"),
        ("schedulers", "i8"),
        ("sample", "i8"),
        ("most_preempted", "i8"),
        ("most_steps", "i8"),
        ("static", "i8"),  # 1: the order of entries never changes while they wait
        ("timed", "i8"),  # 1: which machines a task may use depends on the time
        ("restless", "i8"),  # 1: a machine may become usable although nothing was freed
        ("held", "i8"),  # 1: `job_held` counts
        ("leaves", "i8"),  # leaves of a tree of kept scores
        ("phase", "i8"),  # 1 while scheduler `viewer` searches
        ("viewer", "i8"),
        ("moves", "i8"),  # arrivals, starts and ends, at which restless policies look again
        ("freed", "i8"),
        ("coming", "i8"),  # requests on their way
        ("candidates", "i8"),  # of the latest choice: machines with room that the filter let pass
        ("refused", "i8"),  # and those that it did not
        ("best", "f8"),
        ("victims", "i8"),
        ("fallen", "i8"),  # 1: the policy decides nothing any more
        ("steps", "i8"),
        ("decisions", "i8"),
        ("in_vain", "i8"),
        ("late", "i8"),
        ("conflicts", "i8"),
        ("looked", "i8"),
        ("preemptions", "i8"),
        ("by_fallback", "i8"),
        ("undefined_order", "i8"),
        ("undefined_filter", "i8"),
        ("undefined_score", "i8"),
        ("undefined_preempt", "i8"),
        ("waiting_in_line", "i8"),
        ("looks", "i8"),  # at the clock, by ticks
    ]
)

HOOK = np.dtype(
    [("first", "i4"), ("machine", "i4"), ("end", "i4"), ("result", "i4"), ("there", "i4"), ("unused", "i4")]
)
SOURCE = np.dtype([("kind", "i4"), ("column", "i4")])
SCHEDULER = np.dtype(
    [
        ("first_kind", "i4"),
        ("open", "i4"),  # kinds with waiting tasks
        ("busy", "i4"),
        ("pending", "i4"),
        ("ticking", "i4"),
        ("in_vain", "i4"),  # ticks since the last start
        ("task", "i4"),
        ("machine", "i4"),
        ("waiting", "i8"),
        ("beats", "i8"),  # heartbeats without anything to come
        ("last_ns", "i8"),
        ("seen_ns", "i8"),  # when its copy was renewed
    ]
)
ENTRY = np.dtype(
    [
        ("kind", "i4"),
        ("demand", "i4"),
        ("head", "i4"),  # of its waiting tasks, the oldest first
        ("tail", "i4"),
        ("waiting", "i4"),
        ("spot", "i4"),  # its place among the open entries of its kind
        ("key", "f8"),
        ("part", "f8"),  # dominant share times run time of a task
    ]
)
"""Waiting tasks that are alike to the order: of one job, with one demand and one priority."""
KIND = np.dtype(
    [
        ("scheduler", "i4"),
        ("demand", "i4"),
        ("first", "i4"),  # its entries in `item`
        ("open", "i4"),  # entries with waiting tasks
        ("spot", "i4"),
        ("failed", "i4"),  # 1: no machine for it when the numbers below were these
        ("told", "i4"),
        ("kept", "i4"),  # its tree of scores, or NOBODY
        ("waiting", "i8"),
        ("seen_freed", "i8"),
        ("seen_moves", "i8"),
        ("seen_ns", "i8"),
        ("passed_over", "i8"),  # machines with room that the filter refused
        ("refused_ns", "i8"),  # when a machine refused one of its tasks, as its scheduler knows; -1 for never
    ]
)
"""Waiting entries of one scheduler that are alike to filter and room: where one finds no machine, none does."""
OWN_JOB = np.dtype([("waiting", "i4"), ("running", "i4"), ("work", "f8")])
OWN_QUEUE = np.dtype([("share", "f8"), ("waiting", "i8"), ("running", "i8")])


class OwnState(NamedTuple):
    """The arrays, including the fields of engine.pace.Pace; comments give the shapes.

    T tasks, J jobs, M machines, R resources, Q queues, S schedulers, E entries, K kinds, V copies of machines.
    """

    rules: Records  # (1,) RULES
    setting: Records  # (changes of parameters,) RULES
    constants_after: npt.NDArray[np.float64]  # (changes, constants)
    code: npt.NDArray[np.int32]  # (rows, 6): operation and arguments (policy.nodes)
    constant: npt.NDArray[np.float64]  # (constants,)
    register: npt.NDArray[np.float64]  # (rows,)
    hook: Records  # (5,) HOOK
    source: Records  # (words,) SOURCE
    task_column: npt.NDArray[np.float64]  # (T, words of tasks that never change)
    job_column: npt.NDArray[np.float64]  # (J, words of jobs and queues that never change)
    machine_column: npt.NDArray[np.float64]  # (M, words of machines and racks that never change)
    whole: npt.NDArray[np.float64]  # (words of the cluster that never change,)
    total: npt.NDArray[np.int64]  # (2, R): of all machines together, of the largest machine
    scheduler: Records  # (S,) SCHEDULER
    entry: Records  # (E,) ENTRY
    kind: Records  # (K,) KIND
    item: npt.NDArray[np.int32]  # (E,): open entries, kind by kind; a heap where the order is static
    open_kind: npt.NDArray[np.int32]  # (K,): open kinds, scheduler by scheduler
    job: Records  # (J,) OWN_JOB
    job_held: npt.NDArray[np.int64]  # (J, R) or (1, R)
    queue: Records  # (Q,) OWN_QUEUE
    queue_held: npt.NDArray[np.int64]  # (Q, R)
    rack_tasks: npt.NDArray[np.int64]  # (racks,)
    rack_first: npt.NDArray[np.int32]  # (racks + 1,)
    line: Records  # (M + 1,) engine.lines.LINE
    bound_for: npt.NDArray[np.int32]  # (M,): tasks on their way there
    seen_free: npt.NDArray[np.int64]  # (V, M, R), one row of one machine where schedulers see the truth
    seen_tasks: npt.NDArray[np.int32]  # (V, M, 2): running, waiting
    ring: npt.NDArray[np.int32]  # (V or 1, M): machines whose state has changed, the latest M changes
    freed_ring: npt.NDArray[np.int32]  # (M,): machines where something was freed, the latest M of them
    changed: npt.NDArray[np.int64]  # (V or 1,): number of changes
    mark: npt.NDArray[np.float64]  # (trees, M): kept scores
    winner: npt.NDArray[np.int32]  # (trees, 2 * leaves): the better machine of each pair
    kept: npt.NDArray[np.int64]  # (trees, 2): the number of changes that a tree has seen, machines that tasks may use
    drawn: npt.NDArray[np.int32]  # (MOST_VICTIMS,): the latest sample, or the latest victims
    victim_key: npt.NDArray[np.float64]  # (MOST_VICTIMS,)
    pace: Records
    paced: Records
    replica: npt.NDArray[np.int32]
    beside: npt.NDArray[np.int32]
    discord: npt.NDArray[np.float64]
    slowdown: npt.NDArray[np.float64]
