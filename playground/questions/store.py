"""Store questions in Redis: the question, its progress, its answer, the waiting callers, and news for them."""

from __future__ import annotations

import json
import time
from typing import Any, cast

from playground.storage.connections import client
from playground.storage.keys import (
    question_key,
    question_news,
    question_rows_key,
    question_stop_key,
    question_subject_key,
    question_wanted_key,
    run_inbox_key,
)

OVER = ("done", "failed", "cancelled")
#: Rows of a question that one reading gives.
MOST_ROWS = 500
_WANTED_S = 15
_ROWS_KEPT_S = 600
_STOP_KEPT_S = 24 * 3600
#: A visitor may start and cancel questions all the time.
CANCELLED_KEPT_S = 60
_INBOX_KEPT_S = 10
#: Longer than any answer is kept.
_SUBJECT_KEPT_S = 24 * 3600
_MOST_IN_INBOX = 64
_MOST_AT_ONCE = 4

Facts = dict[str, Any]


def begin(name: str, facts: Facts, kept_s: int) -> bool:
    """Record a question that waits for a worker; return False if it is known already."""
    made = {"state": "waiting", "progress": 0.0, "problems": [], "answer": None, **facts, "at": time.time()}
    return bool(client().set(question_key(name), json.dumps(made), ex=kept_s, nx=True))


def put(name: str, facts: Facts, kept_s: int) -> None:
    """Store the known facts of a question, and wake all callers that wait for news of it."""
    with client().pipeline() as pipe:
        pipe.set(question_key(name), json.dumps({**facts, "at": time.time()}), ex=kept_s)
        pipe.publish(question_news(name), b"1")
        pipe.execute()


def find(name: str) -> Facts | None:
    return parse(client().get(question_key(name)))


def parse(raw: object) -> Facts | None:
    found: Facts | None = json.loads(raw) if isinstance(raw, bytes) else None
    return found


def forget(name: str) -> None:
    client().delete(question_key(name), question_rows_key(name), question_wanted_key(name))


def note_subject(subject: str, name: str) -> None:
    """Record that a question is about an experiment or a trace, so that its answer goes with that."""
    with client().pipeline() as pipe:
        pipe.sadd(question_subject_key(subject), name)
        pipe.expire(question_subject_key(subject), _SUBJECT_KEPT_S)
        pipe.execute()


def forget_subject(subject: str) -> None:
    """Stop and forget all questions that were asked about an experiment or a trace, and those about these questions."""
    for member in cast("set[bytes]", client().smembers(question_subject_key(subject))):
        name = member.decode()
        stop(name)
        forget(name)
        if name != subject:
            forget_subject(name)
    client().delete(question_subject_key(subject))


def forget_rows(name: str) -> None:
    """Forget the rows of an answer that starts again."""
    client().delete(question_rows_key(name))


def want(name: str) -> None:
    """Record that a user still waits for the answer."""
    client().set(question_wanted_key(name), b"1", ex=_WANTED_S)


def is_wanted(name: str) -> bool:
    return bool(client().exists(question_wanted_key(name)))


def stop(name: str) -> None:
    """Ask the worker to stop, even if a user waits."""
    client().set(question_stop_key(name), b"1", ex=_STOP_KEPT_S)


def is_stopped(name: str) -> bool:
    return bool(client().exists(question_stop_key(name)))


def add_row(name: str, row: dict[str, Any]) -> None:
    """Add a row to an answer that arrives row by row."""
    with client().pipeline() as pipe:
        pipe.rpush(question_rows_key(name), json.dumps(row))
        pipe.expire(question_rows_key(name), _ROWS_KEPT_S)
        pipe.execute()


def rows_after(name: str, first: int) -> list[dict[str, Any]]:
    """Return at most MOST_ROWS rows, from number `first` on."""
    found: Any = client().lrange(question_rows_key(name), first, first + MOST_ROWS - 1)
    return [json.loads(row) for row in found]


def put_in_inbox(run_id: str, name: str) -> None:
    """Hand a question to the worker that computes a run, unless too many wait there."""
    if client().hlen(run_inbox_key(run_id)) < _MOST_IN_INBOX:
        with client().pipeline() as pipe:
            pipe.hset(run_inbox_key(run_id), name, b"1")
            pipe.expire(run_inbox_key(run_id), _INBOX_KEPT_S)
            pipe.execute()


def inbox(run_id: str) -> list[str]:
    """Return some of the questions that wait for a run's worker."""
    found = cast("list[bytes]", client().hkeys(run_inbox_key(run_id)))
    return [name.decode() for name in found[:_MOST_AT_ONCE]]


def take_from_inbox(run_id: str, name: str) -> None:
    client().hdel(run_inbox_key(run_id), name)
