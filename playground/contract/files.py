"""The files generated from the contract's models: `manage.py make_contract` writes them, a test compares them."""

from __future__ import annotations

import json
from typing import Any

from playground.contract import DOCUMENTS
from scheduler_core.contract import META_FORMAT
from scheduler_core.contract.reference import tables
from scheduler_core.contract.schema import definitions_of, schema_of
from scheduler_core.contract.typescript import declarations
from scheduler_core.contract.upgrade import COMPOSING_FAMILIES_OF_FORMAT_1, MARK_ROLES_OF_FORMAT_2, ROLES_OF_FORMAT_1

SCHEMA_FOLDER = "docs/reference/schema"
DECLARATIONS = "static/js/contract/contract.d.ts"
OLD_META = "static/js/contract/meta_formats.js"
POLICY_TABLE = "static/js/contract/policy_table.js"
REFERENCE = "docs/reference/contract.md"

_MADE = "Made by `manage.py make_contract` from scheduler_core/contract and playground/contract."
_MADE_OF_POLICY = "Made by `manage.py make_contract` from scheduler_core/policy."
_ANY = "// biome-ignore-all lint/suspicious/noExplicitAny: parts of an experiment have types of their own\n"
_ABOUT = f"""# The contract

This page has every field of the data that the library and the server give out: what a viewer learns about a run before
any frame (*meta*), the frames of a run, its summary, its decisions, what happened to each task (*track*, or *density*
for a run that is too large for a track), errors, and the messages of sockets. Bodies and answers of the HTTP API are in
[Objects of the HTTP API](http-objects.md).

The server has each schema as JSON Schema at `/api/v1/schema/NAME.json`; `python -m scheduler_core schema NAME` prints
it; the files are in `docs/reference/schema/`. The web page's scripts use the TypeScript declarations in
`static/js/contract/contract.d.ts`. The programs themselves do not check objects against the
schemas. Tests check real objects of every scheduler against the schemas, which allow no other key. {_MADE}

Frames and socket messages are MessagePack, where `Uint8Array` is binary data. Everything else is JSON.

| schema | what it describes |
|---|---|
"""
_PLACES = {
    "meta": "`GET /api/v1/runs/{id}/meta`; `meta.json` in a recording; `describe()` of the library",
    "frame": "a message of `WS /ws/runs/{id}`; a frame in a recording; `Frame.to_wire()` of the library",
    "moments": "`GET /api/v1/runs/{id}/moments`; `moments.json` in a recording",
    "density": "`density.msgpack` in a recording that keeps no track; `RunView.density()` of the library",
    "track": "`GET /api/v1/runs/{id}/track`; `track.msgpack` in a recording; `RunView.track()` of the library",
    "summary": "`GET /api/v1/runs/{id}/summary`; `end` of the last frame; `RunResult.summary` of the library",
    "decision-row": "a row of `decisions.parquet` in a recording",
    "told-decision": "an entry of `decisions` in `explain()` and `GET /api/v1/runs/{id}/explain`",
    "problem": "the body of every HTTP error",
    "run-socket": "what `WS /ws/runs/{id}` sends",
    "run-socket-request": "what `WS /ws/runs/{id}` takes",
    "preview-socket": "what `WS /ws/previews/{place}` sends",
    "study-socket": "what `WS /ws/studies/{id}` sends",
    "presentation-socket": "what `WS /ws/presentations/{slug}` sends",
    "presentation-socket-request": "what `WS /ws/presentations/{slug}` takes",
    "class-socket": "what `WS /ws/classes/{id}` sends",
    "class-socket-request": "what `WS /ws/classes/{id}` takes",
    "notice": "what the server's processes tell each other over the channel layer",
}


def schema_files() -> dict[str, str]:
    """Return each JSON Schema as text, by its file's name."""
    return {f"{name}.json": json.dumps(schema(name), indent=1) + "\n" for name in DOCUMENTS}


def schema(name: str) -> dict[str, Any]:
    """Return one JSON Schema. Raises KeyError for an unknown name."""
    return schema_of(DOCUMENTS[name], type_name(name))


def type_name(name: str) -> str:
    """Name the TypeScript type of a schema: `run-socket` is RunSocket, `problem` is HttpProblem."""
    return getattr(DOCUMENTS[name], "__name__", None) or "".join(part.capitalize() for part in name.split("-"))


def made_files() -> dict[str, str]:
    """Return every file that is made, by its path in the project."""
    from scheduler_core.explanation.policy_table import policy_table

    definitions = definitions_of({type_name(name): model for name, model in DOCUMENTS.items()})
    roots = "".join(f"| [`{name}`](schema/{name}.json) ({type_name(name)}) | {_PLACES[name]} |\n" for name in DOCUMENTS)
    return {
        **{f"{SCHEMA_FOLDER}/{name}": text for name, text in schema_files().items()},
        DECLARATIONS: f"// {_MADE} Do not edit.\n{_ANY}\n{declarations(definitions)}",
        OLD_META: _old_meta(),
        POLICY_TABLE: policy_table(_MADE_OF_POLICY),
        REFERENCE: f"{_ABOUT}{roots}\n{tables(definitions)}",
    }


def _old_meta() -> str:
    roles = "".join(f"  {name}: {json.dumps(role)},\n" for name, role in ROLES_OF_FORMAT_1.items())
    return (
        f"// {_MADE} Do not edit.\n\n"
        f"/** The format of meta that the page reads. */\nexport const META_FORMAT = {META_FORMAT};\n\n"
        "/** Roles that format 1 left to the names of layers.\n * @type {Record<string, string>} */\n"
        f"export const ROLES_OF_FORMAT_1 = {{\n{roles}}};\n\n"
        "/** Families that format 1 showed as composed of stages.\n * @type {string[]} */\n"
        f"export const COMPOSING_FAMILIES_OF_FORMAT_1 = {json.dumps(list(COMPOSING_FAMILIES_OF_FORMAT_1))};\n\n"
        "/** Roles that formats 1 and 2 left to the kinds of marks: the kind was the role.\n * @type {string[]} */\n"
        f"export const MARK_ROLES_OF_FORMAT_2 = {json.dumps(list(MARK_ROLES_OF_FORMAT_2))};\n"
    )
