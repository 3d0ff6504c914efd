"""The packed start of a run: the page's scripts go on from it in node, to the library's result."""

from __future__ import annotations

import dataclasses
import json
import subprocess
from pathlib import Path
from typing import Any

import numba
import pytest

from scheduler_core import Experiment, ExperimentError, simulate
from scheduler_core.engine.wasm import packed
from scheduler_core.engine.wasm.server import STAYS
from scheduler_core.limits import DEFAULT_LIMITS, Limits
from scheduler_core.run.start_file import StartFile, start_file
from tests.core.engines import of_module
from tests.node import node
from tests.support import PROJECT, small_experiment
from tests.tiers import wide

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")  # type: ignore[attr-defined]

ROOMY = dataclasses.replace(DEFAULT_LIMITS, page_bytes=2_000_000_000)
MODULES = packed.manifest()
IN_PAGES = sorted(MODULES.keys() - {each.kernel for each in STAYS})


def in_node(folder: Path, starts: dict[str, StartFile]) -> dict[str, dict[str, Any]]:
    """Return what the page's scripts tell of each run."""
    files = {built.file: built for built in packed.manifest().values()}
    for name, start in starts.items():
        (folder / f"{name}.start").write_bytes(start.content)
        (folder / start.module).write_bytes(packed.module_bytes(files[start.module]))
    command = [node(), str(PROJECT / "tests" / "data" / "run_start_file.mjs"), str(folder), *starts]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return {told["name"]: told for told in map(json.loads, done.stdout.splitlines())}


def check(folder: Path, experiments: dict[str, Experiment], limits: Limits = ROOMY) -> None:
    starts = {name: start_file(each, limits=limits) for name, each in experiments.items()}
    told = in_node(folder, starts)
    for name, experiment in experiments.items():
        summary = simulate(experiment, engine="wasmtime").summary
        assert told[name]["digest"] == summary["outcome_digest"] == told[name]["told"], name
        counters = summary["counters"]
        assert [told[name][each] for each in ("events", "messages")] == [counters["events"], counters["messages"]]
        assert told[name]["tasks_done"] == summary["tasks"]["completed"]


def experiment_of(scheduler: dict[str, Any], **more: Any) -> Experiment:
    return Experiment.parse(small_experiment() | {"scheduler": scheduler} | more)


@pytest.mark.slow
def test_page_ends_with_the_library_s_outcome(tmp_path: Path) -> None:
    """The pool of probes grows, one loop takes five arguments, a machine fails, and a time ends the run."""
    many = small_experiment()["workload"] | {"jobs": 6_000}
    fault = {"at_s": 2, "kind": "fail", "target": {"machine": 1}, "duration_s": 3}
    check(
        tmp_path,
        {
            "grows": experiment_of({"name": "sparrow"}, workload=many),
            "five": experiment_of({"name": "kubernetes"}),
            "fails": experiment_of({"name": "megha"}, events=[fault]),
            "stops": experiment_of({"name": "fifo"}, stop={"when": "at_s", "at_s": 3}),
        },
    )


@wide
@pytest.mark.parametrize("kernel", IN_PAGES)
def test_every_event_loop_ends_in_a_page_s_scripts_with_the_library_s_outcome(kernel: str, tmp_path: Path) -> None:
    check(tmp_path, {"run": of_module(kernel)})


@pytest.mark.slow
def test_loops_with_several_buffers_get_room_in_the_one_that_was_full(tmp_path: Path) -> None:
    """Before the first event no buffer is full, so a loop cannot tell which one its run enlarges later."""
    runs = {name: experiment_of({"name": name}) for name in ("eagle", "phoenix")}
    check(tmp_path, runs, DEFAULT_LIMITS)


def test_start_is_small_and_the_same_each_time() -> None:
    many = small_experiment()["workload"] | {"jobs": 20_000}
    experiment = experiment_of({"name": "sparrow"}, workload=many)
    first = start_file(experiment)
    assert len(first.content) < 500_000  # one task a job, each with an arrival: 400 KB; with jobs of 8 tasks 130 KB
    assert first == start_file(experiment)


@pytest.mark.parametrize("scheduler", ["tetrisched", "quincy"])
def test_a_loop_that_asks_python_is_refused(scheduler: str) -> None:
    with pytest.raises(ExperimentError) as caught:
        start_file(experiment_of({"name": scheduler}))
    (problem,) = caught.value.problems
    assert problem.path == "scheduler"
    assert "asks the server in mid-run" in problem.message


@pytest.mark.parametrize("limit", ["page_tasks", "page_machines", "page_bytes"])
def test_a_start_above_a_limit_names_it(limit: str) -> None:
    with pytest.raises(ExperimentError) as caught:
        start_file(experiment_of({"name": "megha"}), limits=dataclasses.replace(DEFAULT_LIMITS, **{limit: 2}))
    assert [f"limit '{limit}'" in problem.allowed for problem in caught.value.problems] == [True]
