"""Tables by a mapping, constraints of the trace of 2011, cuts, statistics, and the command that imports."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scheduler_core import (
    Beside,
    Cut,
    Experiment,
    ExperimentError,
    Limits,
    RawWork,
    TraceError,
    build_cluster,
    build_workload,
    cut_work,
    first_rows,
    fit_trace,
    guarded,
    parse_columns,
    parse_cut,
    read_trace,
    trace_statistics,
    write_trace,
)
from scheduler_core.constraints import task_asks
from tests.core.test_reader_tables import GOOGLE, event, written

S = 1_000_000_000
CSV = "submitted_ms,run (s),app,cores,queue\n2000,1.5,a,2,x\n1000,2.5,b,,\n3000,4,a,1,x\n"


def read(path: Path, **columns: Any) -> RawWork:
    return read_trace(path, None, beside=Beside(columns=parse_columns(columns)))


def plain(work: RawWork) -> tuple[list[int], list[int], list[int]]:
    return work.arrival_ns.tolist(), work.tasks.tolist(), work.duration_ns.tolist()


def test_a_guess_from_names_reads_the_table(tmp_path: Path) -> None:
    found = first_rows(written(tmp_path, CSV))
    assert found["columns"] == ["submitted_ms", "run (s)", "app", "cores", "queue"]
    assert found["rows"][0] == ["2000", "1.5", "a", "2", "x"]
    assert found["guess"] == {
        "arrival": "submitted_ms", "time_unit": "ms", "duration": "run (s)", "duration_unit": "s", "job": "app",
        "cpus": "cores", "queue": "queue", "header": True, "delimiter": ",",
    }  # fmt: skip
    work = read(tmp_path / "trace", **found["guess"])
    assert plain(work) == ([S, 2 * S], [1, 2], [2_500_000_000, 1_500_000_000, 4 * S])
    assert work.demand is not None
    assert [work.demands[kind]["cpus"] for kind in work.demand] == [1000, 2000, 1000]
    assert work.queue is not None
    assert [work.queue_names[place] for place in work.queue] == ["none", "x"]


def test_dates_ends_and_counts_without_a_header(tmp_path: Path) -> None:
    path = written(tmp_path, "2024-05-01 00:00:10;2024-05-01 00:00:40;3\n2024-05-01 00:00:00;2024-05-01 00:00:05;1\n")
    found = first_rows(path)
    assert found["guess"]["header"] is False
    work = read(path, arrival="1", end="2", tasks="3", time_unit="datetime", delimiter=";", header=False)
    assert plain(work) == ([0, 10 * S], [1, 3], [5 * S, 30 * S, 30 * S, 30 * S])
    assert any(note.startswith("Times count from the first arrival") for note in work.notes)


def test_a_table_in_parquet(tmp_path: Path) -> None:
    times = pa.array([1_714_521_600_000, 1_714_521_601_500], pa.timestamp("ms"))
    pq.write_table(pa.table({"SubmitTime": times, "runtime_ms": [250, 1000], "tags": [["x"], []]}), tmp_path / "trace")
    found = first_rows(tmp_path / "trace")
    assert found["guess"] | {"header": True} == {
        "arrival": "SubmitTime", "duration": "runtime_ms", "time_unit": "datetime", "duration_unit": "ms",
        "header": True, "delimiter": ",",
    }  # fmt: skip
    assert plain(read(tmp_path / "trace", **found["guess"])) == ([0, 1_500_000_000], [1, 1], [250_000_000, S])


@pytest.mark.parametrize(
    ("text", "columns", "said"),
    [
        ("a,b\n1,2\nx,2\n", {"arrival": "a", "duration": "b"}, "line 3: 'a' is 'x'"),
        ("a,b\n1,2\n", {"arrival": "a", "duration": "c"}, "lacks a column"),
        ("a,b\n1,-2\n", {"arrival": "a", "duration": "b"}, "line 2: 'b' is '-2', which is negative"),
        ("1,2\n", {"arrival": "1", "duration": "3", "header": False}, "line 1: lacks a column: 3; allowed: 1 to 2"),
        ("a,b\n1,2\n", {"arrival": "a", "duration": "b", "job": "a"}, "means something of another kind"),
    ],
)
def test_a_damaged_table_is_told_by_its_line(tmp_path: Path, text: str, columns: dict[str, Any], said: str) -> None:
    with pytest.raises(TraceError) as caught:
        read(written(tmp_path, text), **columns)
    assert said in str(caught.value)


def test_a_mapping_says_what_it_lacks() -> None:
    with pytest.raises(ExperimentError, match="columns: needs one of `duration` and `end`"):
        parse_columns({"arrival": "a"})
    with pytest.raises(ExperimentError, match=r"columns\.arival: is not a known key.*did you mean 'arrival'"):
        parse_columns({"arival": "a", "duration": "b"})


def test_what_is_no_table_stays_unknown(tmp_path: Path) -> None:
    for text in ("hello there\n", "", b"\x00\x01,\n" * 20):
        with pytest.raises(TraceError, match="in a known format"):
            first_rows(written(tmp_path, text))
    with pytest.raises(TraceError, match="is a table without a mapping of its columns"):
        read_trace(written(tmp_path, CSV), "table")
    with pytest.raises(TraceError, match="columns: is not used by the format 'swf'"):
        read_trace(tmp_path / "trace", "swf", beside=Beside(columns=parse_columns({"arrival": "a", "end": "b"})))


def test_dates_since_1970_count_from_the_first_arrival(tmp_path: Path) -> None:
    lines = [f"{at} {1136070024 + 60 * at} 5 7 1 {' '.join(['-1'] * extra)}\n" for at, extra in ((1, 24), (2, 24))]
    work = read_trace(written(tmp_path, "# JobID\n" + "".join(lines)), None)
    assert work.arrival_ns.tolist() == [0, 60 * S]
    wider = read_trace(written(tmp_path, "".join(line.rstrip() + " -1\n" for line in lines)), None)
    assert wider.arrival_ns.tolist() == [0, 60 * S]


def test_lines_that_are_parts_of_an_swf_job_do_not_count_twice(tmp_path: Path) -> None:
    line = "1 {at} 0 10 1 -1 -1 1 -1 -1 {status} " + "-1 " * 7 + "\n"
    text = "; Version: 2.2\n" + "".join(line.format(at=at, status=status) for at, status in ((0, 1), (0, 2), (5, 3)))
    work = read_trace(written(tmp_path, text), None)
    assert work.duration_ns.tolist() == [10 * S]
    assert [(one.count, one.first_line) for one in work.left_out] == [(2, 3)]


CONSTRAINTS = (
    "0,3,0,0,attrA,7\n600000000,7,0,1,attrB,zzz\n600000000,7,0,0,attrA,7\n0,99,0,3,attrC,1\n600000000,7,0,0,attrA,7\n"
)
ATTRIBUTES = "0,1,attrA,7,0\n0,2,attrA,8,0\n0,3,attrB,zzz,0\n0,4,attrA,7,0\n9,4,attrA,7,1\n"


@pytest.mark.parametrize("order", ["files", "document"])
def test_constraints_of_google_2011_become_bits(tmp_path: Path, order: str) -> None:
    table = CONSTRAINTS
    if order == "document":
        rows = [line.split(",") for line in CONSTRAINTS.splitlines()]
        table = "".join(",".join([*row[:3], row[4], row[5], row[3]]) + "\n" for row in rows)
    beside = Beside(
        constraints=written(tmp_path, table, "constraints"),
        machine_attributes=written(tmp_path, ATTRIBUTES, "attributes"),
    )
    work = read_trace(written(tmp_path, GOOGLE), None, beside=beside)
    assert work.asks is not None
    assert work.asks.tolist() == [1, 3]
    assert [(one.attribute, one.comparison, one.value, one.machine_share) for one in work.asked] == [
        ("attrA", "==", "7", 0.25),
        ("attrB", "!=", "zzz", 0.75),
    ]
    write_trace(work, tmp_path / "own")
    again = read_trace(tmp_path / "own", None)
    assert again.asks is not None
    assert (again.asks.tolist(), again.asked, again.notes) == ([1, 3], work.asked, work.notes)
    _runs_with(tmp_path / "own")


def _runs_with(path: Path) -> None:
    """The experiment's catalogue may list the trace's constraints in any order."""
    data: dict[str, Any] = {
        "schema_version": 1, "topology": {"clusters": [{"name": "a", "machines": [{"count": 4}],
                                                        "constraint_mix": "custom"}]},
        "workload": {"kind": "trace", "path": str(path)}, "scheduler": {"name": "sparrow"},
        "constraints": {"catalogue": "custom", "custom": [{"name": name, "machine_share": 0.5}
                                                          for name in ("other", "k02", "k01")]},
    }  # fmt: skip
    experiment = Experiment.parse(data)
    work = build_workload(experiment, build_cluster(experiment))
    assert task_asks(experiment, work).tolist() == [4, 6]
    data["constraints"]["custom"] = data["constraints"]["custom"][:2]
    partly = Experiment.parse(data)
    with pytest.raises(ExperimentError, match=r"constraints\.custom: has some of the trace.s constraints"):
        task_asks(partly, work)


def test_a_table_that_holds_no_constraints_is_told(tmp_path: Path) -> None:
    beside = Beside(constraints=written(tmp_path, "a,b\n", "constraints"))
    with pytest.raises(TraceError, match="constraints: line 1: is not a row of task_constraints"):
        read_trace(written(tmp_path, GOOGLE), None, beside=beside)


def test_a_start_before_the_trace_is_no_start(tmp_path: Path) -> None:
    text = event(0, 1, 0, 0) + event(0, 1, 0, 1) + event(700_000_000, 1, 0, 4) + GOOGLE
    assert read_trace(written(tmp_path, text), None).tasks.tolist() == [1, 1]


def made(jobs: int = 1000) -> RawWork:
    tasks = np.arange(jobs, dtype=np.int64) % 3 + 1
    total = int(tasks.sum())
    arrival = np.arange(jobs, dtype=np.int64) * S + 5 * S
    return RawWork(arrival, tasks, np.full(jobs, S), np.full(total, S), asks=np.arange(total, dtype=np.int64))


def test_a_window_counts_from_the_first_arrival() -> None:
    part = cut_work(made(), Cut(from_s=10, to_s=20))
    assert part.arrival_ns.tolist() == [S * at for at in range(15, 25)]
    assert len(part.duration_ns) == int(part.tasks.sum())
    assert part.asks is not None
    assert part.asks[0] == int(made().tasks[:10].sum())


def test_a_sample_is_the_same_every_time_and_near_its_share() -> None:
    first, again, other = (cut_work(made(10_000), Cut(sample=0.2, sample_seed=seed)) for seed in (1, 1, 2))
    assert plain(first) == plain(again)
    assert plain(first) != plain(other)
    # Six standard deviations of a binomial of 10,000 and 0.2 are 240.
    assert abs(len(first.tasks) - 2000) < 240


def test_faster_arrivals_and_a_cap_on_tasks() -> None:
    fast = cut_work(made(), Cut(rate_factor=4))
    assert fast.arrival_ns.tolist()[:3] == [0, S // 4, S // 2]
    few = cut_work(made(), Cut(tasks=10))
    assert (len(few.tasks), int(few.tasks.sum())) == (5, 9)
    with pytest.raises(TraceError, match="leaves no job of 1,000: the first one has 3 tasks"):
        cut_work(made(), Cut(from_s=2, tasks=2))
    with pytest.raises(ExperimentError, match="cut: ends its window before it begins"):
        parse_cut({"from_s": 5, "to_s": 4})


def test_statistics_of_a_trace_that_can_be_counted() -> None:
    """Ten jobs a second apart, each of two tasks of three seconds: six run at a time once it has begun."""
    work = RawWork(np.arange(10) * S, np.full(10, 2), np.full(10, 3 * S), np.full(20, 3 * S))
    found = json.loads(json.dumps(trace_statistics(work)))
    assert (found["jobs"], found["tasks"], found["span_s"], found["work_s"]) == (10, 20, 9.0, 60.0)
    assert found["distributions"]["duration_s"]["percentiles"]["p99.9"] == 3.0
    assert found["distributions"]["gap_s"]["cdf"] == [[1.0, 1.0]]
    assert found["burstiness"]["gap_cv"] == 0
    running = found["over_time"]["running"]
    slot = found["over_time"]["slot_s"]
    assert running[int(5 / slot)] == pytest.approx(6)
    assert sum(found["over_time"]["jobs"]) == 10
    # What runs in the picture is the work that falls into it: the last task ends at 12 s, the picture at 9.9 s.
    assert sum(running) * slot == pytest.approx(60 - 2 * (1.1 + 0.1 + 2.1), abs=2.1)


def test_no_more_tasks_run_at_once_than_there_are() -> None:
    """Four long tasks that arrive within 20 s: the work over the span of arrivals would be 185 tasks at once."""
    duration = np.array([3600.0, 60.0, 40.0, 2.5]) * S
    work = RawWork(
        np.array([0, 5, 10, 20]) * S, np.ones(4, np.int64), duration.astype(np.int64), duration.astype(np.int64),
        demands=({"cpus": 1000}, {"cpus": 2000}), demand=np.array([1, 0, 0, 0]),
    )  # fmt: skip
    found = trace_statistics(work)
    running = found["over_time"]["running"]
    assert found["mean_concurrency"] == found["at_once"]["tasks"] == pytest.approx(sum(running) / len(running))
    assert found["mean_concurrency"] == pytest.approx((22 + 17 + 12 + 2) / 22)
    assert found["at_once"]["cpus"] == pytest.approx((2 * 22 + 17 + 12 + 2) / 22)
    at_once = RawWork(np.zeros(3, np.int64), np.full(3, 2), np.full(3, S), np.full(6, S))
    assert trace_statistics(at_once)["at_once"] == {"tasks": 6.0, "cpus": None}


def test_poisson_arrivals_are_not_bursty_and_bursts_are() -> None:
    rng = np.random.default_rng(3)
    for arrival, low, high in (
        (np.cumsum(rng.exponential(1.0, 40_000)), 0.9, 1.1),
        (np.repeat(np.cumsum(rng.exponential(10.0, 4_000)), 10), 8, 12),
    ):
        ones = np.ones(len(arrival), np.int64)
        found = trace_statistics(RawWork((arrival * S).astype(np.int64), ones, ones * S, ones * S))
        minute = next(one for one in found["burstiness"]["windows"] if one["length_s"] == 60)
        assert low < minute["dispersion"] < high


def test_a_fit_lies_over_its_trace() -> None:
    rng = np.random.default_rng(5)
    tasks = rng.integers(1, 40, 3000)
    mean = np.rint(rng.lognormal(2, 1, 3000) * S).astype(np.int64)
    work = RawWork(np.cumsum(rng.exponential(1, 3000) * S).astype(np.int64), tasks, mean, np.repeat(mean, tasks))
    fitted, own = fit_trace(work)["statistics"], trace_statistics(work)
    for name in ("tasks_per_job", "duration_s"):
        ours, theirs = fitted["distributions"][name], own["distributions"][name]
        assert ours["mean"] == pytest.approx(theirs["mean"], rel=0.05)
        assert ours["percentiles"]["p50"] == pytest.approx(theirs["percentiles"]["p50"], rel=0.1)


def test_memory_that_runs_out_is_a_problem_of_the_trace(tmp_path: Path) -> None:
    class Full:
        def __enter__(self) -> None:
            raise MemoryError

        def __exit__(self, *_: object) -> None:
            return None

    with guarded(Full), pytest.raises(TraceError, match="more memory than the limit"):  # type: ignore[arg-type]
        read_trace(written(tmp_path, GOOGLE), None)


def cli(*args: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "scheduler_core", *(str(arg) for arg in args)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_the_command_maps_cuts_and_reports(tmp_path: Path) -> None:
    rows = "".join(f"{at},{'x' if at == 7 else 1 + at % 3},j{at // 2}\n" for at in range(20)).replace(",x,", ",-1,")
    source = written(tmp_path, "ts,dur,job\n" + rows)
    done = cli(
        "import-trace",
        "--column",
        "arrival=ts",
        "--column",
        "duration=dur",
        "--column",
        "job=job",
        "--without-bad-lines",
        "--from-s",
        4,
        "--rate-factor",
        2,
        "--json",
        "--statistics",
        source,
        tmp_path / "out.parquet",
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["left_out"] == [{"kind": "a value that is not what its column says", "count": 1, "first_line": 9}]
    assert told["statistics"]["jobs"] == told["jobs"] == 8
    assert read_trace(tmp_path / "out.parquet", None).arrival_ns.tolist()[:3] == [0, S, 2 * S]
    guessed = cli("import-trace", "--without-bad-lines", source, tmp_path / "guessed.parquet")
    assert guessed.returncode == 0, guessed.stderr
    assert "guessed --column arrival='ts' --column duration='dur'" in guessed.stderr
    assert "a value that is not what its column says" in guessed.stdout
    shown = cli("import-trace", "--preview", source)
    assert "guessed: --column arrival='ts'" in shown.stdout
    wrong = cli("import-trace", "--sample", "2", source, tmp_path / "out.parquet")
    assert (wrong.returncode, "sample: is 2" in wrong.stderr) == (2, True)


@pytest.mark.slow
def test_the_command_takes_the_tables_of_constraints(tmp_path: Path) -> None:
    source, beside = written(tmp_path, GOOGLE), written(tmp_path, CONSTRAINTS, "constraints")
    done = cli("import-trace", "--constraints", beside, "--json", source, tmp_path / "out.parquet")
    assert done.returncode == 0, done.stderr
    assert [one["name"] for one in json.loads(done.stdout)["constraints"]] == ["k01", "k02"]


def test_a_sparrow_trace_in_zstd(tmp_path: Path) -> None:
    packed = pa.Codec("zstd").compress(b"0 1 1 1\n2 2 1 1 1\n", asbytes=True)
    assert plain(read_trace(written(tmp_path, packed), None)) == ([0, 2 * S], [1, 2], [S, S, S])
    with pytest.raises(TraceError, match="limit 'trace_bytes'"):
        read_trace(tmp_path / "trace", None, Limits(trace_bytes=5))
