"""Quantities as Kubernetes writes them: `100m`, `1.5`, `2Gi`, `1e3`."""

from __future__ import annotations

import functools
import re
from decimal import ROUND_CEILING, Decimal, InvalidOperation

_FORM = re.compile(r"([+-]?[0-9]{0,20}(?:\.[0-9]{0,20})?)([numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]{1,2})?\Z")
_SUFFIXES = {
    **{suffix: Decimal(10) ** (3 * power) for power, suffix in enumerate(["n", "u", "m"], -3)},
    **{suffix: Decimal(10) ** (3 * power) for power, suffix in enumerate(["k", "M", "G", "T", "P", "E"], 1)},
    **{suffix + "i": Decimal(1024) ** power for power, suffix in enumerate(["K", "M", "G", "T", "P", "E"], 1)},
}
LARGEST = 2**62
LATEST_S = 9_000_000_000
"""Later times (the year 2255) do not fit into 64 bits of nanoseconds; neither do spans that are longer."""


@functools.lru_cache(maxsize=1 << 16)
def quantity(text: str | int | float, scale: int = 1) -> int | None:
    """Return a quantity times `scale`, rounded up to a whole number as Kubernetes does; None for what is no quantity.

    `scale` is 1000 for CPUs, which are counted in thousandths.
    """
    match = _FORM.match(str(text).strip())
    if match is None or not any(c.isdigit() for c in match[1]):
        return None
    suffix = match[2] or ""
    factor = _SUFFIXES.get(suffix) if suffix else Decimal(1)
    try:
        if factor is None:
            factor = Decimal(10) ** int(suffix[1:])
        found = (Decimal(match[1]) * factor * scale).to_integral_value(ROUND_CEILING)
    except (InvalidOperation, ArithmeticError):
        return None
    return int(found) if 0 <= found <= LARGEST else None
