"""Declare the values of a parameter for people: a label for each, and a sentence on its effect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

KEY = "options"


def options(told: Mapping[str, tuple[str, str]]) -> dict[str, Any]:
    """Declare a label and a sentence for each value of a parameter; for `json_schema_extra` of the field.

    fit: Literal["first", "next"] = Field("first", ..., json_schema_extra=options({"first": ("First fit", "...")}))
    """
    return {KEY: {value: {"label": label, "help": sentence} for value, (label, sentence) in told.items()}}


def option_label(field: Mapping[str, Any], value: object) -> str:
    """Return what people call a value of a field of a JSON Schema: its label, or the value where it has none."""
    declared = field.get(KEY, {}).get(value) if isinstance(value, str) else None
    return str(declared["label"]) if declared else str(value)


def option_lines(field: Mapping[str, Any]) -> Iterator[str]:
    """Yield `Label: sentence` for each value that has a sentence."""
    for option in field.get(KEY, {}).values():
        if option["help"]:
            yield f"{option['label']}: {option['help']}"
