"""Log context in workers: a task's run, and the request that started it."""

from __future__ import annotations

import logging.config
from typing import Any

from celery.signals import before_task_publish, setup_logging, task_postrun, task_prerun

from playground.shell.security.logs import request_id, run_id

_HEADER = "playground_request_id"
#: Tasks whose first argument is a run's id (or nothing).
_OF_RUNS = frozenset({"playground.tasks.run_task", "playground.questions.tasks.answer_task"})


@setup_logging.connect
def _keep_our_logging(**_: Any) -> None:
    """Keep Celery from setting up log handlers of its own, by listening here."""
    from django.conf import settings

    logging.config.dictConfig(settings.LOGGING)


@before_task_publish.connect
def _send_request_id(headers: dict[str, Any] | None = None, **_: Any) -> None:
    if headers is not None and request_id.get():
        headers[_HEADER] = request_id.get()


@task_prerun.connect
def _enter(task: Any = None, args: Any = (), **_: Any) -> None:
    run_id.set(str(args[0]) if args and task.name in _OF_RUNS else "")
    request_id.set(str(task.request.get(_HEADER) or ""))


@task_postrun.connect
def _leave(**_: Any) -> None:
    run_id.set("")
    request_id.set("")
