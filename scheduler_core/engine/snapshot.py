"""Snapshots: a copy of every array of a run, as bytes that another process can take up."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np

from scheduler_core.engine.records import World

_HEADER = "header"


def save(world: World, state: Any, header: dict[str, Any], decisions: Any) -> bytes:
    """All arrays of the world and the protocol's state, the decisions so far, and a header of plain data."""
    arrays = {f"world.{name}": value for name, value in world._asdict().items()}
    arrays |= {f"state.{name}": value for name, value in state._asdict().items()}
    arrays["decisions"] = decisions
    arrays[_HEADER] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    sink = io.BytesIO()
    plain: dict[str, Any] = {name: np.asarray(array) for name, array in arrays.items()}
    np.savez_compressed(sink, **plain)
    return sink.getvalue()


def load(data: bytes, state_type: type[Any]) -> tuple[World, Any, dict[str, Any], Any]:
    """World, state, header and decisions of a snapshot; ValueError when the bytes are not one."""
    try:
        archive = np.load(io.BytesIO(data), allow_pickle=False)
        header: dict[str, Any] = json.loads(archive[_HEADER].tobytes())
        world = World(**{name: _records(archive[f"world.{name}"]) for name in World._fields})
        state = state_type(**{name: _records(archive[f"state.{name}"]) for name in state_type._fields})
        return world, state, header, archive["decisions"]
    except (OSError, KeyError, ValueError, TypeError) as error:
        raise ValueError("not a snapshot of this scheduler") from error


def _records(array: Any) -> Any:
    return array.view(np.recarray) if array.dtype.names else array
