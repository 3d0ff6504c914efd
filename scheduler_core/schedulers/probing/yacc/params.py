"""The parameters of Yacc-D."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from scheduler_core.schedulers.shared.probing import EstimateParams

ORDERS = ("least_work", "least_tasks", "eldest_job", "first_come")


class YaccParams(EstimateParams):
    """Parameters of Yacc-D."""

    first = ("schedulers", "queue_bound", "heartbeat_s", "choices", "order", "starvation_cap")
    fixed = EstimateParams.fixed | {"schedulers"}

    schedulers: int = Field(
        4,
        ge=1,
        le=64,
        title="Schedulers",
        description="Jobs go round so many schedulers. Each of them counts what it has sent since workers published, "
        "and knows nothing of what the others have sent. The more, the less each knows "
        "of the queues.",
        json_schema_extra={"unit": "schedulers"},
    )
    queue_bound: int = Field(
        4,
        ge=1,
        le=100_000,
        title="Bound of a queue",
        description="Most tasks that wait at a worker. It should last from one heartbeat to the next: with less "
        "workers idle and waits lengthen, with more hardly anything moves.",
        json_schema_extra={"unit": "tasks"},
    )
    heartbeat_s: float = Field(
        3.0,
        ge=0.01,
        le=3600,
        title="Heartbeat",
        description="How often workers publish what they are thought to have to do and how many tasks wait there, "
        "workers hear how much their jobs have left, and schedulers send what they have kept back. Longer heartbeats "
        "make all of it older.",
        json_schema_extra={"unit": "s"},
    )
    choices: int = Field(
        10,
        ge=1,
        le=1000,
        title="Workers compared",
        description="For each task so many workers are drawn, and it goes to the one with the least wait of those "
        "whose queues have room. 1 is random placement. More find shorter queues, and more tasks then want the same "
        "workers.",
        json_schema_extra={"unit": "workers"},
    )
    order: Literal["least_work", "least_tasks", "eldest_job", "first_come"] = Field(
        "least_work",
        title="Order of a queue",
        description="Whom a worker serves first: the task whose job has the least work left (its estimate times the "
        "tasks that have not ended), the fewest tasks left, the one whose job came first, or the one that came first "
        "to the queue. By work left most jobs usually end sooner.",
    )
    starvation_cap: float = Field(
        5.0,
        ge=0,
        le=1_000,
        title="Bound on starvation",
        description="How long others may keep a task waiting by going past it, in its own estimated run times. 0 lets "
        "only tasks past that are thought to take no time. A higher cap usually helps small jobs.",
        json_schema_extra={"unit": "x its estimate"},
    )
