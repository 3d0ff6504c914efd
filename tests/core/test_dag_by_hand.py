"""Schedulers of the DAG family on examples that were worked out on paper."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core import Experiment, RunResult, explain, simulate
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


# -- Tetris -------------------------------------------------------------------------------------------------------


def aligned(epsilon: float) -> Experiment:
    """A machine of 4 CPUs and 4 GB; one job's tasks take 3 CPUs and 1 GB for 10 s, the other's 1 and 1 for 1 s."""
    jobs = [{"arrival_s": 0, "stages": [stage("large", 2, 10, cpus=3, memory_gb=1)]},
            {"arrival_s": 0, "stages": [stage("small", 8, 1, cpus=1, memory_gb=1)]}]
    params = {"epsilon": epsilon, "fairness": 0, "barrier": 1}
    return experiment("tetris", jobs, [{"count": 1, "cpus": 4, "memory_gb": 4}], params=params)


def test_tetris_begins_with_what_is_aligned_best() -> None:
    """Large scores 3/4 + 1/4 = 1, small 1/2; then one small fits beside, and another after each."""
    assert started_at_0(aligned(0)) == [1, 1]
    assert completions_s(simulate(aligned(0))) == [20, 8]


def test_tetris_lets_short_jobs_go_first_with_a_large_epsilon() -> None:
    """Of the whole machine, 15 s of work against 2: the small ones fill it twice, then the large follow each other."""
    assert started_at_0(aligned(10)) == [0, 4]
    assert completions_s(simulate(aligned(10))) == [22, 2]


def test_tetris_lets_the_last_tasks_before_a_barrier_go_first() -> None:
    """Another stage waits for `a`, whose tasks are aligned worse than those of the second job."""
    first = [stage("a", 3, 1, cpus=1), stage("b", 1, 1, "a", cpus=1)]
    second = [stage("w", 3, 1, cpus=1, memory_gb=1), stage("x", 1, 1, cpus=1, memory_gb=1)]
    jobs = [{"arrival_s": 0, "stages": first}, {"arrival_s": 0, "stages": second}]

    def run(barrier: float) -> list[float]:
        params = {"epsilon": 0, "fairness": 0, "barrier": barrier}
        return completions_s(simulate(
            experiment("tetris", jobs, [{"count": 1, "cpus": 2, "memory_gb": 4}], params=params)))

    # Aligned best: the second job's four, two at a time; then a, a; then a; then b.
    assert run(1) == [5, 2]
    # From 0 of the tasks of a on, a goes before all that nobody waits for: a a; a and one of w; b and w, ...
    assert run(0) == [4, 4]


def test_strictly_fair_tetris_takes_from_the_job_with_the_least() -> None:
    jobs = [{"arrival_s": 0, "stages": [stage("s", 8, 1, cpus=cpus)]} for cpus in (2, 1)]
    made = {name: experiment(name, jobs, [{"count": 1, "cpus": 6}], params={"epsilon": 0})
            for name in ("tetris", "tetris-fair")}
    # 2, 1, then 1 more makes both equal at 2 of 6, then 2, and nothing is left.
    assert started_at_0(made["tetris-fair"]) == [2, 2]
    loose = experiment("tetris", jobs, [{"count": 1, "cpus": 6}], params={"epsilon": 0, "fairness": 0})
    assert started_at_0(loose) == [3, 0]


# -- Carbyne ------------------------------------------------------------------------------------------------------


def test_carbyne_gives_the_completions_of_figure_2() -> None:
    """The first job needs one task of s1 at once and the second one task: 0.5 is left over.

    The second job has less work left, so its other task starts; 0.21 remain, in which a second task of s1 starts.
    """
    made = figure_2("carbyne")
    result = simulate(made)
    assert completions_s(result) == [2.1, 1.0]
    assert started_at_0(made) == [2, 2]
    assert result.summary["job_completion_s"]["mean"] == pytest.approx(1.55)
    assert result.summary["counters"]["from_leftover"] >= 2


def test_carbyne_tells_who_must_start_who_is_put_off_and_what_is_left_over() -> None:
    made = figure_2("carbyne")
    told = {task: [(d["reason"], d["t_s"]) for d in explain(made, task)["decisions"]] for task in range(8)}
    # s0 may start a second later; what is left over in the end is too little for it.
    assert told[0] == [("put_off", 0), ("no_room", 0), ("must_start", 1)]
    assert told[2] == [("must_start", 0)]  # the first task of s1
    assert told[3][-1] == ("left_over", 0)
    assert told[7] == [("left_over", 0)]  # the second job's other task
    sentence = explain(made, 0)["decisions"][0]["sentence"]
    assert sentence.endswith("the first of the 2 tasks of this stage that wait may start 1 s later, at 1 s, without "
                             "making the job end later.")


def test_packing_leftover_takes_what_fits_best() -> None:
    """The 0.5 left over go to the larger tasks, 0.29 and 0.21, as well; in the toy both ways lead to the same end."""
    assert completions_s(simulate(figure_2("carbyne", leftover="packing"))) == [2.1, 1.0]

