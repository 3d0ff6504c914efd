"""Graphs of traces: from edges in a file to stages, through the columnar file and cuts, to a run that honors them."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import (
    Cut,
    Experiment,
    ExperimentError,
    Limits,
    RawWork,
    TraceError,
    cut_work,
    fit_trace,
    read_trace,
    simulate,
    trace_statistics,
    write_trace,
)
from scheduler_core.workload.readers.graphs import waves
from tests.core.test_reader_tables import written

S = 1_000_000_000
HEADER = "WorkflowID, JobID, SubmitTime, RunTime, NProcs, ReqNProcs, Dependencies\n"
TASKS = (
    "R3_1_2,1,j_1,1,Terminated,120,125,50.0,0.2\n"
    "M1,2,j_1,1,Terminated,100,110,50.0,0.2\n"
    "M2,3,j_1,1,Terminated,100,107,100.0,0.3\n"
    "task_x,3,j_2,1,Terminated,90,95,100.0,0.3\n"
)
INSTANCES = "".join(
    f"ins_{number},{name},j_5,1,Terminated,100,{100 + took},m_1,1,1,0.1,0.2,0.02,0.02\n"
    for number, (name, took) in enumerate([("M1", 4), ("R2_1", 6), ("M1", 5), ("R2_1", 7), ("task_q", 1)])
)
WORKFLOWS = (
    "# a comment\n"
    + HEADER
    + "1, 10, 5, 7, 1, 1, \n1, 11, 6, 3, 2, 2, 10\n\n1, 12, 6, 2, -1, 2, 10 11\n2, 10, 9, 1, 1, 1, -1\n"
)
EDGES = {
    "alibaba-2018-tasks": (TASKS, [((10, 10), (5,)), ((7, 7, 7), (5,))]),
    "alibaba-2018-instances": (INSTANCES, [((4, 5), (6, 7))]),
    "gwf": (WORKFLOWS, [((7,), (3, 3)), ((7,), (2, 2)), ((3, 3), (2, 2))]),
}


def edges(work: RawWork) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Each edge as the seconds that the tasks of its parent and of its child run."""
    if work.stages is None:
        return []
    stages = work.stages
    ends = np.cumsum(stages.tasks)
    runs = [
        tuple((work.duration_ns[end - count : end] // S).tolist())
        for end, count in zip(ends.tolist(), stages.tasks.tolist(), strict=True)
    ]
    first = np.repeat(np.cumsum(stages.of_job) - stages.of_job, stages.of_job)
    child = np.repeat(np.arange(len(stages.tasks)), stages.parents_of)
    assert (stages.of_job.sum(), stages.tasks.sum()) == (len(stages.tasks), len(work.duration_ns))
    return [(runs[first[c] + p], runs[c]) for c, p in zip(child.tolist(), stages.parents.tolist(), strict=True)]


def workflows(rows: Iterable[tuple[int, int, int, list[int]]], path: Path) -> Path:
    """A file of the Workflow Trace Archive: workflow, id, seconds, parents."""
    rows = list(rows)
    columns = {
        "workflow_id": [row[0] for row in rows],
        "id": [row[1] for row in rows],
        "ts_submit": [0] * len(rows),
        "runtime": [row[2] * 1000 for row in rows],
        "resource_amount_requested": [1.0] * len(rows),
        "parents": pa.array([row[3] for row in rows], pa.list_(pa.int64())),
    }
    pq.write_table(pa.table(columns), path)
    return path


@pytest.mark.parametrize("name", EDGES)
def test_edges_of_each_format_become_stages(tmp_path: Path, name: str) -> None:
    text, expected = EDGES[name]
    work = read_trace(written(tmp_path, text), None)
    assert sorted(edges(work)) == sorted(expected)
    assert any(note.startswith("Jobs are graphs: ") for note in work.notes)
    assert work.left_out == ()
    write_trace(work, tmp_path / "own")
    again = read_trace(tmp_path / "own", None)
    assert edges(again) == edges(work)
    assert again.tasks.tolist() == work.tasks.tolist()


@given(data=st.data())
def test_any_graph_comes_out_as_it_was_written(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Numbers are given at random, rows are shuffled, and each task runs for seconds of its own."""
    folder = tmp_path_factory.mktemp("graph")
    rows: list[tuple[int, int, int, list[int]]] = []
    wanted = []
    for job in range(data.draw(st.integers(1, 4))):
        ids = data.draw(st.lists(st.integers(0, 2**62), min_size=1, max_size=6, unique=True))
        begin = 1 + len(rows)
        for at, own in enumerate(ids):
            parents = data.draw(st.lists(st.sampled_from(range(at)), unique=True)) if at else []
            rows.append((job, own, begin + at, [ids[parent] for parent in parents]))
            wanted += [((begin + parent,), (begin + at,)) for parent in parents]
    random.Random(len(wanted)).shuffle(rows)
    work = read_trace(workflows(rows, folder / "wta"), None)
    assert sorted(edges(work)) == sorted(wanted)
    write_trace(work, folder / "own")
    assert sorted(edges(read_trace(folder / "own", None))) == sorted(wanted)
    part = cut_work(work, Cut(tasks=int(work.tasks[0])))
    assert sorted(edges(part)) == sorted(edge for edge in wanted if edge[1][0] <= work.tasks[0])


def test_edges_that_lead_nowhere_are_dropped_and_counted(tmp_path: Path) -> None:
    bad = (
        "M1,1,j_7,1,Failed,1,2,,\nR2_1,1,j_7,1,Terminated,1,3,,\n"  # lines 5 and 6: its parent was left out
        "M1_1,1,j_8,1,Terminated,1,4,,\n"  # waits for itself
        "J1_2,1,j_9,1,Terminated,1,5,,\nJ2_1,1,j_9,1,Terminated,1,6,,\nR3_2,1,j_9,1,Terminated,1,7,,\n"  # a circle
        "R4_9_9,1,j_9,1,Terminated,1,8,,\n"
    )
    work = read_trace(written(tmp_path, TASKS + bad), None)
    assert sorted(edges(work)) == sorted(EDGES["alibaba-2018-tasks"][1])
    told = {one.kind: (one.count, one.first_line) for one in work.left_out}
    assert told == {
        "a status other than Terminated": (1, 5),
        "an edge to a task that is not there": (3, 6),
        "an edge from a task to itself": (1, 7),
        "an edge of a job whose tasks wait in a circle": (3, 8),
    }
    assert "1 edges dropped: an edge from a task to itself; the first is line 7." in work.notes
    assert len(work.duration_ns) == 9 + 1 + 1 + 4


def test_dependencies_that_are_no_numbers_lead_nowhere(tmp_path: Path) -> None:
    text = WORKFLOWS + "2, 11, 9, 1, 1, 1, NA\n2, 12, 9, 1, 1, 1, soon\n2, 13, x, 1, 1, 1, \n"
    with pytest.raises(TraceError, match="line 10: 'SubmitTime' is 'x'"):
        read_trace(written(tmp_path, text), None)
    work = read_trace(written(tmp_path, text.replace(", x,", ", 9,")), None)
    assert [(one.kind, one.count, one.first_line) for one in work.left_out] == [
        ("an edge to a task that is not there", 1, 9)
    ]
    with pytest.raises(TraceError, match="holds no task"):
        read_trace(written(tmp_path, HEADER + "1, 1, 1, -1, 1, 1, \n"), None)
    cut_off = HEADER + "1, 10, 5, 7, 1, 1, \n1, 11, 6"
    assert "1 rows skipped: not 7 columns; the first is line 3." in read_trace(written(tmp_path, cut_off), None).notes


def test_a_number_that_rows_share_stands_for_all_of_them(tmp_path: Path) -> None:
    text = "M1,1,j_1,1,Terminated,0,1,100,\nM1,1,j_1,1,Terminated,0,2,200,\nR2_1,1,j_1,1,Terminated,0,3,100,\n"
    assert edges(read_trace(written(tmp_path, text), None)) == [((1,), (3,)), ((2,), (3,))]


def test_edges_are_bounded(tmp_path: Path) -> None:
    rows = [(1, number, 1, list(range(number))) for number in range(60)]
    with pytest.raises(TraceError, match="4 for each task of the limit 'tasks'"):
        read_trace(workflows(rows, tmp_path / "wta"), None, Limits(tasks=100))
    shared = "".join(f"M1,1,j_1,1,Terminated,0,1,{cpus},\n" for cpus in range(1, 31)) + (
        "".join(f"R{number}_1,1,j_1,1,Terminated,0,1,100,\n" for number in range(2, 30))
    )
    with pytest.raises(TraceError, match="limit 'tasks'"):
        read_trace(written(tmp_path, shared), None, Limits(tasks=200))


def test_a_long_chain_and_a_wide_job_are_levelled() -> None:
    chain = np.arange(1, 20_000)
    assert waves(20_000, chain, chain - 1).tolist() == list(range(20_000))
    wide = waves(20_000, chain, np.zeros(19_999, np.int64))
    assert (wide[0], set(wide[1:].tolist())) == (0, {1})
    assert waves(4, np.array([1, 2, 3]), np.array([2, 1, 2])).tolist() == [0, -1, -1, -1]


@pytest.mark.parametrize("version", ["1", "2"])
def test_older_columnar_files_are_read(tmp_path: Path, version: str) -> None:
    write_trace(read_trace(written(tmp_path, TASKS), None), tmp_path / "own")
    table = pq.read_table(tmp_path / "own").drop_columns(["stage", "after"])
    pq.write_table(table.replace_schema_metadata({"scheduler_core.trace": version}), tmp_path / "old")
    old = read_trace(tmp_path / "old", None)
    assert (old.stages, len(old.duration_ns)) == (None, 9)


@pytest.mark.parametrize(
    ("column", "row", "value", "told"),
    [
        ("stage", 0, 1, "row 1: 'stage' is not in order"),
        ("stage", 5, 3, "row 6: 'stage' is not in order"),
        ("stage", 6, 0, "row 7: 'stage' is not in order"),
        ("after", 8, [0, 0], "row 9: 'after' does not name stages before its own, each once"),
        ("after", 8, [2], "row 9: 'after' does not name"),
        ("after", 3, [-1], "row 4: 'after' does not name"),
        ("after", 4, [0], "row 5: 'after' is not empty"),
        ("after", 8, [None], "column 'after' has 1 absent numbers"),
        ("demand.cpus", 4, 7, "row 5: asks for something other than its stage"),
    ],
)
def test_a_damaged_columnar_graph_is_told_by_its_row(
    tmp_path: Path, column: str, row: int, value: Any, told: str
) -> None:
    """Rows 1 to 3 are job 2, with one stage; rows 4 and 5, 6 to 8, and 9 are the stages of job 1."""
    write_trace(read_trace(written(tmp_path, TASKS), None), tmp_path / "own")
    table = pq.read_table(tmp_path / "own")
    assert table.column("stage").to_pylist() == [0, 0, 0, 0, 0, 1, 1, 1, 2]
    assert table.column("after").to_pylist() == [[]] * 8 + [[0, 1]]
    values = table.column(column).to_pylist()
    values[row] = value
    index = table.schema.get_field_index(column)
    damaged = table.set_column(index, column, pa.array(values, table.schema.field(column).type))
    pq.write_table(damaged, tmp_path / "bad")
    with pytest.raises(TraceError) as caught:
        read_trace(tmp_path / "bad", None)
    assert told in str(caught.value)


def test_statistics_and_a_fit_say_what_graphs_are_like(tmp_path: Path) -> None:
    diamond = [(1, 1, 5, []), (1, 2, 3, [1]), (1, 3, 1, [1]), (1, 4, 2, [2, 3])]
    rows = [*diamond, (2, 1, 9, []), (3, 1, 4, []), (3, 2, 4, [1])]
    work = read_trace(workflows(rows, tmp_path / "wta"), None)
    found = trace_statistics(work)["graphs"]
    assert (found["jobs"], found["stages"], found["edges"]) == (2, 6, 5)
    assert found["parallelism"] == pytest.approx((11 + 8) / (10 + 8))
    of = found["distributions"]
    assert (of["depth"]["max"], of["depth"]["min"], of["stages_per_job"]["mean"]) == (3, 2, 3)
    assert (of["critical_path_s"]["max"], of["tasks_per_stage"]["max"]) == (10, 1)
    assert "5 edges are left out" in fit_trace(work)["notes"][0]
    flat = read_trace(workflows(rows[4:5], tmp_path / "flat"), None)
    assert (trace_statistics(flat)["graphs"], fit_trace(flat)["notes"]) == (None, [])


def experiment(path: Path, scheduler: str, graphs: str | None = None) -> Experiment:
    workload = {"kind": "trace", "path": str(path)} | ({"graphs": graphs} if graphs else {})
    return Experiment.parse(
        {
            "schema_version": 1,
            "topology": {"clusters": [{"name": "c", "machines": [{"count": 10, "cpus": 4}]}]},
            "network": {"message_delay_s": 0},
            "workload": workload,
            "scheduler": {"name": scheduler},
        }
    )


def test_a_scheduler_of_graphs_has_stages_wait(tmp_path: Path) -> None:
    path = workflows([(1, 1, 5, []), (1, 2, 3, [1]), (1, 3, 1, [2])], tmp_path / "wta")
    write_trace(read_trace(path, None), tmp_path / "own")
    for source in (path, tmp_path / "own"):
        tasks = simulate(experiment(source, "carbyne")).tasks
        spans = sorted(zip(tasks["first_start_ns"].tolist(), tasks["end_ns"].tolist(), strict=True))
        assert [end - start for start, end in spans] == [5 * S, 3 * S, S]
        assert all(after[0] >= before[1] for before, after in pairwise(spans))


@pytest.mark.parametrize("scheduler", ["carbyne", "sparrow", "megha"])
def test_a_trace_without_its_graphs_runs_under_any_scheduler(tmp_path: Path, scheduler: str) -> None:
    path = workflows([(1, 1, 5, []), (1, 2, 3, [1]), (1, 3, 1, [2])], tmp_path / "wta")
    result = simulate(experiment(path, scheduler, "drop"))
    assert result.summary["tasks"]["completed"] == 3
    assert result.tasks["first_start_ns"].max() < S


@pytest.mark.parametrize("graphs", [None, "keep"])
def test_who_does_not_honor_graphs_says_what_to_do(tmp_path: Path, graphs: str | None) -> None:
    path = workflows([(1, 1, 5, []), (1, 2, 3, [1])], tmp_path / "wta")
    with pytest.raises(ExperimentError) as caught:
        simulate(experiment(path, "sparrow", graphs))
    problem = caught.value.problems[0]
    assert problem.path == "workload.graphs"
    assert "the scheduler 'sparrow' does not support" in problem.message
    assert "set `graphs` to 'drop'" in problem.remedy
    assert "'carbyne'" in problem.remedy


def test_keeping_graphs_asks_nothing_where_there_are_none(tmp_path: Path) -> None:
    path = workflows([(1, 1, 5, []), (1, 2, 3, [])], tmp_path / "wta")
    assert simulate(experiment(path, "sparrow", "keep")).summary["tasks"]["completed"] == 2
    assert experiment(path, "sparrow").to_dict()["workload"].get("graphs") is None
