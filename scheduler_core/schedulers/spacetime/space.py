"""The choices of a cycle, and its decisions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scheduler_core.schedulers.spacetime.expression import NCk

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Space:
    """The free capacity of a cycle: P partitions, K sets of machines, G groups, S slices, R resources.

    `free` is the unused capacity in each slice. `fits` counts, machine by machine, the tasks of a group that each
    partition can hold now; `fits_later` counts those that each set can hold in each slice.
    """

    member: npt.NDArray[np.bool_]  # (K, P): which partitions make up a set
    free: Ints  # (S, P, R)
    demand: Ints  # (G, R) of one task
    fits: Ints  # (G, P)
    fits_later: Ints  # (G, K, S)


@dataclass
class Chosen:
    """An answer: how many tasks each leaf takes, for starts now by partition. `value` is of the expression."""

    value: int
    counts: list[tuple[NCk, Ints]]
    limited: bool = False
