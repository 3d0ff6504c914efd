"""Claims of Megha's paper on machines of 64 CPUs: `python -m tests.core.megha_64_cpus [seeds]`, some seconds a seed.

Prints medians over seeds of each run's p50, mean, p99 and largest allocation delay, in milliseconds, and of the ratio
of Sparrow's p99 to Megha's. The table of docs/development/agreement.md has them.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from scheduler_core import simulate
from tests.core import claims

_FIGURES = ("p50", "mean", "p99", "max")


def at_the_same_load(workload: dict[str, Any]) -> dict[str, Any]:
    """Raise the rate for tasks that take 24 of 64 CPUs in the mean."""
    arrivals = workload["arrivals"]
    return workload | {"arrivals": arrivals | {"rate_per_s": arrivals["rate_per_s"] * claims.ROOM}}


def rows(seeds: range, workload: dict[str, Any], machines: int, *grid: int, **rest: Any) -> np.ndarray[Any, Any]:
    """Allocation delays in ms, (seeds, figures)."""
    found = []
    for seed in seeds:
        made = claims.on_papers_machines(workload, machines, *grid, seed=seed, **rest)
        delay = simulate(made).summary["allocation_delay_s"]
        found.append([1e3 * delay[name] for name in _FIGURES])
    return np.array(found)


def told(name: str, found: np.ndarray[Any, Any]) -> None:
    """Print medians, and the range of p50."""
    middle = ", ".join(
        f"{figure} {value:.4g}" for figure, value in zip(_FIGURES, np.median(found, axis=0), strict=True)
    )
    print(f"{name}: {middle}; p50 {found[:, 0].min():.4g} to {found[:, 0].max():.4g}", flush=True)


def main() -> None:
    """Run Figures 3, 4, 6, 8 and 9."""
    seeds = range(1, 1 + int(sys.argv[1]) if len(sys.argv) > 1 else 6)
    for machines in (10_000, 3_800):
        megha, sparrow = (rows(seeds, claims.CLOUDERA, machines, scheduler=name) for name in ("megha", "sparrow"))
        told(f"figure 3, {machines}, megha", megha)
        told(f"figure 3, {machines}, sparrow", sparrow)
        print(f"figure 3, {machines}, ratio of p99: {np.median(sparrow[:, 2] / megha[:, 2]):.3g}")
    light, batch = at_the_same_load(claims.LIGHT), at_the_same_load(claims.ALIBABA)
    for machines in claims.SIZES:
        told(f"figure 8, {machines}", rows(seeds, light, machines))
    told("figure 6, centralised", rows(seeds, batch, 10_000, 10, 10, mixes=True, scheduler="centralised"))
    for grid in claims.CENTRAL_GRIDS:
        told(f"figure 6, {grid[0]} x {grid[1]}", rows(seeds, batch, 10_000, *grid, mixes=True))
    for masters in claims.GLOBAL_MASTERS:
        told(f"figure 9, {masters} Global Masters", rows(seeds, batch, claims.GRID_MACHINES, masters, 10, mixes=True))
    for clusters in claims.LOCAL_MASTERS:
        told(f"figure 9, {clusters} Local Masters", rows(seeds, batch, claims.GRID_MACHINES, 10, clusters, mixes=True))


if __name__ == "__main__":
    main()
