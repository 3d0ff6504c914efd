"""The frames that one socket must still receive: their order, and a limit on those in flight.

The server cannot feel a slow connection (what it sends is buffered below it), so a viewer says what it has: `ack`. Not
more than a window is on its way; frames that wait too long are merged into one, so that a slow viewer is late by less
than its own pace and nobody waits for it. For a viewer that never says anything, what was sent counts as received
after a moment: the window becomes a bound on the rate. A program that analyzes frames asks for each of them: nothing is
merged for it, and while much waits it reads the run's kept frames instead of the newest.
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from scheduler_core import Frame, merge
from scheduler_core.recording.frames import MAX_FRAME_BYTES

WINDOW_FRAMES = 64
WINDOW_BYTES = 4_000_000
#: Frames that wait longer than this become one.
PATIENCE_S = 2.0
#: A silent viewer's frames count as received after this.
SILENT_ACK_S = 0.1
#: Frames that may wait (all sockets of a process share their bytes) before the outbox merges them.
MOST_WAITING = 1024
#: Frames that may wait for a reader of each of them before it gets no new ones.
MOST_WAITING_EACH = 256


@dataclass(frozen=True, slots=True)
class WireFrame:
    """An encoded frame that covers `from_seq .. seq`."""

    from_seq: int
    seq: int
    key: bool
    data: bytes

    @classmethod
    def of(cls, frame: Frame) -> WireFrame:
        return cls(frame.from_seq, frame.seq, frame.key, frame.encode())


class Outbox:
    """The one-place queue of a socket. Times are seconds of a clock that does not go back."""

    def __init__(self, after: int, *, each: bool = False) -> None:
        self.next_seq = after + 1
        self._each = each
        self._waiting: deque[tuple[float, WireFrame]] = deque()
        self._under_way: deque[tuple[float, WireFrame]] = deque()
        self._bytes_under_way = 0
        self._viewer_acks = False
        self._layers: frozenset[str] | None = None
        self._complete_layers: frozenset[str] = frozenset()

    def offer(self, frame: WireFrame, now: float) -> None:
        """Queue a frame; what was queued before is dropped, and after a gap nothing counts until a key frame."""
        if frame.seq < self.next_seq:
            return
        if frame.from_seq > self.next_seq:
            if not frame.key:
                return
            # A key frame needs nothing before it, so it may stand for the lost numbers.
            frame = _covering(frame, self.next_seq)
        self._waiting.append((now, frame))
        self.next_seq = frame.seq + 1

    def take(self, now: float) -> bytes | None:
        """Return the next message to send, None when there is none or the window is full."""
        self._forget_received(now)
        if not self._waiting or not self._window_open():
            return None
        if len(self._waiting) > 1 and self._is_late(now):
            self._merge_waiting(now)
        _, frame = self._waiting.popleft()
        self._under_way.append((now, frame))
        self._bytes_under_way += len(frame.data)
        return self._filtered(frame)

    def ack(self, seq: int) -> None:
        """Note that the viewer has everything up to `seq`."""
        self._viewer_acks = True
        while self._under_way and self._under_way[0][1].seq <= seq:
            self._received()

    def subscribe(self, layers: Iterable[str]) -> None:
        """Send only these layers from now on; one that was not sent before begins with the next key frame."""
        wanted = frozenset(layers)
        self._complete_layers = wanted if self._layers is None else wanted & self._complete_layers
        self._layers = wanted

    @property
    def empty(self) -> bool:
        return not self._waiting

    @property
    def full(self) -> bool:
        """Whether a reader of each frame should get no new ones until it has taken those that wait."""
        return self._each and len(self._waiting) >= MOST_WAITING_EACH

    @property
    def may_send(self) -> bool:
        return self._window_open()

    def _is_late(self, now: float) -> bool:
        late = now - self._waiting[0][0] > PATIENCE_S or len(self._waiting) > MOST_WAITING
        return late and not self._each

    def _merge_waiting(self, now: float) -> None:
        """Merge the waiting frames into one, or into several if one would exceed the size limit."""
        merged: deque[tuple[float, WireFrame]] = deque()
        while self._waiting:
            part = [self._waiting.popleft()[1]]
            size = len(part[0].data)
            # A merged frame is never larger than its parts together.
            while self._waiting and (size := size + len(self._waiting[0][1].data)) <= MAX_FRAME_BYTES:
                part.append(self._waiting.popleft()[1])
            merged.append((now, _merged(tuple(part))))
        self._waiting = merged

    def _window_open(self) -> bool:
        return len(self._under_way) < WINDOW_FRAMES and self._bytes_under_way < WINDOW_BYTES

    def _forget_received(self, now: float) -> None:
        if self._viewer_acks:
            return
        while self._under_way and now - self._under_way[0][0] > SILENT_ACK_S:
            self._received()

    def _received(self) -> None:
        self._bytes_under_way -= len(self._under_way.popleft()[1].data)

    def _filtered(self, frame: WireFrame) -> bytes:
        if self._layers is None:
            return frame.data
        if frame.key:
            self._complete_layers = self._layers
        return _only(frame, self._complete_layers)


# Late viewers are late by the same frames, and viewers of one page choose the same layers: one viewer's merged frame
# serves the others. Without this a server that falls behind would fall further behind with every merge.
@functools.lru_cache(maxsize=16)
def _merged(frames: tuple[WireFrame, ...]) -> WireFrame:
    return frames[0] if len(frames) == 1 else WireFrame.of(merge([Frame.decode(frame.data) for frame in frames]))


@functools.lru_cache(maxsize=32)
def _only(frame: WireFrame, layers: frozenset[str]) -> bytes:
    return Frame.decode(frame.data).only(layers).encode()


def _covering(frame: WireFrame, from_seq: int) -> WireFrame:
    """Return a key frame that stands for everything from `from_seq` on."""
    wire = Frame.decode(frame.data).to_wire() | {"from_seq": from_seq}
    return WireFrame.of(Frame.from_wire(wire))
