"""An excerpt of a recording plays the same pictures in fewer bytes, and says what it left out."""

from __future__ import annotations

import io
from functools import cache

import pytest

from scheduler_core import Experiment, RecordingReader, RunView, Simulation, excerpt, merge
from tests.support import small_experiment


@cache
def recording() -> bytes:
    """Return the recording of a small run, with many frames."""
    simulation = Simulation(Experiment.parse(small_experiment()), frames=60)
    for _ in simulation.run():
        pass
    file = io.BytesIO()
    RunView(simulation).write_recording(file)
    return file.getvalue()


def test_a_recording_that_fits_keeps_every_frame_and_the_track_and_leaves_the_tables() -> None:
    part = excerpt(io.BytesIO(recording()), len(recording()))
    with RecordingReader(io.BytesIO(recording())) as whole, RecordingReader(io.BytesIO(part.content)) as short:
        assert (part.frames, part.frames_recorded, part.has_track) == (whole.count, whole.count, True)
        assert [frame.encode() for frame in short.frames()] == [frame.encode() for frame in whole.frames()]
        assert (short.track(), short.summary) == (whole.track(), whole.summary)
        with pytest.raises(KeyError):
            short.decisions()


def test_where_room_is_short_frames_are_joined_and_end_in_the_same_picture() -> None:
    whole = excerpt(io.BytesIO(recording()), len(recording()))
    bare = excerpt(io.BytesIO(recording()), len(whole.content) - 1)
    assert (bare.frames, bare.has_track) == (whole.frames, False)
    part = excerpt(io.BytesIO(recording()), len(bare.content) - 1)
    assert len(part.content) < len(bare.content)
    assert part.frames < part.frames_recorded
    assert not part.has_track
    with RecordingReader(io.BytesIO(recording())) as full, RecordingReader(io.BytesIO(part.content)) as short:
        assert merge(list(full.frames())).encode() == merge(list(short.frames())).encode()


def test_what_never_fits_is_refused() -> None:
    with pytest.raises(ValueError, match="no excerpt of this recording has at most 100 bytes"):
        excerpt(io.BytesIO(recording()), 100)
