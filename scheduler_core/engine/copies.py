"""Copy the arrays of a run."""

from __future__ import annotations

from typing import Any

import numpy as np

from scheduler_core.engine.records import records


def copied(array: Any) -> Any:
    """Return a copy of an array; a copied record array starts at a processor cache line, like the original."""
    if array.dtype.names is None or not array.flags.c_contiguous:
        return array.copy(order="K")
    copy = records(array.shape, array.dtype)
    _bytes(copy)[:] = _bytes(array)
    return copy


def _bytes(array: Any) -> Any:
    return array.view(np.ndarray).reshape(-1).view(np.uint8)
