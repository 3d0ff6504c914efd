"""The parameters of Mercury."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from scheduler_core.schedulers.shared.probing import EstimateParams


class MercuryParams(EstimateParams):
    """Parameters of Mercury."""

    guaranteed: Literal["long", "drawn"] = Field(
        "long",
        title="Who is guaranteed",
        description="Long: the tasks of jobs that are thought to be long, the others are queueable. Drawn: those of a "
        "share of the jobs, drawn by key. Guaranteed tasks wait for the central scheduler, queueable ones in workers' "
        "queues.",
    )
    short_cutoff_s: float = Field(
        90.5811,
        ge=0,
        le=1e9,
        title="Longest short job",
        description="Jobs whose tasks are thought to take longer than this on average are long. Where long jobs are "
        "guaranteed, a higher cutoff leaves fewer to the central scheduler.",
        json_schema_extra={"unit": "s"},
    )
    guaranteed_percent: float = Field(
        50.0,
        ge=0,
        le=100,
        title="Guaranteed jobs",
        description="Share of the jobs that are guaranteed, where they are drawn. With 100 everything is placed "
        "centrally, with 0 everything waits at workers; in between guaranteed tasks stop queueable ones, and work is "
        "lost.",
        json_schema_extra={"unit": "%"},
    )
    heartbeat_s: float = Field(
        3.0,
        ge=0.01,
        le=3600,
        title="Heartbeat",
        description="How often a node reports to the central scheduler and is given guaranteed tasks, and how often "
        "the workers' estimated waits are published. Longer heartbeats place guaranteed tasks later and make estimates "
        "older; reports are not counted as messages, so none are saved.",
        json_schema_extra={"unit": "s"},
    )
    choices: int = Field(
        10,
        ge=1,
        le=1000,
        title="Workers compared",
        description="For each queueable task so many workers are drawn, and it goes to the one with the least "
        "published wait. 1 is random placement. With very many all schedulers want the same worker, until the next "
        "publication.",
        json_schema_extra={"unit": "workers"},
    )
    shedding: bool = Field(
        True,
        title="Load shedding",
        description="Whether workers that are thought to have much more to do than others give queueable tasks back, "
        "the last ones of their queues, to be sent elsewhere. It evens out queues and costs messages.",
    )
    shed_s: float = Field(
        30.0,
        ge=0,
        le=86_400,
        title="Shed above",
        description="By how much a worker's published wait has to be above the mean before it gives tasks back. A "
        "smaller one evens out queues more and sends more tasks about.",
        json_schema_extra={"unit": "s"},
    )
