"""Plain numbers of a run: the summary's by short names, and waits of parts of the work that clauses speak of."""

from __future__ import annotations

import functools
import json
from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core import Experiment, Simulation

LONG_S, LARGE, FEW = 90.5811, 40, 4
"""Jobs whose tasks take longer in the mean are long here, whatever a knob calls so; short ones are large or small by
their tasks. `scarce` are tasks that ask for the first constraint, `big` those that take more CPUs than the least;
`first_half` is the part of the tasks that ran on that of the machines, `company` and `together` are how many others, or
others of the same job, ran on the machine when a task started; `deep` is the quarter of the jobs with the longest path,
`under_way` the time from a job's first start to its end."""

_SHORT_NAMES = {
    "allocation_delay_s": "wait",
    "delay_components_s": "",
    "job_completion_s": "completion",
    "job_delay_s": "delay",
    "makespan_s": "makespan",
    "lost_work_s": "lost_work",
    "fairness": "queues",
    "counters": "",
    "running": "",
    "utilisation": "used",
    "pipeline": "",
}
_LEFT_OUT = {"seed", "core_version", "performance", "by_class", "stages"}


def figures(experiment: dict[str, Any]) -> dict[str, float]:
    """What a run has come to. Runs are kept, since many knobs are compared with the same one."""
    return _figures(json.dumps(experiment, sort_keys=True))


@functools.lru_cache(maxsize=20_000)
def _figures(text: str) -> dict[str, float]:
    simulation = Simulation(Experiment.parse(json.loads(text)), frames=0)
    for _ in simulation.run():
        pass
    assert simulation.result is not None
    found = _flat(simulation.result.summary, "")
    cost = simulation.inspect().get("cost")
    if cost is not None:
        found["cost"] = float(cost)
    if "inconsistencies_internal" in found:
        found["inconsistencies"] = found["inconsistencies_internal"] + found.get("inconsistencies_external", 0.0)
    return found | _parts(simulation)


def _flat(data: dict[str, Any], prefix: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for key, value in data.items():
        if key in _LEFT_OUT:
            continue
        name = ".".join(part for part in (prefix, _SHORT_NAMES.get(key, key)) if part)
        if isinstance(value, dict):
            found |= _flat(value, name)
        elif isinstance(value, int | float):
            found[name] = float(value)
    return found


def _parts(simulation: Simulation) -> dict[str, float]:
    """Delays of jobs by length and by size, waits of tasks by queue and by whether they ask for something."""
    assert simulation.result is not None
    jobs, tasks, world = simulation.result.jobs, simulation.result.tasks, simulation.world
    delay_s = np.where(jobs["end_ns"] < 0, np.nan, jobs["end_ns"] - jobs["arrival_ns"] - jobs["ideal_ns"]) / 1e9
    wait_s = np.where(tasks["first_start_ns"] < 0, np.nan, tasks["first_start_ns"] - tasks["arrival_ns"]) / 1e9
    short, number = jobs["mean_ns"] <= LONG_S * 1e9, jobs["tasks"]
    asks, cpus = world.asks[world.task["demand"]], world.demand[world.task["demand"], 0]
    parts = [
        ("short", delay_s[short]),
        ("long", delay_s[~short]),
        ("few", delay_s[short & (number <= FEW)]),
        ("small", delay_s[short & (number <= LARGE)]),
        ("large", delay_s[short & (number > LARGE)]),
        ("asking", wait_s[asks != 0]),
        ("scarce", wait_s[asks & 1 != 0]),
        ("others", wait_s[asks == 0]),
        ("big", wait_s[cpus > cpus.min()]),
        ("deep", delay_s[jobs["ideal_ns"] >= np.percentile(jobs["ideal_ns"], 75)]),
        ("under_way", _under_way_s(jobs, tasks)),
    ]
    parts += [(f"q{queue}", wait_s[tasks["queue"] == queue]) for queue in range(int(tasks["queue"].max()) + 1)]
    told = {f"{name}.{what}": value for name, values in parts for what, value in _distribution(values).items()}
    ended = tasks[tasks["end_ns"] >= 0]
    there = float((ended["machine"] < len(world.machine) // 2).mean()) if len(ended) else 0.0
    return told | {
        "first_half": there,
        "company": _company(ended, ended["machine"]),
        "together": _company(ended, ended["machine"] * len(jobs) + ended["job"]),
    }


def _under_way_s(jobs: Any, tasks: Any) -> npt.NDArray[np.float64]:
    """From each job's first start to its end."""
    first = np.full(len(jobs), np.iinfo(np.int64).max)
    started = tasks["first_start_ns"] >= 0
    np.minimum.at(first, np.repeat(np.arange(len(jobs)), jobs["tasks"])[started], tasks["first_start_ns"][started])
    return np.where(jobs["end_ns"] < 0, np.nan, (jobs["end_ns"] - first) / 1e9)


def _company(tasks: Any, place: npt.NDArray[np.int64]) -> float:
    """How many others run in the same place when a task starts, in the mean."""
    if not len(tasks):
        return 0.0
    span = int(tasks["end_ns"].max()) + 1
    found = np.unique(place, return_inverse=True)[1].astype(np.int64) * span
    starts, ends = np.sort(found + tasks["last_start_ns"]), np.sort(found + tasks["end_ns"])
    at = found + tasks["last_start_ns"]
    return float((np.searchsorted(starts, at, "right") - np.searchsorted(ends, at, "right")).mean()) - 1.0


def _distribution(values: npt.NDArray[np.float64]) -> dict[str, float]:
    known = values[np.isfinite(values)]
    if not len(known):
        return {}
    return {"mean": float(known.mean()), "p50": float(np.percentile(known, 50)), "p99": float(np.percentile(known, 99))}
