"""Experiments for the claims of Phoenix' paper, on generated work, and what is measured of them.

Everything here was written down before the claims were run. The paper has 15,000 workers and the traces of Yahoo,
Google and Cloudera with synthesised constraints; its loads, and how constraints were synthesised beyond shares, are not
known. So:

- 1,500 workers of one CPU with the properties that the public program gives them (blocks of neighbours).
- The drawn workloads that resemble the three traces, arriving at 0.85 of what the workers can do, as irregularly as in
  the traces. Google's and Cloudera's are cut to their first thousands of jobs.
- 55 % of the jobs ask for one of the nine constraints; all of them are hard.
- All schedulers with their defaults, profile `paper`, and the cut-off and partition of the trace.

A response is the time from a job's arrival to its end. Medians of three seeds.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from scheduler_core import (
    Experiment,
    build_cluster,
    build_workload,
    scheduler_by_name,
    simulate,
    workload_presets,
)
from scheduler_core.constraints import task_asks

SEEDS = (1, 2, 3)
MACHINES, LOAD, SHARE = 1_500, 0.85, 0.55
TRACES = {  # jobs, cut-off, long partition
    "yh": (2_910, 90.5811, 0.98),
    "goog": (3_000, 1129.532, 0.83),
    "cloudera": (4_000, 272.783, 0.91),
}
Jobs = npt.NDArray[np.float64]


class Ran(NamedTuple):
    """What a run says of its jobs; all (jobs,)."""

    response_s: Jobs
    wait_s: Jobs  # the mean of its tasks' waits
    short: npt.NDArray[np.bool_]
    asks: npt.NDArray[np.int64]  # mask of what its tasks ask for


def experiment(scheduler: str, trace: str, seed: int, constrained: bool) -> Experiment:
    jobs, cutoff, partition = TRACES[trace]
    workload = next(one for one in workload_presets() if one.name == trace).workload.model_dump(mode="json")
    arrivals = {"kind": "renewal", "offered_load": LOAD, "cv": workload["arrivals"]["cv"]}
    known = scheduler_by_name(scheduler).params.model_fields
    params = {"short_cutoff_s": cutoff, "long_partition_share": partition}
    params = {name: value for name, value in params.items() if name in known}
    parts: dict[str, Any] = {"constraints": {"catalogue": "phoenix-9", "task_share": SHARE}} if constrained else {}
    mix = {"constraint_mix": "phoenix"} if constrained else {}
    return Experiment.parse(
        {
            "schema_version": 1,
            "seed": seed,
            "topology": {"clusters": [{"name": "c", "machines": [{"count": MACHINES, "cpus": 1}], **mix}]},
            "workload": workload | {"jobs": jobs, "arrivals": arrivals},
            "scheduler": {"name": scheduler, "params": params},
            **parts,
        }
    )


@functools.cache
def run(scheduler: str, trace: str, seed: int, constrained: bool = True) -> Ran:
    one = experiment(scheduler, trace, seed, constrained)
    result = simulate(one)
    jobs, tasks = result.jobs, result.tasks
    first = np.concatenate([[0], np.cumsum(jobs["tasks"])[:-1]])
    waits = np.add.reduceat((tasks["first_start_ns"] - tasks["arrival_ns"]) / 1e9, first) / jobs["tasks"]
    with_asks = experiment(scheduler, trace, seed, True)
    asks = task_asks(with_asks, build_workload(with_asks, build_cluster(with_asks)))[first]
    response = np.asarray(jobs["end_ns"] - jobs["arrival_ns"]) / 1e9
    return Ran(response, waits, np.asarray(jobs["mean_ns"] <= TRACES[trace][1] * 1e9), asks)


def percentile(values: Jobs, q: int) -> float:
    """By nearest rank."""
    return float(np.sort(values)[-(-q * len(values) // 100) - 1])


def short_response(ran: Ran, q: int) -> float:
    return percentile(ran.response_s[ran.short], q)


def factor(one: str, other: str, trace: str, q: int) -> float:
    """How many times longer short jobs take under `one`, at a percentile."""
    return float(
        np.median(
            [short_response(run(one, trace, seed), q) / short_response(run(other, trace, seed), q) for seed in SEEDS]
        )
    )


def inflation(scheduler: str, trace: str, q: int = 99) -> float:
    """How many times longer short jobs take with constraints than without."""
    return float(
        np.median(
            [
                short_response(run(scheduler, trace, seed), q) / short_response(run(scheduler, trace, seed, False), q)
                for seed in SEEDS
            ]
        )
    )


def queueing(scheduler: str, trace: str, constrained: bool = True) -> float:
    """Mean wait of short jobs' tasks in s."""
    ran = [run(scheduler, trace, seed, constrained) for seed in SEEDS]
    return float(np.median([one.wait_s[one.short].mean() for one in ran]))


def slowdowns(scheduler: str) -> list[float]:
    """For each of the nine: response of the short jobs that ask for it, over their twins' without constraints."""
    sums = np.zeros((9, 2))
    for trace in TRACES:
        for seed in SEEDS:
            bound, free = run(scheduler, trace, seed), run(scheduler, trace, seed, False)
            for c in range(9):
                asking = bound.short & (bound.asks == 1 << c)
                sums[c] += bound.response_s[asking].sum(), free.response_s[asking].sum()
    return [float(value) for value in sums[:, 0] / sums[:, 1]]


def told() -> dict[str, Any]:
    """Every figure of the claims, for docs/development/agreement.md."""
    found: dict[str, Any] = {}
    for trace in TRACES:
        found[f"{trace}: p90, p99 of Eagle-C over Phoenix"] = [factor("eagle-c", "phoenix", trace, q) for q in (90, 99)]
        found[f"{trace}: p90, p99 of Hawk-C over Phoenix"] = [factor("hawk-c", "phoenix", trace, q) for q in (90, 99)]
        found[f"{trace}: waits without constraints, Eagle-C, Yacc-D, Hawk-C"] = [
            queueing("eagle-c", trace, False),
            *(queueing(name, trace) for name in ("eagle-c", "yacc-d", "hawk-c")),
        ]
        found[f"{trace}: p99 with over without, Eagle-C, Hawk-C, Sparrow-C"] = [
            inflation(name, trace) for name in ("eagle-c", "hawk-c", "sparrow-c")
        ]
        found[f"{trace}: Phoenix over Eagle-C, long jobs, unconstrained short jobs"] = harm(trace)
        found[f"{trace}: jobs constrained, jobs short"] = shares(trace)
    found["slowdown of each constraint, Eagle-C"] = slowdowns("eagle-c")
    return found


def harm(trace: str) -> list[float]:
    """Mean response under Phoenix over that under Eagle-C: of long jobs, and of short ones that ask for nothing."""
    found = []
    for long in (True, False):
        means = []
        for seed in SEEDS:
            ran = [run(name, trace, seed) for name in ("phoenix", "eagle-c")]
            chosen = ~ran[0].short if long else ran[0].short & (ran[0].asks == 0)
            means.append(ran[0].response_s[chosen].mean() / ran[1].response_s[chosen].mean())
        found.append(float(np.median(means)))
    return found


def shares(trace: str) -> list[float]:
    """Share of the jobs that ask for something, and of those that are short."""
    ran = [run("eagle-c", trace, seed) for seed in SEEDS]
    return [
        float(np.median([(one.asks != 0).mean() for one in ran])),
        float(np.median([one.short.mean() for one in ran])),
    ]


def presets() -> dict[str, Experiment]:
    """The experiment in fixtures/presets/ that asks what these claims are about, by the name of its file."""
    data = experiment("phoenix", "cloudera", 1, True).to_dict()
    data["constraints"]["soft"] = [{"name": "ethernet_speed"}, {"name": "cpu_clock"}]
    return {"phoenix-crv": Experiment.parse(data)}


if __name__ == "__main__":
    for figure, values in told().items():
        print(f"{figure}: {', '.join(f'{value:.4g}' for value in values)}")
