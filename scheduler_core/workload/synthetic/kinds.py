"""Demand kinds of a synthetic workload: distinct vectors of amounts with their weights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scheduler_core.cluster.build import amounts, thousandths
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.experiment.workloads import Demand, SyntheticWorkload
from scheduler_core.workload.synthetic import sampling
from scheduler_core.workload.synthetic.rows import cumulative, parameters
from scheduler_core.workload.synthetic.sampling import Floats, Ints

MOST_KINDS = 4096


@dataclass(frozen=True)
class Kinds:
    """`vectors` int64 (kinds, resources) in thousandths; how jobs come by one (drawing.draw_kinds)."""

    vectors: Ints
    weights: Floats
    fixed: Ints
    resources: int = 0
    levels: int = 0


def kinds_of(workload: SyntheticWorkload, names: tuple[str, ...]) -> Kinds:
    """List all kinds: drawn or weighted ones first, then those of classes with a demand of their own."""
    resources = levels = 0
    if workload.drawn_demand is not None:
        vectors = _levels(workload, names)
        resources, levels = len(workload.drawn_demand.amounts), workload.drawn_demand.levels
        weights = [1.0] * len(vectors)
    else:
        demands, weights = demand_kinds(workload)
        vectors = [amounts(demand, names) for demand in demands]
    fixed = []
    for one in workload.classes or (None,):
        fixed.append(-1)
        if one is not None and one.demand is not None:
            fixed[-1] = len(vectors)
            vectors.append(amounts(one.demand, names))
    return Kinds(np.array(vectors, np.int64), cumulative(weights), np.array(fixed, np.int64), resources, levels)


def demand_kinds(workload: SyntheticWorkload) -> tuple[list[Demand], list[float]]:
    """List the declared kinds of demands with their weights."""
    if not workload.demands:
        return [workload.demand], [1.0]
    return [kind.demand for kind in workload.demands], [kind.weight for kind in workload.demands]


def _levels(workload: SyntheticWorkload, names: tuple[str, ...]) -> list[list[int]]:
    """Return every combination of the levels of the drawn resources, the first resource's digit first."""
    drawn = workload.drawn_demand
    assert drawn is not None
    count = drawn.levels ** len(drawn.amounts)
    if count > MOST_KINDS:
        raise ExperimentError(
            [
                Problem(
                    "workload.drawn_demand.levels",
                    f"makes {count:,} kinds of tasks",
                    f"at most {MOST_KINDS:,}",
                    "ask for fewer levels, or draw fewer resources",
                )
            ]
        )
    vectors = [amounts(workload.demand, names)]
    for name, dist in drawn.amounts.items():
        row, column = parameters(dist), names.index(name)
        steps = [
            thousandths(float(sampling.quantile(row, (level + 0.5) / drawn.levels))) for level in range(drawn.levels)
        ]
        vectors = [[*vector[:column], step, *vector[column + 1 :]] for vector in vectors for step in steps]
    return vectors
