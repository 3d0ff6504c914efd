"""The decision log of a run, limited in size."""

from __future__ import annotations

from typing import Any

import numpy as np

from scheduler_core.engine.records import DECISION

MOST_ROWS = 200_000


class DecisionLog:
    """Decision rows in order of time. A full log drops every other row of the most common reason, repeatedly.

    `thinned` is the number of dropped rows. Counters and histograms do not depend on the log.
    """

    def __init__(self, most_rows: int = MOST_ROWS) -> None:
        self._parts: list[Any] = []
        self._rows = 0
        self._most = most_rows
        self.thinned = 0

    def add(self, rows: Any) -> None:
        """Append rows (engine.records.DECISION), which nobody changes afterwards."""
        if len(rows):
            self._parts.append(rows)
            self._rows += len(rows)
            if self._rows > 2 * self._most:
                self._thin()

    def _thin(self) -> None:
        rows = np.concatenate(self._parts)
        reasons = np.ascontiguousarray(rows["reason"])
        left = np.arange(len(reasons), dtype=np.int32)
        while len(left) > self._most:
            kept = np.ones(len(left), np.bool_)
            kept[np.flatnonzero(reasons == np.bincount(reasons).argmax())[1::2]] = False
            left, reasons = left[kept], reasons[kept]
        self.thinned += len(rows) - len(left)
        self._parts, self._rows = [rows[left]], len(left)

    def rows(self) -> Any:
        """Return the kept rows, at most `most_rows`."""
        if self._rows > self._most:
            self._thin()
        return self.so_far()

    def so_far(self) -> Any:
        """Return the present rows, which may be more than at the end."""
        return np.concatenate(self._parts) if self._parts else np.zeros(0, DECISION)
