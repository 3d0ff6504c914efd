"""Check a large experiment, in a process of its own (`playground.ground.apart`), which imports the library alone."""

from __future__ import annotations

import base64
import json
import zlib
from pathlib import Path
from typing import Any

from scheduler_core import Experiment, scheduler_by_name, unsupported
from scheduler_core.errors import ExperimentError
from scheduler_core.experiment.derived import refused_graphs
from scheduler_core.limits import Limits


def answer(asked: dict[str, Any]) -> dict[str, Any]:
    """Check the experiment whose bytes are the letters of `text`; return its parts, compressed, or its `problems`.

    `trace` is the file of its trace, empty if the trace does not exist, and `graphs` whether it has DAG jobs. If
    `trace` is null, the answer for an experiment of a trace is the trace's id: `needs_trace`.
    """
    try:
        experiment = Experiment.parse(asked["text"].encode("latin-1"), limits=Limits(**asked["limits"]))
        found = experiment.to_dict()
        workload = found["workload"]
        if workload.get("path") is not None:
            return {"has_path": True}
        if workload.get("trace") and asked["trace"] is None:
            return {"needs_trace": workload["trace"]}
        _refuse_unsupported(experiment, has_graphs=asked["graphs"])
        text = json.dumps(found, separators=(",", ":"))
        return {
            "name": experiment.name,
            "question": experiment.question,
            "schema_version": experiment.schema_version,
            "digest": experiment.digest(lambda _: _found(asked["trace"])),
            "packed": base64.b85encode(zlib.compress(text.encode())).decode(),
            "trace": workload.get("trace"),
            "fork_of": found["fork_of"],
            "unstorable": _is_unstorable(text),
        }
    except ExperimentError as error:
        # One more than an answer of the server lists (`playground.errors`), so that it tells of the others.
        return {"problems": [each.to_dict() for each in error.problems[:101]]}


def _found(file: str) -> Path:
    if not file:
        raise LookupError
    return Path(file)


def _refuse_unsupported(experiment: Experiment, *, has_graphs: bool) -> None:
    honored = scheduler_by_name(experiment.scheduler.name).honors(experiment)
    problems = unsupported(experiment, honored)
    if has_graphs and (refusal := refused_graphs(experiment, honored)) is not None:
        problems.append(refusal)
    if problems:
        raise ExperimentError(problems)


def _is_unstorable(text: str) -> bool:
    """Return True for text with a NUL or half of a surrogate pair; JSON writes whole pairs as two halves."""
    whole = json.dumps(json.loads(text), ensure_ascii=False)
    return "\\u0000" in whole or any("\ud800" <= letter <= "\udfff" for letter in whole)
