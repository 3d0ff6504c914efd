"""Times for the claims on flow solvers (docs/development/agreement.md).

Run `python -m bench.flow_claims [solvers|largest|processes|latency]`. After their figures, `solvers`, `largest` and
`processes` print the parts of claims that they decide, as `recorded` of
scheduler_core/claims/data/papers/sirius.toml has them; their bands stand here and there alike.

Processor time of this machine, side by side, so that other work on it disturbs little; no test asserts it.
"""

from __future__ import annotations

import itertools
import json
import resource
import statistics
import subprocess
import sys
import time
from typing import Any

import numpy as np

from scheduler_core import Experiment, Simulation, simulate
from scheduler_core.claims.charts import Band
from scheduler_core.flow.made_up import cluster_graph, replace_tasks
from scheduler_core.flow.network import SOLVERS

_REPEATS = 5
_SLOTS = 24
"""A machine of Sirius' simulated cluster has 24 cores (Section 4.1.1), and a slot for each."""
_MACHINES = (5_000, 10_000)
_TASKS = (10_000, 12_500, 15_000, 17_500, 20_000)
_SIZES = (125, 250, 500)
"""Machines of the clusters on which processes are compared."""
_WORK = 10_000
"""Tasks there."""

Rows = dict[tuple[int, int], dict[str, float]]


def solvers() -> None:
    """Time until 1 % of the tasks, new ones, have a machine: by solvers that go on, from nothing, by queues."""
    rows: Rows = {}
    for machines, tasks in itertools.product(_MACHINES, _TASKS):
        row = {solver: _repairing_ms(machines, tasks, solver) for solver in SOLVERS}
        row["cs"] = _cold_ms(machines, tasks)
        for name in ("random-queue", "swarm"):
            row[name] = _queue_ms(name, machines, tasks) * (tasks // 100)
        rows[machines, tasks] = row
        told = " ".join(f"{name} {ms:.2f} ms" for name, ms in row.items())
        print(machines, tasks, told, f"cs/scaling {row['cs'] / row['scaling']:.1f}", flush=True)
    _tell_solvers(rows)


def _tell_solvers(rows: Rows) -> None:
    """Print the parts of the claim on Figures 12 and 13. Its queue is Swarm, which looks at every machine."""
    of = {
        (machines, name): [rows[machines, tasks][name] for tasks in _TASKS]
        for machines in _MACHINES
        for name in ("scaling", "swarm", "cs")
    }
    for machines in _MACHINES:
        curves = [of[machines, name] for name in ("scaling", "swarm", "cs")]
        _tell(
            f"{machines:,} machines: least part of the variance that a straight line explains",
            min(_straightness(one) for one in curves),
            Band(least=0.9),
        )
        slopes = [_slope(one) for one in curves]
        _tell(
            f"{machines:,} machines: least ratio of slopes, queue / incremental and from scratch / queue",
            min(slopes[1] / slopes[0], slopes[2] / slopes[1]),
            Band(above=1),
            "x",
        )
    at = [rows[_MACHINES[1], tasks] for tasks in _TASKS]
    _tell(
        "10,000 machines: incremental / queue, largest over the numbers of tasks",
        max(row["scaling"] / row["swarm"] for row in at),
        Band(below=1),
        "x",
    )
    _tell(
        "From scratch / the longer of incremental and queue, least over all sizes",
        min(row["cs"] / max(row["scaling"], row["swarm"]) for row in rows.values()),
        Band(above=1),
        "x",
    )
    _tell(
        "From scratch / incremental, largest over all sizes",
        max(row["cs"] / row["scaling"] for row in rows.values()),
        Band(least=7.75, most=12.25),
        "x",
        10,
        Band(least=5, most=15),
    )
    for name in ("scaling", "swarm", "cs"):
        print(f"# chart, {name}:", [float(f"{ms / 1e3:.3g}") for ms in of[_MACHINES[1], name]])


def _slope(times_ms: list[float]) -> float:
    return float(np.polyfit(_TASKS, times_ms, 1)[0])


def _straightness(times_ms: list[float]) -> float:
    """Return the part of the variance of times that a straight line over the numbers of tasks explains."""
    return float(np.corrcoef(_TASKS, times_ms)[0, 1] ** 2)


def _tell(
    name: str,
    ours: float,
    band: Band,
    unit: str = "",
    published: float | None = None,
    catalogue: Band | None = None,
) -> None:
    """Print a recorded part of a claim in TOML. A factor outside of its band and above 1 is right in sign only."""
    told = f", published = {published:g}" if published is not None else ""
    verdict = "sign only" if published is not None and unit == "x" and ours > 1 else "not reproduced"
    verdict = "reproduced" if band.holds(ours) else verdict
    ranges = f"band = {_ends(band)}" + (f", catalogue = {_ends(catalogue)}" if catalogue is not None else "")
    print(
        f'  {{ name = "{name}", unit = "{unit}"{told}, ours = {ours:.3g}, {ranges}, verdict = "{verdict}" }},',
        flush=True,
    )


def _ends(band: Band) -> str:
    """Return a band as TOML."""
    ends = {end: getattr(band, end) for end in ("least", "most", "above", "below")}
    return "{ " + ", ".join(f"{end} = {value:g}" for end, value in ends.items() if value is not None) + " }"


def largest() -> None:
    """Time of cost scaling from scratch on 100,000 machines, and of the repair of 1 % of the tasks."""
    machines, tasks = 100_000, 200_000
    cold_s, repair_s = _cold_ms(machines, tasks) / 1e3, _repairing_ms(machines, tasks, "scaling") / 1e3
    print(machines, tasks, f"cs {cold_s:.2f} s, scaling {repair_s:.3f} s")
    _tell("Cost scaling from scratch, 100,000 machines", cold_s, Band(least=90), "s", 90)


def _repairing_ms(machines: int, tasks: int, solver: str) -> float:
    """Measure booking and solving a change of 1 % of the tasks by a solver that continues from the last flow."""
    graph, times = cluster_graph(machines, tasks, seed=1, slots=_SLOTS), []
    graph.network.solve()
    for _ in range(_REPEATS + 1):
        began = time.process_time()
        replace_tasks(graph, tasks // 100)
        graph.network.solve(solver)
        times.append(1e3 * (time.process_time() - began))
    return statistics.median(times[1:])


def _cold_ms(machines: int, tasks: int) -> float:
    graph, times = cluster_graph(machines, tasks, seed=1, slots=_SLOTS), []
    for _ in range(_REPEATS):
        began = time.process_time()
        graph.network.solve_cold()
        times.append(1e3 * (time.process_time() - began))
    return statistics.median(times)


def _queue_ms(scheduler: str, machines: int, tasks: int) -> float:
    """Measure placing one task by a scheduler with a queue: a run with all tasks at once."""
    made, times = _at_once(scheduler, machines, tasks, decision_time="none"), []
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
            "topology": {"clusters": [{"racks": machines // 40, "machines": [{"count": machines, "cpus": _SLOTS}]}]},
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
    """CPU time and memory of processes that run the same work under Sirius and under a queue, compiled before.

    Sirius is its policy of fairness with incremental cost scaling, the solver of its paper; the queue is Random. With
    shortest paths, its processor time is told beside.
    """
    found: dict[str, list[list[float]]] = {"sirius-fairness": [], "random-queue": []}
    for machines, name in itertools.product(_SIZES, found):
        asked = [sys.executable, "-m", "bench.flow_claims", "one", name, str(machines)]
        runs = [json.loads(subprocess.run(asked, check=True, capture_output=True, text=True).stdout) for _ in range(4)]
        row = [statistics.median(run[what] for run in runs[1:]) for what in ("run_s", "grown_mb", "rss_mb")]
        found[name].append(row)
        cpu_s, run_mb, process_mb = row
        told = f"CPU {cpu_s:.2f} s, memory of the run {run_mb:.0f} MB, of all {process_mb:.0f} MB"
        print(machines, f"{name}: {told}", flush=True)
    _tell_processes(found["sirius-fairness"], found["random-queue"])
    made = _steady("sirius-fairness", _SIZES[1], _WORK).with_({"scheduler.params.solver": "ssp"})
    simulate(made)
    print(f"# with shortest paths, {_SIZES[1]} machines: {_cpu_s(made) / found['random-queue'][1][0]:.1f} x the CPU")


def _cpu_s(made: Experiment) -> float:
    began = time.process_time()
    simulate(made)
    return time.process_time() - began


def _tell_processes(sirius: list[list[float]], queue: list[list[float]]) -> None:
    """Print the parts of the claim on Figures 14 and 15: medians over the sizes, and how memory grows."""
    cpu, run, process = (
        statistics.median(ours[what] / theirs[what] for ours, theirs in zip(sirius, queue, strict=True))
        for what in range(3)
    )
    _tell("Processor time, Sirius / Random", cpu, Band(least=1.375, most=1.625), "x", 1.5, Band(least=1.2, most=2))
    _tell("Memory of the run, Sirius / Random", run, Band(least=1.75, most=2.25), "x", 2, Band(least=1.5, most=3))
    print(f"# words of the part above: whole processes {process:.2f}")
    rises = [after[1] / before[1] for before, after in itertools.pairwise(sirius)]
    _tell(
        "Memory of Sirius' run, least growth from a number of machines to twice as many", min(rises), Band(above=1), "x"
    )


def _one(name: str, machines: int) -> None:
    made = _steady(name, machines, _WORK)
    simulate(_steady(name, machines, _WORK // 10))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    run_s = _cpu_s(made)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"run_s": run_s, "grown_mb": (after - before) / 1e3, "rss_mb": after / 1e3}))


def _steady(scheduler: str, machines: int, tasks: int) -> Experiment:
    """Return machines of 24 cores and 64 GB, as Sirius' simulated ones, at 80 % load; Sirius solves by cost scaling."""
    params = {"solver": "scaling"} if scheduler.startswith("sirius") else {}
    group = {"count": machines, "cpus": _SLOTS, "memory_gb": 64}
    return Experiment.parse(
        {
            "schema_version": 1,
            "topology": {"clusters": [{"racks": machines // 25, "machines": [group]}]},
            "workload": {
                "kind": "synthetic",
                "tasks": tasks,
                "arrivals": {"kind": "poisson", "offered_load": 0.8},
                "tasks_per_job": {"kind": "lognormal", "median": 10, "sigma": 1, "max": 1_000},
                "duration_s": {"kind": "lognormal", "median": 60, "sigma": 1, "max": 3_600},
                "demand": {"cpus": 1, "memory_gb": 0},
            },
            "scheduler": {"name": scheduler, "params": params},
        }
    )


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
    {
        "solvers": solvers,
        "largest": largest,
        "processes": processes,
        "latency": latency,
        "one": lambda: _one(sys.argv[2], int(sys.argv[3])),
    }[sys.argv[1]]()
