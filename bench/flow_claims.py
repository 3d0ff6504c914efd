"""Times for the claims on flow solvers (docs/development/agreement.md).

Run `python -m bench.flow_claims [solvers|processes|latency]`.

Processor time of this machine, side by side, so that other work on it disturbs little; no test asserts it.
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import time
from typing import Any

from bench.experiments import by_flow
from scheduler_core import Experiment, Simulation, simulate
from scheduler_core.flow.made_up import cluster_graph, replace_tasks
from scheduler_core.flow.network import SOLVERS

_REPEATS = 3


def solvers() -> None:
    """Time until 1 % of the tasks, new ones, have a machine: by solvers that go on, from nothing, by a queue."""
    at = [(machines, tasks) for machines in (5_000, 10_000) for tasks in (10_000, 15_000, 20_000)]
    for machines, tasks in at:
        row = {solver: _repairing_ms(machines, tasks, solver) for solver in SOLVERS}
        row["cs"] = _cold_ms(machines, tasks)
        row["queue"] = _queue_ms(machines, tasks) * (tasks // 100)
        ratios = (f"cs/{solver} {row['cs'] / row[solver]:.1f}" for solver in SOLVERS)
        print(machines, tasks, *(f"{name} {ms:.2f} ms" for name, ms in row.items()), *ratios, flush=True)


def _repairing_ms(machines: int, tasks: int, solver: str) -> float:
    """Measure booking and solving a change of 1 % of the tasks by a solver that continues from the last flow."""
    graph, times = cluster_graph(machines, tasks, seed=1), []
    graph.network.solve()
    for _ in range(_REPEATS + 1):
        began = time.process_time()
        replace_tasks(graph, tasks // 100)
        graph.network.solve(solver)
        times.append(1e3 * (time.process_time() - began))
    return statistics.median(times[1:])


def _cold_ms(machines: int, tasks: int) -> float:
    graph, times = cluster_graph(machines, tasks, seed=1), []
    for _ in range(_REPEATS):
        began = time.process_time()
        graph.network.solve_cold()
        times.append(1e3 * (time.process_time() - began))
    return statistics.median(times)


def _queue_ms(machines: int, tasks: int) -> float:
    """Measure placing one task by a scheduler that looks at every machine: a run with all tasks at once."""
    made, times = _at_once("swarm", machines, tasks, decision_time="none"), []
    for _ in range(2):
        simulation = Simulation(made, frames=0)
        simulation.prepare()
        began = time.process_time()
        simulation.advance_to(30_000_000_000)
        times.append(1e3 * (time.process_time() - began) / tasks)
    return min(times)


def _at_once(scheduler: str, machines: int, tasks: int, **params: Any) -> Experiment:
    return Experiment.parse(
        {
            "schema_version": 1,
            "topology": {"clusters": [{"racks": machines // 40, "machines": [{"count": machines, "cpus": 4}]}]},
            "workload": {
                "kind": "inline",
                "jobs": [
                    {"arrival_s": 0, "durations_s": [60.0] * 100, "demand": {"cpus": 1, "memory_gb": 0}}
                    for _ in range(tasks // 100)
                ],
            },
            "scheduler": {"name": scheduler, "params": params},
        }
    )


def processes() -> None:
    """CPU time and memory of processes that run the same work under a flow and under a queue, compiled before."""
    found = {}
    for name in ("random-queue", "swarm", "quincy"):
        runs = [
            json.loads(
                subprocess.run(
                    [sys.executable, "-m", "bench.flow_claims", "one", name], check=True, capture_output=True, text=True
                ).stdout
            )
            for _ in range(4)
        ]
        found[name] = [statistics.median(run[what] for run in runs[1:]) for what in ("run_s", "grown_mb", "rss_mb")]
        cpu_s, run_mb, process_mb = found[name]
        print(f"{name}: CPU {cpu_s:.2f} s, memory of the run {run_mb:.0f} MB, of all {process_mb:.0f} MB", flush=True)
    for name in ("random-queue", "swarm"):
        ratios = [ours / theirs for ours, theirs in zip(found["quincy"], found[name], strict=True)]
        print("quincy over", name, *(f"{ratio:.2f}" for ratio in ratios))


def _one(name: str) -> None:
    made = by_flow(name, load=0.8)()
    simulate(by_flow(name, load=0.8, tasks=1_000)())
    before, cpu_s = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    simulate(made)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"run_s": time.process_time() - cpu_s, "grown_mb": (after - before) / 1e3, "rss_mb": after / 1e3}))


def latency() -> None:
    """Delays on 12,500 machines under rounds from nothing and repaired ones: modelled solver times, so of one seed."""
    workload = {
        "kind": "synthetic",
        "tasks": 5_000,
        "arrivals": {"kind": "poisson", "offered_load": 0.8},
        "tasks_per_job": {"kind": "lognormal", "median": 10, "sigma": 1, "max": 1_000},
        "duration_s": {"kind": "lognormal", "median": 60, "sigma": 1, "max": 3_600},
        "demand": {"cpus": 1, "memory_gb": 0},
    }
    for name, params in (("quincy", {"solver": "cold"}), ("firmament", {"solver": "ssp"})):
        began = time.process_time()
        found = simulate(
            Experiment.parse(
                {
                    "schema_version": 1,
                    "workload": workload,
                    "scheduler": {"name": name, "params": params},
                    "topology": {
                        "clusters": [{"racks": 313, "machines": [{"count": 12_500, "cpus": 4, "memory_gb": 16}]}]
                    },
                }
            )
        )
        summary = found.summary
        print(
            name,
            params,
            "delay",
            summary["allocation_delay_s"],
            "rounds",
            summary["counters"]["rounds"],
            f"wall {time.process_time() - began:.1f} s",
            flush=True,
        )


if __name__ == "__main__":
    {"solvers": solvers, "processes": processes, "latency": latency, "one": lambda: _one(sys.argv[2])}[sys.argv[1]]()
