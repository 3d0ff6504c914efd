"""Workers and their queues in Redis: which workers live, how many messages wait, what was simulated."""

from __future__ import annotations

from typing import cast

from redis.exceptions import RedisError

from playground.storage.connections import client, quick_client
from playground.storage.keys import (
    SIMULATED_KEY,
    WORKER_PREFIX,
    worker_key,
)


def count_simulated(*, tasks: int, seconds: float) -> None:
    """Add a finished run to what the metrics tell."""
    with client().pipeline() as pipe:
        pipe.hincrby(SIMULATED_KEY, "tasks", tasks)
        pipe.hincrbyfloat(SIMULATED_KEY, "seconds", seconds)
        pipe.hset(SIMULATED_KEY, "tasks_per_s", f"{tasks / seconds if seconds > 0 else 0.0:.1f}")
        pipe.execute()


def mark_worker_alive(name: str, processes: int) -> None:
    """Record for some seconds that a worker lives, and how many processes compute for it."""
    client().set(worker_key(name), str(processes), ex=10)


def is_worker_alive(name: str) -> bool:
    return bool(quick_client().exists(worker_key(name)))


def any_worker_alive(queue: str) -> bool:
    return next(client().scan_iter(match=f"{WORKER_PREFIX}{queue}@*", count=1000), None) is not None


def processes_alive(queue: str) -> int:
    """Count the processes of all workers of a queue, on all hosts, for estimates; 0 while Redis is away."""
    try:
        names = list(quick_client().scan_iter(match=f"{WORKER_PREFIX}{queue}@*", count=1000))
        found = cast("list[bytes | None]", quick_client().mget(names)) if names else []
    except RedisError:
        return 0
    return sum(int(processes) for processes in found if processes)


def waiting_in_queue(queue: str) -> int:
    return client().llen(queue)
