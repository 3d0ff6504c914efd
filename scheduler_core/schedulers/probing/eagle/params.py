"""The parameters of Eagle."""

from __future__ import annotations

from pydantic import Field

from scheduler_core.schedulers.shared.probing import (
    EstimateParams,
    Forgetting,
    HybridParams,
)


class EagleParams(EstimateParams, HybridParams):
    """Parameters of Eagle."""

    first = ("short_cutoff_s", "long_partition_share", "probe_ratio")

    min_probes: int = Field(
        20,
        ge=1,
        le=1_000,
        title="Least probes",
        description="Probes sent for a short job even if the probe ratio makes fewer. More of them help jobs of few "
        "tasks and cost messages.",
        json_schema_extra={"unit": "probes"},
    )
    rounds: int = Field(
        2,
        ge=1,
        le=20,
        title="Rounds of probing",
        description="How often a probe may be refused by workers with long tasks before it goes to one for short jobs "
        "only. More rounds spread short tasks over more workers, which usually shortens their waits; each costs "
        "messages.",
        json_schema_extra={"unit": "rounds"},
    )
    sticky: bool = Field(
        True,
        title="Probes stay",
        description="Whether a probe that has fetched a task waits again when that has ended, and fetches the next one "
        "of its job. Off: each probe fetches one. On, jobs that have begun usually end sooner.",
    )
    shortest_first: bool = Field(
        True,
        title="Least remaining work first",
        description="Whether a worker serves the job with the least remaining work first. Off: first come, first "
        "served. It usually shortens most waits; those of large jobs lengthen where `bypass_cap` is high.",
    )
    bypass_cap: float = Field(
        5.0,
        ge=0,
        le=1_000,
        title="Cap on being overtaken",
        description="How long others may keep a probe waiting by going past it, in its own estimated run times. 0 lets "
        "only tasks past that are thought to take no time. A higher cap helps small jobs; a very high one "
        "lets large ones wait longer.",
        json_schema_extra={"unit": "x its estimate"},
    )


class EagleCParams(Forgetting, EagleParams):
    """Parameters of Eagle-C."""

    rounds: int = Field(
        5,
        ge=1,
        le=20,
        title="Rounds of probing",
        description="How often a probe may be refused by workers with long tasks before it goes to one for short jobs "
        "only. More rounds spread short tasks over more workers, which usually shortens their waits; each costs "
        "messages.",
        json_schema_extra={"unit": "rounds"},
    )
