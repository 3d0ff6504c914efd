"""Rows about pipelines of stages: one run, the paper's grid of policies, and a large datacenter of single tasks."""

from __future__ import annotations

import itertools
import multiprocessing
import time
from collections.abc import Callable
from typing import Any

from bench.measured import Measured
from scheduler_core import Experiment, Simulation, simulate
from scheduler_core.run.built import KeptBuilds

Measure = Callable[[int], Measured]
_MACHINES = [{"count": 16, "cpus": 4, "resources": {"ghz": 4.1}}, {"count": 16, "cpus": 2, "resources": {"ghz": 3.5}}]
_ASKALON = {
    "kind": "dag",
    "shape": "layered",
    "jobs": 757,
    "arrivals": {"kind": "poisson", "offered_load": 1.2},
    "stages": {"kind": "constant", "value": 12},
    "tasks_per_stage": {"kind": "constant", "value": 5.04},
    "duration_s": {"kind": "lognormal", "median": 60, "sigma": 0.7},
    "duration_varies": "job",
}
_CHRONOS = {
    "kind": "dag",
    "shape": "chain",
    "jobs": 1024,
    "arrivals": {"kind": "at_once"},
    "stages": {"kind": "constant", "value": 3},
    "duration_s": {"kind": "lognormal", "median": 2.2, "sigma": 0.6},
    "duration_varies": "job",
}
_GRID = tuple(itertools.product(("srtf", "fifo", "random"), ("best_fit", "first_fit", "worst_fit")))
_REPEATS = 32


def _on_96_cpus(workload: dict[str, Any], t2: str, r5: str, seed: int = 1) -> Experiment:
    return Experiment.parse(
        {
            "schema_version": 1,
            "seed": seed,
            "topology": {"clusters": [{"machines": _MACHINES}]},
            "workload": workload,
            "scheduler": {"name": "pipeline", "params": {"t2": t2, "r5": r5, "speed": "ghz"}},
        }
    )


def askalon(t2: str = "srtf", r5: str = "best_fit") -> Callable[[], Experiment]:
    """Workflows of sixty tasks on 96 CPUs, more than these can take."""
    return lambda: _on_96_cpus(_ASKALON, t2, r5)


def singles(machines: int = 10_000, tasks: int = 1_000_000) -> Callable[[], Experiment]:
    """Single tasks at 90 % load, half of them with the 21 constraints of Megha's authors; FIFO, first fit."""
    return lambda: Experiment.parse(
        {
            "schema_version": 1,
            "constraints": {"catalogue": "megha-21", "task_share": 0.5},
            "topology": {
                "clusters": [
                    {"machines": [{"count": machines, "cpus": 1, "memory_gb": 4}], "constraint_mix": "google-a"}
                ]
            },
            "workload": {
                "kind": "synthetic",
                "jobs": tasks,
                "arrivals": {"kind": "poisson", "offered_load": 0.9},
                "tasks_per_job": {"kind": "constant", "value": 1},
                "duration_s": {"kind": "lognormal", "median": 60, "sigma": 1, "max": 3_600},
            },
            "scheduler": {"name": "pipeline"},
        }
    )


def running(make: Callable[[], Experiment]) -> Measure:
    """Seconds of the simulation alone."""

    def measure(repeats: int) -> Measured:
        experiment = make()
        summaries = [simulate(experiment).summary for _ in range(repeats)]
        done, iterations = summaries[0]["tasks"], summaries[0]["counters"]["iterations"]
        note = f"{done['total']:,} tasks, {done['unschedulable']:,} that none can hold, {iterations:,} iterations"
        return Measured(tuple(summary["performance"]["wall_s"] for summary in summaries), note)

    return measure


def grid(workers: int = 2) -> Measure:
    """Seconds of the paper's nine combinations by 32 seeds on both workloads, all included, in so many processes."""

    def measure(repeats: int) -> Measured:
        cells = list(itertools.product(("askalon", "chronos"), range(1, _REPEATS + 1)))
        values = []
        simulate(_on_96_cpus(_CHRONOS, *_GRID[0]))  # compiled before the processes start
        for _ in range(repeats):
            started = time.perf_counter()
            with multiprocessing.get_context("spawn").Pool(workers) as pool:
                tasks = sum(pool.map(_cell, cells, chunksize=1))
            values.append(time.perf_counter() - started)
        return Measured(tuple(values), f"{len(cells) * len(_GRID)} runs, {tasks:,} tasks, {workers} processes")

    return measure


def _cell(cell: tuple[str, int]) -> int:
    """All nine on the work of one seed, which is drawn once, as in a study."""
    name, seed = cell
    workload, builds, done = {"askalon": _ASKALON, "chronos": _CHRONOS}[name], KeptBuilds(), 0
    for t2, r5 in _GRID:
        simulation = Simulation(_on_96_cpus(workload, t2, r5, seed), frames=0, builds=builds)
        for frame in simulation.run():
            done += frame.counters["tasks_done"] if frame.end else 0
    return done
