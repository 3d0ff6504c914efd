"""Draw the properties that each machine offers by key, and pack them into bits.

Bit i of a mask stands for constraint i of the catalogue. A machine is eligible for a task when it offers every bit
that the task asks for.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.cluster import Cluster
from scheduler_core.constraints import tables
from scheduler_core.engine import maths, rng
from scheduler_core.engine.jit import kernel
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.experiment import Experiment
from scheduler_core.experiment.catalogues import constraint_names
from scheduler_core.experiment.constraints import MOST_CONSTRAINTS, Constraints, CustomConstraint
from scheduler_core.experiment.derived import machines_of
from scheduler_core.experiment.sections import ClusterGroup

Masks = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
_NORMAL = 1000
"""Draws of STREAM_OFFER from here on are the normal variables of correlated properties."""


def machine_offers(experiment: Experiment, cluster: Cluster) -> Masks:
    """Return the constraint mask of each machine, int64 (machines,).

    Clusters without a mix or shares offer every constraint that no machine attribute decides.
    """
    offers = np.full(cluster.machines, -1, np.int64)
    if experiment.constraints is None or experiment.topology.pooled:
        return offers
    names = checked_names(experiment)
    lower = factor(experiment.constraints, names)
    number = 0
    for group in experiment.topology.clusters:
        shares = group_shares(experiment.constraints, group, names)
        decided, facts = attribute_masks(experiment.constraints.custom, group)
        sizes = np.array([kind.count for kind in group.machines])
        for _ in range(group.repeat or 1):
            first = int(cluster.cluster_first[number])
            number += 1
            own = offers[first : first + machines_of(group)]
            if shares is None:
                own[:] = (1 << len(names)) - 1
            else:
                _draw(experiment, group, first, shares, lower, own)
            if decided:
                own &= ~decided
                own |= np.repeat(facts, sizes)
    return offers


def checked_names(experiment: Experiment) -> tuple[str, ...]:
    """Return names of the constraints; raises ExperimentError when they do not fit into a word."""
    assert experiment.constraints is not None
    names = constraint_names(experiment.constraints)
    if len(names) > MOST_CONSTRAINTS:
        raise ExperimentError(
            [
                Problem(
                    "constraints.custom",
                    f"lists {len(names)} constraints",
                    f"at most {MOST_CONSTRAINTS} in one catalogue",
                )
            ]
        )
    return names


def group_shares(constraints: Constraints, group: ClusterGroup, names: tuple[str, ...]) -> Floats | None:
    """Return each group's share of machines with each constraint, float64 (groups, constraints); None: all."""
    if (
        group.constraint_mix is None
        and group.constraint_shares is None
        and not any(kind.constraint_shares for kind in group.machines)
    ):
        return None
    base = mix_shares(constraints, group.constraint_mix) if group.constraint_mix else (1.0,) * len(names)
    rows = []
    for kind in group.machines:
        given = {**(group.constraint_shares or {}), **(kind.constraint_shares or {})}
        rows.append([given.get(name, share) for name, share in zip(names, base, strict=True)])
    return np.array(rows, np.float64)


def mix_shares(constraints: Constraints, mix: str) -> tuple[float, ...]:
    """Return the share of the machines that offer each constraint of a mix; 1 where an attribute decides."""
    if mix == "custom":
        return tuple(1.0 if kind.machine_share is None else kind.machine_share for kind in constraints.custom)
    return tables.machine_shares(mix)


def attribute_masks(custom: tuple[CustomConstraint, ...], group: ClusterGroup) -> tuple[int, Masks]:
    """Return the mask of the constraints that attributes decide, and what each machine group has of them."""
    decided = sum(1 << number for number, kind in enumerate(custom) if kind.attribute is not None)
    facts = [
        sum(1 << number for number, constraint in enumerate(custom) if holds(constraint, kind.attributes))
        for kind in group.machines
    ]
    return decided, np.array(facts, np.int64)


def holds(constraint: CustomConstraint, attributes: dict[str, str | float | bool]) -> bool:
    """Return whether attributes satisfy a comparison; a missing one, or one of another type, does not."""
    have, want = attributes.get(constraint.attribute or ""), constraint.value
    if have is None or want is None or isinstance(have, bool) != isinstance(want, bool):
        return False
    if isinstance(have, str) or isinstance(want, str):
        return isinstance(have, str) and isinstance(want, str) and (have == want) == (constraint.comparison == "==")
    return {
        ">=": have >= want,
        ">": have > want,
        "<=": have <= want,
        "<": have < want,
        "==": have == want,
        "!=": have != want,
    }[constraint.comparison or "=="]


def factor(constraints: Constraints, names: tuple[str, ...]) -> Floats:
    """Return the lower triangle L of the Cholesky factor of the correlations, (n, n); (0, 0) when there are none.

    By hand and in order, so that the last bit is the same on every machine.
    """
    if not constraints.correlation and not constraints.correlated:
        return np.empty((0, 0))
    n = len(names)
    common = constraints.correlation or 0.0
    wanted = [[1.0 if i == j else common for j in range(n)] for i in range(n)]
    for pair in constraints.correlated or ():
        i, j = names.index(pair.first), names.index(pair.second)
        wanted[i][j] = wanted[j][i] = pair.correlation
    lower = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            rest = wanted[i][j]
            for k in range(j):
                rest -= lower[i][k] * lower[j][k]
            if i > j:
                lower[i][j] = rest / lower[j][j]
            elif rest <= 1e-12:
                raise ExperimentError(
                    [
                        Problem(
                            "constraints.correlated",
                            "contradict each other: no set of machines could have all these correlations",
                            "correlations that are possible together",
                            f"weaken those of {names[i]}: what goes with two things goes with both less, "
                            "the less they go together",
                        )
                    ]
                )
            else:
                lower[i][i] = math.sqrt(rest)
    return np.array(lower)


def _draw(experiment: Experiment, group: ClusterGroup, first: int, shares: Floats, lower: Floats, own: Masks) -> None:
    """Fill the masks of one cluster's machines, of which the first has the number `first`."""
    constraints = experiment.constraints
    assert constraints is not None
    blocks = constraints.layout == "blocks" or (
        constraints.layout is None and group.constraint_mix == "phoenix" and not len(lower)
    )
    if blocks:
        for start, end, row in _segments(group, shares):
            _offer_blocks(experiment.seed, first + start, shares[row], own[start:end])
        return
    row_of = np.repeat(np.arange(len(shares)), [kind.count for kind in group.machines])
    if len(lower):
        thresholds = np.array([[_threshold(share) for share in row] for row in shares.tolist()])
        _offer_together(experiment.seed, first, thresholds, lower, row_of, np.empty(len(lower)), own)
    else:
        _offer_independently(experiment.seed, first, shares, row_of, own)


def _segments(group: ClusterGroup, shares: Floats) -> Iterator[tuple[int, int, int]]:
    """Yield the ranges of machines that blocks are laid out in: the cluster, or its groups where they differ."""
    if bool((shares == shares[0]).all()):
        yield 0, machines_of(group), 0
        return
    start = 0
    for row, kind in enumerate(group.machines):
        yield start, start + kind.count, row
        start += kind.count


def _threshold(share: float) -> float:
    if share <= 0.0 or share >= 1.0:
        return math.copysign(math.inf, share - 0.5)
    return float(maths.normal_quantile(share))


@kernel
def _offer_independently(seed: int, first: int, shares: Any, row_of: Any, offers: Any) -> None:
    """Offer constraint c on each machine with probability shares[row_of[machine], c] (float64, int64 (machines,))."""
    for machine in range(len(offers)):
        mask = 0
        row = row_of[machine]
        for c in range(shares.shape[1]):
            if rng.uniform(seed, rng.STREAM_OFFER, first + machine, c) < shares[row, c]:
                mask |= 1 << c
        offers[machine] = mask


@kernel
def _offer_together(seed: int, first: int, thresholds: Any, lower: Any, row_of: Any, normals: Any, offers: Any) -> None:
    """Offer constraint c on a machine if the c-th of its correlated normal variables is below the threshold.

    `normals` is scratch, float64 (constraints,): a machine's independent variables.
    """
    for machine in range(len(offers)):
        mask = 0
        row = row_of[machine]
        for c in range(thresholds.shape[1]):
            normals[c] = rng.normal(seed, rng.STREAM_OFFER, first + machine, _NORMAL + c)
            score = 0.0
            for k in range(c + 1):
                if lower[c, k] != 0.0:
                    score += lower[c, k] * normals[k]
            if score < thresholds[row, c]:
                mask |= 1 << c
        offers[machine] = mask


@kernel
def _offer_blocks(seed: int, first: int, shares: Any, offers: Any) -> None:
    """Offer constraint c on a contiguous block of machines from a random place on, as in the Phoenix code."""
    machines = len(offers)
    offers[:] = 0
    for c in range(len(shares)):
        start = rng.below(seed, rng.STREAM_OFFER, first, c, machines)
        for place in range(round(shares[c] * machines)):
            offers[(start + place) % machines] |= 1 << c
