"""Policies of one's own decide as the schedulers that they describe, task by task."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import Experiment, Simulation, simulate
from tests.core.experiments import LOOPS, SCHEDULER_NAMES, experiments
from tests.support import PROJECT
from tests.tiers import all_but_wide, examples, wide

POLICIES = PROJECT / "fixtures" / "policies"
AT_ONCE = {"decision_time": "none"}
PAPERS = next(name for name in ("kubernetes-papers", "kubernetes") if name in SCHEDULER_NAMES)
KUBERNETES = AT_ONCE | {
    "preemption": False, "percentage": 100, "balanced": 0, "locality": 0, "spread": 0, "affinity": 0,
}  # fmt: skip
NATIVE: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "shortest-job": ("sjf", {}, {}),
    "shortest-remaining": ("srtf", {}, {}),
    "dominant-share": ("drf", {}, {}),
    "capacity": ("capacity", {}, {}),
    "first-come": ("fifo", AT_ONCE | {"overtake": True}, {"overtake": True}),
    "first-come, blocking": ("fifo", AT_ONCE | {"overtake": False}, {"overtake": False}),
    "least-allocated": ("swarm", AT_ONCE | {"strategy": "spread"}, {}),
    "least-allocated, Kubernetes": (PAPERS, KUBERNETES, {}),
    "most-allocated": ("swarm", AT_ONCE | {"strategy": "binpack"}, {}),
}
"""Scheduler by policy, with the parameters of both under which they are compared."""

SOFT = {"least-allocated": " + 100000", "most-allocated": " + 100000"}
"""What swarm adds to each score for soft constraints, which are all met where there are none.

It rounds the last bits away. Without it, a policy can prefer one of two machines that differ only in how the same
score was rounded: of 4 CPUs and 8 GB with 2.003 and 6 free, and of 2 CPUs and 8 GB with 1 and 8 free, for a task of
0.997 CPUs and 2 GB.
"""

OF_ONE_QUEUE = next(names for names in LOOPS.values() if "swarm" in names)


def text_of(name: str) -> str:
    return (POLICIES / f"{name.partition(',')[0]}.policy").read_text()


def of_own(experiment: Experiment, name: str, params: dict[str, Any]) -> Experiment:
    data = experiment.to_dict()
    policy = text_of(name).rstrip() + SOFT.get(name, "")
    data["scheduler"] = {"name": "own", "params": {"policy": policy, **params}}
    return Experiment.parse(data)


def of_native(experiment: Experiment, scheduler: str, params: dict[str, Any]) -> Experiment:
    data = experiment.to_dict()
    data["scheduler"] = {"name": scheduler, "params": params}
    for number, job in enumerate(data["workload"]["jobs"]):
        # Those of one queue look at a task's end between two decisions of one instant; it has to be another instant.
        job["durations_s"] = [max(one, 0.001) for one in job["durations_s"]]
        # They remember that a demand of a queue found no room, even when nothing waits any more; a policy forgets it
        # then. What is remembered decides which of equal machines is first, so each job has a demand of its own.
        if scheduler in OF_ONE_QUEUE:
            job["demand"]["cpus"] -= number / 1000
    data["constraints"] = None if data.get("constraints") is None else data["constraints"] | {"soft": []}
    return Experiment.parse(data)


def assert_same_decisions(one: Experiment, other: Experiment) -> None:
    mine, native = simulate(one).tasks, simulate(other).tasks
    for column in ("machine", "first_start_ns", "end_ns", "attempts"):
        assert np.array_equal(mine[column], native[column]), column


@pytest.mark.parametrize("name", all_but_wide(NATIVE, {"shortest-job", "least-allocated"}))
@examples(150, few=12)
@given(data=st.data())
def test_a_policy_decides_as_the_scheduler_that_it_describes(name: str, data: st.DataObject) -> None:
    scheduler, given_native, given_own = NATIVE[name]
    native = of_native(data.draw(experiments(scheduler)), scheduler, given_native)
    assert_same_decisions(of_own(native, name, given_own), native)


@wide
@pytest.mark.parametrize(("load", "tasks"), [(0.5, 600_000), (0.7, 600_000), (0.9, 2_000_000)])
def test_two_choices_meet_the_supermarket_model(load: float, tasks: int) -> None:
    """The share of machines with at least k tasks is load ** (2 ** k - 1) (Mitzenmacher 2001).

    At high loads the share of long queues follows the load 15 times as strongly, so more tasks have to average it.
    """
    shares = supermarket(load, machines=10_000, tasks=tasks)
    for k in range(1, 5):
        assert abs(shares[k] - load ** (2**k - 1)) <= 0.01, k


def supermarket(load: float, machines: int, tasks: int) -> dict[int, float]:
    """The mean share of machines with at least k tasks in the second half of the arrivals, under exponential times."""
    experiment = Experiment.parse(
        {
            "schema_version": 1,
            "topology": {"clusters": [{"name": "c", "machines": [{"count": machines, "cpus": 1, "memory_gb": 1}]}]},
            "network": {"message_delay_s": 0},
            "workload": {
                "kind": "synthetic",
                "tasks": tasks,
                "arrivals": {"kind": "poisson", "offered_load": load},
                "tasks_per_job": {"kind": "constant", "value": 1},
                "duration_s": {"kind": "exponential", "mean": 1},
                "demand": {"cpus": 1},
            },
            "scheduler": {
                "name": "own",
                "params": {"policy": text_of("two-choices"), "news": "sample", "sample": 2, "wait_at": "machine"},
            },
        }
    )
    simulation = Simulation(experiment, frames=400)
    found: list[Any] = []
    for _ in simulation.run():
        world = simulation.world
        if 0.4 < world.control[0].tasks_arrived / tasks < 0.98:
            waiting = simulation.state.line["length"][:-1]
            found.append([((world.machine["running"] + waiting) >= k).mean() for k in range(5)])
    assert len(found) > 50
    return dict(enumerate(np.mean(found, axis=0).tolist()))
