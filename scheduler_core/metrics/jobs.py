"""Jobs that metrics count, as columns: a row of the table of jobs has more than any metric reads."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.metrics.percentiles import distribution_s

Ints = npt.NDArray[np.int64]

PERCENTILES = (50.0, 90.0, 99.0)
_READ = ("arrival_ns", "end_ns", "ideal_ns", "mean_ns")


class CountedJobs:
    """The columns `arrival_ns`, `end_ns`, `ideal_ns` and `mean_ns` of some jobs, each (jobs,), ns."""

    def __init__(self, columns: dict[str, Ints]) -> None:
        self._columns = columns

    @classmethod
    def of_table(cls, jobs: Any, chosen: npt.NDArray[np.bool_]) -> CountedJobs:
        """Return the chosen rows of a table of jobs."""
        return cls({name: jobs[name][chosen] for name in _READ})

    def __len__(self) -> int:
        return len(self._columns["end_ns"])

    def __getitem__(self, name: str) -> Ints:
        return self._columns[name]

    def where(self, chosen: npt.NDArray[np.bool_]) -> CountedJobs:
        """Return the chosen jobs; these jobs themselves if that is all, so that nothing is measured twice."""
        if chosen.all():
            return self
        return CountedJobs({name: column[chosen] for name, column in self._columns.items()})

    @functools.cached_property
    def completion(self) -> dict[str, float | None]:
        """The distribution of the job completion times, in seconds."""
        return distribution_s(self["end_ns"] - self["arrival_ns"], PERCENTILES)

    @functools.cached_property
    def delay(self) -> dict[str, float | None]:
        """The distribution of the times by which jobs ended later than alone and at once, in seconds."""
        return distribution_s(self["end_ns"] - self["arrival_ns"] - self["ideal_ns"], PERCENTILES)
