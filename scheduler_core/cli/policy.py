"""Command `policy check`: check a policy of one's own and say what it reads and costs."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from scheduler_core.cli.command import Command, json_option, subcommand
from scheduler_core.errors import ExperimentError, Problem


def _arguments(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    check = subcommand(commands, "check", "Check a policy: exit 0, or 2 with the place of every problem.")
    check.add_argument("file", metavar="FILE", help="the file of a policy")
    json_option(check)


def read_policy(name: str) -> str:
    """Return the text of a policy's file. Raises ExperimentError for a file that is no text or far too long."""
    from scheduler_core.policy import POLICY_LIMITS

    with Path(name).open("rb") as file:
        data = file.read(POLICY_LIMITS.bytes + 1)
    if len(data) > POLICY_LIMITS.bytes:
        allowed = f"at most {POLICY_LIMITS.bytes:,} bytes (limit 'bytes')"
        raise ExperimentError([Problem(name, "is too long for a policy", allowed)])
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise ExperimentError([Problem(name, "is not a text", "a text in UTF-8")]) from None


def _run(args: argparse.Namespace) -> int:
    from scheduler_core.explanation.policies import check_policy

    found = check_policy(read_policy(args.file))
    if args.json:
        print(json.dumps(found, indent=2))
    if not found["valid"]:
        for one in found["problems"] if not args.json else ():
            place = f"{args.file}: line {one['line']}, column {one['column']}"
            print(Problem(place, one["message"], one["allowed"], one["remedy"]), file=sys.stderr)
        return 2
    if not args.json:
        print(f"valid: {', '.join(one['name'] for one in found['hooks'])}")
        for one in found["settings"]:
            print(f"  setting {one['name']}: {one['default']:g}, from {one['low']:g} to {one['high']:g}")
        for one in found["words"]:
            oracle = "; no real scheduler knows this" if one["known"] == "oracle" else ""
            print(f"  reads {one['word']}: {one['meaning']}{oracle}")
        print(f"  {_cost(found['choice'])}")
    return 0


def _cost(choice: dict[str, Any]) -> str:
    """Return what the choice of a machine costs, in a line."""
    if choice["kept"]:
        return "choice of a machine: scores are kept, and computed again for machines that changed"
    causes = ", ".join(choice["depends"])
    return f"choice of a machine: {choice['each']} steps for each machine in every decision (depends on {causes})"


COMMAND = Command("policy", "Check a policy of your own.", _arguments, _run)
