"""A page adds failures to a packed start, in node: the outcome and the frames are the library's for that experiment."""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from scheduler_core import Experiment, ExperimentError, Simulation, simulate
from scheduler_core.engine.wasm import packed
from scheduler_core.run.start_file import start_file
from tests.core.engines import of_module
from tests.core.test_start_files import IN_PAGES, ROOMY
from tests.node import node
from tests.support import PROJECT, small_experiment
from tests.tiers import wide

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")  # type: ignore[attr-defined]

Failures = list[dict[str, Any]]


def plain(scheduler: str, **more: Any) -> Experiment:
    return Experiment.parse(small_experiment() | {"scheduler": {"name": scheduler}} | more)


def changed(experiment: Experiment, failures: Failures) -> Experiment:
    """Return what the server is asked: the experiment with the failures at the end of its events."""
    data = experiment.to_dict()
    return Experiment.parse(data | {"events": [*data["events"], *failures]})


def in_node(folder: Path, name: str, experiment: Experiment, wish: dict[str, Any]) -> dict[str, Any]:
    """Return what the page's scripts tell of the touched run."""
    start = start_file(experiment, touchable=True, limits=ROOMY)
    files = {built.file: built for built in packed.manifest().values()}
    (folder / f"{name}.start").write_bytes(start.content)
    (folder / start.module).write_bytes(packed.module_bytes(files[start.module]))
    (folder / f"{name}.json").write_text(json.dumps({"times_ns": [], "step_ns": 10**12, "seq": 0} | wish))
    command = [node(), str(PROJECT / "tests" / "data" / "run_touched.mjs"), str(folder), name]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def by_library(experiment: Experiment) -> str:
    return str(simulate(experiment, engine="wasmtime").summary["outcome_digest"])


@pytest.mark.slow
@pytest.mark.parametrize("scheduler", ["sparrow", "megha"])
def test_a_touched_run_ends_with_the_server_s_outcome(scheduler: str, tmp_path: Path) -> None:
    """The experiment has incidents of its own, one of them at the instant of a touch."""
    own: Failures = [
        {"at_s": 1.5, "kind": "drain", "target": {"machine": 4}, "duration_s": 2},
        {"at_s": 0.7, "kind": "fail", "target": {"machine": 2}, "duration_s": 0.8},
    ]
    touches: Failures = [
        {"at_s": 1.5, "kind": "fail", "target": {"machine": 2}, "duration_s": 0.9},
        {"at_s": 2.125, "kind": "fail", "target": {"rack": 1}},
        {"at_s": 2.6, "kind": "recover", "target": {"rack": 1}},
        *({"at_s": 2.7, "kind": "stop", "target": {"task": task}} for task in range(10, 40)),
        {"at_s": 3.1, "kind": "drain", "target": {"machine": 7}, "duration_s": 1.25},
        {"at_s": 3.2, "kind": "drain", "target": {"machine": 9}},
    ]
    experiment = plain(scheduler, events=own)
    wanted = by_library(changed(experiment, touches))
    assert wanted != by_library(experiment), "the touches change nothing"
    assert in_node(tmp_path, "run", experiment, {"failures": touches})["digest"] == wanted
    assert in_node(tmp_path, "run", experiment, {"failures": []})["digest"] == by_library(experiment)


@wide
@pytest.mark.parametrize("kernel", IN_PAGES)
def test_every_event_loop_that_simulates_faults_can_be_touched(kernel: str, tmp_path: Path) -> None:
    experiment = of_module(kernel)
    result = simulate(experiment, engine="wasmtime")
    last_s, at_s = float(result.summary["makespan_s"]), round(float(result.summary["makespan_s"]) / 6, 3)
    runs = (result.tasks["first_start_ns"] < at_s * 1e9) & (result.tasks["end_ns"] > at_s * 1e9)
    touches: Failures = [
        *({"at_s": at_s, "kind": "stop", "target": {"task": int(task)}} for task in np.flatnonzero(runs)[:9]),
        {"at_s": round(last_s / 4, 3), "kind": "fail", "target": {"machine": 1}, "duration_s": round(last_s / 5, 3)},
        {"at_s": round(last_s / 3, 3), "kind": "fail", "target": {"machine": 0}},
        {"at_s": round(last_s / 2, 3), "kind": "drain", "target": {"machine": 2}, "duration_s": round(last_s / 9, 3)},
    ]
    try:
        start_file(experiment, touchable=True, limits=ROOMY)
    except ExperimentError:
        # No touch is offered where the scheduler simulates no faults: the library refuses the same experiment.
        with pytest.raises(ExperimentError, match="does not support faults"):
            by_library(changed(experiment, touches))
        return
    wanted = by_library(changed(experiment, touches))
    assert in_node(tmp_path, "run", experiment, {"failures": touches})["digest"] == wanted


def recorded(experiment: Experiment) -> list[tuple[Any, ...]]:
    """Return what the library's frames of a run show: time, counters, layers, series and waits."""
    simulation = Simulation(experiment, frames=60, engine="wasmtime")
    shown: dict[str, Any] = {}
    waits: Any = np.zeros(0)
    frames = []
    for frame in simulation.run():
        for name, change in frame.layers.items():
            if change.full is not None:
                shown[name] = change.full.copy()
            else:
                shown[name][change.index] = change.value
        hist = frame.hist["allocation_delay"]
        waits = np.zeros(len(hist["edges"])) if "edges" in hist else waits
        waits[hist["idx"]] = hist["val"]
        layers = {name: hashlib.sha256(values.tobytes()).hexdigest() for name, values in shown.items()}
        series = {name: points[0][1] for name, points in frame.series.items()}
        frames.append((frame.t_ns, frame.counters, layers, series, waits.tolist()))
    return frames


def check_frames(told: list[dict[str, Any]], frames: list[tuple[Any, ...]]) -> None:
    """Fail unless the page's frames show what the library's show."""
    assert len(told) == len(frames) > 10
    for one, (t_ns, counters, layers, series, counts) in zip(told, frames, strict=True):
        assert one["t_ns"] == t_ns
        assert one["counters"].items() <= counters.items(), t_ns
        assert one["layers"] == layers, t_ns
        assert one["series"].items() <= series.items(), t_ns
        assert one["waits"] == counts, t_ns


@pytest.mark.parametrize("scheduler", ["sparrow", "megha"])
def test_frames_of_the_page_are_the_recording_s(scheduler: str, tmp_path: Path) -> None:
    touches: Failures = [{"at_s": 1, "kind": "fail", "target": {"machine": 1}, "duration_s": 1.5}]
    frames = [each for each in recorded(changed(plain(scheduler), touches)) if each[0] > 10**9]
    wish = {"failures": touches, "times_ns": [each[0] for each in frames[:-1]]}
    check_frames(in_node(tmp_path, "run", plain(scheduler), wish)["frames"], frames)


@pytest.mark.slow
@pytest.mark.parametrize("scheduler", ["sparrow", "megha", "hawk", "drf", "kubernetes"])
def test_the_state_after_an_event_does_not_depend_on_the_way_there(scheduler: str, tmp_path: Path) -> None:
    """Event by event, from the end back, and in one go: the same picture; and the run ends as the library's does."""
    failures: Failures = [{"at_s": 2.125, "kind": "fail", "target": {"machine": 3}, "duration_s": 4}]
    experiment = plain(scheduler)
    start = start_file(experiment, touchable=True, limits=ROOMY)
    files = {built.file: built for built in packed.manifest().values()}
    (tmp_path / "run.start").write_bytes(start.content)
    (tmp_path / start.module).write_bytes(packed.module_bytes(files[start.module]))
    (tmp_path / "run.json").write_text(json.dumps(failures))
    command = [node(), str(PROJECT / "tests" / "data" / "run_traveled.mjs"), str(tmp_path), "run"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["digest"] == by_library(changed(experiment, failures))
    assert told["events"] > 1_000, "copies on the way"
    assert (told["alike"], told["again"], told["instant"]) == (True, True, [True, True])
    assert (told["ones"], told["over"]) == (200, True), "one event at a time"
