"""The packed start that the phones of a class share: each phone simulates its own fork from it, without a run here.

A worker packs the start once for each exploration. Its file is named by its digest, so browsers keep it for good.
`Classroom.explore` holds what the class is told of it.
"""

from __future__ import annotations

import hashlib
import math
import re
from contextlib import suppress
from http import HTTPStatus
from typing import Any, TypedDict

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction

from playground.contract.classes import ClassKnob, ClassStart
from playground.errors import PlaygroundError, problem
from playground.ground.simulator import resolve_trace, stored_experiment, web_limits
from playground.models import Classroom, Experiment
from playground.questions.answering import Asking
from playground.questions.asking import ask as ask_worker
from playground.questions.asking import read
from playground.questions.kinds import Kind
from playground.runs.results.starts import header_of
from playground.storage.connections import REDIS_AWAY
from scheduler_core import ExperimentError, Problem, library_digest
from scheduler_core.experiment import effective_queues

FOLDER = "starts"
_DIGEST = re.compile(r"[0-9a-f]{64}")


class Made(TypedDict):
    """A start: the digest of its file, what a phone needs beside it, and the parameters that a phone can change."""

    digest: str
    module: str
    memory_bytes: int
    turns: list[str]
    shares: list[float]
    warmup_s: float


class Kept(TypedDict):
    """What `Classroom.explore` holds: the question to the worker, empty once it is over, and its answer."""

    question: str
    made: Made | None


def ask(experiment: Experiment) -> Kept:
    """Ask a worker for the start of an experiment. Where none can be told, phones do without a start."""
    question = ""
    with suppress(PlaygroundError, *REDIS_AWAY):
        question = ask_worker(KIND, experiment.public_id, {"library": library_digest()[:16]}).name
    return {"question": question, "made": None}


def collect(classroom: Classroom) -> tuple[bool, bool]:
    """Store the start if it is there by now; return whether it came in, and whether it is still to come."""
    kept: Kept | None = (classroom.explore or {}).get("start")
    if kept is None or not kept["question"]:
        return False, False
    try:
        told = read(kept["question"])
    except REDIS_AWAY:
        return False, True
    if told is not None and not told.is_over:
        return False, True
    with transaction.atomic():
        row = Classroom.objects.select_for_update().get(pk=classroom.pk)
        if row.explore is not None and row.explore.get("start") == kept:
            row.explore["start"] = Kept(question="", made=None if told is None else told.answer)  # type: ignore[typeddict-item]
            row.save(update_fields=["explore"])
    return True, False


def start_news(made: Made | None, knobs: list[ClassKnob], tasks: int) -> ClassStart | None:
    """Return what phones are told of the start; None without one, and if it helps with no open parameter.

    `tasks`: the number of tasks after which a fork ends.
    """
    if made is None or not any(knob["path"] in made["turns"] for knob in knobs):
        return None
    return {
        "digest": made["digest"],
        "url": f"/api/v1/starts/{made['digest']}",
        "module": made["module"],
        "memory_bytes": made["memory_bytes"],
        "tasks": tasks,
        "shares": made["shares"],
        "warmup_s": made["warmup_s"],
    }


def packed_start(digest: str) -> bytes:
    """Return the file of a start. Raises PlaygroundError (404)."""
    name = _name_of(digest)
    try:
        if _DIGEST.fullmatch(digest) is None:
            raise FileNotFoundError(name)
        with default_storage.open(name, "rb") as file:
            content: bytes = file.read()
    except FileNotFoundError:
        item = problem(
            "digest", "names no start", allowed="the digest of a class's start", remedy="load the page again"
        )
        raise PlaygroundError(HTTPStatus.NOT_FOUND, "not-found", "There is no such start", (item,)) from None
    return content


def known_files() -> set[str]:
    """Return the names of the files that classes name."""
    explored = Classroom.objects.exclude(explore=None).values_list("explore", flat=True)
    made = [((explore or {}).get("start") or {}).get("made") for explore in explored]
    return {_name_of(one["digest"]) for one in made if one}


def _name_of(digest: str) -> str:
    return f"{FOLDER}/{digest}"


def _answer(asking: Asking) -> dict[str, Any]:
    # Load the compiler, which the web process does without.
    from scheduler_core import start_file

    experiment = stored_experiment(Experiment.objects.get(public_id=asking.key))
    if any("share" in event.value for event in experiment.events):
        why = "an event changes a queue's share, and a phone does not measure fairness then"
        raise ExperimentError([Problem("events", why, remedy="the server computes the forks")])
    made = start_file(experiment, touchable=True, resolve_trace=resolve_trace, limits=web_limits())
    digest = hashlib.sha256(made.content).hexdigest()
    if not default_storage.exists(_name_of(digest)):
        default_storage.save(_name_of(digest), ContentFile(made.content))
    header = header_of(made.content)
    arrays = (array for each in header["arguments"] for array in each["arrays"])
    answer: Made = {
        "digest": digest,
        "module": made.module,
        "memory_bytes": sum(array["row"] * math.prod(array["shape"]) for array in arrays),
        "turns": [turn["path"] for turn in header.get("turns", ())],
        "shares": [queue.share for queue in effective_queues(experiment)],
        "warmup_s": experiment.warmup_s,
    }
    return dict(answer)


# Nobody waits for it: until it is there, the server computes the forks.
KIND = Kind("class-start", _answer, about_run=False, wanted=False, limit_s=60, too_long="simulate fewer tasks")
