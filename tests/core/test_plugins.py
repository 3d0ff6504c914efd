"""Schedulers from one file outside the project: what they decide, what an experiment holds of them, their errors."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scheduler_core import SCHEDULERS, Experiment, ExperimentError, explain, load_plugin, outcome_code, simulate
from scheduler_core.cli.main import main
from scheduler_core.run.driver import Simulation
from scheduler_core.schedulers.plugin import loading
from tests.tiers import wide

PROJECT = Path(__file__).resolve().parents[2]
FILES = PROJECT / "fixtures" / "plugins"
TUTORIAL = PROJECT / "docs" / "tutorials" / "one-file-scheduler.md"

ROOM = "    free = [machine for machine in machines if machine.has_room]\n"


@pytest.fixture(autouse=True)
def _nothing_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test begins without plugins and leaves none behind."""
    monkeypatch.setattr(loading, "_loaded", {})
    monkeypatch.setattr(loading, "_looked", True)
    monkeypatch.delenv(loading.ENVIRONMENT, raising=False)


@pytest.fixture
def write(tmp_path: Path) -> Any:
    """Write a plugin's file; a text without `def` is the body of `choose`."""

    def written(name: str, text: str) -> Path:
        path = tmp_path / f"{name}.py"
        path.write_text(text if "def " in text else f"def choose(task, machines):\n{text}")
        return path

    return written


def experiment(scheduler: str, *, machines: int = 5, tasks: int = 60, **changes: Any) -> Experiment:
    jobs = [
        {"arrival_s": at, "durations_s": [1 + (at * 7 + k) % 5 for k in range(3)], "demand": {"cpus": 1 + at % 2}}
        for at in range(tasks // 3)
    ]
    data = {
        "schema_version": 1,
        "topology": {
            "clusters": [
                {"name": "c", "racks": min(2, machines), "machines": [{"count": machines, "cpus": 2, "memory_gb": 4}]}
            ]
        },
        "workload": {"kind": "inline", "jobs": jobs},
        "scheduler": {"name": scheduler},
    }
    return Experiment.parse(data | changes)


def problem_in(found: pytest.ExceptionInfo[ExperimentError]) -> str:
    return str(found.value)


# -- what they decide


def test_the_tutorial_is_the_file_and_its_task_goes_where_the_fewest_are() -> None:
    page = re.findall(r"^```python\n(.*?)^```$", TUTORIAL.read_text(), re.DOTALL | re.MULTILINE)
    assert page[0] == (FILES / "fewest.py").read_text()
    load_plugin(FILES / "fewest.py")
    simulation = Simulation(experiment("fewest"), frames=0)
    list(simulation.run())
    sent = [row for row in simulation.decisions() if row["reason"] == 10]
    tasks, task_of = [0] * 5, simulation.world.task
    ends: list[tuple[int, int]] = []
    for row in sent:
        for end, machine in [each for each in ends if each[0] <= row["t_ns"]]:
            tasks[machine] -= 1
            ends.remove((end, machine))
        assert row["x"] == min(tasks) == tasks[row["machine"]]
        assert row["machine"] == tasks.index(min(tasks))
        tasks[row["machine"]] += 1
        ends.append((int(task_of[row["task"]]["end_ns"]), int(row["machine"])))
    assert len(sent) == 60


@wide
def test_every_file_of_the_tutorial_runs(write: Any) -> None:
    for number, text in enumerate(
        re.findall(r"^```python\n(.*?)^```$", TUTORIAL.read_text(), re.DOTALL | re.MULTILINE)
    ):
        spec = load_plugin(write(f"page{number}", text))
        assert simulate(experiment(spec.name)).summary["tasks"]["completed"] == 60


@wide
def test_the_whole_event_loop_decides_as_the_template_of_which_it_is_a_copy() -> None:
    load_plugin(FILES / "two_choices.py")
    ours, theirs = (simulate(experiment(name, machines=9)) for name in ("two-choices", "template"))
    assert ours.summary["outcome_digest"] == theirs.summary["outcome_digest"]


def test_compiled_and_plain_choose_the_same(write: Any) -> None:
    text = (
        "def choose(task, machines, least=0.0):\n    best, most = -1, least\n    for machine in machines:\n"
        "        if machine.has_room and machine.free_cpus + machine.draw > most:\n"
        "            best, most = machine.number, machine.free_cpus + machine.draw\n    return best\n"
    )
    load_plugin(write("plain", text))
    load_plugin(write("quick", f"COMPILED = True\n\n\n{text}"))
    plain, quick = (simulate(experiment(name)) for name in ("plain", "quick"))
    assert plain.summary["outcome_digest"] == quick.summary["outcome_digest"]
    assert plain.summary["counters"]["declined"] > 0


def test_a_task_without_a_machine_waits_first_come_first_served_and_its_wait_is_the_schedulers(write: Any) -> None:
    load_plugin(write("room", ROOM + "    return free[0] if free else None"))
    result = simulate(experiment("room", machines=2))
    starts = result.tasks["first_start_ns"]
    assert (starts[1:] >= starts[:-1]).all(), "nobody overtakes"
    parts = result.summary["delay_components_s"]
    assert parts["framework_queuing"]["max"] > 1
    assert parts["worker_queuing"]["max"] == 0
    assert parts["communication"]["max"] == pytest.approx(0.0005)
    total = sum(
        result.tasks[f"{part}_ns"] for part in ("framework_queuing", "processing", "communication", "worker_queuing")
    )
    assert (total == starts - result.tasks["arrival_ns"]).all()


def test_with_look_ahead_a_small_task_overtakes_one_that_waits(write: Any) -> None:
    load_plugin(write("room", ROOM + "    return free[0] if free else None"))
    scheduler = {"name": "room", "params": {"look_ahead": 8}}
    starts = simulate(experiment("room", machines=2).with_(scheduler=scheduler)).tasks["first_start_ns"]
    assert (starts[1:] < starts[:-1]).any()


def test_failures_slices_and_snapshots_change_no_outcome(write: Any) -> None:
    load_plugin(write("room", ROOM + "    return free[0] if free else None"))
    events = [
        {"at_s": 4, "kind": "fail", "target": {"machine": 0}, "duration_s": 3},
        {"at_s": 5, "kind": "drain", "target": {"rack": 1}, "duration_s": 4},
    ]
    given = experiment("room", machines=4, events=events)
    whole = simulate(given)
    assert whole.summary["tasks"]["completed"] == 60
    assert whole.summary["lost_work_s"] > 0
    sliced = Simulation(given, frames=9, slice_events=1)
    list(sliced.run())
    assert sliced.result is not None
    assert sliced.result.summary["outcome_digest"] == whole.summary["outcome_digest"]


def test_explain_tells_where_a_task_waits_and_why_it_went_where_it_is(write: Any) -> None:
    load_plugin(write("room", ROOM + "    return free[0] if free else None"))
    given = experiment("room", machines=1)
    told = explain(given, 50)
    assert any("choose took machine 0" in decision["sentence"] for decision in told["decisions"])
    assert "choose gave no machine" in explain(given, 3, 1.9)["answer"]
    assert "behind" in explain(given, 30, 11.0)["answer"]


# -- what an experiment holds of them


def test_a_plugin_is_listed_with_its_parameters_and_its_file_is_in_the_digest(write: Any) -> None:
    text = "def choose(task, machines, most=4):\n    return machines[0]"
    spec = load_plugin(write("mine", text))
    assert spec in list(SCHEDULERS)
    assert spec.params.in_order() == ["most", "look_ahead"]
    before, code = experiment("mine"), outcome_code("mine")
    assert before.to_dict()["scheduler"]["plugin_sha256"] == loading.plugins()[0].sha256
    load_plugin(write("mine", text.replace("machines[0]", "machines[-1]")))
    after = experiment("mine")
    assert before.digest() != after.digest()
    assert code != outcome_code("mine")
    assert simulate(after).tasks["machine"].tolist() == [4] * 60
    assert "plugin_sha256" not in {k for k, v in experiment("sparrow").to_dict()["scheduler"].items() if v}


def test_an_experiment_names_the_file_that_is_missing_or_another_one(write: Any) -> None:
    load_plugin(write("mine", "    return machines[0]"))
    data = experiment("mine").to_dict()
    load_plugin(write("mine", "    return machines[1]"))
    with pytest.raises(ExperimentError) as found:
        Experiment.parse(data)
    assert "scheduler.plugin_sha256" in problem_in(found)
    assert "load the file that the experiment was made with" in problem_in(found)
    loading._loaded.clear()
    with pytest.raises(ExperimentError) as found:
        Experiment.parse(data)
    assert "names the plugin 'mine', whose file is not here" in problem_in(found)
    assert "--plugin FILE.py" in problem_in(found)


def test_an_entry_point_is_listed_and_loaded_only_when_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "offered.py").write_text("def choose(task, machines):\n    return machines[0]\n")
    about = tmp_path / "offered-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: offered\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[{loading.GROUP}]\nfirst-always = offered\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert main(["schedulers"]) == 0
    assert "first-always: a plugin of offered" in capsys.readouterr().out
    assert loading.plugins() == ()
    assert simulate(experiment("first-always")).summary["scheduler"] == "first-always"
    loading._loaded.clear()
    monkeypatch.setenv(loading.ENVIRONMENT, "")
    with pytest.raises(ExperimentError, match="no scheduler is called"):
        experiment("first-always")


# -- their errors


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def choose(task, machines)\n    return", "mine.py, line 1: is not Python"),
        ("import nosuchthing\ndef choose(task, machines): pass", "mine.py, line 1: ModuleNotFoundError"),
        ("def choose(machines, task): pass", "mine.py, line 1: the arguments of choose"),
        ("def choose(task, machines, name='x'): pass", "'name' cannot be a parameter"),
        ("def choose(task, machines, look_ahead=3): pass", "rename it"),
        ("def select(task, machines): pass", "mine.py: defines no scheduler"),
        ("SPEC = 3\ndef other(): pass", "mine.py: SPEC is not a SchedulerSpec"),
    ],
)
def test_a_file_that_cannot_be_used_names_its_line(write: Any, text: str, said: str) -> None:
    with pytest.raises(ExperimentError) as found:
        load_plugin(write("mine", text))
    assert said in problem_in(found)


def test_a_plugin_does_not_take_the_place_of_another_scheduler(write: Any, tmp_path: Path) -> None:
    with pytest.raises(ExperimentError, match=r"the name of a built-in scheduler; rename the file"):
        load_plugin(write("megha", "    return None"))
    load_plugin(write("mine", "    return None"))
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "mine.py").write_text("def choose(task, machines):\n    return None\n")
    with pytest.raises(ExperimentError, match=r"belongs to mine.py, which is loaded already"):
        load_plugin(tmp_path / "other" / "mine.py")
    with pytest.raises(ExperimentError, match="cannot be read: No such file"):
        load_plugin(tmp_path / "nowhere.py")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("    return machines[7]", "mine.py, line 2: IndexError: the list has 5 machines, and place 7 was asked"),
        ("    return min(machines, key=lambda machine: machine.task)", "did you mean 'tasks'? (in <lambda>, task 0"),
        ("    return int(machines.free_cpu.argmin())", "did you mean 'free_cpus'? (in choose, task 0)"),
        ("    return task.cpu", "a task has no 'cpu'; did you mean 'cpus'?"),
        (
            "    return 4711",
            "mine.py, line 1: choose returned 4,711, and no machine of its list has this number (task 0)",
        ),
        ("    return 'four'", "choose returned 'four', which is not a machine"),
        ("COMPILED = True\ndef choose(task, machines):\n    return machines[0].fre_cpus", "mine.py, line 3"),
        ("COMPILED = True\ndef choose(task, machines):\n    return 'a' + 1", "mine.py, line 3: cannot be compiled"),
    ],
)
def test_an_error_of_choose_names_the_line_the_task_and_what_is_allowed(write: Any, text: str, said: str) -> None:
    load_plugin(write("mine", text))
    with pytest.raises(ExperimentError) as found:
        simulate(experiment("mine"))
    assert said in problem_in(found)
    assert len(problem_in(found).splitlines()) == 1


def _command(file: Path, name: str, tmp_path: Path, *more: str) -> subprocess.CompletedProcess[str]:
    import json

    (tmp_path / "it.json").write_text(json.dumps(experiment("sparrow").to_dict()))
    line = [sys.executable, "-m", "scheduler_core", "run", "it.json", "--plugin", str(file), "--scheduler", name, *more]
    return subprocess.run(
        line,
        cwd=tmp_path,
        env={**_environment(), "PYTHONPATH": str(PROJECT)},
        capture_output=True,
        text=True,
        check=False,
    )


def _environment() -> dict[str, str]:
    import os

    return {key: value for key, value in os.environ.items() if not key.startswith("SCHEDULER_CORE_C")}


@pytest.mark.slow
def test_checked_names_the_array_the_line_the_task_and_the_machine(write: Any, tmp_path: Path) -> None:
    loop = (FILES / "two_choices.py").read_text()
    drawn = "s.line[machine].length"
    bad = write("bad", loop.replace(drawn, "s.line[machine + 50_000_000].length"))
    done = _command(bad, "two-choices", tmp_path, "--checked")
    assert done.returncode == 2
    told = done.stderr.splitlines()[-1]
    line = next(number for number, text in enumerate(bad.read_text().splitlines(), 1) if "50_000_000" in text)
    assert re.match(rf"bad\.py, line {line}: s\.line has no row 50,000,00\d \(in place, task 0, machine \d\);", told), (
        told
    )
    assert "allowed: rows 0 to 5" in told
    assert "Traceback" not in done.stderr
    negative = write("bad", loop.replace(drawn, "s.line[machine - 9].length"))
    assert "s.line has no row -" in _command(negative, "two-choices", tmp_path, "--checked").stderr


@wide
def test_compiled_code_that_ends_the_program_leads_to_checked(write: Any, tmp_path: Path) -> None:
    file = write("mine", "COMPILED = True\ndef choose(task, machines):\n    return machines[10**12].number")
    done = _command(file, "mine", tmp_path)
    assert done.returncode == 70
    assert "--checked to see the line" in done.stderr
    done = _command(file, "mine", tmp_path, "--checked")
    assert done.returncode == 2
    assert "mine.py, line 3: IndexError" in done.stderr


def test_a_run_in_which_nothing_is_sent_says_so(write: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import json

    (tmp_path / "it.json").write_text(json.dumps(experiment("sparrow").to_dict()))
    file = write("idle", "    return None")
    assert main(["run", str(tmp_path / "it.json"), "--plugin", str(file), "--scheduler", "idle"]) == 3
    said = capsys.readouterr().err
    assert "choose gave no machine to any of 20 questions: none of 60 tasks has started." in said
    assert main(["run", str(tmp_path / "it.json"), "--checked"]) == 2
    assert "--checked: needs a plugin" in capsys.readouterr().err
