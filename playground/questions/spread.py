"""Runs of a question that any worker of runs may compute: they wait in Redis, and the asking worker takes some, too.

The asking worker offers runs; a worker takes one by its lease and returns the result. The lease of a dead worker
expires, and its run can be taken again. A run that is computed twice has the same result.
"""

from __future__ import annotations

import json
import logging
import zlib
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from typing import Any, cast

import msgpack
import numpy as np
from celery import current_app
from django.conf import settings
from kombu.exceptions import OperationalError

from playground.storage import leases, turns
from playground.storage.connections import client
from playground.storage.keys import SPREAD_KEY, lease_key, spread_results_key, spread_runs_key, spread_tries_key
from scheduler_core import library_digest
from scheduler_core.ask.question import Ran, Run

logger = logging.getLogger(__name__)

#: Longer than any question may take.
_KEPT_S = 900
#: A turn that no worker took by then is of no use: the question is over.
_TURN_KEPT_S = 300
#: The placements of two million tasks are about half as much. The asking worker computes a larger run itself.
_MOST_RESULT_BYTES = 32_000_000
_PLAIN_FIELDS = ("numbers", "finished", "stranded", "stranded_why", "stranded_task", "stranded_said")
_ARRAYS = {"machines": np.int64, "ran_ns": np.int64, "end_ns": np.int64, "goes_on": np.bool_}


@dataclass(frozen=True)
class Spread:
    """One attempt to answer a question: its name, its own token, who asked, and the library of its worker."""

    name: str
    token: str
    owner: str
    group: str
    """Those who share the owner's turn: an address or a class, else the owner alone."""
    since: float
    """When the attempt began, in seconds since 1970."""
    library: str

    def run_name(self, number: int) -> str:
        """Return the name of a run's lease."""
        return f"{self.name}-{self.token[:8]}.{number}"

    def is_alive(self) -> bool:
        """Return True while the asking worker holds the lease of the question."""
        return client().get(lease_key(self.name)) == self.token.encode()

    def is_open(self, number: int) -> bool:
        """Return True while the result of a run is missing."""
        return self.is_alive() and bool(client().hexists(spread_runs_key(self.token), str(number)))

    def offer(self, runs: Mapping[int, bytes]) -> None:
        """Let workers take packed runs, by number, and send a turn for each."""
        key = spread_runs_key(self.token)
        with client().pipeline() as pipe:
            pipe.hset(key, mapping={str(number): packed for number, packed in runs.items()})
            pipe.expire(key, _KEPT_S)
            pipe.hset(SPREAD_KEY, self.name, json.dumps(asdict(self)))
            pipe.execute()
        self.send_turns(runs)

    def send_turns(self, numbers: Collection[int]) -> None:
        """Put turns on the queue of studies. Without them, the asking worker computes all runs."""
        told: dict[str, Any] = {"queue": turns.STUDIES, "ignore_result": True, "expires": _TURN_KEPT_S}
        try:
            with current_app.producer_or_acquire() as producer:
                for number in numbers:
                    current_app.send_task(turns.STUDY_RUN_TASK, args=[self.name, number], producer=producer, **told)
        except OperationalError:
            logger.warning("question %s gets no help, because the broker does not answer", self.name, exc_info=True)

    def withdraw(self, number: int) -> None:
        """Remove a run that the asking worker computed itself."""
        client().hdel(spread_runs_key(self.token), str(number))

    def end(self) -> None:
        """Remove everything; workers stop computing the runs of this attempt."""
        keys = (key(self.token) for key in (spread_runs_key, spread_results_key, spread_tries_key))
        with client().pipeline() as pipe:
            pipe.delete(*keys)
            pipe.hdel(SPREAD_KEY, self.name)
            pipe.execute()

    def free(self, *, most_tries: int | None = None) -> list[int]:
        """Return the numbers of runs that nobody computes; with `most_tries` only those that lost fewer workers."""
        held = self._holders()
        tries = {} if most_tries is None else cast("dict[bytes, bytes]", client().hgetall(spread_tries_key(self.token)))
        lost = {int(number) for number, count in tries.items() if int(count) >= (most_tries or 0)}
        return [number for number, holder in held.items() if holder is None and number not in lost]

    def held(self) -> int:
        """Count the runs in the hands of workers other than the asking one."""
        own = self.token.encode()
        return sum(holder not in (None, own) for holder in self._holders().values())

    def _holders(self) -> dict[int, bytes | None]:
        """Return who holds each open run, in the order of their numbers."""
        keys = cast("list[bytes]", client().hkeys(spread_runs_key(self.token)))
        numbers = sorted(int(key) for key in keys)
        holders = client().mget([lease_key(self.run_name(number)) for number in numbers]) if numbers else []
        return dict(zip(numbers, cast("list[bytes | None]", holders), strict=True))

    def packed_run(self, number: int) -> bytes | None:
        """Return an open run for the worker that has its lease."""
        return cast("bytes | None", client().hget(spread_runs_key(self.token), str(number)))

    def count_try(self, number: int, by: int) -> None:
        """Count that a worker took a run, or returned it without a result (-1)."""
        with client().pipeline() as pipe:
            pipe.hincrby(spread_tries_key(self.token), str(number), by)
            pipe.expire(spread_tries_key(self.token), _KEPT_S)
            pipe.execute()

    def put_result(self, number: int, packed: bytes) -> None:
        """Store the result of a run until the asking worker fetches it."""
        with client().pipeline() as pipe:
            pipe.hset(spread_results_key(self.token), str(number), packed)
            pipe.expire(spread_results_key(self.token), _KEPT_S)
            pipe.hdel(spread_runs_key(self.token), str(number))
            pipe.execute()

    def fetch_results(self) -> dict[int, Ran]:
        """Return the results that arrived, by number, and remove them from Redis."""
        key, found = spread_results_key(self.token), {}
        for number in cast("list[bytes]", client().hkeys(key)):
            packed = cast("bytes | None", client().hget(key, number.decode()))
            if packed is not None:
                found[int(number)] = unpack_ran(packed)
            client().hdel(key, number.decode())
        return found


def waiting() -> list[Spread]:
    """Return the questions that have a free run, and whose library is the one of this process."""
    found = []
    for name, told in cast("dict[bytes, bytes]", client().hgetall(SPREAD_KEY)).items():
        facts = json.loads(told)
        if not leases.has_lease(name.decode()):
            client().hdel(SPREAD_KEY, name.decode())
        elif facts["library"] == library_digest():  # a worker of another version might get other numbers
            one = Spread(**facts)
            if one.is_alive() and one.free(most_tries=settings.LIMIT_RUN_ATTEMPTS):
                found.append(one)
    return found


def pack_run(run: Run, seconds: float) -> bytes:
    """Return a run as compressed MessagePack, with the seconds that a run of its question takes on average."""
    return zlib.compress(msgpack.packb([run.data, run.placements, seconds], default=_plain), 1)


def unpack_run(packed: bytes) -> tuple[Run, float]:
    """Return what `pack_run` packed."""
    data, placements, seconds = msgpack.unpackb(zlib.decompress(packed))
    return Run(data, placements), seconds


def pack_ran(ran: Ran) -> bytes | None:
    """Return a result as compressed MessagePack. None if it is too large, or if the experiment cannot run."""
    if ran.problems:
        return None
    told = {name: getattr(ran, name) for name in _PLAIN_FIELDS}
    for name, kind in _ARRAYS.items():
        array = getattr(ran, name)
        told[name] = None if array is None else np.asarray(array, kind).tobytes()
    packed = zlib.compress(msgpack.packb(told, default=_plain), 1)
    return packed if len(packed) <= _MOST_RESULT_BYTES else None


def _plain(value: Any) -> Any:
    """Return a scalar of NumPy as Python's own."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"a run holds a {type(value).__name__}")


def unpack_ran(packed: bytes) -> Ran:
    """Return what `pack_ran` packed."""
    told = msgpack.unpackb(zlib.decompress(packed))
    for name, kind in _ARRAYS.items():
        if told[name] is not None:
            told[name] = np.frombuffer(told[name], kind).copy()
    return Ran(**told)
