"""Command `import-cluster`: make an experiment of what kubectl or Slurm print about a cluster."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from scheduler_core.cli.command import Command, json_option
from scheduler_core.cli.text import table
from scheduler_core.errors import ExperimentError, Problem

if TYPE_CHECKING:
    from scheduler_core.inventory.build.importing import Imported

_KEY_SUFFIX = ".names-key"


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files",
        metavar="FILE",
        type=Path,
        nargs="+",
        help="output of kubectl get -o json or yaml, sacct -P, scontrol show nodes or partition; or a CSV of machines",
    )
    parser.add_argument(
        "--out",
        metavar="EXPERIMENT.json",
        type=Path,
        required=True,
        help="the experiment to write; the cluster file lies beside it",
    )
    parser.add_argument(
        "--keep-names",
        action="store_true",
        help="keep names of nodes, pods, namespaces and labels; by default they become pseudonyms",
    )
    parser.add_argument(
        "--names-key",
        metavar="FILE",
        type=Path,
        help=f"the key of the pseudonyms; made if it is not there; by default EXPERIMENT{_KEY_SUFFIX}",
    )
    parser.add_argument(
        "--states",
        metavar="STATES",
        default="",
        help="for sacct: states of the jobs to take, such as COMPLETED,RUNNING, or all; by default all but CANCELLED",
    )
    json_option(parser)


def _import(args: argparse.Namespace) -> int:
    from scheduler_core.inventory.build.importing import SUFFIX, import_files, write_import
    from scheduler_core.inventory.names import Names, new_key, owner_key, save_key

    target: Path = args.out
    _check_target(target, args.files)
    key_path = args.names_key or target.with_suffix(_KEY_SUFFIX)
    beside = target.with_suffix(SUFFIX)
    # The key is made after the files were read: a refused import leaves nothing behind.
    names = Names(None if args.keep_names else owner_key(key_path) if key_path.exists() else new_key())
    imported = import_files(args.files, names, {"path": beside.name}, states=args.states)
    if names.secret is not None and not key_path.exists():
        save_key(key_path, names.secret)
    write_import(imported, target)
    if args.json:
        print(json.dumps(imported.report(), indent=2))
    else:
        _report(imported, target, None if args.keep_names else key_path)
    return 0


def _check_target(target: Path, files: list[Path]) -> None:
    if target.is_dir() or not target.parent.is_dir():
        raise ExperimentError([Problem(str(target), "cannot be written", "a file in a folder that is there")])
    if target.exists() and any(path.exists() and path.resolve() == target.resolve() for path in files):
        raise ExperimentError([Problem(str(target), "is a file to read", "another name")])


def _report(imported: Imported, target: Path, key: Path | None) -> None:
    said = imported.report()
    print(f"{target}: {said['machines']:,} machines", end="")
    for name in ("jobs", "pods", "tasks"):
        if name in said:
            print(f", {said[name]:,} {name}", end="")
    print(f"; {said['placed']:,} run at time 0, {said['pending']:,} wait, {said['later']:,} arrive later")
    if said["not_understood"]:
        rows = [("not understood", "count", "for example"), *(
            (field, f"{count:,}", ", ".join(said["not_understood_in"].get(field, ())[:2]))
            for field, count in said["not_understood"].items()
        )]  # fmt: skip
        print(table(rows, "  "))
    for note in said["notes"]:
        print(f"note: {note}", file=sys.stderr)
    if key is not None:
        print(f"note: names are pseudonyms; {key} holds the key. Keep it to yourself.", file=sys.stderr)


COMMAND = Command(
    "import-cluster",
    "Make an experiment of a cluster: machines, queues, and the pods or jobs that run, wait or ran on it.",
    _arguments,
    _import,
)
