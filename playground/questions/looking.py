"""Questions about a run that a worker answers: who asks, asks again; when nobody does any more, it gives up.

Answers are kept for some minutes, so going to and fro costs nothing.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from celery import current_app
from celery.exceptions import SoftTimeLimitExceeded
from kombu.exceptions import OperationalError

from playground.errors import PlaygroundError, ProblemItem, problem
from playground.ground.simulator import problems_in
from playground.models import Run
from playground.questions import looks
from scheduler_core import Cancelled, ExperimentError, Simulation, watch_compiling

_TELL_EVERY_S = 0.25
_SILENT_S = 150.0  # longer than a worker may take: it says nothing while it compiles
_FAILED_S = 10.0


def read_look(task: str, run: Run, asked: dict[str, Any]) -> dict[str, Any]:
    """Give the answer to a question about a run, or how far the worker is that looks for it. Raises PlaygroundError."""
    look = name_of(run.public_id, asked)
    looks.want(look)
    facts = looks.find(look)
    if facts is not None and _is_stale(facts):
        looks.forget(look)
        facts = None
    if facts is None:
        looks.want(look)
        if looks.begin(look, {"asked": asked}):
            send(task, [run.public_id, look])
        facts = looks.find(look) or {"state": "waiting", "progress": 0.0, "problems": []}
    told = ("state", "progress", "problems", "answer")
    return {"answer": None, **{name: facts[name] for name in told if name in facts}}


def name_of(run_id: str, asked: dict[str, Any]) -> str:
    return "q" + sha256(json.dumps([run_id, asked], sort_keys=True).encode()).hexdigest()[:40]


def _is_stale(facts: dict[str, Any]) -> bool:
    """Whether what is known of a question is no answer to who asks now."""
    failed_long_ago = facts["state"] == "failed" and time.time() - facts["at"] > _FAILED_S
    return facts["state"] == "cancelled" or failed_long_ago or is_silent(facts)


def is_silent(facts: dict[str, Any]) -> bool:
    """Whether the worker that had it is gone."""
    return facts["state"] not in looks.OVER and time.time() - facts["at"] > _SILENT_S


def send(task: str, args: list[str]) -> None:
    try:
        current_app.send_task(task, args=args, queue="previews", ignore_result=True)
    except OperationalError:
        raise PlaygroundError(503, "busy", "The workers cannot be told", retry_after_s=1) from None


def is_over(*, look: str) -> bool:
    """Whether nobody waits for an answer any more, or it is there."""
    facts = looks.find(look)
    if facts is None or facts["state"] in looks.OVER:
        return True
    if looks.is_wanted(look):
        return False
    looks.forget(look)
    return True


def answer(*, look: str, find: Callable[[dict[str, Any], Telling], dict[str, Any]]) -> str:
    """Have a question answered (in a worker); return the state that it ends in."""
    facts = looks.find(look)
    if facts is None:
        return "gone"
    asked = facts["asked"]
    telling = Telling(look, facts)
    telling.work(lambda: find(asked, telling))
    return str(telling.facts["state"])


class Telling:
    """Writes down how far a look is, a few times a second, and stops it when nobody waits any more."""

    def __init__(self, look: str, facts: dict[str, Any]) -> None:
        self.look_name, self.facts, self.next, self.progress = look, facts, 0.0, 0.0

    def tell(self, **changes: Any) -> None:
        self.facts |= changes
        looks.put(self.look_name, self.facts)

    def on_slice(self, simulation: Simulation) -> None:
        self.look(simulation.progress)

    def look(self, progress: float) -> None:
        now = time.monotonic()
        self.progress = max(self.progress, min(progress, 0.99))
        if now < self.next:
            return
        self.next = now + _TELL_EVERY_S
        known = looks.find(self.look_name)
        if known is None or known["state"] in looks.OVER or not looks.is_wanted(self.look_name):
            raise Cancelled
        self.tell(progress=self.progress)

    def work(self, find: Callable[[], dict[str, Any]]) -> None:
        """Do it, and tell what came of it."""
        try:
            self.tell(state="working")
            with watch_compiling(lambda compiling: self.tell(state="compiling" if compiling else "working")):
                found = find()
            self.tell(**found, state="done", progress=1.0)
        except Cancelled:
            self.tell(state="cancelled")
        except ExperimentError as error:
            self.fail(*problems_in(error))
        except (PlaygroundError, LookupError) as error:
            self.fail(problem("", str(error)))
        except SoftTimeLimitExceeded:
            self.fail(problem("", "it took too long", remedy="look at an earlier instant, or at a smaller run"))
        except Exception:
            self.fail(problem("", "looking at it broke; this was logged"))
            raise

    def fail(self, *problems: ProblemItem) -> None:
        self.tell(state="failed", problems=list(problems))
