"""Import a cluster that was sent to a server: one file, whose names are pseudonyms already or become so here."""

from __future__ import annotations

import re
import tempfile
import zlib
from pathlib import Path
from typing import Any

from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.inventory.build.importing import import_files, is_cluster_export
from scheduler_core.inventory.kubernetes.allowed import NEXT_FILE
from scheduler_core.inventory.lines import lines
from scheduler_core.inventory.names import Names, new_key
from scheduler_core.limits import Limits
from scheduler_core.workload.clusters.file import read_cluster_file, write_cluster_file
from scheduler_core.workload.readers.packed import opened
from scheduler_core.workload.readers.watching import inside_guard

NEXT_TEXT = f'{{"kind":"{NEXT_FILE}","of":"text"}}'.encode()
"""The line by which a page begins each text of Slurm that it has filtered."""
_HEAD = 200
_MOST_TEXTS = 64


def import_served(source: Path, target: Path, limits: Limits) -> None:
    """Read what kubectl or a page's filter gave, and write a cluster file. Raises ExperimentError.

    A file that a page has filtered begins with an object of the kind NEXT_FILE; its names stay as they are. Names of
    other files become pseudonyms by a key that is thrown away.
    """
    try:
        with opened(source) as file:
            head = file.read(_HEAD)
        names = Names(None if NEXT_FILE.encode() in head else new_key())
        with tempfile.TemporaryDirectory(dir=target.parent) as folder, inside_guard():
            parts = _texts(source, Path(folder), limits) if head.startswith(NEXT_TEXT) else [source]
            imported = import_files(parts, names, {"path": "cluster"}, limits=limits)
    except MemoryError:
        raise ExperimentError(
            [Problem("", "needs more memory than the limit for reading", "a smaller cluster")]
        ) from None
    except UnicodeDecodeError:
        raise ExperimentError([Problem("", "has text that is not UTF-8", "UTF-8", "send it again")]) from None
    except (OSError, EOFError, zlib.error):
        raise ExperimentError([Problem("", "is damaged", "a whole file", "send it again")]) from None
    except ExperimentError as error:
        raise ExperimentError(_without(source, problem) for problem in error.problems) from None
    if imported.content is None:
        raise ExperimentError([Problem("", "has no pods and no jobs", "a cluster with work", "add them to the file")])
    write_cluster_file(imported.content, target)


def served_facts(path: Path) -> dict[str, Any]:
    """Return what a page shows of a cluster file: the experiment without its trace, the report, and histograms."""
    head = read_cluster_file(path).head
    return {name: head.get(name) for name in ("experiment", "report", "charts")}


def _texts(source: Path, folder: Path, limits: Limits) -> list[Path]:
    """Write the texts that a page has put into one file to files of their own; a line NEXT_TEXT begins each."""
    parts: list[Path] = []
    texts: list[list[str]] = []
    for line in lines(source, limits):
        begins = line.encode() == NEXT_TEXT
        if begins or not texts:
            texts.append([])
        if not begins:
            texts[-1].append(line)
    for number, text in enumerate(texts[:_MOST_TEXTS]):
        parts.append(folder / f"file {number + 1}")
        parts[-1].write_text("\n".join(text) + "\n", "utf-8")
    return parts


def _without(source: Path, problem: Problem) -> Problem:
    """Remove the name of a temporary file from a problem."""
    where = problem.path.removeprefix(str(source)).removeprefix(": ")
    where = re.sub(rf"^{re.escape(str(source.parent))}[^:]*/(file [0-9]+)", r"\1", where)
    return Problem(where, problem.message, problem.allowed, problem.remedy)


__all__ = ["import_served", "is_cluster_export", "served_facts"]
