"""Workloads and machines that claims draw for a seed because no preset holds them, and public traces.

Adding one is a function with `@draws`: it takes the seed and its arguments, and returns changes as {path: value}.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np

from scheduler_core.claims.outside import trace_path
from scheduler_core.errors import UnknownName

Draw = Callable[..., dict[str, Any]]
D = TypeVar("D", bound=Draw)

DRAWS: dict[str, Draw] = {}


def draws(function: D) -> D:
    """Let setups draw by a function's name."""
    DRAWS[function.__name__] = function
    return function


def drawn_changes(asked: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """Return what a setup's `drawn` asks for under a seed; nothing where it asks for nothing.

    Raises UnknownName, and Missing where a trace is not at hand.
    """
    if not asked:
        return {}
    name = str(asked.get("by", ""))
    if name not in DRAWS:
        raise UnknownName("drawing function", name, sorted(DRAWS))
    return DRAWS[name](seed, **{key: value for key, value in asked.items() if key != "by"})


def _inline(jobs: list[dict[str, Any]]) -> dict[str, Any]:
    return {"workload": {"kind": "inline", "jobs": jobs}}


@draws
def trace(seed: int, name: str) -> dict[str, Any]:
    """Return a public trace in the form of Sparrow's authors, with the times of the file. Raises Missing."""
    path = str(trace_path(name))
    return {"workload": {"kind": "trace", "format": "sparrow", "path": path, "time_origin": "file"}}


@draws
@functools.lru_cache(maxsize=4)
def askalon(seed: int) -> dict[str, Any]:
    """Draw 757 workflows of 60.5 tasks in the mean that begin and end with one task; three in ten have one task.

    The paper gives the numbers of workflows and tasks; shapes, sizes, durations and gaps are synthetic. Tasks of a
    workflow run equally long.
    """
    draw = np.random.default_rng(seed)
    width = np.exp(draw.normal(0, 0.5, 757))
    width *= (60.5 / 0.7 - 2.4) / (3 * width.mean())
    jobs, at_s = [], 0.0
    for tasks in np.maximum(np.round(width), 1).astype(int):
        at_s += float(draw.exponential(28.0))
        duration = float(np.exp(draw.normal(np.log(60), 0.6)))
        stages: list[dict[str, Any]] = [{"name": "first", "duration_s": duration}]
        if draw.random() >= 0.3:
            for level in range(3):
                after = [stages[-1]["name"]]
                stages.append({"name": f"l{level}", "tasks": int(tasks), "duration_s": duration, "after": after})
            stages.append({"name": "last", "duration_s": duration, "after": ["l2"]})
        jobs.append({"arrival_s": at_s, "stages": stages})
    return _inline(jobs)


@draws
@functools.lru_cache(maxsize=4)
def chronos(seed: int) -> dict[str, Any]:
    """Draw 1,024 chains of three tasks of about 2.7 s, all submitted at once, so that a chain runs about 8 s.

    The paper gives the numbers of workflows and tasks and speaks of a burst at the start; chains are our reading.
    """
    means = 8 / 3 * np.exp(np.random.default_rng(seed).normal(-0.18, 0.6, 1024))
    return _inline([{"arrival_s": 0, "stages": _chain(float(mean))} for mean in means])


def _chain(mean_s: float) -> list[dict[str, Any]]:
    return [
        {"name": f"t{place}", "duration_s": mean_s, "after": [f"t{place - 1}"] if place else []} for place in range(3)
    ]


@draws
def images(seed: int, tasks: int, plain: bool = False) -> dict[str, Any]:
    """Return 1-task jobs of image analysis at time 0; each wants a GPU, with `plain` every other one does not."""
    one = {"arrival_s": 0, "durations_s": [10.0], "demand": {"cpus": 1, "memory_gb": 1}}
    return _inline([one | {"constraints": [] if plain and i % 2 == 0 else ["gpu"]} for i in range(tasks)])


@draws
def three_sets(seed: int) -> dict[str, Any]:
    """Return 480 tasks each of TPC-H, image analysis and another batch set: jobs of eight tasks, taking turns.

    Queries take about 0.8 s, the others about 5 s.
    """
    draw, kinds = np.random.default_rng(seed), (("tpch", 0.8, 0.5), ("images", 5.0, 0.3), ("batch", 5.0, 0.3))
    return _inline(
        [
            {
                "arrival_s": 0,
                "queue": name,
                "demand": {"cpus": 1, "memory_gb": 1},
                "durations_s": (median * np.exp(sigma * draw.standard_normal(8))).round(3).tolist(),
            }
            for _ in range(60)
            for name, median, sigma in kinds
        ]
    )


@draws
def choosy_jobs(seed: int) -> dict[str, Any]:
    """Return 200 machines with three drawn properties, and eight jobs that ask for some and want all machines."""
    draw = np.random.default_rng(seed)
    machines = [
        {"count": 1, "cpus": 1, "attributes": {letter: str(draw.random() < 0.5) for letter in "abc"}}
        for _ in range(200)
    ]
    one = {"arrival_s": 0, "durations_s": [1] * 200, "demand": {"cpus": 1}}
    jobs = [one | {"constraints": [letter for letter in "abc" if draw.random() < 0.3]} for _ in range(8)]
    return _inline(jobs) | {"topology": {"clusters": [{"name": "c", "machines": machines}]}}


@draws
def graphs_apart(seed: int, graphs: int) -> dict[str, Any]:
    """Draw graphs of three to eight stages that arrive so far apart that each is alone in the pool."""
    draw = np.random.default_rng(seed)
    return _inline([{"arrival_s": 1000 * at, "stages": _stages(draw)} for at in range(graphs)])


def _stages(draw: np.random.Generator) -> list[dict[str, Any]]:
    stages: list[dict[str, Any]] = []
    for i in range(int(draw.integers(3, 9))):
        after = [f"s{j}" for j in range(i) if draw.random() < 0.3]
        cpus, memory_gb = (int(n) for n in draw.integers(1, 9, 2))
        stages.append(
            {
                "name": f"s{i}",
                "tasks": int(draw.integers(1, 5)),
                "duration_s": float(draw.choice([1, 2, 3, 5, 8])),
                "demand": {"cpus": cpus, "memory_gb": memory_gb},
                "after": after,
            }
        )
    return stages
