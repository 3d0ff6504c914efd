"""The lease by which a worker says that it is on a run."""

from __future__ import annotations

import contextvars
import logging
import threading
from types import TracebackType

from django.conf import settings

from playground.live import store

logger = logging.getLogger(__name__)


class Lease:
    """Says "a worker is on it" while the block runs: a key in Redis that expires unless a thread renews it.

    A thread, because compiling a kernel gives no slices in which to renew.
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
                store.renew_lease(self._run_id, self._token)
            except Exception as error:
                logger.warning("lease of run %s not renewed: %s", self._run_id, error)

    def __enter__(self) -> Lease:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._stop.set()
        self._thread.join()
        try:
            store.drop_lease(self._run_id, self._token)
        except store.REDIS_AWAY as gone:
            logger.warning("lease of run %s not dropped, it will expire: %s", self._run_id, gone)
