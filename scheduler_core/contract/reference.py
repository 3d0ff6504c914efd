"""Build documentation tables from JSON Schema: one table for each object, one row for each field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scheduler_core.contract.typescript import type_of


def tables(definitions: Mapping[str, Any]) -> str:
    """Return Markdown: a heading, the description and a table of fields for each definition, in their order."""
    return "\n".join(_table(name, schema) for name, schema in definitions.items())


def _table(name: str, schema: Mapping[str, Any]) -> str:
    head = f"### {name}\n\n{_words(schema)}\n".replace("\n\n\n", "\n\n")
    if "properties" not in schema:
        return f"{head}\nOne of: {_code(type_of(schema))}\n"
    required = set(schema.get("required", ()))
    rows = [
        f"| `{field}`{'' if field in required else ' (optional)'} | {_code(type_of(each))} | {_words(each)} |\n"
        for field, each in schema["properties"].items()
    ]
    return f"{head}\n| field | type | meaning |\n|---|---|---|\n{''.join(rows)}"


def _words(schema: Mapping[str, Any]) -> str:
    return " ".join(schema.get("description", "").split())


def _code(text: str) -> str:
    return "`" + text.replace("|", "\\|") + "`"
