"""Write TypeScript declarations from the part of JSON Schema that pydantic uses for the contract's models."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Mapping
from typing import Any

_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*")
_WIDTH = 120


def declarations(definitions: Mapping[str, Any]) -> str:
    """Return a `.d.ts` with one exported interface or type for each definition, in their order."""
    return "\n".join(_declaration(name, schema) for name, schema in definitions.items())


def _declaration(name: str, schema: Mapping[str, Any]) -> str:
    comment = _comment(schema, "")
    if "properties" not in schema:
        return f"{comment}{_laid_out(f'export type {name} =', type_of(schema), '')}"
    return f"{comment}export interface {name} {_object(schema, '')}\n"


def _laid_out(head: str, type_name: str, indent: str) -> str:
    """Return `head type;` on one line, or with one line for each part of a union where one line is too long."""
    line = f"{head} {type_name};\n"
    if len(line) <= _WIDTH + 1:
        return line
    return head + "".join(f"\n{indent}  | {part}" for part in type_name.split(" | ")) + ";\n"


def _comment(schema: Mapping[str, Any], indent: str) -> str:
    most = _WIDTH - len(indent) - len(" * ")
    told = [line.strip() for line in schema.get("description", "").splitlines()]
    lines = [part for line in told for part in (textwrap.wrap(line, most) or [""])]
    if not lines:
        return ""
    if len(lines) == 1 and len(indent) + len(lines[0]) + 8 <= _WIDTH:
        return f"{indent}/** {lines[0]} */\n"
    body = "".join(f"{indent} * {line}".rstrip() + "\n" for line in lines)
    return f"{indent}/**\n{body}{indent} */\n"


def _object(schema: Mapping[str, Any], indent: str) -> str:
    inner = indent + "  "
    required = set(schema.get("required", ()))
    rows = []
    for name, field in schema["properties"].items():
        key = name if _IDENTIFIER.fullmatch(name) else json.dumps(name)
        mark = "" if name in required else "?"
        rows.append(_comment(field, inner) + _laid_out(f"{inner}{key}{mark}:", type_of(field), inner))
    return "{\n" + "".join(rows) + indent + "}"


def type_of(schema: Mapping[str, Any]) -> str:
    """Return the TypeScript type of a schema. Raises ValueError for what the contract does not use."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    for choice in ("anyOf", "oneOf"):
        if choice in schema:
            return " | ".join(dict.fromkeys(type_of(each) for each in schema[choice]))
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    kind = schema.get("type")
    if kind == "array":
        return _array(schema)
    if kind == "object":
        return _map(schema)
    if kind == "string" and schema.get("format") == "binary":
        return "Uint8Array"
    if kind in _PLAIN:
        return _PLAIN[kind]
    if not set(schema) - {"description", "default"}:
        return "any"
    raise ValueError(f"no TypeScript for {dict(schema)}")


def _array(schema: Mapping[str, Any]) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(type_of(each) for each in schema['prefixItems'])}]"
    item = type_of(schema.get("items", {}))
    is_list = item.endswith("[]") and not re.search(r" \| [^)]*$", item)
    return f"({item})[]" if " | " in item and not is_list else f"{item}[]"


def _map(schema: Mapping[str, Any]) -> str:
    if "properties" in schema:
        return " ".join(_object(schema, "").split())
    values = schema.get("additionalProperties", True)
    return f"Record<string, {'any' if values is True else type_of(values)}>"
