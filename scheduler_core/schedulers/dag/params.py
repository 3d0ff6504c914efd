"""Parameters of the schedulers for DAG jobs."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from scheduler_core.experiment.formerly import formerly
from scheduler_core.experiment.options import options
from scheduler_core.world.spec import Params


class DagParams(Params):
    """Parameters of every scheduler of jobs that are graphs."""

    interval_s: float = Field(
        0.0,
        ge=0,
        le=3600,
        title="Interval",
        description="Least time between two decisions, as in a manager that decides at heartbeats. With 0, the "
        "scheduler decides whenever a job arrives or a task ends. Longer intervals leave room unused until the "
        "next decision.",
        json_schema_extra={"unit": "s"},
    )


class WeightedParams(DagParams):
    """Parameters of schedulers that share by weight."""

    weights: Literal["equal", "queue_share"] = Field(
        "equal",
        title="Weights",
        description="Decides how much a job counts when resources are divided.",
        json_schema_extra=options(
            {
                "equal": ("Equal", "All jobs count the same."),
                "queue_share": (
                    "Queue's share",
                    "A job counts by the share of its queue. Jobs of queues with large shares get more.",
                ),
            }
        ),
    )


class DrfParams(WeightedParams):
    """Parameters of dominant resource fairness."""

    work_conserving: bool = Field(
        True,
        title="Use leftover capacity",
        description="Let a job exceed its share while others leave room. If off, shares are strict: of every "
        "resource, a job gets its weight divided by the weights of all unfinished jobs. Strict shares usually leave "
        "resources idle and lengthen waits.",
    )


class MaxMinParams(WeightedParams):
    """Parameters of max-min fairness over one resource."""

    resource: str = Field(
        "cpus",
        min_length=1,
        max_length=100,
        title="Shared resource",
        examples=["cpus", "memory_gb", "gpus"],
        description="The resource that is shared fairly; the other resources only have to fit. Jobs that use much of "
        "it are held back.",
    )


class WeightedDrfParams(DrfParams):
    """Parameters of weighted dominant resource fairness."""

    weights: Literal["equal", "queue_share"] = Field(
        "queue_share",
        title="Weights",
        description="Decides how much a job counts when resources are divided.",
        json_schema_extra=options(
            {
                "equal": ("Equal", "All jobs count the same."),
                "queue_share": (
                    "Queue's share",
                    "A job counts by the share of its queue. Jobs of queues with large shares get more.",
                ),
            }
        ),
    )


class TetrisParams(DagParams):
    """Parameters of Tetris."""

    epsilon: float = Field(
        1.0,
        ge=0,
        le=100,
        title="Epsilon",
        description="Weight of a job's remaining work relative to the task's alignment, after both are divided by "
        "their means. 0 only packs tightly; large values put short jobs first.",
    )
    fairness: float = Field(
        0.25,
        ge=0,
        le=1,
        title="Fairness",
        description="Fraction of the jobs, those with the largest dominant shares, that let a fitting task of another "
        "job go first. 0 ignores shares; 1 always serves the job with the smallest share.",
    )
    barrier: float = Field(
        0.9,
        ge=0,
        le=1,
        title="Barrier",
        description="Fraction of a stage's tasks that must end before its remaining tasks get priority, if other "
        "stages depend on it. 1 turns this off. Lower values give priority earlier; at 0 jobs usually end later.",
    )


class TetrisFairParams(TetrisParams):
    """Parameters of Tetris with strict fairness."""

    fairness: float = Field(
        1.0,
        ge=0,
        le=1,
        title="Fairness",
        description="Fraction of the jobs, those with the largest dominant shares, that let a fitting task of another "
        "job go first. 0 ignores shares; 1 always serves the job with the smallest share.",
    )


class DagpsParams(TetrisParams):
    """Parameters of DAGPS."""

    barrier: float = Field(
        1.0,
        ge=0,
        le=1,
        title="Barrier",
        description="Fraction of a stage's tasks that must end before its remaining tasks get priority, if other "
        "stages depend on it. 1 turns this off. Lower values give priority earlier; at 0 jobs usually end later.",
    )


class CarbyneParams(WeightedParams):
    """Parameters of Carbyne."""

    altruism: float = Field(
        1.0,
        ge=0,
        le=1,
        title="Altruism",
        description="Probability that a job gives up the resources that its plan does not need yet. At 0, Carbyne "
        "acts like DRF. The effect of higher probabilities on the mean completion time depends on the machines "
        "and on the placement.",
    )
    drawn: Literal["decision", "job"] = Field(
        "decision",
        title="Draw of altruism",
        description="Moment at which a job's altruism is drawn.",
        json_schema_extra={
            **formerly("0.2.0", "job"),
            **options(
                {
                    "decision": ("At every decision", "Each job draws again at every decision, as in the paper."),
                    "job": ("Once per job", "Each job draws once and stays altruistic or selfish."),
                }
            ),
        },
    )
    selfish: Literal["drf", "own_share"] = Field(
        "drf",
        title="Share of selfish jobs",
        description="What a job may use in a decision in which it is selfish (not altruistic).",
        json_schema_extra={
            **formerly("0.2.0", "own_share"),
            **options(
                {
                    "drf": ("DRF", "The amount that DRF would give the job if no job were altruistic."),
                    "own_share": ("Own share", "At most its share; it queues for the rest like the other jobs."),
                }
            ),
        },
    )
    fixed: ClassVar[frozenset[str]] = Params.fixed | {"packer", "unsized_data"}

    packer: Literal["tetris", "dagps"] = Field(
        "tetris",
        title="Plan's packer",
        description="Order in which a job's plan packs tasks into its share.",
        json_schema_extra=options(
            {
                "tetris": ("Tetris", "The best-aligned task first."),
                "dagps": ("DAGPS", "The order that DAGPS finds, troublesome tasks first."),
            }
        ),
    )
    inter_job: Literal["drf", "equal", "capacity"] = Field(
        "drf",
        title="Share of a job",
        description="Resources that belong to a job before any job gives up some. This decides which jobs have "
        "something to give up.",
        json_schema_extra=options(
            {
                "drf": ("DRF", "As dominant resource fairness would serve the present demand of all jobs."),
                "equal": ("Equal", "Equal parts by weight, whatever the demand."),
                "capacity": ("Queue's capacity", "A part of the queue's share."),
            }
        ),
    )
    planned_share: Literal["drf_vector", "every_resource"] = Field(
        "drf_vector",
        title="Share in plans",
        description="Resources that a plan may use when shares are DRF's.",
        json_schema_extra={
            **formerly("0.2.0", "every_resource"),
            **options(
                {
                    "drf_vector": (
                        "DRF's amounts",
                        "The amounts that DRF gives the job, in the proportions of its unfinished tasks. All shares "
                        "together fit the datacenter.",
                    ),
                    "every_resource": (
                        "Dominant share of each",
                        "The job's dominant share of every resource. Together, shares may exceed the datacenter, and "
                        "jobs usually end later.",
                    ),
                }
            ),
        },
    )
    placement: Literal["packing", "first_fit"] = Field(
        "packing",
        title="Placement",
        description="Rule that chooses a machine for a task that must start, or for a task that uses leftover.",
        json_schema_extra={
            **formerly("0.2.0", "first_fit"),
            **options(
                {
                    "packing": (
                        "Best alignment",
                        "The machine with the best alignment by Tetris' measure, which spreads tasks over machines.",
                    ),
                    "first_fit": (
                        "First fit",
                        "The first machine with room; on small machines this usually ends jobs sooner.",
                    ),
                }
            ),
        },
    )
    leftover: Literal["srtf", "packing"] = Field(
        "srtf",
        title="Leftover capacity",
        description="Job or task that receives leftover capacity. Packing shortens the longest delays.",
        json_schema_extra=options(
            {
                "srtf": ("Least remaining work", "The job with the least work left."),
                "packing": ("Best packing", "The task that packs best."),
            }
        ),
    )
    unsized_data: bool = Field(
        False,
        title="Data of first stages",
        description="Give each task of a stage without parents data on three machines, and start it on one of them or "
        "in one of their racks if there is room. If off, tasks have no data.",
    )
    rack_factor: float = Field(
        1.0,
        ge=1,
        le=100,
        title="Slowdown in the rack",
        description="Factor by which a task takes longer in the rack of its data than beside its data. Plans do not "
        "know it, so at larger factors jobs end later than planned.",
        json_schema_extra=formerly("0.2.0", 1.0),
    )
    remote_factor: float = Field(
        1.0,
        ge=1,
        le=100,
        title="Slowdown elsewhere",
        description="Factor by which a task takes longer far from its data than beside its data. Plans do not know "
        "it, so at larger factors jobs end later than planned.",
        json_schema_extra=formerly("0.2.0", 1.0),
    )


class ChoosyParams(WeightedParams):
    """Parameters of Choosy."""


class FairParams(WeightedParams):
    """Parameters of fair sharing."""

    resource: str = Field(
        "tasks",
        min_length=1,
        max_length=100,
        title="Shared quantity",
        examples=["tasks", "cpus", "memory_gb", "gpus"],
        description="The quantity that is shared fairly: “tasks” counts running tasks of any size; the name of a "
        "resource counts that resource. Jobs that use much of it are held back.",
    )
    wait_s: float = Field(
        0.0,
        ge=0,
        le=86_400,
        title="Wait for a machine",
        description="Longest time for which a job lets others go first while no machine with its data has room. Longer "
        "waits start more tasks beside their data, and later.",
        json_schema_extra={"unit": "s"},
    )
    rack_wait_s: float = Field(
        0.0,
        ge=0,
        le=86_400,
        title="Wait for a rack",
        description="Longest time for which a job then lets others go first while no machine in the racks of its data "
        "has room. Longer waits start more tasks in the racks of their data, and later.",
        json_schema_extra={"unit": "s"},
    )
    rack_factor: float = Field(
        1.0,
        ge=1,
        le=100,
        title="Slowdown in the rack",
        description="Factor by which a task takes longer in the rack of its data than beside its data. At larger "
        "factors, waiting for the machines with the data pays off more.",
    )
    remote_factor: float = Field(
        1.0,
        ge=1,
        le=100,
        title="Slowdown elsewhere",
        description="Factor by which a task takes longer far from its data than beside its data. At larger factors, "
        "waiting for the racks of the data pays off more.",
    )
    unsized_data: bool = Field(
        True,
        title="Data of first stages",
        description="Give each task of a stage without parents data on three machines. Waits for data and slowdowns "
        "act only with data. If off, tasks have no data.",
        json_schema_extra=formerly("0.2.0", True),
    )

    fixed = WeightedParams.fixed | {"unsized_data"}


class DelayParams(FairParams):
    """Parameters of delay scheduling."""

    wait_s: float = Field(
        5.0,
        ge=0,
        le=86_400,
        title="Wait for a machine",
        description="Longest time for which a job lets others go first while no machine with its data has room. Longer "
        "waits start more tasks beside their data, and later.",
        json_schema_extra={"unit": "s"},
    )
    rack_wait_s: float = Field(
        5.0,
        ge=0,
        le=86_400,
        title="Wait for a rack",
        description="Longest time for which a job then lets others go first while no machine in the racks of its data "
        "has room. Longer waits start more tasks in the racks of their data, and later.",
        json_schema_extra={"unit": "s"},
    )
    rack_factor: float = Field(
        1.1,
        ge=1,
        le=100,
        title="Slowdown in the rack",
        description="Factor by which a task takes longer in the rack of its data than beside its data. At larger "
        "factors, waiting for the machines with the data pays off more.",
    )
    remote_factor: float = Field(
        1.5,
        ge=1,
        le=100,
        title="Slowdown elsewhere",
        description="Factor by which a task takes longer far from its data than beside its data. At larger factors, "
        "waiting for the racks of the data pays off more.",
    )
