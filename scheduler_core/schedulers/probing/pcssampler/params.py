"""The parameters of PCSsampler."""

from __future__ import annotations

from pydantic import Field

from scheduler_core.world.spec import Params

KNOWN_SHOWN = 16


class PcsSamplerParams(Params):
    """Parameters of PCSsampler."""

    schedulers: int = Field(
        10,
        ge=1,
        le=32,
        title="Schedulers",
        description="How many schedulers there are, each with a private state of its own; jobs go to them in turn. The "
        "more there are, the less each is told, and the sooner that is outdated.",
        json_schema_extra={"unit": "schedulers"},
    )
    probes: int = Field(
        2,
        ge=1,
        le=64,
        title="Probes",
        description="How many workers are probed for a task that no room is known for. More probes find room sooner "
        "and cost more messages.",
        json_schema_extra={"unit": "probes per task"},
    )
    remember_s: float = Field(
        600.0,
        ge=0,
        le=86_400,
        title="Memory",
        description="For how long a scheduler believes what a worker told. With 0 it samples for nearly every task; "
        "the longer it is, the more tasks come to workers that have no room any more.",
        json_schema_extra={"unit": "s"},
    )
    ends_told: bool = Field(
        True,
        title="Ends are told",
        description="Whether a worker also tells the scheduler of a task that this has ended, and what is free then. "
        "It saves samples, and with them about as many messages as it costs, and usually shortens waits.",
    )
