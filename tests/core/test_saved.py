"""A run that is put aside and taken up again makes the frames and the outcome of one that was never disturbed."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from scheduler_core import (
    Experiment,
    OtherVersion,
    RecordingReader,
    RunView,
    Simulation,
    load_simulation,
    save_simulation,
)
from tests.core.experiments import LOOPS
from tests.core.test_determinism import loaded
from tests.tiers import all_but_wide, sampled, wide

pytestmark = pytest.mark.slow


class Enough(Exception):
    pass


def put_aside(experiment: Experiment, path: Path, *, calls: int, slice_events: int = 50_000) -> Simulation:
    """Simulate until `on_slice` was called so often, and save there."""
    simulation = Simulation(experiment, frames=60, slice_events=slice_events)
    left = calls

    def stop(at: Simulation) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            save_simulation(at, path)
            raise Enough

    with pytest.raises(Enough):
        for _ in simulation.run(stop):
            pass
    return simulation


def recorded(simulation: Simulation, path: Path) -> dict[str, Any]:
    """Run to the end; what the recording holds, without what depends on the clock."""
    for _ in simulation.run():
        pass
    RunView(simulation).write_recording(path)
    with RecordingReader(path) as reader:
        frames = [frame.to_wire() for frame in reader.frames()]
        decisions = reader.decisions().to_pylist()
    frames[-1]["end"].pop("performance")
    with zipfile.ZipFile(path) as archive:
        return {"index": archive.read("index.json"), "frames": frames, "decisions": decisions}


STOPS = all_but_wide([(1, 50_000), (20, 50_000), (33, 50_000), (45, 37), (120, 11)], [(20, 50_000), (45, 37)])


@pytest.mark.parametrize(("calls", "slice_events"), STOPS)
@pytest.mark.parametrize("scheduler", sampled(LOOPS, 2))
def test_every_frame_is_as_without_a_pause(tmp_path: Path, scheduler: str, calls: int, slice_events: int) -> None:
    experiment = Experiment.parse(loaded(scheduler))
    undisturbed = Simulation(experiment, frames=60)
    expected = recorded(undisturbed, tmp_path / "whole.zip")
    stopped = put_aside(experiment, tmp_path / "saved", calls=calls, slice_events=slice_events)
    again = Simulation(experiment, frames=60)
    load_simulation(again, tmp_path / "saved")
    assert again.now_ns == stopped.now_ns
    found = recorded(again, tmp_path / "again.zip")
    assert undisturbed.result is not None
    assert again.result is not None
    assert again.result.summary["outcome_digest"] == undisturbed.result.summary["outcome_digest"]
    assert found == expected
    assert again.wall_s > stopped.wall_s


def test_the_frames_so_far_can_be_read_from_the_file(tmp_path: Path) -> None:
    put_aside(Experiment.parse(loaded("megha")), tmp_path / "saved", calls=40)
    with RecordingReader(tmp_path / "saved") as reader:
        assert [frame.seq for frame in reader.frames()] == list(range(reader.count))
        assert reader.count == 40
        assert reader.meta["machines"] == 60


def test_a_snapshot_between_two_frames_repeats_none(tmp_path: Path) -> None:
    experiment = Experiment.parse(loaded("megha"))
    simulation = Simulation(experiment, frames=60)
    times = []
    for frame in simulation.run():
        times.append(frame.t_ns)
        if len(times) == 10:
            save_simulation(simulation, tmp_path / "saved")
    again = Simulation(experiment, frames=60)
    load_simulation(again, tmp_path / "saved")
    assert [frame.t_ns for frame in again.run()] == times[10:]


@wide
def test_another_process_goes_on_with_it(tmp_path: Path) -> None:
    experiment = Experiment.parse(loaded("megha"))
    put_aside(experiment, tmp_path / "saved", calls=25)
    (tmp_path / "experiment.json").write_text(json.dumps(experiment.to_dict()))
    code = (
        "import sys; from pathlib import Path; from scheduler_core import Experiment, Simulation, load_simulation\n"
        f"folder = Path({str(tmp_path)!r})\n"
        "s = Simulation(Experiment.from_file(folder / 'experiment.json'), frames=60)\n"
        "load_simulation(s, folder / 'saved')\n"
        "list(s.run()); print(s.result.summary['outcome_digest'])"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    whole = Simulation(experiment, frames=0)
    list(whole.run())
    assert whole.result is not None
    assert done.stdout.strip() == whole.result.summary["outcome_digest"]


def changed(source: Path, target: Path, **header: Any) -> None:
    """Copy a saved run with another header."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            new.writestr(name, json.dumps(json.loads(data) | header) if name == "saved.json" else data)


def test_what_cannot_be_gone_on_with_is_refused_and_the_reason_said(tmp_path: Path) -> None:
    experiment = Experiment.parse(loaded("megha"))
    put_aside(experiment, tmp_path / "saved", calls=5)
    changed(tmp_path / "saved", tmp_path / "old", core_version="0.0.9")
    with pytest.raises(OtherVersion, match=r"put aside by version 0\.0\.9 .*, this is "):
        load_simulation(Simulation(experiment), tmp_path / "old")
    changed(tmp_path / "saved", tmp_path / "edited", sources="0" * 16)
    with pytest.raises(OtherVersion, match="only the same version"):
        load_simulation(Simulation(experiment), tmp_path / "edited")
    with pytest.raises(ValueError, match="another experiment"):
        load_simulation(Simulation(Experiment.parse(loaded("megha") | {"seed": 2})), tmp_path / "saved")
    (tmp_path / "torn").write_bytes((tmp_path / "saved").read_bytes()[:2000])
    with pytest.raises(ValueError, match="not a saved run"):
        load_simulation(Simulation(experiment), tmp_path / "torn")
