"""Shapes that answers of every subject share, and a helper to describe bodies, for the API's own documentation."""

from __future__ import annotations

import functools
from typing import Any

from ninja.operation import Operation


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


def share_response_models() -> None:
    """Have operations that are declared from now on share the model of an answer.

    Otherwise ninja makes one for each status of each operation: 500, in half of the time that the server starts in.
    """
    make = Operation._create_response_model
    shared = functools.cache(lambda response: make(None, response))  # type: ignore[arg-type]  # it uses no operation

    def model_of(self: Operation, response_param: Any) -> Any:
        try:
            return shared(response_param)
        except TypeError:  # a type that has no hash
            return make(self, response_param)

    Operation._create_response_model = model_of  # type: ignore[method-assign]
