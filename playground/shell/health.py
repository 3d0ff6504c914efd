"""Liveness and readiness for supervisors and load balancers."""

from __future__ import annotations

import asyncio

from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from redis.exceptions import RedisError

from playground.ground.quotas import is_full
from playground.runs.live.pump import PUMPS
from playground.shell.warming import warm_up
from playground.storage import connections, workers


async def alive(request: HttpRequest) -> JsonResponse:
    """Answer while the event loop turns, with what this process carries: it falls back when viewers leave."""
    return JsonResponse({"status": "ok", "live": {**PUMPS.counts(), "tasks": len(asyncio.all_tasks())}})


def ready(request: HttpRequest) -> JsonResponse:
    """Answer 200 with database, Redis and a worker in reach and room on the disk, else 503 with what is missing."""
    parts = {"database": _database(), "redis": _redis(), "worker": _worker(), "disk": not is_full()}
    if all(parts.values()):
        warm_up()
    return JsonResponse({"ready": all(parts.values()), **parts}, status=200 if all(parts.values()) else 503)


def _database() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def _redis() -> bool:
    try:
        return bool(connections.client().ping())
    except RedisError:
        return False


def _worker() -> bool:
    try:
        return workers.any_worker_alive("runs")
    except RedisError:
        return False
