"""Answer a question in a worker: take it if a user still waits, report progress, and store the answer."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from celery.exceptions import SoftTimeLimitExceeded

from playground.errors import PlaygroundError, ProblemItem, problem
from playground.ground.simulator import problems_in
from playground.questions import store
from playground.questions.asking import name_of
from playground.questions.kinds import Kind, kind_named
from playground.storage import draining, leases
from playground.storage.keys import ONE_AT_A_TIME
from playground.storage.leases import Lease
from scheduler_core import Cancelled, ExperimentError

if TYPE_CHECKING:
    from scheduler_core import Simulation

_TELL_EVERY_S = 0.25
_AGAIN_S = 0.2


class HandedBack(Cancelled):
    """Raised when this worker is drained: another one answers the question from its beginning."""


def answer_question(*, task: Any, kind_name: str, name: str) -> str:
    """Answer a question unless nobody waits for it any more; return its final state.

    Questions of kinds that are `alone` are answered one at a time. If another is being answered, the message returns
    a moment later: this raises Celery's Retry, so the task's own `max_retries` must be None.
    """
    kind = kind_named(kind_name)
    facts = store.find(name)
    if facts is None or facts["state"] in store.OVER:
        return "gone"
    if kind.wanted and not store.is_wanted(name):
        store.forget(name)
        return "gone"
    asking = Asking(kind, name, facts)
    try:
        if not kind.alone:
            return asking.work()
        token = secrets.token_hex(16)
        if not leases.take_lease(ONE_AT_A_TIME, token):
            raise task.retry(countdown=_AGAIN_S)
        with Lease(ONE_AT_A_TIME, token):
            return asking.work()
    except HandedBack:
        raise task.retry(countdown=_AGAIN_S) from None


def answer_inbox(*, run_id: str, kind: Kind, find: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Answer the questions of a kind that wait for a run's worker, which calls this between two slices."""
    for name in store.inbox(run_id):
        facts = store.find(name)
        if facts is not None and facts["kind"] != kind.name:
            continue
        if facts is not None:
            store.put(name, {**facts, "state": "done", "progress": 1.0, "answer": find(facts["args"])}, kind.kept_s)
        store.take_from_inbox(run_id, name)


class Asking:
    """A question that a worker answers. Record its progress a few times a second; stop if no user waits any more."""

    def __init__(self, kind: Kind, name: str, facts: dict[str, Any]) -> None:
        self.kind, self.name, self.facts = kind, name, facts
        self.key: str = facts["key"]
        self.args: dict[str, Any] = facts["args"]
        self._next, self._progress = 0.0, 0.0

    def tell(self, **changes: Any) -> None:
        """Record changes of the question."""
        self.facts |= changes
        kept_s = self.kind.kept_s
        if self.facts["state"] not in store.OVER:
            kept_s = max(kept_s, self.kind.waits_s)
        store.put(self.name, self.facts, kept_s)

    def look(self, progress: float, **changes: Any) -> None:
        """Record the progress, 0 to 1. Raises Cancelled if no caller waits any more or a user stopped the question.

        Raises HandedBack, which is one too, if this worker is drained.
        """
        now = time.monotonic()
        self._progress = max(self._progress, min(progress, 0.99))
        if now < self._next:
            return
        self._next = now + _TELL_EVERY_S
        if draining.has_begun():
            raise HandedBack
        known = store.find(self.name)
        if known is None or known["state"] in store.OVER or store.is_stopped(self.name):
            raise Cancelled
        if self.kind.wanted and not store.is_wanted(self.name):
            raise Cancelled
        self.tell(progress=self._progress, **changes)

    def on_slice(self, simulation: Simulation) -> None:
        """Record the progress between two slices of a simulation."""
        self.look(simulation.progress)

    def add_row(self, row: dict[str, Any]) -> None:
        """Add a row to an answer that arrives row by row."""
        store.add_row(self.name, row)

    def answer_also(self, args: dict[str, Any], answer: dict[str, Any]) -> None:
        """Store the answer to another question about the same subject, found on the way."""
        facts = {**self.facts, "args": args, "state": "done", "progress": 1.0, "problems": [], "answer": answer}
        store.put(name_of(self.kind, self.key, args), facts, self.kind.kept_s)

    def work(self) -> str:
        """Answer the question or record its problems; return its final state."""
        from scheduler_core import compile_for_people, leave_marks, watch_compiling

        assert self.kind.answer is not None
        try:
            self.tell(state="working")
            compile_for_people()
            leave_marks()
            with watch_compiling(lambda compiling: self.tell(state="compiling" if compiling else "working")):
                found = self.kind.answer(self)
            self.tell(answer=found, state="done", progress=1.0)
        except HandedBack:
            store.forget_rows(self.name)
            self.tell(state="waiting")
            raise
        except Cancelled:
            self.tell(state="cancelled")
        except ExperimentError as error:
            self._fail(*problems_in(error))
        except PlaygroundError as error:
            self._fail(*(error.problems or (problem("", str(error)),)))
        except LookupError as error:
            self._fail(problem("", str(error)))
        except SoftTimeLimitExceeded:
            self._fail(problem("", "it took too long", remedy=self.kind.too_long))
        except Exception:
            self._fail(problem("", "the answer failed; the error was logged"), broke=True)
            raise
        return str(self.facts["state"])

    def _fail(self, *problems: ProblemItem, broke: bool = False) -> None:
        self.tell(state="failed", problems=list(problems), broke=broke)
