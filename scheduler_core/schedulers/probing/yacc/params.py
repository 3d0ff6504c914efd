"""The parameters of Yacc-D."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from scheduler_core.experiment.options import options
from scheduler_core.schedulers.shared.probing import EstimateError, EstimateParams, estimate_error

ORDERS = ("least_work", "least_tasks", "eldest_job", "first_come")


class YaccParams(EstimateParams):
    """Parameters of Yacc-D."""

    first = ("schedulers", "queue_bound", "heartbeat_s", "choices", "order", "starvation_cap")
    fixed = EstimateParams.fixed | {"schedulers"}

    estimate_error: EstimateError = estimate_error("Long and short jobs")
    schedulers: int = Field(
        4,
        ge=1,
        le=64,
        title="Schedulers",
        description="Number of schedulers, to which jobs go in turn. Each scheduler counts the tasks that it has sent "
        "since the last publication, and knows nothing of the others' tasks. With more schedulers, each knows less "
        "about the queues.",
        json_schema_extra={"unit": "schedulers"},
    )
    queue_bound: int = Field(
        4,
        ge=1,
        le=100_000,
        title="Queue limit",
        description="Largest number of tasks that wait at a worker. The queue should last from one heartbeat to the "
        "next: a smaller limit leaves workers idle and lengthens waits, a larger one changes hardly anything.",
        json_schema_extra={"unit": "tasks"},
    )
    heartbeat_s: float = Field(
        3.0,
        ge=0.01,
        le=3600,
        title="Heartbeat interval",
        description="Time between two publications. Workers publish their estimated work and queue lengths, and learn "
        "how much work their jobs have left. Schedulers send the tasks that they kept back. Longer intervals make all "
        "of this older.",
        json_schema_extra={"unit": "s"},
    )
    choices: int = Field(
        10,
        ge=1,
        le=1000,
        title="Workers compared",
        description="Number of workers drawn for each task; the task goes to the one with the shortest wait among "
        "those with room in their queues. 1 is random placement. More workers find shorter queues, but more tasks then "
        "choose the same workers.",
        json_schema_extra={"unit": "workers"},
    )
    order: Literal["least_work", "least_tasks", "eldest_job", "first_come"] = Field(
        "least_work",
        title="Queue order",
        description="Decides which waiting task a worker serves first. With the least remaining work first, most jobs "
        "usually end sooner.",
        json_schema_extra=options(
            {
                "least_work": (
                    "Least remaining work",
                    "The task whose job has the least work left: its estimate times its unfinished tasks.",
                ),
                "least_tasks": ("Fewest remaining tasks", "The task whose job has the fewest unfinished tasks."),
                "eldest_job": ("Oldest job", "The task whose job arrived first."),
                "first_come": ("First come, first served", "The task that joined the queue first."),
            }
        ),
    )
    starvation_cap: float = Field(
        5.0,
        ge=0,
        le=1_000,
        title="Cap on overtaking",
        description="Longest time for which other tasks may overtake a task, as a multiple of the task's estimated run "
        "time. With 0, only tasks with an estimate of 0 may overtake. A higher cap usually helps small jobs.",
        json_schema_extra={"unit": "times the estimate"},
    )
