"""Open experiments from before a scheduler's name was given to another one.

Until 0.2.0, `kubernetes` was a reading of the manual. Now it is kube-scheduler, exactly, and the reading is
`kubernetes-papers`. An experiment from before is known by its version, or by a parameter that only the former scheduler
has: experiments are stored, linked and recorded with their parameters written out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scheduler_core.experiment.formerly import version_of


@dataclass(frozen=True)
class Renamed:
    """A scheduler's name today, the first version with it, and parameters that the successor of its name lacks."""

    now: str
    since: str
    only: frozenset[str]


RENAMED: Mapping[str, Renamed] = {
    "kubernetes": Renamed(
        "kubernetes-papers",
        "0.2.0",
        frozenset({"slots", "gang_wait_s", "least_allocated", "balanced", "locality", "spread", "affinity"}),
    )
}


def with_former_scheduler(data: dict[str, Any], made_under: str | None = None) -> dict[str, Any]:
    """Return an experiment of a version with today's name of the scheduler that it means; the data need not be valid.

    Without a version only the parameters tell.
    """
    choice = data.get("scheduler")
    name = choice.get("name") if isinstance(choice, dict) else None
    one = RENAMED.get(name) if isinstance(name, str) else None
    if one is None or not isinstance(choice, dict):
        return data
    params = choice.get("params")
    older = made_under is not None and version_of(made_under) < version_of(one.since)
    if not older and not (isinstance(params, dict) and one.only.intersection(params)):
        return data
    return {**data, "scheduler": {**choice, "name": one.now}}
