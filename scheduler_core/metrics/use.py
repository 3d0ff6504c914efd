"""How long tasks used how much of each resource."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.jit import kernel

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@kernel
def _add_use(start, end, kind, demands, used) -> None:  # type: ignore[no-untyped-def]
    """Add what each task that has ended used, in the workload's order: the sum of floats depends on the order."""
    for i in range(len(kind)):
        if end[i] >= 0:
            ran_s = (end[i] - start[i]) / 1e9
            for r in range(len(used)):
                used[r] += demands[kind[i], r] * ran_s


def used_s(start_ns: Ints, end_ns: Ints, kind: Ints, demands: Ints) -> Floats:
    """Return (resources,) the demand of the tasks that have ended, over their run times, in thousandths and seconds."""
    if demands.shape[1] == 1:  # NumPy adds one column pairwise
        ended = end_ns >= 0
        each: Floats = demands[kind[ended]] * ((end_ns - start_ns)[ended] / 1e9)[:, np.newaxis]
        return np.asarray(each.sum(axis=0))
    used = np.zeros(demands.shape[1])
    _add_use(start_ns, end_ns, kind, demands, used)
    return used
