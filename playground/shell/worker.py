"""Additional duties of our Celery workers: heartbeats, run recovery, draining, exit with the parent, warming."""

from __future__ import annotations

import logging
import os
import subprocess
import threading
from typing import Any

from billiard.process import current_process
from celery import bootsteps
from celery.exceptions import WorkerTerminate
from celery.signals import worker_init, worker_process_init, worker_shutting_down
from django.conf import settings
from django.core.files.storage import default_storage
from django.db import close_old_connections

from playground.celery import app
from playground.shell.play.child import die_with_parent
from playground.shell.play.processes import kernels_process, supervised
from playground.storage import connections, draining, workers

logger = logging.getLogger(__name__)

_EVERY_S = 2.0
# A worker forks whenever a process of its pool has died. A fork in the middle of the caretaker's query would copy the
# locks that SQLite holds at that moment, and nobody in the new process would ever open them: so forks wait for it.
_CARING = threading.RLock()
os.register_at_fork(before=_CARING.acquire, after_in_parent=_CARING.release, after_in_child=_CARING.release)
#: Set for the worker that has every kernel compiled when it starts.
WARM_VARIABLE = "PLAYGROUND_WARMER"


class Caretaker(bootsteps.StartStopStep):
    """A thread of the worker's parent process: heartbeat for /readyz, and recovery of abandoned runs.

    A step of the consumer, after the one that takes tasks: who is said to be alive can be given work. It is stopped
    when the connection to the broker is lost, and started again when it is back: then the worker ends, to be started
    again by what supervises it. Every so often, one that only connects again takes no tasks any more
    (celery/celery issues 8030, 8091 and 10205), and nothing but a new process helps.
    """

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def __init__(self, parent: Any, **options: Any) -> None:
        super().__init__(parent, **options)
        self._stop = threading.Event()

    def start(self, parent: Any) -> None:
        if self._stop.is_set():
            logger.warning("%s restarts, because its broker was unavailable", parent.hostname)
            raise WorkerTerminate
        self._stop = threading.Event()
        threading.Thread(target=self._care, args=(parent, self._stop), name="caretaker", daemon=True).start()

    def stop(self, parent: Any) -> None:
        self._stop.set()

    terminate = shutdown = stop

    def _care(self, parent: Any, stop: threading.Event) -> None:
        from playground.arena.line import look_after_challenges
        from playground.runs.recovery import recover_runs
        from playground.shell.retention import make_room_if_due
        from playground.studies.execution import recover_studies

        name: str = parent.hostname
        while True:
            try:
                with _CARING:
                    # Celery closes connections between tasks, not in this thread.
                    close_old_connections()
                    workers.mark_worker_alive(name, parent.pool.num_processes)
                    recover_runs()
                    recover_studies()
                    look_after_challenges()
                    make_room_if_due()
            except connections.REDIS_AWAY as error:
                logger.warning("%s tries again in %s s, for Redis does not answer: %s", name, _EVERY_S, error)
            except Exception:
                # The database may be away for a while; the next round tells.
                logger.warning("caretaker of %s: trying again in %s s", name, _EVERY_S, exc_info=True)
            if stop.wait(_EVERY_S):
                return


app.steps["consumer"].add(Caretaker)


@worker_shutting_down.connect
def _drain(how: str = "", **_: object) -> None:
    """Make the pool return its work: on SIGTERM, a warm shutdown waits for every process of the pool."""
    if how == "Warm":
        draining.begin()


@worker_init.connect
def _load_for_all(**_: object) -> None:
    """Load the storage's modules before the pool is forked: those of an S3 store take seconds on a busy machine."""
    getattr(default_storage, "exists")  # noqa: B009 -- it loads its class when an attribute is first asked for


@worker_process_init.connect
def _set_up_pool_process(**_: object) -> None:
    die_with_parent()
    if os.environ.get(WARM_VARIABLE) and settings.WARM_KERNELS and getattr(current_process(), "index", 0) == 0:
        _warm()


def _warm() -> None:
    """Start another process that compiles every kernel.

    Not a thread of this one: Numba compiles one function at a time in a process, so whoever waits for an answer
    would wait for kernels that nobody has asked for.
    """
    warming = subprocess.Popen(
        supervised(kernels_process(settings.FIXTURES_DIR / "experiments" / "studio.json")),
        env={**os.environ, "PLAYGROUND_SUPERVISOR_PID": str(os.getpid())},
        cwd=settings.FILES_DIR,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    threading.Thread(target=_await_warm, args=(warming,), name="warm", daemon=True).start()


def _await_warm(warming: subprocess.Popen[str]) -> None:
    _, said = warming.communicate()
    if warming.returncode:
        logger.error("kernels were not warmed (%s): %s", warming.returncode, said[-2000:])
