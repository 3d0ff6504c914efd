"""Inline jobs, traces and queues become the arrays that an engine runs."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import (
    DEFAULT_LIMITS,
    Experiment,
    ExperimentError,
    Limits,
    TraceError,
    Workload,
    build_cluster,
    build_workload,
)
from scheduler_core.workload import read_trace
from scheduler_core.workload.raw import RawWork
from scheduler_core.workload.raw.seconds import to_ns
from scheduler_core.workload.readers import columnar

QUEUES = [{"name": "a", "share": 0.1}, {"name": "b", "share": 0.3}, {"name": "c", "share": 0.1}]


def build(workload: dict[str, Any], base_dir: Path | None = None, resolve: Any = None, **more: Any) -> Workload:
    topology = {"global_masters": 3, "clusters": [{"machines": [{"count": 4, "cpus": 2, "memory_gb": 8}]}]}
    data = {"schema_version": 1, "topology": topology, "workload": workload, "scheduler": {"name": "sparrow"}} | more
    one = Experiment.parse(data, base_dir=base_dir)
    return build_workload(one, build_cluster(one), resolve_trace=resolve)


def inline(*jobs: dict[str, Any], **more: Any) -> Workload:
    return build({"kind": "inline", "jobs": list(jobs)}, **more)


def test_inline_jobs_come_in_order_of_arrival_and_place() -> None:
    work = inline(
        {"arrival_s": 2, "durations_s": [5, 7], "demand": {"cpus": 1, "memory_gb": 2}},
        {"arrival_s": 0.1, "durations_s": [1]},
        {"arrival_s": 2, "durations_s": [3], "demand": {"cpus": 1, "memory_gb": 2}},
    )
    assert work.jobs.arrival_ns.tolist() == [100_000_000, 2_000_000_000, 2_000_000_000]
    assert work.jobs.first_task.tolist() == [0, 1, 3]
    assert work.jobs.tasks.tolist() == [1, 2, 1]
    assert work.jobs.mean_ns.tolist() == [10**9, 6 * 10**9, 3 * 10**9]
    assert work.tasks.duration_ns.tolist() == [10**9, 5 * 10**9, 7 * 10**9, 3 * 10**9]
    assert work.tasks.job.tolist() == [0, 1, 1, 2]
    assert work.demands[work.tasks.demand].tolist() == [[1000, 0], [1000, 2000], [1000, 2000], [1000, 2000]]
    assert len(work.demands) == 2
    assert isinstance(work.jobs, np.recarray)
    assert {work.jobs.dtype[name] for name in work.jobs.dtype.names} == {np.dtype(np.int64)}


@given(st.floats(0, 1e9))
def test_seconds_are_rounded_as_they_are_written(seconds: float) -> None:
    assert to_ns(seconds) == int(Decimal(repr(seconds)).scaleb(9).to_integral_value(ROUND_HALF_EVEN))
    assert abs(to_ns(seconds) - seconds * 1e9) <= max(1, seconds * 1e9 * 1e-15)


def test_a_job_written_inline_and_in_a_trace_is_the_same_job(tmp_path: Path) -> None:
    (tmp_path / "one.tr").write_text("0.3 2 0.2 0.1 0.30000000000000004\n")
    from_trace = build({"kind": "trace", "path": "one.tr", "time_origin": "file"}, tmp_path)
    written = inline({"arrival_s": 0.3, "durations_s": [0.1, 0.30000000000000004]})
    assert np.array_equal(from_trace.jobs, written.jobs)
    assert np.array_equal(from_trace.tasks, written.tasks)


def test_tasks_that_no_machine_holds_stay_for_the_engine_to_count() -> None:
    work = inline({"arrival_s": 0, "durations_s": [1], "demand": {"cpus": 99, "gpus": 1}})
    assert work.demands.tolist() == [[99_000, 0, 1000]]


def test_without_queues_jobs_go_round_the_global_masters() -> None:
    assert inline(*[{"arrival_s": i, "durations_s": [1]} for i in range(5)]).jobs.queue.tolist() == [0, 1, 2, 0, 1]


def test_a_job_that_names_its_queue_gets_it() -> None:
    jobs = [{"arrival_s": i, "durations_s": [1]} | ({"queue": "c"} if i % 2 else {}) for i in range(4)]
    assert inline(*jobs, queues=QUEUES).jobs.queue.tolist() == [0, 2, 2, 2]


def synthetic(rule: str, jobs: int = 20_000, seed: int = 1) -> Workload:
    return build(
        {
            "kind": "synthetic",
            "jobs": jobs,
            "arrivals": {"kind": "poisson", "rate_per_s": 10},
            "duration_s": {"kind": "constant", "value": 1},
            "queue_assignment": rule,
        },
        queues=QUEUES,
        seed=seed,
    )


def test_queues_by_share_get_their_share_of_the_jobs() -> None:
    counts = np.bincount(synthetic("by_share").jobs.queue, minlength=3)
    for count, share in zip(counts, (0.2, 0.6, 0.2), strict=True):
        assert abs(count / 20_000 - share) < 3.3 * math.sqrt(share * (1 - share) / 20_000)


def test_queues_by_hash_are_even_and_follow_the_job(tmp_path: Path) -> None:
    counts = np.bincount(synthetic("hash").jobs.queue, minlength=3)
    assert all(abs(count / 20_000 - 1 / 3) < 3.3 * math.sqrt(2 / 9 / 20_000) for count in counts)
    lines = [f"{i} {1 + i % 5} 1 {'1 ' * (1 + i % 5)}" for i in range(100)]
    (tmp_path / "all.tr").write_text("\n".join(lines))
    (tmp_path / "half.tr").write_text("\n".join(lines[::2]))
    by_hash = {"kind": "trace", "queue_assignment": "hash"}
    every, half = (build(by_hash | {"path": name}, tmp_path, queues=QUEUES) for name in ("all.tr", "half.tr"))
    assert every.jobs.queue[::2].tolist() == half.jobs.queue.tolist()


def test_a_trace_starts_at_its_first_arrival_unless_told_otherwise(tmp_path: Path) -> None:
    (tmp_path / "late.tr").write_text("1000.5 1 1 1\n1002 1 1 1\n")
    shifted = build({"kind": "trace", "path": "late.tr"}, tmp_path)
    assert shifted.jobs.arrival_ns.tolist() == [0, 1_500_000_000]
    assert any("1,000.500" in note for note in shifted.notes)
    kept = build({"kind": "trace", "path": "late.tr", "time_origin": "file"}, tmp_path)
    assert kept.jobs.arrival_ns.tolist() == [1_000_500_000_000, 1_002_000_000_000]


def test_jobs_out_of_order_are_sorted_and_told(tmp_path: Path) -> None:
    (tmp_path / "mixed.tr").write_text("5 2 1 10 11\n3 1 1 20\n5 1 1 30\n3 3 1 40 41 42\n")
    work = build({"kind": "trace", "path": "mixed.tr", "time_origin": "file"}, tmp_path)
    assert work.jobs.arrival_ns.tolist() == [3 * 10**9, 3 * 10**9, 5 * 10**9, 5 * 10**9]
    assert (work.tasks.duration_ns // 10**9).tolist() == [20, 40, 41, 42, 10, 11, 30]
    assert any("sorted" in note for note in work.notes)


def test_a_trace_takes_the_demand_that_the_experiment_gives(tmp_path: Path) -> None:
    (tmp_path / "one.tr").write_text("0 1 1 1\n")
    assert build({"kind": "trace", "path": "one.tr"}, tmp_path).demands.tolist() == [[1000, 0]]
    asked = {"kind": "trace", "path": "one.tr", "task_demand": {"cpus": 0.25, "memory_gb": 0.0001}}
    assert build(asked, tmp_path).demands.tolist() == [[250, 1]]


def test_bad_lines_are_told_at_the_field_that_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "bad.tr").write_text("0 1 1 1\n0 2 1 x\n")
    with pytest.raises(ExperimentError) as caught:
        build({"kind": "trace", "path": "bad.tr"}, tmp_path)
    (problem,) = caught.value.problems
    assert problem.path == "workload.path"
    assert problem.message.startswith("line 2: duration 1 is 'x'")


def test_a_trace_by_id_is_found_by_who_holds_it(tmp_path: Path) -> None:
    (tmp_path / "one.tr").write_text("0 1 1 1\n")
    by_id = {"kind": "trace", "trace": "one"}
    assert len(build(by_id, resolve=lambda trace: tmp_path / f"{trace}.tr").tasks) == 1
    with pytest.raises(ExperimentError, match=r"workload\.trace"):
        build(by_id)
    with pytest.raises(ExperimentError, match="no trace has the id"):
        build(by_id, resolve={}.__getitem__)


@pytest.mark.parametrize("path", ["absent.tr", ".", "/dev/zero", "x" * 3000, "/proc/self/mem/x"])
def test_a_path_that_is_no_file_is_refused(tmp_path: Path, path: str) -> None:
    with pytest.raises(ExperimentError) as caught:
        build({"kind": "trace", "path": path}, tmp_path)
    assert [problem.path for problem in caught.value.problems] == ["workload.path"]


def test_a_trace_without_queues_has_no_column(tmp_path: Path) -> None:
    (tmp_path / "one.tr").write_text("0 1 1 1\n")
    with pytest.raises(ExperimentError, match="no column of queues"):
        build({"kind": "trace", "path": "one.tr", "queue_assignment": "column"}, tmp_path)


jobs_of_a_trace = st.lists(
    st.tuples(
        st.integers(0, 10**12),
        st.lists(st.tuples(st.integers(0, 10**12), st.integers(0, 2)), min_size=1, max_size=4),
        st.integers(-1, 1),
    ),
    min_size=1,
    max_size=10,
)


@given(jobs_of_a_trace, st.booleans(), st.booleans())
def test_the_columnar_file_gives_back_what_was_written(
    tmp_path_factory: pytest.TempPathFactory, jobs: list[Any], with_queues: bool, with_demands: bool
) -> None:
    jobs = sorted(jobs, key=lambda job: job[0])
    kinds = ({"cpus": 1000}, {"cpus": 500, "memory_gb": 2000}, {"cpus": 1, "gpus": 3000})
    raw = RawWork(
        np.array([job[0] for job in jobs]),
        np.array([len(job[1]) for job in jobs]),
        np.arange(len(jobs)),
        np.array([task[0] for job in jobs for task in job[1]]),
        queue_names=("x", "ü") if with_queues else (),
        queue=np.array([job[2] for job in jobs]) if with_queues else None,
        demands=kinds if with_demands else (),
        demand=np.array([task[1] for job in jobs for task in job[1]]) if with_demands else None,
    )
    path = tmp_path_factory.mktemp("columnar") / "file.parquet"
    columnar.write_trace(raw, path)
    again = read_trace(path, None)
    for name in ("arrival_ns", "tasks", "mean_ns", "duration_ns"):
        assert np.array_equal(getattr(again, name), getattr(raw, name)), name
    if with_queues:
        assert again.queue is not None
        names = ["x", "ü", None]
        assert [again.queue_names[q] if q >= 0 else None for q in again.queue] == [names[job[2]] for job in jobs]
    if with_demands:
        assert again.demand is not None
        kept = [{name: amount for name, amount in again.demands[d].items() if amount} for d in again.demand]
        assert kept == [kinds[task[1]] for job in jobs for task in job[1]]


def test_the_queues_of_a_columnar_file_are_the_experiments(tmp_path: Path) -> None:
    one, zero = np.array([1, 1]), np.array([0, 0])
    columnar.write_trace(
        RawWork(zero, one, zero, one, queue_names=("c", "a"), queue=np.array([0, 1])), tmp_path / "q.parquet"
    )
    by_column = {"kind": "trace", "path": "q.parquet", "queue_assignment": "column"}
    assert build(by_column, tmp_path, queues=QUEUES).jobs.queue.tolist() == [2, 0]
    with pytest.raises(ExperimentError, match="names a queue 'c'"):
        build(by_column, tmp_path, queues=QUEUES[:2])


def parquet(path: Path, version: str | None = "1", **columns: Any) -> Path:
    table = pa.table(
        {"job": [0, 0, 1], "arrival_ns": [0, 0, 5], "mean_ns": [1, 1, 1], "duration_ns": [1, 1, 1]} | columns
    )
    columns_left = [name for name in table.column_names if columns.get(name, 1) is not None]
    table = table.select(columns_left)
    pq.write_table(table.replace_schema_metadata({"scheduler_core.trace": version} if version else {}), path)
    return path


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"version": None}, "no version of ours"),
        ({"version": "9"}, "version 9"),
        ({"duration_ns": [1, -1, 1]}, "row 2"),
        ({"duration_ns": [1.0, 1.0, 1.0]}, "whole numbers"),
        ({"duration_ns": [1, None, 1]}, "1 values absent"),
        ({"arrival_ns": [0, 1, 5]}, "differs between rows"),
        ({"job": [0, 1, 0]}, "row 3"),
        ({"job": ["a", "b", "c"]}, "whole numbers"),
        ({"queue": [1, 2, 3], "duration_ns": [1, 1, 2**62]}, "row 3"),
    ],
)
def test_a_damaged_columnar_file_is_refused(tmp_path: Path, changes: dict[str, Any], word: str) -> None:
    with pytest.raises(TraceError, match=word):
        read_trace(parquet(tmp_path / "file.parquet", **changes), "columnar")


def test_a_columnar_file_without_a_column_or_too_long_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file.parquet"
    table = pa.table({"job": [0], "arrival_ns": [0]}).replace_schema_metadata({"scheduler_core.trace": "1"})
    pq.write_table(table, path)
    with pytest.raises(TraceError, match="no column 'mean_ns'"):
        read_trace(path, "columnar")
    with pytest.raises(TraceError, match="limit 'tasks'"):
        read_trace(parquet(path), "columnar", Limits(tasks=2))
    assert read_trace(parquet(path), "columnar", DEFAULT_LIMITS).tasks.tolist() == [2, 1]
