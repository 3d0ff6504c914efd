"""Compute a run of a question that another worker answers, in a turn of the queue of studies."""

from __future__ import annotations

import logging
import secrets
import time
from dataclasses import dataclass, field

from django.conf import settings

from playground.ground.kept import kept_builds
from playground.ground.simulator import resolve_trace, web_limits
from playground.questions import spread
from playground.questions.spread import Spread
from playground.storage import connections, draining, leases, workers
from playground.storage.leases import Lease
from scheduler_core.ask.running import carry_out

logger = logging.getLogger(__name__)

_LISTEN_EVERY_S = 0.1
#: A run of a question gives way to a run that a user watches after this time, and before this part of its usual time.
_GIVES_WAY_AFTER_S = 1.0
_NEARLY_DONE = 0.5


class _Over(Exception):
    """Nobody needs the result: the question is over, or another worker has computed the run."""


class _PutBack(Exception):
    """Another worker computes the run: this one is drained, or a user waits for a run to watch."""


def help_question(question: Spread) -> bool:
    """Compute a free run of a question; return False if there is none. Raises an error if Redis is away."""
    for number in question.free(most_tries=settings.LIMIT_RUN_ATTEMPTS):
        token, name = secrets.token_hex(16), question.run_name(number)
        if not leases.take_lease(name, token):
            continue
        with Lease(name, token):
            packed = question.packed_run(number)
            if packed is None:
                continue
            question.count_try(number, 1)
            logger.info("run %s begins", name)
            put_back = _Help(question, number).compute(packed)
        # Only after the lease is free: before that, the next worker would find the run taken.
        if put_back:
            question.send_turns([number])
        return True
    return False


@dataclass
class _Help:
    """One attempt at a run that this worker holds."""

    question: Spread
    number: int
    seconds: float = 0.0
    began: float = field(default_factory=time.monotonic)
    next_listen: float = 0.0

    def compute(self, packed: bytes) -> bool:
        """Simulate the run and store the result; return True if another worker should do it.

        The asking worker computes a run that fails here, and so finds the reason itself.
        """
        name = self.question.run_name(self.number)
        try:
            run, self.seconds = spread.unpack_run(packed)
            ran = carry_out(run, None, resolve_trace, web_limits(), kept_builds(), self._between_slices)
            result = spread.pack_ran(ran)
        except _Over:
            return False
        except _PutBack:
            self.question.count_try(self.number, -1)
            return True
        except (*connections.REDIS_AWAY, *connections.DATABASE_AWAY):
            raise
        except Exception:
            logger.warning("run %s is left to the worker that asks", name, exc_info=True)
            result = None
        if result is None:
            self.question.count_try(self.number, settings.LIMIT_RUN_ATTEMPTS)
        elif self.question.is_open(self.number):
            self.question.put_result(self.number, result)
            completed = int(ran.numbers.get("tasks.completed") or 0)
            workers.count_simulated(tasks=completed, seconds=time.monotonic() - self.began)
        return False

    def _between_slices(self) -> None:
        now = time.monotonic()
        if now < self.next_listen:
            return
        self.next_listen = now + _LISTEN_EVERY_S
        if not self.question.is_open(self.number):
            raise _Over
        if draining.has_begun() or self._gives_way(now - self.began):
            raise _PutBack

    def _gives_way(self, took_s: float) -> bool:
        early = _GIVES_WAY_AFTER_S < took_s < _NEARLY_DONE * self.seconds
        return early and workers.waiting_in_queue("runs") > 0
