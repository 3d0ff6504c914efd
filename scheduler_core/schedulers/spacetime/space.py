"""What a cycle chooses from, and what it has chosen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scheduler_core.schedulers.spacetime.expression import NCk

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Space:
    """What there is room for: P partitions, K sets of machines, G groups, S slices, R resources.

    `free` counts what is unused in each slice; `fits` is how many tasks of a group the machines of each partition hold
    now, one by one, and `fits_later` those of each set in each slice.
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
