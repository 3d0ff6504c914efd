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
        title="Publication interval",
        description="Time between two publications of the machines' expected waits. Until the next one, all jobs "
        "act on the same outdated figures.",
        json_schema_extra={"unit": "s"},
    )
    choices: int = Field(
        20,
        ge=1,
        le=MOST_CHOICES,
        title="Machines compared",
        description="Number of machines drawn for each task, whose published waits are compared. More machines "
        "find shorter waits, but more jobs then choose the same machines.",
        json_schema_extra={"unit": "machines"},
    )
    tokens: int = Field(
        20,
        ge=1,
        le=1_000_000,
        title="Tokens",
        description="Number of regular tasks that a job may have at a time. Each of them uses a token. The "
        "other tasks are opportunistic: they start only where no regular task waits, or become regular when a "
        "token returns. Fewer tokens make large jobs wait for idle machines.",
    )
    correction: bool = Field(
        True,
        title="Correct stale choices",
        description="Send a task to a second machine when its wait grows far beyond the expected one. The first "
        "of the two machines that starts the task keeps it. This shortens the longest waits and costs copies.",
    )
    correct_s: float = Field(
        10.0,
        ge=0,
        le=86_400,
        title="Correction threshold",
        description="Growth of the expected wait, since the task was sent, above which a copy is sent. Smaller values "
        "send more copies, and fewer tasks wait very long.",
        json_schema_extra={"unit": "s"},
    )
    suspected_percent: float = Field(
        0.0,
        ge=0,
        le=100,
        title="Suspected machines",
        description="Percentage of the machines, those with the highest numbers, that are expected to fail some "
        "tasks. This is synthetic: no task fails here, jobs only avoid such machines. Larger values give more "
        "tasks to the other machines.",
        json_schema_extra={"unit": "%"},
    )
    suspected_success: float = Field(
        0.5,
        ge=0,
        le=1,
        title="Success probability",
        description="Probability that a task succeeds on a suspected machine. On all other machines it is 1. "
        "Lower values make jobs avoid suspected machines more.",
    )
    penalty_s: float = Field(
        100.0,
        ge=0,
        le=1e6,
        title="Failure penalty",
        description="Time that a failed task is taken to cost, weighted by the probability of failure. A larger "
        "penalty makes jobs avoid suspected machines more.",
        json_schema_extra={"unit": "s"},
    )
