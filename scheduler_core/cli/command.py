"""The form of a subcommand."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Command:
    """A subcommand: its name, one line of help, its arguments, and what it does (returning the exit code)."""

    name: str
    help: str
    arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


def no_arguments(parser: argparse.ArgumentParser) -> None:
    """Add nothing."""


def subcommand(commands: Any, name: str, about: str) -> argparse.ArgumentParser:
    """Add a subcommand to a command, with one sentence for its help and for the list of its siblings."""
    parser: argparse.ArgumentParser = commands.add_parser(name, help=about, description=about, allow_abbrev=False)
    return parser


def json_option(parser: argparse.ArgumentParser) -> None:
    """Add --json."""
    parser.add_argument("--json", action="store_true", help="print JSON")
