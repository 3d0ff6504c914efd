"""The parameters of Eagle."""

from __future__ import annotations

from pydantic import Field

from scheduler_core.schedulers.shared.probing import (
    EstimateError,
    EstimateParams,
    Forgetting,
    HybridParams,
    estimate_error,
)


class EagleParams(EstimateParams, HybridParams):
    """Parameters of Eagle."""

    first = ("short_cutoff_s", "long_partition_share", "probe_ratio")

    estimate_error: EstimateError = estimate_error("Long jobs")
    min_probes: int = Field(
        20,
        ge=1,
        le=1_000,
        title="Minimum probes per job",
        description="Least number of probes for a short job, even if the probe ratio gives fewer. More probes help "
        "jobs of few tasks and cost messages.",
        json_schema_extra={"unit": "probes"},
    )
    rounds: int = Field(
        2,
        ge=1,
        le=20,
        title="Rounds of probing",
        description="Number of times that workers with long tasks may refuse a probe before it goes to a worker for "
        "short jobs only. More rounds spread short tasks over more workers, which usually shortens their waits; each "
        "round costs messages.",
        json_schema_extra={"unit": "rounds"},
    )
    sticky: bool = Field(
        True,
        title="Sticky probes",
        description="Let a probe stay at its worker and fetch the job's next task when its task ends. If off, each "
        "probe fetches one task. With sticky probes, started jobs usually end sooner.",
    )
    shortest_first: bool = Field(
        True,
        title="Shortest remaining work first",
        description="Let a worker serve the job with the least remaining work first. If off, workers serve first come, "
        "first served. This usually shortens most waits; large jobs wait longer if the cap on overtaking is high.",
    )
    bypass_cap: float = Field(
        5.0,
        ge=0,
        le=1_000,
        title="Cap on overtaking",
        description="Longest time for which other probes may overtake a probe, as a multiple of the probe's estimated "
        "run time. With 0, only tasks with an estimate of 0 may overtake. A higher cap helps small jobs; a very high "
        "cap makes large jobs wait longer.",
        json_schema_extra={"unit": "times the estimate"},
    )


class EagleCParams(Forgetting, EagleParams):
    """Parameters of Eagle-C."""

    rounds: int = Field(
        5,
        ge=1,
        le=20,
        title="Rounds of probing",
        description="Number of times that workers with long tasks may refuse a probe before it goes to a worker for "
        "short jobs only. More rounds spread short tasks over more workers, which usually shortens their waits; each "
        "round costs messages.",
        json_schema_extra={"unit": "rounds"},
    )
