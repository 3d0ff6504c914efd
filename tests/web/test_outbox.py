"""The one-place queue of a socket: nothing missed, nothing twice, and a bound on what is under way."""

from __future__ import annotations

import numpy as np
import redis.asyncio
from hypothesis import given
from hypothesis import strategies as st

from playground.runs.live.outbox import (
    MOST_WAITING,
    MOST_WAITING_EACH,
    PATIENCE_S,
    SILENT_ACK_S,
    WINDOW_FRAMES,
    Outbox,
    WireFrame,
)
from playground.runs.live.pump import Listener, Pump
from scheduler_core import Frame, LayerChange


def frame(seq: int, *, key: bool | None = None) -> WireFrame:
    """Return a frame in which machine `seq % 4` of two layers changes to `seq`; every eighth is complete."""
    is_key = seq % 8 == 0 if key is None else key
    value = np.array([seq % 256], np.uint8)
    change = LayerChange(index=np.array([seq % 4], np.uint32), value=value)
    whole = LayerChange(full=np.full(4, seq % 256, np.uint8))
    layers = dict.fromkeys(("owner", "load"), whole if is_key else change)
    return WireFrame.of(
        Frame(seq, seq, seq * 10, is_key, "running", {"events": seq}, layers=layers, marks=[[seq, 0, 0, 0]])
    )


def sent(outbox: Outbox, now: float) -> list[Frame]:
    out = []
    while (data := outbox.take(now)) is not None:
        out.append(Frame.decode(data))
    return out


def covered(frames: list[Frame]) -> list[int]:
    return [seq for got in frames for seq in range(got.from_seq, got.seq + 1)]


def test_frames_pass_as_they_are_while_the_viewer_keeps_up() -> None:
    outbox = Outbox(after=-1)
    for seq in range(5):
        outbox.offer(frame(seq), now=0.0)
    got = sent(outbox, now=0.0)
    assert [(one.from_seq, one.seq) for one in got] == [(seq, seq) for seq in range(5)]


def test_what_the_viewer_has_is_not_sent_again() -> None:
    outbox = Outbox(after=2)
    for seq in range(5):
        outbox.offer(frame(seq), now=0.0)
    assert covered(sent(outbox, now=0.0)) == [3, 4]


def test_no_more_than_a_window_is_under_way_until_it_is_acknowledged() -> None:
    outbox = Outbox(after=-1)
    outbox.ack(-1)
    for seq in range(WINDOW_FRAMES + 10):
        outbox.offer(frame(seq), now=0.0)
    assert len(sent(outbox, now=0.0)) == WINDOW_FRAMES
    assert sent(outbox, now=1.0) == []
    outbox.ack(4)
    assert len(sent(outbox, now=1.0)) == 5


def test_a_silent_viewer_is_sent_more_after_a_moment() -> None:
    outbox = Outbox(after=-1)
    for seq in range(WINDOW_FRAMES + 10):
        outbox.offer(frame(seq), now=0.0)
    assert len(sent(outbox, now=0.0)) == WINDOW_FRAMES
    assert len(sent(outbox, now=2 * SILENT_ACK_S)) == 10


def test_what_waited_too_long_becomes_one_frame_with_everything_in_it() -> None:
    outbox = Outbox(after=-1)
    outbox.ack(-1)
    last = WINDOW_FRAMES + 19
    for seq in range(last + 1):
        outbox.offer(frame(seq), now=0.0)
    sent(outbox, now=0.0)
    outbox.ack(WINDOW_FRAMES - 1)
    (merged,) = sent(outbox, now=PATIENCE_S + 1)
    assert (merged.from_seq, merged.seq, merged.counters) == (WINDOW_FRAMES, last, {"events": last})
    assert [mark[0] for mark in merged.marks] == list(range(WINDOW_FRAMES, last + 1))


def test_after_a_gap_a_key_frame_stands_for_what_is_lost() -> None:
    outbox = Outbox(after=-1)
    for seq in (5, 6, 7, 8, 9):
        outbox.offer(frame(seq), now=0.0)
    got = sent(outbox, now=0.0)
    assert [(one.from_seq, one.seq, one.key) for one in got] == [(0, 8, True), (9, 9, False)]


def test_a_layer_that_is_added_later_begins_with_a_key_frame() -> None:
    outbox = Outbox(after=-1)
    outbox.subscribe(["load"])
    outbox.offer(frame(0), now=0.0)
    assert sent(outbox, now=0.0)[0].layers.keys() == {"load"}
    outbox.subscribe(["load", "owner"])
    for seq in range(1, 10):
        outbox.offer(frame(seq), now=0.0)
    got = sent(outbox, now=0.0)
    assert [sorted(one.layers) for one in got] == [["load"]] * 7 + [["load", "owner"]] * 2


@given(
    after=st.integers(-1, 30),
    steps=st.lists(st.tuples(st.integers(1, 12), st.floats(0, 3), st.booleans()), min_size=1, max_size=30),
)
def test_every_number_is_covered_once_whatever_the_pace(after: int, steps: list[tuple[int, float, bool]]) -> None:
    outbox, now, seq, got = Outbox(after), 0.0, 0, []
    for count, pause, acks in steps:
        for _ in range(count):
            outbox.offer(frame(seq), now)
            # Repeats of what was offered change nothing.
            outbox.offer(frame(max(0, seq - 3)), now)
            seq += 1
        now += pause
        got += sent(outbox, now)
        if acks and got:
            outbox.ack(got[-1].seq)
    for _ in range(MOST_WAITING):
        if outbox.empty:
            break
        now += 1.0
        if got:
            outbox.ack(got[-1].seq)
        got += sent(outbox, now)
    assert covered(got) == list(range(after + 1, seq))


def test_a_reader_of_each_frame_gets_none_that_stands_for_several() -> None:
    outbox = Outbox(-1, each=True)
    outbox.ack(-1)
    got: list[Frame] = []
    for seq in range(WINDOW_FRAMES * 3):
        outbox.offer(frame(seq), now=float(seq))
    while not outbox.empty:
        got += sent(outbox, now=1_000_000.0)
        outbox.ack(got[-1].seq)
    assert [(each.from_seq, each.seq) for each in got] == [(seq, seq) for seq in range(WINDOW_FRAMES * 3)]


def test_a_reader_of_each_frame_that_is_late_goes_back_to_what_is_kept() -> None:
    pump, late, viewer = Pump("a-run", redis.asyncio.Redis()), Listener(Outbox(-1, each=True)), Listener(Outbox(-1))
    pump.listeners = {late, viewer}
    late.caught_up = viewer.caught_up = True
    for seq in range(MOST_WAITING_EACH + 100):
        pump._hand_out([(f"{seq + 1}-0".encode(), {b"k": b"0", b"f": frame(seq).data})])
    assert (late.caught_up, late.outbox.next_seq) == (False, MOST_WAITING_EACH)
    assert (viewer.caught_up, viewer.outbox.next_seq) == (True, MOST_WAITING_EACH + 100)


def test_what_is_merged_stays_within_the_size_of_a_frame() -> None:
    outbox = Outbox(after=-1)
    outbox.ack(-1)
    for seq in range(WINDOW_FRAMES + 40):
        # Each changes machines of its own, so that nothing is saved by merging.
        index = np.arange(seq * 20_000, (seq + 1) * 20_000, dtype=np.uint32)
        change = LayerChange(index=index, value=np.zeros(20_000, np.uint8))
        outbox.offer(WireFrame.of(Frame(seq, seq, seq, seq == 0, "running", {}, layers={"load": change})), now=0.0)
    got: list[bytes] = []
    while (data := outbox.take(PATIENCE_S + 1)) is not None:
        got.append(data)
        outbox.ack(Frame.decode(data).seq)
    frames = [Frame.decode(data) for data in got]
    assert covered(frames) == list(range(WINDOW_FRAMES + 40))
    assert max(len(data) for data in got) <= 1 << 20
    assert len(frames) < WINDOW_FRAMES
