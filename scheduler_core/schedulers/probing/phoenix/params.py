"""The parameters of Phoenix."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from scheduler_core.schedulers.probing.eagle.params import EagleCParams

AXES = {"cpu": "CPU", "memory": "memory", "disk": "disks", "os": "system", "clock": "clock", "network": "network"}
"""The six kinds of resource that constraints are about, as constraints.catalogue has them."""


class PhoenixParams(EagleCParams):
    """Parameters of Phoenix."""

    first = ("short_cutoff_s", "long_partition_share", "load_threshold_percent")

    profile: Literal["paper", "public-simulator"] = Field(
        "paper",
        title="Profile",
        description="Whose rules are followed: the paper's, with ratios of demand and supply as they are, expected "
        "waits and negotiation, or those of its authors' public simulator. There ratios are fixed, only the load "
        "counts, only the first probes of short jobs heed constraints, and nothing is negotiated. A worker runs one "
        "task, hears at once whether a task is left for it, and knows at once of other workers; durations are whole "
        "seconds.",
    )
    load_threshold_percent: float = Field(
        80.0,
        ge=0,
        le=100,
        title="Load above which constraints decide",
        description="While more than this of the datacenter is in use (of the resource that is used most), all workers "
        "serve the scarcest constraint first. A lower one helps tasks with scarce constraints more often, at the cost "
        "of others.",
        json_schema_extra={"unit": "%"},
    )
    wait_threshold_s: float = Field(
        10.0,
        ge=0,
        le=1e9,
        title="Expected wait above which constraints decide",
        description="A worker serves the scarcest constraint first while what has come to it and how long it took let "
        "it expect a longer wait than this (Pollaczek and Khinchine's formula), whatever the load is. A lower one "
        "helps tasks with scarce constraints more often, at the cost of others.",
        json_schema_extra={"unit": "s"},
    )
    monitor_interval_s: float = Field(
        5.0,
        ge=0.001,
        le=1e6,
        title="Interval of the monitor",
        description="How often load, demand and supply are compared; workers know them as of the last time. Longer "
        "intervals let workers react later.",
        json_schema_extra={"unit": "s"},
    )
    wait_memory: int = Field(
        100,
        ge=1,
        le=1_000_000,
        title="Memory of waits",
        description="How many arrivals and services a worker's means go back over; older ones fade away. A longer "
        "memory gives more weight to what is long past.",
        json_schema_extra={"unit": "samples"},
    )
    negotiate: bool = Field(
        True,
        title="Negotiate when scarce",
        description="Whether jobs are admitted without their soft constraints where too few workers offer all. Off: "
        "only where none does. It usually shortens waits and leaves more soft constraints unmet.",
    )
    negotiate_ratio: float = Field(
        1.0,
        ge=0,
        le=1e6,
        title="Scarce enough to negotiate",
        description="Waiting tasks for each worker that offers a soft constraint, above which jobs do without it while "
        "the load is above its threshold. A higher ratio meets more soft constraints and lets their tasks wait longer.",
        json_schema_extra={"unit": "tasks per worker"},
    )
