"""Kinds of questions to a worker, and the time limits for asking, answering and keeping them.

A kind is a module with a `KIND` and one line in `KINDS`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from playground.questions.answering import Asking

#: Modules that declare a kind. They lie with their subjects, above this package, so this module finds them by name.
KINDS = (
    "playground.asks.opening",
    "playground.asks.service",
    "playground.claims.again",
    "playground.classes.starts",
    "playground.runs.results.decisions",
    "playground.runs.results.starts",
    "playground.runs.results.tracks",
    "playground.traces.checking",
    "playground.traces.first_rows",
    "playground.traces.fitting",
    "playground.traces.imports",
    "playground.traces.statistics",
    "playground.why.difference",
    "playground.why.explanation",
    "playground.why.messages",
    "playground.why.network_picture",
    "playground.why.network_way",
    "playground.why.part_messages",
    "playground.why.policy",
    "playground.why.policy_words",
    "playground.why.smallest_change",
    "playground.why.solver_race",
)


@dataclass(frozen=True)
class Kind:
    """One kind of question. Its name is part of messages and keys, so it never changes.

    `answer` runs in a worker; it takes the question and returns the answer as JSON. A question of the place `run` goes
    to the worker that computes the run, which answers between two slices; such a kind has no `answer`.
    """

    name: str
    answer: Callable[[Asking], dict[str, Any]] | None = None
    place: Literal["pool", "run"] = "pool"
    #: The key of such a question is a run's id; log lines of its worker name it.
    about_run: bool = True
    #: Answer at most one question of all such kinds at a time, so that previews keep a process of their own.
    alone: bool = True
    #: The worker gives up when nobody has asked for some seconds.
    wanted: bool = True
    #: Seconds that a worker may take, and what to do about it when they are over.
    limit_s: int = 60
    too_long: str = "ask about less"
    #: Seconds for which Redis keeps a question without an answer, and an answer.
    waits_s: int = 600
    kept_s: int = 600
    #: A worker without a message for this number of seconds counts as gone. Compilation sends no messages.
    silent_s: int = 150


@functools.cache
def _by_name() -> dict[str, Kind]:
    found: list[Kind] = [import_module(module).KIND for module in KINDS]
    return {kind.name: kind for kind in found}


def kind_named(name: str) -> Kind:
    """Return the kind that a message names. Raises KeyError."""
    return _by_name()[name]
