"""Carry out the runs of a question in this worker, and in all workers of runs on any host that have time.

The search (scheduler_core/ask) asks for batches of runs. Which worker computes a run changes nothing about the answer.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from typing import Any

from playground.ground.kept import kept_builds
from playground.ground.simulator import resolve_trace, web_limits
from playground.questions.spread import Spread, pack_run
from playground.storage import connections, leases, workers
from playground.storage.leases import Lease
from scheduler_core import library_digest
from scheduler_core.ask.question import Asked, Question, Ran, Run
from scheduler_core.ask.running import carry_out

_LOOK_EVERY_S = 0.1
_WAIT_S = 0.05
#: A batch of fewer seconds is over before other workers have begun.
_WORTH_S = 1.0
#: How many runs of a question may wait for workers in Redis, and their bytes.
_MOST_OFFERED = 64
_MOST_BYTES = 32_000_000


class Carrier:
    """Carries out batches of runs and counts them.

    The asking worker computes runs all the time and offers the others, so a question needs no other worker.
    """

    def __init__(self, spread: Spread, tick: Callable[[], None]) -> None:
        self.done = 0
        self._spread, self._tick = spread, tick
        self._given = 0  # numbers of runs that were given out
        self._first_end = self._last_end = 0.0
        #: Mean seconds of this worker's own runs, without the first one, which also loads the scheduler.
        self._own_s, self._own_runs = 0.0, 0
        self._next_look = 0.0
        #: The runs of the batch that nobody has finished and this worker does not compute, by number.
        self._left: dict[int, Run] = {}
        #: The packed size of those that are in Redis.
        self._offered: dict[int, int] = {}
        self._found: dict[int, Ran] = {}
        #: Whether other workers get runs of the batch; None until the batch is worth it.
        self._shares: bool | None = None

    @property
    def run_s(self) -> float:
        """Return the mean seconds from the end of one run to the end of the next one, on all workers together."""
        return 0.0 if self.done < 2 else (self._last_end - self._first_end) / (self.done - 1)

    def answer(self, question: Question, asked: Asked) -> dict[str, Any]:
        """Carry out all runs of a search; return what it found. Raises what the tick raises."""
        steps = question.steps(asked)
        try:
            runs = next(steps)
            while True:
                runs = steps.send(self.run(runs))
        except StopIteration as over:
            found: dict[str, Any] = over.value
            return found

    def run(self, runs: Sequence[Run]) -> list[Ran]:
        """Carry out a batch of runs; return the results in the same order."""
        numbers = range(self._given, self._given + len(runs))
        self._given = numbers.stop
        self._left, self._found, self._shares = dict(zip(numbers, runs, strict=True)), {}, None
        while len(self._found) < len(runs):
            self._look()
            taken = self._take()
            if taken is not None:
                self._compute(*taken)
            elif self._left:
                time.sleep(_WAIT_S)
        return [self._found[number] for number in numbers]

    def _take(self) -> tuple[int, Run, str] | None:
        """Take a run that nobody computes; return its number, itself and the name of its lease, if it needs one."""
        kept = next((number for number in reversed(self._left) if number not in self._offered), None)
        if kept is not None:
            return kept, self._left.pop(kept), ""
        for number in reversed(self._spread.free() if self._offered else ()):
            name = self._spread.run_name(number)
            if number in self._left and leases.take_lease(name, self._spread.token):
                self._collect()  # another worker may have finished it just now
                if number in self._left:
                    return number, self._left.pop(number), name
                leases.drop_lease(name, self._spread.token)
        return None

    def _compute(self, number: int, run: Run, name: str) -> None:
        began = time.monotonic()
        with Lease(name, self._spread.token) if name else nullcontext():
            ran = carry_out(run, None, resolve_trace, web_limits(), kept_builds(), self._look)
            if name:
                self._spread.withdraw(number)
        self._offered.pop(number, None)
        self._found[number] = ran
        counted = max(0, self._own_runs - 1)
        self._own_s = (self._own_s * counted + time.monotonic() - began) / (counted + 1)
        self._own_runs += 1
        self._count()

    def _count(self) -> None:
        self.done += 1
        self._last_end = time.monotonic()
        self._first_end = self._first_end or self._last_end

    def _look(self) -> None:
        """Fetch results and offer runs, a few times a second; raises what the tick raises."""
        now = time.monotonic()
        if now < self._next_look:
            return
        self._next_look = now + _LOOK_EVERY_S
        if self._offered:
            self._collect()
        self._offer()
        self._tick()

    def _collect(self) -> None:
        for number, ran in self._spread.fetch_results().items():
            self._offered.pop(number, None)
            if self._left.pop(number, None) is not None:
                self._found[number] = ran
                self._count()

    def _offer(self) -> None:
        """Let other workers take runs of the batch, if the batch takes long enough and there are such workers."""
        if self._shares is None and self._own_runs and self._own_s * len(self._left) > _WORTH_S:
            self._shares = workers.processes_alive("runs") > 0
        if not self._shares:
            return
        new: dict[int, bytes] = {}
        size = sum(self._offered.values())
        for number, run in self._left.items():
            if len(self._offered) + len(new) >= _MOST_OFFERED or size >= _MOST_BYTES:
                break
            if number not in self._offered:
                new[number] = pack_run(run, self._own_s)
                size += len(new[number])
        if new:
            self._spread.offer(new)
            self._offered |= {number: len(packed) for number, packed in new.items()}


@contextmanager
def carrier(*, name: str, owner: str, group: str, tick: Callable[[], None]) -> Iterator[Carrier]:
    """Give a carrier of a question's runs, and stop the other workers at the end.

    The tick is called a few times a second; an exception raised in it cancels the search.
    """
    token = secrets.token_hex(16)
    spread = Spread(name, token, owner, group, time.time(), library_digest())
    with Lease(name, token):
        try:
            yield Carrier(spread, tick)
        finally:
            with suppress(*connections.REDIS_AWAY):
                spread.end()
