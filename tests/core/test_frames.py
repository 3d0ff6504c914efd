"""Frames, merging, the recording file, and what a viewer can rebuild from them."""

from __future__ import annotations

import io
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import Experiment, Frame, RecordingReader, RunView, Simulation, describe, merge, stream
from scheduler_core.engine.incidents import held
from scheduler_core.engine.records import DECISION, histogram_edges_ns
from scheduler_core.engine.tasks import delay_bin
from scheduler_core.recording.builder import Grid
from scheduler_core.recording.decisions import DecisionLog
from tests.core.experiments import LOOPS, experiments
from tests.core.test_determinism import loaded
from tests.tiers import examples, sampled, wide

pytestmark = pytest.mark.slow


class Viewer:
    """The plainest viewer: applies frames one after another."""

    def __init__(self) -> None:
        self.layers: dict[str, np.ndarray[Any, Any]] = {}
        self.bins: dict[int, int] = {}
        self.counters: dict[str, int] = {}
        self.points: list[Any] = []
        self.marks: list[Any] = []
        self.next_seq = 0

    def take(self, frame: Frame) -> Viewer:
        assert frame.from_seq == self.next_seq
        self.next_seq = frame.seq + 1
        for name, change in frame.layers.items():
            if change.full is not None:
                self.layers[name] = change.full.copy()
            else:
                self.layers[name][change.index] = change.value
        hist = frame.hist["allocation_delay"]
        self.bins |= dict(zip(hist["idx"], hist["val"], strict=True))
        self.counters |= frame.counters
        self.points += [(name, *point) for name, points in frame.series.items() for point in points]
        self.marks += frame.marks
        return self

    def picture(self) -> Any:
        return {name: layer.tolist() for name, layer in self.layers.items()}, self.bins, self.counters


def frames_of(experiment: Experiment, frames: int = 80) -> list[Frame]:
    return list(stream(experiment, frames))


@pytest.mark.parametrize("scheduler", sampled(LOOPS, 4))
def test_frames_survive_the_wire(scheduler: str) -> None:
    for frame in frames_of(Experiment.parse(loaded(scheduler)), 40):
        again = Frame.decode(frame.encode())
        assert again.encode() == frame.encode()
        assert again.to_wire() == frame.to_wire()


@examples(40)
@given(experiments(), st.lists(st.integers(1, 9), min_size=1, max_size=30))
def test_merged_frames_show_what_the_single_ones_show(experiment: Experiment, sizes: list[int]) -> None:
    frames = frames_of(experiment, 50)
    one_by_one, merged = Viewer(), Viewer()
    rest = list(frames)
    for size in [*sizes, len(frames)]:
        if rest:
            part, rest = rest[:size], rest[size:]
            merged.take(merge(part))
    for frame in frames:
        one_by_one.take(frame)
    assert merged.picture() == one_by_one.picture()
    assert sorted(merged.points) == sorted(one_by_one.points)
    assert merged.marks == one_by_one.marks
    assert merged.next_seq == one_by_one.next_seq == len(frames)


@pytest.mark.parametrize("scheduler", sampled(LOOPS, 2))
@examples(25)
@given(data=st.data())
def test_every_frame_shows_the_machines_as_they_are(scheduler: str, data: st.DataObject) -> None:
    """Only touched machines are painted between key frames; nothing that changed may be missed."""
    faults = scheduler == "megha"
    experiment = data.draw(experiments(scheduler, profile="paper" if faults else None, incidents=faults))
    simulation = Simulation(experiment, frames=40)
    shown: dict[str, Any] = {}
    for frame in simulation.run():
        everything = np.arange(len(simulation.world.machine), dtype=np.int32)
        for number, layer in enumerate(simulation.layers):
            change = frame.layers.get(layer.name)
            if change is not None and change.full is not None:
                shown[layer.name] = change.full.copy()
            elif change is not None:
                shown[layer.name][change.index] = change.value
            painted = np.zeros(len(everything), np.uint8)
            simulation._protocol.paint(simulation.world, simulation.state, number, everything, painted)
            assert (shown[layer.name] == painted).all(), layer.name
        share = np.array(held(simulation.world)).sum(axis=0) / np.maximum(simulation.world.capacity.sum(axis=0), 1)
        assert frame.series["utilisation"][-1][1] == pytest.approx(share.max())


def test_frames_that_do_not_follow_each_other_are_not_merged() -> None:
    frames = frames_of(Experiment.parse(loaded("megha")), 10)
    with pytest.raises(ValueError, match="does not follow"):
        merge([frames[0], frames[2]])


@pytest.mark.parametrize("scheduler", sampled(LOOPS, 4))
def test_a_key_frame_needs_nothing_before_it(scheduler: str) -> None:
    viewer = Viewer()
    keys = 0
    for frame in frames_of(Experiment.parse(loaded(scheduler)), 100):
        viewer.take(frame)
        if frame.key:
            keys += 1
            alone = Viewer()
            alone.next_seq = frame.from_seq
            layers, bins, counters = alone.take(frame).picture()
            assert (layers, counters) == (viewer.picture()[0], viewer.picture()[2])
            assert bins == {i: n for i, n in viewer.bins.items() if n}
    assert keys > 2


@pytest.mark.parametrize("stop", [1, 3, 8])
def test_a_snapshot_between_frames_keeps_the_marks_for_the_next_one(stop: int) -> None:
    experiment = Experiment.parse(loaded("megha"))
    whole = [mark for frame in frames_of(experiment, 5) for mark in frame.marks]

    class Enough(Exception):
        pass

    slices = 0

    def stop_in_between(_: Simulation) -> None:
        nonlocal slices
        slices += 1
        if slices == stop:
            raise Enough

    first = Simulation(experiment, frames=5, slice_events=300)
    marks: list[Any] = []
    with suppress(Enough):
        for frame in first.run(stop_in_between):
            marks += frame.marks
    assert slices == stop
    second = Simulation(experiment, frames=5)
    second.restore(first.snapshot())
    marks += [mark for frame in second.run() for mark in frame.marks]
    assert whole
    assert marks == whole


@pytest.mark.parametrize("scheduler", sampled(LOOPS, 4))
def test_a_recording_seeks_to_every_frame(scheduler: str, tmp_path: Path) -> None:
    simulation = Simulation(Experiment.parse(loaded(scheduler)), frames=70)
    frames = list(simulation.run())
    RunView(simulation).write_recording(tmp_path / "recording.zip")
    with RecordingReader(tmp_path / "recording.zip") as reader:
        assert reader.count == len(frames)
        assert reader.summary["outcome_digest"] == frames[-1].end["outcome_digest"]  # type: ignore[index]
        assert reader.meta["machines"] == 60
        assert [f.encode() for f in reader.frames(after=40)] == [f.encode() for f in frames[41:]]
        viewer = Viewer()
        for frame in frames:
            viewer.take(frame)
            whole = reader.frame(frame.seq)
            assert whole.key
            assert (whole.seq, whole.from_seq, whole.t_ns) == (frame.seq, frame.seq, frame.t_ns)
            shown = Viewer()
            shown.next_seq = whole.from_seq
            assert shown.take(whole).picture()[0] == viewer.picture()[0]
        with pytest.raises(IndexError):
            reader.frame(len(frames))
        assert reader.decisions().num_rows == len(simulation.decisions())


@pytest.mark.parametrize("data", [b"", b"no zip at all", b"PK\x03\x04 broken"])
def test_what_is_no_recording_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="not a recording"):
        RecordingReader(io.BytesIO(data))


def test_a_zip_without_meta_is_no_recording() -> None:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        archive.writestr("other.txt", "x")
    with pytest.raises(ValueError, match="not a recording"):
        RecordingReader(sink)


@pytest.mark.parametrize("scheduler", sampled(LOOPS, 2))
def test_frames_lie_on_simulated_time_and_agree_with_the_summary(scheduler: str) -> None:
    frames = frames_of(Experiment.parse(loaded(scheduler)), 60)
    assert [f.t_ns for f in frames] == [f.t_ns for f in frames_of(Experiment.parse(loaded(scheduler)), 60)]
    last = frames[-1]
    assert last.state == "done"
    assert last.end is not None
    assert all(frame.end is None for frame in frames[:-1])
    viewer = Viewer()
    for frame in frames:
        viewer.take(frame)
    assert sum(viewer.bins.values()) == last.end["tasks"]["completed"]
    for name, value in last.end["counters"].items():
        assert viewer.counters[name] == value
    if scheduler == "megha":  # a Sparrow worker may still keep room for an answer that will be "nothing left"
        assert (viewer.layers["load"] == 0).all()


@pytest.mark.parametrize("scheduler", sampled(LOOPS, 4))
def test_the_description_declares_what_frames_carry(scheduler: str) -> None:
    experiment = Experiment.parse(loaded(scheduler))
    meta = describe(experiment)
    first = frames_of(experiment, 10)[0]
    assert list(first.layers) == [layer["name"] for layer in meta["layers"]]
    assert set(first.counters) == {counter["name"] for counter in meta["counters"]}
    assert set(first.series) == {series["name"] for series in meta["series"]}
    assert list(first.hist) == [hist["name"] for hist in meta["hists"]]
    assert all(len(change.full) == meta["machines"] for change in first.layers.values() if change.full is not None)
    covered = [
        i for c in meta["clusters"] for p in c["partitions"] for i in range(p["first"], p["first"] + p["machines"])
    ]
    assert covered == list(range(meta["machines"]))


@given(st.integers(0, 2**62))
def test_a_delay_falls_into_the_bin_whose_edges_hold_it(delay_ns: int) -> None:
    edges = histogram_edges_ns()
    assert delay_bin(delay_ns) == int(np.searchsorted(edges, delay_ns, side="right")) - 1


def test_the_grid_doubles_its_step_beyond_the_expected_end() -> None:
    grid = Grid(1200, 16)
    times = []
    for _ in range(17):
        times.append(grid.next_ns)
        grid.advance()
    assert times == [*range(0, 1300, 100), 1400, 1600, 2000, 2400]


@pytest.mark.parametrize("scheduler", sampled(LOOPS, 3))
@pytest.mark.parametrize("offered_load", [1.5, pytest.param(0.0, marks=wide, id="at once")])
def test_about_as_many_frames_as_asked_for(scheduler: str, offered_load: float) -> None:
    data = loaded(scheduler)
    poisson = {"kind": "poisson", "offered_load": offered_load}
    data["workload"]["arrivals"] = poisson if offered_load else {"kind": "at_once"}
    assert 300 <= len(frames_of(Experiment.parse(data), 600)) <= 900


def test_a_bounded_log_keeps_rare_reasons_and_says_what_it_left_out() -> None:
    log = DecisionLog(most_rows=100)
    for number in range(1000):
        row = np.zeros(1, DECISION)
        row["t_ns"], row["reason"] = number, 2 if number % 100 == 0 else 1
        log.add(row)
    rows = log.rows()
    assert len(rows) <= 100
    assert (rows["reason"] == 2).sum() == 10
    assert log.thinned == 1000 - len(rows)
    assert (np.diff(rows["t_ns"]) > 0).all()
