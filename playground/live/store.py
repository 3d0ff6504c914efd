"""What a worker writes about a run while it computes: frames, progress, a lease; and what it reads: the cancel flag."""

from __future__ import annotations

import functools
import os
from dataclasses import dataclass
from typing import Any, cast

import redis
import redis.asyncio
from django.conf import settings
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import ExponentialBackoff, NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError, ResponseError
from redis.exceptions import TimeoutError as RedisTimeoutError
from redis.retry import Retry

from playground.live.keys import (
    SIMULATED_KEY,
    WORKER_PREFIX,
    cancel_key,
    frames_key,
    lease_key,
    pause_key,
    progress_key,
    worker_key,
)

_RETRIES = 8  # with the back-off below about five seconds: a restarted Redis is found again

#: What is raised when Redis stays away longer than the retries take.
REDIS_AWAY = (RedisConnectionError, RedisTimeoutError)

# Both scripts compare and act in one step, so that a worker that lost its lease cannot renew or drop its successor's.
_RENEW = (
    "local holder = redis.call('get', KEYS[1]) if holder and holder ~= ARGV[1] then return 0 end "
    "redis.call('set', KEYS[1], ARGV[1], 'EX', ARGV[2]) return 1"
)
_DROP = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"


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


@dataclass(frozen=True)
class Progress:
    """How far a run is: `fraction` 0 to 1, `eta_s` wall seconds left or None."""

    state: str
    fraction: float
    eta_s: float | None
    frames: int

    @classmethod
    def parse(cls, fields: dict[bytes, bytes]) -> Progress | None:
        if b"state" not in fields:
            return None
        eta = fields.get(b"eta_s", b"")
        return cls(
            state=fields[b"state"].decode(),
            fraction=float(fields.get(b"progress", b"0")),
            eta_s=float(eta) if eta else None,
            frames=int(fields.get(b"frames", b"0")),
        )


def write_progress(run_id: str, progress: Progress) -> None:
    fields = {
        "state": progress.state,
        "progress": f"{progress.fraction:.4f}",
        "eta_s": "" if progress.eta_s is None else f"{progress.eta_s:.1f}",
        "frames": str(progress.frames),
    }
    with client().pipeline() as pipe:
        pipe.hset(progress_key(run_id), mapping=cast(Any, fields))
        pipe.expire(progress_key(run_id), settings.KEEP_FRAMES_SECONDS + settings.LIMIT_RUN_SECONDS)
        pipe.execute()


def read_progress(run_id: str) -> Progress | None:
    return Progress.parse(cast("dict[bytes, bytes]", client().hgetall(progress_key(run_id))))


def publish_frame(run_id: str, seq: int, data: bytes, *, key: bool) -> bool:
    """Append a frame unless it is there already (a run taken over repeats its frames); say whether it was new."""
    fields: Any = {"f": data, "k": b"1" if key else b"0"}
    try:
        client().xadd(frames_key(run_id), fields, id=f"{seq + 1}-0")
    except ResponseError as error:
        if "equal or smaller" in str(error):
            return False
        raise
    return True


def last_published(run_id: str) -> int:
    """Sequence number of the newest frame in the stream, -1 for none."""
    entries = cast("list[tuple[bytes, object]]", client().xrevrange(frames_key(run_id), count=1))
    return seq_of(entries[0][0]) if entries else -1


def seq_of(entry_id: bytes) -> int:
    return int(entry_id.split(b"-", 1)[0]) - 1


def expire_frames(run_id: str) -> None:
    client().expire(frames_key(run_id), settings.KEEP_FRAMES_SECONDS)


def keep_frames(run_id: str) -> None:
    """Let frames stay that were to expire: the run goes on."""
    client().persist(frames_key(run_id))


def take_lease(run_id: str, token: str) -> bool:
    return bool(client().set(lease_key(run_id), token, nx=True, ex=settings.LEASE_SECONDS))


def renew_lease(run_id: str, token: str) -> bool:
    """Keep the lease, or take it back where Redis has forgotten it; False when somebody else has it."""
    return bool(client().eval(_RENEW, 1, lease_key(run_id), token, str(settings.LEASE_SECONDS)))


def drop_lease(run_id: str, token: str) -> None:
    client().eval(_DROP, 1, lease_key(run_id), token)


def has_lease(run_id: str) -> bool:
    return bool(client().exists(lease_key(run_id)))


def ask_to_cancel(run_id: str) -> None:
    client().set(cancel_key(run_id), b"1", ex=settings.LIMIT_RUN_SECONDS + 60)


def is_cancel_asked(run_id: str) -> bool:
    return bool(client().exists(cancel_key(run_id)))


def ask_to_pause(run_id: str) -> None:
    client().set(pause_key(run_id), b"1", ex=settings.LIMIT_RUN_SECONDS + 60)


def take_back_pause(run_id: str) -> None:
    client().delete(pause_key(run_id))


def is_pause_asked(run_id: str) -> bool:
    return bool(client().exists(pause_key(run_id)))


def count_simulated(*, tasks: int, seconds: float) -> None:
    """Add a finished run to what the metrics tell."""
    with client().pipeline() as pipe:
        pipe.hincrby(SIMULATED_KEY, "tasks", tasks)
        pipe.hincrbyfloat(SIMULATED_KEY, "seconds", seconds)
        pipe.hset(SIMULATED_KEY, "tasks_per_s", f"{tasks / seconds if seconds > 0 else 0.0:.1f}")
        pipe.execute()


def mark_worker_alive(name: str) -> None:
    client().set(worker_key(name), b"1", ex=10)


def any_worker_alive(queue: str) -> bool:
    return next(client().scan_iter(match=f"{WORKER_PREFIX}{queue}@*", count=1000), None) is not None


def workers_alive(queue: str) -> int:
    """Count the workers of a queue, for estimates; 0 while Redis is away."""
    try:
        return sum(1 for _ in quick_client().scan_iter(match=f"{WORKER_PREFIX}{queue}@*", count=1000))
    except RedisError:
        return 0


def waiting_in_queue(queue: str) -> int:
    return client().llen(queue)
