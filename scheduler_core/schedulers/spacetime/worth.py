"""Compute the value of tasks in a cycle's groups by completion time.

The formula is in docs/explanation/schedulers/space-time.md.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import World
from scheduler_core.schedulers.spacetime.state import SpaceState

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_A_LITTLE = 1e-4
"""Of groups that are worth the same the first one is preferred by less than this part."""


@dataclass(frozen=True)
class Worth:
    """Numbers of the G groups, from which the worth of a task follows.

    These are its worth before time counts, its duration with all constraints and without the soft ones, and its job's
    deadline. Times are in ns; half_ns is 0 where time does not count.
    """

    base: Floats
    fast_ns: Ints
    slow_ns: Ints
    deadline_ns: Ints
    now_ns: int
    delay_ns: int
    quantum_ns: int
    half_ns: float
    fallback_value: float
    deadline_value: float

    def of(self, i: int, starts: Ints, falls_back: bool) -> tuple[Floats, int]:
        """Return what a task of a group is worth, in jobs, for each start (a slice); and how many slices it takes."""
        duration_ns = int((self.slow_ns if falls_back else self.fast_ns)[i])
        left_ns = starts * self.quantum_ns + (2 * self.delay_ns + duration_ns)
        value = np.full(len(starts), self.base[i] * (self.fallback_value if falls_back else 1.0))
        if self.half_ns > 0:
            value *= self.half_ns / (self.half_ns + left_ns)
        if self.deadline_value > 0:
            value[self.now_ns + left_ns - self.delay_ns <= self.deadline_ns[i]] *= self.deadline_value
        return value, max(1, -(-duration_ns // self.quantum_ns))


def worth_of(world: World, state: SpaceState, numbers: Ints, now_ns: int) -> Worth:
    """Return the numbers of these groups, which are rows of the state."""
    rules, group = state.rules[0], state.group[numbers]
    job = state.job[group["job"]]
    base = job["weight"] / job["tasks"] * (1.0 - _A_LITTLE * np.arange(len(numbers)) / max(1, len(numbers)))
    if rules.aging_ns > 0:
        base *= 1.0 + (now_ns - world.job["arrival_ns"][group["job"]]) / float(rules.aging_ns)
    fast_ns = group["duration_ns"].astype(np.int64)
    lacking = world.asks[group["demand"]] & ~world.asks[group["relaxed"]]
    factor = np.ones(len(numbers))
    for c, slowdown in enumerate(state.slowdown.tolist()):
        factor[(lacking >> c & 1) == 1] *= slowdown
    return Worth(
        base=base, fast_ns=fast_ns, slow_ns=np.floor(fast_ns * factor + 0.5).astype(np.int64),
        deadline_ns=job["deadline_ns"].astype(np.int64), now_ns=now_ns, delay_ns=int(rules.delay_ns),
        quantum_ns=int(rules.quantum_ns), half_ns=float(rules.half_ns), fallback_value=float(rules.fallback_value),
        deadline_value=float(rules.deadline_value),
    )  # fmt: skip
