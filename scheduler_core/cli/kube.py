"""Command `kube`: answer cases of kube-scheduler's own tests with the code that the scheduler `kubernetes` runs."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from scheduler_core.cli.command import Command, json_option, subcommand
from scheduler_core.cli.text import table
from scheduler_core.errors import ExperimentError, Problem


def _arguments(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(title="subcommands", metavar="WHAT", required=True)
    cases = subcommand(commands, "cases", "Answer cases of kube-scheduler's own tests.")
    cases.add_argument("file", metavar="FILE", type=Path, help="a JSON list of cases, as in tests/data/kubernetes")
    json_option(cases)


def _kube(args: argparse.Namespace) -> int:
    from scheduler_core.kube.cases import answer

    found = []
    for number, case in enumerate(_read(args.file)):
        place = f"{args.file}: [{number}]"
        if not isinstance(case, dict) or "extension_point" not in case:
            raise ExperimentError([Problem(place, "is not a case", "an object with `extension_point`, `nodes`, `pod`")])
        try:
            found.append({"id": case.get("id"), "got": answer(case)})
        except KeyError as error:
            raise ExperimentError([Problem(place, f"lacks or does not know {error}", "the form of a case")]) from None
        except (ValueError, TypeError, AttributeError) as error:
            raise ExperimentError([Problem(place, f"cannot be answered: {error}", "the form of a case")]) from None
    _show(found, args.json)
    return 0


def _read(path: Path) -> list[Any]:
    try:
        cases = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise ExperimentError([Problem(f"{path}: line {error.lineno}", f"is not JSON: {error.msg}", "JSON")]) from None
    except UnicodeDecodeError:
        raise ExperimentError([Problem(str(path), "is not text", "JSON in UTF-8")]) from None
    if not isinstance(cases, list):
        raise ExperimentError([Problem(str(path), "is not a list", "a JSON list of cases")])
    return cases


def _show(found: list[dict[str, Any]], as_json: bool) -> None:
    if as_json:
        print(json.dumps(found, indent=2))
        return
    rows = [(str(one["id"]), json.dumps(one["got"])) for one in found]
    print(table([("case", "answer"), *rows]))


COMMAND = Command("kube", "Answer cases of kube-scheduler's own tests.", _arguments, _kube)
