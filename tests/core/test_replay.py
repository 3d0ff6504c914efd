"""The scheduler as-recorded starts tasks at their recorded times, on the recorded machines where there is room."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import Experiment, ExperimentError, RunResult, Simulation, simulate
from scheduler_core.cli import main
from scheduler_core.schedulers.replay.reasons import AS_RECORDED, MOVED
from tests.core.experiments import experiments
from tests.core.test_invariants import finished, over_commitment

SACCT = """JobID|State|Submit|Start|End|AllocCPUS|ReqMem|NNodes|NodeList|Partition|Timelimit
1|COMPLETED|2026-01-05T08:00:00|2026-01-05T08:10:00|2026-01-05T09:10:00|4|1G|1|n2|main|02:00:00
2|COMPLETED|2026-01-05T08:01:00|2026-01-05T09:10:00|2026-01-05T10:10:00|4|1G|1|n2|main|02:00:00
3|COMPLETED|2026-01-05T08:02:00|2026-01-05T08:40:00|2026-01-05T09:00:00|2|1G|1|n1|main|02:00:00
4|PENDING|2026-01-05T08:03:00|Unknown|Unknown|1|1G|1|None assigned|main|02:00:00
"""
NODES = """NodeName=n1 CPUTot=4 RealMemory=8000 State=IDLE Partitions=main
NodeName=n2 CPUTot=4 RealMemory=8000 State=IDLE Partitions=main
"""


def run(jobs: list[dict[str, Any]], params: dict[str, Any] | None = None, **more: Any) -> RunResult:
    """Run jobs on two machines with two CPUs each."""
    return simulate(
        Experiment.parse(
            {
                "schema_version": 1,
                "topology": {"clusters": [{"name": "c", "machines": [{"count": 2, "cpus": 2}]}]},
                "workload": {"kind": "inline", "jobs": jobs},
                "scheduler": {"name": "as-recorded", "params": params or {}},
            }
            | more
        )
    )


def starts(found: RunResult) -> list[float]:
    return [value / 1e9 for value in found.tasks["first_start_ns"].tolist()]


@given(
    st.lists(
        st.tuples(st.integers(0, 20), st.integers(0, 20), st.lists(st.integers(0, 9), min_size=1, max_size=4)),
        min_size=1,
        max_size=12,
    )
)
def test_every_task_starts_as_recorded_where_there_is_room(drawn: list[tuple[int, int, list[int]]]) -> None:
    jobs = [
        {"arrival_s": arrival, "started_s": arrival + waited, "durations_s": durations}
        for arrival, waited, durations in sorted(drawn, key=lambda each: each[0])
    ]
    found = run(jobs, topology={"clusters": [{"name": "c", "machines": [{"count": 50, "cpus": 1}]}]})
    assert starts(found) == [job["started_s"] for job in jobs for _ in job["durations_s"]]
    assert found.summary["recorded_starts"]["error_s"]["max"] == 0
    assert found.summary["counters"]["on_time"] == found.summary["tasks"]["total"]


def test_tasks_without_room_start_late_in_the_order_of_their_recorded_times() -> None:
    """Four CPUs: six tasks at 1 s, so two are late; a job recorded at 2 s is behind them."""
    found = run(
        [
            {"arrival_s": 0, "started_s": 1, "durations_s": [4, 5, 6, 6, 10, 10]},
            {"arrival_s": 0.5, "started_s": 2, "durations_s": [1]},
        ]
    )
    assert starts(found) == [1, 1, 1, 1, 5, 6, 7]
    assert found.summary["counters"]["behind"] == 3
    assert found.summary["recorded_starts"]["later"] == 1


def test_an_end_makes_room_for_a_start_at_the_same_instant() -> None:
    jobs = [{"arrival_s": 0, "started_s": at, "durations_s": [5] * 4} for at in (0, 5, 10)]
    assert starts(run(jobs)) == [0] * 4 + [5] * 4 + [10] * 4


def test_a_task_without_a_recorded_start_waits_or_starts_on_arrival() -> None:
    jobs = [{"arrival_s": 0, "started_s": 3, "durations_s": [1]}, {"arrival_s": 1, "durations_s": [1]}]
    waits = run(jobs)
    assert waits.tasks["first_start_ns"].tolist() == [3_000_000_000, -1]
    assert waits.summary["finished"] == "stuck"
    assert waits.summary["counters"]["not_recorded"] == 1
    assert starts(run(jobs, {"without_start": "arrival"})) == [3, 1]


def test_a_workload_without_any_recorded_start_is_refused_at_its_field() -> None:
    with pytest.raises(ExperimentError) as refused:
        run([{"arrival_s": 0, "durations_s": [1]}])
    problem = refused.value.problems[0]
    assert problem.path == "workload"
    assert "records no start" in problem.message
    assert "without_start" in problem.remedy


def test_a_recorded_start_before_the_arrival_is_refused() -> None:
    with pytest.raises(ExperimentError) as refused:
        run([{"arrival_s": 2, "started_s": 1, "durations_s": [1]}])
    assert refused.value.problems[0].path.startswith("workload.jobs[0]")


def test_jobs_of_sacct_start_at_their_times_on_their_nodes(tmp_path: Path) -> None:
    """Job 2 waited for node n2, although n1 was empty at 09:00; the replay keeps both, and job 4 never starts."""
    (tmp_path / "sacct.txt").write_text(SACCT)
    (tmp_path / "nodes.txt").write_text(NODES)
    made = tmp_path / "mine.json"
    files = [str(tmp_path / "sacct.txt"), str(tmp_path / "nodes.txt")]
    assert main(["import-cluster", *files, "--keep-names", "--out", str(made)]) == 0
    data = json.loads(made.read_text())
    data["workload"]["path"] = str(tmp_path / data["workload"]["path"])
    replay = data | {"scheduler": {"name": "as-recorded"}}
    found = simulate(Experiment.parse(replay))
    assert starts(found)[:3] == [600, 4200, 2400]
    assert found.tasks["machine"].tolist()[:3] == [1, 1, 0]
    assert found.summary["counters"]["not_recorded"] == 1
    assert found.summary["recorded_starts"]["error_s"]["max"] == 0
    own = simulate(Experiment.parse(data))
    assert (own.summary["recorded_starts"]["earlier"], own.summary["recorded_starts"]["later"]) == (2, 1)
    assert own.starts is not None
    recorded = [600, 4200, 2400]
    rows = zip(*(own.starts[name].tolist() for name in own.starts.dtype.names or ()), strict=True)
    for row, (job, start, theirs, shift) in enumerate(rows):
        assert (job, theirs, shift) == (row, recorded[row] * 10**9, start - theirs)
        assert start == own.tasks["first_start_ns"][row]
    assert len(own.starts) == 3
    own.write(tmp_path / "out")
    written = pq.read_table(tmp_path / "out" / "starts.parquet")
    assert written.column("shift_ns").to_pylist() == own.starts["shift_ns"].tolist()
    simulation = finished(Experiment.parse(replay))
    assert simulation.decisions()["reason"].tolist() == [AS_RECORDED] * 3
    # Job 1 runs on n1 here, because n2 is out of service when it starts; so job 3 finds n1 full and runs on n2.
    out = [{"at_s": 500, "kind": "fail", "target": {"machine": 1}, "duration_s": 200}]
    moved = finished(Experiment.parse(replay | {"events": out}))
    assert moved.decisions()["reason"].tolist() == [MOVED, MOVED, AS_RECORDED]


@given(data=st.data(), slice_events=st.integers(1, 40))
def test_one_outcome_for_every_slicing_and_no_machine_holds_too_much(data: st.DataObject, slice_events: int) -> None:
    experiment = data.draw(experiments("as-recorded", incidents=True))
    whole = finished(experiment)
    assert over_commitment(whole) <= 0
    sliced = finished(experiment, slice_events=slice_events)
    assert sliced.result is not None
    assert whole.result is not None
    for part in ("outcome_digest", "counters"):
        assert sliced.result.summary[part] == whole.result.summary[part]


@given(data=st.data(), stop=st.integers(1, 100))
def test_a_snapshot_goes_on_to_the_same_outcome(data: st.DataObject, stop: int) -> None:
    experiment = data.draw(experiments("as-recorded", incidents=True))
    whole, first, second = finished(experiment), Simulation(experiment, frames=0), Simulation(experiment, frames=0)
    first.prepare()
    for _ in range(stop):
        first.step()
    second.restore(first.snapshot())
    found = second.finish()
    assert whole.result is not None
    assert found.summary["outcome_digest"] == whole.result.summary["outcome_digest"]


@given(data=st.data())
def test_no_task_starts_before_its_recorded_time(data: st.DataObject) -> None:
    experiment = data.draw(experiments("as-recorded", incidents=True))
    simulation = finished(experiment)
    assert simulation.result is not None
    first, plan = simulation.result.tasks["first_start_ns"], simulation.state.plan["start_ns"]
    began = (first >= 0) & (plan >= 0)
    assert (first[began] >= plan[began]).all()
