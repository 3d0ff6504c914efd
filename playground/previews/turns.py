"""Whose preview a worker computes next: addresses and classes take turns, in Redis.

A message to the workers is a turn, not a certain preview. The worker that takes it computes the oldest one of the group
with the fewest previews in workers' hands, and of two such groups the one that was served longer ago. The last free
process stays free of an address that has one already, so that a flood from one address delays no other viewer. A class
may have all processes.
"""

from __future__ import annotations

import time
from typing import Any

from playground.storage import workers
from playground.storage.connections import client
from playground.storage.keys import PREVIEWS_DUE, PREVIEWS_HELD, PREVIEWS_OWED, PREVIEWS_TURNS

#: A worker that has said nothing for this long has died. One function may compile for some seconds.
_HOLD_S, _HOLD_EVERY_S = 60, 5.0
_KEEP_S = 300
_COUNTED_EVERY_S = 5.0

# KEYS: turns, held, owed. In one step each, for several workers take at once.
_TAKE = (
    "local held, count = redis.call('hgetall', KEYS[2]), {} "
    "for at = 1, #held, 2 do "
    "local expiry, group, entry = string.match(held[at + 1], '^([^|]*)|([^|]*)|(.*)$') "
    "if held[at] == ARGV[1] or tonumber(expiry) < tonumber(ARGV[2]) then "
    "redis.call('hdel', KEYS[2], held[at]) redis.call('lpush', ARGV[6] .. group, entry) "
    "redis.call('zadd', KEYS[1], 'NX', 0, group) "
    "else count[group] = (count[group] or 0) + 1 end end "
    "local best, fewest, waits "
    "local groups = redis.call('zrange', KEYS[1], 0, -1, 'WITHSCORES') "
    "for at = 1, #groups, 2 do local group = groups[at] local has = count[group] or 0 "
    "local most = tonumber(string.sub(group, 1, 1) == 'c' and ARGV[5] or ARGV[4]) "
    "if redis.call('llen', ARGV[6] .. group) == 0 then "
    "if tonumber(groups[at + 1]) < tonumber(ARGV[2]) - 60 then redis.call('zrem', KEYS[1], group) end "
    "elseif has >= most then waits = true "
    "elseif best == nil or has < fewest then best, fewest = group, has end end "
    "if best == nil then if waits then redis.call('incr', KEYS[3]) redis.call('expire', KEYS[3], ARGV[7]) end "
    "return false end "
    "local entry = redis.call('lpop', ARGV[6] .. best) redis.call('zadd', KEYS[1], ARGV[2], best) "
    "redis.call('hset', KEYS[2], ARGV[1], ARGV[3] .. '|' .. best .. '|' .. entry) return entry"
)
_HOLD = (
    "local value = redis.call('hget', KEYS[1], ARGV[1]) "
    "if value then redis.call('hset', KEYS[1], ARGV[1], ARGV[2] .. string.match(value, '|.*$')) end"
)
_END = (
    "redis.call('hdel', KEYS[1], ARGV[1]) "
    "if tonumber(redis.call('get', KEYS[2]) or '0') > 0 then redis.call('decr', KEYS[2]) return 1 end return 0"
)


def put(group: str, place: str, name: str) -> None:
    """Note that a place of a group waits for a worker; `name` is what it asks for."""
    with client().pipeline() as pipe:
        pipe.rpush(PREVIEWS_DUE + group, f"{place} {name}")
        pipe.expire(PREVIEWS_DUE + group, _KEEP_S)
        pipe.zadd(PREVIEWS_TURNS, {group: 0}, nx=True)
        pipe.execute()


def waiting(group: str) -> int:
    """Return how many previews of a group wait for a worker."""
    return client().llen(PREVIEWS_DUE + group)


class Turn:
    """The turn of one message, by the message's id: a message that comes again takes up what its worker left."""

    def __init__(self, message: str) -> None:
        self._message = message
        self._next_hold = 0.0

    def take(self) -> tuple[str, str] | None:
        """Return the place and the name that are due; None if nothing is, or if a preview that ends makes room."""
        now, processes = time.time(), _processes()
        arguments: tuple[Any, ...] = (
            self._message, now, now + _HOLD_S, max(1, processes - 1), processes, PREVIEWS_DUE, _KEEP_S,
        )  # fmt: skip
        found = client().eval(_TAKE, 3, PREVIEWS_TURNS, PREVIEWS_HELD, PREVIEWS_OWED, *map(str, arguments))
        if not isinstance(found, bytes):
            return None
        place, _, name = found.decode().partition(" ")
        return place, name

    def hold(self) -> None:
        """Say periodically that the worker lives."""
        if (now := time.monotonic()) >= self._next_hold:
            self._next_hold = now + _HOLD_EVERY_S
            client().eval(_HOLD, 1, PREVIEWS_HELD, self._message, str(time.time() + _HOLD_S))

    def end(self) -> bool:
        """Free the place; return True if a message has to be sent for a preview that waited for it."""
        return bool(client().eval(_END, 2, PREVIEWS_HELD, PREVIEWS_OWED, self._message))


_counted: tuple[float, int] = (0.0, 1)


def _processes() -> int:
    global _counted
    if time.monotonic() - _counted[0] > _COUNTED_EVERY_S:
        _counted = time.monotonic(), max(1, workers.processes_alive("previews"))
    return _counted[1]
