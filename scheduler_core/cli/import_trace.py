"""Command `import-trace`: convert a trace, or part of it, to columnar form and report the skipped rows."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scheduler_core.cli.command import Command, json_option
from scheduler_core.cli.interrupt import end_if_interrupted
from scheduler_core.cli.text import percent, seconds, table, tree
from scheduler_core.errors import ExperimentError, Problem, TraceError, did_you_mean, listed

if TYPE_CHECKING:
    from scheduler_core.workload.raw import RawWork
    from scheduler_core.workload.readers.watching import Reading

_CUTS = {"from_s": "S", "to_s": "S", "sample": "SHARE", "sample_seed": "N", "rate_factor": "X", "tasks": "N"}


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--format", metavar="F", help="format of IN (see `traces`); by default the content decides")
    parser.add_argument(
        "--column",
        metavar="MEANING=NAME",
        action="append",
        default=[],
        help="meaning of a column in a table of your own, such as arrival=submitted, duration=run_ms, job=app, "
        "time_unit=s or duration_unit=ms; by default the meanings are guessed from the first rows",
    )
    parser.add_argument(
        "--without-bad-lines",
        action="store_true",
        help="leave out lines of a table of your own with a value that is not what its column says",
    )
    parser.add_argument(
        "--preview", action="store_true", help="show the first rows and the guessed columns; write nothing"
    )
    parser.add_argument(
        "--constraints", metavar="FILE", type=Path, help="for the format google-2011: its table task_constraints"
    )
    parser.add_argument(
        "--machine-attributes",
        metavar="FILE",
        type=Path,
        help="for the format google-2011: its table machine_attributes",
    )
    helps = _cut_helps()
    for name, what in _CUTS.items():
        parser.add_argument("--" + name.replace("_", "-"), metavar=what, help=helps[name])
    parser.add_argument("--statistics", action="store_true", help="print statistics of the trace")
    json_option(parser)
    parser.add_argument("source", metavar="IN", type=Path, help="a trace: a plain file, or packed by gzip or zstd")
    parser.add_argument("target", metavar="OUT", type=Path, nargs="?", help="the columnar (Parquet) file to write")


def _cut_helps() -> dict[str, str]:
    from scheduler_core.workload.readers.cutting import Cut

    return {name: _as_help(Cut.model_fields[name].description or "") for name in _CUTS}


def _as_help(sentence: str) -> str:
    """Write a field's sentence as the command's other helps are written."""
    return (sentence[:1].lower() + sentence[1:].rstrip(".")).replace("%", "%%")


def _import(args: argparse.Namespace) -> int:
    from scheduler_core.workload.readers import columnar
    from scheduler_core.workload.readers.cutting import cut_work, parse_cut
    from scheduler_core.workload.readers.registry import read_trace
    from scheduler_core.workload.readers.watching import watched

    source, target = args.source, args.target
    _check_paths(source, target, args)
    cut = parse_cut({name: _number(name, given) for name in _CUTS if (given := getattr(args, name)) is not None}, "")
    progress = _Progress()
    try:
        if args.preview:
            return _preview(source, args.json)
        with watched(progress.on_reading):
            work = cut_work(read_trace(source, args.format, beside=_beside(args)), cut)
    except TraceError as error:
        raise ExperimentError(_in_file(source, problem) for problem in error.problems) from None
    finally:
        progress.close()
    if target is not None:
        columnar.write_trace(work, target)
    _report(work, args, progress)
    return 0


def _in_file(source: Path, problem: Problem) -> Problem:
    where = f"{source}: {problem.path}" if problem.path else str(source)
    return Problem(where, problem.message, problem.allowed, problem.remedy)


def _check_paths(source: Path, target: Path | None, args: argparse.Namespace) -> None:
    for path in (source, args.constraints, args.machine_attributes):
        if path is not None and not path.is_file():
            reason = "is not a plain file" if path.exists() else "does not exist"
            raise ExperimentError([Problem(str(path), reason, "a trace file")])
    if target is None:
        if not (args.preview or args.statistics):
            raise ExperimentError([Problem("OUT", "is missing", "the file to write", "or ask for --statistics alone")])
        return
    if target.exists() and target.resolve() == source.resolve():
        raise ExperimentError([Problem(str(target), "is the file to read", "another name")])
    if target.is_dir() or not target.parent.is_dir():
        raise ExperimentError([Problem(str(target), "cannot be written", "a file in a folder that is there")])


def _number(name: str, text: str) -> float | int | str:
    """Read a number; the check refuses what is none."""
    try:
        return int(text) if text.lstrip("-").isdigit() else float(text)
    except ValueError:
        return text


def _beside(args: argparse.Namespace) -> Any:
    """Put together what lies beside the file; a table of no known format gets the mapping that its names suggest."""
    from scheduler_core.workload.raw import Beside
    from scheduler_core.workload.raw.columns import Columns, parse_columns
    from scheduler_core.workload.readers.guessing import first_rows

    given: dict[str, Any] = {}
    for pair in args.column:
        key, equals, value = pair.partition("=")
        if not equals or key not in Columns.model_fields:
            raise ExperimentError(
                [
                    Problem(
                        "--column",
                        f"is '{pair}'{did_you_mean(key, Columns.model_fields)}",
                        f"MEANING=NAME, MEANING one of {listed(Columns.model_fields)}",
                    )
                ]
            )
        given[key] = {"true": True, "false": False}.get(value, value) if key == "header" else value
    if not given and args.format is None:
        found = first_rows(args.source)
        if found["format"] is None:
            given = found["guess"]
            print(f"note: no known format; guessed {_said(given)}", file=sys.stderr)
    if given and args.without_bad_lines:
        given["bad_lines"] = "leave_out"
    columns = parse_columns(given, "--column") if given else None
    return Beside(columns, args.constraints, args.machine_attributes)


def _said(mapping: dict[str, Any]) -> str:
    return " ".join(
        f"--column {key}={str(value).lower() if isinstance(value, bool) else value!r}" for key, value in mapping.items()
    )


def _preview(source: Path, as_json: bool) -> int:
    from scheduler_core.workload.readers.guessing import first_rows

    found = first_rows(source)
    if as_json:
        print(json.dumps(found, indent=2))
    elif found["format"] is not None:
        print(f"{source}: format {found['format']}")
    else:
        print(table([found["columns"], *found["rows"]]))
        print(f"\nguessed: {_said(found['guess'])}")
    return 0


def _report(work: RawWork, args: argparse.Namespace, progress: _Progress) -> None:
    from scheduler_core.workload.statistics.traces import trace_statistics

    found = trace_statistics(work) if args.statistics else None
    left_out = [{"kind": one.kind, "count": one.count, "first_line": one.first_line} for one in work.left_out]
    if args.json:
        print(
            json.dumps(
                {
                    "jobs": len(work.tasks),
                    "tasks": len(work.duration_ns),
                    "left_out": left_out,
                    "notes": list(work.notes),
                    "constraints": [vars(one) for one in work.asked],
                    "statistics": found,
                },
                indent=2,
            )
        )
        return
    print(f"{args.target or args.source}: {len(work.tasks):,} jobs, {len(work.duration_ns):,} tasks")
    if work.left_out:
        print(
            table(
                [
                    ("left out", "count", "first line"),
                    *((one.kind, f"{one.count:,}", f"{one.first_line:,}") for one in work.left_out),
                ],
                "  ",
            )
        )
    for note in work.notes:
        if not any(one.kind in note for one in work.left_out):
            print(f"note: {note}", file=sys.stderr)
    if found is not None:
        print("\n".join(tree({key: found[key] for key in ("span_s", "work_s", "mean_concurrency", "long")})))
        graphs = found["graphs"] or {"distributions": {}}
        for key in ("jobs", "stages", "edges", "parallelism"):
            if key in graphs:
                print(f"graphs.{key}: {graphs[key]:,.4g}")
        for name, of in (found["distributions"] | graphs["distributions"]).items():
            if of is not None:
                show = seconds if name.endswith("_s") else "{:,.4g}".format
                print(
                    f"{name}: mean {show(of['mean'])}, cv {of['cv']:.3g}, "
                    + ", ".join(f"{key} {show(value)}" for key, value in of["percentiles"].items())
                )


class _Progress:
    """One line on a terminal that changes during the reading."""

    def __init__(self) -> None:
        self._shows = sys.stderr.isatty()
        self._next = time.monotonic() + 0.5
        self._shown = False

    def on_reading(self, reading: Reading) -> None:
        """End if Ctrl-C came; show how far reading is, five times a second at most."""
        end_if_interrupted()
        now = time.monotonic()
        if self._shows and now >= self._next:
            self._next, self._shown = now + 0.2, True
            share = percent(reading.position / max(reading.size, 1))
            sys.stderr.write(f"\r{share} read, {reading.rows:,} rows   ")
            sys.stderr.flush()

    def close(self) -> None:
        """Remove the line."""
        if self._shown:
            sys.stderr.write("\r" + " " * 60 + "\r")
            sys.stderr.flush()


COMMAND = Command(
    "import-trace",
    "Convert a trace, or a part of it, into the columnar format (Parquet), which is the fastest to read.",
    _arguments,
    _import,
)
