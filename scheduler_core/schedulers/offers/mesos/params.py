"""The parameters of Mesos."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from scheduler_core.world.spec import Params


class MesosParams(Params):
    """Parameters of Mesos."""

    interval_s: float = Field(
        1.0,
        ge=0,
        le=3600,
        title="Interval",
        description="Least time between two rounds of allocation. With 0 there is one at the end of every instant in "
        "which something is freed or a job arrives. The longer, the longer machines stay free (the product's default).",
        json_schema_extra={"unit": "s"},
    )
    refuse_s: float = Field(
        5.0,
        ge=0.1,
        le=1_000_000,
        title="Filter",
        description="For how long a framework is not offered a machine again of which it has left something, unless "
        "something ends there or a job of its arrives (the product's default). Where tasks end often, that takes most "
        "filters back, and the time hardly matters.",
        json_schema_extra={"unit": "s"},
    )
    decision_s: float = Field(
        0.0,
        ge=0,
        le=3600,
        title="Framework's decision",
        description="How long a framework thinks about the machines that it is offered. Nobody else is offered them "
        "meanwhile, so the longer, the longer the tasks of all frameworks wait.",
        json_schema_extra={"unit": "s"},
    )
    hierarchy: Literal["hdrf", "naive", "flat"] = Field(
        "hdrf",
        title="Hierarchy",
        description="How queues with a parent share. hdrf: hierarchical DRF, in which no queue is starved by what a "
        "sibling uses of another resource. naive: a group's use is the sum of what is below it, at every level. flat: "
        "parents are ignored. Without parents all three are the same.",
    )
