"""Rows about questions: from asking until the answer."""

from __future__ import annotations

import time
from collections.abc import Callable

from bench.measured import Measured
from scheduler_core import Experiment, ask_question


def asking(question: str, machines: int = 1_000, processes: int = 2) -> Callable[[int], Measured]:
    """Seconds of a question about 1,000 machines, or another number, and 20,000 tasks with the default seeds."""

    def measure(repeats: int) -> Measured:
        took, found = [], {}
        for _ in range(repeats):
            started = time.perf_counter()
            found = ask_question(_experiment(machines), question, "allocation_delay_s.p99 <= 5", processes=processes)
            took.append(time.perf_counter() - started)
        return Measured(tuple(took), f"{found['runs']} runs of 20,000 tasks, {processes} processes")

    return measure


def _experiment(machines: int) -> Experiment:
    return Experiment.parse(
        {
            "schema_version": 1,
            "topology": {"clusters": [{"name": "nodes", "racks": 25, "machines": [{"count": machines, "cpus": 4}]}]},
            "workload": {
                "kind": "synthetic",
                "jobs": 5_000,
                "arrivals": {"kind": "poisson", "offered_load": 0.7},
                "tasks_per_job": {"kind": "constant", "value": 4},
                "duration_s": {"kind": "exponential", "mean": 10},
            },
            "scheduler": {"name": "kubernetes"},
        }
    )
