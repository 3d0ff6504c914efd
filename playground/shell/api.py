"""The HTTP API. A view parses, calls one service and renders; errors are JSON problem objects."""

from __future__ import annotations

import errno
import functools
import logging
from collections.abc import Callable
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.core.exceptions import BadRequest, SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.views.decorators.csrf import csrf_exempt
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError
from ninja.operation import Operation
from redis.exceptions import RedisError

import scheduler_core
from playground.arena.api import router as arena
from playground.asks.api import router as asks
from playground.catalogue.api import router as registry
from playground.claims.api import router as claims
from playground.classes.api import router as classes
from playground.classes.compete_api import router as competing
from playground.classes.explore_api import router as exploring
from playground.classes.homework_api import router as homework
from playground.classes.lessons_api import router as lessons
from playground.errors import PlaygroundError, not_found, problem
from playground.experiments.api import router as experiments
from playground.figures.api import router as figures
from playground.ground.quotas import disk_is_full
from playground.ground.shared_places import asker
from playground.lab.api import router as lab
from playground.previews.api import router as previews
from playground.runs.api import router as runs
from playground.runs.parts_api import router as parts
from playground.sheets.api import router as sheets
from playground.studies.api import router as studies
from playground.traces.api import router as traces
from playground.traces.uploads_api import router as uploads
from playground.web.access import refuse_foreign_origin
from playground.web.described import describe_shared
from playground.web.rates import address_of, refuse_too_often
from playground.web.room import refuse_without_room
from playground.why.api import router as whys
from playground.why.networks_api import router as networks

logger = logging.getLogger(__name__)

#: Where an operation's id has another word than its tag.
_TAGS_IN_IDS = {"why": "whys"}


class ProblemApi(NinjaAPI):
    """Render every error as a problem object with its own media type."""

    @property
    def urls(self) -> Any:
        """The addresses of all operations; any other address below the API, or any other method, gives a problem."""
        patterns, *names = super().urls
        for pattern in patterns:
            if isinstance(pattern, URLPattern):
                pattern.callback = self._naming_methods(pattern.callback)
        return [*patterns, path("<path:address>", csrf_exempt(self._no_such_address))], *names

    def _naming_methods(self, view: Callable[..., Any]) -> Callable[..., Any]:
        """Return the view with a problem in place of Ninja's plain text where it refuses a method."""

        def told(request: HttpRequest, found: HttpResponse) -> HttpResponse:
            # Some caches before servers keep files by their names' ends, whoever asked: answers.csv is a teacher's.
            found.headers.setdefault("Cache-Control", "private")
            return self._no_such_method(request, found["Allow"]) if found.status_code == 405 else found

        @functools.wraps(view)
        async def answer_later(request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
            return told(request, await view(request, *args, **named))

        @functools.wraps(view)
        def answer(request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
            return told(request, view(request, *args, **named))

        return answer_later if iscoroutinefunction(view) else answer

    def _no_such_method(self, request: HttpRequest, allowed: str) -> HttpResponse:
        item = problem("", f"the method is {request.method}", allowed=", ".join(sorted(allowed.split(", "))))
        error = PlaygroundError(405, "method-not-allowed", "This address does not take this method", (item,))
        response = self.problem(request, error)
        response["Allow"] = allowed
        return response

    def _no_such_address(self, request: HttpRequest, address: str) -> HttpResponse:
        item = problem(
            "", f"{request.path[:200]} is not an address of the API", remedy="/api/v1/docs lists all operations"
        )
        return self.problem(request, PlaygroundError(404, "not-found", "There is no such address", (item,)))

    def get_openapi_schema(self, **options: Any) -> Any:
        schema = super().get_openapi_schema(**options)
        describe_shared(schema)
        return schema

    def get_openapi_operation_id(self, operation: Operation) -> str:
        """Name an operation by its tag: generated clients are called after it, wherever the function lies."""
        tag = (operation.tags or ["api"])[0]
        return f"playground_api_{_TAGS_IN_IDS.get(tag, tag)}_{operation.view_func.__name__}"

    def problem(self, request: HttpRequest, error: PlaygroundError) -> HttpResponse:
        response = self.create_response(request, error.to_dict(), status=error.status)
        response["Content-Type"] = "application/problem+json"
        if error.retry_after_s is not None:
            response["Retry-After"] = str(error.retry_after_s)
        return response


def check_origin(request: HttpRequest) -> bool:
    """Let a request pass; raises for a foreign Origin, for one that comes too often, and for a full disk."""
    refuse_foreign_origin(request)
    refuse_too_often(request)
    refuse_without_room(request)
    asker.set(address_of(request))
    return True


api = ProblemApi(
    title="Scheduler Playground",
    version=scheduler_core.__version__,
    description="Experiments, runs and their results. The frames of a run come over the socket /ws/runs/{id}.",
    urls_namespace="api",
    # There is nobody to authenticate, but this runs before every operation.
    auth=check_origin,
    docs_url="/docs",
)
api.add_router("", experiments)
api.add_router("", runs)
api.add_router("", networks)
api.add_router("", parts)
api.add_router("", whys)
api.add_router("", previews)
api.add_router("", studies)
api.add_router("", asks)
api.add_router("", figures)
api.add_router("", claims)
api.add_router("", classes)
api.add_router("", exploring)
api.add_router("", competing)
api.add_router("", lessons)
api.add_router("", homework)
api.add_router("", arena)
api.add_router("", sheets)
api.add_router("", registry)
api.add_router("", lab)
api.add_router("", traces)
api.add_router("", uploads)


@api.exception_handler(PlaygroundError)
def on_playground_error(request: HttpRequest, error: Any) -> HttpResponse:
    return api.problem(request, error)


@api.exception_handler(ValidationError)
def on_invalid_parameters(request: HttpRequest, error: Any) -> HttpResponse:
    items = tuple(problem(".".join(str(part) for part in item["loc"][1:]), str(item["msg"])) for item in error.errors)
    return api.problem(request, PlaygroundError(422, "invalid-request", "The request cannot be understood", items))


@api.exception_handler(Http404)
def on_not_found(request: HttpRequest, error: Any) -> HttpResponse:
    return api.problem(request, not_found("resource"))


@api.exception_handler(HttpError)
def on_http_error(request: HttpRequest, error: Any) -> HttpResponse:
    return api.problem(request, PlaygroundError(error.status_code, "refused", str(error)))


@api.exception_handler(scheduler_core.UnknownName)
def on_unknown_name(request: HttpRequest, error: Any) -> HttpResponse:
    """Answer for a stored experiment whose scheduler is not here: a plugin, or one of a later version."""
    item = problem("scheduler.name", f"no {error.kind} is called '{error.name[:64]}' on this server")
    return api.problem(request, PlaygroundError(422, "unknown-name", "The scheduler is not on this server", (item,)))


@api.exception_handler(SuspiciousOperation)
@api.exception_handler(BadRequest)
def on_bad_request(request: HttpRequest, error: Any) -> HttpResponse:
    return api.problem(request, PlaygroundError(400, "bad-request", "The request cannot be understood"))


@api.exception_handler(RedisError)
def on_redis_error(request: HttpRequest, error: Any) -> HttpResponse:
    logger.error("Redis: %s", error)
    return api.problem(
        request, PlaygroundError(503, "unavailable", "The server's Redis is unavailable; ask again in a moment")
    )


@api.exception_handler(OperationalError)
@api.exception_handler(InterfaceError)
def on_database_error(request: HttpRequest, error: Any) -> HttpResponse:
    if "disk is full" in str(error) or "No space left" in str(error):
        logger.error("the database's disk is full, while answering %s %s", request.method, request.path)
        return api.problem(request, disk_is_full())
    logger.exception("database, while answering %s %s", request.method, request.path)
    message = "The server's database is unavailable; ask again in a moment"
    return api.problem(request, PlaygroundError(503, "unavailable", message, retry_after_s=5))


@api.exception_handler(OSError)
def on_full_disk(request: HttpRequest, error: Any) -> HttpResponse:
    if error.errno not in (errno.ENOSPC, errno.EDQUOT):
        return on_fault(request, error)
    logger.error("the disk is full, while answering %s %s", request.method, request.path)
    return api.problem(request, disk_is_full())


@api.exception_handler(Exception)
def on_fault(request: HttpRequest, error: Any) -> HttpResponse:
    logger.exception("fault while answering %s %s", request.method, request.path)
    return api.problem(request, PlaygroundError(500, "fault", "The playground failed; the error was logged"))
