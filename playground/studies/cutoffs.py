"""How the cut-offs of a study's schedulers divide the work, beside the work's own classes."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from scheduler_core import Findings
from scheduler_core.experiment.classes import YAHOO_S

_COUNTS = {
    "short": "by_class.short.jobs",
    "long": "by_class.long.jobs",
    "work_short": "by_work_class.short.jobs",
    "work_long": "by_work_class.long.jobs",
}
_BOUNDARY = "by_work_class.cutoff_s"
_VARIED = "short_cutoff_s"


def cutoffs_of(findings: Findings, varied: Collection[str]) -> list[dict[str, Any]]:
    """Return the counts of jobs by class in the first run of each scheduler with a cut-off.

    A study that varies the cut-off itself has no single one. `cutoff_s` is None if the work has no classes of its own.
    """
    if any(path.endswith(_VARIED) for path in varied):
        return []
    found: dict[int, dict[str, Any]] = {}
    for number, numbers in sorted(findings.numbers.items()):
        scheduler = findings.grid.run(number)[0].scheduler
        counts = {name: numbers.get(path) for name, path in _COUNTS.items()}
        if scheduler not in found and None not in counts.values():
            boundary = numbers.get(_BOUNDARY)
            own = None if boundary == YAHOO_S else boundary
            found[scheduler] = {"scheduler": scheduler, **counts, "cutoff_s": own}
    return [found[scheduler] for scheduler in sorted(found)]
