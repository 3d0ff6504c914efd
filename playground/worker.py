"""What our Celery workers do besides tasks: say that they live, recover runs, die with their parent, warm kernels."""

from __future__ import annotations

import logging
import os
import threading
from typing import Any

from billiard.process import current_process
from celery import bootsteps
from celery.signals import worker_process_init
from django.db import close_old_connections

from playground.celery import app
from playground.live import store
from playground.play.child import die_with_parent

logger = logging.getLogger(__name__)

_EVERY_S = 2.0
#: Set for the worker that compiles every kernel when it starts.
WARM_VARIABLE = "PLAYGROUND_WARM_KERNELS"


class Caretaker(bootsteps.StartStopStep):
    """A thread of the worker's parent process: heartbeat for /readyz, and recovery of abandoned runs.

    A step of the consumer, after the one that takes tasks: who is said to be alive can be given work. It is stopped
    and started again when the connection to the broker was lost.
    """

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def __init__(self, parent: Any, **options: Any) -> None:
        super().__init__(parent, **options)
        self._stop = threading.Event()

    def start(self, parent: Any) -> None:
        self._stop = threading.Event()
        threading.Thread(target=self._care, args=(parent.hostname, self._stop), name="caretaker", daemon=True).start()

    def stop(self, parent: Any) -> None:
        self._stop.set()

    terminate = shutdown = stop

    def _care(self, name: str, stop: threading.Event) -> None:
        from playground.services.recovery import recover_runs
        from playground.services.retention import make_room_if_due
        from playground.services.study_runs import recover_studies

        while True:
            try:
                # Celery closes connections between tasks, not in this thread.
                close_old_connections()
                store.mark_worker_alive(name)
                recover_runs()
                recover_studies()
                make_room_if_due()
            except store.REDIS_AWAY as error:
                logger.warning("%s tries again in %s s, for Redis does not answer: %s", name, _EVERY_S, error)
            except Exception:
                # The database may be away for a while; the next round tells.
                logger.warning("caretaker of %s: trying again in %s s", name, _EVERY_S, exc_info=True)
            if stop.wait(_EVERY_S):
                return


app.steps["consumer"].add(Caretaker)


@worker_process_init.connect
def _set_up_pool_process(**_: object) -> None:
    die_with_parent()
    # One process of the pool compiles; the others load what it has compiled when they first need it.
    if os.environ.get(WARM_VARIABLE) and getattr(current_process(), "index", 0) == 0:
        threading.Thread(target=_warm, name="warm", daemon=True).start()


def _warm() -> None:
    from scheduler_core import compile_workloads, warm

    # Somebody's run comes first: this thread takes what processor time is left.
    if hasattr(os, "PRIO_PROCESS"):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)
    try:
        compile_workloads()
        warm()
    except Exception:
        logger.exception("kernels were not warmed")
