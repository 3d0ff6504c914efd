"""How a run ends: all work done, by its stop rule, or stuck; and what the command line says of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scheduler_core import SCHEDULERS, Experiment, simulate
from scheduler_core.cli.main import main
from tests.core.experiments import by_loop

ONE_CPU = {"cpus": 1, "memory_gb": 0}


def made(scheduler: str = "random-queue", **more: Any) -> dict[str, Any]:
    jobs = [{"arrival_s": number, "durations_s": [5.0, 5.0], "demand": ONE_CPU} for number in range(3)]
    return {
        "schema_version": 1,
        "topology": {"clusters": [{"name": "c", "machines": [{"count": 2, "cpus": 2, "memory_gb": 4}]}]},
        "workload": {"kind": "inline", "jobs": jobs},
        "scheduler": {"name": scheduler},
    } | more


def with_job(**job: Any) -> dict[str, Any]:
    data = made()
    data["workload"]["jobs"].append({"arrival_s": 1, "durations_s": [1.0], "demand": ONE_CPU} | job)
    return data


ALL_FAIL = [{"at_s": 2, "kind": "fail", "target": {"cluster": "c"}}]


@pytest.mark.parametrize("scheduler", by_loop([spec.name for spec in SCHEDULERS]))
def test_a_run_says_how_it_ended(scheduler: str) -> None:
    assert simulate(Experiment.parse(made(scheduler))).summary["finished"] == "drained"
    stopped = made(scheduler, stop={"when": "at_s", "at_s": 3})
    assert simulate(Experiment.parse(stopped)).summary["finished"] == "stopped-at"
    failed = simulate(Experiment.parse(made(scheduler, events=ALL_FAIL))).summary
    assert failed["tasks"]["completed"] < 6
    assert failed["finished"] == "stuck"
    assert sum(group["tasks"] for group in failed["waiting_groups"]) == 6 - failed["tasks"]["completed"]
    assert all("out of service" in group["reason"] for group in failed["waiting_groups"])


def test_a_number_of_tasks_stops_a_run() -> None:
    data = made(stop={"when": "tasks", "tasks": 2})
    assert simulate(Experiment.parse(data)).summary["finished"] == "stopped-at"


def test_tasks_that_no_machine_can_run_wait_for_ever() -> None:
    summary = simulate(Experiment.parse(with_job(demand={"cpus": 3, "memory_gb": 0}))).summary
    assert summary["finished"] == "stuck"
    assert [(group["tasks"], group["first_task"]) for group in summary["waiting_groups"]] == [(1, 4)]
    assert summary["waiting_groups"][0]["reason"].startswith("Each needs 3 CPUs. No machine can run them")


def test_a_gang_that_never_fits_is_stuck_with_its_reason() -> None:
    data = with_job(durations_s=[1.0] * 9, gang=True)
    summary = simulate(Experiment.parse(data)).summary
    assert (summary["finished"], summary["tasks"]["completed"]) == ("stuck", 6)


def test_the_command_line_exits_with_3_and_names_the_groups(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "stuck.json"
    path.write_text(json.dumps(with_job(demand={"cpus": 3, "memory_gb": 0})))
    assert main(["run", str(path), "--json"]) == 3
    told = capsys.readouterr()
    assert json.loads(told.out)["finished"] == "stuck"
    assert "stuck: tasks wait, and nothing will ever change." in told.err
    assert "1 task from task 4 on: Each needs 3 CPUs." in told.err
    path.write_text(json.dumps(made()))
    assert main(["run", str(path)]) == 0
