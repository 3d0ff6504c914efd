"""Documentation pages about the HTTP API, generated from its OpenAPI document by `manage.py make_contract`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from playground.shell.api import api

OPERATIONS = "docs/reference/http-api.md"
OBJECTS = "docs/reference/http-objects.md"

_ABOUT = """# HTTP API

Every operation of the server, made by `manage.py make_contract` from the server's OpenAPI document. Do not edit this
page. The document itself is at `/api/v1/openapi.json`; at [`/api/v1/docs`](/api/v1/docs) you can try each operation on
your server. [Use the playground from Python](../how-to/use-from-python.md) has a client.

- Each address begins with `/api/v1`. Bodies and answers are JSON unless the operation names another type.
- An operation that stores something answers with an `owner_token`, once. A program sends it as
  `Authorization: Bearer TOKEN` to change or delete what it stored. A browser needs only its session.
- A request with an `Origin` of another site is refused.
- Frames of a run, previews, studies, presentations and classes come over sockets: [the contract](contract.md) has their
  messages. Objects in bodies and answers have their fields in [Objects of the HTTP API](http-objects.md).

## Errors

Every error has the media type `application/problem+json` and one body, [HttpProblem](http-objects.md#httpproblem).

| status | when |
|---|---|
"""
_ABOUT_OBJECTS = """# Objects of the HTTP API

The bodies and answers that [the operations](http-api.md) name, made by `manage.py make_contract` from the server's
OpenAPI document. Do not edit this page.

"""
_STATUSES = {
    400: "the server cannot understand the request",
    403: "a writing request from a page of another site, or for something that you do not own",
    404: "the address or the named thing does not exist",
    405: "the address does not take this method; `Allow` names the methods that it takes",
    409: "not possible in the present state, for example before a run is done",
    410: "the recording was removed to free space; run it again",
    413: "a body above the size limit",
    415: "a body of another media type",
    422: "a value is not allowed; `problems` names each field, what is allowed and what to do",
    429: "too many requests; `Retry-After` has the seconds to wait",
    503: "the server or one of its stores is busy or away; ask again in a moment",
    507: "no room on the disk; nothing was stored",
}
_EVERYWHERE = {"400", "403", "413", "415", "429", "503", "507"}
"""Statuses that any operation, or any that writes, may answer with: the page names them once."""

_GROUPS = {
    "experiments": ("Experiments", "Store, copy, delete and restore experiments."),
    "runs": ("Runs", "Start, follow and stop runs, and read their results."),
    "why": ("Reasons", "Find out why a task waited, what would have helped, and which messages were sent."),
    "asks": ("Asks", "Ask how many machines keep a promise, what load it bears, and what may be switched off."),
    "networks": ("Flow networks", "Inspect the rounds of schedulers that solve a min-cost flow."),
    "previews": ("Previews", "Get a quick answer to a draft."),
    "studies": ("Studies", "Run an experiment over a grid of values, schedulers and seeds."),
    "figures": ("Figures", "Draw studies, runs, traces and claims."),
    "sheets": ("Sheets of paper", "Export a claim, a study or a comparison as one file."),
    "papers": ("Claims of papers", "Compute a paper's claims again."),
    "traces": ("Traces", "Upload, import, measure and fit traces."),
    "lab": ("Constraint and workload lab", "Describe drafts of constraints and workloads without running them."),
    "classes": ("Classes and lessons", "Teach: join, ask, explore, compete, and read or write lessons."),
    "homework": ("Homework", "Give a lesson as a link with an end date, join it and read how it stands."),
    "arena": ("Arena", "Make challenges and enter them."),
    "registry": ("Lists", "Read what the product offers: schedulers, experiments, schemas."),
}
_VERBS = ("get", "put", "post", "patch", "delete")


def operation_pages() -> dict[str, str]:
    """Return the two pages by their paths in the project."""
    document = json.loads(json.dumps(api.get_openapi_schema(), default=str))
    return {OPERATIONS: _operations(document), OBJECTS: _ABOUT_OBJECTS + _objects(document)}


def _objects(document: dict[str, Any]) -> str:
    shown = {name: part for name, part in document["components"]["schemas"].items() if not name.endswith("In")}
    return "\n".join(_object(name, part) for name, part in sorted(shown.items()))


def _object(name: str, part: dict[str, Any]) -> str:
    about = " ".join(part.get("description", "").split())
    rows = "".join(
        f"| {_named(field, part)} | {_given(each)} | {_meaning(each)} |\n" for field, each in part["properties"].items()
    )
    return f"## {name}\n\n{about}{chr(10) * 2 if about else ''}| field | type | meaning |\n|---|---|---|\n{rows}"


def _operations(document: dict[str, Any]) -> str:
    grouped: dict[str, list[tuple[str, str, dict[str, Any]]]] = {tag: [] for tag in _GROUPS}
    for path, operations in document["paths"].items():
        for verb in _VERBS:
            if operation := operations.get(verb):
                grouped[operation["tags"][0]].append((verb.upper(), path.removeprefix("/api/v1"), operation))
    statuses = "".join(f"| {status} | {when} |\n" for status, when in _STATUSES.items())
    groups = "".join(_group(*_GROUPS[tag], operations) for tag, operations in grouped.items())
    return f"{_ABOUT}{statuses}{groups}"


def _group(title: str, about: str, operations: list[tuple[str, str, dict[str, Any]]]) -> str:
    lines = [f"\n## {title}", "", about, "", "| operation | what it does |", "|---|---|"]
    for verb, path, operation in operations:
        lines.append(f"| [`{verb} {path}`](#{_anchor(verb, path)}) | {_sentences(operation)[0]} |")
    for verb, path, operation in operations:
        lines += ["", f"### `{verb} {path}`", "", *_operation(operation)]
    return "\n".join(lines) + "\n"


def _anchor(verb: str, path: str) -> str:
    """Return the name that renderers give the operation's heading."""
    return re.sub(r"[^\w\- ]", "", f"{verb} {path}".lower()).replace(" ", "-")


def _sentences(operation: dict[str, Any]) -> list[str]:
    return [" ".join(part.split()) for part in operation["description"].split("\n\n")]


def _operation(operation: dict[str, Any]) -> Iterator[str]:
    for paragraph in _sentences(operation):
        yield from (paragraph, "")
    if parameters := operation.get("parameters"):
        yield from ("| parameter | in | takes | meaning |", "|---|---|---|---|")
        for each in parameters:
            yield f"| `{each['name']}` | {each['in']} | {_takes(each['schema'])} | {_meaning(each)} |"
        yield ""
    if "requestBody" in operation:
        yield from _body(operation["requestBody"])
    yield f"**Answer**: {_answers(operation['responses'])}"


def _body(body: dict[str, Any]) -> Iterator[str]:
    needed = "" if body.get("required") else " (optional)"
    plain = [media for media, content in body["content"].items() if "properties" not in content["schema"]]
    for media in plain:
        said = body["content"][media]["schema"].get("description", "The file.").rstrip(".")
        yield from (f"**Body{needed}**, `{media}`: {said[:1].lower()}{said[1:]}.", "")
    for media, content in body["content"].items():
        if media not in plain:
            yield from (f"**Body{needed}**, `{media}`:", "", "| field | takes | meaning |", "|---|---|---|")
            for name, field in content["schema"]["properties"].items():
                yield f"| {_named(name, content['schema'])} | {_takes(field)} | {_meaning(field)} |"
            yield ""


def _named(field: str, part: dict[str, Any]) -> str:
    return f"`{field}`" + ("" if field in part.get("required", ()) else " (optional)")


def _meaning(described: dict[str, Any]) -> str:
    text = " ".join(described.get("description", "").split()).replace("|", "\\|")
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '`')) or not text else '.'}"


def _takes(schema: dict[str, Any]) -> str:
    """Return a few words about what a parameter or a field accepts."""
    default = schema.get("default")
    told = "" if default in (None, "", []) else f"; default `{json.dumps(default)}`"
    return _kind(schema) + told


def _given(schema: dict[str, Any]) -> str:
    """Return a few words about what a field of a response holds."""
    absent = any(each.get("type") == "null" for each in schema.get("anyOf", ()))
    return _kind(schema) + (" or `null`" if absent else "")


def _kind(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return _linked(schema)
    if several := [each for each in schema.get("anyOf", ()) if each.get("type") != "null"]:
        return " or ".join(_kind(each) for each in several)
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    kind = schema.get("type", "any value")
    if isinstance(kind, list):
        return " or ".join(kind)
    if kind in ("number", "integer"):
        return _bounds(schema)
    if kind == "array":
        return f"list of: {_kind(schema.get('items', {}))}"
    if kind == "object" and "properties" in schema:
        return "object with " + ", ".join(f"`{name}`" for name in schema["properties"])
    return "text" if kind == "string" else "`true`, `false`" if kind == "boolean" else str(kind)


def _bounds(schema: dict[str, Any]) -> str:
    noun = "whole number" if schema["type"] == "integer" else "number"
    least, above, most = (schema.get(name) for name in ("minimum", "exclusiveMinimum", "maximum"))
    low = (
        f"from {least:{',.0f' if float(least).is_integer() else 'g'}}"
        if least is not None
        else f"above {above:g}"
        if above is not None
        else ""
    )
    high = f"at most {most:,.0f}" if most is not None else ""
    return ", ".join(part for part in (noun, low, high) if part)


def _answers(responses: dict[str, Any]) -> str:
    good = [f"{status} {_content(answer)}".strip() for status, answer in responses.items() if int(status) < 400]
    bad = [status for status in responses if int(status) >= 400 and status not in _EVERYWHERE]
    return ", or ".join(good) + "." + (f" **Errors**: {', '.join(bad)}, and those of every operation." if bad else "")


def _content(answer: dict[str, Any]) -> str:
    for media, content in answer.get("content", {}).items():
        if media != "application/json":
            return f"with `{media}`"
        return f"with {_shown(content['schema'])}"
    return ""


def _shown(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return _linked(schema)
    if schema.get("type") == "array":
        return f"a list of {_shown(schema['items'])}"
    return "a JSON object"


def _linked(schema: dict[str, Any]) -> str:
    name = schema["$ref"].rpartition("/")[2]
    return f"[{name}](http-objects.md#{name.lower()})"
