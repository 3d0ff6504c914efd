"""The small works on which schedulers' signatures run: machines and jobs, without a scheduler. All are synthetic."""

from __future__ import annotations

from typing import Any

_SHORT = {
    "name": "short",
    "weight": 90,
    "tasks_per_job": {"kind": "lognormal", "median": 6, "sigma": 0.5, "max": 20},
    "duration_s": {"kind": "lognormal", "median": 1, "sigma": 0.4, "max": 3},
}
_LONG = {
    "name": "long",
    "weight": 10,
    "tasks_per_job": {"kind": "lognormal", "median": 12, "sigma": 0.5, "max": 40},
    "duration_s": {"kind": "lognormal", "median": 15, "sigma": 0.3, "max": 30},
}
_SHORT_AND_LONG: dict[str, Any] = {
    "topology": {"clusters": [{"name": "workers", "racks": 5, "machines": [{"count": 100}]}]},
    "workload": {
        "kind": "synthetic",
        "jobs": 150,
        "sampling": "even",
        "arrivals": {"kind": "poisson", "offered_load": 0.9},
        "duration_varies": "job",
        "duration_s": {"kind": "constant", "value": 1},
        "classes": [_SHORT, _LONG],
    },
}
_PICKY: dict[str, Any] = {
    "topology": {
        "clusters": [{"name": "workers", "racks": 5, "machines": [{"count": 100}], "constraint_mix": "custom"}]
    },
    "constraints": {
        "catalogue": "custom",
        "custom": [
            {"name": "ssd", "machine_share": 0.5},
            {"name": "gpu", "machine_share": 0.3},
            {"name": "net", "machine_share": 0.4},
        ],
        "asks": {"probabilities": {"ssd": 0.25, "gpu": 0.1, "net": 0.15}, "unit": "job"},
    },
    "workload": _SHORT_AND_LONG["workload"] | {"arrivals": {"kind": "poisson", "offered_load": 0.8}},
}
_BATCH = {
    "kind": "synthetic",
    "tasks": 1500,
    "arrivals": {"kind": "poisson", "offered_load": 0.85},
    "tasks_per_job": {"kind": "lognormal", "median": 6, "sigma": 0.8, "max": 40},
    "duration_s": {"kind": "lognormal", "median": 2, "sigma": 0.5, "max": 8},
}
_FLEET: dict[str, Any] = {
    "topology": {
        "global_masters": 4,
        "clusters": [{"name": "lm", "repeat": 4, "racks": 2, "machines": [{"count": 30}]}],
    },
    "workload": _BATCH,
    "network": {"message_delay_s": 0.005},
}
_HALL: dict[str, Any] = {
    "topology": {"clusters": [{"name": "hall", "racks": 8, "machines": [{"count": 120}]}]},
    "workload": _BATCH,
    "network": {"message_delay_s": 0.005},
}

WORKS: dict[str, dict[str, Any]] = {
    "short-and-long": _SHORT_AND_LONG,
    "picky": _PICKY,
    "fleet": _FLEET,
    "hall": _HALL,
}
"""Works by name: short jobs beside long ones; the same with constraints; four clusters; one hall of equal jobs."""
