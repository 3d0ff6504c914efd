"""The lease by which a worker signals that it computes a run."""

from __future__ import annotations

import contextvars
import logging
import threading
from types import TracebackType

from django.conf import settings

from playground.storage import connections, leases
from playground.storage.connections import client
from playground.storage.keys import (
    lease_key,
)

logger = logging.getLogger(__name__)


class Lease:
    """Says "a worker is on it" while the block runs: a key in Redis that expires unless a thread renews it.

    A thread, because compiling a kernel gives no slices in which to renew. The token has a lease of its own, which
    stands for all runs that the worker computes together with this one.
    """

    def __init__(self, run_id: str, token: str) -> None:
        self._run_id, self._token = run_id, token
        self._stop = threading.Event()
        # Lines of the thread concern the same run.
        self._thread = threading.Thread(
            target=contextvars.copy_context().run, args=(self._renew,), name=f"lease-{run_id}", daemon=True
        )

    def _renew(self) -> None:
        while not self._stop.wait(settings.LEASE_SECONDS / 4):
            try:
                self._renew_once()
            except Exception as error:
                logger.warning("lease of run %s not renewed: %s", self._run_id, error)

    def _renew_once(self) -> None:
        for name in (self._run_id, self._token):
            leases.renew_lease(name, self._token)

    def __enter__(self) -> Lease:
        self._renew_once()
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._stop.set()
        self._thread.join()
        try:
            for name in (self._token, self._run_id):
                leases.drop_lease(name, self._token)
        except connections.REDIS_AWAY as gone:
            logger.warning("lease of run %s not dropped, it will expire: %s", self._run_id, gone)


# Both scripts compare and act in one step, so that a worker that lost its lease cannot renew or drop its successor's.
_RENEW = (
    "local holder = redis.call('get', KEYS[1]) if holder and holder ~= ARGV[1] then return 0 end "
    "redis.call('set', KEYS[1], ARGV[1], 'EX', ARGV[2]) return 1"
)


_DROP = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"


def take_lease(run_id: str, token: str) -> bool:
    return bool(client().set(lease_key(run_id), token, nx=True, ex=settings.LEASE_SECONDS))


def renew_lease(run_id: str, token: str) -> bool:
    """Keep the lease, or take it back where Redis has forgotten it; False when another process has it."""
    return bool(client().eval(_RENEW, 1, lease_key(run_id), token, str(settings.LEASE_SECONDS)))


def drop_lease(run_id: str, token: str) -> None:
    client().eval(_DROP, 1, lease_key(run_id), token)


def has_lease(*names: str) -> bool:
    """Return True if a worker holds a lease of one of these names, which are of runs, or of tokens."""
    return bool(client().exists(*(lease_key(name) for name in names if name)))
