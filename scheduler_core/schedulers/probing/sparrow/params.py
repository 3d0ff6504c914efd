"""The parameters of Sparrow."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from scheduler_core.experiment.classes import YAHOO_S
from scheduler_core.experiment.formerly import formerly
from scheduler_core.experiment.options import options
from scheduler_core.world.spec import Params

QUEUE_SHOWN = 32
"""The longest queue that the map tells apart from longer ones."""


class SparrowParams(Params):
    """Parameters of Sparrow."""

    profile: Literal["paper", "public-simulator"] = Field(
        "paper",
        title="Profile",
        description="Rules that the scheduler follows.",
        json_schema_extra=options(
            {
                "paper": ("The paper", "The rules of the paper."),
                "public-simulator": (
                    "Eagle's simulator",
                    "The public simulator of Eagle's authors in its Sparrow mode. A worker runs one task, may get "
                    "several probes of one job, and learns at once if a task is left for it. Durations are whole "
                    "seconds. Sampling is by batch, with late binding, without cancellation.",
                ),
            }
        ),
    )
    probe_ratio: float = Field(
        2.0,
        ge=1,
        le=100,
        title="Probe ratio",
        description="Number of probes for each task of a job. More probes find shorter queues and cost more messages.",
        json_schema_extra={"unit": "probes per task"},
    )
    sampling: Literal["batch", "per_task"] = Field(
        "batch",
        title="Sampling",
        description="How tasks share probes. Shared probes usually shorten waits, most for jobs of many tasks.",
        json_schema_extra=options(
            {
                "batch": (
                    "Batch",
                    "Similar tasks of a job share their probes: any of them may run on any probed worker.",
                ),
                "per_task": ("Per task", "Each task has probes of its own, as many as the probe ratio rounded up."),
            }
        ),
    )
    late_binding: bool = Field(
        True,
        title="Late binding",
        description="Keep a probe in the worker's queue and fetch a task when the probe is served. If off, workers "
        "answer at once with their queue lengths, and tasks join the shortest queue, which may have grown. Late "
        "binding usually shortens the longest waits.",
    )
    cancellation: bool = Field(
        False,
        title="Cancel unused probes",
        description="Cancel a job's waiting probes when all its tasks are assigned. Free workers then ask fewer "
        "useless questions, which saves more messages than it costs; waits hardly change. Has no effect without late "
        "binding.",
    )


class SparrowCParams(SparrowParams):
    """Parameters of Sparrow-C."""

    profile: Literal["paper", "public-simulator"] = Field(
        "paper",
        title="Profile",
        description="Rules that the scheduler follows.",
        json_schema_extra=options(
            {
                "paper": ("The paper", "The rules of the paper."),
                "public-simulator": (
                    "Phoenix's simulator",
                    "The public simulator of Phoenix's authors in its Sparrow mode. A job gets at least 20 probes. A "
                    "worker may get several of one job, runs one task, and learns at once if a task is left for it. "
                    "Constraints of long jobs are ignored. Durations are whole seconds. Sampling is by batch, with "
                    "late binding, without cancellation.",
                ),
            }
        ),
    )
    short_cutoff_s: float = Field(
        YAHOO_S,
        ge=0,
        le=1e9,
        title="Cutoff for short jobs",
        description="A job is short if its mean task duration is at most this; other jobs are long. Results show "
        "both classes, and the public simulator ignores constraints of long jobs. If not set, it "
        "follows from the workload: the boundary of two classes, or the gap between two modes of job "
        "durations. Otherwise it is 90.5811 s, which suits the Yahoo trace.",
        json_schema_extra={**formerly("0.2.0", YAHOO_S), "unit": "s"},
    )
