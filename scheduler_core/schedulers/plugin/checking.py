"""Arrays that refuse a row outside their bounds, and a negative one, which Python counts from the end."""

from __future__ import annotations

from typing import Any

import numpy as np


class OutOfBounds(IndexError):
    """Raised for a row that an array does not have. `name` is the array's name, `allowed` its rows."""

    def __init__(self, name: str, row: int, rows: int, axis: int) -> None:
        what = "column" if axis else "row"
        super().__init__(f"{name} has no {what} {row:,}")
        self.allowed = f"{what}s 0 to {rows - 1:,}" if rows else f"no {what}s: it is empty"


class Watched(np.recarray[Any, Any]):
    """An array of records, or of numbers, that checks each index."""

    name = ""

    def __array_finalize__(self, made_from: Any) -> None:
        """Keep the name in a view."""
        if type(made_from) is Watched:
            object.__setattr__(self, "name", made_from.name)

    def __getitem__(self, key: Any) -> Any:
        """Return a row. Raises OutOfBounds."""
        self._check(key)
        return super().__getitem__(key)

    def __setitem__(self, key: Any, value: Any) -> None:
        """Write a row. Raises OutOfBounds."""
        self._check(key)
        super().__setitem__(key, value)

    def _check(self, key: Any) -> None:
        for axis, place in enumerate(key if isinstance(key, tuple) else (key,)):
            if isinstance(place, int | np.integer) and not 0 <= place < self.shape[axis]:
                raise OutOfBounds(self.name or "the array", int(place), self.shape[axis], axis)


def watched(value: Any) -> Any:
    """Return a named tuple of arrays whose arrays check each index; anything else as it is."""
    if not isinstance(value, tuple) or not hasattr(value, "_fields"):
        return value
    prefix = "w" if type(value).__name__ == "World" else "s"
    return type(value)(*(_watch(each, f"{prefix}.{name}") for name, each in zip(value._fields, value, strict=True)))


def _watch(array: Any, name: str) -> Any:
    if not isinstance(array, np.ndarray):
        return array
    view = array.view(Watched)
    object.__setattr__(view, "name", name)
    return view
