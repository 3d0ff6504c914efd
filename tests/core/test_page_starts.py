"""What an exported page simulates, in node: the run, and the run under other values of its settings."""

from __future__ import annotations

import gzip
import json
import subprocess
from pathlib import Path
from typing import Any

import numba
import pytest

from scheduler_core import Experiment, ExperimentError, page_start, simulate
from scheduler_core.engine.wasm import packed
from scheduler_core.experiment.settings import PAGE_RUNS, with_own_values
from scheduler_core.limits import DEFAULT_LIMITS
from scheduler_core.run.start_file import start_file
from tests.core.engines import of_module
from tests.core.test_start_files import IN_PAGES, ROOMY
from tests.core.test_touched_runs import check_frames, recorded
from tests.node import node
from tests.support import PROJECT, small_experiment
from tests.tiers import wide

compiles = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")  # type: ignore[attr-defined]

HEARTBEAT = "scheduler.params.heartbeat_s"
LOAD = "workload.arrivals.offered_load"
COUNT = "topology.clusters[0].machines[0].count"


def plain(scheduler: str, params: dict[str, Any] | None = None, **more: Any) -> Experiment:
    return Experiment.parse(small_experiment() | {"scheduler": {"name": scheduler, "params": params or {}}} | more)


def header_of(content: bytes) -> dict[str, Any]:
    unpacked = gzip.decompress(content)
    header: dict[str, Any] = json.loads(unpacked[4 : 4 + int.from_bytes(unpacked[:4], "little")])
    return header


def in_node(folder: Path, content: bytes, wishes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what the page's scripts tell of each wish."""
    (folder / "run.start").write_bytes(content)
    header = header_of(content)
    files = {built.file: built for built in packed.manifest().values()}
    for each in (header, *header.get("variants", ())):
        (folder / each["module"]).write_bytes(packed.module_bytes(files[each["module"]]))
    nothing = {"failures": [], "times_ns": [], "step_ns": 10**12, "seq": 0}
    (folder / "run.json").write_text(json.dumps([nothing | wish for wish in wishes]))
    command = [node(), str(PROJECT / "tests" / "data" / "run_touched.mjs"), str(folder), "run"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def by_library(experiment: Experiment) -> str:
    return str(simulate(experiment, engine="wasmtime").summary["outcome_digest"])


@compiles
@pytest.mark.slow
def test_a_page_gets_the_library_s_outcome_for_each_value_of_its_settings(tmp_path: Path) -> None:
    """Settings change a rule, the arrivals and the machines; a failure is added to one of the runs."""
    experiment = plain("megha")
    made = page_start(experiment, {HEARTBEAT: [1, 60], LOAD: [0.5]}, limits=ROOMY)
    header = header_of(made.content)
    own = experiment.scheduler.params["heartbeat_s"]
    assert header["settings"] == [
        {"path": HEARTBEAT, "values": sorted([1, 60, own]), "own": sorted([1, 60, own]).index(own)},
        {"path": LOAD, "values": [0.5, 0.8], "own": 1},
    ]
    assert len(header["variants"]) == 5
    touch = {"at_s": 2, "kind": "fail", "target": {"machine": 3}, "duration_s": 4}
    runs = []
    for each in header["variants"]:
        values = {one["path"]: one["values"][at] for one, at in zip(header["settings"], each["at"], strict=True)}
        runs.append((each["at"], experiment.with_(values), each["outcome_digest"]))
    wishes = [{"at": at} for at, _, _ in runs] + [{"at": runs[0][0], "failures": [touch]}, {}]
    told = [each["digest"] for each in in_node(tmp_path, made.content, wishes)]
    assert told[:5] == [cited for _, _, cited in runs] == [by_library(changed) for _, changed, _ in runs]
    assert told[5] == by_library(runs[0][1].with_(events=[touch]))
    assert told[6] == made.outcome_digest == by_library(experiment)
    assert len(set(told)) > 4, "hardly a setting changes anything"


@compiles
def test_frames_under_another_value_are_the_recording_s_from_the_first_on(tmp_path: Path) -> None:
    experiment = plain("megha")
    frames = recorded(experiment.with_({HEARTBEAT: 60}))
    made = page_start(experiment, {HEARTBEAT: [60]}, limits=ROOMY)
    wish = {"at": [1], "times_ns": [each[0] for each in frames[:-1]], "edges": [0] * len(frames[0][-1])}
    check_frames(in_node(tmp_path, made.content, [wish])[0]["frames"], frames)


@compiles
def test_values_share_the_columns_that_they_do_not_change() -> None:
    jobs = small_experiment()["workload"] | {"jobs": 5_000}
    experiment = plain("sparrow", workload=jobs)
    alone = len(page_start(experiment, limits=ROOMY).content)
    ratio = page_start(experiment, {"scheduler.params.probe_ratio": [1, 3, 4]}, limits=ROOMY)
    assert len(header_of(ratio.content)["variants"]) == 3
    assert len(ratio.content) < 1.25 * alone


@compiles
def test_a_setting_that_changes_the_machines_changes_the_description_too() -> None:
    experiment = plain("sparrow")
    header = header_of(page_start(experiment, {COUNT: [25]}, limits=ROOMY).content)
    (variant,) = header["variants"]
    assert variant["meta"]["machines"] == 50
    assert [each["machines"] for each in variant["meta"]["clusters"]] == [25, 25]
    assert "scheduler" not in variant["meta"]
    assert "settings" not in header_of(page_start(experiment, limits=ROOMY).content)


@compiles
def test_a_run_whose_scheduler_simulates_no_failures_is_drawn_and_cannot_be_touched(tmp_path: Path) -> None:
    experiment = plain("sparrow", {"profile": "public-simulator"})
    made = page_start(experiment, {LOAD: [0.4]}, limits=ROOMY)
    header = header_of(made.content)
    assert "touch" not in header
    assert next(each["name"] for each in header["drawn"]) == "load"
    told = in_node(tmp_path, made.content, [{"times_ns": [10**9, 2 * 10**9], "edges": [0, 10**9]}])
    assert [each["t_ns"] for each in told[0]["frames"]][:2] == [10**9, 2 * 10**9]


@wide
@compiles
@pytest.mark.parametrize("kernel", IN_PAGES)
def test_every_event_loop_ends_in_an_exported_page_with_the_library_s_outcome(kernel: str, tmp_path: Path) -> None:
    experiment = of_module(kernel)
    made = page_start(experiment, {LOAD: [0.4]}, limits=ROOMY)
    told = [each["digest"] for each in in_node(tmp_path, made.content, [{}, {"at": [0]}])]
    assert told == [by_library(experiment), by_library(experiment.with_({LOAD: 0.4}))]


def test_the_run_s_own_value_takes_part_once_and_numbers_ascend() -> None:
    experiment = plain("sparrow")
    chosen = with_own_values(experiment, {"scheduler.params.probe_ratio": [4, 2, 1.0, 1]})
    assert chosen == {"scheduler.params.probe_ratio": (1.0, 2, 4)}
    switch = with_own_values(experiment, {"scheduler.params.late_binding": [False]})
    assert switch == {"scheduler.params.late_binding": (False, True)}


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({LOAD: [0.01 * each for each in range(1, 70)]}, f"at most {PAGE_RUNS}"),
        ({"scheduler.params.none": [1]}, "this experiment has no scheduler.params.none"),
        ({"workload": [1]}, "holds several values"),
        ({"..": [1]}, "is not a path"),
        ({LOAD: [[1]]}, "give numbers, texts, true or false"),
    ],
)
def test_settings_that_no_page_can_have_are_refused(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(ExperimentError, match=words):
        with_own_values(plain("megha"), settings)


@compiles
def test_a_value_that_the_scheduler_refuses_is_refused_by_its_path() -> None:
    with pytest.raises(ExperimentError) as caught:
        page_start(plain("megha"), {HEARTBEAT: [-1]}, limits=DEFAULT_LIMITS)
    assert [each.path for each in caught.value.problems] == [HEARTBEAT]


@compiles
def test_a_page_start_without_settings_is_the_touchable_start() -> None:
    experiment = plain("sparrow")
    assert page_start(experiment, limits=ROOMY) == start_file(experiment, touchable=True, limits=ROOMY)
