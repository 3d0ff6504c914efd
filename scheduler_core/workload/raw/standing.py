"""What a workload says about tasks that already run at time 0, and about tasks whose end nobody knows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
OPEN = -1


@dataclass(frozen=True)
class RawStanding:
    """Beside a workload's tasks, in their order.

    - `place`: int64 (tasks, 3): cluster, group of alike machines in it, and which one of the group; -1 for nowhere.
    - `row`: the task's row in the file.
    - `open_`: an index into `owners` for a task whose end is not known; -1 for one with a duration.
    - `endless`: True for a task that has no end of its own.
    - `content`: the cluster file (workload.clusters.file), for schedulers that look at more of it.
    """

    place: Ints
    row: Ints
    open_: Ints
    owners: tuple[str, ...]
    endless: NDArray[np.bool_]
    content: Any = None

    def moved(self, rows: Ints) -> RawStanding:
        """Return the same for tasks in another order, or for some of them."""
        return replace(
            self, place=self.place[rows], row=self.row[rows], open_=self.open_[rows], endless=self.endless[rows]
        )
