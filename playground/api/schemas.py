"""Shapes of answers, and what bodies look like, for the API's own documentation."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ninja import Schema


class ProblemItemOut(Schema):
    path: str
    message: str
    allowed: str
    remedy: str


class Problem(Schema):
    type: str
    title: str
    status: int
    problems: list[ProblemItemOut]


class ErrorOut(Schema):
    code: str
    message: str


class RunOut(Schema):
    id: str
    experiment_id: str
    seed: int
    state: str
    progress: float
    eta_s: float | None
    queue_position: int | None
    pausing: bool
    error: ErrorOut | None
    frames: int
    recording: str
    outcome_digest: str | None
    live_url: str
    socket_url: str


class GraphRowsOut(Schema):
    total: int
    first: int
    next: int | None
    columns: dict[str, list[Any]]


class LookOut(Schema):
    state: str
    progress: float
    problems: list[ProblemItemOut]
    answer: dict[str, Any] | None


class RaceOut(Schema):
    id: str
    run_id: str
    state: str
    progress: float
    problems: list[ProblemItemOut]
    rounds: int
    every: int
    over: str
    unit: str
    first: int
    rows: list[dict[str, Any]]
    owner_token: str | None = None


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


class PreviewOut(Schema):
    preview: int
    socket_url: str


class CreatedOut(Schema):
    id: str
    slug: str
    url: str
    share_url: str
    owner_token: str
    experiment_digest: str


class ExperimentOut(Schema):
    id: str
    slug: str
    name: str
    question: str
    experiment: dict[str, Any]
    experiment_digest: str
    url: str
    share_url: str
    mine: bool
    runs: list[RunOut]


class TreeNodeOut(Schema):
    id: str
    slug: str
    name: str
    question: str
    scheduler: str
    created_at: datetime
    parent: str | None
    steps: int
    at_s: float | None
    changes: list[str]
    more_changes: int
    mine: bool
    here: bool
    share_url: str


class TreeOut(Schema):
    nodes: list[TreeNodeOut]
    hidden: int
    cut: bool


def json_body(schema: dict[str, Any], *, required: bool) -> dict[str, Any]:
    return {"requestBody": {"required": required, "content": {"application/json": {"schema": schema}}}}


EXPERIMENT_BODY = json_body(
    {
        "type": "object",
        "description": "An experiment; its JSON Schema is at /api/v1/schema",
        "required": ["schema_version", "topology", "workload", "scheduler"],
    },
    required=True,
)
FORK_BODY = json_body(
    {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "at_s": {"type": "number", "minimum": 0},
            "events": {"type": "array", "items": {"type": "object"}},
            "scheduler": {"type": "object"},
            "name": {"type": "string"},
            "question": {"type": "string"},
            "seed": {"type": "integer", "minimum": 0},
        },
    },
    required=False,
)
RUN_BODY = json_body(
    {"type": "object", "additionalProperties": False, "properties": {"seed": {"type": "integer", "minimum": 0}}},
    required=False,
)
