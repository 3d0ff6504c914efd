"""Commands about experiments as data: `schema` and `validate`."""

from __future__ import annotations

import argparse
import json
import sys

from scheduler_core.cli.command import Command
from scheduler_core.cli.plugins import plugin_option
from scheduler_core.errors import UnknownName


def _schema_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "name",
        metavar="NAME",
        nargs="?",
        default="experiment",
        help="experiment (the default), or a part of the contract such as meta",
    )
    plugin_option(parser)


def _schema(args: argparse.Namespace) -> int:
    from scheduler_core.contract import DOCUMENTS
    from scheduler_core.contract.schema import schema_of
    from scheduler_core.experiment import schema

    if args.name == "experiment":
        found = schema()
    elif args.name in DOCUMENTS:
        found = schema_of(DOCUMENTS[args.name], args.name)
    else:
        raise UnknownName("schema", args.name, ("experiment", *DOCUMENTS))
    print(json.dumps(found, indent=2))
    return 0


def _file_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("experiment", metavar="EXPERIMENT.json", help="an experiment's file")
    plugin_option(parser)


def _validate(args: argparse.Namespace) -> int:
    from scheduler_core.experiment import Experiment, trace_file, unsupported
    from scheduler_core.experiment.derived import machine_count
    from scheduler_core.schedulers import scheduler_by_name

    experiment = Experiment.from_file(args.experiment)
    if experiment.workload.kind == "trace" and experiment.workload.path is not None:
        trace_file(experiment)
    spec = scheduler_by_name(experiment.scheduler.name)
    for problem in unsupported(experiment, spec.honors(experiment)):
        print(f"note: {problem}", file=sys.stderr)
    print(
        f"valid: {experiment.scheduler.name}, {machine_count(experiment.topology):,} machines, "
        f"{experiment.workload.kind} workload"
    )
    return 0


SCHEMA = Command(
    "schema", "Print the JSON Schema of an experiment or of the results of a run.", _schema_argument, _schema
)
VALIDATE = Command("validate", "Check an experiment without running it.", _file_argument, _validate)
