"""Exports of clusters hold passwords and names: only what the reader uses is stored.

An export that comes as a whole becomes a cluster file before anything of it is stored. An export that comes in pieces
is refused, because each piece is stored at once; a page filters it before it sends the first one.
"""

from __future__ import annotations

import gzip
import zlib
from dataclasses import asdict
from pathlib import Path

from playground.errors import PlaygroundError, problem
from playground.ground.apart import TooCostly, ask_apart
from playground.ground.shared_places import Places
from playground.ground.simulator import problems_in, web_limits
from scheduler_core import is_cluster_export
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.inventory.kubernetes.allowed import NEXT_FILE

_CPU_S, _WALL_S, _WAIT_S = 60, 80, 20
_MEMORY_BYTES = 3_000_000_000
_FILE = Path(__file__).with_name("clusters_apart.py")
#: Other processes that check what strangers send do not wait for these.
_PLACES = Places(2)
#: A page's filter writes its mark here.
HEAD_BYTES = 200
_GZIP = b"\x1f\x8b"


def storable(path: Path) -> Path:
    """Return the file that may be stored of a received one: itself, or the cluster file of an export, beside it.

    Raises PlaygroundError for an export that cannot be read.
    """
    if not is_cluster_export(path):
        return path
    target = path.with_name("cluster")
    asked = {"source": str(path), "target": str(target), "limits": asdict(web_limits())}
    try:
        told = ask_apart(
            _FILE, asked, cpu_s=_CPU_S, wall_s=_WALL_S, wait_s=_WAIT_S, memory_bytes=_MEMORY_BYTES, places=_PLACES
        )
    except TooCostly:
        item = problem("", "takes too much time or memory to read", remedy="use import-cluster on the command line")
        raise PlaygroundError(422, "invalid-trace", "The cluster cannot be used", (item,)) from None
    except TimeoutError:
        item = problem("", "the server reads other clusters right now", remedy="send it again in a moment")
        raise PlaygroundError(503, "busy", "The cluster was not read", (item,), retry_after_s=10) from None
    if told["problems"]:
        items = problems_in(ExperimentError(Problem(**each) for each in told["problems"]))
        raise PlaygroundError(422, "invalid-trace", "The cluster cannot be used", tuple(items))
    return target


def _head(path: Path) -> bytes:
    """Return the first bytes of a file or of its first piece, unpacked; none where it is damaged."""
    try:
        with path.open("rb") as plain:
            packed = plain.read(2) == _GZIP
        with gzip.open(path) if packed else path.open("rb") as file:
            return file.read(HEAD_BYTES)
    except (OSError, EOFError, zlib.error):
        return b""


def refuse_unfiltered(path: Path) -> None:
    """Refuse a file that begins like an export, unless a page has filtered it. Raises PlaygroundError."""
    is_filtered = NEXT_FILE.encode() in _head(path)
    if is_filtered or not is_cluster_export(path):
        return
    item = problem(
        "", "is an export of a cluster, which may hold passwords; pieces of it would be stored",
        allowed="an export as a whole, of which only the fields that the reader uses are stored",
        remedy="use import-cluster on the command line and send its .cluster file, or send the export to POST /traces",
    )  # fmt: skip
    raise PlaygroundError(422, "unfiltered-cluster", "An export of a cluster cannot come in pieces", (item,))
