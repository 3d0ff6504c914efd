"""Rows about studies: from asking for a sweep until its last run is done."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from bench.live.server import Server, serving
from bench.measured import Measured

_EXPERIMENT: dict[str, Any] = {
    "schema_version": 1,
    "topology": {
        "global_masters": 4,
        "clusters": [{"name": "lm", "repeat": 10, "machines": [{"count": 100, "cpus": 1, "memory_gb": 4}]}],
    },
    "workload": {
        "kind": "synthetic",
        "tasks": 20_000,
        "arrivals": {"kind": "poisson", "offered_load": 0.9},
        "tasks_per_job": {"kind": "constant", "value": 10},
        "duration_s": {"kind": "exponential", "mean": 5},
    },
    "scheduler": {"name": "megha"},
}
_HEARTBEATS = [0.1, 0.3, 1, 2, 5, 10, 20, 50, 100, 200]
_LONGEST_S = 600


def sweeping(runs: int = 100) -> Callable[[int], Measured]:
    """Seconds of a sweep of Megha's heartbeat over ten values, on 1,000 machines, with two workers."""

    def measure(repeats: int) -> Measured:
        with serving(workers=True, PLAYGROUND_WORKERS="2") as server:
            _sweep(server, 10)  # kernels are loaded, as in workers that have been there for a while
            took = [_sweep(server, runs) for _ in range(repeats)]
            return Measured(tuple(took), f"{runs} runs of 20,000 tasks, 2 workers")

    return measure


def _sweep(server: Server, runs: int) -> float:
    made = server.post("/api/v1/experiments", _EXPERIMENT)
    plan = {"axes": [{"path": "scheduler.params.heartbeat_s", "values": _HEARTBEATS}], "repeats": runs // 10}
    started = time.perf_counter()
    study = server.post(f"/api/v1/experiments/{made['id']}/studies", plan, made["owner_token"])
    while (told := server.read(f"/api/v1/studies/{study['id']}"))["state"] == "running":
        if time.perf_counter() - started > _LONGEST_S:
            raise TimeoutError(f"the sweep did not end: {told}")
        time.sleep(0.05)
    took = time.perf_counter() - started
    if told["done"] != runs:
        raise RuntimeError(f"not every run is done: {told}")
    return took
