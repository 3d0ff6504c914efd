"""Connections to Redis: one client a process, a quick one, and one for each event loop."""

from __future__ import annotations

import functools
import os

import redis
import redis.asyncio
from django.conf import settings
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import ExponentialBackoff, NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError
from redis.retry import Retry

_RETRIES = 8  # with the back-off below about five seconds: a restarted Redis is found again


#: What is raised when Redis stays away longer than the retries take.
REDIS_AWAY = (RedisConnectionError, RedisTimeoutError)


@functools.cache
def _client_of(process: int, url: str) -> redis.Redis:
    retry = Retry(ExponentialBackoff(cap=1.0, base=0.05), _RETRIES)
    return redis.Redis.from_url(url, retry=retry, retry_on_error=[RedisConnectionError], health_check_interval=30)


@functools.cache
def _quick_client_of(process: int, url: str) -> redis.Redis:
    # Once more only, for a connection that a restart of Redis has broken.
    return redis.Redis.from_url(url, retry=Retry(NoBackoff(), 1), retry_on_error=[RedisConnectionError])


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
