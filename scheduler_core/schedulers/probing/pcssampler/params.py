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
        description="Number of schedulers. Each has a private state, and jobs go to them in turn. More schedulers each "
        "receive fewer reports, which become outdated sooner.",
        json_schema_extra={"unit": "schedulers"},
    )
    probes: int = Field(
        2,
        ge=1,
        le=64,
        title="Probes per task",
        description="Number of workers that a scheduler probes for a task when it knows no free worker. More probes "
        "find room sooner and cost more messages.",
        json_schema_extra={"unit": "probes per task"},
    )
    remember_s: float = Field(
        600.0,
        ge=0,
        le=86_400,
        title="Memory of reports",
        description="Time for which a scheduler trusts a worker's report. With 0 it samples for nearly every task. "
        "Longer times send more tasks to workers that are full by now.",
        json_schema_extra={"unit": "s"},
    )
    ends_told: bool = Field(
        True,
        title="Report ends of tasks",
        description="Let a worker report to a task's scheduler when the task ends and what is free then. This saves "
        "samples, and with them about as many messages as it costs. It usually shortens waits.",
    )
