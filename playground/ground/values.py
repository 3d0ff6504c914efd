"""Count the values of JSON that a stranger sent, before anything checks them."""

from __future__ import annotations

from typing import Any


def values_in(data: dict[str, Any] | list[Any], *, most: int | None = None) -> int:
    """Return the number of values in an object or a list, at every level; past `most`, the count ends early.

    An object or a list is one value of what holds it, and `data` itself is none.
    """
    count, left = 0, list[Any]([data])
    while left and (most is None or count <= most):
        value = left.pop()
        count += len(value)
        inner = value.values() if isinstance(value, dict) else value
        left.extend(each for each in inner if isinstance(each, dict | list))
    return count
