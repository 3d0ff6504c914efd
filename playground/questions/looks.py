"""What workers find out about the networks of runs: written by a worker, read by whoever waits. Gone after minutes."""

from __future__ import annotations

import json
import secrets
import time
from typing import Any

from playground.storage import connections
from playground.storage.keys import look_key, look_rows_key, look_stop_key, look_wanted_key, race_of_key

_KEPT_S = 600
_WANTED_S = 15
MOST_ROWS = 500
"""Rows of a race that one answer holds."""
OVER = ("done", "failed", "cancelled")


def begin(look: str, facts: dict[str, Any]) -> bool:
    """Note a question that waits for a worker; False if it is known already."""
    made = {**facts, "state": "waiting", "progress": 0.0, "problems": [], "at": time.time()}
    return bool(connections.client().set(look_key(look), json.dumps(made), ex=_KEPT_S, nx=True))


def put(look: str, facts: dict[str, Any]) -> None:
    connections.client().set(look_key(look), json.dumps({**facts, "at": time.time()}), ex=_KEPT_S)


def find(look: str) -> dict[str, Any] | None:
    raw = connections.client().get(look_key(look))
    found: dict[str, Any] | None = json.loads(raw) if isinstance(raw, bytes) else None
    return found


def forget(look: str) -> None:
    connections.client().delete(look_key(look), look_rows_key(look), look_wanted_key(look))


def want(look: str) -> None:
    """Say that somebody still waits for it."""
    connections.client().set(look_wanted_key(look), b"1", ex=_WANTED_S)


def stop(look: str) -> None:
    """Ask its worker to stop, whoever waits."""
    connections.client().set(look_stop_key(look), b"1", ex=_KEPT_S)


def is_wanted(look: str) -> bool:
    client = connections.client()
    return bool(client.exists(look_wanted_key(look))) and not client.exists(look_stop_key(look))


def new_race(run_id: str, facts: dict[str, Any]) -> str:
    """Note a race that waits for a worker; return its id, or that of the one that this run has under way."""
    race = "n" + secrets.token_hex(16)
    client = connections.client()
    if not client.set(race_of_key(run_id), race, ex=_KEPT_S, nx=True):
        held = client.get(race_of_key(run_id))
        other = held.decode() if isinstance(held, bytes) else ""
        facts_of_other = find(other) if other else None
        under_way = facts_of_other is not None and facts_of_other["state"] not in OVER
        if under_way and is_wanted(other):
            return other
        client.set(race_of_key(run_id), race, ex=_KEPT_S)
    want(race)
    begin(race, facts)
    return race


def add_row(race: str, row: dict[str, Any]) -> None:
    with connections.client().pipeline() as pipe:
        pipe.rpush(look_rows_key(race), json.dumps(row))
        pipe.expire(look_rows_key(race), _KEPT_S)
        pipe.execute()


def rows_after(race: str, first: int) -> list[dict[str, Any]]:
    """The rows of a race from one on, at most MOST_ROWS."""
    found: Any = connections.client().lrange(look_rows_key(race), first, first + MOST_ROWS - 1)
    return [json.loads(row) for row in found]
