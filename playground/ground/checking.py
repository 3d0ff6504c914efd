"""Check an experiment that a stranger sent: a small one here, a large one in a process of its own.

Checking 700 KB takes a second, in which the web process would serve nobody else.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from playground.errors import PlaygroundError, problem
from playground.ground.apart import TooCostly, ask_apart
from playground.ground.simulator import (
    digest_of,
    has_graphs,
    invalid_experiment,
    parse_experiment,
    refuse_unsupported,
    refused_path,
    refused_text,
    resolve_trace,
    web_limits,
)
from playground.ground.values import values_in
from playground.models.packed import PackedJson, packed_if_large
from scheduler_core.errors import Problem

#: What is checked here takes a twentieth of a second at most.
_MOST_BYTES, _MOST_VALUES = 64_000, 4_000
_CPU_S, _WALL_S = 30, 60
_MEMORY_BYTES = 2_000_000_000
_FILE = Path(__file__).with_name("checking_apart.py")


@dataclass(frozen=True)
class Checked:
    """A valid experiment with its defaults written out, as the database holds it."""

    name: str
    question: str
    schema_version: int
    digest: str
    data: dict[str, Any] | PackedJson

    @property
    def size(self) -> int:
        """The characters that it takes in the database."""
        return packed_if_large(self.data)[1] if isinstance(self.data, dict) else self.data.size

    @property
    def text(self) -> bytes:
        """Its JSON."""
        return json.dumps(self.data).encode() if isinstance(self.data, dict) else self.data.text


def checked_experiment(data: dict[str, Any] | bytes) -> Checked:
    """Check an experiment that came over HTTP, and that its scheduler supports it. Raises PlaygroundError."""
    if is_large(data):
        with suppress(RecursionError):  # nested so deeply that it cannot be written: refused below
            return _checked_apart(data)
    core = parse_experiment(data)
    refuse_unsupported(core)
    return Checked(core.name, core.question, core.schema_version, digest_of(core), core.to_dict())


def is_large(data: dict[str, Any] | bytes) -> bool:
    """Return True for an experiment that is too large to be checked in the web process."""
    if isinstance(data, bytes):
        return len(data) > _MOST_BYTES
    return values_in(data, most=_MOST_VALUES) > _MOST_VALUES


def _checked_apart(data: dict[str, Any] | bytes) -> Checked:
    told = _answer(data, None)
    if "needs_trace" in told:
        told = _answer(data, told["needs_trace"])
    if "problems" in told:
        raise invalid_experiment(Problem(**each) for each in told["problems"])
    if told.get("has_path"):
        raise refused_path()
    if told["unstorable"]:
        raise refused_text()
    keys = {"workload": {"trace": told["trace"]}} | ({"fork_of": told["fork_of"]} if told["fork_of"] else {})
    packed = PackedJson(told["packed"], keys)
    return Checked(told["name"], told["question"], told["schema_version"], told["digest"], packed)


def _file_of(trace_id: str | None) -> str | None:
    try:
        return None if trace_id is None else str(resolve_trace(trace_id))
    except LookupError:
        return ""


def _answer(data: dict[str, Any] | bytes, trace_id: str | None) -> dict[str, Any]:
    # JSON holds no bytes; in this encoding each byte is one letter.
    text = (data if isinstance(data, bytes) else json.dumps(data).encode()).decode("latin-1")
    asked = {"text": text, "limits": asdict(web_limits()), "trace": _file_of(trace_id), "graphs": has_graphs(trace_id)}
    try:
        told: dict[str, Any] = ask_apart(_FILE, asked, cpu_s=_CPU_S, wall_s=_WALL_S, memory_bytes=_MEMORY_BYTES)
    except TooCostly:
        item = problem("", "takes too much time or memory to check", remedy="send a smaller experiment")
        raise PlaygroundError(422, "invalid-experiment", "The experiment cannot be used", (item,)) from None
    except OSError:
        item = problem("", "the server checks other large experiments right now", remedy="ask again in a moment")
        raise PlaygroundError(503, "busy", "The experiment was not checked", (item,), retry_after_s=2) from None
    return told
