"""Shapes of entries and boards over HTTP: the arena's own boards and those of classes have the same."""

from __future__ import annotations

from typing import Any

from ninja import Schema

from playground.web.schemas import json_body

_PART = {
    "type": "object",
    "description": "what differs from the baseline, within what the challenge lets change",
    "properties": {
        "scheduler": {"type": "object", "description": "its `name` and the `params` that are changed"},
        "values": {"type": "object", "description": "values outside the scheduler, by their paths"},
    },
}
ENTRY_BODY = json_body(
    {
        "type": "object",
        "required": ["author"],
        "properties": {
            "author": {"type": "string", "minLength": 1, "maxLength": 40},
            "note": {"type": "string", "maxLength": 200},
            "may_fork": {"type": "boolean", "default": True},
            "part": _PART,
            "experiment_id": {"type": "string", "description": "instead of a part: a stored experiment"},
        },
    },
    required=True,
)


class IntervalTold(Schema):
    value: float
    low: float | None
    high: float | None
    n: int
    coverage: float | None


class ComparisonTold(Schema):
    difference: IntervalTold
    ratio: IntervalTold | None
    verdict: str


class ChangeOut(Schema):
    path: str
    before: Any
    after: Any
    label: str
    before_words: str
    after_words: str


class LimitOut(Schema):
    says: str
    unit: str
    at_least: float | None
    at_most: float | None
    value: float | None
    holds: bool


class EntryOut(Schema):
    id: str
    role: str
    author: str
    note: str
    mine: bool
    may_fork: bool
    experiment_id: str
    scheduler: str
    changes: list[ChangeOut]
    created_at: str
    state: str
    runs: int
    done: int
    place: int | None
    out: str
    reason: str
    unfinished_runs: int
    estimate: IntervalTold | None
    limits: list[LimitOut]
    against_leader: ComparisonTold | None
    against_baseline: ComparisonTold | None


class EnteredOut(EntryOut):
    owner_token: str


class BoardOut(Schema):
    challenge: str
    state: str
    final: bool
    running: bool
    rows: list[EntryOut]
