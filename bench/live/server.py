"""A playground of the bench's own: one web process and Redis; where nothing else is said, the bench is its worker."""

from __future__ import annotations

import json
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import redis

from playground.shell.play.redis_server import private_redis_socket
from playground.storage.keys import frames_key

_PROJECT = Path(__file__).resolve().parents[2]
_START_S = 60


@dataclass
class Server:
    """A running playground, and its stream of frames."""

    url: str
    data_dir: Path
    web_pid: int
    redis: redis.Redis

    def new_run(self, experiment: dict[str, Any]) -> dict[str, Any]:
        """Store an experiment and queue a run of it, which nobody executes."""
        made = self.post("/api/v1/experiments", experiment)
        return self.post(f"/api/v1/experiments/{made['id']}/runs", {"fresh": True}, made["owner_token"])

    def ask_preview(self, experiment: dict[str, Any], token: str) -> dict[str, Any]:
        """Ask for a preview as the viewer who has the token."""
        return self.post("/api/v1/previews", experiment, token)

    def post(self, path: str, data: dict[str, Any], token: str = "") -> dict[str, Any]:
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
        request = urllib.request.Request(self.url + path, json.dumps(data).encode(), headers)
        with urllib.request.urlopen(request, timeout=30) as answer:
            found: dict[str, Any] = json.load(answer)
        return found

    def read(self, path: str) -> dict[str, Any]:
        with urllib.request.urlopen(self.url + path, timeout=30) as answer:
            found: dict[str, Any] = json.load(answer)
        return found

    def wait_for(self, run_id: str, seconds: float = 300) -> None:
        """Wait until a run is done. RuntimeError when it ends otherwise or takes longer."""
        deadline = time.monotonic() + seconds
        while (state := self.read(f"/api/v1/runs/{run_id}")["state"]) != "done":
            if state in ("failed", "cancelled") or time.monotonic() > deadline:
                raise RuntimeError(f"the run is {state}")
            time.sleep(0.2)

    def publish(self, run_id: str, seq: int, data: bytes, *, key: bool) -> None:
        self.redis.xadd(frames_key(run_id), {"f": data, "k": b"1" if key else b"0"}, id=f"{seq + 1}-0")

    def cpu_s(self) -> float:
        """Processor seconds of the web process so far."""
        fields = Path(f"/proc/{self.web_pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory_mb(self) -> float:
        pages = int(Path(f"/proc/{self.web_pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


@contextmanager
def serving(*, workers: bool = False, **variables: str) -> Iterator[Server]:
    """Start a playground of its own on a free port, with workers if asked, and settings; it is gone afterwards.

    Nothing compiles beside what is measured: kernels that nobody runs stay as they are.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PLAYGROUND_")}
        process = subprocess.Popen(
            [sys.executable, "manage.py", "play", *(() if workers else ("--no-worker",)), "--port", str(port)],
            cwd=_PROJECT,
            env={
                **kept,
                "PLAYGROUND_DATA_DIR": folder,
                "PLAYGROUND_DEBUG": "false",
                "PLAYGROUND_WARM_KERNELS": "0",
                "PLAYGROUND_SECRET_KEY": secrets.token_urlsafe(32),
                **variables,
            },
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            url = f"http://127.0.0.1:{port}"
            _wait_for(url + ("/readyz" if workers else "/healthz"), process)
            client = redis.Redis(unix_socket_path=str(private_redis_socket(Path(folder))))
            yield Server(url, Path(folder), _web_process(process.pid), client)
        finally:
            process.terminate()
            process.wait(timeout=30)


def _wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _START_S
    while True:
        try:
            urllib.request.urlopen(url, timeout=5).close()
            return
        except OSError:
            if time.monotonic() > deadline or process.poll() is not None:
                raise
            time.sleep(0.1)


def _web_process(supervisor: int) -> int:
    for child in Path(f"/proc/{supervisor}/task/{supervisor}/children").read_text().split():
        if b"daphne" in Path(f"/proc/{child}/cmdline").read_bytes():
            return int(child)
    raise RuntimeError("the web process is not there")
