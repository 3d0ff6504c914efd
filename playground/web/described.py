"""Parts of the API's description that all operations share: parameters, errors and their media type."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from playground.web.body_fields import describe_fields
from playground.web.parameters import describe_parameters

_WRITING = frozenset({"post", "put", "patch", "delete"})
#: Answers to requests that are odd, come too often, or come while Redis is away; and to those that write.
_OF_ALL = (400, 429, 503)
_OF_WRITING = (403, 413, 415, 507)
_PROBLEM = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/HttpProblem"}}}


def describe_shared(schema: dict[str, Any]) -> None:
    """Add to each operation of an OpenAPI document the problems and the meanings of parameters that it shares."""
    for address, path in schema["paths"].items():
        for method, operation in path.items():
            describe_parameters(address, operation)
            describe_fields(address, operation)
            if "description" in operation:
                operation["summary"] = _title(operation["description"])
            shared = (*_OF_ALL, *(_OF_WRITING if method in _WRITING else ()))
            answers = operation["responses"]
            answers |= {status: {} for status in shared if status not in answers}
            for status in answers:
                if status >= 400:
                    answers[status] = {"description": HTTPStatus(status).phrase, "content": _PROBLEM}
            operation["responses"] = dict(sorted(answers.items()))


def _title(description: str) -> str:
    """Return the first sentence of a description without its full stop: what lists of operations show."""
    paragraph = " ".join(description.split("\n\n")[0].split())
    return paragraph.partition(". ")[0].removesuffix(".")


def file_answer(media_type: str) -> dict[str, Any]:
    """Describe the answer of an operation that gives a file."""
    is_json = media_type.endswith(("+json", "/yaml"))
    content = {media_type: {"schema": {"type": "object"} if is_json else {"type": "string", "format": "binary"}}}
    return {"responses": {200: {"description": "The file", "content": content}}}
