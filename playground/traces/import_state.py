"""How far an import of a trace is: written by its worker, read by whoever waits. Gone after a day."""

from __future__ import annotations

import json
import secrets
import time
from typing import Any

from playground.storage import connections
from playground.storage.keys import import_cancel_key, import_key

_KEPT_S = 24 * 3600


def new_import(facts: dict[str, Any]) -> str:
    """Note an import that waits for a worker; return its id."""
    import_id = "i" + secrets.token_hex(16)
    put(import_id, {**facts, "state": "waiting", "progress": 0.0, "rows": 0})
    return import_id


def put(import_id: str, facts: dict[str, Any]) -> None:
    connections.client().set(import_key(import_id), json.dumps({**facts, "at": time.time()}), ex=_KEPT_S)


def find(import_id: str) -> dict[str, Any] | None:
    raw = connections.client().get(import_key(import_id))
    found: dict[str, Any] | None = json.loads(raw) if isinstance(raw, bytes) else None
    return found


def ask_to_stop(import_id: str) -> None:
    connections.client().set(import_cancel_key(import_id), b"1", ex=_KEPT_S)


def is_to_stop(import_id: str) -> bool:
    return bool(connections.client().exists(import_cancel_key(import_id)))
