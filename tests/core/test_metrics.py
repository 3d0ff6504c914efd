"""Exact figures: percentiles by nearest rank, Jain's index, and a run small enough to be worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import Experiment, simulate
from scheduler_core.metrics.entitlement import ShareChanges, Walk, entitled_fairness, walk_of
from scheduler_core.metrics.fairness import Floats, Ints, jain_index, queue_fairness
from scheduler_core.metrics.percentiles import distribution_s, nearest_rank


@given(st.lists(st.integers(0, 10**15), min_size=1, max_size=300), st.sampled_from([50.0, 90.0, 99.0, 99.9, 99.99]))
def test_nearest_rank_is_the_least_value_with_so_many_at_or_below(values: list[int], percent: float) -> None:
    found = nearest_rank(np.sort(values), percent)
    at_or_below = [
        v for v in sorted(values) if 1000 * sum(x <= v for x in values) * 100 >= round(percent * 1000) * len(values)
    ]
    assert found == at_or_below[0]


def test_percentiles_of_a_thousand() -> None:
    found = distribution_s(np.arange(1, 1001) * 10**9, (50.0, 99.0, 99.9, 99.99))
    assert found == {"mean": 500.5, "p50": 500, "p99": 990, "p99.9": 999, "p99.99": 1000, "max": 1000}
    assert distribution_s(np.zeros(0, np.int64), (50.0,)) == {"mean": None, "p50": None, "max": None}


def test_jain_index_of_known_cases() -> None:
    assert jain_index(np.array([1.0, 1.0, 1.0, 1.0])) == 1.0
    assert jain_index(np.array([1.0, 0.0, 0.0, 0.0])) == 0.25
    assert jain_index(np.array([2.0, 1.0])) == pytest.approx(0.9)
    assert jain_index(np.zeros(3)) == 1.0


def test_fairness_looks_at_windows_of_a_minute_and_at_queues_with_work() -> None:
    second = 10**9
    start = np.array([0, 0, 60]) * second
    end = np.array([60, 30, 120]) * second
    alike = np.zeros(3, np.int64)
    found = queue_fairness((start, start, end, np.array([0, 1, 0])), alike, np.ones(1), np.array([0.5, 0.5]))
    # First minute: 60 s against 30 s of use; second minute: one queue alone.
    assert found == {
        "jain_mean": pytest.approx((0.9 + 1) / 2),
        "jain_min": pytest.approx(0.9),
        "jain_max": 1.0,
        "window_s": 60.0,
    }


FREE_MESSAGES = {"request_us": 0, "send_ns": 0, "update_us": 0, "apply_ns": 0}


def test_a_run_worked_out_by_hand() -> None:
    """One machine of one CPU, one master, messages of 1 ms, matches of 2 ms; a job of two tasks of 1 s at time 0.

    First task: matched until 2 ms, request at 3 ms, launched, starts at 4 ms, ends at 1.004 s. Meanwhile the second
    one fails to match. The LM hears of the end at 1.005 s, the GM at 1.006 s; matched until 1.008 s, starts at 1.010 s.
    """
    experiment = Experiment.parse(
        {
            "schema_version": 1,
            "topology": {"global_masters": 1, "clusters": [{"name": "lm", "machines": [{"count": 1, "cpus": 1}]}]},
            "network": {"message_delay_s": 0.001},
            "workload": {"kind": "inline", "jobs": [{"arrival_s": 0, "durations_s": [1, 1], "demand": {"cpus": 1}}]},
            "scheduler": {"name": "megha", "params": {"match_us": 2000, "scan_ns": 0, **FREE_MESSAGES}},
        }
    )
    result = simulate(experiment)
    assert result.tasks["first_start_ns"].tolist() == [4_000_000, 1_010_000_000]
    assert result.tasks["end_ns"].tolist() == [1_004_000_000, 2_010_000_000]
    assert result.tasks["framework_queuing_ns"].tolist() == [0, 1_006_000_000]
    assert result.tasks["processing_ns"].tolist() == [2_000_000, 2_000_000]
    assert result.tasks["communication_ns"].tolist() == [2_000_000, 2_000_000]
    summary = result.summary
    assert summary["job_completion_s"]["mean"] == 2.01
    assert summary["job_delay_s"]["max"] == pytest.approx(1.01)
    assert summary["makespan_s"] == 2.01
    assert summary["utilisation"] == {"cpus": pytest.approx(2 / 2.01)}
    assert summary["lost_work_s"] == 0
    assert summary["counters"]["matches"] == 2
    # Of each task: request, grant, launch, and its end from the machine and from the LM.
    assert summary["counters"]["messages"] == 2 * 5
    assert "by_class" not in summary


def test_parts_of_a_delay_at_megha_s_masters_by_hand() -> None:
    """Two machines and tasks, matches of 2 ms, requests of 4 ms, messages of 1 ms.

    The second match ends at 4 ms; its request comes at 5 ms, waits at the Local Master until 7 ms and takes it 4 ms.
    """
    params = FREE_MESSAGES | {"match_us": 2000, "scan_ns": 0, "request_us": 4000}
    experiment = Experiment.parse(
        {
            "schema_version": 1,
            "topology": {"global_masters": 1, "clusters": [{"name": "lm", "machines": [{"count": 2, "cpus": 1}]}]},
            "network": {"message_delay_s": 0.001},
            "workload": {"kind": "inline", "jobs": [{"arrival_s": 0, "durations_s": [1, 1], "demand": {"cpus": 1}}]},
            "scheduler": {"name": "megha", "params": params},
        }
    )
    result = simulate(experiment)
    assert result.tasks["first_start_ns"].tolist() == [8_000_000, 12_000_000]
    assert result.tasks["framework_queuing_ns"].tolist() == [0, 2_000_000 + 2_000_000]
    assert result.tasks["processing_ns"].tolist() == [6_000_000, 6_000_000]
    assert result.tasks["communication_ns"].tolist() == [2_000_000, 2_000_000]


def test_sparrow_worked_out_by_hand() -> None:
    """Two workers, a job of two tasks with a probe each way, messages of 1 ms: probe, ask, answer."""
    experiment = Experiment.parse(
        {
            "schema_version": 1,
            "topology": {"clusters": [{"name": "c", "machines": [{"count": 2, "cpus": 1}]}]},
            "network": {"message_delay_s": 0.001},
            "workload": {"kind": "inline", "jobs": [{"arrival_s": 0, "durations_s": [1, 3, 1], "demand": {"cpus": 1}}]},
            "scheduler": {"name": "sparrow", "params": {"probe_ratio": 2}},
        }
    )
    result = simulate(experiment)
    # Six probes, three a worker. Both start after three messages; the worker that ends first asks again.
    assert result.tasks["first_start_ns"].tolist() == [3_000_000, 3_000_000, 1_005_000_000]
    assert result.tasks["worker_queuing_ns"].tolist() == [0, 0, 1_002_000_000]
    assert result.tasks["communication_ns"].tolist() == [3_000_000] * 3
    assert result.summary["counters"]["probes"] == 6


def test_a_warm_up_leaves_early_jobs_out_of_the_delays() -> None:
    data = {
        "schema_version": 1,
        "topology": {"clusters": [{"name": "c", "machines": [{"count": 1}]}]},
        "workload": {
            "kind": "inline",
            "jobs": [
                {"arrival_s": 0, "durations_s": [5]},
                {"arrival_s": 1, "durations_s": [1]},
                {"arrival_s": 20, "durations_s": [1]},
            ],
        },
        "scheduler": {"name": "megha"},
    }
    whole = simulate(Experiment.parse(data)).summary
    later = simulate(Experiment.parse(data | {"warmup_s": 10})).summary
    assert whole["allocation_delay_s"]["max"] > 4
    assert later["allocation_delay_s"]["max"] < 0.01
    assert later["tasks"]["total"] == 3


def test_to_pandas_and_percentiles_agree() -> None:
    experiment = Experiment.parse(
        {
            "schema_version": 1,
            "topology": {"clusters": [{"name": "c", "machines": [{"count": 3}]}]},
            "workload": {"kind": "inline", "jobs": [{"arrival_s": i / 3, "durations_s": [1.5]} for i in range(50)]},
            "scheduler": {"name": "megha"},
        }
    )
    result = simulate(experiment)
    frame = result.tasks.to_pandas()
    waits = np.sort((frame["first_start_ns"] - frame["arrival_ns"]).to_numpy())
    assert result.summary["allocation_delay_s"]["p90"] == waits[math.ceil(0.9 * 50) - 1] / 1e9
    assert len(result.jobs.to_pandas()) == 50


def walked(arrival: Ints, start: Ints, end: Ints, queue: Ints, dominant: Floats, now_ns: int) -> Walk:
    """What happens to tasks that each have a demand of their own, all able to run."""
    no = np.zeros(len(arrival), np.bool_)
    running = (start >= 0) & (end < 0)
    return walk_of((arrival, start, end, queue), np.arange(len(arrival)), dominant, running, no, now_ns)


def test_fairness_by_demand_by_hand() -> None:
    """Two queues with half each, over 100 s. One asks for a quarter all the time, has it for 60 s. The other asks for
    all for 50 s, has three quarters, and asks for nothing afterwards."""
    second = 10**9
    times = ([0, 0, 0, 60], [0, 0, -1, -1], [60, 50, 50, -1])
    dominant = np.array([0.25, 0.75, 0.25, 0.25])
    arrival, start, end = (np.where(np.array(each) < 0, -1, np.array(each) * second) for each in times)
    both = walked(arrival, start, end, np.array([0, 1, 1, 0]), dominant, 100 * second)
    found = entitled_fairness(both, ("small", "large"), np.array([0.5, 0.5]), 100 * second)
    # Entitled: min(0.5, 0.25) for 100 s = 25; min(0.5, 1) for 50 s = 25. Used: 0.25 x 60 = 15; 0.75 x 50 = 37.5.
    assert found["by_queue"] == [
        {"queue": "small", "use_to_entitlement": 0.6, "served": 0.6},
        {"queue": "large", "use_to_entitlement": 1.5, "served": 1.0},
    ]
    assert found["entitled_jain"] == pytest.approx((0.6 + 1.5) ** 2 / (2 * (0.6**2 + 1.5**2)))
    assert (found["entitled_worst"], found["entitled_worst_queue"]) == (0.6, "small")
    # From 50 s on the first queue's share is a tenth: entitled to 0.25 x 50 + 0.1 x 50 = 17.5, served 12.5 + 0.1 x 10.
    changes = ShareChanges(np.array([50 * second]), np.array([0]), np.array([0.5 / 9]))
    later = entitled_fairness(both, ("small", "large"), np.array([0.5, 0.5]), 100 * second, changes)["by_queue"][0]
    assert later["use_to_entitlement"] == pytest.approx(15 / 17.5)
    assert later["served"] == pytest.approx(13.5 / 17.5)


def test_fairness_by_demand_equals_a_sum_over_instants() -> None:
    rng = np.random.default_rng(3)
    arrival = np.sort(rng.integers(0, 50, 60))
    start, queue, dominant = arrival + rng.integers(0, 9, 60), rng.integers(0, 3, 60), rng.integers(1, 5, 60) / 16
    end, share = start + rng.integers(1, 9, 60), np.array([0.5, 0.25, 0.25])
    found = entitled_fairness(walked(arrival, start, end, queue, dominant, 80), ("a", "b", "c"), share, 80)
    for q, told in enumerate(found["by_queue"]):
        asked, used = (
            np.array([dominant[(queue == q) & (begin <= t) & (t < end)].sum() for t in range(80)])
            for begin in (arrival, start)
        )
        entitled = np.minimum(share[q], asked)
        assert told["use_to_entitlement"] == pytest.approx(used.sum() / entitled.sum())
        assert told["served"] == pytest.approx(np.minimum(used, entitled).sum() / entitled.sum())


def test_no_queue_that_asks_has_no_fairness_by_demand() -> None:
    nobody = np.zeros(0, np.int64)
    found = entitled_fairness(walked(nobody, nobody, nobody, nobody, np.zeros(0), 10), ("a",), np.ones(1), 10)
    assert found == {"entitled_jain": None, "entitled_worst": None, "entitled_worst_queue": None, "by_queue": []}
