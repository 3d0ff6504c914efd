"""Command `schedulers`: list the schedulers with their parameters, counters and reasons."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from scheduler_core.cli.command import Command, json_option
from scheduler_core.cli.plugins import plugin_option

if TYPE_CHECKING:
    from scheduler_core.world.spec import SchedulerSpec

_BOUNDS = {"minimum": "min", "exclusiveMinimum": "above", "maximum": "max", "exclusiveMaximum": "below"}


def describe(spec: SchedulerSpec) -> dict[str, Any]:
    """Return a scheduler's declaration in JSON types."""
    return {
        "name": spec.name,
        "label": spec.label,
        "family": spec.family,
        "paper": spec.paper,
        "summary": spec.summary,
        "supports": sorted(spec.supports),
        "parameters": [
            _parameter(name, field) for name, field in spec.params.model_json_schema()["properties"].items()
        ],
        "counters": [{"name": one.name, "label": one.label, "help": one.help} for one in spec.counters],
        "reasons": [
            {"code": one.code, "name": one.name, "template": one.template, "fields": list(one.fields)}
            for one in spec.reasons
        ],
    }


def _parameter(name: str, field: dict[str, Any]) -> dict[str, Any]:
    """Return a parameter's type, default, bounds and choices from its JSON Schema."""
    kinds = [kind for kind in field.get("anyOf", [field]) if kind.get("type") != "null"]
    kind = kinds[0] if kinds else field
    described = {
        "name": name,
        "type": kind.get("type", "string"),
        "default": field.get("default"),
        "unit": field.get("x-unit", field.get("unit", "")),
        "help": field.get("description", ""),
    }
    if "enum" in kind or "const" in kind:
        described["choices"] = kind.get("enum", [kind.get("const")])
    return described | {ours: kind[theirs] for theirs, ours in _BOUNDS.items() if theirs in kind}


def _value(value: Any) -> str:
    """Write a value as `--param` reads it: text as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value)


def _bound(value: float) -> str:
    return f"{int(value) if float(value).is_integer() else value:,}"


def _bounds(parameter: dict[str, Any]) -> str:
    if "choices" in parameter:
        return " | ".join(map(_value, parameter["choices"]))
    words = {"min": "at least {}", "above": "above {}", "max": "at most {}", "below": "below {}"}
    return ", ".join(text.format(_bound(parameter[key])) for key, text in words.items() if key in parameter)


def _arguments(parser: argparse.ArgumentParser) -> None:
    plugin_option(parser)
    json_option(parser)


def _run(args: argparse.Namespace) -> int:
    from scheduler_core.schedulers import SCHEDULERS
    from scheduler_core.schedulers.plugin.loading import entry_points

    all_of_them = [describe(spec) for spec in SCHEDULERS]
    if args.json:
        print(json.dumps(all_of_them, indent=2))
        return 0
    for i, one in enumerate(all_of_them):
        print(("\n" if i else "") + f"{one['name']}: {one['label']} ({one['family']})")
        print("\n".join(f"  {text}" for text in (one["summary"], one["paper"]) if text))
        for parameter in one["parameters"]:
            print(f"  --param {parameter['name']}={_value(parameter['default'])}  {_bounds(parameter)}".rstrip())
            print(f"      {parameter['help']}")
        print("  counts: " + ", ".join(f"{counter['name']} ({counter['label']})" for counter in one["counters"]))
        print("  reasons: " + ", ".join(reason["name"] for reason in one["reasons"]))
    waiting = [each for each in entry_points() if each[0] not in {one["name"] for one in all_of_them}]
    for name, package in waiting:
        print(f"\n{name}: a plugin of {package}, loaded when an experiment or --scheduler names it")
    return 0


COMMAND = Command(
    "schedulers",
    "List the schedulers with their parameters, their counters and the reasons of their decisions.",
    _arguments,
    _run,
)
