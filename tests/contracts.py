"""Checks of real objects against the contract's models."""

from __future__ import annotations

import functools
import threading
from typing import Any

import msgpack
from pydantic import TypeAdapter

from playground.contract import DOCUMENTS

_BUILDING = threading.Lock()
"""Building a validator compiles annotations, which CPython 3.11 cannot do in two threads at once."""


@functools.cache
def _adapter(name: str) -> TypeAdapter[Any]:
    return TypeAdapter(DOCUMENTS[name])


def kept(name: str, found: Any) -> Any:
    """Return what was found if it is as the named part of the contract says. Raises ValidationError."""
    with _BUILDING:
        adapter = _adapter(name)
    adapter.validate_python(found)
    return found


def unpacked(name: str, message: Any) -> dict[str, Any]:
    """Unpack a socket's message and check it. Raises ValidationError."""
    return dict(kept(name, msgpack.unpackb(message)))
