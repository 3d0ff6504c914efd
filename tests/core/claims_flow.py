"""Experiments for the claims of Sirius' and Quincy's papers, on generated work, and what is measured of them.

Everything here was written down before the claims were run. The papers' settings are known in words only (blades,
racks, numbers of tasks, what is compared); tasks, inputs, bandwidths and slowdowns are ours, chosen so:

- 20 blades of 24 cores in two racks of ten, GPUs in the first rack, as in Sirius' section 4.
- A blade of 24 busy cores with 10 Gbit/s: some tasks read at once, so 0.25 GB/s from the rack, 0.1 GB/s over the core.
- TPC-H-like tasks take about 4 s on 1 GB of data, requests of services (ab- and netperf-like) about 1 s on 0.25 GB.
- Image analysis takes 10 s with a GPU and three times as long without: with half of the machines having one, what the
  paper tells of ten tasks (chance takes twice as long) says that it is about three.

Added after the first run: `ALSCHED`. Images read nothing, but the defaults of
`sirius-placement` prefer where data would be to a wish.

Changed on 22 November 2026: priority is a priority, beside equal shares, where it was a queue's larger share; and
images may wait for a GPU, as the paper explains its Figure 8 (`leave_cost`, at its default). `AT_ONCE` is the rule of
before.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from scheduler_core import Experiment, RunResult, simulate

SEEDS = (1, 2, 3, 4, 5)
NEAR = {"rack_gb_s": 0.25, "core_gb_s": 0.1}
BLADES: dict[str, Any] = {"clusters": [{"name": "blades", "racks": 2, "machines": [
    {"count": 10, "cpus": 24, "memory_gb": 64, "attributes": {"gpu": True}},
    {"count": 10, "cpus": 24, "memory_gb": 64},
]}]}  # fmt: skip
GPU: dict[str, Any] = {
    "catalogue": "custom",
    "soft": [{"name": "gpu", "slowdown": 3}],
    "custom": [{"name": "gpu", "attribute": "gpu", "comparison": "==", "value": True}],
}

ALSCHED = {"rack_cost": 0.0, "core_cost": 0.0, "load_cost": 0.0}
"""Sirius' placement by utilities alone."""

AT_ONCE = ALSCHED | {"leave_cost": None, "wait_cost": 0.0}
"""The same where no task waits for which there is a slot."""

_BATCH = {
    "tasks_per_job": {"kind": "lognormal", "median": 12, "sigma": 0.8, "max": 100},
    "duration_s": {"kind": "lognormal", "median": 4, "sigma": 0.6},
}
_SERVICE = {
    "tasks_per_job": {"kind": "lognormal", "median": 24, "sigma": 0.5, "max": 100},
    "duration_s": {"kind": "lognormal", "median": 1, "sigma": 0.4},
}
LOADS: dict[str, tuple[float, list[dict[str, Any]]]] = {
    "service": (0.25, [{"name": "requests", "weight": 1, **_SERVICE}]),
    "batch": (1.0, [{"name": "queries", "weight": 1, **_BATCH}]),
    "mixed": (0.5, [{"name": "requests", "weight": 1, **_SERVICE}, {"name": "queries", "weight": 1, **_BATCH}]),
}
"""Mean input in GB and classes of jobs for Figure 7."""


def _made(scheduler: str, seed: int, params: dict[str, Any], **parts: Any) -> Experiment:
    return Experiment.parse(
        {
            "schema_version": 1,
            "seed": seed,
            "topology": BLADES,
            **parts,
            "scheduler": {"name": scheduler, "params": params},
        }
    )


def snp(scheduler: str, seed: int, load: str, **params: Any) -> Experiment:
    """Figure 7: 24 tasks a machine, at two fifths of what the cores could do without reading."""
    input_gb, classes = LOADS[load]
    work = {
        "kind": "synthetic",
        "jobs": 300,
        "arrivals": {"kind": "poisson", "offered_load": 0.4},
        "classes": classes,
        "duration_s": {"kind": "constant", "value": 1},
        "demand": {"cpus": 1, "memory_gb": 1},
    }
    return _made(scheduler, seed, NEAR | {"slots": 24, "input_gb": input_gb} | params, workload=work)


def images(scheduler: str, seed: int, tasks: int, *, plain: bool = False, **params: Any) -> Experiment:
    """Figures 8 and 9: image analysis, all at once, one task a machine; `plain`: every other one needs no GPU."""
    jobs = [
        {
            "arrival_s": 0,
            "durations_s": [10.0],
            "demand": {"cpus": 1, "memory_gb": 1},
            "constraints": [] if plain and i % 2 == 0 else ["gpu"],
        }
        for i in range(tasks)
    ]
    return _made(scheduler, seed, {"slots": 1} | params, constraints=GPU, workload={"kind": "inline", "jobs": jobs})


def three_sets(scheduler: str, seed: int, first: bool, **params: Any) -> Experiment:
    """Figures 10 and 11: 480 tasks each of TPC-H, image analysis and another batch set, for 480 slots.

    Jobs of eight tasks, in turns; queries of about 0.8 s, the others of about 5 s. `first`: TPC-H has priority.
    """
    rng, kinds = np.random.default_rng(seed), (("tpch", 0.8, 0.5), ("images", 5.0, 0.3), ("batch", 5.0, 0.3))
    jobs = [
        {
            "arrival_s": 0,
            "queue": name,
            "demand": {"cpus": 1, "memory_gb": 1},
            "durations_s": (median * np.exp(sigma * rng.standard_normal(8))).round(3).tolist(),
        }
        for _ in range(60)
        for name, median, sigma in kinds
    ]
    queues = [
        {"name": name, "share": 0.3} | ({"priority": int(name == "tpch")} if first else {}) for name, _, _ in kinds
    ]
    return _made(scheduler, seed, {"slots": 24} | params, queues=queues, workload={"kind": "inline", "jobs": jobs})


def reading(scheduler: str, seed: int, **params: Any) -> Experiment:
    """Quincy: 240 machines of 8 cores in racks of 40, tasks that read 2 GB in the mean, four queues."""
    work = {
        "kind": "synthetic",
        "jobs": 200,
        "arrivals": {"kind": "poisson", "offered_load": 0.6},
        "tasks_per_job": {"kind": "lognormal", "median": 20, "sigma": 1, "max": 300},
        "duration_s": {"kind": "lognormal", "median": 20, "sigma": 0.8},
        "demand": {"cpus": 1, "memory_gb": 1},
    }
    topology = {"clusters": [{"racks": 6, "machines": [{"count": 240, "cpus": 8, "memory_gb": 32}]}]}
    queues = [{"name": name, "share": 0.25} for name in "abcd"]
    return Experiment.parse(
        {
            "schema_version": 1,
            "seed": seed,
            "topology": topology,
            "queues": queues,
            "workload": work,
            "scheduler": {"name": scheduler, "params": NEAR | {"input_gb": 2} | params},
        }
    )


def presets() -> dict[str, Experiment]:
    """The experiments in fixtures/presets/ that ask what these claims are about, by the names of their files."""
    return {
        "sirius-snp": snp("quincy", 1, "mixed"),
        "sirius-gpu": images("sirius-placement", 1, 20, plain=True, **ALSCHED),
        "sirius-priority": three_sets("sirius-priority", 1, first=True),
        "quincy-data": reading("quincy", 1),
    }


@functools.cache
def _run(make: Callable[..., Experiment], scheduler: str, seed: int, setting: tuple[tuple[str, Any], ...]) -> RunResult:
    return simulate(make(scheduler, seed, **dict(setting)))


def runs(
    make: Callable[..., Experiment], scheduler: str, seeds: Sequence[int] = SEEDS, **setting: Any
) -> list[RunResult]:
    """One run a seed, kept."""
    return [_run(make, scheduler, seed, tuple(sorted(setting.items()))) for seed in seeds]


def median(found: Sequence[RunResult], figure: Callable[[RunResult], float]) -> float:
    """The median over seeds."""
    return float(np.median([figure(run) for run in found]))


def of_summary(*path: str) -> Callable[[RunResult], float]:
    """A figure of the summary, by its names."""

    def figure(run: RunResult) -> float:
        return float(functools.reduce(lambda part, name: part[name], path, run.summary))  # type: ignore[arg-type]

    return figure


def latency(queue: int) -> Callable[[RunResult], float]:
    """Mean time from the arrival to the end of a queue's tasks, in seconds."""

    def figure(run: RunResult) -> float:
        chosen = run.tasks[run.tasks["queue"] == queue]
        return float((chosen["end_ns"] - chosen["arrival_ns"]).mean()) / 1e9

    return figure
