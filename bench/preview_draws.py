"""Experiments drawn by key, on which previews are tried: `drawn(seed, number)` gives the same one for ever."""

from __future__ import annotations

from typing import Any

import numpy as np

from scheduler_core import Experiment

SCHEDULERS = ("megha", "sparrow", "eagle", "pigeon", "omega", "mesos", "tetris", "kubernetes", "quincy", "pipeline")
"""Ten schedulers of eight families; those that plan in space and time would take hours."""
LEAST_LOAD, MOST_LOAD = 0.3, 1.3
_CLUSTERS = 5


def drawn(seed: int, number: int) -> Experiment:
    """Draw an experiment of 30,000 to 200,000 tasks on 100 to 10,000 slots; schedulers take turns."""
    rng = np.random.Generator(np.random.Philox(key=[seed, number]))
    scheduler = SCHEDULERS[number % len(SCHEDULERS)]
    slots = float(np.exp(rng.uniform(np.log(100), np.log(10_000))))
    cpus = int(rng.choice([1, 1, 4]))
    mean_s = float(np.exp(rng.uniform(np.log(1), np.log(20))))
    arrivals = _arrivals(rng, mean_s) | {"offered_load": round(float(rng.uniform(LEAST_LOAD, MOST_LOAD)), 3)}
    return Experiment.parse(
        {
            "schema_version": 1,
            "seed": int(rng.integers(1, 1_000_000)),
            "topology": {
                "global_masters": int(rng.choice([1, 2, 4])),
                "clusters": [
                    {
                        "name": "lm",
                        "repeat": _CLUSTERS,
                        "machines": [{"count": max(round(slots / cpus / _CLUSTERS), 4), "cpus": cpus, "memory_gb": 8}],
                    }
                ],
            },
            "workload": {
                "kind": "synthetic",
                "tasks": int(np.exp(rng.uniform(np.log(30_000), np.log(200_000)))),
                "arrivals": arrivals,
                "tasks_per_job": _sizes(rng),
                "duration_s": _durations(rng, mean_s),
            },
            "scheduler": {"name": scheduler, "params": _params(scheduler, mean_s)},
        }
    )


def _arrivals(rng: np.random.Generator, mean_s: float) -> dict[str, Any]:
    kinds: tuple[dict[str, Any], ...] = (
        {"kind": "poisson"},
        {"kind": "poisson"},
        {"kind": "regular"},
        {"kind": "renewal", "cv": 2.0},
        {"kind": "markov_modulated", "calm_s": 4 * mean_s, "busy_s": 2 * mean_s, "busy_factor": 2.0},
    )
    return kinds[int(rng.integers(len(kinds)))]


def _sizes(rng: np.random.Generator) -> dict[str, Any]:
    kinds: tuple[dict[str, Any], ...] = (
        {"kind": "constant", "value": 1},
        {"kind": "constant", "value": 10},
        {"kind": "constant", "value": 20},
        {"kind": "lognormal", "median": 5, "sigma": 1, "max": 100},
    )
    return kinds[int(rng.integers(len(kinds)))]


def _durations(rng: np.random.Generator, mean_s: float) -> dict[str, Any]:
    kinds: tuple[dict[str, Any], ...] = (
        {"kind": "exponential", "mean": mean_s},
        {"kind": "exponential", "mean": mean_s},
        {"kind": "constant", "value": mean_s},
        {"kind": "lognormal", "median": mean_s / np.exp(0.5), "sigma": 1},
        {"kind": "bounded_pareto", "alpha": 1.5, "min": mean_s / 2.6, "max": 40 * mean_s},
    )
    return kinds[int(rng.integers(len(kinds)))]


def _params(scheduler: str, mean_s: float) -> dict[str, Any]:
    """Short jobs are those of tasks up to the mean, where the scheduler tells them apart."""
    return {"short_cutoff_s": mean_s} if scheduler in {"eagle", "pigeon"} else {}
