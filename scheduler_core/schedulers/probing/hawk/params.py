"""The parameters of Hawk."""

from __future__ import annotations

from pydantic import Field

from scheduler_core.schedulers.shared.probing import (
    EstimateError,
    EstimateParams,
    Forgetting,
    HybridParams,
    estimate_error,
)


class HawkParams(EstimateParams, HybridParams):
    """Parameters of Hawk."""

    first = ("short_cutoff_s", "long_partition_share", "probe_ratio")

    estimate_error: EstimateError = estimate_error("Long jobs")
    min_probes: int = Field(
        2,
        ge=1,
        le=1_000,
        title="Minimum probes per job",
        description="Least number of probes for a short job, even if the probe ratio gives fewer. More probes help "
        "jobs of few tasks and cost messages.",
        json_schema_extra={"unit": "probes"},
    )
    steal_contacts: int = Field(
        10,
        ge=0,
        le=1_000,
        title="Steal attempts",
        description="Number of machines that an idle machine asks for probes of short tasks, one after the other, "
        "until one gives some. 0 turns stealing off. More attempts shorten waits behind long tasks and cost messages.",
        json_schema_extra={"unit": "machines"},
    )


class HawkCParams(Forgetting, HawkParams):
    """Parameters of Hawk-C."""

    min_probes: int = Field(
        20,
        ge=1,
        le=1_000,
        title="Minimum probes per job",
        description="Least number of probes for a short job, even if the probe ratio gives fewer. More probes help "
        "jobs of few tasks and cost messages.",
        json_schema_extra={"unit": "probes"},
    )
