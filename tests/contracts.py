"""Checks of real objects against the contract's models."""

from __future__ import annotations

import functools
from typing import Any

import msgpack
from pydantic import TypeAdapter

from playground.contract import DOCUMENTS


@functools.cache
def _adapter(name: str) -> TypeAdapter[Any]:
    return TypeAdapter(DOCUMENTS[name])


def kept(name: str, found: Any) -> Any:
    """Return what was found if it is as the named part of the contract says. Raises ValidationError."""
    _adapter(name).validate_python(found)
    return found


def unpacked(name: str, message: Any) -> dict[str, Any]:
    """Unpack a socket's message and check it. Raises ValidationError."""
    return dict(kept(name, msgpack.unpackb(message)))
