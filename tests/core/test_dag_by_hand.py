"""Schedulers of the DAG family on examples that were worked out on paper."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from scheduler_core import Experiment, RunResult, Simulation, explain, simulate
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
    jobs = [
        {"arrival_s": 0, "stages": [stage("a", 9, 1, cpus=1, memory_gb=4)]},
        {"arrival_s": 0, "stages": [stage("b", 9, 1, cpus=3, memory_gb=1)]},
    ]
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
    stages = [
        stage("p", 1, 1, cpus=1),
        stage("q", 1, 1, cpus=1),
        stage("y", 1, 1, cpus=1),
        stage("z", 1, 3, "y", cpus=1),
    ]
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
    jobs = [
        {"arrival_s": 0, "stages": [stage("large", 2, 10, cpus=3, memory_gb=1)]},
        {"arrival_s": 0, "stages": [stage("small", 8, 1, cpus=1, memory_gb=1)]},
    ]
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
        return completions_s(
            simulate(experiment("tetris", jobs, [{"count": 1, "cpus": 2, "memory_gb": 4}], params=params))
        )

    # Aligned best: the second job's four, two at a time; then a, a; then a; then b.
    assert run(1) == [5, 2]
    # From 0 of the tasks of a on, a goes before all that nobody waits for: a a; a and one of w; b and w, ...
    assert run(0) == [4, 4]


def test_strictly_fair_tetris_takes_from_the_job_with_the_least() -> None:
    jobs = [{"arrival_s": 0, "stages": [stage("s", 8, 1, cpus=cpus)]} for cpus in (2, 1)]
    made = {
        name: experiment(name, jobs, [{"count": 1, "cpus": 6}], params={"epsilon": 0})
        for name in ("tetris", "tetris-fair")
    }
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
    assert explain(made, 0)["decisions"][0]["arguments"] == {"y": "2", "x_s": "1 s", "at_x": "1 s"}


def test_packing_leftover_takes_what_fits_best() -> None:
    """The 0.5 left over go to the larger tasks, 0.29 and 0.21, as well; in the toy both ways lead to the same end."""
    assert completions_s(simulate(figure_2("carbyne", leftover="packing"))) == [2.1, 1.0]


# -- Choosy -------------------------------------------------------------------------------------------------------


def constrained(scheduler: str, asks: list[list[str]], machines: dict[str, int], tasks: int = 9) -> Experiment:
    """Jobs of many tasks of a second; `machines` counts those with certain properties."""
    jobs = [{"arrival_s": 0, "durations_s": [1] * tasks, "demand": {"cpus": 1}, "constraints": one} for one in asks]
    kinds = [
        {"count": count, "cpus": 1, "attributes": {letter: "yes" for letter in kind if letter != "-"}}
        for kind, count in machines.items()
    ]
    letters = sorted({*"".join(machines)} - {"-"})
    custom = [{"name": letter, "attribute": letter, "comparison": "==", "value": "yes"} for letter in letters]
    return experiment(scheduler, jobs, kinds, constraints={"catalogue": "custom", "custom": custom})


def test_choosy_raises_the_least_share_under_constraints() -> None:
    """Four machines, two of them with a. Three jobs: one needs a, two do not care.

    Fair is 4/3 each. Machine 0 and 1 offer a: the first job and, as the other two have nothing yet, one of those; no:
    all three have nothing, and the first could use two machines only, so it gets machine 0; machine 1 goes to the
    second, 2 to the third, and of three equal ones the first cannot use 3, so the second gets it.
    """
    made = constrained("choosy", [["a"], [], []], {"a": 2, "-": 2})
    assert started_at_0(made) == [1, 2, 1]
    # DRF hands tasks out job by job, each to the first machine with room: the same here.
    assert started_at_0(constrained("drf", [["a"], [], []], {"a": 2, "-": 2})) == [1, 2, 1]


def test_choosy_keeps_the_only_machine_for_whom_it_is_the_only_one() -> None:
    """One machine has a and b, one has a. Both jobs need a, the second b as well.

    By shares all are equal at 0; the first job came first, and takes the machine the second needs under DRF. Choosy
    gives it to the job that fewer machines could serve, and each has one.
    """
    asks, machines = [["a"], ["a", "b"]], {"ab": 1, "a": 1}
    assert started_at_0(constrained("choosy", asks, machines)) == [1, 1]
    assert started_at_0(constrained("drf", asks, machines)) == [2, 0]


# -- Fair, and delay scheduling -----------------------------------------------------------------------------------


def test_fair_counts_tasks_whatever_they_take() -> None:
    """Nine CPUs; tasks of 1 and of 2: three each, by CPUs four and two."""
    jobs = [{"arrival_s": 0, "stages": [stage("s", 9, 1, cpus=cpus)]} for cpus in (1, 2)]
    assert started_at_0(experiment("fair", jobs, [{"count": 1, "cpus": 9}])) == [3, 3]
    by_cpus = experiment("fair", jobs, [{"count": 1, "cpus": 9}], params={"resource": "cpus"})
    assert started_at_0(by_cpus) == [5, 2]


def test_fair_weighs_queues() -> None:
    """Weights 0.6 and 0.3 of nine: six and three."""
    jobs = [{"arrival_s": 0, "queue": queue, "stages": [stage("s", 9, 1, cpus=1)]} for queue in "ab"]
    made = experiment("fair", jobs, [{"count": 9, "cpus": 1}], params={"weights": "queue_share"}, queues=QUEUES)
    assert started_at_0(made) == [6, 3]


def one_copy_away(wait_s: float, rack_wait_s: float = 0.0, **params: Any) -> tuple[Experiment, int]:
    """Eight machines in four racks, of which all but one are taken for 10 s; then a task whose data lie elsewhere.

    Gives the experiment and the task's number. The free machine is the last, which the drawn copies leave out.
    """
    jobs = [
        {"arrival_s": 0, "stages": [stage("s", 7, 10, cpus=1)]},
        {"arrival_s": 1, "stages": [stage("t", 1, 4, cpus=1)]},
    ]
    made = experiment(
        "delay-schedule",
        jobs,
        [{"count": 8, "cpus": 1}],
        params={"wait_s": wait_s, "rack_wait_s": rack_wait_s, "rack_factor": 1.25, "remote_factor": 1.5, **params},
    )
    data = made.to_dict()
    data["topology"]["clusters"][0]["racks"] = 4
    for seed in range(99):
        tried = Experiment.parse(data | {"seed": seed})
        simulation = Simulation(tried, frames=0)
        simulation.advance_to(10**9 - 1)
        free = set(np.flatnonzero(simulation.world.free[:, 0] > 0).tolist())
        near = set(simulation.state.replica[7].tolist())
        if len(free) == 1 and not {machine ^ 1 for machine in free} & near and not free & near:
            return tried, 7
    raise AssertionError("no seed puts the data elsewhere")


def test_a_job_waits_for_its_data_then_for_their_racks_then_takes_what_there_is() -> None:
    """2 s for a machine, 3 s for a rack: it starts at 1 + 5 = 6 s, and takes 4 s times 1.5."""
    made, task = one_copy_away(2, 3)
    row = simulate(made).tasks[task]
    assert (row["first_start_ns"] / 1e9, row["end_ns"] / 1e9) == (6, 12)
    told = explain(made, task)["decisions"]
    assert [one["reason"] for one in told] == ["waits_for_data", "far"]
    assert told[0]["arguments"] == {"y": "1", "x_s": "2 s"}
    assert told[1]["arguments"]["x_s"] == "5 s"


def test_a_job_that_waits_long_enough_runs_beside_its_data() -> None:
    """All machines are free again at 10 s, before the 20 s are over: 4 s on one that has its data."""
    made, task = one_copy_away(20)
    simulation = Simulation(made, frames=0)
    simulation.advance_to(10**12)
    row = simulation.world.task[task]
    assert (row.first_start_ns / 1e9, row.end_ns / 1e9) == (10, 14)
    assert row.machine in simulation.state.replica[task]
    assert simulate(made).summary["counters"]["remote"] == 0 or simulation.state.rules[0].remote > 0


def test_without_waiting_it_runs_at_once_and_longer() -> None:
    made, task = one_copy_away(0)
    row = simulate(made).tasks[task]
    assert (row["first_start_ns"] / 1e9, row["end_ns"] / 1e9) == (1, 7)


def test_copies_lie_as_in_a_distributed_file_system() -> None:
    """Three machines, two racks: the first copy anywhere, the other two in one other rack."""
    jobs = [{"arrival_s": 0, "stages": [stage("s", 300, 1, cpus=1), stage("t", 1, 1, "s", cpus=1)]}]
    data = experiment("fair", jobs, [{"count": 12, "cpus": 30}]).to_dict()
    data["topology"]["clusters"][0]["racks"] = 4
    simulation = Simulation(Experiment.parse(data), frames=0)
    simulation.prepare()
    replica, rack = simulation.state.replica, simulation.world.machine["rack"]
    reads, waits = replica[:300], replica[300]
    assert (waits == -1).all()
    assert all(len(set(row)) == 3 for row in reads.tolist())
    assert (rack[reads[:, 1]] == rack[reads[:, 2]]).all()
    assert (rack[reads[:, 0]] != rack[reads[:, 1]]).all()
    assert len(np.unique(reads[:, 0])) == len(np.unique(reads[:, 2])) == 12


# -- DAGPS --------------------------------------------------------------------------------------------------------


def makespan_s(scheduler: str, stages: list[dict[str, Any]], **params: Any) -> float:
    """How long one job takes on a pool of 10 CPUs and 10 GB."""
    made = experiment(
        scheduler,
        [{"arrival_s": 0, "stages": stages}],
        [{"count": 1, "cpus": 10, "memory_gb": 10}],
        pooled=True,
        params=params,
    )
    return completions_s(simulate(made))[0]


def test_dagps_runs_what_is_hard_to_pack_beside_what_is_long() -> None:
    """d is long and follows b; a and c are large, and one of them fits beside one d, none beside two.

    The longest way first: b until 4, both d until 12, then c and a one after the other, 6 + 4 s: 22. By alignment the
    large ones first: 4 + 6, b until 14, d until 22. With d and c placed first: b until 4, one d beside c until 10,
    then the other d until 18, and a beside it.
    """
    stages = [
        stage("a", 4, 1, cpus=6, memory_gb=6),
        stage("b", 2, 2, cpus=8, memory_gb=1),
        stage("c", 3, 2, cpus=6, memory_gb=6),
        stage("d", 2, 8, "b", cpus=3, memory_gb=3),
    ]
    assert makespan_s("dagps", stages) == 18
    assert makespan_s("cpm", stages) == makespan_s("tetris", stages, fairness=0, barrier=1) == 22


def awkward() -> list[dict[str, Any]]:
    """Stages of which the last takes nearly everything."""
    return [
        stage("a", 1, 5, cpus=1, memory_gb=2),
        stage("b", 2, 1, cpus=5, memory_gb=2),
        stage("c", 3, 3, cpus=2, memory_gb=3),
        stage("d", 2, 3, "c", cpus=1, memory_gb=5),
        stage("e", 2, 2, cpus=7, memory_gb=8),
    ]


def test_dagps_begins_with_the_largest_though_nothing_waits_for_it() -> None:
    """e takes 7 CPUs and 8 GB: only a fits beside it. a and both e until 4; b and c until 8; then d, whose parent is c.

    The longest way first: c until 3; e alone with a until 5, ... d holds 5 GB, so the last e only starts at 11.
    """
    assert makespan_s("dagps", awkward()) == 11
    assert makespan_s("cpm", awkward()) == 13


def test_carbyne_plans_in_the_order_of_dagps() -> None:
    """Alone its share is everything, and with that order it takes as long as under DAGPS: 11 s, by alignment 12."""
    assert makespan_s("carbyne", awkward(), packer="dagps") == 11
    assert makespan_s("carbyne", awkward(), packer="tetris") == 12


# -- a second example for those that have had one -----------------------------------------------------------------


def test_weighted_drf_by_its_papers_example() -> None:
    """Weights 0.6 and 0.2: A's four tasks are 16/18 / 0.6 = 1.48, B's first is 3/9 / 0.2 = 1.67; then nothing fits."""
    data = two_users("wdrf").to_dict() | {"queues": [{"name": "a", "share": 0.6}, {"name": "b", "share": 0.2}]}
    for job, queue in zip(data["workload"]["jobs"], "ab", strict=True):
        job["queue"] = queue
    assert started_at_0(Experiment.parse(data)) == [4, 1]
    assert started_at_0(shared_by_queue("wdrf")) == [3, 2, 3, 1]


def test_capacity_counts_what_tasks_take() -> None:
    """Ten CPUs, halves; tasks of 2 and 1: 2 and 2, 4 and 4, then 6 leave nothing."""
    jobs = [
        {"arrival_s": 0, "queue": queue, "stages": [stage("s", 9, 1, cpus=cpus)]}
        for queue, cpus in (("a", 2), ("b", 1))
    ]
    queues = [{"name": "a", "share": 0.5}, {"name": "b", "share": 0.5}]
    assert started_at_0(experiment("capacity", jobs, [{"count": 1, "cpus": 10}], queues=queues)) == [3, 4]


def three_jobs(scheduler: str) -> Experiment:
    """On one CPU: a task of 3 s; two of 1 s one after the other; four of 1 s that could run side by side."""
    chain = [stage("x", 1, 1, cpus=1), stage("y", 1, 1, "x", cpus=1)]
    jobs = [[stage("a", 1, 3, cpus=1)], chain, [stage("b", 4, 1, cpus=1)]]
    return experiment(scheduler, [{"arrival_s": 0, "stages": job} for job in jobs], [{"count": 1, "cpus": 1}])


def test_sjf_among_three() -> None:
    """Paths of 3, 2 and 1 s: the last job until 4, the second until 6, the first until 9."""
    assert completions_s(simulate(three_jobs("sjf"))) == [9, 6, 4]


def test_srtf_among_three_and_after_an_arrival() -> None:
    """Work of 3, 2 and 4 s. Then: a job of 3 s has 2 left at 1 s, when one of 1.5 s comes."""
    assert completions_s(simulate(three_jobs("srtf"))) == [5, 2, 9]
    jobs = [
        {"arrival_s": 0, "stages": [stage("a", 3, 1, cpus=1)]},
        {"arrival_s": 1, "stages": [stage("b", 1, 1.5, cpus=1)]},
    ]
    assert completions_s(simulate(experiment("srtf", jobs, [{"count": 1, "cpus": 1}]))) == [4.5, 1.5]


def test_cpm_takes_a_long_stage_before_the_end_of_a_chain() -> None:
    """Ways of 4, 3 and 3 s on two machines: a and c at 0, d at 2, and b, of 2 s only, at 3."""
    stages = [
        stage("a", 1, 2, cpus=1),
        stage("b", 1, 2, "a", cpus=1),
        stage("c", 1, 3, cpus=1),
        stage("d", 1, 3, cpus=1),
    ]
    made = experiment("cpm", [{"arrival_s": 0, "stages": stages}], [{"count": 2, "cpus": 1}])
    assert (simulate(made).tasks["first_start_ns"] / 1e9).tolist() == [0, 0, 2, 3]  # a, c, d, and b, which waits


def test_strictly_fair_tetris_on_twelve_cpus() -> None:
    """Tasks of 3 and of 2: 3 and 2, 3 and 4, 6 and 4, 6 and 6."""
    jobs = [{"arrival_s": 0, "stages": [stage("s", 8, 1, cpus=cpus)]} for cpus in (3, 2)]
    assert started_at_0(experiment("tetris-fair", jobs, [{"count": 1, "cpus": 12}])) == [2, 3]


def test_carbyne_lends_what_a_barrier_makes_wait_anyway() -> None:
    """Four CPUs, a share of two each. z waits for x, of 3 s, so y, of 1 s, may start as late as 2 s.

    Of the second job's three tasks of 1 s one must start at once, to end at 2 s; the other two take what the first job
    leaves. Under fair shares the third has to wait.
    """
    first = [stage("x", 1, 3, cpus=1), stage("y", 1, 1, cpus=1), stage("z", 1, 1, "x y", cpus=1)]
    jobs = [{"arrival_s": 0, "stages": first}, {"arrival_s": 0, "stages": [stage("b", 3, 1, cpus=1)]}]
    ends = {
        name: completions_s(simulate(experiment(name, jobs, [{"count": 1, "cpus": 4}], pooled=True)))
        for name in ("carbyne", "drf")
    }
    assert ends == {"carbyne": [4, 1], "drf": [4, 2]}
