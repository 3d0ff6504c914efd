"""The parameters of Apollo."""

from __future__ import annotations

from pydantic import Field

from scheduler_core.schedulers.shared.probing import EstimateParams

MOST_CHOICES = 64


OPPORTUNISTIC_SHOWN = 32


class ApolloParams(EstimateParams):
    """Parameters of Apollo."""

    publish_s: float = Field(
        3.0,
        ge=0.01,
        le=3600,
        title="Publication",
        description="How often servers publish their wait-time matrices. Until the next one all jobs act on the same "
        "old news.",
        json_schema_extra={"unit": "s"},
    )
    choices: int = Field(
        20,
        ge=1,
        le=MOST_CHOICES,
        title="Servers compared",
        description="How many servers are drawn for each task; the matrix is looked up for those. More find shorter "
        "waits, and more jobs then want the same servers.",
        json_schema_extra={"unit": "servers"},
    )
    tokens: int = Field(
        20,
        ge=1,
        le=1_000_000,
        title="Tokens",
        description="How many tasks of a job are regular at a time. The others are opportunistic: they start only on "
        "servers that have nothing else to do. A token that comes back makes one of them regular. Fewer tokens make "
        "large jobs wait for idle servers.",
    )
    correction: bool = Field(
        True,
        title="Correction",
        description="Whether a task that is going to wait much longer than was expected is sent to a second server. "
        "The first of the two to start it has it. It shortens the longest waits and costs copies.",
    )
    correct_s: float = Field(
        10.0,
        ge=0,
        le=86_400,
        title="Correct above",
        description="By how much the wait has to grow beyond what was expected when the task was sent. Smaller, more "
        "tasks are sent twice and fewer wait very long.",
        json_schema_extra={"unit": "s"},
    )
    suspected_percent: float = Field(
        0.0,
        ge=0,
        le=100,
        title="Suspected servers",
        description="Share of the servers, those with the highest numbers, that are thought to fail tasks now and then "
        "(synthetic: no task fails here, jobs only avoid such servers). The more, the more work the "
        "others get.",
        json_schema_extra={"unit": "%"},
    )
    suspected_success: float = Field(
        0.5,
        ge=0,
        le=1,
        title="Success there",
        description="P, the probability that a task succeeds on a suspected server. On all others it is 1. The lower, "
        "the more such servers are avoided.",
    )
    penalty_s: float = Field(
        100.0,
        ge=0,
        le=1e6,
        title="Penalty of a failure",
        description="K, what a failed task costs, in seconds of completion time E. A server costs P E + K (1 - P). The "
        "dearer, the more suspected servers are avoided.",
        json_schema_extra={"unit": "s"},
    )
