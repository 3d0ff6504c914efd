"""Commands `kernels build` and `kernels check`: event loops as WebAssembly modules."""

from __future__ import annotations

import argparse
import json
import sys
import time
from typing import Any

from scheduler_core.cli.command import Command, json_option, subcommand
from scheduler_core.cli.text import seconds

STALE = 1
"""The exit code of `kernels check` where modules are stale or missing."""


def _arguments(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    build = subcommand(commands, "build", "Build the modules that are missing or stale, and pack all of them.")
    build.add_argument("--all", action="store_true", help="build every module again")
    build.add_argument(
        "--processes", type=int, metavar="N", help="compile in N processes; one for each core if not set"
    )
    build.set_defaults(does=_build)
    check = subcommand(commands, "check", "List the modules, their sizes, and what stays on the server.")
    json_option(check)
    check.set_defaults(does=_check)


def _run(args: argparse.Namespace) -> int:
    code: int = args.does(args)
    return code


def _build(args: argparse.Namespace) -> int:
    from scheduler_core.kernels.build import build

    began = time.perf_counter()
    built = build(
        lambda kernel: print(f"{kernel}: {seconds(time.perf_counter() - began)}", flush=True), args.all, args.processes
    )
    print(f"{len(built)} modules built" if built else "nothing to build", file=sys.stderr)
    return 0


def _check(args: argparse.Namespace) -> int:
    from scheduler_core.kernels.check import report

    found = report()
    print(json.dumps(found, indent=2) if args.json else _table(found))
    return STALE if found["stale"] or found["missing"] else 0


def _table(found: dict[str, Any]) -> str:
    rows = [("event loop", "state", "bytes", "packed")]
    rows += [
        (each["kernel"], each["state"], f"{each['bytes'] or 0:,}", f"{each['packed_bytes'] or 0:,}")
        for each in found["modules"]
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = [f"{a:<{widths[0]}}  {b:<{widths[1]}}  {c:>{widths[2]}}  {d:>{widths[3]}}" for a, b, c, d in rows]
    rest, first = found["others"], found["first"]
    lines += ["", f"other kernels: {len(rest)}, {sum(rest.values()):,} bytes"]
    lines += [f"{found['file']}: {found['bytes']:,} bytes", "", _first(first)]
    lines += ["", "Event loops that stay on the server, because they ask Python in mid-run:"]
    lines += [
        f"  {each['kernel']} ({', '.join(each['schedulers'])}), {each['when']}: {each['why']}"
        for each in found["server"]
    ]
    if found["stale"] or found["missing"]:
        lines += ["", f"Stale or missing: {len(found['stale']) + len(found['missing'])}. Build them: {found['build']}"]
    return "\n".join(lines)


def _first(first: dict[str, Any]) -> str:
    """Say whether kernels run from their modules until they are compiled, and why not."""
    if first["lacking"]:
        return f"Kernels are compiled before their first run, because wasmtime does not work: {first['lacking']}"
    if not first["on"]:
        return f"Kernels are compiled before their first run, because {first['variable']} is set."
    return "A kernel that is not compiled yet runs from its module, while another process compiles it."


COMMAND = Command("kernels", "Build or check the event loops as WebAssembly modules.", _arguments, _run)
