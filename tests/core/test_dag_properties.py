"""What theory promises of schedulers of graphs, on random cases; where tasks are whole, up to one task of each."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import Experiment, Simulation
from scheduler_core.claims.fairest import fairest_division
from tests.core.dag_experiments import experiment, graphs, stage
from tests.tiers import examples

# -- dominant resource fairness -----------------------------------------------------------------------------------


@st.composite
def users(draw: st.DrawFn) -> list[tuple[int, int]]:
    """What a task of each user takes: CPUs and GB of a pool of 100 each."""
    amounts = st.tuples(st.integers(0, 20), st.integers(0, 20)).filter(any)
    return draw(st.lists(amounts, min_size=2, max_size=6))


def shared(demands: list[tuple[int, int]]) -> Any:
    """How many tasks of each user DRF starts in a pool of 100 CPUs and 100 GB, where each has more than enough."""
    jobs = [{"arrival_s": 0, "stages": [stage("s", 300, 1, cpus=cpus, memory_gb=memory)]} for cpus, memory in demands]
    made = experiment("drf", jobs, [{"count": 1, "cpus": 100, "memory_gb": 100}], pooled=True)
    simulation = Simulation(made, frames=0)
    simulation.advance_to(0)
    return simulation.state.job["running"].astype(np.int64)


@examples(150)
@given(demands=users())
def test_drf_gives_everybody_an_equal_part_up_to_a_task(demands: list[tuple[int, int]]) -> None:
    """Sharing incentive. With tasks that can be divided each dominant share is 1/n at least. With whole ones it is
    more than 1/n minus the mean, over all users, of one task's dominant share.

    Who is stopped first has the least share s, and nobody more than s and one of their tasks; what they hold of the
    resource that is short, and the task that does not fit, come to more than all of it: n s + sum of d > 1.
    """
    need = np.array(demands) / 100
    dominant = need.max(axis=1)
    assert (shared(demands) * dominant > 1 / len(demands) - dominant.mean() - 1e-9).all()


@examples(150)
@given(demands=users())
def test_drf_leaves_nothing_that_one_more_task_could_use(demands: list[tuple[int, int]]) -> None:
    """Pareto efficiency, exactly: nobody can have a task more without another one having less."""
    need = np.array(demands)
    left = 100 - shared(demands) @ need
    assert (left >= 0).all()
    assert (need > left).any(axis=1).all()


@examples(150)
@given(demands=users())
def test_nobody_would_gain_more_than_a_task_of_each_by_what_another_one_has(demands: list[tuple[int, int]]) -> None:
    """Envy-freeness. With tasks that can be divided nobody could run more on what another one has. With whole ones:
    less than one of one's own more, and what one task of the other is worth in dominant shares.

    Until i is stopped, j has at most i's share and one task of j. After that j gets less of the resource that i lacked
    than one task of i takes.
    """
    tasks, need = shared(demands), np.array(demands)
    dominant = need.max(axis=1)
    for i, mine in enumerate(need):
        for j, others in enumerate(need):
            held = tasks[j] * others
            could = min(held[r] / mine[r] for r in range(2) if mine[r])
            assert could < tasks[i] + 1 + dominant[j] / dominant[i] + 1e-9


# -- Choosy -------------------------------------------------------------------------------------------------------


@st.composite
def who_may(draw: st.DrawFn) -> Experiment:
    """Jobs that ask for up to two properties, on machines that offer some of three."""
    kinds = draw(st.lists(st.sets(st.sampled_from("abc")), min_size=1, max_size=4))
    machines = [
        {
            "count": draw(st.integers(1, 5)),
            "cpus": 1,
            "attributes": {letter: "yes" if letter in kind else "no" for letter in "abc"},
        }
        for kind in kinds
    ]
    jobs = [
        {"arrival_s": 0, "durations_s": [1] * 20, "demand": {"cpus": 1}, "constraints": sorted(asks)}
        for asks in draw(st.lists(st.sets(st.sampled_from("abc"), max_size=2), min_size=1, max_size=5))
    ]
    custom = [{"name": letter, "attribute": letter, "comparison": "==", "value": "yes"} for letter in "abc"]
    return experiment("choosy", jobs, machines, constraints={"catalogue": "custom", "custom": custom})


@examples(100)
@given(made=who_may())
def test_choosy_gives_each_machine_to_the_poorest_who_may_use_it(made: Experiment) -> None:
    """Against its rule, said plainly, machine after machine; and no machine is idle that the fairest division uses."""
    simulation = Simulation(made, frames=0)
    simulation.advance_to(0)
    world = simulation.world
    able = who_may_use(world)
    counts, few = [0] * len(able), able.sum(axis=1)
    owner = {int(row.machine): int(row.job) for row in world.task[world.task["machine"] >= 0]}
    for machine in range(able.shape[1]):
        users = np.flatnonzero(able[:, machine]).tolist()
        poorest = min(users, key=lambda job: (counts[job], few[job], job)) if users else None
        assert owner.get(machine) == poorest
        if poorest is not None:
            counts[poorest] += 1
    assert sum(counts) == fairest_division(able).sum()


def who_may_use(world: Any) -> Any:
    """Which job may use which machine, bool (jobs, machines); all tasks of a job ask for the same."""
    asks = world.asks[world.task["demand"][world.job["first_task"]]]
    return (world.machine["offers"] & asks[:, None]) == asks[:, None]


# -- DAGPS --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheduler", ["dagps", "carbyne"])
@examples(60)
@given(data=st.data())
def test_an_order_with_troublesome_tasks_first_keeps_parents_before_children(
    scheduler: str, data: st.DataObject
) -> None:
    params = {"packer": "dagps"} if scheduler == "carbyne" else {}
    stages = data.draw(graphs(durations=(0.5, 1.0, 2.5)))
    machines = [{"count": 2, "cpus": 4, "memory_gb": 4}]
    simulation = Simulation(experiment(scheduler, [{"arrival_s": 0, "stages": stages}], machines, params=params))
    simulation.prepare()
    stage_rows, relative = simulation.state.stage, simulation.state.relative
    assert sorted(stage_rows["place"].tolist()) == list(range(len(stages)))
    for row in stage_rows:
        parents = relative[row.first_parent : row.first_parent + row.parents]
        assert (stage_rows["place"][parents] < row["place"]).all()
