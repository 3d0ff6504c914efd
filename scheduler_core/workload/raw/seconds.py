"""Convert seconds, as people write them, to whole nanoseconds."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal

NS = 1_000_000_000


def to_ns(seconds: float) -> int:
    """Round to nanoseconds by the number's digits, not as its nearest double: 0.1 is 100,000,000. Halves to even."""
    return int(Decimal(repr(float(seconds))).scaleb(9).to_integral_value(ROUND_HALF_EVEN))
