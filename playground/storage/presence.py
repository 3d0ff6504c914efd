"""Who is in a class now: the students whose browsers hold a socket, on all servers together."""

from __future__ import annotations

import time
from collections.abc import Collection

from playground.storage.connections import client
from playground.storage.keys import presence_key

#: A server tells of its sockets about every five seconds; who is not told of twice has left.
_GONE_AFTER_S = 12


def note_here(class_id: str, students: Collection[int]) -> int:
    """Note the students whose sockets this server holds; return how many there are on all servers."""
    now, key = time.time(), presence_key(class_id)
    with client().pipeline() as pipe:
        if students:
            pipe.zadd(key, dict.fromkeys((str(number) for number in students), now))
        pipe.zremrangebyscore(key, 0, now - _GONE_AFTER_S)
        pipe.expire(key, _GONE_AFTER_S)
        pipe.zcard(key)
        return int(pipe.execute()[-1])


def note_left(class_id: str, student: int) -> None:
    """Note that the last socket of a student has ended here."""
    client().zrem(presence_key(class_id), str(student))


def here(class_id: str) -> int:
    """Return how many students are in a class now."""
    return int(client().zcount(presence_key(class_id), time.time() - _GONE_AFTER_S, "+inf"))
