"""Schemas that responses of all subjects share, and a helper to describe bodies for the API's documentation."""

from __future__ import annotations

import functools
from typing import Annotated, Any, ClassVar

from ninja import Schema
from ninja.operation import Operation
from pydantic import ConfigDict, Field, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from scheduler_core.contract import ProblemItem
from scheduler_core.contract.schema import schema_of

OwnerToken = Annotated[
    str,
    Field(
        description="The token with which a program changes or deletes what this request stored: it sends "
        "`Authorization: Bearer TOKEN`. No later answer has it."
    ),
]
Mine = Annotated[
    bool, Field(description="Whether you own it: the session or the token of this request may change and delete it.")
]
ExperimentData = Annotated[
    dict[str, Any], Field(description="The experiment with all its defaults. Its JSON Schema is at `/api/v1/schema`.")
]
ExperimentId = Annotated[str, Field(description="The id of the experiment.")]
Slug = Annotated[str, Field(description="The name of the experiment in its share link, `/e/SLUG`.")]
ShareUrl = Annotated[str, Field(description="The share link of the experiment: a page that everybody can open.")]
Digest = Annotated[str, Field(description="The sha256 of the canonical experiment, in hexadecimal.")]
QuestionState = Annotated[
    str,
    Field(
        description="How far the worker is: `waiting` (for a worker), `compiling`, `working`, `done`, `failed` or "
        "`cancelled`."
    ),
]
QuestionProgress = Annotated[float, Field(description="The fraction that the worker has done, from 0 to 1.")]
QuestionProblems = Annotated[list[ProblemItem], Field(description="Why it failed. Otherwise empty.")]
Path = Annotated[
    str, Field(description="Where the value stands in the experiment, such as `scheduler.params.heartbeat_s`.")
]
Unit = Annotated[str, Field(description="The unit, such as `s`; empty for a number without one.")]
PreviewNumber = Annotated[
    int,
    Field(
        description="The number of the request. Messages about it carry this number as `preview`; a later request has "
        "a larger number."
    ),
]
PreviewSocket = Annotated[str, Field(description="The socket that sends the answer, `/ws/previews/{place}`.")]
TaskNumber = Annotated[int, Field(description="The number of the task, counted from 0.")]


class Shape(Schema):
    """An object in a body or an answer: the docstring below a field becomes its meaning in the API's description.

    A class with `like` takes the meanings that it does not have itself from the fields of the same names in `like`.
    """

    model_config = ConfigDict(use_attribute_docstrings=True)
    like: ClassVar[Any] = None

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        named = handler(core)
        if cls.like is not None:
            known = schema_of(cls.like, cls.__name__)["properties"]
            for name, field in handler.resolve_ref_schema(named)["properties"].items():
                if "description" not in field and "description" in known.get(name, {}):
                    field["description"] = known[name]["description"]
        return named


def json_body(schema: dict[str, Any], *, required: bool) -> dict[str, Any]:
    """Return the OpenAPI description of a JSON request body with this schema."""
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
