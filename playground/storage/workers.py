"""Workers and their queues, as Redis knows them: who is alive, how many messages wait, what was simulated."""

from __future__ import annotations

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


def mark_worker_alive(name: str) -> None:
    client().set(worker_key(name), b"1", ex=10)


def is_worker_alive(name: str) -> bool:
    return bool(quick_client().exists(worker_key(name)))


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
