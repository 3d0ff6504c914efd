"""Readers of public archives' tables, on small files made to their public descriptions, and on damaged ones."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from scheduler_core import Limits, TraceError
from scheduler_core.workload import read_trace
from scheduler_core.workload.readers.registry import recognize

S = 1_000_000_000


def event(time: int, job: int, index: int, kind: int, tail: str = "user,2,9,0.1,0.02,0.001,0") -> str:
    return f"{time},,{job},{index},,{kind},{tail}\n"


GOOGLE = (
    event(600_000_000, 7, 0, 0)
    + event(600_000_000, 7, 1, 0, "user,2,9,0.1,0.02,0.001,1")
    + event(601_000_000, 7, 0, 1)
    + event(602_000_000, 7, 1, 1)
    + event(605_000_000, 7, 0, 2)
    + event(606_000_000, 7, 0, 1)  # evicted and started again
    + event(500_000_000, 3, 0, 0)
    + event(501_000_000, 3, 0, 1)
    + event(511_000_000, 3, 0, 4)
    + event(609_500_000, 7, 0, 4)
    + event(612_000_000, 7, 1, 5)  # the second one is killed
)
TASKS = (
    "M1,2,j_1,1,Terminated,100,110,50.0,0.2\nR2_1,1,j_1,1,Terminated,110,113,100.0,0.3\n"
    "task_x,3,j_2,1,Failed,90,95,100.0,0.3\nM1,1,j_3,1,Terminated,90,95,,\n"
)
INSTANCES = (
    "ins_1,M1,j_5,1,Terminated,100,104,m_1,1,1,0.1,0.2,0.02,0.02\n"
    "ins_2,R2_1,j_5,1,Terminated,104,110,m_2,1,1,,,,\nins_3,M1,j_6,1,Running,104,0,m_2,1,1,,,,\n"
)
SWF = "; Version: 2.2\n;\n 1 10 5 100.5 2 -1 -1 4 " + "-1 " * 10 + "\n2 20 5 -1 2 " + "-1 " * 13
SWF += "\n3  30 5 7 -1 -1 -1 3 " + "-1 " * 10
GWF = "# JobID SubmitTime\n1\t4\t5\t6\t2\t" + "-1\t" * 24 + "\n"
FORMATS = {
    "google-2011": GOOGLE,
    "alibaba-2018-tasks": TASKS,
    "alibaba-2018-instances": INSTANCES,
    "swf": SWF,
    "gwf": GWF,
}


def instance(time: int, kind: int | str, as_text: bool) -> str:
    numbers = {"time": time, "type": kind, "collection_id": 9, "instance_index": 0, "priority": 1}
    return json.dumps({name: str(value) if as_text else value for name, value in numbers.items()}) + "\n"


EVENTS_2019 = (("SUBMIT", 0), ("SCHEDULE", 3), ("FINISH", 6))
FORMATS["google-2019"] = "".join(instance(5_000_000 * at, kind, False) for at, (_, kind) in enumerate(EVENTS_2019))


@pytest.mark.parametrize("shape", ["numbers", "text", "names", "csv"])
def test_google_2019_in_its_shapes(tmp_path: Path, shape: str) -> None:
    rows = [(5_000_000 * at, name, kind) for at, (name, kind) in enumerate(EVENTS_2019)]
    lines = [instance(time, name if shape == "names" else kind, shape != "numbers") for time, name, kind in rows]
    if shape == "csv":
        lines = ["type,time,x,instance_index,collection_id\n", *(f"{kind},{time},,0,9\n" for time, _, kind in rows)]
    work = read_trace(written(tmp_path, "".join(lines)), None)
    assert (work.arrival_ns.tolist(), work.duration_ns.tolist()) == ([0], [5 * S])


def test_google_2019_damaged(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match="line 1"):
        read_trace(written(tmp_path, FORMATS["google-2019"] + "{nonsense\n"), "google-2019")
    with pytest.raises(TraceError, match="line 1"):
        read_trace(written(tmp_path, "time,type\n1,2\n"), "google-2019")


def test_workflows_are_jobs(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {
        "workflow_id": [2, 2, 1, 1],
        "ts_submit": [1500, 1000, 10, -1],
        "runtime": [3, 4, 5, 6],
        "resource_amount_requested": [1.0, 2.5, -1.0, 1.0],
        "parents": [[1], [], [], []],
    }
    pq.write_table(pa.table(columns), tmp_path / "trace")
    work = read_trace(tmp_path / "trace", None)
    assert work.arrival_ns.tolist() == [10_000_000, S]
    assert work.duration_ns.tolist() == [5_000_000, 3_000_000, 4_000_000]
    assert work.demand is not None
    assert [work.demands[kind]["cpus"] for kind in work.demand] == [1000, 1000, 2500]
    assert "1 rows skipped: no time of submission; the first is line 4." in work.notes
    with pytest.raises(TraceError, match="cannot be read"):
        read_trace(written(tmp_path, (tmp_path / "trace").read_bytes()[:200]), "wta")


def test_reading_is_watched_and_may_be_cancelled(tmp_path: Path) -> None:
    from scheduler_core.errors import Cancelled
    from scheduler_core.workload.readers.watching import Reading, watched

    seen: list[Reading] = []
    path = written(tmp_path, TASKS)
    with watched(seen.append):
        read_trace(path, None)
    assert seen == [Reading(len(TASKS), len(TASKS), len(TASKS), 4)]

    def stop(reading: Reading) -> None:
        raise Cancelled

    with watched(stop), pytest.raises(Cancelled):
        read_trace(path, None)


def written(folder: Path, text: str | bytes, name: str = "trace") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@pytest.mark.parametrize("name", FORMATS)
def test_content_tells_the_format_plain_and_packed(tmp_path: Path, name: str) -> None:
    import pyarrow as pa

    plain = FORMATS[name].encode()
    packings = {
        "plain": plain,
        "gzip": gzip.compress(plain),
        "zstd": pa.Codec("zstd").compress(plain, asbytes=True),
        "marked": b"\xef\xbb\xbf" + plain,
    }
    works = []
    for packing, data in packings.items():
        path = written(tmp_path, data, packing)
        assert recognize(path).name == name
        works.append(read_trace(path, None))
    assert all(work.duration_ns.tolist() == works[0].duration_ns.tolist() for work in works)
    assert all(work.notes == works[0].notes for work in works)


def test_google_tasks_run_from_their_last_start_to_their_finish(tmp_path: Path) -> None:
    work = read_trace(written(tmp_path, GOOGLE), "google-2011")
    assert work.arrival_ns.tolist() == [500 * S, 600 * S]
    assert work.tasks.tolist() == [1, 1]
    assert work.duration_ns.tolist() == [10 * S, 3_500_000_000]
    assert any(note == "1 tasks left out that never finish here; the first is on line 2." for note in work.notes)
    assert any("1 events ask for different machines" in note for note in work.notes)


def test_instances_of_an_alibaba_task_are_tasks(tmp_path: Path) -> None:
    work = read_trace(written(tmp_path, TASKS), None)
    assert work.arrival_ns.tolist() == [90 * S, 100 * S]
    assert work.tasks.tolist() == [1, 3]
    assert work.duration_ns.tolist() == [5 * S, 10 * S, 10 * S, 3 * S]
    assert work.demand is not None
    assert [work.demands[kind]["cpus"] for kind in work.demand] == [1000, 500, 500, 1000]
    assert "1 rows skipped: a status other than Terminated; the first is line 3." in work.notes
    assert work.stages is not None
    assert work.stages.parents_of.tolist() == [0, 0, 1]


def test_alibaba_instances(tmp_path: Path) -> None:
    work = read_trace(written(tmp_path, INSTANCES), None)
    assert (work.arrival_ns.tolist(), work.duration_ns.tolist()) == ([100 * S], [4 * S, 6 * S])


def test_processors_are_tasks(tmp_path: Path) -> None:
    work = read_trace(written(tmp_path, SWF), None)
    assert work.arrival_ns.tolist() == [10 * S, 30 * S]
    assert work.tasks.tolist() == [2, 3]
    assert work.duration_ns.tolist() == [100_500_000_000] * 2 + [7 * S] * 3
    assert "1 rows skipped: no run time; the first is line 4." in work.notes
    assert read_trace(written(tmp_path, GWF), None).duration_ns.tolist() == [6 * S] * 2


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("google-2011", GOOGLE + "x" + event(1, 1, 1, 1), "line 12: 'time' is 'x1'"),
        ("alibaba-2018-tasks", TASKS + "M1,two,j_1,1,Terminated,100,110,50.0,0.2\n", "line 5: 'instance_num' is 'two'"),
        ("swf", SWF + "\n4 soon" + " 1" * 16, "line 6: 'submit time' is 'soon'"),
        ("google-2011", "", "is empty"),
        ("alibaba-2018-tasks", TASKS.splitlines()[2] + "\n", "1 rows skipped: a status other than Terminated"),
        ("google-2011", b"\xff\xfe\x00\x01" * 50, ""),
        ("swf", b"\x00" * 5000, ""),
    ],
)
def test_damage_is_said_with_its_line(tmp_path: Path, name: str, text: str | bytes, problem: str) -> None:
    with pytest.raises(TraceError) as caught:
        read_trace(written(tmp_path, text), name)
    assert problem in str(caught.value)


def test_rows_of_another_width_are_counted_and_lines_stay_right(tmp_path: Path) -> None:
    text = "M1,2\n" + "a,b,c\n" + TASKS
    notes = read_trace(written(tmp_path, text), "alibaba-2018-tasks").notes
    assert "2 rows skipped: not 9 columns; the first is line 1." in notes
    assert "1 rows skipped: a status other than Terminated; the first is line 5." in notes


def test_a_file_that_is_cut_is_refused(tmp_path: Path) -> None:
    import random

    noise = random.Random(1)
    text = "".join(event(noise.randrange(10**9), noise.randrange(10**6), 0, 1) for _ in range(5000))
    with pytest.raises(TraceError, match="cannot be read"):
        read_trace(written(tmp_path, gzip.compress(text.encode())[:-2000]), "google-2011")


def test_limits_hold(tmp_path: Path) -> None:
    rows = "".join(f"M1,9000000,j_{job},1,Terminated,100,110,50.0,0.2\n" for job in range(4))
    path = written(tmp_path, rows)
    with pytest.raises(TraceError, match="limit 'tasks'"):
        read_trace(path, None)
    with pytest.raises(TraceError, match="limit 'trace_bytes'"):
        read_trace(written(tmp_path, gzip.compress(TASKS.encode() * 1000)), None, Limits(trace_bytes=10_000))
