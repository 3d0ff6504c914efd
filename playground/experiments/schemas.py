"""HTTP schemas of experiments and of requests that change them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from playground.runs.schemas import RunOut
from playground.web.schemas import (
    Digest,
    ExperimentData,
    ExperimentId,
    Mine,
    OwnerToken,
    Path,
    Shape,
    ShareUrl,
    Slug,
    Unit,
    json_body,
)


class CreatedOut(Shape):
    """A stored experiment, with what its owner needs once."""

    id: ExperimentId
    slug: Slug
    url: str
    """The address of the experiment in this API."""
    share_url: ShareUrl
    owner_token: OwnerToken
    experiment_digest: Digest


class FormerValueOut(Shape):
    """A value that an experiment keeps from an earlier version."""

    path: Path
    label: str
    """The label of the field as forms show it."""
    unit: Unit
    value: Any
    """The value that the experiment keeps."""
    today: Any
    """The value that today's version would use."""


class FormerRulesOut(Shape):
    """Values that an experiment keeps from the version that made it, each with today's."""

    version: str
    """The version of the library that made the experiment."""
    values: list[FormerValueOut]
    """The values that differ from today's; at least one."""


class WrittenOutOut(Shape):
    """An experiment with the values of the version that it names in `rules`."""

    experiment: dict[str, Any]
    """The experiment with these values written out; as it was sent if it names no `rules`."""
    former_rules: FormerRulesOut | None
    """The values that differ from today's; null if none does."""


class GoneOut(Shape):
    """What went with a trace or cluster that its owner deleted."""

    experiments: int
    """The number of experiments that were deleted: those that named it, and their forks."""


class ExperimentOut(Shape):
    """A stored experiment and its runs."""

    id: ExperimentId
    slug: Slug
    name: str
    """The title; may be empty."""
    question: str
    """The question that the experiment is to answer; may be empty."""
    experiment: ExperimentData
    experiment_digest: Digest
    core_version: str
    """The version of the library that stored the experiment."""
    former_rules: FormerRulesOut | None
    """The values of that version which differ from today's; null if none does."""
    url: str
    """The address of the experiment in this API."""
    share_url: ShareUrl
    mine: Mine
    runs: list[RunOut]
    """The newest 100 runs, oldest first."""


class TreeNodeOut(Shape):
    """An experiment in the fork tree."""

    id: ExperimentId
    slug: Slug
    name: str
    """The title; may be empty."""
    question: str
    """The question that the experiment is to answer; may be empty."""
    scheduler: str
    """The name of the scheduler in the experiment."""
    created_at: datetime
    """When the experiment was stored."""
    parent: str | None
    """The id of the nearest ancestor in the tree; null for a root."""
    steps: int
    """The number of experiments that are left out between this one and its parent."""
    at_s: float | None
    """The simulated time in seconds from which its events were added; null for a fork from the start."""
    changes: list[str]
    """What differs from the parent, a text for each change; at most six. Empty for a root."""
    more_changes: int
    """The number of changes beyond those six."""
    mine: Mine
    here: bool
    """Whether this is the experiment of the request."""
    share_url: ShareUrl


class TreeOut(Shape):
    """The fork tree around an experiment."""

    nodes: list[TreeNodeOut]
    """The experiments, parents first; at most 200."""
    hidden: int
    """The number of experiments that are left out because their owners did not share them."""
    cut: bool
    """Whether the tree has more experiments than were read or listed."""


class StartedOut(RunOut):
    """A run that was started with its experiment."""

    owner_token: OwnerToken
    slug: Slug
    share_url: ShareUrl
    experiment_digest: Digest
    summary: dict[str, Any] | None
    """The summary of the run (its JSON Schema is at `/api/v1/schema/summary.json`); null before the run is done."""


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
