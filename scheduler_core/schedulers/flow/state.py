"""The arrays of the flow schedulers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import Records
from scheduler_core.flow.arrays import Net

# Kinds of events. ROUND goes after all others of its instant, arrivals included; PLACE when its answer is there; OLDER
# when a running task has run twice as long as it counts, LATER when tasks have waited a second more for a machine.
TASK_END = 1
PLACE = 2
OLDER = 3
LATER = 4
ROUND = 65

# What the loop is in the middle of.
IDLE, ADDING, SOLVING, ASKED, PLACING, STRIKING, SWITCHING, TELLING = range(8)

WEIGHTS = (
    "core_cost",
    "rack_cost",
    "wait_cost",
    "load_cost",
    "short_cost",
    "priority_cost",
    "stay_cost",
    "run_cost",
    "random_cost",
    "interference_cost",
    "bandwidth_cost",
    "resource_cost",
    "cpu_cost",
    "memory_cost",
    "other_cost",
    "soft_utility",
)
"""Weights of the terms that costs are made of: parameters by the same names."""

RULES = np.dtype(
    [
        ("delay_ns", "i8"),
        ("interval_ns", "i8"),
        ("room", "i8"),  # events that one step may schedule
        ("cold", "i8"),  # 1: OR-tools solves each round from scratch
        ("scaling", "i8"),  # 1: cost scaling starts from the flow before, 0: shortest paths do
        ("preempts", "i8"),
        ("fair", "i8"),  # 1: the max-min share of each job bounds its unscheduled arc
        # Weights of the terms of costs, see `costs` and `policies`.
        *((name, "f8") for name in WEIGHTS),
        ("base_cost", "f8"),  # of not running: more than all else together where anything is to run that can
        ("waits", "i8"),  # 1: a task may wait although there is a slot
        ("leave_cost", "f8"),  # of not running beyond the task's cheapest machine, where tasks may wait
        ("most_cost", "f8"),  # no machine costs more
        ("strict", "i8"),  # 1: priorities go before all else
        ("step_cost", "f8"),  # what one priority is worth more than the next, where they are strict
        ("by_task", "i8"),  # 1: the experiment has priorities, each task's `kind` is the number of its
        ("later", "i8"),  # 1: a round looks again at tasks that wait for a better machine within a second
        ("last_arrival_ns", "i8"),  # of all jobs
        ("soft", "i8"),  # mask of the constraints that tasks may do without
        ("bandwidth", "i8"),  # the resource that is bandwidth, or NOBODY
        ("changing", "i8"),  # 1: what a machine costs depends on what runs there
        ("spread", "i8"),  # 1: machines have an arc for each slot, each more expensive than the one before it
        ("per_scan_ns", "f8"),  # what the solver's work stands for
        ("per_arc_ns", "f8"),
        ("reads", "i8"),  # 1: tasks have data on machines
        ("sink", "i8"),
        ("cluster", "i8"),
        ("supply", "i8"),  # tasks in the network
        ("phase", "i8"),
        ("at", "i8"),
        ("end", "i8"),
        ("kept", "i8"),  # tasks whose flow has moved and who could not start: looked at in the next round again
        ("first_open", "i8"),  # no job before it is in the network
        ("adding", "i8"),  # the next job whose tasks come into the network
        ("pending", "i8"),
        ("last_ns", "i8"),
        ("half_at", "i8"),  # the place among the arcs of a machine that has failed
        ("requeue", "i8"),  # a lost task that has to come into the network again, or NOBODY
        ("unplaced", "i8"),  # tasks in the network that do not run
        ("rounds", "i8"),
        ("cold_solves", "i8"),
        ("solver_ns", "i8"),
        ("last_solver_ns", "i8"),
        ("last_scanned", "i8"),
        ("migrations", "i8"),
        ("preemptions", "i8"),
        ("misfits", "i8"),
        ("flow_cost", "i8"),
        ("infeasible", "i8"),  # rounds
        ("relaxed", "i8"),  # 1 when this round's shares could not be
        ("unfair", "i8"),  # such rounds
        ("stuck", "i8"),  # 1 when the last round had no feasible flow
        ("short_jobs", "i8"),  # of the last round: jobs that no flow gives their share
    ]
)

FLOW_MACHINE = np.dtype(
    [
        ("node", "i4"),
        ("arc", "i4"),  # the first to the sink
        ("slots", "i4"),
        ("width", "i4"),  # of its slots, those that a round may use
        ("launches", "i4"),
        ("place", "i4"),  # machines of a place are worth the same to all tasks, by what utilities say
    ]
)
FLOW_TASK = np.dtype(
    [
        ("node", "i4"),  # NOBODY outside of the network
        ("here", "i4"),  # the arc to the machine that it runs on, or NOBODY
        ("told", "i4"),
        ("token", "i4"),  # number of its starts: the end of an earlier start is no news
        ("kind", "i4"),  # tasks of a kind share a node that leads to machines; NOBODY: over the cluster
        ("unused", "i4"),
    ]
)
FLOW_JOB = np.dtype(
    [
        ("node", "i4"),
        ("arc", "i4"),  # its unscheduled arc
        ("here", "i4"),  # its tasks in the network
        ("queue", "i4"),
        ("running", "i4"),
        ("short", "i4"),  # 1 when a row tells that it cannot have its share
        ("share", "i8"),  # slots that it should have, where shares are bounds
    ]
)
KIND = np.dtype(
    [
        ("demand", "i4"),  # a class of demand of its tasks
        ("group", "i4"),  # of those that disturb each other (engine.pace)
        ("soft", "i8"),  # what its tasks ask for and may do without
        ("everywhere", "i8"),  # 1: its tasks could run on any machine, and racks are the same to them
        ("wants", "i8"),  # the row of `worth` that holds for its tasks
        ("least_cost", "f8"),  # of the machine that costs its tasks least, by utilities
    ]
)

NODES_OF_MACHINES = -2
"""`task_of` says NODES_OF_MACHINES - m for the node of machine m, racks after the machines, kinds after the racks;
NOBODY for other nodes."""


class FlowState(NamedTuple):
    """The arrays of a flow scheduler and of its network, with their shapes in comments.

    M machines, R racks, T tasks, J jobs, Q queues, K kinds of tasks.
    """

    rules: Records  # (1,) RULES
    machine: Records  # (M,) FLOW_MACHINE
    rack: npt.NDArray[np.int32]  # (R,): its node
    gather: npt.NDArray[np.int32]  # (K,): the node that leads to each machine that could run tasks of the kind
    kind: Records  # (K,) KIND
    kind_arc: npt.NDArray[np.int32]  # (K, M): the arc from there to the machine, NOBODY for none
    task: Records  # (T,) FLOW_TASK
    task_of: npt.NDArray[np.int32]  # (nodes of the network,): its task; below 0 see NODES_OF_MACHINES
    job: Records  # (J,) FLOW_JOB
    pace: Records  # these six are engine.pace.Pace
    paced: Records
    replica: npt.NDArray[np.int32]  # (T, copies): machines that have its data, or (1, copies)
    beside: npt.NDArray[np.int32]
    discord: npt.NDArray[np.float64]
    slowdown: npt.NDArray[np.float64]
    queue_share: npt.NDArray[np.float64]  # (Q,)
    level: npt.NDArray[np.float64]  # (priorities,): each priority as a part of the largest, 0 to 1
    worth: npt.NDArray[np.float64]  # (wants, places): what utilities say that a machine of a place is worth to a task
    setting: Records  # (changes of parameters,) RULES
    network: Records
    node: Records
    half: Records
    arc: Records
    free_block: npt.NDArray[np.int32]
    fresh: npt.NDArray[np.int32]
    dirty: npt.NDArray[np.int32]
    uneven: npt.NDArray[np.int32]
    moved: npt.NDArray[np.int32]
    closed: npt.NDArray[np.int32]
    ties: npt.NDArray[np.int32]
    frontier: Records


def net_of(s: FlowState) -> Net:
    """Return the network in the state."""
    return Net(*(getattr(s, name) for name in Net._fields))
