"""The 33 stages. Identifiers, groups and the five modes are the paper's; `inferred` marks fields that are ours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Group = Literal["J", "T", "M", "R"]
Mode = Literal["processing", "input", "iteration", "decision", "transfer"]


@dataclass(frozen=True)
class Stage:
    """A step that a scheduler may have.

    `inputs` and `outputs` name what it takes and gives; `effects` what it changes outside of the scheduler. `keeps` is
    whether it remembers anything between two iterations. `inferred` names those of these fields that the paper does
    not state and that were read out of its description of the stage.
    """

    id: str
    group: Group
    name: str
    mode: Mode
    meaning: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    effects: str = ""
    keeps: bool = False
    inferred: tuple[str, ...] = ("mode", "inputs", "outputs", "effects", "keeps")


GROUPS: tuple[tuple[Group, str], ...] = (
    ("J", "Jobs"),
    ("T", "Tasks"),
    ("M", "Management and hierarchy"),
    ("R", "Resources"),
)
_STATED = ("inputs", "outputs", "effects", "keeps")

STAGES: tuple[Stage, ...] = (
    Stage("J1", "J", "Incoming jobs", "input", "Submitted jobs that wait to be taken up.",
          (), ("jobs",), keeps=True, inferred=_STATED),
    Stage("J2", "J", "Eligible "
    "jobs", "processing", "Keeps the jobs that may proceed now; the others are checked again next time.",
          ("jobs",), ("eligible jobs",)),
    Stage("J3", "J", "Sort jobs", "processing", "Sorts jobs by a criterion.",
          ("eligible jobs",), ("sorted jobs",)),
    Stage("J4", "J", "Per job", "iteration", "Iterates over the jobs, one by one or several at once.",
          ("sorted jobs",), ("job",), inferred=_STATED),
    Stage("J5", "J", "Job set-up", "processing", "Prepares a job, such as by moving its input.",
          ("job",), ("tasks",), "moves data"),
    Stage("J6", "J", "Job completion", "processing", "Notifies the user and returns the results.",
          ("completed tasks",), ("completed jobs",), "tells the user"),
    Stage("J7", "J", "Job clean-up", "processing", "Removes the files of a finished job.",
          ("completed jobs",), (), "removes files"),
    Stage("T1", "T", "Eligible tasks", "processing", "Keeps the tasks that may start: those whose parents have ended.",
          ("tasks", "completed tasks"), ("eligible tasks",)),
    Stage("T2", "T", "Sort tasks", "processing", "Sorts tasks by a criterion.",
          ("eligible tasks",), ("sorted tasks",)),
    Stage("T3", "T", "Per task", "iteration", "Iterates over the tasks.",
          ("sorted tasks",), ("task",), inferred=_STATED),
    Stage("T4", "T", "Submit task", "processing", "Reserves the chosen machine definitively and hands the task over.",
          ("task", "chosen machine"), ("submitted task",), "takes resources"),
    Stage("T5", "T", "Task set-up", "processing", "Moves files and starts the program.",
          ("submitted task",), ("running task",), "occupies the machine"),
    Stage("T6", "T", "Monitor task", "processing", "Checks running tasks periodically.",
          ("running task",), ("observed task",), keeps=True),
    Stage("T7", "T", "Task completion", "processing", "Marks a task as done.",
          ("running task",), ("completed tasks",), "gives resources back"),
    Stage("T8", "T", "Task clean-up", "processing", "Removes the files of a finished task.",
          ("completed tasks",), (), "occupies the machine"),
    Stage("T9", "T", "Task replication", "processing", "Makes copies of a task, which are placed like other tasks.",
          ("task",), ("task",), "takes resources twice"),
    Stage("T10", "T", "Task preemption", "processing", "Stops a running task, which returns to the queue.",
          ("observed task",), ("tasks",), "loses work"),
    Stage("T11", "T", "Task recovery", "processing", "Brings a failed task back into the queue.",
          ("failed task",), ("tasks",), keeps=True),
    Stage("T12", "T", "Task migration", "processing", "Moves a running task to another machine.",
          ("observed task",), ("task",), "moves a task"),
    Stage("B", "M", "Broker", "transfer", "Negotiates with an external resource manager.",
          ("brokered task",), ("submitted task",), "pays a provider"),
    Stage("M1", "M", "Task management", "decision", "Decides if a broker handles a task.",
          ("task",), ("brokered task", "own task")),
    Stage("M2", "M", "Scheduler "
    "hierarchy", "decision", "Decides if one scheduler makes all decisions or several share them.",
          ("own task",), ("own task",)),
    Stage("M3", "M", "Scheduler nodes", "input", "Lists the schedulers that a task may go to.",
          (), ("scheduler nodes",)),
    Stage("M4", "M", "Filter scheduler nodes", "processing", "Keeps scheduler nodes by load or by free resources.",
          ("scheduler nodes",), ("eligible nodes",)),
    Stage("M5", "M", "Select scheduler node", "processing", "Chooses one of the remaining scheduler nodes.",
          ("eligible nodes",), ("chosen node",)),
    Stage("M6", "M", "Pass to local manager", "transfer", "Hands control to the chosen node.",
          ("own task", "chosen node"), ("own task",)),
    Stage("R1", "R", "Machines", "input", "Lists all machines, also those out of service.",
          (), ("machines",), inferred=_STATED),
    Stage("R2", "R", "Filter by authorization", "processing", "Keeps machines that the user may use.",
          ("machines", "task"), ("allowed machines",)),
    Stage("R3", "R", "Filter by static information", "processing", "Keeps machines by properties that never change.",
          ("allowed machines", "task"), ("able machines",)),
    Stage("R4", "R", "Filter by dynamic "
    "information", "processing", "Keeps machines by resources that are free now or soon.",
          ("able machines", "task"), ("candidates", "what is free")),
    Stage("R5", "R", "Select and allocate", "processing", "Chooses one of the remaining machines.",
          ("candidates", "what is free"), ("chosen machine",)),
    Stage("R6", "R", "Provision", "processing", "Adds machines to a pool that is too small.",
          ("pool target",), ("machines",), "leases machines", keeps=True),
    Stage("R7", "R", "Elastic decisions", "processing", "Decides the number of machines in the pool.",
          ("tasks", "machines"), ("pool target",), keeps=True),
)  # fmt: skip

_BY_ID = {stage.id: stage for stage in STAGES}
ALWAYS = ("J1", "J4", "J6", "T3", "T4", "T7", "R1")
"""Stages that have no choice of policy: without them no task would ever run or end."""


def stage_by_id(identifier: str) -> Stage:
    """Return the stage of an identifier such as T2; KeyError for another."""
    return _BY_ID[identifier]


def of_group(group: str) -> tuple[Stage, ...]:
    """Return the stages of a group, in order."""
    return tuple(stage for stage in STAGES if stage.group == group)
