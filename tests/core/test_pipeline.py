"""The pipeline of stages: worked by hand, against a plain version of itself, and what its stages count."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import Experiment, ExperimentError, RunResult, Simulation, explain, inspect, simulate
from scheduler_core.refarch import default_pipeline, policies_of
from scheduler_core.refarch.costs import COST_NS
from scheduler_core.refarch.policies import stages_with_policies
from scheduler_core.refarch.stages import STAGES
from scheduler_core.schedulers.pipeline.codes import (
    J2_POLICIES,
    M4_POLICIES,
    M5_POLICIES,
    R4_POLICIES,
    R5_POLICIES,
    R7_POLICIES,
    T6_POLICIES,
    T9_POLICIES,
    T10_POLICIES,
    T11_POLICIES,
    T12_POLICIES,
)
from scheduler_core.schedulers.pipeline.keys import J3_KEYS, T2_KEYS
from scheduler_core.schedulers.pipeline.params import PipelineParams
from scheduler_core.workload.stages import topological
from tests.core.pipelines_by_hand import Plain
from tests.tiers import examples

SECOND = 1_000_000_000


def experiment(jobs: list[dict[str, Any]], machines: list[dict[str, Any]], **more: Any) -> Experiment:
    params = more.pop("params", {})
    topology = {"clusters": [{"machines": machines}]} if machines else {}
    return Experiment.parse(
        {
            "schema_version": 1,
            "topology": topology,
            "workload": {"kind": "inline", "jobs": jobs},
            "network": {"message_delay_s": 0},
            "scheduler": {"name": "pipeline", "params": params},
            **more,
        }
    )


def starts(run: RunResult) -> list[tuple[float, int]]:
    """(start in s, machine) of each task."""
    return [(float(row["first_start_ns"] / 1e9), int(row["machine"])) for row in run.tasks]


# Three jobs on two machines: machine 0 has 4 CPUs, machine 1 has 2. Before them a task of 3 CPUs fills machine 0 but
# for one CPU until 10 s. Job A (2 tasks of 4 s), B (1 of 2 s), C (2 of 1 s), each 1 CPU, arrive at 1 s.
TWO = [{"cpus": 4}, {"cpus": 2}]
FILLER = {"arrival_s": 0, "durations_s": [10], "demand": {"cpus": 3}}
THREE = [
    FILLER,
    {"arrival_s": 1, "durations_s": [4, 4], "queue": "low"},
    {"arrival_s": 1, "durations_s": [2], "queue": "high"},
    {"arrival_s": 1, "durations_s": [1, 1], "queue": "low"},
]
QUEUES = [{"name": "low", "share": 0.2}, {"name": "high", "share": 0.8}]
A0, A1, B, C0, C1 = range(1, 6)

HAND: dict[tuple[str, str], list[tuple[float, int]]] = {
    # The filler starts on machine 0 (the only one with 3 CPUs). At 1 s machine 0 has 1 CPU free, machine 1 has 2.
    # FIFO: A0, A1, B fill all; at 3 s B's CPU goes to C0, at 4 s to C1.
    ("fifo", "first_fit"): [(0, 0), (1, 0), (1, 1), (1, 1), (3, 1), (4, 1)],
    # Best fit leaves least: machine 0 (none left) before machine 1 (one left); then machine 1.
    ("fifo", "best_fit"): [(0, 0), (1, 0), (1, 1), (1, 1), (3, 1), (4, 1)],
    # Worst fit leaves most: A0 on machine 1, then both have 1 free: the first, machine 0; B on machine 1.
    ("fifo", "worst_fit"): [(0, 0), (1, 1), (1, 0), (1, 1), (3, 1), (4, 1)],
    # SRTF: C0, C1 (1 s), then B (2 s) start; at 2 s A0 and A1 take the CPUs of C0 and C1.
    ("srtf", "first_fit"): [(0, 0), (2, 0), (2, 1), (1, 1), (1, 0), (1, 1)],
    ("srtf", "worst_fit"): [(0, 0), (2, 0), (2, 1), (1, 1), (1, 1), (1, 0)],
    # Round robin goes on behind the filler's machine 0: A0 on machine 1, A1 on 0, B on 1.
    ("fifo", "round_robin"): [(0, 0), (1, 1), (1, 0), (1, 1), (3, 1), (4, 1)],
    # Priority: B is of the queue with the larger share.
    ("priority", "first_fit"): [(0, 0), (1, 1), (1, 1), (1, 0), (3, 0), (4, 0)],
    # Nothing waits for anything: the critical path is the task itself, longest first.
    ("critical_path", "first_fit"): [(0, 0), (1, 0), (1, 1), (1, 1), (3, 1), (4, 1)],
    ("heft", "first_fit"): [(0, 0), (1, 0), (1, 1), (1, 1), (3, 1), (4, 1)],
    # E-PVM: e^1 - e^.75 = .60 on machine 0 is less than e^.5 - e^0 = .65 on machine 1.
    ("fifo", "e_pvm"): [(0, 0), (1, 0), (1, 1), (1, 1), (3, 1), (4, 1)],
    # Mixed: half the share that stays free: none of machine 0, half of machine 1; then none of either: the first.
    ("fifo", "score_mix"): [(0, 0), (1, 1), (1, 0), (1, 1), (3, 1), (4, 1)],
}


@pytest.mark.parametrize(("t2", "r5"), HAND)
def test_three_jobs_on_two_machines_by_hand(t2: str, r5: str) -> None:
    run = simulate(experiment(THREE, TWO, queues=QUEUES, params={"t2": t2, "r5": r5}))
    assert starts(run) == HAND[(t2, r5)]


def test_random_policies_take_what_there_is_and_differ_by_seed() -> None:
    found = {}
    for seed in range(6):
        run = simulate(experiment(THREE, TWO, queues=QUEUES, seed=seed, params={"t2": "random", "r5": "random"}))
        found[seed] = starts(run)
        assert sorted(time for time, _ in found[seed])[:4] == [0, 1, 1, 1]
    assert len({str(each) for each in found.values()}) > 2


@pytest.mark.parametrize(("j3", "expected"), [
    ("fifo", [0, 1, 1, 1, 3, 4]),
    ("shortest", [0, 2, 2, 1, 1, 1]),  # C has 2 s of work in all, B 2 s, A 8 s
    ("priority", [0, 1, 1, 1, 3, 4]),
    # Queue low runs the filler: 1 / 0.2; high runs nothing. B first; then high has 1 / 0.8, but no further task.
    ("fair", [0, 1, 1, 1, 3, 4]),
])  # fmt: skip
def test_jobs_are_sorted_before_tasks(j3: str, expected: list[float]) -> None:
    run = simulate(experiment(THREE, TWO, queues=QUEUES, params={"j3": j3}))
    assert [time for time, _ in starts(run)] == expected


def test_a_job_s_tasks_all_go_before_the_next_job_s_whatever_t2_says() -> None:
    jobs = [{"arrival_s": 0, "durations_s": [5, 4]}, {"arrival_s": 0, "durations_s": [1, 3]}]
    pooled = simulate(experiment(jobs, [{"cpus": 1}], params={"t2": "srtf"}))
    by_job = simulate(experiment(jobs, [{"cpus": 1}], params={"t2": "srtf", "j3": "fifo"}))
    assert [time for time, _ in starts(pooled)] == [8, 4, 0, 1]
    assert [time for time, _ in starts(by_job)] == [4, 0, 9, 10]


def test_at_most_so_many_jobs_of_a_user_are_under_way() -> None:
    jobs = [{"arrival_s": 0, "durations_s": [2], "queue": name} for name in ("low", "low", "high")]
    params = {"j2": "user_cap", "j2_jobs": 1}
    run = simulate(experiment(jobs, [{"cpus": 8}], queues=QUEUES, params=params))
    assert [time for time, _ in starts(run)] == [0, 2, 0]
    told = explain(experiment(jobs, [{"cpus": 8}], queues=QUEUES, params=params), 1, 1.0)
    assert told["decisions"][-1]["reason"] == "not_let_in"


def test_flow_control_lets_jobs_in_while_few_tasks_are_left() -> None:
    jobs = [{"arrival_s": 0, "durations_s": [1, 3]}, {"arrival_s": 0, "durations_s": [1]}]
    run = simulate(experiment(jobs, [{"cpus": 8}], params={"j2": "flow_control", "j2_tasks": 2}))
    assert [time for time, _ in starts(run)] == [0, 0, 1]  # after 1 s one task is left, which is fewer than 2


def test_the_timer_puts_iterations_on_its_ticks() -> None:
    jobs = [{"arrival_s": 0.1, "durations_s": [1]}, {"arrival_s": 0.2, "durations_s": [1]}]
    params = {"on_arrival": False, "on_end": False, "timer_s": 0.5}
    run = simulate(experiment(jobs, [{"cpus": 1}], params=params))
    assert [time for time, _ in starts(run)] == [0.5, 1.5]
    assert run.summary["counters"]["iterations"] == 2


def test_the_fastest_machine_sets_durations_and_earliest_finish_prefers_it() -> None:
    machines = [{"cpus": 1, "resources": {"ghz": 2}}, {"cpus": 1, "resources": {"ghz": 4}}]
    jobs = [{"arrival_s": 0, "durations_s": [3, 3]}]
    params = {"speed": "ghz", "r5": "earliest_finish"}
    run = simulate(experiment(jobs, machines, params=params))
    assert [(int(row["machine"]), int(row["end_ns"])) for row in run.tasks] == [(1, 3 * SECOND), (0, 6 * SECOND)]


def test_charged_time_delays_what_is_submitted_and_the_next_iteration() -> None:
    jobs = [{"arrival_s": 0, "durations_s": [1, 1]}, {"arrival_s": 0.001, "durations_s": [1]}]
    params = {"charge": True, "cost_scale": 1e6}
    run = simulate(experiment(jobs, [{"cpus": 4}], params=params))
    cost = dict(zip((stage.id for stage in STAGES), COST_NS, strict=True))
    # J2 looks at 1 job, J4 goes through 1, T1 looks at 2 tasks, T3 goes through 2, R1 lists 1 machine, R3 and R4 look
    # at 1 machine for each of 2 tasks; for each task R5 looks at 1 candidate, and T4 submits it.
    before = cost["J2"] + cost["J4"] + 2 * (cost["T1"] + cost["T3"]) + cost["R1"] + 2 * (cost["R3"] + cost["R4"])
    each = cost["R5"] + cost["T4"]
    assert run.tasks["first_start_ns"][:2].tolist() == [round((before + each) * 1e6), round((before + 2 * each) * 1e6)]
    assert run.tasks["processing_ns"][:2].tolist() == run.tasks["first_start_ns"][:2].tolist()
    assert run.tasks["first_start_ns"][2] > (before + 2 * each) * 1e6  # the iteration was still going on at 1 ms
    free = simulate(experiment(jobs, [{"cpus": 4}]))
    assert free.summary["pipeline"]["stages"].keys() == run.summary["pipeline"]["stages"].keys()


def test_what_a_failed_machine_ran_starts_again() -> None:
    jobs = [{"arrival_s": 0, "durations_s": [4, 4]}]
    event = {"at_s": 1, "kind": "fail", "target": {"machine": 0}, "duration_s": 10}
    run = simulate(experiment(jobs, [{"cpus": 1, "count": 2}], events=[event]))
    assert run.tasks["last_start_ns"].tolist() == [4 * SECOND, 0]
    assert run.tasks["attempts"].tolist() == [2, 1]
    assert run.summary["lost_work_s"] == 1
    assert run.summary["counters"]["lost"] == 1


def test_a_change_of_shares_sorts_what_waits_again() -> None:
    jobs = [{"arrival_s": 0, "durations_s": [10], "queue": "low"}] + [
        {"arrival_s": 1, "durations_s": [1], "queue": name} for name in ("low", "high", "low", "high")
    ]
    event = {"at_s": 5, "kind": "set", "target": {"queue": "low"}, "value": {"share": 0.9}}
    for params in ({"t2": "priority"}, {"j3": "priority"}):
        before = simulate(experiment(jobs, [{"cpus": 1}], queues=QUEUES, params=params))
        after = simulate(experiment(jobs, [{"cpus": 1}], queues=QUEUES, params=params, events=[event]))
        assert [time for time, _ in starts(before)] == [0, 12, 10, 13, 11]
        assert [time for time, _ in starts(after)] == [0, 10, 12, 11, 13]


def test_data_are_moved_before_a_job_s_first_tasks_and_machines_are_held_before_and_after() -> None:
    jobs = [{"arrival_s": 0, "durations_s": [2, 2]}]
    params = {
        "j5": "transfer",
        "j5_job_s": 3,
        "j5_task_s": 0.5,
        "t5": "start_up",
        "t5_s": 1,
        "t8": "clean_up",
        "t8_s": 4,
    }
    run = simulate(experiment(jobs, [{"cpus": 1}], params=params))
    assert [time for time, _ in starts(run)] == [3 + 2 * 0.5 + 1, 5 + 2 + 4 + 1]
    assert run.tasks["end_ns"].tolist() == [7 * SECOND, 14 * SECOND]
    stages = run.summary["pipeline"]["stages"]
    assert [stages[stage]["operations"] for stage in ("J5", "T5", "T8")] == [1, 2, 2]


FULL = [
    {"arrival_s": 0, "durations_s": [10, 10], "queue": "low"},
    {"arrival_s": 4, "durations_s": [1], "queue": "high"},
]


@pytest.mark.parametrize(("params", "first", "stopped"), [
    ({"t10": "none"}, 10, 0),
    ({"t10": "priority"}, 4, 1),  # high has the larger share
    ({"t10": "fairness"}, 4, 1),  # low runs 2 / 0.2; with one less 1 / 0.2, still more than 1 / 0.8
    ({"t10": "oldest", "t10_wait_s": 3}, 7, 1),
])  # fmt: skip
def test_a_task_is_stopped_where_another_goes_before_it(params: dict[str, Any], first: float, stopped: int) -> None:
    run = simulate(experiment(FULL, [{"cpus": 1, "count": 2}], queues=QUEUES, params=params))
    assert float(run.tasks["first_start_ns"][2]) / SECOND == first
    assert run.summary["counters"]["preemptions"] == stopped
    assert int(run.tasks["attempts"].sum()) == 3 + stopped
    assert run.summary["lost_work_s"] == (first if stopped else 0)


def test_as_few_tasks_as_possible_are_stopped_and_none_of_the_same_queue() -> None:
    """Machine 0 runs four tasks of 1 CPU, machine 1 one of 4: the large one is stopped."""
    jobs = [
        {"arrival_s": 0, "durations_s": [50] * 4, "queue": "low"},
        {"arrival_s": 0, "durations_s": [50], "demand": {"cpus": 4}, "queue": "low"},
        {"arrival_s": 1, "durations_s": [1, 1], "demand": {"cpus": 4}, "queue": "high"},
    ]
    run = simulate(experiment(jobs, [{"cpus": 4, "count": 2}], queues=QUEUES, params={"t10": "priority"}))
    assert run.tasks["machine"][5:].tolist() == [1, 0]
    assert run.summary["counters"]["preemptions"] == 1 + 4


@pytest.mark.parametrize(("cpus", "start", "stopped"), [(3, 1, 3), (4, 9, 0)])
def test_for_fairness_no_more_is_stopped_than_a_queue_has_beyond_its_share(
    cpus: int, start: float, stopped: int
) -> None:
    """Equal queues, one with four tasks: three may be stopped for another's one; with the fourth it would run less."""
    queues = [{"name": "low", "share": 0.5}, {"name": "high", "share": 0.5}]
    jobs = [
        {"arrival_s": 0, "durations_s": [9] * 4, "queue": "low"},
        {"arrival_s": 1, "durations_s": [1], "demand": {"cpus": cpus}, "queue": "high"},
    ]
    run = simulate(experiment(jobs, [{"cpus": 4}], queues=queues, params={"t10": "fairness"}))
    assert float(run.tasks["first_start_ns"][4]) / SECOND == start
    assert run.summary["counters"]["preemptions"] == stopped


@pytest.mark.parametrize(("params", "again"), [
    ({"t11": "restart"}, 2.5), ({"t11": "back_off", "t11_wait_s": 3}, 5.5), ({"t6": "period", "t6_s": 4}, 4.0),
])  # fmt: skip
def test_a_lost_task_comes_back_as_t6_and_t11_say(params: dict[str, Any], again: float) -> None:
    jobs = [{"arrival_s": 0, "durations_s": [4]}]
    event = {"at_s": 2.5, "kind": "fail", "target": {"machine": 0}, "duration_s": 60}
    run = simulate(experiment(jobs, [{"cpus": 1, "count": 2}], events=[event], params=params))
    assert run.tasks["last_start_ns"].tolist() == [again * SECOND]


def test_a_task_that_is_given_up_takes_with_it_what_waits_for_it() -> None:
    graph = [
        {"name": "a", "duration_s": 4},
        {"name": "b", "duration_s": 1},
        {"name": "c", "duration_s": 1, "after": ["a", "b"]},
        {"name": "d", "duration_s": 1, "after": ["c"]},
    ]
    failures = [{"at_s": at_s, "kind": "fail", "target": {"machine": 0}, "duration_s": 1} for at_s in (2, 5)]
    one = experiment(
        [{"arrival_s": 0, "stages": graph}], [{"cpus": 2}], events=failures, params={"t11": "give_up", "t11_retries": 1}
    )
    run = simulate(one)
    assert run.summary["tasks"] == {"total": 4, "completed": 1, "unfinished": 0, "unschedulable": 3}
    assert run.summary["counters"]["given_up"] == 3
    assert explain(one, 0)["decisions"][-1]["reason"] == "given_up"


def test_what_runs_on_a_draining_machine_moves_only_with_t12() -> None:
    jobs = [{"arrival_s": 0, "durations_s": [4]}]
    event = {"at_s": 1, "kind": "drain", "target": {"machine": 0}, "duration_s": 60}
    for t12, end, machine in (("none", 4, 0), ("drain", 5, 1)):
        run = simulate(experiment(jobs, [{"cpus": 1, "count": 2}], events=[event], params={"t12": t12}))
        assert (int(run.tasks["end_ns"][0]), int(run.tasks["machine"][0])) == (end * SECOND, machine)
        assert run.summary["counters"]["migrations"] == (t12 == "drain")


CLUSTERS = {
    "global_masters": 2,
    "clusters": [{"name": name, "machines": [{"count": 2, "cpus": cpus}]} for name, cpus in (("a", 1), ("b", 2))],
}


def test_a_queue_keeps_to_its_own_clusters() -> None:
    jobs = [
        {"arrival_s": 0, "durations_s": [1] * 3, "queue": "low"},
        {"arrival_s": 0, "durations_s": [1] * 3, "queue": "high"},
    ]
    queues = [QUEUES[0] | {"global_master": 0}, QUEUES[1] | {"global_master": 1}]
    run = simulate(experiment(jobs, [], queues=queues, params={"r2": "own_clusters"}, topology=CLUSTERS))
    assert starts(run) == [(0, 0), (0, 1), (1, 0), (0, 2), (0, 2), (0, 3)]


def test_what_does_not_fit_goes_to_the_provider_for_money() -> None:
    jobs = [{"arrival_s": 0, "durations_s": [4] * 3}]
    params = {"m1": "overflow", "b": "provider", "provider": "b", "b_latency_s": 0.5, "b_price": 2}
    one = experiment(jobs, [], params=params, topology=CLUSTERS)
    run = simulate(one)
    assert starts(run) == [(0, 0), (0, 1), (0.5, 2)]
    assert run.summary["counters"]["brokered"] == 1
    assert inspect(one, 1)["scheduler"]["cost"] == 8
    with pytest.raises(ExperimentError, match="there is no cluster 'z'"):
        simulate(experiment(jobs, [], params=params | {"provider": "z"}, topology=CLUSTERS))
    with pytest.raises(ExperimentError, match="M1 overflow misses where else the task may run: B would give it"):
        experiment(jobs, [], params={"m1": "overflow"}, topology=CLUSTERS)


@pytest.mark.parametrize(
    ("m5", "machines"),
    [
        ("round_robin", [0, 2, 1, 2, 3, 3]),  # a, b, a, b; then a is full and passes on to b, and so again
        ("least_loaded", [2, 2, 0, 3, 1, 3]),  # b has 4 CPUs free, 3, then 2 as a has: the first of equals; and so on
    ],
)
def test_tasks_are_passed_on_to_scheduler_nodes(m5: str, machines: list[int]) -> None:
    jobs = [{"arrival_s": 0, "durations_s": [9] * 6}]
    params = {"m2": "hierarchy", "m5": m5}
    run = simulate(experiment(jobs, [], params=params, topology=CLUSTERS, network={"message_delay_s": 1}))
    assert run.tasks["machine"].tolist() == machines
    hops = run.summary["counters"]["passed_on"]
    assert int(run.tasks["first_start_ns"].sum()) == (6 + hops) * SECOND


@pytest.mark.parametrize("m5", ["random", "two_choices"])
@pytest.mark.parametrize("m4", ["none", "by_load", "free_cores"])
def test_drawn_nodes_take_all_there_is_room_for(m5: str, m4: str) -> None:
    jobs = [{"arrival_s": 0, "durations_s": [9] * 6}]
    params = {"m2": "hierarchy", "m5": m5, "m4": m4, "m4_load": 1}
    run = simulate(experiment(jobs, [], params=params, topology=CLUSTERS))
    assert sorted(run.tasks["machine"].tolist()) == [0, 1, 2, 2, 3, 3]


def test_the_queue_with_the_least_dominant_share_goes_first() -> None:
    """9 CPUs, 18 GB; tasks of 1 CPU and 4 GB against 3 CPUs and 1 GB: three and two of them, as DRF's paper has it."""
    queues = [{"name": "a", "share": 0.5}, {"name": "b", "share": 0.5}]
    jobs = [
        {"arrival_s": 0, "durations_s": [9] * 9, "queue": name, "demand": {"cpus": cpus, "memory_gb": memory}}
        for name, cpus, memory in (("a", 1, 4), ("b", 3, 1))
    ]
    run = simulate(experiment(jobs, [{"cpus": 9, "memory_gb": 18}], queues=queues, params={"j3": "drf"}))
    at_once = run.tasks["first_start_ns"] == 0
    assert [int(at_once[:9].sum()), int(at_once[9:].sum())] == [3, 2]


def test_machines_are_leased_for_what_waits_and_given_back_when_they_idle() -> None:
    """One machine of 1 CPU is there. Three tasks of 10 s: at 0 s two more are asked for, which come at 4 s."""
    jobs = [{"arrival_s": 0, "durations_s": [10, 10, 10]}, {"arrival_s": 100, "durations_s": [1]}]
    params = {"r6": "lease", "r7": "reactive", "r6_delay_s": 4, "r6_price": 0.5}
    one = experiment(jobs, [{"cpus": 1, "count": 8}], params=params)
    run = simulate(one)
    assert starts(run) == [(0, 0), (4, 1), (4, 2), (100, 0)]
    assert [run.summary["counters"][name] for name in ("leases", "releases")] == [2, 2]
    # The first machine all along, the others from asking at 0 s to their tasks' ends at 14 s.
    assert inspect(one, 50)["scheduler"]["machines_in_pool"] == 1
    assert simulate(one).summary["counters"]["iterations"] < 20
    assert inspect(one, 100)["scheduler"]["cost"] == 0.5 * (100 + 2 * 14)


def test_tokens_lease_for_the_next_stage_too() -> None:
    graph = [{"name": "a", "duration_s": 10}, {"name": "b", "tasks": 3, "duration_s": 10, "after": ["a"]}]
    found = {}
    for r7 in ("reactive", "tokens"):
        params = {"r6": "lease", "r7": r7, "r6_delay_s": 5}
        run = simulate(experiment([{"arrival_s": 0, "stages": graph}], [{"cpus": 1, "count": 8}], params=params))
        found[r7] = [time for time, _ in starts(run)]
    assert found == {"reactive": [0, 10, 15, 15], "tokens": [0, 10, 10, 10]}


def test_a_schedule_has_all_machines_in_the_second_half_of_a_period() -> None:
    jobs = [{"arrival_s": 1, "durations_s": [30] * 3}, {"arrival_s": 101, "durations_s": [1] * 3}]
    params = {"r6": "lease", "r7": "scheduled", "r7_period_s": 20, "r6_delay_s": 1}
    run = simulate(experiment(jobs, [{"cpus": 1, "count": 3}], params=params))
    assert [time for time, _ in starts(run)] == [1, 11, 11, 101, 102, 103]


def test_a_machine_is_leased_that_can_run_what_the_pool_cannot() -> None:
    machines = [{"cpus": 2, "count": 3}, {"cpus": 8}]
    jobs = [{"arrival_s": 0, "durations_s": [1], "demand": {"cpus": 8}}]
    params = {"r6": "lease", "r7": "reactive", "r6_delay_s": 1, "r7_machines": 3}
    run = simulate(experiment(jobs, machines, params=params))
    assert starts(run) == [(1, 3)]


STAGE = st.fixed_dictionaries({
    "tasks": st.integers(1, 4), "duration": st.sampled_from([1, 2, 3, 5]),
    "demand": st.sampled_from([(1, 1), (1, 2), (2, 1), (3, 4)]),
})  # fmt: skip


@st.composite
def graphs(draw: st.DrawFn) -> dict[str, Any]:
    stages: list[dict[str, Any]] = draw(st.lists(STAGE, min_size=1, max_size=4))
    for number, stage in enumerate(stages):
        stage["name"] = f"s{number}"
        stage["after"] = [f"s{other}" for other in range(number) if draw(st.booleans())]
    # Parents before children, as the workload numbers them.
    order = topological([stage["name"] for stage in stages], [stage["after"] for stage in stages])
    return {"arrival": draw(st.integers(0, 6)), "stages": [stages[number] for number in order]}


@examples(40)
@given(
    jobs=st.lists(graphs(), min_size=1, max_size=6),
    t2=st.sampled_from(["fifo", "srtf"]),
    machines=st.lists(st.sampled_from([(4, 4), (8, 4), (3, 8)]), min_size=1, max_size=4),
    r5=st.sampled_from(["first_fit", "best_fit", "worst_fit", "round_robin"]),
)
def test_lines_give_what_sorting_all_and_trying_each_gives(
    jobs: list[dict[str, Any]], machines: list[tuple[int, int]], t2: str, r5: str
) -> None:
    jobs = sorted(jobs, key=lambda job: job["arrival"])
    ours = simulate(
        experiment(
            [
                {
                    "arrival_s": job["arrival"],
                    "stages": [
                        {
                            "name": stage["name"],
                            "tasks": stage["tasks"],
                            "duration_s": stage["duration"],
                            "after": stage["after"],
                            "demand": dict(zip(("cpus", "memory_gb"), stage["demand"], strict=True)),
                        }
                        for stage in job["stages"]
                    ],
                }
                for job in jobs
            ],
            [{"cpus": cpus, "memory_gb": memory} for cpus, memory in machines],
            params={"t2": t2, "r5": r5},
        )
    )
    plain = Plain(machines, [
        {"arrival_ns": job["arrival"] * SECOND,
         "stages": [stage | {"duration": stage["duration"] * SECOND} for stage in job["stages"]]} for job in jobs
    ], t2, r5)  # fmt: skip
    found = plain.run()
    rows = [(int(row["first_start_ns"]), int(row["end_ns"]), int(row["machine"])) for row in ours.tasks]
    assert rows == list(found.values())
    stages = ours.summary["pipeline"]["stages"]
    assert stages["T1"]["operations"] == plain.counts["T1"]
    assert stages["T3"]["operations"] == plain.counts["eligible"]
    assert stages["R4"]["operations"] <= plain.counts["R4"]  # R3 has left out machines that are too small
    assert stages["R3"]["operations"] == plain.counts["R4"]
    assert stages["R5"]["operations"] == plain.counts["R5"]


def test_sorting_compares_n_log_n_times_and_shuffling_moves_each_once() -> None:
    jobs = [{"arrival_s": 0, "durations_s": [1] * 5}]
    for t2, first, second in (("srtf", 5 * 3, 0), ("random", 5, 1), ("fifo", 0, 0)):
        run = simulate(experiment(jobs, [{"cpus": 4}], params={"t2": t2}))
        stages = run.summary["pipeline"]["stages"]
        assert stages.get("T2", {"operations": 0})["operations"] == first + second


FIVE = [
    {"arrival_s": 0, "durations_s": [5]},
    {"arrival_s": 0, "stages": [{"name": "a", "duration_s": 3}, {"name": "b", "duration_s": 1, "after": ["a"]}]},
    {"arrival_s": 1, "durations_s": [2]},
    {"arrival_s": 4, "durations_s": [1]},
]
"""Five tasks for one CPU. The chain's second task is submitted by itself at 3, and becomes eligible at 8."""


@pytest.mark.parametrize(
    ("t2", "starts_s"),
    [("fifo", [0, 5, 8, 9, 11]), ("ready", [0, 5, 11, 8, 10]), ("submission", [0, 5, 10, 8, 11])],
)
def test_three_orders_of_first_come_first_served(t2: str, starts_s: list[int]) -> None:
    """By the job's submission, by when tasks become eligible, and by each task's own submission."""
    run = simulate(experiment(FIVE, [{"cpus": 1}], params={"t2": t2}))
    assert [start for start, _ in starts(run)] == starts_s


def test_figures_of_jobs_and_tasks_by_hand() -> None:
    """One CPU: A takes 2 s, then B's two tasks of 1 s, the second after the first."""
    jobs = [
        {"arrival_s": 0, "durations_s": [2]},
        {"arrival_s": 1, "stages": [{"name": "a", "duration_s": 1}, {"name": "b", "duration_s": 1, "after": ["a"]}]},
    ]
    found = simulate(experiment(jobs, [{"cpus": 1}])).summary["pipeline"]
    assert found["task_response_s"]["mean"] == pytest.approx((2 + 2 + 3) / 3)
    assert found["task_response_own_s"]["mean"] == pytest.approx((2 + 2 + 2) / 3)
    assert found["task_response_eligible_s"]["mean"] == pytest.approx((2 + 2 + 1) / 3)
    assert found["job_makespan_s"]["mean"] == pytest.approx((2 + 3) / 2)
    assert found["job_waiting_s"]["mean"] == pytest.approx((0 + 1) / 2)
    assert found["schedule_length"]["mean"] == pytest.approx((1 + 3 / 2) / 2)
    assert found["schedule_length_whole"]["mean"] == pytest.approx((1 + 1) / 2)
    assert found["schedule_length_of_path"]["mean"] == pytest.approx((1 + 3 / 2) / 2)


@pytest.mark.parametrize(("params", "message"), [
    ({"r4": "none"}, "R5 first_fit misses which machines have room: R4 would give it"),
    ({"r5": "none"}, "T4 submit task misses a chosen machine: R5 would give it"),
    ({"t2": "alphabet"}, "T2 has no policy 'alphabet'"),
    ({"on_end": False}, "nothing asks for an iteration when a task has ended"),
    ({"on_arrival": False}, "nothing asks for an iteration when a job arrives"),
])  # fmt: skip
def test_a_pipeline_that_lacks_something_is_refused_in_words(params: dict[str, Any], message: str) -> None:
    with pytest.raises(ExperimentError, match=message) as raised:
        experiment(THREE, TWO, queues=QUEUES, params=params)
    assert raised.value.problems[0].path.startswith("scheduler.params")
    assert raised.value.problems[0].allowed


def test_work_that_needs_a_stage_is_refused_without_it() -> None:
    graph = [
        {"arrival_s": 0, "stages": [{"name": "a", "duration_s": 1}, {"name": "b", "duration_s": 1, "after": ["a"]}]}
    ]
    with pytest.raises(ExperimentError, match="T2 misses which tasks are eligible"):
        simulate(experiment(graph, TWO, params={"t1": "none"}))
    asks = [{"arrival_s": 0, "durations_s": [1], "constraints": ["a"]}]
    constraints = {"catalogue": "custom", "custom": [{"name": "a", "machine_share": 0.5}]}
    with pytest.raises(ExperimentError, match="R4 misses which machines a task may use"):
        simulate(experiment(asks, TWO, params={"r3": "none"}, constraints=constraints))
    with pytest.raises(ExperimentError, match="machines have no resource 'ghz'"):
        simulate(experiment(THREE, TWO, queues=QUEUES, params={"speed": "ghz"}))


def test_every_policy_of_the_registry_is_there_to_run() -> None:
    for stage, known in (
        ("J2", J2_POLICIES),
        ("J3", J3_KEYS),
        ("T2", T2_KEYS),
        ("R5", R5_POLICIES),
        ("T10", T10_POLICIES),
        ("T11", T11_POLICIES),
        ("R7", R7_POLICIES),
        ("T6", T6_POLICIES),
        ("T9", T9_POLICIES),
        ("T12", T12_POLICIES),
        ("R4", R4_POLICIES),
        ("M4", M4_POLICIES),
        ("M5", M5_POLICIES),
    ):
        assert {policy.name for policy in policies_of(stage)} == set(known) - {"none"}
    assert {stage.lower() for stage in stages_with_policies()} <= set(PipelineParams.model_fields)
    assert PipelineParams().pipeline() == default_pipeline()


def test_inspect_and_frames_tell_what_the_stages_have_done() -> None:
    one = experiment(THREE, TWO, queues=QUEUES, params={"t2": "srtf"})
    seen = inspect(one, 1.5)["scheduler"]
    text = json.dumps(seen)
    assert '"tasks_eligible": 2' in text
    assert '"T2"' in text
    simulation = Simulation(one, frames=20)
    frames = list(simulation.run())
    assert frames[-1].counters["submitted"] == 6
    assert all(np.diff([frame.counters["iterations"] for frame in frames]) >= 0)
    assert simulation.result is not None
    for stage, done in simulation.result.summary["pipeline"]["stages"].items():
        times = [value for frame in frames for _, value in frame.series.get(f"{stage.lower()}_us", [])]
        assert all(np.diff(times) >= 0)
        assert times[-1] == pytest.approx(done["time_s"] * 1e6)


def test_the_clock_of_stages_divides_the_run_s_time_and_touches_nothing_else() -> None:
    jobs = [{"arrival_s": i / 4, "durations_s": [3, 2, 1, 4]} for i in range(150)]
    found = {}
    for never in (False, True):
        simulation = Simulation(experiment(jobs, [{"cpus": 2, "count": 8}], params={"t2": "srtf"}), frames=20)
        simulation.prepare()
        if never:
            simulation.state.clock["skip"], simulation.state.real["cycles"] = 1 << 60, 0
        frames = [frame.to_wire() for frame in simulation.run()]
        real = frames[-1]["end"].pop("performance").get("stages")
        found[never] = frames
        if never:
            assert real is None
        else:
            assert real["steps"] > 20
            assert {"T2", "R4", "T4", "T7"} <= set(real["stages"]) < {stage.id for stage in STAGES}
            assert real["engine_s"] + sum(real["stages"].values()) == pytest.approx(real["cpu_s"])
    assert found[False] == found[True]
