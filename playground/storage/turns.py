"""Turns: the time of each owner's last service, so that owners take turns in a queue."""

from __future__ import annotations

import time
from collections.abc import Collection

from playground.storage.connections import client
from playground.storage.keys import turns_key

#: The queue of studies' runs and of questions' runs. Each message of this task is a turn, not a certain run.
STUDIES = "studies"
STUDY_RUN_TASK = "playground.tasks.study_run_task"
_REMEMBERED_S = 3600


def note_served(queue: str, *owners: str) -> None:
    """Record that a worker has just finished something of an owner's (and of the group that shares its turn)."""
    now, key = time.time(), turns_key(queue)
    with client().pipeline() as pipe:
        pipe.zadd(key, dict.fromkeys(owners, now))
        pipe.zremrangebyscore(key, 0, now - _REMEMBERED_S)
        pipe.expire(key, _REMEMBERED_S)
        pipe.execute()


def last_served(queue: str, owners: Collection[str]) -> dict[str, float]:
    """Return when each owner was served last, in seconds since 1970; 0 for one who was not."""
    names = list(owners)
    found = client().zmscore(turns_key(queue), names) if names else []
    return {name: at or 0.0 for name, at in zip(names, found, strict=True)}
