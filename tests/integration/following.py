"""A viewer that comes back: as the agreement has it, from the last frame that it used."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import msgpack
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import ClientConnection, connect

from tests.contracts import unpacked
from tests.support import PATIENCE_S

GONE = (ConnectionClosed, InvalidHandshake, OSError, TimeoutError)


@dataclass
class Follower:
    """Follows one run in a thread of its own until it is over, across lost connections."""

    socket_url: str
    after: int = -1
    frames: list[dict[str, Any]] = field(default_factory=list)
    others: list[dict[str, Any]] = field(default_factory=list)
    connections: int = 0
    close_code: int | None = None
    trouble: BaseException | None = None
    given_up: bool = False

    def __post_init__(self) -> None:
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    @property
    def last(self) -> int:
        return int(self.frames[-1]["seq"]) if self.frames else self.after

    @property
    def finished(self) -> bool:
        return bool(self.frames) and "end" in self.frames[-1]

    def covered(self) -> list[int]:
        """Return every frame number that the messages stand for, in their order."""
        return [seq for frame in list(self.frames) for seq in range(frame["from_seq"], frame["seq"] + 1)]

    def wait(self) -> Follower:
        """Wait until the run is over for this viewer; only from here on its time is limited."""
        self._thread.join(PATIENCE_S)
        self.given_up = self._thread.is_alive()
        assert not self.given_up, f"still following at frame {self.last}"
        if self.trouble is not None:
            raise self.trouble
        return self

    def _follow(self) -> None:
        try:
            while not self.given_up and self.close_code not in {1000, 4400, 4404}:
                with suppress(*GONE), connect(f"{self.socket_url}?after={self.last}", max_size=2**24) as socket:
                    self.connections += 1
                    self._listen(socket)
                time.sleep(0.1)  # as any client does, so as not to ask without a pause
        except BaseException as error:
            self.trouble = error

    def _listen(self, socket: ClientConnection) -> None:
        try:
            while True:
                message = unpacked("run-socket", socket.recv(timeout=PATIENCE_S))
                (self.frames if "seq" in message else self.others).append(message)
                if "seq" in message:
                    # After its last frame the server closes: what has come is still to be read.
                    with suppress(ConnectionClosed):
                        socket.send(msgpack.packb({"ack": message["seq"]}))
        except ConnectionClosed:
            self.close_code = socket.close_code


def saw_everything_once(follower: Follower, first: int = 0) -> bool:
    """Say whether the frames stand for every number from `first` to the last frame, each once, and end the run."""
    frames = follower.frames
    return follower.finished and follower.covered() == list(range(first, frames[-1]["seq"] + 1))


def rebuilt(frames: list[dict[str, Any]], machines: int) -> dict[str, bytes]:
    """Apply frames as a page does and return the layers at the end."""
    layers: dict[str, bytearray] = {}
    for frame in frames:
        for name, change in frame["layers"].items():
            if "full" in change:
                layers[name] = bytearray(change["full"])
                assert len(layers[name]) == machines
                continue
            places = memoryview(change["idx"]).cast("I")
            for place, value in zip(places, change["val"], strict=True):
                layers[name][place] = value
    return {name: bytes(layer) for name, layer in layers.items()}
