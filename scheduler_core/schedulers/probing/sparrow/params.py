"""The parameters of Sparrow."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from scheduler_core.world.spec import Params

QUEUE_SHOWN = 32
"""The longest queue that the map tells apart from longer ones."""


class SparrowParams(Params):
    """Parameters of Sparrow."""

    profile: Literal["paper", "public-simulator"] = Field(
        "paper",
        title="Profile",
        description="Whose rules are followed: the paper's, or those of the public simulator of Eagle's authors in its "
        "Sparrow mode. There a worker runs one task, may get several probes of one job, and hears at once whether a "
        "task is left for it; durations are whole seconds; sampling is by batch, with late binding, "
        "without cancellation.",
    )
    probe_ratio: float = Field(
        2.0,
        ge=1,
        le=100,
        title="Probe ratio",
        description="Probes sent for each task of a job. More probes find shorter queues and cost more messages.",
        json_schema_extra={"unit": "probes per task"},
    )
    sampling: Literal["batch", "per_task"] = Field(
        "batch",
        title="Sampling",
        description="Whether the tasks of a job that are alike share their probes, so that any of them may go to any "
        "worker probed, or each task has probes of its own (as many as the probe ratio, rounded up). Shared probes "
        "usually shorten waits, most for jobs of many tasks.",
    )
    late_binding: bool = Field(
        True,
        title="Late binding",
        description="Whether a probe waits in the worker's queue and fetches a task when it is served. Without it "
        "workers answer at once with the lengths of their queues, and tasks join the shortest, which may have grown. "
        "Late binding usually shortens the longest waits.",
    )
    cancellation: bool = Field(
        False,
        title="Call probes back",
        description="Whether a scheduler whose tasks are all handed out calls back the probes that still wait. "
        "It spares free workers a question in vain, and more messages than it costs; waits hardly move. Means nothing "
        "without late binding.",
    )


class SparrowCParams(SparrowParams):
    """Parameters of Sparrow-C."""

    profile: Literal["paper", "public-simulator"] = Field(
        "paper",
        title="Profile",
        description="Whose rules are followed: the paper's, or those of the public simulator of Phoenix's authors in "
        "its Sparrow mode. There a job gets 20 probes at least, a worker may get several of one job, runs one task, "
        "and hears at once whether a task is left for it; constraints of long jobs are forgotten; durations are "
        "whole seconds; sampling is by batch, with late binding, without cancellation.",
    )
    short_cutoff_s: float = Field(
        90.5811,
        ge=0,
        le=1e9,
        title="Longest short job",
        description="Jobs whose tasks take longer than this on average are long: they are told apart in the results, "
        "and the public simulator forgets their constraints. The default suits the Yahoo trace.",
        json_schema_extra={"unit": "s"},
    )
