"""JSON Schema of the contract's models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue

_DIALECT = GenerateJsonSchema.schema_dialect


class _Plain(GenerateJsonSchema):
    """Without titles, which repeat the names of fields."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def schema_of(model: Any, name: str) -> dict[str, Any]:
    """Return the JSON Schema of one model; `name` becomes its title. Bytes are strings of the format `binary`."""
    schema = _without_titles(TypeAdapter(model).json_schema(schema_generator=_Plain))
    return {"$schema": _DIALECT, "title": name, **schema}


def definitions_of(models: Mapping[str, Any]) -> dict[str, JsonSchemaValue]:
    """Return the definitions of several models and of all that they refer to, each once, by name.

    A model that is no class of its own (a union) is defined under its key in `models`.
    """
    inputs = [(name, "validation", TypeAdapter(model)) for name, model in models.items()]
    roots, schema = TypeAdapter.json_schemas(inputs, schema_generator=_Plain)  # type: ignore[arg-type]
    found: dict[str, JsonSchemaValue] = _without_titles(schema.get("$defs", {}))
    for (name, _), root in roots.items():
        if name not in found:
            found[name] = _without_titles(root)
    return dict(sorted(found.items()))


def _without_titles(value: Any) -> Any:
    """Drop the titles of definitions: they are their names."""
    if isinstance(value, list):
        return [_without_titles(each) for each in value]
    if not isinstance(value, dict):
        return value
    # A property may have the name "title"; its schema is an object, a title is a string.
    return {key: _without_titles(each) for key, each in value.items() if key != "title" or isinstance(each, dict)}
