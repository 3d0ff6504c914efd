"""The parameters of Megha."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, model_validator

from scheduler_core.world.spec import (
    Params,
)

PROGRAM_HEARTBEATS_S = {"public-simulator": 30.0, "constraint-aware": 5.0}
"""The heartbeat interval under the profile of each public program."""
_CALIBRATED = "calibrated once against the paper's Figure 7, see docs/agreement.md"


class MeghaParams(Params):
    """Parameters of Megha."""

    profile: Literal["paper", "public-simulator", "constraint-aware"] = Field(
        "paper",
        title="Profile",
        description="Whose rules are followed: the paper's, or those of one of its authors' public programs. In both "
        "programs a machine holds one task, matches cost nothing, and durations are whole seconds. The first has a "
        "heartbeat of 30 s unless given and knows no constraints: with constraints it is an extrapolation. The second, "
        "constraint-aware, has a heartbeat of 5 s unless given.",
    )
    heartbeat_s: float = Field(
        10.0,
        gt=0,
        le=86_400,
        title="Heartbeat",
        description="How often each Local Master sends its state to every Global Master. "
        "Longer heartbeats save messages and make views staler: waits usually lengthen a little; with `fairness` fewer "
        "tasks are stopped, and waits may even shrink.",
        json_schema_extra={"unit": "s"},
    )
    match_us: float = Field(
        40.0,
        ge=0,
        le=1e6,
        title="Cost of a match",
        description="Time a Global Master spends on one match, before the machines it scans. "
        "Dearer matches make tasks of large jobs queue at their Global Master.",
        json_schema_extra={"unit": "µs", "evidence": _CALIBRATED},
    )
    scan_ns: float = Field(
        5.0,
        ge=0,
        le=1e6,
        title="Cost of scanning a machine",
        description="Time a Global Master spends on each machine that a search passes over. Dearer scans slow down "
        "searches when few machines are free.",
        json_schema_extra={"unit": "ns", "evidence": _CALIBRATED},
    )
    fairness: bool = Field(
        True,
        title="Preempt for fairness",
        description="Whether a queue below its share may take machines from queues above theirs when none is free. "
        "Tasks that are stopped lose their work and wait again.",
    )
    request_us: float = Field(
        50.0,
        ge=0,
        le=1e6,
        title="Cost of a message to a Local Master",
        description="Time a Local Master spends on a request or on the end of a task, before the state it sends back. "
        "Dearer requests make a Local Master with many of them answer late.",
        json_schema_extra={"unit": "µs", "evidence": _CALIBRATED},
    )
    send_ns: float = Field(
        4000.0,
        ge=0,
        le=1e6,
        title="Cost of sending a machine's state",
        description="Time a Local Master spends on each machine of its cluster in every message that it sends. "
        "It makes large clusters slow to answer.",
        json_schema_extra={"unit": "ns", "evidence": _CALIBRATED},
    )
    update_us: float = Field(
        5.0,
        ge=0,
        le=1e6,
        title="Cost of a message to a Global Master",
        description="Time a Global Master spends on each message of a Local Master, before the state in it. With many "
        "clusters or short heartbeats it holds up matches.",
        json_schema_extra={"unit": "µs", "evidence": _CALIBRATED},
    )
    apply_ns: float = Field(
        10.0,
        ge=0,
        le=1e6,
        title="Cost of reading a machine's state",
        description="Time a Global Master spends on each machine in every state that it receives. With many machines "
        "or short heartbeats it holds up matches.",
        json_schema_extra={"unit": "ns", "evidence": _CALIBRATED},
    )
    standby_s: float = Field(
        5.0,
        ge=0,
        le=86_400,
        title="Standby takes over after",
        description="How long after the failure of a Local Master its standby takes over; until then its cluster "
        "answers nobody.",
        json_schema_extra={"unit": "s", "evidence": "assumed; the paper gives no time"},
    )

    fewest_properties: bool | None = Field(
        None,
        title="Take the machine with the fewest properties",
        description="Take the suitable machine with the fewest properties instead of a random one. "
        "Only the profile constraint-aware has this choice.",
    )

    @model_validator(mode="before")
    @classmethod
    def _heartbeat_of_the_profile(cls, data: Any) -> Any:
        heartbeat_s = PROGRAM_HEARTBEATS_S.get(data.get("profile", "")) if isinstance(data, dict) else None
        return data if heartbeat_s is None else {"heartbeat_s": heartbeat_s} | data
