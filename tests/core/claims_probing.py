"""Experiments for the claims about schedulers that probe or keep queues at workers, on generated work.

Everything here was written down before the claims were run. The papers' traces are at hand in samples at most, so jobs
are drawn from the published fits of them (`claims.GOOGLE` and those below), on a tenth of the papers' machines with
jobs cut at a tenth of the largest ones. "High load" is 0.85 of the machines, Poisson arrivals.

Added after the first run: `omniscient`. The paper's ideal was first read as each job alone.

Run times are from a job's arrival to its end. Medians of three seeds.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from scheduler_core import Experiment, simulate
from tests.core.claims import GOOGLE

SEEDS = (1, 2, 3)
HIGH: dict[str, Any] = {"kind": "poisson", "offered_load": 0.85}

# As in the public subtrace of Yahoo's trace: 9.8 % of the jobs are long; 4,000 machines and 3,600 tasks there.
YAHOO: dict[str, Any] = {
    "kind": "synthetic",
    "arrivals": HIGH,
    "tasks_per_job": {"kind": "lognormal", "mu": 2.57, "sigma": 1.13, "max": 360},
    "duration_s": {"kind": "lognormal", "mu": 2.44, "sigma": 1.13, "max": 20_000},
    "duration_varies": "job",
    "in_job_cv": 0.35,
    "classes": [
        {"name": "short", "weight": 90.2},
        {"name": "long", "weight": 9.8, "in_job_cv": 0.05,
         "tasks_per_job": {"kind": "lognormal", "mu": 3.54, "sigma": 2.03, "max": 360},
         "duration_s": {"kind": "lognormal", "mu": 6.49, "sigma": 1.10, "max": 20_000}},
    ],
}  # fmt: skip
# Work, machines, cut-off in seconds and percent of workers for short jobs only.
TRACES: dict[str, tuple[dict[str, Any], int, float, float]] = {
    "google": ({key: value for key, value in GOOGLE.items() if key != "tasks"} | {"jobs": 6_000, "arrivals": HIGH},
               1_500, 1129.532, 17),
    "yahoo": (YAHOO | {"jobs": 3_000}, 400, 90.5811, 2),
}  # fmt: skip

# Yaq: some hundred servers, nearly full; jobs of a few to a few hundred tasks of some ten seconds.
SERVERS: dict[str, Any] = {
    "kind": "synthetic",
    "jobs": 3_000,
    "arrivals": {"kind": "poisson", "offered_load": 0.9},
    "tasks_per_job": {"kind": "lognormal", "median": 8, "sigma": 1.2, "max": 400},
    "duration_s": {"kind": "lognormal", "median": 10, "sigma": 1.2, "max": 600},
    "duration_varies": "job",
    "in_job_cv": 0.2,
}
# Who is compared on them. Sparrow's batch sampling is read with and without late binding; YARN is Mercury's central
# scheduler alone, which gives a node tasks when it reports, every three seconds.
QUEUES: dict[str, tuple[str, dict[str, Any]]] = {
    "yacc-d": ("yacc-d", {}),
    "sparrow": ("sparrow", {}),
    "sparrow, no late binding": ("sparrow", {"late_binding": False}),
    "yarn": ("mercury", {"guaranteed": "drawn", "guaranteed_percent": 100}),
    "unbounded": ("yacc-d", {"queue_bound": 100_000}),
    "not reordered": ("yacc-d", {"order": "first_come"}),
}

# Sparrow: stages of TPC-H queries on 110 machines of 8 slots at a load of 0.8. Sizes and durations of stages are those
# of queries recorded on 2 GB: 99 tasks in the mean, 42 ms at p50 and 190 ms in the mean.
STAGES: dict[str, Any] = {
    "kind": "synthetic",
    "jobs": 3_000,
    "arrivals": {"kind": "poisson", "offered_load": 0.8},
    "tasks_per_job": {"kind": "lognormal", "median": 40, "sigma": 1.3, "max": 400},
    "duration_s": {"kind": "lognormal", "median": 0.042, "sigma": 1.74, "max": 10},
    "duration_varies": "job",
    "in_job_cv": 0.3,
}


def made(
    scheduler: str, work: dict[str, Any], machines: int, seed: int, params: dict[str, Any], cpus: int = 1
) -> Experiment:
    """Alike machines, everything at its default that is not given."""
    return Experiment.parse({
        "schema_version": 1, "seed": seed, "workload": work | {"demand": {"cpus": 1}},
        "topology": {"clusters": [{"machines": [{"count": machines, "cpus": cpus}]}]},
        "scheduler": {"name": scheduler, "params": params},
    })  # fmt: skip


def run_times(experiment: Experiment, cutoff_s: float = 0.0) -> dict[str, float]:
    """Percentiles of run times in seconds of short, long and all jobs, of what they would take alone, and counters."""
    result = simulate(experiment)
    assert result.summary["tasks"]["unfinished"] == 0
    jobs = result.jobs
    taken_s = np.asarray(jobs["end_ns"] - jobs["arrival_ns"]) / 1e9
    short = np.asarray(jobs["mean_ns"]) <= cutoff_s * 1e9
    found = {"ideal p50": float(np.percentile(np.asarray(jobs["ideal_ns"]) / 1e9, 50))}
    for name, chosen in (("all", short | True), ("short", short), ("long", ~short)):
        for q in (50, 90, 99):
            found[f"{name} p{q}"] = float(np.percentile(taken_s[chosen], q)) if chosen.any() else float("nan")
    return found | {name: float(value) for name, value in result.summary["counters"].items()}


@functools.cache
def on_trace(scheduler: str, trace: str) -> list[dict[str, float]]:
    """A row for each seed."""
    work, machines, cutoff_s, percent = TRACES[trace]
    hybrid = {"short_cutoff_s": cutoff_s, "long_partition_share": 1 - percent / 100}
    return [
        run_times(made(scheduler, work, machines, seed, {} if scheduler == "sparrow" else hybrid), cutoff_s)
        for seed in SEEDS
    ]


@functools.cache
def on_servers(name: str) -> list[dict[str, float]]:
    """A row for each seed: 100 servers of 4 slots."""
    scheduler, params = QUEUES[name]
    return [run_times(made(scheduler, SERVERS, 100, seed, params, cpus=4)) for seed in SEEDS]


def on_stages(seed: int, omniscient: bool = False) -> dict[str, float]:
    """The stages of queries under Sparrow, or under one queue that sees every machine and takes no time."""
    if not omniscient:
        return run_times(made("sparrow", STAGES, 110, seed, {}, cpus=8))
    data = made("random-queue", STAGES, 110, seed, {"decision_time": "none"}, cpus=8).to_dict()
    return run_times(Experiment.parse(data | {"network": {"message_delay_s": 0}}))


def times(better: list[dict[str, float]], worse: list[dict[str, float]], figure: str) -> float:
    """How many times as long one takes as the other, the median over seeds."""
    return float(np.median([b[figure] / a[figure] for a, b in zip(better, worse, strict=True)]))
