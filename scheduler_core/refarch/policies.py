"""The policies that each stage may have, a line each. `schedulers.pipeline` runs them, by the same names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scheduler_core.refarch.stages import ALWAYS, STAGES, stage_by_id

NONE = "none"
"""The stage is not specified: what comes in goes on as it is."""


@dataclass(frozen=True)
class Policy:
    """What a stage may do.

    `needs` are pairs of a stage that has to be specified and what it gives that this policy takes. `work` says what
    one operation is, of those that the stage's modelled time counts.
    """

    stage: str
    name: str
    label: str
    help: str
    work: str = ""
    needs: tuple[tuple[str, str], ...] = ()


_FREE = (("R4", "which machines have room"),)

POLICIES: tuple[Policy, ...] = (
    Policy("J2", "all", "All", "Every job may go on.", "a job looked at"),
    Policy("J2", "user_cap", "Cap per user",
           "A queue has at most `j2_jobs` jobs under way; its further ones wait.", "a job looked at"),
    Policy("J2", "flow_control", "Flow control",
           "Jobs are let in, in order, while those under way have fewer than `j2_tasks` tasks left.",
           "a job looked at"),
    Policy("J3", "fifo", "FIFO", "Jobs in the order of their arrival: all tasks of one before the next.",
           "a comparison"),
    Policy("J3", "priority", "Priority",
           "Jobs of the highest priority first; without priorities, of the queue with the largest share.",
           "a comparison"),
    Policy("J3", "shortest", "Shortest", "The job with the least work in all first.", "a comparison"),
    Policy("J3", "fair", "Fair share", "The queue that runs the fewest tasks for its share first.", "a comparison"),
    Policy("J3", "drf", "Dominant resource fairness",
           "The queue with the least dominant share for its own first: the largest part that its tasks hold of any "
           "resource.", "a comparison"),
    Policy("J5", "transfer", "Data transfer",
           "A job's first tasks are eligible `j5_job_s` after it was let in, and `j5_task_s` more for each task.",
           "a job set up"),
    Policy("J7", "clean_up", "Clean-up", "A job is under way for J2 until `j7_s` after its end.", "a job cleaned up"),
    Policy("T1", "finished", "Dependencies finished", "Tasks whose parents have all ended.", "a task looked at"),
    Policy("T2", "fifo", "FIFO", "As they were submitted.", "none: the queue is in this order"),
    Policy("T2", "ready", "FIFO, by readiness", "In the order in which they became eligible: a task whose parents end "
           "late goes behind all that wait.", "none: the queue is in this order"),
    Policy("T2", "srtf", "SRTF", "The task with the least work left first.", "a comparison"),
    Policy("T2", "random", "RANDOM", "Shuffled anew in every iteration.", "a task moved"),
    Policy("T2", "priority", "Priority",
           "Tasks of the highest priority first; without priorities, of the queue with the largest share.",
           "a comparison"),
    Policy("T2", "critical_path", "Critical path", "The longest chain of tasks to the job's end first.",
           "a comparison"),
    Policy("T2", "heft", "HEFT rank",
           "The highest upward rank first: the task's mean time over the machines, and the largest of its children's "
           "ranks with the transfer to them.", "a comparison"),
    Policy("T5", "start_up", "Start-up", "The task holds its machine for `t5_s` before it starts.", "a task set up"),
    Policy("T6", "period", "Periodic",
           "Running tasks are looked at every `t6_s`: that one was lost is only noticed then.", "a lost task noticed"),
    Policy("T6", "checkpoint", "Checkpoints",
           "As `period`, and each look saves what the task has done: stopped, moved or lost, it goes on from there.",
           "a lost task noticed"),
    Policy("T8", "clean_up", "Clean-up", "The task holds its machine for `t8_s` after its end.", "a task cleaned up"),
    Policy("T9", "copies", "Copies at once",
           "A task runs on up to `t9_copies` machines at once, where all else of the iteration has left room; the "
           "first to end counts, the others stop.", "a copy made"),
    Policy("T9", "stragglers", "Of stragglers",
           "A task that runs `t9_factor` times as long as the mean of its stage gets a copy, which takes the mean; the "
           "first to end counts.", "a copy made"),
    Policy("T10", "priority", "By priority",
           "Where a task finds no room, tasks of lower priority are stopped; without priorities, of queues with "
           "smaller shares.", "a task looked at"),
    Policy("T10", "fairness", "For fairness",
           "Where a task finds no room, tasks of queues that run more for their share are stopped, as long as they do "
           "not run less then.", "a task looked at"),
    Policy("T10", "oldest", "The oldest",
           "Where a task has found no room for `t10_wait_s`, the one that has run longest is stopped.",
           "a task looked at"),
    Policy("T11", "restart", "Restart", "A lost task queues again at once.", "a task recovered"),
    Policy("T11", "back_off", "Retry with back-off",
           "A lost task queues again after `t11_wait_s`, and after twice as long each further time.",
           "a task recovered"),
    Policy("T11", "give_up", "Give up",
           "A lost task queues again `t11_retries` times; then it is given up, with all that waits for it.",
           "a task recovered"),
    Policy("T12", "drain", "On drain", "What runs on a machine that drains is stopped and queues again.",
           "a task moved"),
    Policy("T12", "contention", "On contention",
           "Where a task finds no room, one that runs goes to another machine, if that makes room.",
           "a running task looked at"),
    Policy("M1", "overflow", "What does not fit", "A task that finds no room goes to the broker.",
           "a task decided on", (("B", "where else the task may run"),)),
    Policy("B", "provider", "Provider",
           "The cluster `provider` belongs to somebody else: it takes what is brokered, `b_latency_s` later, at "
           "`b_price` for each second.", "a task brokered", (("M1", "tasks that are brokered"),)),
    Policy("M2", "hierarchy", "Hierarchy", "Each cluster has a scheduler of its own, to which tasks are passed on.",
           "a task decided on", (("M5", "which scheduler node a task goes to"),)),
    Policy("M4", "by_load", "By load", "Nodes of which less than `m4_load` of the CPUs are in use.",
           "a node looked at", (("M2", "nodes below this one"),)),
    Policy("M4", "free_cores", "By free CPUs", "Nodes that have as much free, over all machines, as the task takes.",
           "a node looked at", (("M2", "nodes below this one"),)),
    Policy("M5", "random", "Random", "Any node that M4 leaves.", "a node looked at",
           (("M2", "nodes below this one"),)),
    Policy("M5", "round_robin", "Round robin", "One after the other.", "a node looked at",
           (("M2", "nodes below this one"),)),
    Policy("M5", "least_loaded", "Least loaded", "The node with the most CPUs free.", "a node looked at",
           (("M2", "nodes below this one"),)),
    Policy("M5", "two_choices", "Two choices", "Of two drawn, the one with more CPUs free.", "a node looked at",
           (("M2", "nodes below this one"),)),
    Policy("R2", "own_clusters", "By queue",
           "A queue may use the clusters of its Global Master: those whose number leaves the same rest.",
           "a machine looked at, for each task"),
    Policy("R3", "constraints", "Constraints", "Machines that offer what the task asks for, and are large enough.",
           "a machine looked at, for each task"),
    Policy("R4", "free_now", "Free now", "Machines that are in service and have room now.",
           "a machine looked at, for each task"),
    Policy("R4", "predicted", "Predicted",
           "As `free_now`; and where a task finds no room, the machine that will have it first, within `r4_s`, is kept "
           "for tasks of its kind.", "a machine looked at, for each task; a running task, for a prediction"),
    Policy("R5", "first_fit", "First fit", "The first candidate.", "a candidate looked at", _FREE),
    Policy("R5", "best_fit", "Best fit", "The candidate that the task leaves the least free on.",
           "a candidate looked at", _FREE),
    Policy("R5", "worst_fit", "Worst fit", "The candidate that the task leaves the most free on.",
           "a candidate looked at", _FREE),
    Policy("R5", "random", "Random", "Any candidate.", "a candidate looked at", _FREE),
    Policy("R5", "round_robin", "Round robin", "The next candidate behind the machine that was chosen last.",
           "a candidate looked at", _FREE),
    Policy("R5", "e_pvm", "E-PVM",
           "The candidate whose cost grows least, where a machine's cost is e to the used share, over all resources: "
           "load spreads.", "a candidate looked at", _FREE),
    Policy("R5", "score_mix", "Mixed score",
           "Half of the score for what is left free, half for resources being used alike.", "a candidate looked at",
           _FREE),
    Policy("R5", "earliest_finish", "Earliest finish", "The fastest candidate, as HEFT assigns.",
           "a candidate looked at", _FREE),
    Policy("R6", "lease", "Lease machines",
           "A machine comes `r6_delay_s` after it was asked for, and costs `r6_price` for each second until it is "
           "given back.", "a machine leased or given back", (("R7", "how many machines there should be"),)),
    Policy("R7", "reactive", "Reactive",
           "As many machines as are in use, and as eligible tasks that wait would fill.", "a line looked at",
           (("R6", "who adds machines"),)),
    Policy("R7", "scheduled", "Scheduled",
           "All machines in the second half of every `r7_period_s`, else `r7_machines`.", "a look at the clock",
           (("R6", "who adds machines"),)),
    Policy("R7", "tokens", "By tokens",
           "As `reactive`, and for tasks that will be eligible when one more stage ends, as tokens that move through "
           "the graphs would find them.", "a stage looked at", (("R6", "who adds machines"),)),
)  # fmt: skip


def policies_of(stage: str) -> tuple[Policy, ...]:
    """The policies of a stage; none for one that has no choice."""
    return tuple(policy for policy in POLICIES if policy.stage == stage)


def stages_with_policies() -> tuple[str, ...]:
    """The stages that have a choice, in order."""
    return tuple(stage.id for stage in STAGES if policies_of(stage.id))


def default_pipeline() -> dict[str, str]:
    """The pipeline of the paper's experiments: all jobs, tasks by their parents and FIFO, first fit among what is free.

    Constraints are looked at, because a task with constraints may run nowhere else.
    """
    chosen = {
        "J2": "all",
        "T1": "finished",
        "T2": "fifo",
        "R3": "constraints",
        "R4": "free_now",
        "R5": "first_fit",
        "T11": "restart",
    }
    return {stage: chosen.get(stage, NONE) for stage in stages_with_policies()}


@dataclass(frozen=True)
class MissingInput:
    """A stage that does not get what it takes: `policy` of `stage` needs `what` of `giver`, which is unspecified."""

    stage: str
    policy: str
    what: str
    giver: str

    def __str__(self) -> str:
        return f"{self.stage} {self.policy} misses {self.what}: {self.giver} would give it"


def missing_inputs(pipeline: Mapping[str, str]) -> Iterator[MissingInput]:
    """What the stages of a pipeline (stage: policy, or `none`) miss of one another."""
    present = {stage for stage, policy in pipeline.items() if policy != NONE} | set(ALWAYS)
    for policy in POLICIES:
        if pipeline.get(policy.stage) != policy.name:
            continue
        for giver, what in policy.needs:
            if giver not in present:
                yield MissingInput(policy.stage, policy.name, what, giver)
    if pipeline.get("R5", NONE) == NONE:
        yield MissingInput("T4", stage_by_id("T4").name.lower(), "a chosen machine", "R5")
