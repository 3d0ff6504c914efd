"""Command `kube`: answer cases of kube-scheduler's own tests, and read and write its configuration."""

from __future__ import annotations

import argparse
import json
import sys
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
    cases.set_defaults(kube=_cases)
    read = subcommand(commands, "read-config", "Print a KubeSchedulerConfiguration as parameters of `kubernetes`.")
    read.add_argument("file", metavar="FILE", type=Path, help="a KubeSchedulerConfiguration (v1), YAML or JSON")
    read.set_defaults(kube=_read_config)
    write = subcommand(commands, "write-config", "Print an experiment's parameters as a KubeSchedulerConfiguration.")
    write.add_argument("file", metavar="EXPERIMENT.json", type=Path, help="an experiment of the scheduler `kubernetes`")
    write.set_defaults(kube=_write_config)


def _kube(args: argparse.Namespace) -> int:
    code: int = args.kube(args)
    return code


def _read_config(args: argparse.Namespace) -> int:
    import yaml

    from scheduler_core.kube.configuration import params_of

    try:
        config = yaml.safe_load(args.file.read_text(encoding="utf-8"))
    # Tags that do not fit raise errors of these other kinds.
    except (yaml.YAMLError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        line = f": line {mark.line + 1}" if mark is not None else ""
        raise ExperimentError([Problem(f"{args.file}{line}", "is neither YAML nor JSON", "YAML")]) from None
    try:
        params, left = params_of(config)
    except ExperimentError as error:
        found = (Problem(f"{args.file}: {p.path}", p.message, p.allowed, p.remedy) for p in error.problems)
        raise ExperimentError(found) from None
    print(json.dumps({"name": "kubernetes", "params": params}, indent=2))
    for place in left:
        print(f"{place}: not understood, left out", file=sys.stderr)
    return 0


def _write_config(args: argparse.Namespace) -> int:
    from scheduler_core.experiment import Experiment
    from scheduler_core.kube.configuration import configuration_of
    from scheduler_core.schedulers import scheduler_by_name
    from scheduler_core.schedulers.kubernetes.params import KubernetesParams

    scheduler = Experiment.from_file(args.file).scheduler
    if not issubclass(scheduler_by_name(scheduler.name).params, KubernetesParams):
        told = f"is '{scheduler.name}', which has no such configuration"
        raise ExperimentError([Problem("scheduler.name", told, "'kubernetes'")])
    print(json.dumps(configuration_of(scheduler.params), indent=2))
    return 0


def _cases(args: argparse.Namespace) -> int:
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


COMMAND = Command(
    "kube", "Answer cases of kube-scheduler's own tests; read or write its configuration.", _arguments, _kube
)
