"""The policies that each stage may have, one line each. `schedulers.pipeline` implements them under the same names."""

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
    one operation is, of those that the stage's modeled time counts.
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
           "A queue has at most a set number of active jobs; its other jobs wait.", "a job looked at"),
    Policy("J2", "flow_control", "Flow control",
           "Jobs are admitted in order while the active jobs have fewer unfinished tasks than a threshold.",
           "a job looked at"),
    Policy("J3", "fifo", "FIFO", "Jobs in order of arrival: all tasks of one job before the next job.",
           "a comparison"),
    Policy("J3", "priority", "Priority",
           "Jobs of the highest priority first. Without priorities, jobs of the queue with the largest share first.",
           "a comparison"),
    Policy("J3", "shortest", "Shortest", "The job with the least total work first.", "a comparison"),
    Policy("J3", "fair", "Fair "
    "share", "The queue with the fewest running tasks relative to its share first.", "a comparison"),
    Policy("J3", "drf", "Dominant resource fairness",
           "The queue with the smallest dominant share relative to its own share first. The dominant share is the "
           "largest fraction of any resource that its tasks hold.", "a comparison"),
    Policy("J5", "transfer", "Data transfer",
           "A job's first tasks become eligible after a transfer time per job and per task.",
           "a job set up"),
    Policy("J7", "clean_up", "Clean-up", "Eligible jobs (J2) counts a job as active until "
    "some time after its end.", "a job cleaned up"),
    Policy("T1", "finished", "Dependencies finished", "Tasks whose parent tasks have all ended.", "a task looked at"),
    Policy("T2", "fifo", "FIFO", "Tasks in order of submission.", "none: the queue is in this order"),
    Policy("T2", "ready", "FIFO, by "
    "readiness", "Tasks in the order in which they became eligible. A task whose parents end late goes behind all "
    "waiting tasks.", "none: the queue is in this order"),
    Policy("T2", "submission", "FIFO, by task submission",
           "Tasks in the order of their own submission: each is submitted when it would become eligible if no task "
           "waited and all machines were the fastest.", "none: the queue is in this order"),
    Policy("T2", "srtf", "SRTF", "The task with the least work left first.", "a comparison"),
    Policy("T2", "random", "Random", "Tasks in a new random order in every iteration.", "a task moved"),
    Policy("T2", "priority", "Priority",
           "Tasks of the highest priority first. Without priorities, tasks of the queue with the largest share first.",
           "a comparison"),
    Policy("T2", "critical_path", "Critical path", "The task with the longest chain of tasks to the job's end first.",
           "a comparison"),
    Policy("T2", "heft", "HEFT rank",
           "The task with the highest upward rank first: its mean time over the machines, plus the largest rank of "
           "its children with the transfer to them.", "a comparison"),
    Policy("T5", "start_up", "Start-up", "The task holds its machine for some time before it starts.", "a task set up"),
    Policy("T6", "period", "Periodic",
           "Running tasks are checked periodically; a lost task is noticed only then.", "a lost task noticed"),
    Policy("T6", "checkpoint", "Checkpoints",
           "Running tasks are checked periodically, and each check saves their progress. A preempted, moved or "
           "lost task continues from there.",
           "a lost task noticed"),
    Policy("T8", "clean_up", "Clean-up", "The task holds its machine for some time after its "
    "end.", "a task cleaned up"),
    Policy("T9", "copies", "Copies at once",
           "A task runs on several machines at once, if the rest of the iteration has left room. The first copy to "
           "end counts; the others stop.", "a copy made"),
    Policy("T9", "stragglers", "Copies of stragglers",
           "A task that runs much longer than the mean of its stage in the job's graph gets a copy of mean "
           "duration. The first to end counts.", "a copy made"),
    Policy("T10", "priority", "By priority",
           "If a task finds no room, tasks of lower priority are preempted; without priorities, tasks of queues with "
           "smaller shares.", "a task looked at"),
    Policy("T10", "fairness", "For fairness",
           "If a task finds no room, tasks of queues that run more relative to their shares are preempted, as "
           "long as "
           "these queues do not end up with less.", "a task looked at"),
    Policy("T10", "oldest", "The oldest",
           "If a task has found no room for some time, the task that has run longest is preempted.",
           "a task looked at"),
    Policy("T11", "restart", "Restart", "A lost task returns to the queue at once.", "a task recovered"),
    Policy("T11", "back_off", "Retry with back-off",
           "A lost task returns to the queue after a waiting time, which doubles each further time.",
           "a task recovered"),
    Policy("T11", "give_up", "Give up",
           "A lost task returns to the queue a limited number of times. Then it is given up, together with all tasks "
           "that depend on it.",
           "a task recovered"),
    Policy("T12", "drain", "On drain", "Tasks on a draining machine are stopped and return to the queue.",
           "a task moved"),
    Policy("T12", "contention", "On contention",
           "If a task finds no room, a running task moves to another machine, if that makes room.",
           "a running task looked at"),
    Policy("M1", "overflow", "Overflow", "A task that finds no room goes to the broker.",
           "a task decided on", (("B", "where else the task may run"),)),
    Policy("B", "provider", "Provider",
           "One cluster belongs to an external provider. Brokered tasks start there with a delay, at a price per "
           "second.", "a task brokered", (("M1", "tasks that are brokered"),)),
    Policy("M2", "hierarchy", "Hierarchy", "Each cluster has a scheduler of its own, which receives tasks.",
           "a task decided on", (("M5", "which scheduler node a task goes to"),)),
    Policy("M4", "by_load", "By load", "Nodes whose share of CPUs in use is below a threshold.",
           "a node looked at", (("M2", "nodes below this one"),)),
    Policy("M4", "free_cores", "By free CPUs", "Nodes with enough free CPUs for the task, summed over all machines.",
           "a node looked at", (("M2", "nodes below this one"),)),
    Policy("M5", "random", "Random", "Any of the scheduler nodes that passed the filter.", "a node looked at",
           (("M2", "nodes below this one"),)),
    Policy("M5", "round_robin", "Round robin", "The scheduler nodes in turn.", "a node looked at",
           (("M2", "nodes below this one"),)),
    Policy("M5", "least_loaded", "Least loaded", "The node with the most CPUs free.", "a node looked at",
           (("M2", "nodes below this one"),)),
    Policy("M5", "two_choices", "Two choices", "Of two random nodes, the one with more free CPUs.", "a node looked at",
           (("M2", "nodes below this one"),)),
    Policy("R2", "own_clusters", "By queue",
           "Each queue belongs to a Global Master of the experiment and may use only the clusters of that master. "
           "Of N masters, the first has the clusters 0, N, 2 N and so on.",
           "a machine looked at, for each task"),
    Policy("R3", "constraints", "Constraints", "Machines that offer the task's constraints and are large enough.",
           "a machine looked at, for each task"),
    Policy("R4", "free_now", "Free now", "Machines in service that have room now.",
           "a machine looked at, for each task"),
    Policy("R4", "predicted", "Predicted",
           "Machines in service that have room now. If a task finds none, the machine that will have room first, "
           "within a horizon, is reserved for similar "
           "tasks.", "a machine looked at, for each task; a running task, for a prediction"),
    Policy("R5", "first_fit", "First fit", "The first candidate.", "a candidate looked at", _FREE),
    Policy("R5", "best_fit", "Best fit", "The candidate with the least free after placing the task.",
           "a candidate looked at", _FREE),
    Policy("R5", "worst_fit", "Worst fit", "The candidate with the most free after placing the task.",
           "a candidate looked at", _FREE),
    Policy("R5", "random", "Random", "Any candidate.", "a candidate looked at", _FREE),
    Policy("R5", "round_robin", "Round robin", "The next candidate after the machine that was chosen last.",
           "a candidate looked at", _FREE),
    Policy("R5", "e_pvm", "E-PVM",
           "The candidate whose cost grows least. A machine's cost is e to the power of its used share, summed over "
           "resources, which spreads the load.", "a candidate looked at", _FREE),
    Policy("R5", "score_mix", "Mixed score",
           "A score: half for free resources, half for using all resources to the same "
           "degree.", "a candidate looked at",
           _FREE),
    Policy("R5", "earliest_finish", "Earliest finish", "The fastest candidate, as in HEFT.",
           "a candidate looked at", _FREE),
    Policy("R6", "lease", "Lease machines",
           "A leased machine arrives after a delay and costs a price per second until it is "
           "returned.", "a machine leased or given back", (("R7", "how many machines there should be"),)),
    Policy("R7", "reactive", "Reactive",
           "As many machines as are in use, plus those that the waiting eligible tasks would fill.", "a line looked at",
           (("R6", "who adds machines"),)),
    Policy("R7", "scheduled", "Scheduled",
           "All machines in the second half of every period, a minimum number in the first "
           "half.", "a look at the clock",
           (("R6", "who adds machines"),)),
    Policy("R7", "tokens", "By tokens",
           "Like “Reactive”, plus machines for tasks that become eligible when one more stage ends. Tokens that move "
           "through the graphs find these tasks.", "a stage looked at", (("R6", "who adds machines"),)),
)  # fmt: skip


def policies_of(stage: str) -> tuple[Policy, ...]:
    """Return the policies of a stage; empty if it has no choice."""
    return tuple(policy for policy in POLICIES if policy.stage == stage)


def stages_with_policies() -> tuple[str, ...]:
    """Return the stages that have a choice, in order."""
    return tuple(stage.id for stage in STAGES if policies_of(stage.id))


def default_pipeline() -> dict[str, str]:
    """Return the pipeline of the paper's experiments: all jobs, tasks by parents and FIFO, first fit.

    It looks at constraints, because a task with constraints may run nowhere else.
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
    """Yield each input that a stage of a pipeline (stage: policy, or `none`) needs from a stage without a policy."""
    present = {stage for stage, policy in pipeline.items() if policy != NONE} | set(ALWAYS)
    for policy in POLICIES:
        if pipeline.get(policy.stage) != policy.name:
            continue
        for giver, what in policy.needs:
            if giver not in present:
                yield MissingInput(policy.stage, policy.name, what, giver)
    if pipeline.get("R5", NONE) == NONE:
        yield MissingInput("T4", stage_by_id("T4").name.lower(), "a chosen machine", "R5")
