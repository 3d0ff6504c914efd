"""Schedulers of the DAG family on examples that were worked out on paper."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core import Experiment, RunResult, simulate
from tests.core.dag_experiments import experiment, figure_2, stage

QUEUES = [{"name": "a", "share": 0.6}, {"name": "b", "share": 0.3}]


def completions_s(result: RunResult) -> list[float]:
    """When each job ends, counted from its arrival."""
    return [round(float(ns) / 1e9, 9) for ns in result.jobs["end_ns"] - result.jobs["arrival_ns"]]


def started_at_0(made: Experiment) -> list[int]:
    """How many tasks of each job start at once."""
    result = simulate(made)
    first = result.tasks["job"][result.tasks["first_start_ns"] == 0].tolist()
    return [first.count(job) for job in range(len(result.jobs))]


def two_users(scheduler: str, **params: Any) -> Experiment:
    """The DRF paper's example: 9 CPUs and 18 GB; A's tasks take 1 CPU and 4 GB, B's 3 CPUs and 1 GB."""
    jobs = [{"arrival_s": 0, "stages": [stage("a", 9, 1, cpus=1, memory_gb=4)]},
            {"arrival_s": 0, "stages": [stage("b", 9, 1, cpus=3, memory_gb=1)]}]
    return experiment(scheduler, jobs, [{"count": 1, "cpus": 9, "memory_gb": 18}], pooled=True, params=params)


def test_drf_gives_three_and_two_tasks_in_its_papers_example() -> None:
    assert started_at_0(two_users("drf")) == [3, 2]


def test_strict_shares_leave_what_progressive_filling_gives() -> None:
    """Half of everything is 4.5 CPUs and 9 GB: two tasks of A (12 GB are too many), one of B."""
    assert started_at_0(two_users("drf", work_conserving=False)) == [2, 1]


def test_max_min_over_cpus_does_not_see_memory() -> None:
    """A and B are equal at 3 CPUs each; A, first, takes a fourth, and then nothing fits: 6 CPUs for B, 4 GB for A."""
    assert started_at_0(two_users("max-min")) == [4, 1]
    # Over memory: B is always below A, until it has all CPUs but those of A's first task.
    assert started_at_0(two_users("max-min", resource="memory_gb")) == [3, 2]


def shared_by_queue(scheduler: str, **params: Any) -> Experiment:
    jobs = [{"arrival_s": 0, "queue": queue, "stages": [stage("s", 5, 1, cpus=1)]} for queue in ("a", "b", "a", "b")]
    return experiment(scheduler, jobs, [{"count": 9, "cpus": 1}], params=params, queues=QUEUES)


def test_weights_divide_by_the_shares_of_queues() -> None:
    """Weights 0.6, 0.3, 0.6, 0.3 of nine machines: three, one or two, three, one or two."""
    assert started_at_0(shared_by_queue("drf", weights="queue_share")) == [3, 2, 3, 1]
    assert started_at_0(shared_by_queue("drf")) == [3, 2, 2, 2]


def test_capacity_divides_among_queues_and_serves_the_first_job_of_each() -> None:
    """Six machines for queue a: five for its first job, one for its second; three for queue b's first."""
    assert started_at_0(shared_by_queue("capacity")) == [5, 3, 1, 0]


def long_or_large(scheduler: str) -> Experiment:
    """A chain of two tasks of 2 s, and four tasks of 3 s side by side, on one machine."""
    chain = [stage("x", 1, 2, cpus=1), stage("y", 1, 2, "x", cpus=1)]
    jobs = [{"arrival_s": 0, "stages": chain}, {"arrival_s": 0, "stages": [stage("z", 4, 3, cpus=1)]}]
    return experiment(scheduler, jobs, [{"count": 1, "cpus": 1}])


def test_sjf_goes_by_the_critical_path() -> None:
    assert completions_s(simulate(long_or_large("sjf"))) == [16, 12]


def test_srtf_goes_by_the_work_that_is_left() -> None:
    assert completions_s(simulate(long_or_large("srtf"))) == [4, 16]


def two_ends(scheduler: str) -> Experiment:
    """Two machines; two short tasks on their own, and one that a long one waits for."""
    stages = [stage("p", 1, 1, cpus=1), stage("q", 1, 1, cpus=1), stage("y", 1, 1, cpus=1),
              stage("z", 1, 3, "y", cpus=1)]
    return experiment(scheduler, [{"arrival_s": 0, "stages": stages}], [{"count": 2, "cpus": 1}])


def test_cpm_begins_with_the_longest_way() -> None:
    assert completions_s(simulate(two_ends("cpm"))) == [4]
    assert completions_s(simulate(two_ends("drf"))) == [5]  # breadth first: p and q, then y, then z


def test_the_ideal_of_a_graph_is_its_critical_path() -> None:
    result = simulate(two_ends("cpm"))
    assert result.jobs["ideal_ns"].tolist() == [4 * 10**9]
    assert result.summary["job_delay_s"]["max"] == 0


def test_strict_shares_give_carbynes_figure_2() -> None:
    assert completions_s(simulate(figure_2("drf", work_conserving=False))) == [2.1, 2.0]


def test_work_conserving_drf_finishes_the_first_job_of_figure_2_early() -> None:
    """The third task of s1 fits into what both leave, and with it the barrier is reached at once."""
    assert completions_s(simulate(figure_2("drf"))) == [1.1, 2.0]


@pytest.mark.parametrize("delay_s", [0.25])
def test_a_launch_and_the_news_of_an_end_take_a_message_each(delay_s: float) -> None:
    stages = [stage("x", 1, 1, cpus=1), stage("y", 1, 1, "x", cpus=1)]
    made = experiment("drf", [{"arrival_s": 0, "stages": stages}], [{"count": 1, "cpus": 1}], delay_s=delay_s)
    result = simulate(made)
    assert (result.tasks["first_start_ns"] / 1e9).tolist() == [0.25, 1.75]
    assert (result.tasks["communication_ns"] / 1e9).tolist() == [0.25, 0.25]
    assert result.summary["counters"]["messages"] == 4
