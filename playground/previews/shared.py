"""Share one computation of a preview among all requests for the same experiment, even minutes later.

An answer is kept by the experiment's digest. The first worker that takes an experiment up holds it. Viewers who ask
meanwhile join, and their workers are free for other questions. A worker that died holds nothing after some seconds.
"""

from __future__ import annotations

import time
from typing import Any, cast

import msgpack
from django.conf import settings

from playground.ground.simulator import digest_of
from playground.previews.newest import WAIT_S, newest_number
from playground.storage.connections import client
from playground.storage.keys import (
    PREVIEWS_KEPT_KEY,
    preview_askers_key,
    preview_holder_key,
    preview_kept_key,
    preview_queued_key,
)
from scheduler_core import Experiment, library_digest

#: How long Redis keeps an answer, and how many at most; each takes some kilobytes.
_KEEP_S, _MOST_KEPT = 1800, 500
#: How long a worker holds an experiment after it last said so, and how often it does.
_HOLD_S, _HOLD_EVERY_S = 15, 3.0
_ASKERS_S = 120

# Each in one step, for viewers join while a worker finishes.
_JOIN = (
    "local kept = redis.call('get', KEYS[1]) if kept then return kept end "
    "redis.call('hset', KEYS[3], ARGV[1], ARGV[2]) redis.call('expire', KEYS[3], ARGV[5]) "
    "if ARGV[6] == '1' then redis.call('set', KEYS[2], ARGV[3], 'EX', ARGV[4]) return 1 end "
    "return redis.call('set', KEYS[2], ARGV[3], 'NX', 'EX', ARGV[4]) and 1 or 0"
)
_JOIN_OTHERS = (
    "local kept = redis.call('get', KEYS[1]) if kept then return kept end "
    "if redis.call('exists', KEYS[2]) == 0 and redis.call('get', KEYS[4]) ~= ARGV[4] then return 0 end "
    "redis.call('hset', KEYS[3], ARGV[1], ARGV[2]) redis.call('expire', KEYS[3], ARGV[3]) return 1"
)
_TAKE_LEFT = (
    "redis.call('del', KEYS[3]) if redis.call('exists', KEYS[1]) == 1 then return {} end "
    "local askers = redis.call('hgetall', KEYS[2]) redis.call('del', KEYS[2]) return askers"
)
_LEAVE = (
    "for at = 2, #ARGV, 2 do if redis.call('hget', KEYS[2], ARGV[at]) == ARGV[at + 1] then "
    "redis.call('hdel', KEYS[2], ARGV[at]) end end "
    "if redis.call('hlen', KEYS[2]) > 0 then return 0 end "
    "if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end return 1"
)
_END = (
    "if redis.call('get', KEYS[2]) == ARGV[1] then redis.call('del', KEYS[2]) end "
    "local askers = redis.call('hgetall', KEYS[3]) redis.call('del', KEYS[3]) "
    "if ARGV[2] ~= '' then redis.call('set', KEYS[1], ARGV[2], 'EX', ARGV[3]) "
    "redis.call('zadd', KEYS[4], ARGV[4], KEYS[1]) "
    "local old = redis.call('zrange', KEYS[4], 0, -1 - tonumber(ARGV[5])) "
    "for _, key in ipairs(old) do redis.call('del', key) redis.call('zrem', KEYS[4], key) end end "
    "return askers"
)


def name_of(experiment: Experiment) -> str:
    """Name all that decides an answer: experiment, library, how far previews go. Raises PlaygroundError."""
    return name_of_digest(digest_of(experiment))


def name_of_digest(digest: str) -> str:
    return f"{digest}-{library_digest()[:16]}-{settings.LIMIT_PREVIEW_TASKS}"


def kept(name: str) -> dict[str, Any] | None:
    """Return the answer if it is known."""
    packed = cast("bytes | None", client().get(preview_kept_key(name)))
    return None if packed is None else msgpack.unpackb(packed)


def join_others(name: str, place: str, number: int, group: str) -> dict[str, Any] | bool:
    """Register a viewer for an answer in progress, or return the answer; False if no worker was asked for it.

    A message that waits in the turn of another group is none: its turn may come much later.
    """
    keys = (preview_kept_key(name), preview_holder_key(name), preview_askers_key(name), preview_queued_key(name))
    found = client().eval(_JOIN_OTHERS, len(keys), *keys, place, str(number), str(_ASKERS_S), group)
    return msgpack.unpackb(found) if isinstance(found, bytes) else bool(found)


def note_queued(name: str, group: str) -> None:
    """Note that a message about an experiment waits for a worker in the turn of a group."""
    client().set(preview_queued_key(name), group, ex=WAIT_S)


def take_left(name: str) -> dict[str, int]:
    """Return who still waits for an experiment that no worker computes: its message was answered otherwise."""
    keys = (preview_holder_key(name), preview_askers_key(name), preview_queued_key(name))
    flat = cast("list[bytes]", client().eval(_TAKE_LEFT, len(keys), *keys))
    return _numbers(dict(zip(flat[::2], flat[1::2], strict=True)))


class Shared:
    """The computation of one preview by one worker, and the viewers who wait for it."""

    def __init__(self, name: str, token: str) -> None:
        self.name, self._token = name, token
        self._next_hold = 0.0

    def join(self, place: str, number: int, *, force: bool = False) -> dict[str, Any] | bool:
        """Register a viewer that is waiting for the answer.

        Return the answer if it is known, True if this worker is to compute it, False if another one does. `force`
        takes it from a worker that has died.
        """
        keys = (preview_kept_key(self.name), preview_holder_key(self.name), preview_askers_key(self.name))
        arguments = (place, number, self._token, _HOLD_S, _ASKERS_S, int(force))
        found = client().eval(_JOIN, len(keys), *keys, *map(str, arguments))
        return msgpack.unpackb(found) if isinstance(found, bytes) else bool(found)

    def hold(self) -> None:
        """Say periodically that this worker computes the answer."""
        if (now := time.monotonic()) >= self._next_hold:
            self._next_hold = now + _HOLD_EVERY_S
            client().set(preview_holder_key(self.name), self._token, ex=_HOLD_S)
            client().expire(preview_askers_key(self.name), _ASKERS_S)

    def askers(self) -> dict[str, int]:
        """Return the viewers who wait, and the number of each one's question."""
        return _numbers(cast("dict[bytes, bytes]", client().hgetall(preview_askers_key(self.name))))

    def is_unwanted(self) -> bool:
        """Return True, and hold the experiment no more, if all who waited have asked for something newer."""
        left: list[str | int] = []
        for place, number in self.askers().items():
            if newest_number(place) == number:
                return False
            left += [place, number]
        keys = (preview_holder_key(self.name), preview_askers_key(self.name))
        return bool(client().eval(_LEAVE, len(keys), *keys, self._token, *map(str, left)))

    def end(self, answer: dict[str, Any] | None) -> dict[str, int]:
        """Keep the answer, if there is one, and return the viewers who waited for it."""
        keys = (
            preview_kept_key(self.name), preview_holder_key(self.name), preview_askers_key(self.name),
            PREVIEWS_KEPT_KEY,
        )  # fmt: skip
        packed: Any = b"" if answer is None else msgpack.packb(answer)
        arguments = (self._token, packed, str(_KEEP_S), str(time.time()), str(_MOST_KEPT))
        flat = cast("list[bytes]", client().eval(_END, len(keys), *keys, *arguments))
        return _numbers(dict(zip(flat[::2], flat[1::2], strict=True)))


def _numbers(askers: dict[bytes, bytes]) -> dict[str, int]:
    return {place.decode(): int(number) for place, number in askers.items()}
