"""The parameters of Mercury."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from scheduler_core.experiment.classes import YAHOO_S
from scheduler_core.experiment.formerly import formerly
from scheduler_core.experiment.options import options
from scheduler_core.schedulers.shared.probing import EstimateError, EstimateParams, estimate_error


class MercuryParams(EstimateParams):
    """Parameters of Mercury."""

    estimate_error: EstimateError = estimate_error("Long and short jobs")
    guaranteed: Literal["long", "drawn"] = Field(
        "long",
        title="Guaranteed tasks",
        description="Tasks that are guaranteed. They wait for the central scheduler; all other tasks are queueable and "
        "wait in worker queues.",
        json_schema_extra=options(
            {
                "long": ("Long jobs", "Tasks of jobs with a long estimate."),
                "drawn": ("Random jobs", "Tasks of a random but repeatable share of the jobs."),
            }
        ),
    )
    short_cutoff_s: float = Field(
        YAHOO_S,
        ge=0,
        le=1e9,
        title="Cutoff for short jobs",
        description="A job is short if its estimated mean task duration is at most this; other jobs are long. If "
        "not set, it follows from the workload: the boundary of two classes, or the gap between two "
        "modes of job durations. Otherwise it is 90.5811 s, which suits the Yahoo trace. If long jobs "
        "are guaranteed, a higher cutoff leaves fewer jobs to the central scheduler.",
        json_schema_extra={**formerly("0.2.0", YAHOO_S), "unit": "s"},
    )
    guaranteed_percent: float = Field(
        50.0,
        ge=0,
        le=100,
        title="Share of guaranteed jobs",
        description="Percentage of the jobs that are guaranteed, if they are drawn at random. With 100 the central "
        "scheduler places every task; with 0 every task waits at a worker. In between, guaranteed tasks preempt "
        "queueable ones, and work is lost.",
        json_schema_extra={"unit": "%"},
    )
    heartbeat_s: float = Field(
        3.0,
        ge=0.01,
        le=3600,
        title="Heartbeat interval",
        description="Time between two reports of a machine to the central scheduler. With the reports, machines "
        "receive guaranteed tasks and publish their estimated waits. Longer intervals place guaranteed tasks "
        "later "
        "and make estimates older. Reports do not count as messages, so longer intervals save none.",
        json_schema_extra={"unit": "s"},
    )
    choices: int = Field(
        10,
        ge=1,
        le=1000,
        title="Workers compared",
        description="Number of workers drawn for each queueable task; the task goes to the one with the shortest "
        "published wait. 1 is random placement. With very many, all schedulers choose the same worker until the next "
        "publication.",
        json_schema_extra={"unit": "workers"},
    )
    shedding: bool = Field(
        True,
        title="Load shedding",
        description="Let workers with much longer estimated waits than others give back the last queueable tasks of "
        "their queues. This evens out queues and costs messages.",
    )
    shed_s: float = Field(
        30.0,
        ge=0,
        le=86_400,
        title="Shedding threshold",
        description="Difference between a worker's published wait and the mean wait above which the worker gives tasks "
        "back. A smaller threshold evens out queues more and moves more tasks.",
        json_schema_extra={"unit": "s"},
    )
