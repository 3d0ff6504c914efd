"""Say whether the tasks of a run have data. Declarations use it, so it imports no compiled code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def has_data(params: Mapping[str, Any]) -> bool:
    """Return True if tasks have data somewhere; without data, no cost or weight of data acts."""
    return bool(params.get("input_gb", 0.0) > 0 or params.get("unsized_data", False))
