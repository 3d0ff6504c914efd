"""Frames and the recordings that hold them."""

from __future__ import annotations

from scheduler_core.recording.file import RecordingReader, RecordingWriter, copy_recording
from scheduler_core.recording.frames import Frame, LayerChange, merge

__all__ = ["Frame", "LayerChange", "RecordingReader", "RecordingWriter", "copy_recording", "merge"]
