"""Parameters of a pipeline: one for each stage with a choice, and the numbers that policies need."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import Field, JsonValue, field_validator, model_validator

from scheduler_core.experiment.fields import refuse
from scheduler_core.experiment.options import options
from scheduler_core.refarch.policies import NONE, default_pipeline, missing_inputs, policies_of
from scheduler_core.refarch.stages import stage_by_id
from scheduler_core.world.spec import Params

_DEFAULTS = default_pipeline()


_MOVES = {
    "J2": "Admitting fewer jobs ends those sooner and makes the others wait.",
    "J3": ("Shortest first usually lowers the mean and lengthens the longest waits; shares even out queues."),
    "T1": "Jobs with many stages in their graphs wait here most.",
    "T2": (
        "Long chains first usually ends jobs later if jobs are sorted by arrival, and changes little in other orders."
    ),
    "J5": "Transfers lengthen the wait of every job.",
    "J7": "If the number of admitted jobs is limited, other jobs are admitted later.",
    "T5": "Machines finish less work, most if tasks are short.",
    "T6": "Losses are noticed at the next check; saved work is not repeated.",
    "T8": "Machines finish less work, most if tasks are short.",
    "T9": "Copies avoid stragglers and use capacity.",
    "T10": ("Preemption starts other tasks sooner and loses work; on average, jobs usually end later."),
    "T11": "Earlier retries end jobs sooner.",
    "T12": "Moves make room and take time.",
    "B": "Brokered tasks wait less and cost money.",
    "M1": "Brokering shortens waits at peaks and costs money.",
    "M2": "Many schedulers share the decisions; each sees only its own machines.",
    "M4": ("By load, free capacity on full nodes stays unused and tasks wait; by free CPUs, nothing changes."),
    "M5": ("The least loaded node saves the most messages. Waits hardly change, because full nodes pass tasks on."),
    "R2": ("Separate clusters isolate queues and leave machines idle while other queues wait."),
    "R3": "Scarce constraints lengthen waits.",
    "R4": "Prediction keeps machines empty for large tasks.",
    "R5": ("Packing leaves whole machines free for large tasks; spreading balances the load."),
    "R6": "Leases cost money and shorten waits in bursts.",
    "R7": "A larger pool costs more and shortens waits.",
}
"""What the choice at a stage usually moves."""


def _stage(identifier: str) -> Any:
    """Return the field of a stage: its policies, and `none` for a stage that is not specified."""
    stage = stage_by_id(identifier)
    policies = policies_of(identifier)
    names: list[JsonValue] = [NONE, *(policy.name for policy in policies)]
    told = {NONE: ("Not specified", "The stage changes nothing.")} | {
        policy.name: (policy.label, policy.help) for policy in policies
    }
    return Field(
        _DEFAULTS[identifier],
        title=f"{identifier} {stage.name}",
        description=f"{stage.meaning} {_MOVES[identifier]}",
        json_schema_extra={"enum": names, **options(told)},
    )


def _seconds(default: float, title: str, told: str) -> Any:
    return Field(default, ge=0, le=86_400, title=title, description=told, json_schema_extra={"unit": "s"})


class PipelineParams(Params):
    """A pipeline: a policy for each stage. A stage without a policy passes its inputs on unchanged."""

    # The arrays of a run, ends on their way and sums so far depend on these.
    fixed: ClassVar[frozenset[str]] = frozenset({
        "t1", "t8", "t8_s", "t9_copies", "b", "m1", "provider", "r2", "r3", "r6", "r6_price", "r7", "r7_machines",
        "r7_period_s", "cost_scale", "speed",
    })  # fmt: skip

    j2: str = _stage("J2")
    j3: str = _stage("J3")
    t1: str = _stage("T1")
    t2: str = _stage("T2")
    j5: str = _stage("J5")
    j7: str = _stage("J7")
    t5: str = _stage("T5")
    t6: str = _stage("T6")
    t8: str = _stage("T8")
    t9: str = _stage("T9")
    t10: str = _stage("T10")
    t11: str = _stage("T11")
    t12: str = _stage("T12")
    b: str = _stage("B")
    m1: str = _stage("M1")
    m2: str = _stage("M2")
    m4: str = _stage("M4")
    m5: str = _stage("M5")
    r2: str = _stage("R2")
    r3: str = _stage("R3")
    r4: str = _stage("R4")
    r5: str = _stage("R5")
    r6: str = _stage("R6")
    r7: str = _stage("R7")
    on_arrival: bool = Field(
        True,
        title="Iterate on arrivals",
        description="Start an iteration of the pipeline when a job arrives. If off, jobs wait for the next end of a "
        "task or the next multiple of the timer.",
    )
    on_end: bool = Field(
        True,
        title="Iterate on ends",
        description="Start an iteration of the pipeline when a task ends. If off, free room is used only at the next "
        "arrival or multiple of the timer.",
    )
    timer_s: float = Field(
        0.0,
        ge=0,
        le=86_400,
        title="Timer period",
        description="Period of the iterations that run if something changed since the last one. 0 turns the timer off. "
        "Shorter periods notice changes sooner.",
        json_schema_extra={"unit": "s"},
    )
    charge: bool = Field(
        False,
        title="Charge stage times",
        description="Let the modeled time of an iteration pass in the simulation: tasks start after it, and the next "
        "iteration waits for it. If on, waits include the scheduler's own time.",
    )
    cost_scale: float = Field(
        1.0,
        ge=0,
        le=1_000_000,
        title="Scale of stage times",
        description="Factor by which the scheduler's machine is slower than the one of the cost estimates. Larger "
        "factors make tasks wait longer if stage times are charged.",
    )
    speed: str = Field(
        "",
        max_length=100,
        title="Speed resource",
        examples=["ghz"],
        description="Name of the machine resource that is its speed. A task's duration holds on the fastest machine "
        "and grows in proportion on slower ones. If empty, all machines are equally fast. With a speed, the choice of "
        "machine changes durations.",
    )
    transfer_s: float = Field(
        0.0,
        ge=0,
        le=86_400,
        title="Transfer time in HEFT's rank",
        description="Time that HEFT's rank counts for moving data from a task to its child. Larger values raise the "
        "rank of long chains.",
        json_schema_extra={"unit": "s"},
    )
    j2_jobs: int = Field(
        10,
        ge=1,
        le=10_000_000,
        title="Active jobs per queue (J2)",
        description="Largest number of active jobs of a queue, if Eligible jobs (J2) is “Cap per user”. A smaller "
        "number ends those "
        "sooner and makes the others wait.",
    )
    j2_tasks: int = Field(
        1_000,
        ge=1,
        le=100_000_000,
        title="Admission threshold (J2)",
        description="Number of unfinished tasks of active jobs below which more jobs are admitted, if Eligible "
        "jobs (J2) is “Flow "
        "control”. A smaller number ends active jobs sooner and makes the others wait.",
    )

    j5_job_s: float = _seconds(
        10.0,
        "Transfer time per job (J5)",
        "Time to move a job's data, if Job set-up (J5) is “Data transfer”. Transfers lengthen the wait of every job.",
    )
    j5_task_s: float = _seconds(
        0.0,
        "Transfer time per task (J5)",
        "Additional time for each task of the job, if Job set-up (J5) is “Data transfer”. It lengthens the waits "
        "of large jobs "
        "most.",
    )
    j7_s: float = _seconds(
        1.0,
        "Clean-up time per job (J7)",
        "Time for which a job stays active after its end, if Job clean-up (J7) is “Clean-up”. Longer times make "
        "J2 admit other jobs "
        "later.",
    )
    t5_s: float = _seconds(
        1.0,
        "Start-up time (T5)",
        "Time for which a task holds its machine before it starts, if Task set-up (T5) is “Start-up”. At longer "
        "times, machines "
        "finish less work.",
    )
    t6_s: float = _seconds(
        10.0,
        "Check period (T6)",
        "Time between two checks of running tasks, if Monitor task (T6) is “Periodic” or “Checkpoints”. Shorter "
        "periods notice "
        "losses sooner.",
    )
    t8_s: float = _seconds(
        1.0,
        "Clean-up time (T8)",
        "Time for which a task holds its machine after its end, if Task clean-up (T8) is “Clean-up”. At longer "
        "times, machines "
        "finish less work.",
    )
    t9_copies: int = Field(
        2,
        ge=2,
        le=4,
        title="Copies of a task (T9)",
        description="Largest number of machines that run a task at once, if Task replication (T9) is “Copies at "
        "once”. More copies guard "
        "against lost and slow runs and use leftover capacity.",
    )
    t9_factor: float = Field(
        2.0,
        ge=1,
        le=1_000,
        title="Straggler factor (T9)",
        description="Multiple of the mean duration of its stage in the job's graph after which a running task gets a "
        "copy, if Task replication (T9) is “Copies of stragglers”. Smaller factors make more copies.",
    )
    t10_wait_s: float = _seconds(
        60.0,
        "Wait before preemption (T10)",
        "Time that a task waits before it preempts another, if Task preemption (T10) is “The oldest”. Shorter "
        "times preempt more tasks.",
    )
    t10_times: int = Field(
        1,
        ge=1,
        le=1_000,
        title="Preemption limit (T10)",
        description="Number of times that a task may be preempted, so that tasks do not preempt each other "
        "forever. A "
        "larger limit starts urgent tasks sooner and loses work.",
    )
    t11_wait_s: float = _seconds(
        10.0,
        "First back-off (T11)",
        "First waiting time of a lost task, if Task recovery (T11) is “Retry with back-off”. Longer times delay "
        "the end of jobs that "
        "lost tasks.",
    )
    t11_retries: int = Field(
        1,
        ge=0,
        le=1_000,
        title="Retry limit (T11)",
        description="Number of times that a lost task is retried, if Task recovery (T11) is “Give up”. Fewer "
        "retries give up more "
        "jobs.",
    )
    t12_s: float = _seconds(
        0.0,
        "Migration time (T12)",
        "Delay of a migrated task. Longer delays make migration less useful.",
    )
    t12_live: bool = Field(
        False,
        title="Live migration (T12)",
        description="Let a migrated task keep its progress. If off, it continues from the last checkpoint of T6. Live "
        "migration loses no work.",
    )
    provider: str = Field(
        "",
        max_length=100,
        title="Provider's cluster (B)",
        description="Name of the cluster that belongs to the external provider. Its size limits the number of brokered "
        "tasks.",
    )
    b_latency_s: float = _seconds(
        1.0,
        "Broker latency (B)",
        "Delay of a brokered task. Longer delays make brokering shorten waits less.",
    )
    b_price: float = Field(
        0.1,
        ge=0,
        le=1_000_000,
        title="Broker price (B)",
        description="Price of a second of a brokered task. It changes the costs and no wait.",
    )
    m4_load: float = Field(
        0.9,
        gt=0,
        le=1,
        title="Load threshold (M4)",
        description="Load below which a node stays a candidate, if Filter scheduler nodes (M4) is “By load”. "
        "Lower thresholds spread tasks more "
        "evenly, until no node is left and tasks wait.",
    )

    r4_s: float = Field(
        3_600.0,
        ge=0,
        le=86_400_000,
        title="Prediction horizon (R4)",
        json_schema_extra={"unit": "s"},
        description="Longest time until a machine has room for which the machine is reserved, if Filter by "
        "dynamic information (R4) is “Predicted”. "
        "Longer horizons start large tasks sooner and leave more capacity unused.",
    )
    r6_delay_s: float = _seconds(
        60.0,
        "Lease delay (R6)",
        "Time from a lease request until the machine is ready. Longer delays make tasks wait longer in bursts.",
    )
    r6_price: float = Field(
        0.0,
        ge=0,
        le=1_000_000,
        title="Lease price (R6)",
        description="Price of a second of a leased machine. It changes the costs and no wait.",
    )
    r7_machines: int = Field(
        1,
        ge=1,
        le=10_000_000,
        title="Minimum pool size (R7)",
        description="Number of machines, the first ones by number, that the pool has from the start and never returns. "
        "More machines absorb bursts sooner and cost more.",
    )
    r7_period_s: float = Field(
        3_600.0,
        gt=0,
        le=86_400_000,
        title="Schedule period (R7)",
        description="Length of a period, if Elastic decisions (R7) is “Scheduled”. In longer periods, tasks wait "
        "longer for the half with "
        "all machines.",
        json_schema_extra={"unit": "s"},
    )

    @field_validator(*(stage.lower() for stage in _DEFAULTS))
    @classmethod
    def _known(cls, value: str, info: Any) -> str:
        stage = info.field_name.upper()
        names = [NONE, *(policy.name for policy in policies_of(stage))]
        if value not in names:
            raise refuse(f"{stage} has no policy {value!r}", ", ".join(names))
        return value

    @model_validator(mode="after")
    def _complete(self) -> PipelineParams:
        missing = list(missing_inputs(self.pipeline()))
        if missing:
            first = missing[0]
            names = ", ".join(policy.name for policy in policies_of(first.giver))
            raise refuse("; ".join(map(str, missing)), f"`{first.giver.lower()}`: {names}", f"specify {first.giver}")
        if not self.timer_s and not self.on_arrival:
            raise refuse("nothing asks for an iteration when a job arrives", "on_arrival, or a timer_s above 0")
        if not self.timer_s and not self.on_end:
            raise refuse(
                "nothing asks for an iteration when a task has ended, so that others would wait for ever",
                "on_end, or a timer_s above 0",
            )
        return self

    def pipeline(self) -> dict[str, str]:
        """Return the policy of each stage that has a choice."""
        return {stage: getattr(self, stage.lower()) for stage in _DEFAULTS}
