"""The parameters of Phoenix."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from scheduler_core.experiment.options import options
from scheduler_core.schedulers.probing.eagle.params import EagleCParams

AXES = {"cpu": "CPU", "memory": "memory", "disk": "disks", "os": "system", "clock": "clock", "network": "network"}
"""The six kinds of resource that constraints are about, as constraints.catalogue has them."""


class PhoenixParams(EagleCParams):
    """Parameters of Phoenix."""

    first = ("short_cutoff_s", "long_partition_share", "load_threshold_percent")

    profile: Literal["paper", "public-simulator"] = Field(
        "paper",
        title="Profile",
        description="Rules that the scheduler follows.",
        json_schema_extra=options(
            {
                "paper": (
                    "The paper",
                    "The rules of the paper: measured ratios of demand and supply, expected waits and negotiation.",
                ),
                "public-simulator": (
                    "Authors' simulator",
                    "The public simulator of the paper's authors. Ratios are fixed, only the load counts, only the "
                    "first probes of short jobs respect constraints, and nothing is negotiated. A worker runs one "
                    "task, learns at once if a task is left for it, and knows the state of other workers at once. "
                    "Durations are whole seconds.",
                ),
            }
        ),
    )
    load_threshold_percent: float = Field(
        80.0,
        ge=0,
        le=100,
        title="Load threshold",
        description="Utilization (of the most used resource) above which all workers serve the scarcest constraint "
        "first. A lower threshold helps tasks with scarce constraints more often, at the cost of other tasks.",
        json_schema_extra={"unit": "%"},
    )
    wait_threshold_s: float = Field(
        10.0,
        ge=0,
        le=1e9,
        title="Wait threshold",
        description="Expected wait above which a worker serves the scarcest constraint first, at any load. The "
        "worker estimates the wait from its past arrivals and run times. A lower threshold helps tasks with scarce "
        "constraints more often, at the cost of other tasks.",
        json_schema_extra={"unit": "s"},
    )
    monitor_interval_s: float = Field(
        5.0,
        ge=0.001,
        le=1e6,
        title="Monitor interval",
        description="Time between two comparisons of load, demand and supply. Workers use the latest one, so longer "
        "intervals make them react later.",
        json_schema_extra={"unit": "s"},
    )
    wait_memory: int = Field(
        100,
        ge=1,
        le=1_000_000,
        title="Wait history",
        description="Number of arrivals and services over which a worker averages; older ones fade out. A longer "
        "history gives more weight to the distant past.",
        json_schema_extra={"unit": "samples"},
    )
    negotiate: bool = Field(
        True,
        title="Negotiate soft constraints",
        description="Admit jobs without their soft constraints when too few workers offer all of them. If off, only "
        "when no worker does. Negotiation usually shortens waits and leaves more soft constraints unmet.",
    )
    negotiate_ratio: float = Field(
        1.0,
        ge=0,
        le=1e6,
        title="Scarce enough to negotiate",
        description="Number of waiting tasks per worker that offers a soft constraint. Above this number, jobs do "
        "without the constraint while the load is above its threshold. A higher ratio meets more soft constraints and "
        "lets their tasks wait longer.",
        json_schema_extra={"unit": "tasks per worker"},
    )
