"""What a task tells of its job's probes: each way thought out by hand, and the same run as without asking."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scheduler_core import explain
from scheduler_core.cli.main import main
from scheduler_core.explanation.probes import MOST_TOLD
from tests.core.test_hawk import BEHIND_A_LONG_ONE, ONE_PROBE, small


def ways(told: dict[str, Any]) -> list[list[tuple[int, int, str]]]:
    """(worker, entries in front, what became of it there) at each stop of each probe."""
    return [[(stop["worker"], stop["ahead"], stop["end"]) for stop in row["stops"]] for row in told["rows"]]


def test_a_stolen_probe_waited_in_two_queues() -> None:
    told = explain(small(2, BEHIND_A_LONG_ONE, **ONE_PROBE), 3)["probes"]
    assert (told["total"], told["counts"]) == (2, {"given": 2})
    assert ways(told) == [[(0, 0, "taken over"), (1, 0, "given")], [(1, 0, "given")]]
    won, other = told["rows"]
    assert (won["won"], won["tasks"], other["won"], other["tasks"]) == (True, [3], False, [2])
    assert [round(stop["waited_s"], 3) for stop in won["stops"]] == [20.003, 0]
    assert won["sentence"].startswith("Waited 20 s at worker 0, taken over from there; then was served at once at")
    assert told["why"].startswith(
        "It was number 2 of the 2 tasks for which its job sent 2 probes; 1 task had been given out"
    )


def test_before_it_is_fetched_its_probes_wait_and_a_long_task_has_none() -> None:
    experiment = small(2, BEHIND_A_LONG_ONE, **ONE_PROBE)
    told = explain(experiment, 3, 5.0)["probes"]
    assert ways(told) == [[(0, 0, "waiting")], [(1, 0, "waiting")]]
    assert told["rows"][0]["stops"][0]["waited_s"] is None
    assert told["why"] == "No probe has fetched it yet: 2 of its job's 2 probes wait or are in transit."
    assert explain(experiment, 0)["probes"] is None


def test_a_worker_with_a_long_task_refuses() -> None:
    """Worker 0 is for short jobs, worker 1 has a long task: the probe that comes there goes on to worker 0."""
    jobs = [{"arrival_s": 0, "durations_s": [100.0]}, {"arrival_s": 1, "durations_s": [5.0, 5.0]}]
    experiment = small(2, jobs, "eagle", short_cutoff_s=10, long_partition_share=0.5, probe_ratio=1, min_probes=1)
    told = explain(experiment, 2)["probes"]
    refused = [way for way in ways(told) if way[0][2] == "refused"]
    assert refused
    assert all(stop[0] == 1 for stop in refused[0][:-1])
    assert refused[0][-1][0] == 0
    assert sorted(task for row in told["rows"] for task in row["tasks"]) == [1, 2]


def test_probes_in_vain_answers_and_probes_called_back() -> None:
    jobs = [{"arrival_s": 0, "durations_s": [1.0] * 4}, {"arrival_s": 0.1, "durations_s": [1.0]}]
    late = explain(small(4, jobs, "sparrow", probe_ratio=4), 4)["probes"]
    assert late["counts"] == {"given": 1, "in vain": 3}
    assert late["total"] == 4
    assert late["rows"][0]["won"]
    assert late["rows"][0]["tasks"] == [4]
    early = explain(small(4, jobs, "sparrow", probe_ratio=4, late_binding=False), 4)["probes"]
    assert [way[-1][2] for way in ways(early)] == ["given", "answered", "answered", "answered"]
    assert ways(early)[0][0][2] == "answered"
    assert early["counts"] == {"given": 1, "answered": 3}
    assert "in front; the shortest probed queue had" in early["why"]
    jobs[0] |= {"durations_s": [1.0, 2.0, 3.0, 4.0]}
    called = explain(small(4, jobs, "sparrow", probe_ratio=4, cancellation=True), 4)["probes"]
    assert called["counts"] == {"given": 1, "called back": 3}


def test_of_many_probes_the_first_are_told_and_asking_changes_nothing() -> None:
    jobs = [{"arrival_s": 0, "durations_s": [1.0 + (task % 7) for task in range(300)]}]
    told = explain(small(60, jobs, probe_ratio=2), 299)
    assert told["probes"]["total"] == 600
    assert len(told["probes"]["rows"]) == MOST_TOLD
    assert told["state"] == "done"
    assert told["probes"]["rows"][0]["won"]
    fetched = [row["stops"][-1]["waited_s"] for row in told["probes"]["rows"]]
    assert fetched[1:] == sorted(fetched[1:]), "in the order of fetching, as all came at once"


def test_the_command_line_tells_them_and_marks_the_one_that_has_the_task(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "experiment.json"
    file.write_text(json.dumps(small(2, BEHIND_A_LONG_ONE, **ONE_PROBE).to_dict()))
    assert main(["explain", str(file), "--task", "3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    told = next(number for number, line in enumerate(lines) if line.startswith("probes: It was number 2 of the 2"))
    assert lines[told + 1].startswith("  * Waited 20 s at worker 0, taken over from there; then was served")
    assert lines[told + 2 :] == ["  - Waited 19 s at worker 1, fetched task 2."]
