"""Names of measured numbers and parameters, as figures, tables and the API have them."""

from __future__ import annotations

import re

_HEADS = {
    "allocation_delay_s": "Queueing delay",
    "job_completion_s": "Job completion time",
    "job_delay_s": "Job delay",
    "delay_components_s": "Queueing delay, part",
    "makespan_s": "Makespan",
    "lost_work_s": "Lost work",
    "utilisation": "Utilization",
    "by_class": "By class",
    "counters": "Counter",
}

_NAMED = {
    "fairness.jain_mean": "Fairness among queues, by share (Jain, mean of minutes)",
    "fairness.entitled_jain": "Fairness among queues, by share and demand (Jain)",
    "fairness.entitled_worst": "Worst-served queue: part of its entitlement that it used",
}
"""Names that the parts do not tell."""


def metric_words(name: str) -> str:
    """Name a measured number: `allocation_delay_s.p99` is `Queueing delay, p99`."""
    if name in _NAMED:
        return _NAMED[name]
    first, _, rest = name.partition(".")
    head = _HEADS.get(first, plain(first)[:1].upper() + plain(first)[1:])
    words = " ".join(plain(part) for part in re.split(r"\.(?=[a-z])", rest) if part)
    return f"{head}, {words}" if words else head


def plain(name: str) -> str:
    return name.removesuffix("_s").replace("_", " ")
