"""Histograms of what was found in a cluster, for a person to look at before anything runs."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from scheduler_core.inventory.found import Inventory

_BINS = 20
_MOST_ROWS = 12


def charts(found: Inventory) -> dict[str, Any]:
    """Return how full machines are, what tasks request, and tasks by queue, owner and priority.

    Each histogram has `edges` (one more than counts) and `counts`; each table has rows of a name and a count.
    """
    used: dict[str, Counter[str]] = {}
    for task in found.tasks:
        if task.machine:
            used.setdefault(task.machine, Counter()).update(found.specs[task.spec].demand)
    full: dict[str, list[float]] = {"cpus": [], "memory_gb": []}
    for machine in found.machines:
        holds = used.get(machine.name, Counter())
        for name, values in full.items():
            if (capacity := machine.capacity.get(name, 0)) > 0:
                values.append(min(holds[name] / capacity, 1.0))
    asked = {name: [found.specs[task.spec].demand.get(name, 0) / 1000 for task in found.tasks] for name in full}
    return {
        "requested_share_of_machine": {name: _histogram(values, 0.0, 1.0) for name, values in full.items()},
        "requests": {name: _histogram(values, 0.0, max(values, default=1.0)) for name, values in asked.items()},
        "tasks_by_queue": _table(Counter(task.queue for task in found.tasks)),
        "tasks_by_owner": _table(Counter(task.kind for task in found.tasks)),
        "tasks_by_priority": _table(Counter(str(task.priority) for task in found.tasks)),
    }


def _histogram(values: list[float], low: float, high: float) -> dict[str, list[float]]:
    counts, edges = np.histogram(np.array(values, np.float64), bins=_BINS, range=(low, max(high, low + 1e-9)))
    return {"edges": [round(float(edge), 6) for edge in edges], "counts": [int(count) for count in counts]}


def _table(counts: Counter[str]) -> list[list[Any]]:
    rows: list[list[Any]] = [[name, count] for name, count in counts.most_common(_MOST_ROWS)]
    rest = sum(counts.values()) - sum(row[1] for row in rows)
    return rows + ([["", rest]] if rest else [])
