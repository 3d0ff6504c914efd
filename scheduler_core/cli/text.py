"""Format numbers and tables for people: units, three significant digits, aligned columns."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any


def number(value: float | None, digits: int = 3) -> str:
    """Write a number with `digits` significant digits and thousands separators; whole numbers in full."""
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return "–"
    if isinstance(value, int) or value == 0:
        return f"{value:,.0f}"
    rounded = float(f"{value:.{digits - 1}e}")
    decimals = digits - 1 - math.floor(math.log10(abs(rounded)))
    return f"{rounded:,.{max(decimals, 0)}f}"


def seconds(value: float | None) -> str:
    """Format a time in seconds with a fitting unit: s, ms or µs."""
    if value is None or not math.isfinite(value):
        return "–"
    if value == 0:
        return "0 s"
    for unit, scale in (("s", 1.0), ("ms", 1e3)):
        # 0.9996 s has three digits as 1.00 s, not as 1,000 ms.
        if abs(value) * scale >= 0.9995:
            return f"{number(float(value) * scale)} {unit}"
    return f"{number(float(value) * 1e6)} µs"


def percent(value: float | None) -> str:
    """Write a share as per cent."""
    return "–" if value is None or not math.isfinite(value) else f"{number(float(value) * 100)} %"


def table(rows: Iterable[Sequence[str]], indent: str = "", *, right: bool = True) -> str:
    """Return the rows as aligned text: the first column to the left, the others to the `right` unless it is off."""
    cells = [list(row) for row in rows]
    columns = max((len(row) for row in cells), default=0)
    widths = [max((len(row[i]) for row in cells if i < len(row)), default=0) for i in range(columns)]
    lines = []
    for row in cells:
        padded = [
            cell.rjust(width) if i and right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=False))
        ]
        lines.append((indent + "  ".join(padded)).rstrip())
    return "\n".join(lines)


PARTS = {
    "framework_queuing": "queue at scheduler",
    "processing": "deciding",
    "communication": "messages",
    "worker_queuing": "queue at machine",
}
"""The parts of the queueing delay, by their names on the pages."""
_WORDS = PARTS | {
    "t_s": "time",
    "last_event_s": "last event",
    "delay_s": "queueing delay",
    "end_s": "end",
    "stopped_s": "lost its machine",
    "out": "out of service",
    "cpus": "CPUs",
    "gpus": "GPUs",
    "memory_gb": "memory, GB",
    "believes_free": "believes free, in thousandths",
}
_SCALES = {"_s": 1.0, "_ns": 1e-9}


def tree(
    value: Any, indent: str = "", words: Mapping[str, str] = MappingProxyType({}), unit: str = ""
) -> Iterable[str]:
    """Write nested JSON as indented lines `name: value`; it cuts long lists and says so.

    `words` are names of keys. A key that ends in `_s` or `_ns` holds times; `unit` is that ending of a key above.
    """
    items = value.items() if isinstance(value, dict) else ((str(i), inner) for i, inner in enumerate(value))
    for shown, (key, inner) in enumerate(items):
        if isinstance(value, list | tuple) and shown == 20:
            yield f"{indent}… {len(value) - 20:,} more"
            return
        ending = next((one for one in _SCALES if str(key).endswith(one)), "")
        name = words.get(key) or _WORDS.get(key) or str(key).removesuffix(ending).replace("_", " ")
        if isinstance(inner, dict | list | tuple) and inner and not _short(inner):
            yield f"{indent}{name}:"
            yield from tree(inner, indent + "  ", words, ending or unit)
        else:
            yield f"{indent}{name}: {_leaf(inner, ending or unit)}"


def counter_words(scheduler: str) -> dict[str, str]:
    """Return the labels of a scheduler's counters, as pages show them, by name."""
    from scheduler_core.studies.counters import counter_labels

    return counter_labels([scheduler])


def _short(value: Any) -> bool:
    return (
        isinstance(value, list | tuple)
        and len(value) <= 12
        and not any(isinstance(v, dict | list | tuple) for v in value)
    )


def _leaf(value: Any, unit: str) -> str:
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return {True: "yes", False: "no", None: "–"}.get(value, str(value)) if not isinstance(value, str) else value
    if isinstance(value, dict | list | tuple):
        return ", ".join(_leaf(one, unit) for one in value) if value else "none"
    return seconds(float(value) * _SCALES[unit]) if unit else number(value)
