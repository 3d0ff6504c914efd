"""Parameters of a pipeline: one for each stage that has a choice, and what policies need to know."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import Field, JsonValue, field_validator, model_validator

from scheduler_core.experiment.fields import refuse
from scheduler_core.refarch.policies import NONE, default_pipeline, missing_inputs, policies_of
from scheduler_core.refarch.stages import stage_by_id
from scheduler_core.world.spec import Params

_DEFAULTS = default_pipeline()


_MOVES = {
    "J2": "Letting in fewer jobs ends those sooner and lets others wait outside.",
    "J3": "The shortest first usually lowers the mean and lengthens the longest waits, shares even out queues.",
    "T1": "Jobs of many stages wait here most.",
    "T2": "Long chains first usually ends jobs later where J3 leaves all in one order, and moves little behind J3.",
    "J5": "It lengthens the wait of every job.",
    "J7": "It lets others in later where J2 counts jobs.",
    "T5": "Machines get less done, most where tasks are short.",
    "T6": "Losses are noticed at the next look; what was saved need not be done again.",
    "T8": "Machines get less done, most where tasks are short.",
    "T9": "Copies cut off stragglers and take up room.",
    "T10": "Stopping tasks lets others in sooner and loses work; in the mean jobs usually end later.",
    "T11": "Coming back sooner ends jobs sooner.",
    "T12": "Moves make room and take time.",
    "B": "Brokered tasks wait less and cost money.",
    "M1": "Brokering shortens waits at peaks and costs money.",
    "M2": "Many schedulers share the decisions, and each sees its own machines only.",
    "M4": "By load, what full nodes have left stays empty and tasks wait; by free cores nothing moves.",
    "M5": "The least loaded saves the most messages; waits hardly move, as full nodes pass tasks on.",
    "R2": "Clusters of their own keep queues apart and leave machines idle while others queue.",
    "R3": "Scarce constraints lengthen waits.",
    "R4": "Prediction keeps machines empty for large tasks.",
    "R5": "Packing leaves whole machines free for large tasks, spreading evens out load.",
    "R6": "Leases cost money and shorten waits in bursts.",
    "R7": "A larger pool costs more and shortens waits.",
}
"""What the choice at a stage usually moves."""


def _stage(identifier: str) -> Any:
    stage = stage_by_id(identifier)
    names: list[JsonValue] = [NONE, *(policy.name for policy in policies_of(identifier))]
    told = " ".join(f"`{policy.name}`: {policy.help}" for policy in policies_of(identifier))
    return Field(
        _DEFAULTS[identifier],
        title=f"{identifier} {stage.name}",
        description=f"{stage.meaning} {told} {_MOVES[identifier]}",
        json_schema_extra={"enum": names},
    )


def _seconds(default: float, title: str, told: str) -> Any:
    return Field(default, ge=0, le=86_400, title=title, description=told, json_schema_extra={"unit": "s"})


class PipelineParams(Params):
    """A pipeline: a policy for each stage; `none` leaves a stage unspecified, and what comes in goes on as it is."""

    # What the arrays of a run, ends that are on their way, or sums so far were made with.
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
        description="Whether a job's arrival asks for an iteration of the pipeline. Off, jobs wait for the next end or "
        "multiple of the timer.",
    )
    on_end: bool = Field(
        True,
        title="Iterate on ends",
        description="Whether news of a task's end asks for an iteration. Off, freed room is used only at the next "
        "arrival or multiple of the timer.",
    )
    timer_s: float = Field(
        0.0,
        ge=0,
        le=86_400,
        title="Iterate every",
        description="Iterations at multiples of this time, where something has changed since the last one. 0: none. "
        "The shorter, the sooner changes are seen.",
        json_schema_extra={"unit": "s"},
    )
    charge: bool = Field(
        False,
        title="Charge the stages' time",
        description="Whether the modelled time of an iteration passes in the simulation: what it starts, starts later, "
        "and the next iteration waits for it. On, waits contain the scheduler's own time.",
    )
    cost_scale: float = Field(
        1.0,
        ge=0,
        le=1_000_000,
        title="Scale of stage times",
        description="How many times slower the scheduler's machine is than the one that costs are estimated for. Where "
        "stage times are charged, tasks wait the longer.",
    )
    speed: str = Field(
        "",
        max_length=100,
        title="Speed",
        examples=["ghz"],
        description="The named resource of machines that is their speed: a task's duration is that on the fastest, and "
        "longer on others in proportion. Empty: all are alike. With one, it matters for durations which machine is "
        "chosen.",
    )
    transfer_s: float = Field(
        0.0,
        ge=0,
        le=86_400,
        title="Transfer in HEFT's rank",
        description="What HEFT's rank counts for moving data from a task to a child of it. A larger value raises "
        "the rank of long chains.",
        json_schema_extra={"unit": "s"},
    )
    j2_jobs: int = Field(
        10,
        ge=1,
        le=10_000_000,
        title="Jobs per user (J2)",
        description="Where J2 is `user_cap`: how many jobs of a queue may be under way. Fewer let those end sooner and "
        "others wait outside.",
    )
    j2_tasks: int = Field(
        1_000,
        ge=1,
        le=100_000_000,
        title="Tasks let in (J2)",
        description="Where J2 is `flow_control`: jobs come in while those under way have fewer tasks left. Fewer let "
        "those end sooner and others wait outside.",
    )

    j5_job_s: float = _seconds(
        10.0,
        "Transfer of a job (J5)",
        "Where J5 is `transfer`: what moving its data takes. It lengthens the wait of every job.",
    )
    j5_task_s: float = _seconds(
        0.0,
        "Transfer of a task (J5)",
        "Where J5 is `transfer`: more for each of its tasks. It lengthens the waits of large jobs most.",
    )
    j7_s: float = _seconds(
        1.0,
        "Clean-up of a job (J7)",
        "Where J7 is `clean_up`: how long a job stays under way. The longer, the later J2 lets others in.",
    )
    t5_s: float = _seconds(
        1.0,
        "Start-up (T5)",
        "Where T5 is `start_up`: how long a task holds its machine before. The longer, the less machines get done.",
    )
    t6_s: float = _seconds(
        10.0,
        "Period (T6)",
        "Where T6 is `period`: how often running tasks are looked at. The shorter, the sooner losses are noticed.",
    )
    t8_s: float = _seconds(
        1.0,
        "Clean-up (T8)",
        "Where T8 is `clean_up`: how long a task holds its machine after. The longer, the less machines get done.",
    )
    t9_copies: int = Field(
        2,
        ge=2,
        le=4,
        title="Runs of a task (T9)",
        description="Where T9 is `copies`: on how many machines at most a task runs at once. More guard against "
        "lost and slow runs and take up room that is left.",
    )
    t9_factor: float = Field(
        2.0,
        ge=1,
        le=1_000,
        title="Straggler (T9)",
        description="Where T9 is `stragglers`: how many times as long as the mean of its stage a task runs before. The "
        "lower, the more tasks get copies.",
    )
    t10_wait_s: float = _seconds(
        60.0,
        "Patience (T10)",
        "Where T10 is `oldest`: how long a task waits before. The shorter, the more tasks are stopped.",
    )
    t10_times: int = Field(
        1,
        ge=1,
        le=1_000,
        title="Stops of one task (T10)",
        description="How often one task may be stopped, so that tasks do not stop one another for ever. More stops let "
        "urgent tasks in and lose work.",
    )
    t11_wait_s: float = _seconds(
        10.0,
        "First wait (T11)",
        "Where T11 is `back_off`: how long a lost task waits. The longer, the later jobs end that lost tasks.",
    )
    t11_retries: int = Field(
        1,
        ge=0,
        le=1_000,
        title="Retries (T11)",
        description="Where T11 is `give_up`: how often a lost task comes back. The fewer, the more jobs are given up.",
    )
    t12_s: float = _seconds(
        0.0,
        "Move (T12)",
        "How much later a task that T12 moves starts again. The longer, the less moves pay.",
    )
    t12_live: bool = Field(
        False,
        title="Live moves (T12)",
        description="Whether a task that T12 moves takes along what it has done. Without, it has what T6 saved last. "
        "With it, moves lose no work.",
    )
    provider: str = Field(
        "",
        max_length=100,
        title="Provider (B)",
        description="The cluster that B's provider owns, by name. Its size bounds how much can be brokered.",
    )
    b_latency_s: float = _seconds(
        1.0,
        "Latency (B)",
        "How much later a brokered task starts. The longer, the less brokering shortens waits.",
    )
    b_price: float = Field(
        0.1,
        ge=0,
        le=1_000_000,
        title="Price (B)",
        description="What a second of a brokered task costs. It changes the costs and no wait.",
    )
    m4_load: float = Field(
        0.9,
        gt=0,
        le=1,
        title="Load (M4)",
        description="Where M4 is `by_load`: nodes below this load are left. The lower, the more evenly work is spread, "
        "until none is left and tasks wait.",
    )

    r4_s: float = Field(
        3_600.0,
        ge=0,
        le=86_400_000,
        title="Horizon (R4)",
        json_schema_extra={"unit": "s"},
        description="Where R4 is `predicted`: how far off room may be for a machine to be kept. The farther, the "
        "sooner large tasks start and the more stays empty.",
    )
    r6_delay_s: float = _seconds(
        60.0,
        "Delay of a lease (R6)",
        "How long it takes until a leased machine is there. The longer, the longer tasks wait in bursts.",
    )
    r6_price: float = Field(
        0.0,
        ge=0,
        le=1_000_000,
        title="Price of a lease (R6)",
        description="What a second of a machine costs. It changes the costs and no wait.",
    )
    r7_machines: int = Field(
        1,
        ge=1,
        le=10_000_000,
        title="Least machines (R7)",
        description="How many machines, the first by number, are there from the beginning and never given back. More "
        "meet bursts sooner and cost more.",
    )
    r7_period_s: float = Field(
        3_600.0,
        gt=0,
        le=86_400_000,
        title="Period (R7)",
        description="Where R7 is `scheduled`: how long a period is. The longer, the longer tasks wait for the half "
        "with all machines.",
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
        """The policy of each stage that has a choice."""
        return {stage: getattr(self, stage.lower()) for stage in _DEFAULTS}
