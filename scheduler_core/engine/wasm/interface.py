"""What a kernel takes, as plain data: the arrays' columns and the kinds of numbers, without Numba's types.

A module fits arrays whose interface is the one that it was built for. The page lays out its arrays by the same data.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

RESULTS: dict[str, np.dtype[Any] | None] = {
    "int64": np.dtype(np.int64),
    "uint64": np.dtype(np.uint64),
    "float64": np.dtype(np.float64),
    "bool": np.dtype(np.bool_),
    "none": None,
}
"""What a module may return, by Numba's name."""


def interface_of(arguments: tuple[Any, ...]) -> list[Any]:
    """Return the interface of a call: one entry for each argument.

    A named tuple of arrays is [name, [field, dtype, dimensions] for each field]; an array is [dtype, dimensions]; a
    number is "int", "float" or "bool"; any other tuple is ["", kind of each part]. A dtype with columns is [bytes of a
    row, [column, dtype, place in the row]...].
    """
    return [_kind(argument) for argument in arguments]


def _kind(argument: Any) -> Any:
    if isinstance(argument, tuple) and hasattr(argument, "_fields"):
        fields = [
            [name, _described(array.dtype), array.ndim] for name, array in zip(argument._fields, argument, strict=True)
        ]
        return [type(argument).__name__, fields]
    if isinstance(argument, np.ndarray):
        return [_described(argument.dtype), argument.ndim]
    if isinstance(argument, tuple):
        return ["", *map(_kind, argument)]
    if isinstance(argument, bool | np.bool_):
        return "bool"
    return "float" if isinstance(argument, float) else "int"


@functools.lru_cache(512)
def _described(dtype: np.dtype[Any]) -> Any:
    if dtype.subdtype is not None:
        return [_described(dtype.subdtype[0]), list(dtype.subdtype[1])]
    if dtype.fields is None:
        return dtype.str.lstrip("<|=")
    return [dtype.itemsize, *([name, _described(each[0]), each[1]] for name, each in dtype.fields.items())]
