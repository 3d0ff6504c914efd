"""Parameters of a scheduler that act only if an experiment has what they speak of: data, constraints or several queues.

`tests/core/test_nothing_there.py` runs every scheduler without any of these: the parameters then change nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

_DATA = ("input_gb", "unsized_data")
_SIZES = ("input_gb",)
NEEDS: dict[str, tuple[str, ...]] = {
    "locality": _DATA, "rack_cost": _DATA, "core_cost": _DATA, "wait_s": _DATA, "rack_wait_s": _DATA,
    "rack_factor": _DATA, "remote_factor": _DATA, "rack_gb_s": _SIZES, "core_gb_s": _SIZES,
}  # fmt: skip
"""The parameter acts only if one of these is above 0 or on."""


SPEAKS_OF = {
    **dict.fromkeys(("affinity", "affinity_weight", "soft_utility", "fallback_value", "fewest_properties", "negotiate",
                     "negotiate_ratio", "load_threshold_percent", "wait_threshold_s", "r3"), "constraints"),
    **dict.fromkeys(("hierarchy", "production", "production_priority", "priority_cost", "strict", "weights",
                     "j2_jobs"), "queues"),
}  # fmt: skip
"""What the experiment must have for a parameter to act: constraints, or several queues."""


def acts_with(name: str, known: Collection[str]) -> list[str]:
    """Return the parameters of which one must be above 0 or on, or [] if the parameter acts without them.

    `known` are the names of the scheduler's parameters.
    """
    return [key for key in NEEDS.get(name, ()) if key in known]


def is_inactive(name: str, params: Mapping[str, Any], varied: Collection[str] = ()) -> bool:
    """Return True if a parameter changes nothing beside a scheduler's `params`, which name every parameter.

    `varied` are names of parameters that a study varies, so their value in `params` is not the only one.
    """
    gives = acts_with(name, params.keys())
    return bool(gives) and not any(params[key] or key in varied for key in gives)
