"""Plain numbers of a run: the summary's values by short names, and wait times of parts of the workload."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import NOBODY, World
from scheduler_core.experiment import Experiment
from scheduler_core.run.results import RunResult
from scheduler_core.workload.stages import Stages

LONG_S, LARGE, FEW = 90.5811, 40, 4
"""Jobs whose tasks take longer on average are long here, whatever a parameter says; short ones are large or small by
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
_LEFT_OUT = {
    "seed",
    "core_version",
    "performance",
    "by_class",
    "by_work_class",
    "finished",
    "waiting_groups",
    "stages",
    "constraint_waits",
}


@dataclass(frozen=True, eq=False)
class Ran(RunResult):
    """A run's result, what its tasks asked for and take alone, (tasks,), and what its machines offer."""

    asks: npt.NDArray[np.int64]
    """The constraints of each task, as a mask."""
    cpus: npt.NDArray[np.int64]
    """The CPUs of each task, in thousandths."""
    own_ns: npt.NDArray[np.int64]
    """How long each task takes alone."""
    offers: npt.NDArray[np.int64]
    """The constraints that each machine satisfies, as a mask; (machines,)."""
    rules: npt.NDArray[np.int8]
    """The rule on racks of each job, as constraints.rack_rules gives it; (jobs,)."""
    cost: float
    """What was paid for machines; 0 where the scheduler pays for none."""
    near: npt.NDArray[np.int8]
    """How near each task ran to its data: 0 on a machine with them, 1 in a rack with them, 2 elsewhere; -1 for tasks
    without data or start. (tasks,), or empty where the scheduler follows no data."""
    stages: Stages | None = None
    """Which tasks wait for which; None if no task waits for others."""

    @functools.cached_property
    def figures(self) -> dict[str, float]:
        """What the run has come to, by short names."""
        found = _flat(self.summary, "")
        if "inconsistencies_internal" in found:
            found["inconsistencies"] = found["inconsistencies_internal"] + found.get("inconsistencies_external", 0.0)
        return found | {"cost": self.cost} | _parts(self)


def ran(experiment: Experiment) -> Ran:
    """Run an experiment to its end. Raises ExperimentError."""
    from scheduler_core.constraints import rack_rules  # loads the compiler, which a server that names claims spares
    from scheduler_core.run.driver import Simulation

    simulation = Simulation(experiment, frames=0)
    for _ in simulation.run():
        pass
    result, world = simulation.result, simulation.world
    assert result is not None
    kind = world.task["demand"]
    return Ran(
        result.summary,
        result.make_tasks,
        result.jobs,
        asks=np.asarray(world.asks[kind]),
        cpus=np.asarray(world.demand[kind, 0]),
        own_ns=np.asarray(world.task["own_ns"], np.int64),
        offers=np.asarray(world.machine["offers"], np.int64),
        rules=rack_rules(experiment, world.job),
        cost=float(simulation.inspect().get("cost") or 0),
        near=_near(world, getattr(simulation.state, "replica", None)),
        stages=simulation.stages,
    )


def _near(world: World, replica: npt.NDArray[np.int32] | None) -> npt.NDArray[np.int8]:
    """Return how near each task ran to its data; `replica` are the machines that have them, (tasks, copies)."""
    if replica is None or len(replica) != len(world.task):
        return np.zeros(0, np.int8)
    machine, rack = np.asarray(world.task["machine"]), np.asarray(world.machine["rack"])
    known, at = replica != NOBODY, machine[:, None]
    same_rack = known & (rack[np.maximum(replica, 0)] == rack[np.maximum(at, 0)])
    near = np.where((known & (replica == at)).any(axis=1), 0, np.where(same_rack.any(axis=1), 1, 2))
    return np.where(known.any(axis=1) & (machine >= 0), near, -1).astype(np.int8)


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


def _parts(run: Ran) -> dict[str, float]:
    """Return delays of jobs by length and by size, waits of tasks by queue and by whether they ask for something."""
    jobs, tasks, asks, cpus = run.jobs, run.tasks, run.asks, run.cpus
    delay_s = np.where(jobs["end_ns"] < 0, np.nan, jobs["end_ns"] - jobs["arrival_ns"] - jobs["ideal_ns"]) / 1e9
    wait_s = np.where(tasks["first_start_ns"] < 0, np.nan, tasks["first_start_ns"] - tasks["arrival_ns"]) / 1e9
    short, number = jobs["mean_ns"] <= LONG_S * 1e9, jobs["tasks"]
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
    there = float((ended["machine"] < len(run.offers) // 2).mean()) if len(ended) else 0.0
    return told | {
        "first_half": there,
        "company": _company(ended, ended["machine"]),
        "together": _company(ended, ended["machine"] * len(jobs) + ended["job"]),
    }


def _under_way_s(jobs: Any, tasks: Any) -> npt.NDArray[np.float64]:
    """Return the time from each job's first start to its end, s."""
    first = np.full(len(jobs), np.iinfo(np.int64).max)
    started = tasks["first_start_ns"] >= 0
    np.minimum.at(first, np.repeat(np.arange(len(jobs)), jobs["tasks"])[started], tasks["first_start_ns"][started])
    return np.where(jobs["end_ns"] < 0, np.nan, (jobs["end_ns"] - first) / 1e9)


def _company(tasks: Any, place: npt.NDArray[np.int64]) -> float:
    """Return how many others run in the same place when a task starts, in the mean."""
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
