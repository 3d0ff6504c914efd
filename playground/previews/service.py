"""Previews: a quick, reduced run while a user drags a control. Only the newest question of a viewer is answered.

A viewer's question lies under one key, and at most one message tells the workers about it. Nothing queues up, however
fast a user asks. A worker reads the newest question when it begins, and checks between slices that it is still the
newest. Viewers who ask for the same experiment share one computation (previews/shared.py).
"""

from __future__ import annotations

import logging
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from celery import current_app
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.utils.crypto import salted_hmac
from kombu.exceptions import OperationalError

import scheduler_core
from playground.errors import PlaygroundError, problem
from playground.ground import links
from playground.ground.checking import checked_experiment
from playground.ground.kept import kept_builds
from playground.ground.quotas import Quota, quota_of
from playground.ground.simulator import (
    invalid_experiment,
    parse_experiment,
    resolve_trace,
    web_limits,
)
from playground.ground.viewers import Viewer
from playground.previews import newest, shared, turns
from playground.storage import connections, draining, workers
from scheduler_core import Cancelled, ExperimentError

if TYPE_CHECKING:
    from scheduler_core import Experiment as CoreExperiment
    from scheduler_core import Simulation

logger = logging.getLogger(__name__)

PREVIEW_TASK = "playground.tasks.preview_task"
QUEUE = "previews"
MOST_WAITING = 5000
_MOST_ATTEMPTS = 2
_LOOK_EVERY_S = 0.02
#: Past this, finish an outdated preview: a user who never stops dragging still sees something.
_NEARLY_DONE = 0.5


class TooLong(Exception):
    """Raised when a preview exceeds its time limit."""


def place_of(viewer: Viewer) -> str:
    """Return the name of the place where a viewer asks and is answered; nobody else can guess it."""
    return salted_hmac("playground.previews", viewer.session_key or viewer.token).hexdigest()[:32]


def place_named(subject: str, name: str) -> str:
    """Return the place of something on the server that has previews; no viewer has it, and nobody can guess it."""
    return salted_hmac(f"playground.previews.{subject}", name).hexdigest()[:32]


def ask_preview(*, data: bytes, viewer: Viewer, base_url: str = "") -> dict[str, Any]:
    """Make an experiment the viewer's newest question. Raises PlaygroundError."""
    return ask_at(place=place_of(viewer), data=data, quota=quota_of(viewer), base_url=base_url)


def ask_at(*, place: str, data: dict[str, Any] | bytes, quota: Quota, base_url: str = "") -> dict[str, Any]:
    """Make an experiment the newest question of a place, in the turn of a quota's group. Raises PlaygroundError."""
    group = quota.key or place
    checked = checked_experiment(data)
    said, name = checked.text, shared.name_of_digest(checked.digest)
    known: dict[str, Any] | bool | None = shared.kept(name)
    if known is None and workers.waiting_in_queue(QUEUE) >= MOST_WAITING:
        raise _busy(f"{MOST_WAITING} viewers wait already")
    if known is None:
        _refuse_many_waiting(quota)
    number = newest.put_question(place, said, group)
    # A viewer who asks for what others wait for waits with them and needs no further worker.
    known = known or shared.join_others(name, place, number, group)
    if isinstance(known, dict):
        newest.tell(place, {"preview": number, **known}, over=True)
    elif not known and newest.begin_waiting(place):
        shared.note_queued(name, group)
        _send(place, name)
    return {"preview": number, "socket_url": links.previews_url(place, base_url)}


def _refuse_many_waiting(quota: Quota) -> None:
    have, most = turns.waiting(quota.key) if quota.key else 0, quota.most("LIMIT_PREVIEWS_PER_ADDRESS")
    if have >= most:
        allowed = f"at most {most:,} (setting PLAYGROUND_LIMIT_PREVIEWS_PER_ADDRESS)"
        item = problem("", f"{have:,} previews of {quota.name} wait", allowed=allowed, remedy="ask again in a moment")
        raise PlaygroundError(429, "too-many-previews", "Too many previews at once", (item,), retry_after_s=2)


def _send(place: str, name: str) -> None:
    """Put a place into the turn of its group, and tell the workers."""
    turns.put(newest.group_of(place), place, name)
    try:
        _send_turn()
    except OperationalError:
        with suppress(*connections.REDIS_AWAY):
            newest.forget_waiting(place)
            shared.take_left(name)
        raise _busy("the workers cannot be told") from None


def _send_turn() -> None:
    current_app.send_task(PREVIEW_TASK, queue=QUEUE, expires=newest.WAIT_S, ignore_result=True)


def _busy(why: str) -> PlaygroundError:
    said = problem("", why, remedy="ask again in a moment")
    return PlaygroundError(503, "busy", "No preview now", (said,), retry_after_s=1)


def answer_due(message: str) -> bool:
    """Answer the preview that is due (in a worker), in the turn of a message; return whether one was answered."""
    turn = turns.Turn(message)
    try:
        due = turn.take()
        if due is None:
            return False
        try:
            return answer_preview(place=due[0], name=due[1], turn=turn)
        finally:
            if turn.end():
                with suppress(OperationalError):
                    _send_turn()
    except connections.REDIS_AWAY as error:
        logger.warning("a preview is dropped, because Redis does not answer: %s", error)
        return False


def answer_preview(*, place: str, name: str = "", turn: turns.Turn | None = None) -> bool:
    """Answer a viewer's newest question (in a worker); return True if there was one and it was not given up.

    `name` is what the viewer asked for when the message was sent. Others may wait for that, whatever the viewer asks
    for by now.
    """
    try:
        is_answered = _answer(place, turn)
        if name:
            _tell_workers_of_others(name)
        return is_answered
    except connections.REDIS_AWAY as error:
        logger.warning("a preview is dropped, because Redis does not answer: %s", error)
        return False


def _tell_workers_of_others(name: str) -> None:
    """Send messages for viewers who waited behind one that asked for something else before a worker came."""
    for place, number in shared.take_left(name).items():
        if newest.newest_number(place) == number and newest.begin_waiting(place):
            with suppress(PlaygroundError):
                _send(place, name)


def _answer(place: str, turn: turns.Turn | None) -> bool:
    question = newest.take_question(place)
    if question is None:
        return False
    attempt = newest.begin_answer(place, question.number)
    if attempt == 0:
        return False
    try:
        if attempt > _MOST_ATTEMPTS:
            raise _failed("preview-lost", f"its worker died {_MOST_ATTEMPTS} times", "ask for something smaller")
        experiment = parse_experiment(question.experiment)
        together = shared.Shared(shared.name_of(experiment), secrets.token_hex(8))
    except PlaygroundError as error:
        newest.tell(place, {"preview": question.number, **_failure(error)}, over=True)
        return True
    # A second attempt means that the worker of the first one died, and holds the experiment no more.
    found = together.join(place, question.number, force=attempt > 1)
    if isinstance(found, dict):
        newest.tell(place, {"preview": question.number, **found}, over=True)
    elif found:
        return _Answering(experiment, together, turn).answer()
    return True


def _failure(error: PlaygroundError) -> dict[str, Any]:
    return {"state": "failed", "error": error.to_dict()}


def _failed(kind: str, message: str, remedy: str, *, allowed: str = "") -> PlaygroundError:
    said = problem("", message, allowed=allowed, remedy=remedy)
    return PlaygroundError(422, kind, "There is no preview of this", (said,))


@dataclass
class _Answering:
    """One attempt to answer all who ask for a preview of one experiment."""

    experiment: CoreExperiment
    together: shared.Shared
    turn: turns.Turn | None = None
    simulation: Simulation | None = None
    began: float = 0.0
    next_look: float = 0.0

    def answer(self) -> bool:
        """Compute the answer and tell it; return False if nobody wants it any more."""
        try:
            answer = {"state": "done", **self.compute()}
            self._tell(self.together.end(answer), answer, over=True)
        except Cancelled:
            return False
        except ExperimentError as error:
            self._fail(invalid_experiment(error.problems))
        except PlaygroundError as error:
            self._fail(error)
        except (TooLong, SoftTimeLimitExceeded):
            limit = f"at most {settings.LIMIT_PREVIEW_SECONDS} s (setting PLAYGROUND_LIMIT_PREVIEW_SECONDS)"
            self._fail(_failed("preview-too-long", "takes too long to preview", "start a run instead", allowed=limit))
        except MemoryError:
            self._fail(_failed("preview-memory", "needs more memory than the server has", "make it smaller"))
        except connections.REDIS_AWAY:
            raise
        except Exception:
            logger.exception("a preview failed")
            self._fail(_failed("internal", "the simulation failed; the error was logged", "start a run instead"))
        return True

    def _fail(self, error: PlaygroundError) -> None:
        self._tell(self.together.end(None), _failure(error), over=True)

    def _tell(self, askers: dict[str, int], what: dict[str, Any], *, over: bool) -> None:
        newest.tell_all(askers, what, over=over)

    def compute(self) -> dict[str, Any]:
        # Import the library here, not above: the server, which only asks, starts sooner.
        self.began = time.monotonic()
        scheduler_core.compile_for_people()
        scheduler_core.leave_marks()
        following = scheduler_core.watch_compiling(self._on_compiling)
        with following, scheduler_core.compile_while(self._between_functions):
            answer = scheduler_core.run_preview(
                self.experiment,
                tasks=settings.LIMIT_PREVIEW_TASKS,
                resolve_trace=resolve_trace,
                limits=web_limits(),
                builds=kept_builds(),
                on_slice=self._between_slices,
                on_begin=self._begin,
            )
        return {**answer, "took_s": time.monotonic() - self.began}

    def _on_compiling(self, compiling: bool) -> None:
        """Report that a kernel compiles; compilation does not count towards the time limit."""
        if compiling:
            what = {"state": "compiling", "at_least_s": self._growth_at_least()}
            self._tell(self.together.askers(), what, over=False)
        self.began = time.monotonic()

    def _begin(self, simulation: Simulation) -> None:
        self.simulation = simulation

    def _growth_at_least(self) -> float | None:
        """Report what the load alone shows, if machines and workload are built already."""
        return None if self.simulation is None else scheduler_core.growth_at_least(self.simulation)

    def _between_functions(self) -> None:
        """Stop compiling if all who waited have turned to another scheduler; newer questions about this one need it."""
        if self._may_look():
            if draining.has_begun():
                self._hand_back()
            places = self.together.askers()
            if not any(newest.newest_scheduler(place) == self.experiment.scheduler.name for place in places):
                self._give_up_if_unwanted()

    def _hand_back(self) -> NoReturn:
        """Let another worker compile for those who wait; a preview that simulates is over within seconds."""
        for place in self.together.askers():
            _send(place, self.together.name)
        raise Cancelled

    def _between_slices(self, simulation: Simulation) -> None:
        if not self._may_look():
            return
        # Simulating counts: a process that has just begun may take seconds to load its kernel on a busy machine.
        if simulation.wall_s > settings.LIMIT_PREVIEW_SECONDS:
            raise TooLong
        if simulation.progress < _NEARLY_DONE:
            self._give_up_if_unwanted()

    def _may_look(self) -> bool:
        now = time.monotonic()
        if now < self.next_look:
            return False
        self.next_look = now + _LOOK_EVERY_S
        self.together.hold()
        if self.turn is not None:
            self.turn.hold()
        return True

    def _give_up_if_unwanted(self) -> None:
        if self.together.is_unwanted():
            raise Cancelled
