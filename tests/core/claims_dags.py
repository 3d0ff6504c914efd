"""Experiments for the claims of Carbyne's paper on generated workloads, and what is measured of them.

Graphs are those of the preset `tpc-ds` (scheduler_core/presets): stages, barriers and work in first stages as in
the paper's Table 1. What the paper does not give (tasks, durations, demands) was chosen in a first look at seed 1;
verdicts are medians of `SEEDS`. 100 machines of 20 CPUs and 128 GB, 250 jobs, as in the paper.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from scheduler_core import Experiment, RunResult, simulate, workload_presets
from scheduler_core.metrics.dags import improvement

SEEDS = (11, 12, 13)
MACHINES, JOBS = 100, 250
OFFLINE: dict[str, Any] = {"arrivals": {"kind": "at_once"}}
ONLINE: dict[str, Any] = {"arrivals": {"kind": "poisson", "rate_per_s": 0.05}}

TETRIS: dict[str, Any] = {"fairness": 0.0}
"""Tetris as Carbyne's sections 5.1 and 5.6 run it: its fairness knob towards 0."""
PACKING: dict[str, Any] = TETRIS | {"epsilon": 0.0}
"""The same without its term for short jobs."""


def experiment(
    scheduler: str,
    seed: int,
    changes: dict[str, Any],
    *,
    preset: str = "tpc-ds",
    machines: int = MACHINES,
    params: dict[str, Any] | None = None,
) -> Experiment:
    """A preset's graphs with other arrivals, number of jobs or estimates."""
    workload = next(one for one in workload_presets() if one.name == preset).workload
    data = workload.model_dump(mode="json", exclude_unset=True) | changes
    return Experiment.parse(
        {
            "schema_version": 1,
            "seed": seed,
            "topology": {"clusters": [{"machines": [{"count": machines, "cpus": 20, "memory_gb": 128}]}]},
            "workload": data,
            "scheduler": {"name": scheduler, "params": params or {}},
        }
    )


def figures(run: RunResult) -> dict[str, float]:
    """Mean completion, makespan, fairness."""
    took = (run.jobs["end_ns"] - run.jobs["arrival_ns"]) / 1e9
    return {
        "jct": float(took.mean()),
        "makespan": run.summary["makespan_s"],
        "jain": run.summary["graphs"]["fairness_of_jobs"]["jain_mean"],
    }


class Measured:
    """Runs of one set-up, kept: `run` a scheduler once for each seed."""

    def __init__(self, changes: dict[str, Any], seeds: Sequence[int] = SEEDS, **setting: Any) -> None:
        self.changes, self.seeds, self.setting = changes, seeds, setting
        self._run = functools.cache(self._simulate)

    def _simulate(self, scheduler: str, seed: int, params: tuple[tuple[str, Any], ...]) -> RunResult:
        return simulate(experiment(scheduler, seed, self.changes, params=dict(params), **self.setting))

    def runs(self, scheduler: str, **params: Any) -> list[RunResult]:
        """One run a seed."""
        return [self._run(scheduler, seed, tuple(sorted(params.items()))) for seed in self.seeds]

    def median(self, figure: str, scheduler: str, **params: Any) -> float:
        """The median over seeds of one of `figures`."""
        return float(np.median([figures(run)[figure] for run in self.runs(scheduler, **params)]))

    def ratio(
        self,
        figure: str,
        one: str,
        other: str,
        one_params: dict[str, Any] | None = None,
        other_params: dict[str, Any] | None = None,
    ) -> float:
        """The median over seeds of one scheduler's figure over another's."""
        pairs = zip(self.runs(one, **(one_params or {})), self.runs(other, **(other_params or {})), strict=True)
        return float(np.median([figures(a)[figure] / figures(b)[figure] for a, b in pairs]))

    def factor(
        self,
        before: str,
        after: str = "carbyne",
        before_params: dict[str, Any] | None = None,
        after_params: dict[str, Any] | None = None,
    ) -> dict[str, float]:
        """Medians over seeds of the paired improvement."""
        pairs = zip(self.runs(before, **(before_params or {})), self.runs(after, **(after_params or {})), strict=True)
        rows = [improvement(a.jobs, b.jobs) for a, b in pairs]
        return {name: float(np.median([row[name] for row in rows])) for name in rows[0]}

    def of_summary(self, read: Callable[[RunResult], float], scheduler: str, **params: Any) -> float:
        """The median over seeds of something else of the runs."""
        return float(np.median([read(run) for run in self.runs(scheduler, **params)]))


def leftover(run: RunResult) -> float:
    """The median over decisions of the part of their shares that jobs leave."""
    return float(run.summary["graphs"]["leftover"]["p50"])
