"""The parameters of Omega."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from scheduler_core.experiment.options import options
from scheduler_core.world.spec import Params

CONFLICTS_SHOWN = 16
"""As many conflicts on a machine as the map tells apart."""


MOST_SCHEDULERS = 32


def _time(default: float, title: str, description: str) -> Any:
    return Field(default, ge=0, le=3600, title=title, description=description, json_schema_extra={"unit": "s"})


class OmegaParams(Params):
    """Parameters of Omega."""

    schedulers: int = Field(
        2,
        ge=1,
        le=MOST_SCHEDULERS,
        title="Schedulers",
        description="Number of schedulers that share the datacenter. Each works on one job at a time, on a copy "
        "of the datacenter's state. More schedulers make more decisions at once and conflict more often.",
    )
    split: Literal["type", "key"] = Field(
        "type",
        title="Division of jobs",
        description="Scheduler that a job goes to. A single scheduler gets every job.",
        json_schema_extra=options(
            {
                "type": (
                    "By type",
                    "The last scheduler gets the service jobs; the others share the batch jobs by job number. Slow "
                    "service decisions then do not delay batch jobs.",
                ),
                "key": ("By number", "All schedulers share all jobs, by job number."),
            }
        ),
    )
    short_cutoff_s: float = Field(
        200.0,
        ge=0,
        le=10_000_000,
        title="Cutoff for batch jobs",
        description="Largest mean task duration of a batch job; other jobs are service jobs. A lower cutoff gives more "
        "jobs the decision times of service jobs, which are usually longer.",
        json_schema_extra={"unit": "s"},
    )
    job_s: float = _time(
        0.1,
        "Decision time per batch job",
        "Time of a decision about a batch job, without its tasks. Longer decisions make jobs queue at their "
        "schedulers.",
    )
    task_s: float = _time(
        0.005,
        "Decision time per batch task",
        "Time that a decision takes for each waiting task of a batch job. Longer times make large jobs delay the "
        "jobs behind them.",
    )
    service_job_s: float = _time(
        0.1,
        "Decision time per service job",
        "Time of a decision about a service job, without its tasks. Longer decisions use an older copy of the state.",
    )
    service_task_s: float = _time(
        0.005,
        "Decision time per service task",
        "Time that a decision takes for each waiting task of a service job. Longer times make the copy older and the "
        "waits of service jobs longer, most for large jobs.",
    )
    conflicts: Literal["fine", "coarse"] = Field(
        "fine",
        title="Conflict detection",
        description="Decides when a claim counts as a conflict. Coarse detection refuses more claims.",
        json_schema_extra=options(
            {
                "fine": ("Fine", "The machine no longer has the claimed resources free."),
                "coarse": (
                    "Coarse",
                    "The machine's sequence number has changed since the copy, because another scheduler claimed any "
                    "part of it.",
                ),
            }
        ),
    )
    commit: Literal["incremental", "all_or_nothing"] = Field(
        "incremental",
        title="Commit",
        description="Decides what becomes of a commit with conflicts.",
        json_schema_extra=options(
            {
                "incremental": ("Incremental", "Claims without conflict succeed; only the others are tried again."),
                "all_or_nothing": (
                    "All or nothing",
                    "Nothing is claimed, so a job starts as a whole. Jobs wait until all their tasks fit, and usually "
                    "much longer.",
                ),
            }
        ),
    )
    placement: Literal["random", "first"] = Field(
        "random",
        title="Placement",
        description="Decides where a search of the copy starts. The search takes the first machine with room.",
        json_schema_extra=options(
            {
                "random": ("Random", "A random machine for each task."),
                "first": ("First", "Always the first machine, so all schedulers choose the same ones."),
            }
        ),
    )

    fixed = Params.fixed | {"schedulers", "split", "short_cutoff_s"}
