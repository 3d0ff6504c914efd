"""Shapes of the API's answers about runs."""

from __future__ import annotations

from typing import Any

from ninja import Schema

from playground.web.schemas import json_body


class ErrorOut(Schema):
    code: str
    message: str


class CompiledOut(Schema):
    done: int
    known: int


class RunOut(Schema):
    id: str
    experiment_id: str
    seed: int
    state: str
    progress: float
    eta_s: float | None
    queue_position: int | None
    compiled: CompiledOut | None
    pausing: bool
    error: ErrorOut | None
    frames: int
    recording: str
    outcome_digest: str | None
    known: bool
    agrees: bool | None
    live_url: str
    socket_url: str


class GraphRowsOut(Schema):
    total: int
    first: int
    next: int | None
    columns: dict[str, list[Any]]


class DecisionOut(Schema):
    t_s: float
    reason: str
    task: int
    machine: int
    count: int
    x: int
    y: int


class DecisionsOut(Schema):
    total: int
    rows: list[DecisionOut]


class MomentProbeOut(Schema):
    machine: int
    from_ns: int
    until_ns: int
    task: int


class MomentOut(Schema):
    kind: str
    label: str
    t_ns: int
    task: int
    machines: list[int]
    sentence: str
    since_ns: int | None = None
    tag: str | None = None
    beside: int | None = None
    beside_tag: str | None = None
    latest_ns: int | None = None
    probes: list[MomentProbeOut] | None = None


class MomentsOut(Schema):
    moments: list[MomentOut]


class PairsOut(Schema):
    jobs: int
    pairs: int
    mean_factor: float | None
    median_factor: float | None
    faster: int
    slower: int
    job: list[int]
    mine_s: list[float]
    other_s: list[float]


class EventOut(Schema):
    t_s: float
    text: str
    task: int
    stops: bool


class SlowTaskOut(Schema):
    task: int
    start_s: float
    wait_s: float


class SlowestOut(Schema):
    percent: float
    wait_s: float | None
    total: int
    tasks: list[SlowTaskOut]


class PartOut(Schema):
    kind: str
    number: int
    name: str
    job: int | None
    sentence: str
    tasks: dict[str, int]
    delay_s: dict[str, float]
    wait_s: dict[str, float] | None
    lost_s: float
    events: list[EventOut]
    events_total: int
    thinned: bool


RUN_BODY = json_body(
    {
        "type": "object",
        "additionalProperties": False,
        "properties": {"seed": {"type": "integer", "minimum": 0}, "fresh": {"type": "boolean", "default": False}},
    },
    required=False,
)
