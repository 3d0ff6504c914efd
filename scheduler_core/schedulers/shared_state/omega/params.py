"""The parameters of Omega."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

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
        description="How many schedulers share the cell. Each works on one job at a time, on a copy of its own. More "
        "of them decide more at once and conflict more often.",
    )
    split: Literal["type", "key"] = Field(
        "type",
        title="Split",
        description="Who schedules a job: by type, the last scheduler takes the service jobs and the others share the "
        "batch jobs by key; by key, all share all jobs. The key is the job's number. One scheduler takes everything. "
        "By type, slow service decisions do not hold up batch jobs.",
    )
    short_cutoff_s: float = Field(
        200.0,
        ge=0,
        le=10_000_000,
        title="Longest batch task",
        description="Jobs whose tasks take longer on average are service jobs, the others batch jobs. The lower, the "
        "more jobs get the decisions of service jobs, which usually take longer.",
        json_schema_extra={"unit": "s"},
    )
    job_s: float = _time(
        0.1,
        "Decision a batch job",
        "What a decision about a batch job takes, before its tasks. Longer decisions make "
        "jobs queue at their schedulers.",
    )
    task_s: float = _time(
        0.005,
        "Decision a batch task",
        "What a decision takes for each waiting task of a batch job. The longer, the "
        "more large jobs hold up those behind them.",
    )
    service_job_s: float = _time(
        0.1,
        "Decision a service job",
        "What a decision about a service job takes, before its tasks. "
        "Picky decisions take long, and the longer they take, the older is the copy that they are made on.",
    )
    service_task_s: float = _time(
        0.005,
        "Decision a service task",
        "What a decision takes for each waiting task of a service job. The longer, "
        "the older the copy, and the longer service jobs wait, above all large ones.",
    )
    conflicts: Literal["fine", "coarse"] = Field(
        "fine",
        title="Conflict detection",
        description="Fine: a claim is refused when what it asks for is not free. Coarse: when the machine's sequence "
        "number is another one than in the copy, because somebody else has claimed anything of it since. Coarse "
        "refuses more.",
    )
    commit: Literal["incremental", "all_or_nothing"] = Field(
        "incremental",
        title="Commit",
        description="Whether a commit with conflicts takes what it can and only the rest is tried again, or nothing is "
        "taken, so that a job starts whole or not at all. Under all or nothing jobs wait until there is room for all "
        "of their tasks, and usually much longer.",
    )
    placement: Literal["random", "first"] = Field(
        "random",
        title="Placement",
        description="Whether the search of the copy begins at a random machine for each task, or always at the first. "
        "The first machine that has room is taken, so with 'first' all schedulers want the same ones.",
    )

    fixed = Params.fixed | {"schedulers", "split", "short_cutoff_s"}
