"""The command line as a person or a script meets it; in a process of its own where that is what is asked."""

from __future__ import annotations

import contextlib
import io
import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from scheduler_core import SCHEDULERS, Experiment, simulate
from scheduler_core.cli.main import main
from scheduler_core.cli.text import number, percent, seconds, table

ROOT = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "-m", "scheduler_core"]


def cli(*arguments: object, folder: Path = ROOT, **env: str) -> subprocess.CompletedProcess[str]:
    """Run the command to its end; in this process, which has loaded everything, unless variables are given."""
    words = [str(argument) for argument in arguments]
    if env:
        whole = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", **env}
        return subprocess.run(
            [*COMMAND, *words], cwd=folder, capture_output=True, text=True, timeout=240, env=whole, check=False
        )
    said, complained = io.BytesIO(), io.BytesIO()
    out, err = (io.TextIOWrapper(each, encoding="utf-8", write_through=True) for each in (said, complained))
    with contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(words)
    return subprocess.CompletedProcess(words, code, said.getvalue().decode(), complained.getvalue().decode())


def assert_refused(done: subprocess.CompletedProcess[str], *words: str) -> None:
    """Exit 2, nothing on stdout, each word in a line of its own on stderr, no traceback."""
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    for word in words:
        assert any(word in line for line in done.stderr.splitlines()), done.stderr


@pytest.fixture
def data() -> dict[str, Any]:
    return {
        "schema_version": 1,
        "topology": {
            "global_masters": 2,
            "clusters": [{"name": "lm", "repeat": 2, "machines": [{"count": 4, "memory_gb": 2}]}],
        },
        "workload": {"kind": "trace", "path": "traces/small.tr"},
        "scheduler": {"name": "megha", "params": {"heartbeat_s": 5}},
    }


@pytest.fixture
def folder(tmp_path: Path, data: dict[str, Any]) -> Path:
    """A folder with an experiment and the trace that it names."""
    (tmp_path / "traces").mkdir()
    lines = [f"{100 + i * 0.3} {1 + i % 3} 1 {' '.join(['1.5'] * (1 + i % 3))}" for i in range(40)]
    (tmp_path / "traces" / "small.tr").write_text("\n".join(lines) + "\n")
    write(tmp_path, data)
    return tmp_path


def write(folder: Path, data: dict[str, Any]) -> Path:
    path = folder / "experiment.json"
    path.write_text(json.dumps(data))
    return path


def test_run_prints_the_summary_that_python_gives(folder: Path) -> None:
    done = cli("run", folder / "experiment.json", "--json")
    assert done.returncode == 0
    assert all(line.startswith("note: ") for line in done.stderr.splitlines())
    summary = json.loads(done.stdout)
    expected = simulate(Experiment.from_file(folder / "experiment.json")).summary
    for key in summary.keys() - {"performance"}:
        assert summary[key] == expected[key], key
    assert summary["tasks"]["completed"] == summary["tasks"]["total"] == 79


def test_run_prints_a_table_for_people(folder: Path) -> None:
    done = cli("run", folder / "experiment.json")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert any(line.startswith("tasks") and "79 of 79 completed" in line for line in lines)
    head = next(line for line in lines if "p99.99" in line)
    row = next(line for line in lines if line.startswith("queueing delay"))
    assert len(row) == len(head)
    assert any(line.startswith("Refused on own machines") for line in lines)
    assert "Time 0 is the first arrival" in done.stderr


def test_a_run_without_completed_jobs_says_so_in_place_of_zero(folder: Path, data: dict[str, Any]) -> None:
    data["stop"] = {"when": "at_s", "at_s": 1e-9}
    (folder / "none.json").write_text(json.dumps(data))
    lines = cli("run", "none.json", folder=folder).stdout.splitlines()
    told = {line.split("  ")[0]: line for line in lines}
    assert told["queueing delay"].endswith("none started")
    assert told["job delay"].endswith("none completed")


def test_run_writes_everything_into_a_folder(folder: Path) -> None:
    out = folder / "new" / "out"
    done = cli("run", folder / "experiment.json", "--out", out, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads((out / "summary.json").read_text()) == json.loads(done.stdout)
    tasks, jobs = pq.read_table(out / "tasks.parquet"), pq.read_table(out / "jobs.parquet")
    assert (tasks.num_rows, jobs.num_rows) == (79, 40)
    assert tasks.column_names[:10] == [
        "job",
        "task",
        "queue",
        "arrival_ns",
        "first_start_ns",
        "last_start_ns",
        "end_ns",
        "machine",
        "attempts",
        "lost_ns",
    ]
    with zipfile.ZipFile(out / "recording.zip") as recording:
        assert recording.testzip() is None
        assert "meta.json" in recording.namelist()


def test_a_run_from_the_columnar_file_has_the_same_outcome(folder: Path, data: dict[str, Any]) -> None:
    done = cli("import-trace", "--format", "sparrow", folder / "traces" / "small.tr", folder / "small.parquet")
    assert done.returncode == 0, done.stderr
    assert "40 jobs, 79 tasks" in done.stdout
    from_text = json.loads(cli("run", folder / "experiment.json", "--json").stdout)
    data["workload"] = {"kind": "trace", "path": "small.parquet"}
    write(folder, data)
    from_columns = json.loads(cli("run", folder / "experiment.json", "--json").stdout)
    assert from_columns["outcome_digest"] == from_text["outcome_digest"]
    assert from_columns["experiment_digest"] != from_text["experiment_digest"]


def test_the_command_line_changes_seed_and_parameters(folder: Path, data: dict[str, Any]) -> None:
    done = cli("run", folder / "experiment.json", "--seed", 7, "--param", "heartbeat_s=3", "--json")
    summary = json.loads(done.stdout)
    data["seed"], data["scheduler"]["params"]["heartbeat_s"] = 7, 3
    assert summary["experiment_digest"] == Experiment.parse(data, base_dir=folder).digest()
    assert summary["seed"] == 7


def test_another_scheduler_leaves_out_the_files_parameters_aloud(folder: Path) -> None:
    done = cli("run", folder / "experiment.json", "--scheduler", "sparrow", "--param", "probe_ratio=3", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["scheduler"] == "sparrow"
    assert "sparrow has no heartbeat_s; left out" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--scheduler", "meghha"], ["scheduler.name", "did you mean 'megha'"]),
        (["--scheduler", "sparrow", "--param", "heartbeat_s=3"], ["scheduler.params.heartbeat_s", "probe_ratio"]),
        (["--param", "heartbeat_s=soon"], ["scheduler.params.heartbeat_s", "'soon'"]),
        (["--param", "heartbeat_s"], ["--param", "name=value"]),
        (["--param", "heartbeat_s=" + "[" * 100_000], ["scheduler.params.heartbeat_s"]),
        (["--seed", "x"], ["seed", "whole number"]),
        (["--seed", "-1"], ["seed"]),
        (["--out", "/proc/nothing/here"], ["--out"]),
        (["--nonsense"], ["--nonsense"]),
    ],
)
def test_arguments_that_cannot_be_are_refused_by_name(folder: Path, arguments: list[str], words: list[str]) -> None:
    assert_refused(cli("run", folder / "experiment.json", *arguments), *words)


@pytest.mark.parametrize("command", [["run"], ["validate"], ["inspect", "--at", "1"], ["explain", "--task", "0"]])
def test_every_command_tells_every_problem_of_a_file(folder: Path, data: dict[str, Any], command: list[str]) -> None:
    data["topology"]["clusters"][0]["machines"][0]["cpus"] = -1
    data["scheduler"]["params"]["hartbeat_s"] = 1
    done = cli(*command, write(folder, data))
    assert_refused(
        done, "CPUs per machine (topology.clusters[0].machines[0].cpus) is -1", "scheduler.params.hartbeat_s"
    )
    assert len(done.stderr.splitlines()) == 2


@pytest.mark.parametrize("text", [b"", b"{", b"\xff\xfe\x00", b"[" * 100_000, b"[1]", b"\x00" * 5_000_000])
def test_a_file_that_is_no_experiment_takes_one_line(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "e.json").write_bytes(text)
    done = cli("validate", tmp_path / "e.json")
    assert_refused(done)
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["inspect", "experiment.json", "--at", "soon"], "--at"),
        (["inspect", "experiment.json", "--at", "nan"], "--at"),
        (["inspect", "experiment.json", "--at", "-1"], "--at"),
        (["explain", "experiment.json", "--task", "first"], "--task"),
        (["explain", "experiment.json", "--task", "79"], "task"),
        (["run", "absent.json"], "absent.json"),
        (["run", "."], "."),
        ([], "COMMAND"),
        (["walk"], "walk"),
        (["import-trace", "absent.tr", "out.parquet"], "absent.tr"),
        (["import-trace", "--format", "sparow", "traces/small.tr", "out.parquet"], "did you mean 'sparrow'"),
        (["import-trace", "traces/small.tr", "absent/out.parquet"], "absent/out.parquet"),
        (["import-trace", "traces/small.tr", "traces/../traces/small.tr"], "is the file to read"),
        (["import-trace", "experiment.json", "out.parquet"], "known format"),
    ],
)
def test_what_cannot_be_done_is_said_without_a_traceback(folder: Path, arguments: list[str], word: str) -> None:
    assert_refused(cli(*arguments, folder=folder), word)
    assert not (folder / "out.parquet").exists()


def test_bad_lines_of_a_trace_are_told_by_number(folder: Path) -> None:
    trace = folder / "traces" / "small.tr"
    trace.write_text(trace.read_text() + "1 2 3\nx 1 1 1\n")
    assert_refused(
        cli("run", folder / "experiment.json"), "workload.path: line 41: announces 2 tasks", "line 42: arrival is 'x'"
    )
    assert_refused(cli("import-trace", trace, folder / "out.parquet"), "line 41: announces", "line 42: arrival")


def test_a_feature_that_the_scheduler_does_not_honor_is_refused_at_run_time_only(
    folder: Path, data: dict[str, Any]
) -> None:
    if SCHEDULERS[0].supports >= {"pooled", "dag"}:
        pytest.skip(f"{SCHEDULERS[0].name} honors everything")
    data["topology"]["pooled"] = True
    data["scheduler"] = {"name": SCHEDULERS[0].name}
    path = write(folder, data)
    valid = cli("validate", path)
    assert valid.returncode == 0
    assert "topology.pooled" in valid.stderr
    assert_refused(cli("run", path), "topology.pooled")


def test_validate_is_quick_because_it_loads_no_compiled_code(folder: Path) -> None:
    code = (
        "import sys; from scheduler_core.cli import main; code = main(['validate', 'experiment.json']); "
        "print(sorted({'numba', 'llvmlite', 'pyarrow', 'pandas', 'scipy'} & set(sys.modules))); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "[]"


def test_schema_and_lists_are_json(folder: Path) -> None:
    schema = json.loads(cli("schema").stdout)
    assert schema["properties"]["schema_version"]["const"] == 1
    listed = json.loads(cli("schedulers", "--json").stdout)
    assert [one["name"] for one in listed] == [spec.name for spec in SCHEDULERS]
    megha = next(one for one in listed if one["name"] == "megha")
    heartbeat = next(parameter for parameter in megha["parameters"] if parameter["name"] == "heartbeat_s")
    assert (heartbeat["type"], heartbeat["default"]) == ("number", 10)
    assert heartbeat["help"]
    assert "above" in heartbeat or "min" in heartbeat
    assert megha["counters"]
    assert megha["reasons"]
    assert megha["paper"]
    assert {reader["name"] for reader in json.loads(cli("traces", "--json").stdout)} >= {"sparrow", "columnar"}


def test_schedulers_and_traces_read_as_text() -> None:
    text = cli("schedulers").stdout
    assert all(f"{spec.name}: {spec.label}" in text for spec in SCHEDULERS)
    assert "heartbeat_s=10" in text
    assert "sparrow: " in cli("traces").stdout


def test_inspect_and_explain_tell_the_state_and_the_reasons(folder: Path) -> None:
    state = json.loads(cli("inspect", folder / "experiment.json", "--at", 5, "--json").stdout)
    assert state["machines"]["total"] == 8
    assert sum(state["tasks"].values()) == 79
    lines = cli("inspect", folder / "experiment.json", "--at", 5).stdout.splitlines()
    assert lines[0] == "time: 5.00 s"
    assert f"  Refused on own machines: {state['counters']['inconsistencies_internal']:,}" in lines
    told = json.loads(cli("explain", folder / "experiment.json", "--task", 3, "--json").stdout)
    assert told["state"] == "done"
    assert told["decisions"]
    text = cli("explain", folder / "experiment.json", "--task", 3).stdout
    assert told["decisions"][-1]["sentence"] in text
    assert "  queue at scheduler: " in text
    assert "framework_queuing" not in text


def endless(folder: Path, data: dict[str, Any]) -> Path:
    """An experiment that takes minutes, of little work: its masters tell each other their state all the time."""
    data["workload"] = {
        "kind": "synthetic",
        "jobs": 20_000,
        "arrivals": {"kind": "poisson", "offered_load": 0.5},
        "duration_s": {"kind": "exponential", "mean": 100},
    }
    data["scheduler"]["params"] = {"heartbeat_s": 0.001, "request_us": 0, "send_ns": 0, "update_us": 0, "apply_ns": 0}
    return write(folder, data)


def started(process: subprocess.Popen[bytes], terminal: int, word: bytes, deadline_s: float = 120) -> bytes:
    """Read a terminal until a word appears on it."""
    seen, end = b"", time.monotonic() + deadline_s
    while word not in seen:
        assert time.monotonic() < end, seen
        assert process.poll() is None, seen
        if select.select([terminal], [], [], 0.2)[0]:
            seen += os.read(terminal, 4096)
    return seen


@pytest.mark.slow
def test_ctrl_c_ends_a_run_cleanly_and_the_terminal_shows_progress(folder: Path, data: dict[str, Any]) -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "run", str(endless(folder, data)), "--json"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        # A shell that starts the tests in the background lets them, and so all they start, ignore Ctrl-C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    os.close(theirs)
    try:
        shown = started(process, ours, b"% done")
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        while select.select([ours], [], [], 0)[0]:
            try:
                shown += os.read(ours, 4096)
            except OSError:
                break
    finally:
        process.kill()
        os.close(ours)
    assert process.returncode == 130
    assert out == b""
    assert b"Traceback" not in shown
    assert b"interrupted" in shown


def test_a_reader_that_goes_away_ends_the_output_quietly() -> None:
    process = subprocess.Popen(
        [*COMMAND, "schema"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(timeout=60) == 141
    process.stderr.close()


@pytest.mark.slow
def test_a_terminal_without_unicode_is_no_fault(folder: Path) -> None:
    done = cli("run", folder / "experiment.json", PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr
    assert "?s" in done.stdout


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0 s"),
        (1.5, "1.50 s"),
        (0.9996, "1.00 s"),
        (0.0123, "12.3 ms"),
        (1e-7, "0.100 µs"),
        (12_345.6, "12,300 s"),
        (None, "–"),
        (float("nan"), "–"),
        (99.96, "100 s"),
        (0.00099949, "999 µs"),
    ],
)
def test_times_have_a_unit_and_three_digits(value: float | None, text: str) -> None:
    assert seconds(value) == text


def test_numbers_and_tables_are_aligned() -> None:
    assert number(1234567) == "1,234,567"
    assert number(0.1) == "0.100"
    assert percent(0.12345) == "12.3 %"
    assert table([["a", "1"], ["long", "20"]]) == "a      1\nlong  20"
