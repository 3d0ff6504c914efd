"""Questions about a run that only the worker that computes it can answer: asked, and told, through Redis."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any, cast

from playground.storage import connections
from playground.storage.keys import run_asked_key, run_told_key

_KEPT_S = 10
_TOLD_S = 2  # whoever asks the same within it is told the same
_MOST_WAITING = 64
_MOST_AT_ONCE = 4


def ask(run_id: str, question: dict[str, Any]) -> None:
    """Put a question to the worker of a run, unless very many wait."""
    name, client = _name(question), connections.client()
    if client.hlen(run_asked_key(run_id)) < _MOST_WAITING:
        with client.pipeline() as pipe:
            pipe.hset(run_asked_key(run_id), name, json.dumps(question))
            pipe.expire(run_asked_key(run_id), _KEPT_S)
            pipe.execute()


def told(run_id: str, question: dict[str, Any]) -> dict[str, Any] | None:
    """What the worker has just told; None when nothing."""
    raw = connections.client().get(run_told_key(run_id, _name(question)))
    found: dict[str, Any] | None = json.loads(raw) if isinstance(raw, bytes) else None
    return found


def waiting(run_id: str) -> dict[str, dict[str, Any]]:
    """Some of the questions that wait for an answer, by name."""
    found = cast("dict[bytes, bytes]", connections.client().hgetall(run_asked_key(run_id)))
    return {name.decode(): json.loads(question) for name, question in list(found.items())[:_MOST_AT_ONCE]}


def tell(run_id: str, name: str, answer: dict[str, Any]) -> None:
    with connections.client().pipeline() as pipe:
        pipe.set(run_told_key(run_id, name), json.dumps(answer), ex=_TOLD_S)
        pipe.hdel(run_asked_key(run_id), name)
        pipe.execute()


def _name(question: dict[str, Any]) -> str:
    return sha256(json.dumps(question, sort_keys=True).encode()).hexdigest()[:32]
