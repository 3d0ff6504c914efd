"""Add the current request and run to every log line."""

from __future__ import annotations

import logging
import logging.config
import re
import secrets
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, cast

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

request_id: ContextVar[str] = ContextVar("request_id", default="")
run_id: ContextVar[str] = ContextVar("run_id", default="")

_MOST_OF_HOST = 120
_RUN_IN_PATH = re.compile(r"/runs/([A-Za-z0-9_-]{1,64})(?=/|$)")


class ContextFilter(logging.Filter):
    """Put the ids on each record; `context` is how they look in a line of text."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.run_id = run_id.get() or None
        record.request_id = request_id.get() or None
        known = {"run": run_id.get(), "request": request_id.get()}
        words = " ".join(f"{name}={value}" for name, value in known.items() if value)
        record.context = f" [{words}]" if words else ""
        return True


class BriefFilter(logging.Filter):
    """Say in one line that Redis is away, or that a request named a foreign host; where in a library tells nothing."""

    def filter(self, record: logging.LogRecord) -> bool:
        from kombu.exceptions import OperationalError
        from redis.exceptions import ConnectionError as RedisConnectionError
        from redis.exceptions import TimeoutError as RedisTimeoutError

        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, OperationalError | RedisConnectionError | RedisTimeoutError):
            # Celery puts the whole traceback into some of its messages as well.
            first = record.getMessage().strip().split("\n", 1)[0].rstrip(": ")
            record.msg, record.args = "%s: %s", (first, str(error).strip() or type(error).__name__)
            record.exc_info = record.exc_text = None
        if record.name == "django.security.DisallowedHost":
            # A stranger chooses the name: it may be long, and its traceback tells nothing.
            said = str(error or record.getMessage()).split(". You may need", 1)[0]
            record.msg, record.args = "%s", (said[:_MOST_OF_HOST],)
            record.exc_info = record.exc_text = None
        return True


class StartingFilter(logging.Filter):
    """Leave out that a server which is still starting said so: whoever asked was told, and asks again."""

    _PATHS = ("/readyz", "-previews")

    def filter(self, record: logging.LogRecord) -> bool:
        path = getattr(getattr(record, "request", None), "path", "")
        return getattr(record, "status_code", 0) != 503 or not path.endswith(self._PATHS)


@contextmanager
def concerning(*, run: str = "", request: str = "") -> Iterator[None]:
    """Let every line inside carry these ids."""
    tokens = run_id.set(run), request_id.set(request)
    try:
        yield
    finally:
        run_id.reset(tokens[0])
        request_id.reset(tokens[1])


def run_in_path(path: str) -> str:
    found = _RUN_IN_PATH.search(path)
    return found[1] if found else ""


def new_request_id() -> str:
    # Never what the caller sent: a log line is not theirs to write.
    return secrets.token_hex(8)


@sync_and_async_middleware
def request_context(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Give each request an id, in its log lines and in the header X-Request-ID of its answer."""
    if iscoroutinefunction(get_response):
        ask = cast("Callable[[HttpRequest], Awaitable[HttpResponseBase]]", get_response)

        async def answer_async(request: HttpRequest) -> HttpResponseBase:
            with concerning(run=run_in_path(request.path_info), request=new_request_id()):
                response = await ask(request)
                response["X-Request-ID"] = request_id.get()
                return response

        return answer_async

    def answer(request: HttpRequest) -> HttpResponseBase:
        with concerning(run=run_in_path(request.path_info), request=new_request_id()):
            response: HttpResponseBase = get_response(request)
            response["X-Request-ID"] = request_id.get()
            return response

    return answer


def logging_settings(*, level: str, as_json: bool) -> dict[str, Any]:
    """Return Django's LOGGING: text for people, or one JSON object a line."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {
            "context": {"()": "playground.shell.security.logs.ContextFilter"},
            "brief": {"()": "playground.shell.security.logs.BriefFilter"},
            "starting": {"()": "playground.shell.security.logs.StartingFilter"},
        },
        "formatters": {
            "plain": {"format": "%(levelname)s %(name)s: %(message)s%(context)s"},
            "json": {
                "()": "pythonjsonlogger.json.JsonFormatter",
                "fmt": "%(asctime)s %(levelname)s %(name)s %(message)s %(run_id)s %(request_id)s %(process)d",
                "rename_fields": {"asctime": "time", "levelname": "level", "name": "logger"},
                "reserved_attrs": [*logging.LogRecord("", 0, "", 0, "", (), None).__dict__, "context", "request"],
            },
        },
        "handlers": {
            "console": {
                "class": "logging.StreamHandler",
                "formatter": "json" if as_json else "plain",
                "filters": ["context", "brief"],
            }
        },
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            # What runs do is for whoever collects lines; at a terminal it would drown what matters.
            "playground": {"level": "INFO" if as_json else level},
            # Django's own handlers would write a second time, and mail to nobody.
            "django": {"handlers": [], "propagate": True},
            # Statements carry their values: among them hidden seeds of the arena.
            "django.db.backends": {"level": "INFO"},
            # Every refused request would otherwise be a line.
            "django.request": {"level": "ERROR", "filters": ["starting"]},
        },
    }
