"""The network between hosts and the object store: a relay that can be cut, or made slow."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import suppress
from urllib.parse import urlsplit

from tests.support import free_port

_BLOCK_BYTES = 1 << 16


class Relay:
    """Passes on what comes to its own port; `address` is what hosts are told."""

    def __init__(self, target: str) -> None:
        parts = urlsplit(target)
        assert parts.hostname is not None
        assert parts.port is not None
        self._target, self._port = (parts.hostname, parts.port), free_port()
        self.address = f"http://127.0.0.1:{self._port}"
        #: Bytes of both directions.
        self.passed_bytes = 0
        self._delay_s = 0.0
        self._pairs: set[socket.socket] = set()
        self._open()

    def away(self, seconds: float) -> None:
        """Refuse connections, and end those that are open."""
        self._close()
        time.sleep(seconds)
        self._open()

    def slow(self, seconds: float, delay_s: float) -> None:
        """Hold every block of bytes back for a while."""
        self._delay_s = delay_s
        time.sleep(seconds)
        self._delay_s = 0.0

    def _open(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", self._port), backlog=64)
        threading.Thread(target=self._accept, args=(self._listening,), daemon=True).start()

    def _close(self) -> None:
        # A close alone does not wake the thread that waits in accept.
        for each in [self._listening, *self._pairs]:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _accept(self, listening: socket.socket) -> None:
        with suppress(OSError):
            while True:
                here, _ = listening.accept()
                there = socket.create_connection(self._target)
                self._pairs |= {here, there}
                for pair in ((here, there), (there, here)):
                    threading.Thread(target=self._pass_on, args=pair, daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(_BLOCK_BYTES):
                time.sleep(self._delay_s)
                target.sendall(data)
                self.passed_bytes += len(data)
        for each in (source, target):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
            self._pairs.discard(each)
