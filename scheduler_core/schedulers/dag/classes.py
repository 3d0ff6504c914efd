"""Split stages into stages of identical tasks where constraints tell tasks of one stage apart."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scheduler_core.workload.stages import STAGE_DTYPE, Stages

Numbers = npt.NDArray[np.int64]


def by_class(stages: Stages, class_of: Numbers) -> Stages:
    """Return the stages with their tasks in order of class, one stage for each class in it; `class_of` is of each task.

    The parts of a stage wait for all parts of its parents.
    """
    table = stages.table
    whole = np.repeat(np.arange(len(table)), table.tasks)
    kind = class_of[stages.order]
    order = np.lexsort((kind, whole))
    whole, kind = whole[order], kind[order]
    begins = np.ones(len(order), np.bool_)
    begins[1:] = (np.diff(whole) != 0) | (np.diff(kind) != 0)
    first = np.flatnonzero(begins)
    if len(first) == len(table):
        return stages
    of = whole[first]  # the stage that each part is of
    parts_end = np.searchsorted(of, np.arange(len(table)), side="right").tolist()
    parts_first = np.searchsorted(of, np.arange(len(table))).tolist()
    parents: list[int] = []
    counts = np.zeros(len(first), np.int64)
    flat, first_parent = stages.parents.tolist(), table.first_parent.tolist()
    for part, stage in enumerate(of.tolist()):
        before = len(parents)
        for parent in flat[first_parent[stage] : first_parent[stage] + int(table.parents[stage])]:
            parents += range(parts_first[parent], parts_end[parent])
        counts[part] = len(parents) - before
    split = np.recarray(len(first), dtype=STAGE_DTYPE)
    split.job, split.first_task, split.tasks = table.job[of], first, np.diff(np.append(first, len(order)))
    split.parents, split.first_parent = counts, np.cumsum(counts) - counts
    return Stages(split, np.array(parents, np.int64), stages.order[order])
