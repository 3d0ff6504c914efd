"""The parameters of Pigeon."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field, model_validator

from scheduler_core.schedulers.shared.probing import EstimateParams


class PigeonParams(EstimateParams):
    """Parameters of Pigeon."""

    first: ClassVar[tuple[str, ...]] = ("profile", "short_cutoff_s", "group_size", "reserved_per_group")

    profile: Literal["paper", "public-simulator", "constraint-aware"] = Field(
        "paper",
        title="Profile",
        description="Whose rules are followed: the paper's, or those of its authors' public simulator, corrected where "
        "one reserved worker served several groups. There a worker runs one task, whatever it asks for. With "
        "constraints that profile is an extrapolation; constraint-aware follows the program that Megha's authors "
        "compared theirs with, which reserves no workers and has a weight of 20 unless given.",
    )
    short_cutoff_s: float = Field(
        90.5811,
        ge=0,
        le=1e9,
        title="Longest short job",
        description="Jobs whose tasks are thought to take longer than this on average are long. The default suits the "
        "Yahoo trace. The higher, the more tasks go first, and the less that helps each.",
        json_schema_extra={"unit": "s"},
    )
    group_size: int = Field(
        100,
        ge=1,
        le=100_000,
        title="Workers in a group",
        description="How many workers a master has. Larger groups find idle workers more often, which usually "
        "shortens waits; what they cost their masters is not modelled. What is left over is shared among the groups.",
        json_schema_extra={"unit": "workers"},
    )
    reserved_per_group: int = Field(
        2,
        ge=0,
        le=100_000,
        title="Reserved workers",
        description="How many workers of each group run short tasks only; one of the group is always left for all. 2 "
        "suits the Yahoo trace, 17 the Google trace. More of them shorten the waits of short tasks and lengthen those "
        "of long ones.",
        json_schema_extra={"unit": "workers"},
    )
    weight: int = Field(
        100_000,
        ge=0,
        le=1_000_000_000,
        title="Weight of short tasks",
        description="How many waiting short tasks go before one waiting long task where both want a worker. The "
        "default is as good as strict priority. A lower weight lets long tasks in sooner.",
        json_schema_extra={"unit": "short tasks"},
    )

    @model_validator(mode="before")
    @classmethod
    def _defaults_of_the_profile(cls, data: Any) -> Any:
        if isinstance(data, dict) and data.get("profile") == "constraint-aware":
            return {"weight": 20, "reserved_per_group": 0} | data
        return data


def first_of_groups(machines: int, group_size: int) -> list[int]:
    """The first machine of each group, and the end of the last: as many as have enough workers, with runs of them."""
    masters = max(1, machines // group_size)
    return [machines * master // masters for master in range(masters + 1)]
