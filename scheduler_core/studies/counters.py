"""Labels of counters, as pages and tables show them."""

from __future__ import annotations

from collections.abc import Collection

from scheduler_core.schedulers import SCHEDULERS
from scheduler_core.world.spec import COMMON_COUNTERS


def counter_labels(schedulers: Collection[str] = ()) -> dict[str, str]:
    """Return the labels of the counters of these schedulers by name, of all schedulers where none is given.

    A counter that schedulers label differently has all its labels, joined by " / ".
    """
    labels: dict[str, dict[str, None]] = {}
    for counter in (
        *COMMON_COUNTERS,
        *(one for spec in SCHEDULERS if not schedulers or spec.name in schedulers for one in spec.counters),
    ):
        labels.setdefault(counter.name, {})[counter.label] = None
    return {name: " / ".join(found) for name, found in labels.items()}
