"""Compute the fairest division of machines among jobs that can use only some of them, by network flows."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Able = npt.NDArray[np.bool_]


def fairest_division(able: Able) -> npt.NDArray[np.int64]:
    """Return whole machines for each job: the least as many as can be, then the next. `able` is (jobs, machines).

    One more goes to the poorest job that can have it, until none can. That is the best because what can be served at
    once is a matroid.
    """
    given = np.zeros(len(able), np.int64)
    stuck = np.zeros(len(able), np.bool_)
    while not stuck.all():
        job = int(np.where(stuck, np.iinfo(np.int64).max, given).argmin())
        given[job] += 1
        if not _possible(able, given):
            given[job] -= 1
            stuck[job] = True
    return given


def _possible(able: Able, wanted: npt.NDArray[np.int64]) -> bool:
    """Return True if the given numbers of machines can serve all jobs at once, by a flow from jobs to machines."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_flow

    jobs, machines = able.shape
    size = jobs + machines + 2
    edges = np.zeros((size, size), np.int32)
    edges[0, 1 : jobs + 1] = wanted
    edges[1 : jobs + 1, jobs + 1 : -1] = able
    edges[jobs + 1 : -1, -1] = 1
    return bool(maximum_flow(csr_array(edges), 0, size - 1).flow_value == wanted.sum())
