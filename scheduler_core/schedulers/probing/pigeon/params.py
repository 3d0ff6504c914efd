"""The parameters of Pigeon."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field, model_validator

from scheduler_core.experiment.classes import YAHOO_S
from scheduler_core.experiment.formerly import formerly
from scheduler_core.experiment.options import options
from scheduler_core.schedulers.shared.probing import EstimateParams


class PigeonParams(EstimateParams):
    """Parameters of Pigeon."""

    first: ClassVar[tuple[str, ...]] = ("profile", "short_cutoff_s", "group_size", "reserved_per_group")

    profile: Literal["paper", "public-simulator", "constraint-aware"] = Field(
        "paper",
        title="Profile",
        description="Rules that the scheduler follows.",
        json_schema_extra=options(
            {
                "paper": ("The paper", "The rules of the paper."),
                "public-simulator": (
                    "Authors' simulator",
                    "The public simulator of the paper's authors, corrected where one reserved worker served several "
                    "groups. A worker runs one task, whatever the task demands. A run with constraints is an "
                    "extrapolation.",
                ),
                "constraint-aware": (
                    "Constraint-aware program",
                    "The program that Megha's authors compared theirs with. It reserves no workers, and its weight is "
                    "20 unless given.",
                ),
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
        "modes of job durations. Otherwise it is 90.5811 s, which suits the Yahoo trace. A higher "
        "cutoff gives priority to more tasks and helps each of them less.",
        json_schema_extra={**formerly("0.2.0", YAHOO_S), "unit": "s"},
    )
    group_size: int = Field(
        100,
        ge=1,
        le=100_000,
        title="Group size",
        description="Number of workers of a master. Larger groups find idle workers more often, which usually shortens "
        "waits; the extra cost for their masters is not modeled. Workers left over by the division are spread over "
        "the groups.",
        json_schema_extra={"unit": "workers"},
    )
    reserved_per_group: int = Field(
        2,
        ge=0,
        le=100_000,
        title="Reserved workers per group",
        description="Number of workers of each group that run short tasks only. At least one worker of a group serves "
        "all tasks. 2 suits the Yahoo trace, 17 the Google trace. More reserved workers shorten the waits of short "
        "tasks and lengthen those of long tasks.",
        json_schema_extra={"unit": "workers", "suits": "Yahoo trace"},
    )
    weight: int = Field(
        100_000,
        ge=0,
        le=1_000_000_000,
        title="Weight of short tasks",
        description="Number of waiting short tasks that are served before one waiting long task. The default is "
        "practically strict priority. A lower weight lets long tasks start sooner.",
        json_schema_extra={"unit": "short tasks"},
    )

    @model_validator(mode="before")
    @classmethod
    def _defaults_of_the_profile(cls, data: Any) -> Any:
        if isinstance(data, dict) and data.get("profile") == "constraint-aware":
            return {"weight": 20, "reserved_per_group": 0} | data
        return data


def first_of_groups(machines: int, group_size: int) -> list[int]:
    """Return the first machine of each group and the end of the last one; groups have enough workers in runs."""
    masters = max(1, machines // group_size)
    return [machines * master // masters for master in range(masters + 1)]
