"""Recordings that are shipped with the product: `manage.py ship_recordings` makes them, fixtures/known holds them.

Each recording has at most 500 KB, so the larger ones are brief: fewer frames and no table of tasks. A recording that is
damaged, or that other code made, is not used; the log says so once.
"""

from __future__ import annotations

import functools
import hashlib
import json
import logging
from dataclasses import asdict, dataclass
from pathlib import Path

from django.conf import settings

from scheduler_core import library_digest, outcome_code, outcome_code_at_hand

logger = logging.getLogger(__name__)

INDEX = "index.json"


@dataclass(frozen=True)
class Shipped:
    """One shipped recording: its experiment, the code that made it, and its file."""

    name: str
    scheduler: str
    #: Digest of the experiment, and of the code behind every run of its scheduler (scheduler_core.outcome_code).
    question: str
    code: str
    file: str
    sha256: str
    brief: bool
    #: SHA-256 of the networks and paths that are shipped beside it (networks.py); empty for none.
    networks: str = ""


def folder() -> Path:
    """Return the folder of the recordings."""
    return Path(settings.FIXTURES_DIR) / "known"


@functools.cache
def read_index(place: Path) -> tuple[str, dict[str, Shipped]]:
    """Return the code that made the recordings, and the recordings by experiment; nothing if none is readable."""
    try:
        index = json.loads((place / INDEX).read_text(encoding="utf-8"))
        return str(index["library"]), {row["question"]: Shipped(**row) for row in index["recordings"]}
    except (OSError, ValueError, KeyError, TypeError) as error:
        logger.warning("shipped recordings cannot be used, runs are computed: %s", error)
        return "", {}


def write_index(place: Path, recordings: list[Shipped]) -> None:
    rows = [asdict(each) for each in recordings]
    text = json.dumps({"library": library_digest(), "recordings": rows}, indent=1)
    (place / INDEX).write_text(text + "\n", encoding="utf-8")


def code_of(scheduler: str) -> str:
    """Return the digest of the code behind every run of a scheduler, as stored with the recordings or computed now."""
    return _noted(scheduler) or outcome_code(scheduler)


def quick_code_of(scheduler: str) -> str:
    """Return `code_of`, or `this_library` if the digest takes a second, because a worker's next run would wait."""
    return _noted(scheduler) or outcome_code_at_hand(scheduler) or this_library()


def this_library() -> str:
    """Return a name for all code of the library, which is valid until any file changes."""
    return f"library-{library_digest()}"


def _noted(scheduler: str) -> str:
    library, recordings = read_index(folder())
    # The same files need no second look at which of them matter.
    if library != library_digest():
        return ""
    return next((each.code for each in recordings.values() if each.scheduler == scheduler), "")


def find_shipped(question: str) -> tuple[Shipped, bytes] | None:
    """Return the shipped recording of an experiment, and its bytes; None if no recording is valid today."""
    found = valid_shipped(question)
    return None if found is None else _read(found)


def valid_shipped(question: str) -> Shipped | None:
    """Return what is known about the shipped recording of an experiment; None if today's code did not make it."""
    found = read_index(folder())[1].get(question)
    if found is not None and found.code != code_of(found.scheduler):
        say_once(found.name, "other code made it")
        return None
    return found


def _read(found: Shipped) -> tuple[Shipped, bytes] | None:
    try:
        content = (folder() / found.file).read_bytes()
    except OSError as error:
        say_once(found.name, str(error))
        return None
    if hashlib.sha256(content).hexdigest() != found.sha256:
        say_once(found.name, "the file is damaged")
        return None
    return found, content


@functools.cache
def say_once(name: str, why: str) -> None:
    """Log once why a shipped file is not used."""
    logger.warning("the shipped recording %s is not used, its run is computed again: %s", name, why)
