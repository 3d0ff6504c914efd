"""Named sets of costs of masters' operations and messages. All come from a calibration: no source measured them.

A new set is another entry of `COSTS`. docs/development/agreement.md says which figures of the paper each set explains.
"""

from __future__ import annotations

from typing import Any, Final

OWN: Final = "own"
"""The name of costs that are no set of these."""

COSTS: dict[str, dict[str, float]] = {
    "writing": {
        "message_us": 0.0,
        "match_us": 40.0,
        "scan_ns": 5.0,
        "vector_ns": 0.0,
        "request_us": 50.0,
        "send_ns": 4000.0,
        "update_us": 5.0,
        "apply_ns": 10.0,
    },
    "messages": {
        "message_us": 5500.0,
        "match_us": 40.0,
        "scan_ns": 5.0,
        "vector_ns": 0.0,
        "request_us": 50.0,
        "send_ns": 50.0,
        "update_us": 5.0,
        "apply_ns": 1000.0,
    },
    "vectors": {
        "message_us": 5500.0,
        "match_us": 20.0,
        "scan_ns": 5.0,
        "vector_ns": 200.0,
        "request_us": 50.0,
        "send_ns": 50.0,
        "update_us": 5.0,
        "apply_ns": 200.0,
    },
}
DEFAULT: Final = "writing"


def named_costs(data: Any) -> Any:
    """Fill in the costs of the set that parameters name, and name the set that the costs then are.

    A cost that is given goes before the set's; the name is then that of another set, or `own`.
    """
    if not isinstance(data, dict):
        return data
    name = data.get("costs", DEFAULT)
    if not isinstance(name, str) or (name not in COSTS and name != OWN):
        return data
    filled = COSTS.get(name, COSTS[DEFAULT]) | data
    same = [each for each, costs in COSTS.items() if all(filled[cost] == value for cost, value in costs.items())]
    return filled | {"costs": same[0] if same else OWN}
