"""The density of a run agrees with its frames, its table of tasks and its summary."""

from __future__ import annotations

import io
from typing import Any

import pytest

from scheduler_core import RecordingReader, RunView, Simulation
from scheduler_core.recording import file
from scheduler_core.recording.track import numbers
from tests.contracts import kept
from tests.core.test_track import experiment_of

PARTS = ("framework_queuing", "processing", "communication", "worker_queuing")


def run_of(scheduler: str) -> tuple[Simulation, list[int]]:
    """A run that has ended, and how many tasks waited in each of its frames."""
    simulation = Simulation(experiment_of(scheduler), frames=20)
    return simulation, [frame.counters["tasks_waiting"] for frame in simulation.run()]


def table(density: dict[str, Any], name: str) -> Any:
    return numbers(density[name]).reshape(density["count"], -1)


@pytest.mark.parametrize("scheduler", ["sparrow", "eagle", "megha"])
def test_counts_are_those_of_the_frames_and_of_the_table_of_tasks(scheduler: str) -> None:
    simulation, waiting = run_of(scheduler)
    assert simulation.result is not None
    density = kept("density", RunView(simulation).density())
    counted = table(density, "waiting").sum(axis=1) + table(density, "machines")[:, 0]
    assert counted.tolist() == waiting
    assert max(waiting) >= 10
    tasks = simulation.result.tasks
    assert table(density, "arrived").sum() == len(tasks)
    lost = int((tasks["attempts"] - 1).sum())
    assert len(tasks) <= table(density, "started").sum() <= len(tasks) + lost
    assert table(density, "started").any(axis=0).sum() > density["shelves"], "each shelf sends to both clusters"


def test_waits_over_time_add_up_to_those_of_the_summary() -> None:
    simulation, _ = run_of("eagle")
    assert simulation.result is not None
    density = RunView(simulation).density()
    groups = {(group["kind"], group["name"]): group for group in simulation.result.summary["waits"]["groups"]}
    assert {(each["kind"], each["name"]) for each in density["waits"]} == set(groups)
    for each in density["waits"]:
        spent = numbers(each["parts"]).reshape(4, -1).sum(axis=1) / 16 * density["span_ns"] / 1e9
        told = list(groups[each["kind"], each["name"]]["parts_s"].values())
        rounding = density["spans"] * density["span_ns"] / 1e9 / 32
        assert spent == pytest.approx(told, abs=rounding)


def test_a_recording_without_a_track_has_the_density_instead(monkeypatch: pytest.MonkeyPatch) -> None:
    simulation, _ = run_of("sparrow")
    written = io.BytesIO()
    RunView(simulation).write_recording(written)
    with RecordingReader(written) as reader:
        assert reader.density() is None
    monkeypatch.setattr(file, "LEAST_TRACK", 0)
    monkeypatch.setattr(file, "MOST_TRACK", 0)
    RunView(simulation).write_recording(written := io.BytesIO())
    with RecordingReader(written) as reader:
        assert reader.track() is None
        assert reader.density() == RunView(simulation).density()
