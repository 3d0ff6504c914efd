"""Slurm: backfill by its definition, priorities by hand, and the order without weights."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core import Experiment, explain, inspect, keep_rules, simulate
from scheduler_core.cli.report import report
from scheduler_core.inventory.build.importing import import_files, write_import
from scheduler_core.inventory.names import Names
from scheduler_core.inventory.slurm.texts import dependency
from scheduler_core.run.telling import duration
from scheduler_core.schedulers.slurm.priority import age_factor, classic_factor, decayed
from tests.core.slow_backfill import SECOND, Cluster, Job

EXACT = {"bf_interval": 0, "bf_resolution": 0}
DURATIONS = st.sampled_from([0.25, 0.5, 1.0, 2.5, 7.0])


def experiment(jobs: list[dict[str, Any]], cpus: list[int], params: dict[str, Any], **more: Any) -> Experiment:
    return Experiment.parse(
        {
            "schema_version": 1,
            "topology": {
                "clusters": [
                    {"name": "c", "machines": [{"count": 1, "cpus": each, "memory_gb": 4 * each} for each in cpus]}
                ]
            },
            "workload": {"kind": "inline", "jobs": jobs},
            "network": {"message_delay_s": 0},
            "scheduler": {"name": "slurm", "params": {**EXACT, **params}},
            **more,
        }
    )


def job(arrival_s: float, *durations_s: float, cpus: float = 1, memory_gb: float = 0, **more: Any) -> dict[str, Any]:
    demand = {"cpus": cpus, "memory_gb": memory_gb}
    return {"arrival_s": arrival_s, "durations_s": list(durations_s), "demand": demand, **more}


def starts_s(asked: Experiment) -> list[float]:
    """The start of each job's first task, in seconds, in the order of the jobs; -1 for none."""
    tasks = simulate(asked).tasks
    starts = np.where(tasks["first_start_ns"] < 0, -1e9, tasks["first_start_ns"]) / 1e9
    found: dict[int, float] = {}
    for number, start in zip(tasks["job"].tolist(), starts.tolist(), strict=True):
        assert found.setdefault(number, start) == start, "tasks of a job start together"
    return [found[number] for number in sorted(found)]


@st.composite
def work(draw: st.DrawFn) -> tuple[list[dict[str, Any]], list[int]]:
    """Jobs that the machines can hold, in the order of arrival."""
    cpus = draw(st.lists(st.sampled_from([1, 2, 4]), min_size=1, max_size=4))
    jobs = []
    for _ in range(draw(st.integers(1, 12))):
        asks = draw(st.sampled_from([1, 1, 2, 4]))
        room = sum(each // asks for each in cpus)
        if room:
            count = draw(st.integers(1, min(room, 6)))
            memory = draw(st.sampled_from([0, 2, 4 * asks]))
            jobs.append(
                job(draw(st.integers(0, 12)) / 4, *(draw(DURATIONS) for _ in range(count)), cpus=asks, memory_gb=memory)
            )
    return sorted(jobs, key=lambda each: each["arrival_s"]), cpus


def slow_cluster(jobs: list[dict[str, Any]], cpus: list[int], mode: str, factor: float = 1, **more: Any) -> Cluster:
    """Return the slow plain version of an experiment."""
    slow = [
        Job(
            round(each["arrival_s"] * SECOND), [round(one * SECOND) for one in each["durations_s"]],
            (round(each["demand"]["cpus"] * 1000), round(each["demand"]["memory_gb"] * 1000)),
            round(round(max(each["durations_s"]) * SECOND) * factor),
        )
        for each in jobs
    ]  # fmt: skip
    return Cluster([(each * 1000, each * 4000) for each in cpus], slow, mode, **more)


@pytest.mark.parametrize("mode", ["easy", "conservative", "none"])
@given(drawn=work(), factor=st.sampled_from([1, 1, 3, 0.4]), exclusive=st.booleans())
def test_jobs_start_when_the_definition_says(mode: str, drawn: Any, factor: float, exclusive: bool) -> None:
    jobs, cpus = drawn
    if not jobs:
        return
    params = {
        "backfill": mode, "time_limit_factor": factor, "OverSubscribe": "EXCLUSIVE" if exclusive else "NO",
        "bf_window": 43_200,
    }  # fmt: skip
    by_definition = slow_cluster(jobs, cpus, mode, factor, exclusive=exclusive).run()
    assert starts_s(experiment(jobs, cpus, params)) == [start / SECOND for start in by_definition]


@given(drawn=work())
@settings(max_examples=20)
def test_without_weights_and_backfill_jobs_start_in_the_order_of_arrival(drawn: Any) -> None:
    jobs, cpus = drawn
    if jobs:
        starts = starts_s(experiment(jobs, cpus, {"backfill": "none"}))
        assert starts == sorted(starts)


BLOCKED = [job(0, 10, cpus=3), job(1, 5, cpus=4), job(2, 20, cpus=1), job(3, 4, cpus=1)]
"""On 4 CPUs: one job runs until 10, the next needs everything. A long and a short one could go beside the first."""


def test_backfill_starts_only_what_delays_no_reservation() -> None:
    assert starts_s(experiment(BLOCKED, [4], {"backfill": "none"})) == [0, 10, 15, 15]
    assert starts_s(experiment(BLOCKED, [4], {"backfill": "easy"})) == [0, 10, 15, 3]
    # With limits of three times the run times, the first job seems to end at 30, and the short one at 15.
    assert starts_s(experiment(BLOCKED, [4], {"backfill": "easy", "time_limit_factor": 3})) == [0, 10, 15, 3]
    late = [*BLOCKED[:3], job(8, 4, cpus=1)]
    assert starts_s(experiment(late, [4], {"backfill": "easy"})) == [0, 10, 15, 15]


def test_easy_may_delay_the_second_job_and_conservative_may_not() -> None:
    # Job 1 is planned at 10 and leaves 1 CPU; job 2 needs all 4 at 15. The last job would hold 1 CPU until 23.
    jobs = [job(0, 10, cpus=2), job(1, 5, cpus=3), job(2, 9, cpus=4), job(3, 20, cpus=1)]
    assert starts_s(experiment(jobs, [4], {"backfill": "easy"})) == [0, 10, 23, 3]
    assert starts_s(experiment(jobs, [4], {"backfill": "conservative"})) == [0, 10, 15, 24]


def test_limits_of_upstream_bound_backfill() -> None:
    jobs = [*BLOCKED[:2], job(2, 20, cpus=1), job(3, 4, cpus=1)]
    assert starts_s(experiment(jobs, [4], {"bf_max_job_test": 2}))[3] == 15
    # A reservation beyond the window is none, so the long job goes first.
    assert starts_s(experiment(jobs, [4], {"bf_window": 0.1}))[2] == 2
    # The first pass is at 1 s, when a job first waits; the next one at 7 s.
    assert starts_s(experiment(jobs, [4], {"bf_interval": 6}))[3] == 15
    assert starts_s(experiment(jobs, [4], {"bf_interval": 5}))[3] == 6
    # Ends are rounded up: the short one seems to hold its CPU until 12.
    assert starts_s(experiment(jobs, [4], {"bf_resolution": 12}))[3] == 15


@pytest.mark.parametrize("mode", ["none", "easy", "conservative"])
@given(drawn=work(), depth=st.sampled_from([1, 2, 3]), every_s=st.sampled_from([0.75, 2, 60]))
def test_passes_with_a_depth_start_jobs_when_the_definition_says(
    mode: str, drawn: Any, depth: int, every_s: float
) -> None:
    jobs, cpus = drawn
    if not jobs:
        return
    params = {"backfill": mode, "default_queue_depth": depth, "sched_interval": every_s, "bf_window": 43_200}
    slow = slow_cluster(jobs, cpus, mode, depth=depth, every=round(every_s * SECOND))
    assert starts_s(experiment(jobs, cpus, params)) == [start / SECOND for start in slow.run()]


BEFORE_DEPTH = "4ab9a91070d0d9666b0a47de6133757ffca5890d863e9327687767f0abf1cbe9"
BURST = [job(0, 100) for _ in range(5)] + [job(7, 100)]
"""On 6 CPUs, five jobs arrive at once and one at 7 s. All have room."""


def test_the_pass_after_an_event_tries_so_many_jobs_and_the_full_pass_tries_all() -> None:
    params = {"backfill": "none", "default_queue_depth": 2}
    # The arrival at 7 s brings the next pass: two more jobs start. The rest waits for the full pass at 60 s.
    assert starts_s(experiment(BURST, [6], params)) == [0, 0, 7, 7, 60, 60]
    assert starts_s(experiment(BURST, [6], {**params, "sched_interval": 20})) == [0, 0, 7, 7, 20, 20]
    assert starts_s(experiment(BURST, [6], {**params, "sched_interval": 5})) == [0, 0, 5, 5, 5, 7]
    # Backfill has a depth of its own.
    assert starts_s(experiment(BURST, [6], {**params, "backfill": "easy"})) == [0, 0, 0, 0, 0, 7]
    result = simulate(experiment(BURST, [6], params))
    assert (result.summary["counters"]["cuts"], result.summary["counters"]["in_order"]) == (2, 6)


def test_a_job_beyond_the_depth_says_when_the_full_pass_comes() -> None:
    found = explain(experiment(BURST, [6], {"backfill": "none", "default_queue_depth": 2}), 4, 7)
    assert found["decisions"][-1]["reason"] == "not_tried"
    assert "tried 2 jobs" in found["decisions"][-1]["sentence"]
    assert duration(53) in found["decisions"][-1]["sentence"]


def test_the_default_depth_is_upstreams_and_the_rules_before_it_had_none() -> None:
    many = [job(0, 200) for _ in range(130)]
    assert starts_s(experiment(many, [130], {"backfill": "none"})) == [0.0] * 100 + [60.0] * 30
    before = experiment(many, [130], {"backfill": "none", "default_queue_depth": None})
    assert starts_s(before) == [0.0] * 130
    kept = keep_rules({"scheduler": {"name": "slurm", "params": {"backfill": "none"}}}, "0.1.0")
    assert kept["scheduler"]["params"]["default_queue_depth"] is None
    # The outcome of the version before the parameter existed.
    assert simulate(before).summary["outcome_digest"] == BEFORE_DEPTH


def priorities(
    params: dict[str, Any], jobs: list[dict[str, Any]], at_s: float, first: str | None = None, **more: Any
) -> dict[int, int]:
    """Return the priority of each job that waits at a time, in order. One of two machines of 8 CPUs runs job 0."""
    blocking = [job(0, 10_000, cpus=8, **({"queue": first} if first else {})), *jobs]
    found = inspect(experiment(blocking, [8, 8], {"backfill": "none", **params}, **more), at_s)
    return {each["job"]: each["priority"] for each in found["scheduler"]["next_jobs"]}


def test_the_age_factor_is_the_wait_over_the_longest_age() -> None:
    # Source: PriorityMaxAge = 10 minutes; after 2 minutes 1000 * 120 / 600 = 200, after 20 minutes the whole weight.
    params = {"PriorityWeightAge": 1000, "PriorityMaxAge": 10, "PriorityCalcPeriod": 1}
    waits = [job(0, 10_000, cpus=8), job(0, 1, cpus=8)]
    assert priorities(params, waits, 121) == {2: 200}
    assert priorities(params, waits, 1201) == {2: 1000}


def test_the_size_factor_is_the_mean_of_machines_and_cpus() -> None:
    # 2 machines of 8 CPUs. A job of one task with 4 CPUs: (1/2 + 4/16) / 2 = 0.375, or (1/2 + 12/16) / 2 = 0.625.
    waits = [job(0, 10_000, cpus=8), job(1, 1, cpus=4), job(1, 1, 1, cpus=8)]
    large = priorities({"PriorityWeightJobSize": 1000}, waits, 2)
    assert large == {2: 375, 3: 1000}
    small = priorities({"PriorityWeightJobSize": 1000, "PriorityFavorSmall": True}, waits, 2)
    assert small == {2: 625, 3: 1}  # 0 is for jobs that are held


def test_partition_and_quality_of_service_are_relative_to_the_highest() -> None:
    # Upstream's example: priorities 20 and 10 at a weight of 5000 give 5000 and 2500.
    queues = [{"name": "a", "share": 0.5, "priority": 20}, {"name": "b", "share": 0.5, "priority": 10}]
    waits = [job(0, 10_000, cpus=8, queue="b"), job(1, 1, cpus=4, queue="a"), job(1, 1, cpus=4, queue="b")]
    more = {"queues": queues}
    assert priorities({"PriorityWeightPartition": 5000}, waits, 2, **more) == {2: 5000, 3: 2500}
    assert priorities({"PriorityWeightQOS": 5000}, waits, 2, **more) == {2: 5000, 3: 2500}


def test_classic_fair_share_is_two_to_the_power_of_usage_over_share() -> None:
    # Upstream's example: a normalized usage of 0.25 at a share of 0.25 gives 0.5; none gives 1; 0.2 at 0.3 gives 0.63.
    assert classic_factor(0.25, 0.25) == pytest.approx(0.5)
    assert classic_factor(0.0, 0.35) == 1.0
    assert classic_factor(0.3875, 0.3) == pytest.approx(0.408479, abs=1e-6)
    assert classic_factor(0.275, 0.05) == pytest.approx(0.022097, abs=1e-6)
    assert classic_factor(0.1458, 0.35) == pytest.approx(0.749154, abs=1e-4)
    assert decayed(100.0, 7 * 86_400e9, 7 * 86_400e9) == pytest.approx(50.0)
    assert decayed(100.0, 1e18, 0.0) == 100.0
    assert age_factor(3.0, 2.0) == 1.0


def test_the_account_that_used_less_goes_first() -> None:
    queues = [{"name": "a", "share": 0.5}, {"name": "b", "share": 0.5}]
    waits = [job(0, 10_000, cpus=8, queue="a"), job(1, 1, cpus=4, queue="a"), job(2, 1, cpus=4, queue="b")]
    params = {"PriorityWeightFairshare": 1000, "PriorityCalcPeriod": 1}
    # Both machines run jobs of queue a: it has all usage, so U / S = 2 and the factor is 0.25; in ranks it is 1 of 2.
    classic = priorities({**params, "fair_tree": False}, waits, 61, queues=queues, first="a")
    assert classic == {3: 1000, 2: 250}
    assert priorities(params, waits, 61, queues=queues, first="a") == {3: 1000, 2: 500}
    assert list(classic) == [3, 2], "by priority, not by arrival"


SACCT = (
    "JobID|State|Partition|Submit|Start|End|Timelimit|ReqCPUS|NNodes|Account\n"
    "1|COMPLETED|all|2026-01-01T00:00:00|2026-01-01T00:00:00|2026-01-01T00:10:00|00:10:00|8|2|a\n"
    "2|COMPLETED|all|2026-01-01T00:01:00|2026-01-01T00:12:00|2026-01-01T00:14:00|00:02:00|4|1|a\n"
    "3|COMPLETED|one|2026-01-01T00:02:00|2026-01-01T00:02:00|2026-01-01T00:03:00|00:08:00|4|1|b\n"
)
NODES = "".join(f"NodeName=n{each} CPUTot=4 RealMemory=1000 State=IDLE\n" for each in (1, 2, 3))
PARTITIONS = "PartitionName=all Nodes=n[1-2] PriorityTier=1\nPartitionName=one Nodes=n3 PriorityTier=1\n"


def imported_starts_s(folder: Path, files: dict[str, str], params: dict[str, Any]) -> dict[int, int]:
    """Import files and return the start of each job, in whole seconds."""
    for name, text in files.items():
        (folder / name).write_text(text)
    write_import(import_files([folder / name for name in files], Names(None), {"path": "e.cluster"}), folder / "e.json")
    asked = json.loads((folder / "e.json").read_text())
    asked["scheduler"] = {"name": "slurm", "params": params}
    tasks = simulate(Experiment.parse(asked, base_dir=folder)).tasks
    return dict(zip(tasks["job"].tolist(), (tasks["first_start_ns"] // SECOND).tolist(), strict=True))


def test_jobs_of_a_blocked_partition_count_for_the_depth(tmp_path: Path) -> None:
    # Partition `all` has n1, which job 1 holds; jobs 2 and 3 wait for it. Job 4 has n3 for itself.
    rows = [("1", "all", "00:00:00", "00:10:00"), ("2", "all", "00:01:00", "00:02:00"),
            ("3", "all", "00:01:30", "00:02:00"), ("4", "one", "00:02:10", "00:01:00")]  # fmt: skip
    lines = [
        f"{number}|COMPLETED|{partition}|2026-01-01T{submit}|2026-01-01T{submit}|{took}|00:20:00|4|1|a"
        for number, partition, submit, took in rows
    ]
    files = {
        "sacct.txt": "\n".join(["JobID|State|Partition|Submit|Start|Elapsed|Timelimit|ReqCPUS|NNodes|Account", *lines])
        + "\n",
        "nodes.txt": NODES,
        "partitions.txt": "PartitionName=all Nodes=n1 PriorityTier=1\nPartitionName=one Nodes=n3 PriorityTier=1\n",
    }
    # Job 3 is not tried, because its partition waits with job 2. It counts, as in upstream's loop.
    deep = {"backfill": "none", "default_queue_depth": 3}
    assert imported_starts_s(tmp_path, files, deep)[3] == 130
    assert imported_starts_s(tmp_path, files, {**deep, "default_queue_depth": 2})[3] == 180


DEPENDENT = (
    ("1", "COMPLETED", "00:00:00", "00:10:00", ""),
    ("2", "COMPLETED", "00:01:00", "00:01:00", "afterok:1"),
    ("3", "COMPLETED", "00:01:01", "00:01:40", "after:1+5"),
    ("4", "COMPLETED", "00:01:02", "00:01:00", "afterok:2?afterany:3"),
    ("5", "PENDING", "00:01:30", "", "afternotok:1"),
    ("6", "COMPLETED", "00:01:31", "00:01:00", "afterany:99"),
    ("7_1", "COMPLETED", "00:01:40", "00:03:20", ""),
    ("7_2", "COMPLETED", "00:01:41", "00:05:00", ""),
    ("8", "COMPLETED", "00:01:42", "00:01:00", "afterok:7_*"),
)  # fmt: skip
"""Number, state, submission, run time and dependency."""


def test_imported_jobs_wait_for_those_they_depend_on(tmp_path: Path) -> None:
    lines = ["JobID|State|Partition|Submit|Start|Elapsed|Timelimit|ReqCPUS|NNodes|Dependency"]
    for number, state, submit, took, waits in DEPENDENT:
        start = f"2026-01-01T{submit}" if took else "Unknown"
        lines.append(f"{number}|{state}|all|2026-01-01T{submit}|{start}|{took}|00:20:00|1|1|{waits}")
    files = {"sacct.txt": "\n".join(lines) + "\n", "nodes.txt": NODES, "partitions.txt": PARTITIONS}
    starts = list(imported_starts_s(tmp_path, files, {}).values())
    # Job 2 waits for the end of job 1. Job 3 waits until 5 minutes after its start, and ends at 400 s, before job 2.
    # Job 5 waits for a failure. Job 99 is unknown, so it is over. Job 8 waits for the whole array.
    assert starts == [0, 600, 300, 400, -1, 91, 100, 101, 401]
    asked = Experiment.from_file(tmp_path / "e.json")
    reasons = [explain(asked, task, 200)["decisions"][-1]["reason"] for task in (1, 4)]
    assert reasons == ["dependency", "dependency_never"]


ARRAYS = (
    ("1_1", "COMPLETED", "00:00:00", "00:05:00", "", "a"),
    ("1_2", "COMPLETED", "00:00:00", "00:03:20", "", "a"),
    ("2_1", "COMPLETED", "00:00:10", "00:01:00", "aftercorr:1_*", "b"),
    ("2_2", "COMPLETED", "00:00:11", "00:01:00", "aftercorr:1", "b"),
    ("2_3", "COMPLETED", "00:00:12", "00:01:00", "aftercorr:1_*", "b"),
    ("3", "COMPLETED", "00:00:13", "00:01:00", "afterok:1_2", "c"),
    ("4", "COMPLETED", "00:00:14", "00:01:00", "afterok:2_*?afterok:3", "d"),
    ("5", "COMPLETED", "00:00:15", "00:01:00", "after:1_*+2", "e"),
    ("6", "COMPLETED", "00:00:16", "00:01:00", "singleton,afterany:3", "b"),
    ("7", "COMPLETED", "00:00:17", "00:00:30", "singleton", "b"),
    ("8_1", "COMPLETED", "00:00:18", "00:00:30", "singleton", "b"),
    ("8_2", "COMPLETED", "00:00:18", "00:00:30", "singleton", "b"),
    ("9", "COMPLETED", "00:00:19", "00:01:00", "singleton", "z"),
)  # fmt: skip
"""Number, state, submission, run time, dependency and job name."""


def test_elements_of_arrays_and_singletons_wait_as_upstream_says(tmp_path: Path) -> None:
    lines = ["JobID|State|Partition|Submit|Start|Elapsed|Timelimit|ReqCPUS|NNodes|User|Dependency|JobName"]
    for number, state, submit, took, waits, name in ARRAYS:
        at = f"2026-01-01T{submit}"
        lines.append(f"{number}|{state}|all|{at}|{at}|{took}|00:20:00|1|1|ada|{waits}|{name}")
    files = {"sacct.txt": "\n".join(lines) + "\n", "nodes.txt": NODES, "partitions.txt": PARTITIONS}
    starts = list(imported_starts_s(tmp_path, files, {}).values())
    # Job 2_3 has no counterpart, so it waits for the whole array. Job 4 waits for job 3 or the whole array 2.
    assert starts[:8] == [0, 0, 300, 200, 300, 200, 260, 120]
    # Jobs 6, 7, 8_1 and 8_2 have the name of the array 2: one after the other, and the first of them after the array.
    assert starts[8:] == [360, 420, 450, 480, 19]
    first = explain(Experiment.from_file(tmp_path / "e.json"), 10, 100)["decisions"][-1]
    assert (first["reason"], first["arguments"]["x"]) == ("dependency", "1")


EITHER = (
    ("1", "00:00:00", "00:10:00", "", "b"),
    ("2", "00:00:10", "00:05:00", "", "b"),
    ("3", "00:00:20", "00:02:00", "", "c"),
    ("4", "00:00:21", "00:03:00", "", "c"),
    ("5", "00:00:30", "00:01:00", "singleton?afterok:3", "b"),
    ("6", "00:00:40", "00:01:00", "afterok:1?singleton", "c"),
    ("7", "00:00:50", "00:01:00", "singleton?afterok:1", "d"),
    ("8", "00:00:55", "00:01:00", "singleton", "b"),
    ("9_1", "00:00:56", "00:01:00", "singleton?afterok:99", "b"),
    ("9_2", "00:00:56", "00:01:00", "singleton?afterok:8", "b"),
    ("10", "00:00:57", "00:01:00", "singleton", "c"),
)  # fmt: skip
"""Number, submission, run time, dependency and job name."""


def test_a_singleton_may_be_one_of_several_conditions_of_which_one_is_enough(tmp_path: Path) -> None:
    lines = ["JobID|State|Partition|Submit|Start|Elapsed|Timelimit|ReqCPUS|NNodes|User|Dependency|JobName"]
    for number, submit, took, waits, name in EITHER:
        at = f"2026-01-01T{submit}"
        lines.append(f"{number}|COMPLETED|all|{at}|{at}|{took}|00:20:00|1|1|ada|{waits}|{name}")
    files = {"sacct.txt": "\n".join(lines) + "\n", "nodes.txt": NODES, "partitions.txt": PARTITIONS}
    starts = list(imported_starts_s(tmp_path, files, {}).values())
    # Job 5 starts when job 3 has ended, although job 1 of its own name still runs. Job 6 starts when jobs 3 and 4 of
    # its name have ended, before job 1. Job 7 has no earlier job of its name. Job 8 waits for jobs 1, 2 and 5: that 5
    # has started says nothing of 1. Job 99 is unknown, so it is over. Job 9_2 waits for 8 as one way or the other.
    # Job 10 waits for jobs 3, 4 and 6.
    assert starts == [0, 10, 20, 21, 140, 201, 50, 600, 56, 660, 261]


def test_dependencies_are_read_as_upstream_writes_them() -> None:
    assert dependency("afterok:12:13_4(unfulfilled),after:5+10") == {
        "any": False, "of": [("afterok", "12", 0), ("afterok", "13_4", 0), ("after", "5", 10)],
    }  # fmt: skip
    assert dependency("afterany:1?afternotok:2") == {"any": True, "of": [("afterany", "1", 0), ("afternotok", "2", 0)]}
    assert dependency("12,13") == {"any": False, "of": [("afterany", "12", 0), ("afterany", "13", 0)]}
    assert dependency("(null)") == dependency("") == {}
    assert dependency("aftercorr:12_*(unfulfilled)") == {"any": False, "of": [("aftercorr", "12", 0)]}
    assert dependency("singleton(unfulfilled)") == {"any": False, "of": [("singleton", "", 0)]}
    assert dependency("singleton?afterok:1") == {"any": True, "of": [("singleton", "", 0), ("afterok", "1", 0)]}
    assert dependency("expand:5") is None


def test_an_import_keeps_partitions_and_tells_how_far_starts_are_from_the_recorded_ones(tmp_path: Path) -> None:
    files = {"sacct.txt": SACCT, "nodes.txt": NODES, "partitions.txt": PARTITIONS}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    imported = import_files([tmp_path / name for name in files], Names(None), {"path": "e.cluster"})
    write_import(imported, tmp_path / "e.json")
    asked = Experiment.from_file(tmp_path / "e.json")
    assert asked.scheduler.name == "slurm"
    result = simulate(asked)
    # Job 2 may use n1 and n2 only, which job 1 holds for 600 s; by the record it started 120 s later. n3 is job 3's.
    starts = {
        int(job): start // SECOND
        for job, start in zip(result.tasks["job"], result.tasks["first_start_ns"], strict=True)
    }
    assert starts == {0: 0, 1: 600, 2: 120}
    found = result.summary["recorded_starts"]
    assert (found["jobs"], found["within_60_s"], found["earlier"]) == (3, 2, 1)
    assert found["error_s"]["max"] == pytest.approx(120, abs=0.01)
    assert "recorded starts" in report(result.summary)
    assert "recorded_starts" not in simulate(experiment(BLOCKED, [4], {})).summary
