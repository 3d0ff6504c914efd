"""The shape of DAGs: stages, barriers, longest chains, parallel paths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]


def shapes(of_job: Ints, first_parent: Ints, parents_of: Ints, parents: npt.NDArray[Any]) -> dict[str, Ints]:
    """Return for each job, (jobs,): `stages`, `barriers`, `critical_path` (stages on the longest chain) and `paths`.

    Stages have numbers job by job, `of_job` each, parents before children; those of one are `parents_of` numbers from
    `first_parent` on in `parents`. A barrier parts the stages so that all of one side have to end before any of the
    other begins. `paths` is the most stages at one depth: as many disjoint paths as the drawn graphs have.
    """
    first = (np.cumsum(of_job) - of_job).tolist()
    flat, own = parents.tolist(), list(zip(first_parent.tolist(), parents_of.tolist(), strict=True))
    found = np.zeros((len(of_job), 3), np.int64)
    for job, (begin, stages) in enumerate(zip(first, of_job.tolist(), strict=True)):
        found[job] = _shape(
            [[parent - begin for parent in flat[at : at + count]] for at, count in own[begin : begin + stages]]
        )
    return {"barriers": found[:, 0], "critical_path": found[:, 1], "stages": of_job, "paths": found[:, 2]}


def _shape(parents: Sequence[Sequence[int]]) -> tuple[int, int, int]:
    """Return barriers, longest chain and widest depth of one graph, parents before children."""
    before: list[int] = []  # the stages before each, as bits
    depth: list[int] = []
    for own in parents:
        bits = 0
        for parent in own:
            bits |= before[parent] | 1 << parent
        before.append(bits)
        depth.append(1 + max((depth[parent] for parent in own), default=0))
    order = sorted(range(len(before)), key=lambda stage: before[stage].bit_count())
    common = [0] * len(order)  # what is before all stages from each place of the order on
    all_of = -1
    for place in range(len(order) - 1, -1, -1):
        all_of &= before[order[place]]
        common[place] = all_of
    barriers, done = 0, 0
    for place, stage in enumerate(order[:-1]):
        done |= 1 << stage
        barriers += common[place + 1] & done == done
    return barriers, max(depth, default=0), max(np.bincount(depth).tolist(), default=0)
