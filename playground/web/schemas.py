"""Shapes that answers of every subject share, and a helper to describe bodies, for the API's own documentation."""

from __future__ import annotations

from typing import Any


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
