"""Published numbers about placement constraints, each with its evidence.

`megha-21`: read from the configuration of the public constraint-aware simulator of Megha's authors (its machines
measured over 10,000 of them; its task frequencies as written there). The table has numbers of constraints, not names.
`megha-clusters`: the same, but with the frequencies of the ten statistical clusters as they stand there.
`google-b` and `google-c` are synthetic: the measured vector moved by ten points, kept within 3 and 97 %.
`phoenix-9`: machine shares from the public code of Phoenix's authors; the mix of tasks is synthetic.
"""

from __future__ import annotations

from scheduler_core.experiment.constraints import Constraints

MEGHA_MACHINES_PERCENT = (
    37.6,
    65.7,
    15.6,
    37.7,
    68.3,
    11.1,
    28.4,
    15.5,
    70.3,
    73.3,
    48.7,
    47.0,
    31.7,
    8.0,
    69.3,
    15.1,
    56.3,
    27.6,
    66.8,
    70.0,
    100.0,
)
MEGHA_TASKS_PERCENT = (8, 7, 7, 10, 23, 20, 30, 1, 3, 1, 4, 3, 2, 1, 4, 2, 9, 8, 11, 25, 29)
MEGHA_CLASS_FACTORS = (1.0, 0.94, 0.98, 0.72, 1.21, 0.82, 1.09, 0.59, 0.71, 0.897)
MEGHA_CLASS_WEIGHTS = (
    (0.0396, 0.1405, 0.0591, 0.1203, 0.0899, 0.11, 0.0899, 0.1405, 0.1203, 0.0899),
    (0.1204, 0.0797, 0.1102, 0.1204, 0.0998, 0.0998, 0.0593, 0.1303, 0.0901, 0.09),
    (0.1304, 0.1608, 0.1507, 0.0493, 0.1608, 0.1205, 0.0289, 0.0493, 0.1205, 0.0289),
    (0.1168, 0.1205, 0.1338, 0.0966, 0.1168, 0.1102, 0.0493, 0.1039, 0.0998, 0.0524),
)

# fmt: off
MEGHA_CLUSTERS_PERCENT = (
    (8, 7, 7, 10, 23, 20, 30, 1, 3, 1, 4, 3, 2, 1, 4, 2, 9, 8, 11, 25, 29),
    (7.5, 6.6, 6.6, 9.4, 21.6, 18.8, 28.2, 0.9, 2.8, 0.9, 3.8, 2.8, 1.9, 0.9, 3.8, 1.9, 8.5, 7.5, 10.3, 23.5, 27.3),
    (7.8, 6.9, 6.9, 9.8, 22.5, 19.6, 29.4, 1, 2.9, 1, 3.9, 2.9, 2, 1, 3.9, 2, 8.8, 7.8, 10.8, 24.5, 28.4),
    (5.8, 5, 5, 7.2, 16.6, 14.4, 21.6, 0.7, 2.2, 0.7, 2.9, 2.2, 1.4, 0.7, 2.9, 1.4, 6.5, 5.8, 7.9, 18, 20.9),
    (9.7, 8.5, 8.5, 12.1, 27.8, 24.2, 36.3, 1.2, 3.6, 1.2, 4.8, 3.6, 2.4, 1.2, 4.8, 2.4, 10.9, 9.7, 13.3, 30.2, 35.1),
    (6.6, 5.7, 5.7, 8.2, 18.9, 16.4, 24.6, 0.8, 2.5, 0.8, 3.3, 2.5, 1.6, 0.8, 3.3, 1.6, 7.4, 6.6, 9, 20.5, 23.8),
    (8.7, 7.6, 7.6, 10.9, 25.1, 21.8, 32.7, 1.1, 3.3, 1.1, 4.4, 3.3, 2.2, 1.1, 4.4, 2.2, 9.8, 8.7, 12, 27.3, 31.6),
    (4.7, 4.1, 4.1, 5.9, 13.6, 11.8, 17.7, 0.6, 1.8, 0.6, 2.4, 1.8, 1.2, 0.6, 2.4, 1.2, 5.3, 4.7, 6.5, 14.8, 17.1),
    (5.7, 5, 5, 7.1, 16.3, 14.2, 21.3, 0.7, 2.1, 0.7, 2.8, 2.1, 1.4, 0.7, 2.8, 1.4, 6.4, 5.7, 7.8, 17.8, 20.6),
    (7.2, 6.3, 6.3, 9, 20.6, 17.9, 26.9, 0.9, 2.7, 0.9, 3.6, 2.7, 1.8, 0.9, 3.6, 1.8, 8.1, 7.2, 9.9, 22.4, 26),
)
# fmt: on
"""Percentage of the tasks of each of the ten statistical clusters that ask for each of the twenty-one constraints."""


def megha_cluster_weights() -> tuple[float, ...]:
    """Return the share of the tasks, sum 1, that are of each statistical cluster: the four types are equally common."""
    types = [[weight / sum(row) for weight in row] for row in MEGHA_CLASS_WEIGHTS]
    return tuple(sum(row[number] for row in types) / len(types) for number in range(len(types[0])))


PHOENIX_MACHINES_SHARE = (1.00, 0.75, 0.58, 0.60, 0.20, 0.69, 0.55, 0.22, 0.45)
PHOENIX_TASKS_WEIGHT = (30, 15, 11, 10, 10, 5, 3, 7, 9)

EVIDENCE = {
    "google-a": "measured in the configuration of the public simulator of Megha's authors",
    "google-b": "synthetic: google-a, ten points more",
    "google-c": "synthetic: google-a, ten points less",
    "phoenix": "machine shares from the public code of Phoenix's authors (platform_family: synthetic); "
    "the mix of tasks is synthetic",
    "custom": "chosen in the experiment",
}


def machine_shares(mix: str) -> tuple[float, ...]:
    """Return the share of machines (0 to 1) with each constraint of a mix of a built-in catalogue."""
    if mix == "phoenix":
        return PHOENIX_MACHINES_SHARE
    points = {"google-a": 0.0, "google-b": 10.0, "google-c": -10.0}[mix]
    moved = [
        value if not points or value == 100.0 else min(max(value + points, 3.0), 97.0)
        for value in MEGHA_MACHINES_PERCENT
    ]
    return tuple(value / 100.0 for value in moved)


PHOENIX_SLOWDOWN = (2.03, 1.96, 1.91, 1.90, 1.90, 1.77, 1.77, 1.76, 0.91)
"""Relative slowdown of a task with the constraint, as the Phoenix paper's table prints them, in its order."""


def slowdown(constraints: Constraints, number: int) -> float:
    """Return the run-time factor of a task without a soft constraint: the catalogue's, at least 1."""
    if constraints.catalogue == "phoenix-9":
        return max(PHOENIX_SLOWDOWN[number], 1.0)
    if constraints.catalogue == "custom":
        return constraints.custom[number].slowdown or 1.0
    return 1.0


PHOENIX_RATIOS = (2.0, 1.966, 1.9122, 1.9054, 1.9054, 1.777, 1.77, 1.7567, 0.9121)
"""Demand over supply as fixed in the public code of Phoenix's authors; platform_family: its slowdown, which is near."""


def fixed_ratios(constraints: Constraints) -> tuple[float, ...]:
    """Return each constraint's scarcity where no measurement exists: Phoenix's nine, others by their slowdowns."""
    if constraints.catalogue == "phoenix-9":
        return PHOENIX_RATIOS
    if constraints.catalogue == "custom":
        return tuple(kind.slowdown or 1.0 for kind in constraints.custom)
    return (1.0,) * len(MEGHA_MACHINES_PERCENT)
