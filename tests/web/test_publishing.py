"""Frames on their way into a run's stream: several in one call, each once, and all of them where a run breaks off."""

from __future__ import annotations

from contextlib import suppress
from types import SimpleNamespace
from typing import Any, cast

import pytest

from playground.runs.live import publishing
from playground.runs.live.publishing import Publishing
from playground.runs.live.store import last_published, seq_of
from playground.storage.connections import client
from playground.storage.keys import frames_key
from scheduler_core import Frame

pytestmark = pytest.mark.redis


def frame(seq: int) -> Frame:
    return cast(Frame, SimpleNamespace(seq=seq, key=seq == 0, encode=lambda: b"frame %d" % seq))


def published(stream: str) -> list[tuple[int, bytes]]:
    entries = cast("list[tuple[bytes, dict[bytes, bytes]]]", client().xrange(frames_key(stream)))
    return [(seq_of(name), fields[b"f"]) for name, fields in entries]


def test_the_first_frame_goes_at_once_and_a_broken_run_leaves_none_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publishing, "_EVERY_S", 3600.0)
    client().delete(frames_key("publishing"))
    calls: list[int] = []
    sent = publishing.store.publish_frames
    monkeypatch.setattr(publishing.store, "publish_frames", lambda *given: (calls.append(len(given[1])), sent(*given)))
    with suppress(InterruptedError), Publishing("publishing") as one:
        one.add(frame(0))
        assert last_published("publishing") == 0
        for seq in range(1, 5):
            one.add(frame(seq))
        raise InterruptedError
    assert calls == [1, 4]
    assert published("publishing") == [(seq, b"frame %d" % seq) for seq in range(5)]


def test_a_run_that_is_taken_over_repeats_its_frames_and_none_enters_twice() -> None:
    client().delete(frames_key("publishing"))
    with Publishing("publishing") as one, Publishing("publishing") as other:
        for each in (one, other):
            for seq in range(3):
                each.add(frame(seq))
    with Publishing("publishing") as later:
        later.add(cast(Any, SimpleNamespace(seq=1)))  # is not even encoded
        later.add(frame(3))
    assert [seq for seq, _ in published("publishing")] == [0, 1, 2, 3]
