"""Wait times of tasks by requested constraint, and by arrival time."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.metrics.percentiles import distribution_s

SPANS = 24
"""Into how many equal spans the arrivals are divided: it bounds the size of a summary."""
_PERCENTILES = (50.0, 90.0, 99.0)

Ints = npt.NDArray[np.int64]


def constraint_waits(arrival: Ints, first_start: Ints, asks: Ints, names: tuple[str, ...]) -> dict[str, Any] | None:
    """Measure the waits of the tasks that ask for each constraint, and of those that ask for none.

    `arrival` and `first_start` are ns (-1: never started), `asks` masks of `names`; all (tasks,). A task that asks for
    several constraints counts with each. None where no task asks for a constraint.
    """
    if not asks.any():
        return None
    first = int(arrival.min())
    every = (int(arrival.max()) - first) // SPANS + 1
    span = (arrival - first) // every
    kinds = [(None, asks == 0), *((name, asks >> bit & 1 == 1) for bit, name in enumerate(names))]
    rows = [
        {"constraint": name} | _waits(arrival[chosen], first_start[chosen], span[chosen])
        for name, chosen in kinds
        if chosen.any()
    ]
    return {"from_s": first / 1e9, "every_s": every / 1e9, "rows": rows}


def _waits(arrival: Ints, first_start: Ints, span: Ints) -> dict[str, Any]:
    """Measure the waits of some tasks: all of them, and those that arrived in each span."""
    started = first_start >= 0
    wait = (first_start - arrival)[started]
    count = np.bincount(span, minlength=SPANS)
    begun = np.bincount(span[started], minlength=SPANS)
    total = np.bincount(span[started], wait / 1e9, SPANS)
    return {
        "tasks": len(arrival),
        "started": int(started.sum()),
        "wait_s": distribution_s(wait, _PERCENTILES),
        "tasks_by_span": count.tolist(),
        "mean_s_by_span": [
            round(float(one) / int(of), 9) if of else None for one, of in zip(total, begun, strict=True)
        ],
    }
