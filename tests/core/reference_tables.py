"""Tables of the documentation's reference that are made from the product: command line, metrics, parameters."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from typing import Any

from scheduler_core import SCHEDULERS
from scheduler_core.cli.main import COMMANDS
from scheduler_core.experiment.experiment import schema
from tests.support import PROJECT

SUMMARY = PROJECT / "docs" / "reference" / "schema" / "summary.json"
FIGURE = re.compile(r"(.+)\.(mean|max|p\d+(?:\.\d+)?)")
NUMBERS = {"number", "integer"}


def command_line() -> Iterator[str]:
    """Give a section for each command: what it does, its usage, and its arguments."""
    for command in COMMANDS:
        parser = argparse.ArgumentParser(prog=f"python -m scheduler_core {command.name}", add_help=False)
        command.arguments(parser)
        yield from _section(parser, f"## {command.name}", command.help)


def _section(parser: argparse.ArgumentParser, heading: str, about: str) -> Iterator[str]:
    yield from (heading, "", about[:1].upper() + about[1:].rstrip(".") + ".", "")
    yield from ("```", " ".join(parser.format_usage().removeprefix("usage: ").split()), "```", "")
    shown = [action for action in parser._actions if not isinstance(action, argparse._SubParsersAction)]
    if shown:
        yield from ("| argument | meaning |", "|---|---|")
        yield from (f"| {_named(action)} | {_meaning(action)} |" for action in shown)
        yield ""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            helps = {choice.dest: choice.help or "" for choice in action._choices_actions}
            for name, inner in action.choices.items():
                command = heading.removeprefix("## ").removeprefix("### ")
                yield from _section(inner, f"### {command} {name}", helps.get(name, inner.description or ""))


def _named(action: argparse.Action) -> str:
    value = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    if not action.option_strings:
        return f"`{value}`"
    takes = "" if action.nargs == 0 else f" {value}"
    return ", ".join(f"`{option}{takes}`" for option in action.option_strings)


def _meaning(action: argparse.Action) -> str:
    said = " ".join((action.help or "").split()).replace("%(default)s", str(action.default)).replace("|", "\\|")
    choices = ", ".join(f"`{choice}`" for choice in action.choices or ())
    return f"{said}{' ' if said and choices else ''}{f'One of {choices}.' if choices else ''}"


def metrics() -> Iterator[str]:
    """Give a row for each number of a summary, by the name that studies and the API know it by."""
    whole = json.loads(SUMMARY.read_text(encoding="utf-8"))
    yield from ("| metric | meaning |", "|---|---|")
    rows: dict[str, tuple[str, list[str]]] = {}
    for name, meaning in _numbers(whole, whole, "", ""):
        if figure := FIGURE.fullmatch(name):
            rows.setdefault(figure[1], (meaning, []))[1].append(figure[2])
        else:
            rows[name] = (meaning, [])
    for name, (meaning, figures) in rows.items():
        yield f"| `{name}` | {meaning}{' ' if meaning and figures else ''}{_figures(figures)} |"


def _figures(names: list[str]) -> str:
    return f"With {', '.join(f'`.{name}`' for name in names)}." if names else ""


def _numbers(part: dict[str, Any], whole: dict[str, Any], name: str, about: str) -> Iterator[tuple[str, str]]:
    own = part.get("description", about)
    part = _resolved(part, whole)
    kinds = {part.get("type")} | {each.get("type") for each in part.get("anyOf", ())}
    if kinds & NUMBERS:
        yield name, " ".join(own.split()).replace("|", "\\|")
        return
    for field, inner in part.get("properties", {}).items():
        yield from _numbers(inner, whole, f"{name}.{field}".lstrip("."), inner.get("description", about))
    each = part.get("additionalProperties")
    if isinstance(each, dict):
        yield from _numbers(each, whole, f"{name}.NAME", own)


def _resolved(part: dict[str, Any], whole: dict[str, Any]) -> dict[str, Any]:
    for several in ("anyOf", "allOf"):
        inner = next((each for each in part.get(several, ()) if "$ref" in each), None)
        part = inner or part
    if "$ref" not in part:
        return part
    found: dict[str, Any] = whole["$defs"][part["$ref"].rpartition("/")[2]]
    return found


def parameters() -> Iterator[str]:
    """Give a row for each parameter: its name, its title and the schedulers that have it."""
    parts = schema()["$defs"]
    having: dict[str, list[str]] = {}
    titles: dict[str, str] = {}
    for spec in SCHEDULERS:
        for name, field in parts[f"params-{spec.name}"]["properties"].items():
            having.setdefault(name, []).append(f"[{spec.label}](../explanation/schedulers/{spec.name}.md#parameters)")
            titles.setdefault(name, field.get("title", name))
    yield from ("| parameter | name in the studio | schedulers |", "|---|---|---|")
    yield from (f"| `{name}` | {titles[name]} | {', '.join(having[name])} |" for name in sorted(having))


TABLES = {"command-line": command_line, "metrics": metrics}
