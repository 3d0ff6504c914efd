"""Shapes of the API's answers about experiments, and of what is sent to change them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ninja import Schema

from playground.runs.schemas import RunOut
from playground.web.schemas import json_body


class CreatedOut(Schema):
    id: str
    slug: str
    url: str
    share_url: str
    owner_token: str
    experiment_digest: str


class FormerValueOut(Schema):
    path: str
    label: str
    unit: str
    value: Any
    today: Any


class FormerRulesOut(Schema):
    """Values that an experiment keeps from the version that made it, each with today's."""

    version: str
    values: list[FormerValueOut]


class WrittenOutOut(Schema):
    experiment: dict[str, Any]
    former_rules: FormerRulesOut | None


class ExperimentOut(Schema):
    id: str
    slug: str
    name: str
    question: str
    experiment: dict[str, Any]
    experiment_digest: str
    core_version: str
    former_rules: FormerRulesOut | None
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


class StartedOut(RunOut):
    """A run that was started with its experiment."""

    owner_token: str
    slug: str
    share_url: str
    experiment_digest: str
    summary: dict[str, Any] | None


RUN_EXPERIMENT_BODY = json_body(
    {
        "type": "object",
        "additionalProperties": False,
        "required": ["experiment"],
        "properties": {
            "experiment": {"type": "object", "description": "its JSON Schema is at /api/v1/schema"},
            "seed": {"type": "integer", "minimum": 0, "description": "absent: the experiment's own"},
            "fresh": {
                "type": "boolean",
                "default": False,
                "description": "compute the run although its result is known",
            },
        },
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
