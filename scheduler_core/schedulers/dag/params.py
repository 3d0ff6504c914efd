"""Parameters of the schedulers of jobs that are graphs."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from scheduler_core.experiment.formerly import formerly
from scheduler_core.world.spec import Params


class DagParams(Params):
    """Parameters of every scheduler of jobs that are graphs."""

    interval_s: float = Field(
        0.0,
        ge=0,
        le=3600,
        title="Interval",
        description="Least time between two decisions, as with a manager that decides at heartbeats. With 0 it decides "
        "at the end of every instant in which a job arrives or a task ends. Longer intervals leave room unused until "
        "the next decision.",
        json_schema_extra={"unit": "s"},
    )


class WeightedParams(DagParams):
    """Parameters of schedulers that share by weight."""

    weights: Literal["equal", "queue_share"] = Field(
        "equal",
        title="Weights",
        description="Whether all jobs weigh the same, or each as much as the share of its queue. By share, jobs of "
        "queues with large shares get more.",
    )


class DrfParams(WeightedParams):
    """Parameters of dominant resource fairness."""

    work_conserving: bool = Field(
        True,
        title="Give what others leave",
        description="Whether a job may get more than its share while others leave room. Without it shares are strict: "
        "each job's weight, divided by those of all jobs that are not done, of every resource. Strict shares usually "
        "leave resources idle and lengthen waits.",
    )


class MaxMinParams(WeightedParams):
    """Parameters of max-min fairness over one resource."""

    resource: str = Field(
        "cpus",
        min_length=1,
        max_length=100,
        title="Resource",
        examples=["cpus", "memory_gb", "gpus"],
        description="The resource that is shared fairly; the others only have to fit. Jobs that use much of it are "
        "held back.",
    )


class WeightedDrfParams(DrfParams):
    """Parameters of weighted dominant resource fairness."""

    weights: Literal["equal", "queue_share"] = Field(
        "queue_share",
        title="Weights",
        description="Whether all jobs weigh the same, or each as much as the share of its queue. By share, jobs of "
        "queues with large shares get more.",
    )


class TetrisParams(DagParams):
    """Parameters of Tetris."""

    epsilon: float = Field(
        1.0,
        ge=0,
        le=100,
        title="Epsilon",
        description="How much the work left of the job counts beside its alignment, both over their means. 0 packs "
        "tightly, much makes short jobs go first.",
    )
    fairness: float = Field(
        0.25,
        ge=0,
        le=1,
        title="Fairness",
        description="Part of the jobs, those with the largest dominant shares, that stand back while a task of the "
        "others fits. 0 does not look at shares, 1 takes from the job with the least.",
    )
    barrier: float = Field(
        0.9,
        ge=0,
        le=1,
        title="Barrier",
        description="From which part of its tasks ended a stage that others wait for goes before all else. 1 is never. "
        "Lower, stages that hold up others go first, earlier; at 0 jobs usually end later.",
    )


class TetrisFairParams(TetrisParams):
    """Parameters of Tetris with strict fairness."""

    fairness: float = Field(
        1.0,
        ge=0,
        le=1,
        title="Fairness",
        description="Part of the jobs, those with the largest dominant shares, that stand back while a task of the "
        "others fits. 0 does not look at shares, 1 takes from the job with the least.",
    )


class DagpsParams(TetrisParams):
    """Parameters of DAGPS."""

    barrier: float = Field(
        1.0,
        ge=0,
        le=1,
        title="Barrier",
        description="From which part of its tasks ended a stage that others wait for goes before all else. 1 is never. "
        "Lower, stages that hold up others go first, earlier; at 0 jobs usually end later.",
    )


class CarbyneParams(WeightedParams):
    """Parameters of Carbyne."""

    altruism: float = Field(
        1.0,
        ge=0,
        le=1,
        title="Altruism",
        description="Probability that a job gives up what its plan does not need yet. With 0 it is DRF. Whether a "
        "higher probability ends jobs sooner on average depends on the machines and on `placement`.",
    )
    drawn: Literal["decision", "job"] = Field(
        "decision",
        title="Altruism is drawn",
        description="When altruism is drawn. decision: each job draws anew at every decision, as in the paper. job: "
        "each job draws once, and is altruistic or selfish for good.",
        json_schema_extra=formerly("0.2.0", "job"),
    )
    selfish: Literal["drf", "own_share"] = Field(
        "drf",
        title="Selfish jobs get",
        description="What a job gets in a decision in which it is not altruistic. drf: what DRF would give it if no "
        "job were altruistic. own_share: at most its share; it queues for the rest like everybody else.",
        json_schema_extra=formerly("0.2.0", "own_share"),
    )
    fixed: ClassVar[frozenset[str]] = Params.fixed | {"packer"}

    packer: Literal["tetris", "dagps"] = Field(
        "tetris",
        title="Plans",
        description="How a job's plan packs it into its share: what is aligned best first, or in the order that DAGPS "
        "finds, troublesome tasks first.",
    )
    inter_job: Literal["drf", "equal", "capacity"] = Field(
        "drf",
        title="Shares",
        description="What is a job's own before any of them gives up: as dominant resource fairness would fill all "
        "jobs with what they want now; equal parts by weight, whatever they want; or parts of their queue's share. It "
        "decides who has something to give up.",
    )
    planned_share: Literal["drf_vector", "every_resource"] = Field(
        "drf_vector",
        title="Share in plans",
        description="What a plan may use when shares are DRF's. drf_vector: the amounts that DRF gives the job, in the "
        "proportions of its unfinished tasks; all shares together fit the cluster. every_resource: its dominant share "
        "of each resource; together the shares may exceed the cluster, and jobs usually end later.",
        json_schema_extra=formerly("0.2.0", "every_resource"),
    )
    placement: Literal["packing", "first_fit"] = Field(
        "packing",
        title="Placement",
        description="Which machine takes a task that must start or that gets leftover capacity. packing: the machine "
        "with which the task is aligned best, by Tetris' measure; this spreads tasks over machines. first_fit: the "
        "first machine with room; on small machines this usually ends jobs sooner.",
        json_schema_extra=formerly("0.2.0", "first_fit"),
    )
    leftover: Literal["srtf", "packing"] = Field(
        "srtf",
        title="Leftover",
        description="Whom what is left over goes to: the job with the least work left, or the task that packs best. "
        "Packing shortens the longest delays.",
    )


class ChoosyParams(WeightedParams):
    """Parameters of Choosy."""


class FairParams(WeightedParams):
    """Parameters of fair sharing."""

    resource: str = Field(
        "tasks",
        min_length=1,
        max_length=100,
        title="Shared",
        examples=["tasks", "cpus", "memory_gb", "gpus"],
        description="What is shared fairly: `tasks`, whatever each takes, or one resource by its name. Jobs are held "
        "back for what they use of it.",
    )
    wait_s: float = Field(
        0.0,
        ge=0,
        le=86_400,
        title="Wait for a machine",
        description="How long a job lets others go first while no machine that has data of its tasks has room. Longer "
        "waits start more tasks beside their data, and later.",
        json_schema_extra={"unit": "s"},
    )
    rack_wait_s: float = Field(
        0.0,
        ge=0,
        le=86_400,
        title="Wait for a rack",
        description="How long it then lets others go first while no machine in their racks has room. Longer waits "
        "start more tasks in the racks of their data, and later.",
        json_schema_extra={"unit": "s"},
    )
    rack_factor: float = Field(
        1.0,
        ge=1,
        le=100,
        title="Slower in the rack",
        description="How much longer a task takes in the rack of its data than beside them. The larger, the more "
        "waiting for the machines of the data pays.",
    )
    remote_factor: float = Field(
        1.0,
        ge=1,
        le=100,
        title="Slower elsewhere",
        description="How much longer a task takes far from its data than beside them. The larger, the more waiting for "
        "the racks of the data pays.",
    )


class DelayParams(FairParams):
    """Parameters of delay scheduling."""

    wait_s: float = Field(
        5.0,
        ge=0,
        le=86_400,
        title="Wait for a machine",
        description="How long a job lets others go first while no machine that has data of its tasks has room. Longer "
        "waits start more tasks beside their data, and later.",
        json_schema_extra={"unit": "s"},
    )
    rack_wait_s: float = Field(
        5.0,
        ge=0,
        le=86_400,
        title="Wait for a rack",
        description="How long it then lets others go first while no machine in their racks has room. Longer waits "
        "start more tasks in the racks of their data, and later.",
        json_schema_extra={"unit": "s"},
    )
    rack_factor: float = Field(
        1.1,
        ge=1,
        le=100,
        title="Slower in the rack",
        description="How much longer a task takes in the rack of its data than beside them. The larger, the more "
        "waiting for the machines of the data pays.",
    )
    remote_factor: float = Field(
        1.5,
        ge=1,
        le=100,
        title="Slower elsewhere",
        description="How much longer a task takes far from its data than beside them. The larger, the more waiting for "
        "the racks of the data pays.",
    )
