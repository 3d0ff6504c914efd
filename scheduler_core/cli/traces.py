"""Commands about traces: `traces` lists the formats, `import-trace` converts a file into the columnar one."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from scheduler_core.cli.command import Command, json_option
from scheduler_core.errors import ExperimentError, Problem, TraceError


def _list(args: argparse.Namespace) -> int:
    from scheduler_core.workload.readers import TRACE_READERS

    if args.json:
        print(
            json.dumps(
                [
                    {
                        "name": reader.name,
                        "label": reader.label,
                        "help": reader.help,
                        "suffixes": list(reader.suffixes),
                        "queues": reader.has_queues,
                    }
                    for reader in TRACE_READERS
                ],
                indent=2,
            )
        )
        return 0
    for reader in TRACE_READERS:
        print(f"{reader.name}: {reader.label}\n  {reader.help}")
    return 0


def _import_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--format", metavar="F", help="format of IN (see `traces`); absent: recognised by its content")
    parser.add_argument("source", metavar="IN", type=Path, help="a trace, plain or in gzip")
    parser.add_argument("target", metavar="OUT", type=Path, help="the columnar file to write")


def _import(args: argparse.Namespace) -> int:
    from scheduler_core.workload import columnar
    from scheduler_core.workload.readers import read_trace

    source, target = args.source, args.target
    if not source.is_file():
        reason = "is not a plain file" if source.exists() else "does not exist"
        raise ExperimentError([Problem(str(source), reason, "a trace file")])
    if target.exists() and target.resolve() == source.resolve():
        raise ExperimentError([Problem(str(target), "is the file to read", "another name")])
    if target.is_dir() or not target.parent.is_dir():
        raise ExperimentError([Problem(str(target), "cannot be written", "a file in a folder that is there")])
    try:
        work = read_trace(source, args.format)
    except TraceError as error:
        raise ExperimentError(
            Problem(
                f"{source}: {problem.path}" if problem.path else str(source),
                problem.message,
                problem.allowed,
                problem.remedy,
            )
            for problem in error.problems
        ) from None
    columnar.write(work, target)
    print(f"{target}: {len(work.tasks):,} jobs, {len(work.duration_ns):,} tasks")
    return 0


LIST = Command("traces", "List the trace formats that can be read.", json_option, _list)
IMPORT = Command(
    "import-trace", "Convert a trace into the columnar format, which reads fastest.", _import_arguments, _import
)
