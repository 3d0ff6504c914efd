"""Connections to Redis: one client per process, a fast one, one per event loop, and the errors of an absent Redis."""

from __future__ import annotations

import functools
import os

import redis
import redis.asyncio
from django.conf import settings
from django.db import InterfaceError, OperationalError
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import ExponentialBackoff, NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError
from redis.retry import Retry

_MOST_CONNECTIONS, _FREE_WITHIN_S = 64, 20
_RETRIES = 8  # with the back-off below about five seconds: enough for a restart of Redis


#: Errors while Redis stays away longer than the retries take.
REDIS_AWAY = (RedisConnectionError, RedisTimeoutError)
#: Errors while the database restarts, or its disk is full.
DATABASE_AWAY = (OperationalError, InterfaceError)


@functools.cache
def _client_of(process: int, url: str) -> redis.Redis:
    return _pooled(url, Retry(ExponentialBackoff(cap=1.0, base=0.05), _RETRIES), health_check_interval=30)


@functools.cache
def _quick_client_of(process: int, url: str) -> redis.Redis:
    # Once more only, for a connection that a restart of Redis has broken.
    return _pooled(url, Retry(NoBackoff(), 1))


def _pooled(url: str, retry: Retry, **more: int) -> redis.Redis:
    """Return a client whose threads wait for a free connection.

    The usual pool refuses a thread when all connections are taken. Each request has a thread, and a class asks at once.
    """
    pool = redis.BlockingConnectionPool.from_url(
        url, max_connections=_MOST_CONNECTIONS, timeout=_FREE_WITHIN_S, retry=retry,
        retry_on_error=[RedisConnectionError], **more,
    )  # fmt: skip
    return redis.Redis(connection_pool=pool)


def quick_client() -> redis.Redis:
    """Return a client that does not wait for a Redis that is away, for what a page can be shown without."""
    return _quick_client_of(os.getpid(), settings.REDIS_URL)


def client() -> redis.Redis:
    """Return this process's client (a forked child must not share its parent's connections)."""
    return _client_of(os.getpid(), settings.REDIS_URL)


def new_async_client() -> redis.asyncio.Redis:
    """Return a client for the running event loop; the caller closes it."""
    retry = AsyncRetry(ExponentialBackoff(cap=1.0, base=0.05), _RETRIES)
    return redis.asyncio.Redis.from_url(settings.REDIS_URL, retry=retry, retry_on_error=[RedisConnectionError])
