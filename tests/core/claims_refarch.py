"""The experiments of the paper about the reference architecture, on work made here: its two traces are not at hand.

32 machines: 16 of 4 CPUs at 4.1 GHz, 16 of 2 CPUs at 3.5 GHz. Askalon-like: 757 workflows of 60.5 tasks in the mean,
three in ten of one task, the others one task, three levels, one task. Chronos-like: 1,024 chains of three tasks, all
submitted at once. The paper gives shapes and numbers; sizes, durations and gaps are synthetic, chosen at seed 1.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from scheduler_core import Experiment, simulate

SORTS, FITS = ("srtf", "fifo", "ready", "random"), ("best_fit", "first_fit", "worst_fit")
SEEDS = (1, 2, 3)
_MACHINES = [{"count": 16, "cpus": 4, "resources": {"ghz": 4.1}}, {"count": 16, "cpus": 2, "resources": {"ghz": 3.5}}]


@functools.cache
def askalon(seed: int) -> list[dict[str, Any]]:
    """Workflows that begin and end with one task; the tasks of one run equally long, as with one program."""
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
    return jobs


@functools.cache
def chronos(seed: int) -> list[dict[str, Any]]:
    """Chains of three tasks of about 2.7 s, so that a chain runs about 8 s."""
    draw = np.random.default_rng(seed)
    means = 8 / 3 * np.exp(draw.normal(-0.18, 0.6, 1024))
    return [
        {
            "arrival_s": 0,
            "stages": [
                {"name": f"t{place}", "duration_s": float(mean), "after": [f"t{place - 1}"] if place else []}
                for place in range(3)
            ],
        }
        for mean in means
    ]


@functools.cache
def measured(work: str, seed: int, t2: str, r5: str) -> dict[str, Any]:
    """The figures of one run."""
    return dict(simulate(Experiment.parse({
        "schema_version": 1, "seed": seed, "topology": {"clusters": [{"machines": _MACHINES}]},
        "workload": {"kind": "inline", "jobs": {"askalon": askalon, "chronos": chronos}[work](seed)},
        "network": {"message_delay_s": 0},
        "scheduler": {"name": "pipeline", "params": {"t2": t2, "r5": r5, "speed": "ghz"}},
    })).summary["pipeline"])  # fmt: skip


def mean(work: str, figure: str, t2: str, r5: str = "best_fit") -> float:
    """The median over seeds of the mean of a figure."""
    return float(np.median([measured(work, seed, t2, r5)[figure]["mean"] for seed in SEEDS]))


def stage_s(work: str, stage: str, t2: str) -> float:
    """The median over seeds of a stage's modelled time."""
    times = [measured(work, seed, t2, "best_fit")["stages"].get(stage, {"time_s": 0.0})["time_s"] for seed in SEEDS]
    return float(np.median(times))


if __name__ == "__main__":
    for work in ("askalon", "chronos"):
        for t2 in SORTS:
            for r5 in FITS:
                row = [
                    mean(work, figure, t2, r5)
                    for figure in ("job_makespan_s", "schedule_length", "job_waiting_s", "task_response_s")
                ]
                print(
                    work,
                    t2,
                    r5,
                    *(f"{value:.4g}" for value in row),
                    *(f"{stage} {stage_s(work, stage, t2):.3g}" for stage in ("T1", "T2", "R4", "R5")),
                )
