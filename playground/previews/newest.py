"""Each viewer's newest question and its answer, in Redis; a newer question replaces it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import msgpack

from playground.storage.connections import client
from playground.storage.keys import (
    PREVIEWS_TOLD,
    preview_answer_key,
    preview_asked_key,
    preview_number_key,
    preview_waits_key,
)

#: How long a question may wait for a worker, and how long Redis keeps question and answer for latecomers.
WAIT_S = 60
_KEEP_S = 120
_KEEP_NUMBER_S = 24 * 3600

# In one step each, for two web processes may ask and two workers answer at the same moment for one viewer.
_PUT = (
    "local number = redis.call('incr', KEYS[1]) redis.call('expire', KEYS[1], ARGV[2]) "
    "redis.call('hset', KEYS[2], 'number', number, 'experiment', ARGV[1], 'group', ARGV[4]) "
    "redis.call('expire', KEYS[2], ARGV[3]) "
    "return number"
)
_BEGIN = (
    "local told = tonumber(redis.call('hget', KEYS[1], 'number') or 0) "
    "if told > tonumber(ARGV[1]) then return 0 end "
    "if told < tonumber(ARGV[1]) then redis.call('del', KEYS[1]) redis.call('hset', KEYS[1], 'number', ARGV[1]) end "
    "redis.call('expire', KEYS[1], ARGV[2]) return redis.call('hincrby', KEYS[1], 'begun', 1)"
)
_TELL = (
    "local told = tonumber(redis.call('hget', KEYS[1], 'number') or 0) "
    "local over = told == tonumber(ARGV[1]) and redis.call('hget', KEYS[1], 'over') == '1' "
    "if over or told > tonumber(ARGV[1]) then return 0 end "
    "redis.call('hset', KEYS[1], 'number', ARGV[1], 'message', ARGV[2], 'over', ARGV[3]) "
    "redis.call('expire', KEYS[1], ARGV[4]) redis.call('publish', ARGV[5], ARGV[6]) return 1"
)


@dataclass(frozen=True)
class Question:
    """What a viewer asked last: the experiment as JSON, and its number among the viewer's questions."""

    number: int
    experiment: bytes


def put_question(viewer: str, experiment: bytes, group: str = "") -> int:
    """Put a question in the place of the one before; return its number. `group` is who shares the viewer's turn."""
    keys = (preview_number_key(viewer), preview_asked_key(viewer))
    arguments: tuple[Any, ...] = (experiment, _KEEP_NUMBER_S, _KEEP_S, group)
    return cast(int, client().eval(_PUT, len(keys), *keys, *arguments))


def begin_waiting(viewer: str) -> bool:
    """Note that a viewer waits for a worker; return whether a worker has to be told: one message is enough."""
    return bool(client().set(preview_waits_key(viewer), 1, nx=True, ex=WAIT_S))


def take_question(viewer: str) -> Question | None:
    """Return the newest question that nobody has answered; whoever asks from now on has a worker told again."""
    client().delete(preview_waits_key(viewer))
    asked = cast("dict[bytes, bytes]", client().hgetall(preview_asked_key(viewer)))
    if not asked:
        return None
    question = Question(int(asked[b"number"]), asked[b"experiment"])
    told = cast("list[bytes | None]", client().hmget(preview_answer_key(viewer), ["number", "over"]))
    return None if told == [asked[b"number"], b"1"] else question


def forget_waiting(viewer: str) -> None:
    """Note that no message says that this viewer waits: it could not be sent."""
    client().delete(preview_waits_key(viewer))


def newest_number(viewer: str) -> int:
    return int(cast("bytes | None", client().hget(preview_asked_key(viewer), "number")) or 0)


def group_of(viewer: str) -> str:
    """Return who shares the turn of a viewer; the viewer itself if the question is gone."""
    found = cast("bytes | None", client().hget(preview_asked_key(viewer), "group"))
    return found.decode() if found else viewer


def newest_scheduler(viewer: str) -> str:
    """Return the name of the scheduler in a viewer's newest question; an empty string if there is none."""
    asked = cast("bytes | None", client().hget(preview_asked_key(viewer), "experiment"))
    return "" if asked is None else str(json.loads(asked)["scheduler"]["name"])


def begin_answer(viewer: str, number: int) -> int:
    """Note that a worker takes a question up; return how many have by now, 0 when a newer one was told of."""
    return cast(int, client().eval(_BEGIN, 1, preview_answer_key(viewer), str(number), str(_KEEP_S)))


def tell(viewer: str, message: dict[str, Any], *, over: bool) -> None:
    """Keep what is told about question `message["preview"]` and wake the viewer's sockets, unless that is old."""
    tell_all({viewer: message["preview"]}, message, over=over)


def tell_all(viewers: Mapping[str, int], message: dict[str, Any], *, over: bool) -> None:
    """Send several viewers the same answer, each for the viewer's own question number, in one round trip."""
    asked = client().pipeline(transaction=False)
    for viewer, number in viewers.items():
        packed: Any = msgpack.packb({**message, "preview": number})
        arguments = (str(number), packed, "1" if over else "0", str(_KEEP_S), PREVIEWS_TOLD, viewer)
        asked.eval(_TELL, 1, preview_answer_key(viewer), *arguments)
    asked.execute()


def last_told(viewer: str) -> bytes | None:
    """Return the packed message that the viewer's sockets show."""
    return cast("bytes | None", client().hget(preview_answer_key(viewer), "message"))


def told_to(viewers: list[str]) -> list[bytes | None]:
    """Return what each of several viewers was told last, asked for at once."""
    asked = client().pipeline(transaction=False)
    for viewer in viewers:
        asked.hget(preview_answer_key(viewer), "message")
    return cast("list[bytes | None]", asked.execute())
