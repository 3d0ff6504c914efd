"""Many viewers in one process: `python -m bench.live.viewers HOST PORT PATH COUNT SECONDS`, a report on stdout.

A client of its own, because it shares two cores with the server: it speaks as much of the WebSocket protocol as the
server uses (short headers, no fragments), reads the numbers at the head of each frame and throws the rest away. It
acknowledges as the page does. Frames carry in `t_ns` when they were published, by a clock that both processes share.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import resource
import statistics
import sys
import time
from typing import Any

import msgpack

_ACK_FRAMES, _ACK_BYTES, _ACK_S = 16, 1_000_000, 1.0
_CONNECTING_AT_ONCE = 50


class Viewer(asyncio.Protocol):
    """One socket: the frames that it got, and whether they follow each other."""

    def __init__(self, path: str, host: str) -> None:
        self.path, self.host = path, host
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.closed = False
        self.buffer = bytearray()
        self.frames = self.merged = self.bytes = self.gaps = 0
        self.last = -1
        self.delays: list[float] = []
        self.measuring = False
        self._unsaid = self._unsaid_bytes = 0
        self._said = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        transport.write(
            f"GET {self.path} HTTP/1.1\r\nHost: {self.host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def connection_lost(self, error: Exception | None) -> None:
        self.closed = True
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("refused"))

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        if self.measuring:
            self.bytes += len(data)
        if not self.opened.done():
            end = self.buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            if b" 101 " not in self.buffer[:20]:
                self.transport.close()
                return
            del self.buffer[: end + 4]
            self.opened.set_result(None)
        while self._take_message():
            pass

    def _take_message(self) -> bool:
        buffer = self.buffer
        if len(buffer) < 10:
            return False
        size, head = buffer[1], 2
        if size == 126:
            size, head = int.from_bytes(buffer[2:4]), 4
        elif size == 127:
            size, head = int.from_bytes(buffer[2:10]), 10
        if len(buffer) < head + size:
            return False
        kind = buffer[0] & 15
        if kind == 2:
            self._frame(bytes(buffer[head : head + 80]), size)
        elif kind == 9:
            self._say(0x8A, bytes(buffer[head : head + size]))
        del buffer[: head + size]
        return True

    def _frame(self, start: bytes, size: int) -> None:
        unpacker = msgpack.Unpacker()
        unpacker.feed(start)
        fields: dict[str, Any] = {}
        for _ in range(min(unpacker.read_map_header(), 4)):
            name = unpacker.unpack()
            fields[name] = unpacker.unpack()
        if "seq" not in fields:
            return
        # The first one may stand for all that was before.
        self.gaps += self.last >= 0 and fields["from_seq"] != self.last + 1
        self.merged += fields["from_seq"] != fields["seq"]
        self.last = fields["seq"]
        now = time.monotonic_ns()
        if self.measuring:
            self.frames += 1
            self.delays.append((now - fields["t_ns"]) / 1e6)
        self._unsaid += 1
        self._unsaid_bytes += size
        if self._unsaid >= _ACK_FRAMES or self._unsaid_bytes >= _ACK_BYTES or now / 1e9 - self._said > _ACK_S:
            self._unsaid = self._unsaid_bytes = 0
            self._said = now / 1e9
            self._say(0x82, msgpack.packb({"ack": self.last}))

    def _say(self, kind: int, payload: bytes) -> None:
        # The mask is nought: nobody has to be kept from guessing these bytes.
        self.transport.write(bytes((kind, 0x80 | len(payload), 0, 0, 0, 0)) + payload)


async def _watch(host: str, port: int, path: str, count: int, seconds: float) -> dict[str, Any]:
    loop = asyncio.get_running_loop()
    gate = asyncio.Semaphore(_CONNECTING_AT_ONCE)
    refused = 0

    async def come() -> Viewer | None:
        nonlocal refused
        async with gate:
            try:
                _, viewer = await loop.create_connection(lambda: Viewer(path, f"{host}:{port}"), host, port)
                async with asyncio.timeout(30):
                    await viewer.opened
            except (OSError, TimeoutError):
                refused += 1
                return None
            return viewer

    viewers = [viewer for viewer in await asyncio.gather(*(come() for _ in range(count))) if viewer is not None]
    print("ready", flush=True)
    await loop.run_in_executor(None, sys.stdin.readline)
    for viewer in viewers:
        viewer.measuring = True
    started, cpu = time.monotonic(), time.process_time()
    await asyncio.sleep(seconds)
    took = time.monotonic() - started
    for viewer in viewers:
        viewer.measuring = False
    delays = sorted(delay for viewer in viewers for delay in viewer.delays) or [float("inf")]
    rates = sorted(viewer.frames / took for viewer in viewers) or [0.0]
    return {
        "viewers": len(viewers),
        "refused": refused,
        "lost": sum(viewer.closed for viewer in viewers),
        "gaps": sum(viewer.gaps for viewer in viewers),
        "merged": sum(viewer.merged for viewer in viewers),
        "least_rate": rates[0],
        "median_rate": statistics.median(rates),
        "mb_s": statistics.median(viewer.bytes / took / 1e6 for viewer in viewers) if viewers else 0.0,
        "p50_ms": delays[len(delays) // 2],
        "p95_ms": delays[int(len(delays) * 0.95)],
        "client_cpu": (time.process_time() - cpu) / took,
    }


def main() -> None:
    host, port, path, count, seconds = sys.argv[1:6]
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    print(json.dumps(asyncio.run(_watch(host, int(port), path, int(count), float(seconds)))), flush=True)


if __name__ == "__main__":
    main()
