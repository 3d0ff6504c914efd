"""Parameters of Slurm, with the names and units of slurm.conf where it has them."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from scheduler_core.experiment.formerly import formerly
from scheduler_core.experiment.options import options
from scheduler_core.schedulers.shared.probing import EstimateParams


def _weight(title: str, says: str) -> float:
    found: float = Field(0.0, ge=0, le=4_294_967_295, title=title, description=says)
    return found


class SlurmParams(EstimateParams):
    """Parameters of Slurm."""

    backfill: Literal["none", "easy", "conservative"] = Field(
        "conservative",
        title="Backfill",
        description="Jobs that keep their planned start when a job behind them starts early.",
        json_schema_extra=options(
            {
                "none": ("None", "No backfill (sched/builtin): no job starts before those ahead of it."),
                "easy": ("EASY", "The first job that does not fit has a reservation; no other job delays it."),
                "conservative": (
                    "Conservative",
                    "Each tested job has a reservation (sched/backfill); no job delays one ahead of it.",
                ),
            }
        ),
    )
    bf_interval: float = Field(
        30.0,
        ge=0,
        le=10_800,
        title="Backfill interval",
        description="Shortest time between two backfill passes. With 0, a pass follows every arrival and every end. "
        "Longer intervals let jobs that could be backfilled wait longer.",
        json_schema_extra={"unit": "s"},
    )
    bf_window: float = Field(
        1440.0,
        gt=0,
        le=43_200,
        title="Backfill window",
        description="How far ahead a backfill pass looks. A job that cannot start within it gets no reservation, so "
        "others may delay it.",
        json_schema_extra={"unit": "min"},
    )
    bf_resolution: float = Field(
        60.0,
        ge=0,
        le=3600,
        title="Backfill resolution",
        description="Resolution of reservations: they begin and end at its multiples. With 0, times are exact. Larger "
        "values leave more room unused around reservations.",
        json_schema_extra={"unit": "s"},
    )
    bf_max_job_test: int = Field(
        500,
        ge=1,
        le=1_000_000,
        title="Jobs tested by backfill",
        description="Number of waiting jobs that a backfill pass tests. With fewer, jobs far back in the queue cannot "
        "be backfilled.",
        json_schema_extra={"unit": "jobs"},
    )
    default_queue_depth: int | None = Field(
        100,
        ge=1,
        le=1_000_000,
        title="Jobs tried after an event",
        description="Number of waiting jobs that the pass after an arrival or an end tries; jobs of blocked partitions "
        "count. With fewer, jobs further back wait for the full pass. If not set, it tries all of them.",
        json_schema_extra={**formerly("0.2.0", None), "unit": "jobs"},
    )
    sched_interval: float = Field(
        60.0,
        ge=0.001,
        le=86_400,
        title="Interval of full passes",
        description="Time between two full passes, which try all waiting jobs. Longer intervals let jobs beyond the "
        "limit after an event wait longer.",
        json_schema_extra={"unit": "s"},
    )
    PriorityWeightAge: float = _weight(
        "Weight of age",
        "Weight of a job's wait, which counts up to the longest counted wait. Larger weights favor old jobs.",
    )
    PriorityWeightFairshare: float = _weight(
        "Weight of fair share",
        "Weight of fair share: accounts that have used less than their share go first. Queues are the accounts; "
        "imported jobs have their own, with equal shares.",
    )
    PriorityWeightJobSize: float = _weight(
        "Weight of job size",
        "Weight of a job's size, in machines and CPUs. Larger weights favor large jobs, or small ones if "
        "the scheduler favors small jobs.",
    )
    PriorityWeightPartition: float = _weight(
        "Weight of the queue's priority",
        "Weight of the priority of a job's queue, relative to the highest of all queues. Larger weights favor queues "
        "of high priority.",
    )
    PriorityWeightQOS: float = _weight(
        "Weight of the job's priority",
        "Weight of a job's own priority in the experiment, relative to the highest of all jobs. Larger weights favor "
        "jobs of high priority.",
    )
    PriorityMaxAge: float = Field(
        10_080.0,
        ge=0,
        le=10_000_000,
        title="Longest counted wait",
        description="Wait at which the age factor reaches 1. Longer times let waits count for longer and weigh short "
        "waits less.",
        json_schema_extra={"unit": "min"},
    )
    PriorityDecayHalfLife: float = Field(
        10_080.0,
        ge=0,
        le=10_000_000,
        title="Half-life of usage",
        description="Time after which past usage counts half. With 0, usage counts forever. Shorter times forgive "
        "heavy users sooner.",
        json_schema_extra={"unit": "min"},
    )
    PriorityCalcPeriod: float = Field(
        5.0,
        ge=0.001,
        le=10_000,
        title="Period of priorities",
        description="Time between two calculations of all priorities. With longer periods, waits and usage change the "
        "order later.",
        json_schema_extra={"unit": "min"},
    )
    PriorityFavorSmall: bool = Field(
        False,
        title="Favor small jobs",
        description="Let the weight of job size favor small jobs instead of large ones.",
    )
    fair_tree: bool = Field(
        True,
        title="Fair Tree",
        description="Rank accounts by their share over their usage. If off, the fair-share factor is 2 to the power of "
        "minus usage over share, the classic rule, which also counts how far apart accounts are.",
    )
    OverSubscribe: Literal["NO", "EXCLUSIVE"] = Field(
        "NO",
        title="Sharing of machines",
        description="Whether jobs share machines.",
        json_schema_extra=options(
            {
                "NO": ("No", "A job holds only the CPUs and memory that it asks for; other jobs may use the rest."),
                "EXCLUSIVE": ("Exclusive", "A job has its machines for itself."),
            }
        ),
    )
    start_together: bool = Field(
        True,
        title="Tasks start together",
        description="Start all tasks of a job at once, as one allocation. If off, each task is a job of its own, as in "
        "a job array. A job that the datacenter can never hold at once is an array, too.",
    )
    tasks_per_machine: int | None = Field(
        None,
        ge=1,
        le=1_000_000,
        title="Tasks of a job on a machine",
        description="Largest number of tasks of a job on one machine. If not set, it is 1 for jobs imported from "
        "Slurm, whose tasks are their nodes, and has no limit for others. Fewer tasks spread jobs over more machines.",
        json_schema_extra={"unit": "tasks"},
    )
    time_limit_factor: float = Field(
        1.0,
        ge=0.01,
        le=1000,
        title="Time limit over run time",
        description="A job's time limit, as a multiple of its longest task. Imported limits stay as they are. No "
        "job is stopped at its limit.",
    )
    estimate_error: Literal["none", "uniform", "lognormal"] = Field(
        "none",
        title="Error of time limits",
        description="Random factor on time limits that are not imported. Backfill trusts the limits, so errors mislead "
        "it.",
        json_schema_extra=options(
            {
                "none": ("None", "The limit is the longest task of the job, times the factor above."),
                "uniform": ("Uniform", "The limit, multiplied by a random factor for each job (uniform around 1)."),
                "lognormal": (
                    "Log-normal",
                    "The limit, multiplied by a random factor for each job (log-normal with median 1).",
                ),
            }
        ),
    )

    fixed: ClassVar[frozenset[str]] = EstimateParams.fixed | {
        "OverSubscribe", "start_together", "tasks_per_machine", "time_limit_factor", "estimate_error",
        "estimate_error_percent", "estimate_error_sigma",
    }  # fmt: skip
    first: ClassVar[tuple[str, ...]] = ("backfill", "bf_interval", "OverSubscribe", "start_together")
