"""What tests share: waiting with a deadline, and a whole playground of their own."""

from __future__ import annotations

import os
import re
import runpy
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

PROJECT = Path(__file__).resolve().parent.parent
# What comes in a second on a quiet machine is waited for this long: tests run beside others, and none of them times.
PATIENCE_S = 180


def wait_until(holds: Callable[[], Any], *, seconds: float = PATIENCE_S, what: str) -> Any:
    """Poll until `holds()` is true and return what it gave; fail with `what` after `seconds`, at least the patience."""
    seconds = max(seconds, PATIENCE_S)
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = holds()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"after {seconds} s still not so: {what}")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def own_environment(data_dir: Path, **variables: str) -> dict[str, str]:
    """Return the variables of a playground of its own: nothing of the developer's settings is left.

    Tests compile what they run; the other schedulers would take their processor time.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PLAYGROUND_")}
    return {
        **kept,
        "PLAYGROUND_DATA_DIR": str(data_dir),
        "PLAYGROUND_WARM_KERNELS": "0",
        "PLAYGROUND_BUILT_PAGES": "0",  # tests look into modules
        "PLAYGROUND_BUILD_DOCS": "0",  # tests of the documentation build their own
        "PLAYGROUND_KNOWN_RUNS": "0",  # tests watch runs while they are computed
        **variables,
    }


def settings_under(**variables: str) -> dict[str, Any]:
    """Return the settings that a server would have with just these PLAYGROUND_ variables, read in this process."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PLAYGROUND_")}
    with patch.dict(os.environ, plain | variables, clear=True):
        return runpy.run_path(str(PROJECT / "playground" / "settings.py"))


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as response:
            return bool(response.status == 200)
    except (urllib.error.URLError, OSError):
        return False


@dataclass
class Playground:
    """A whole playground of its own: `manage.py play` with its children."""

    process: subprocess.Popen[str]
    url: str
    data_dir: Path
    log: Path

    def children(self) -> dict[str, int]:
        """Return process ids of the supervised children by what their command lines say they are."""
        found = {}
        for pid in children_of(self.process.pid):
            command = command_line(pid)
            for name, mark in (("web", "daphne"), ("runs", "runs@"), ("previews", "previews@"), ("redis", "redis")):
                if mark in command and name not in found:
                    found[name] = pid
        return found

    def stop(self, number: signal.Signals = signal.SIGTERM, *, seconds: float = PATIENCE_S) -> int:
        self.process.send_signal(number)
        return self.process.wait(timeout=seconds)


def command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def children_of(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def descendants_of(pid: int) -> list[int]:
    found = children_of(pid)
    for child in list(found):
        found += descendants_of(child)
    return found


def alive(pid: int) -> bool:
    """Say whether a process runs (one that has ended and waits to be collected does not)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in {"Z", "X"}
    except OSError:
        return False


def start_playground(data_dir: Path, **variables: str) -> Playground:
    port = free_port()
    log = data_dir.with_name(data_dir.name + ".log")
    with log.open("w") as out:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "play", "--port", str(port)],
            cwd=PROJECT,
            env=own_environment(data_dir, **variables),
            stdout=out,
            stderr=subprocess.STDOUT,
            text=True,
        )
    return Playground(process, f"http://127.0.0.1:{port}", data_dir, log)


class MortalRedis:
    """A Redis of a test's own that no supervisor brings back: it is killed, and started again on the same socket."""

    def __init__(self, folder: Path) -> None:
        from playground.shell.play.redis_server import prepare_redis_folder, private_redis_socket

        self.socket = private_redis_socket(folder)
        prepare_redis_folder(self.socket)
        self.start()

    @property
    def url(self) -> str:
        return f"unix://{self.socket}"

    def start(self) -> None:
        from playground.shell.play.redis_server import find_redis_server, redis_arguments

        program = find_redis_server()
        assert program is not None, "the development dependencies bring a redis-server"
        self.socket.unlink(missing_ok=True)
        self.server = subprocess.Popen(redis_arguments(program, self.socket))
        wait_until(self.socket.exists, seconds=10, what="Redis listens")

    def kill(self) -> None:
        self.server.kill()
        self.server.wait(timeout=PATIENCE_S)


@contextmanager
def running_playground(data_dir: Path, **variables: str) -> Iterator[Playground]:
    """Start a playground whose parts may be killed, wait until it is ready, and stop it afterwards."""
    started = start_playground(data_dir, **variables)
    try:
        wait_until(
            lambda: started.process.poll() is not None or answers(started.url + "/readyz"),
            seconds=60,
            what="the playground is ready",
        )
        assert started.process.poll() is None, started.log.read_text()
        yield started
    finally:
        if started.process.poll() is None:
            started.stop()


def chatty_experiment(jobs: int = 40_000) -> dict[str, Any]:
    """Return an experiment of many seconds for few tasks: its masters tell each other their state all the time."""
    small = small_experiment()
    small["workload"]["jobs"] = jobs
    small["scheduler"]["params"] = {"heartbeat_s": 0.0002}
    return small


def small_experiment() -> dict[str, Any]:
    """Return an experiment of a tenth of a second: 40 machines, 300 jobs."""
    return {
        "schema_version": 1,
        "name": "Small",
        "topology": {
            "global_masters": 2,
            "clusters": [{"name": "lm", "repeat": 2, "machines": [{"count": 20, "cpus": 1, "memory_gb": 4}]}],
        },
        "workload": {
            "kind": "synthetic",
            "jobs": 300,
            "arrivals": {"kind": "poisson", "offered_load": 0.8},
            "duration_s": {"kind": "exponential", "mean": 5},
        },
        "scheduler": {"name": "megha"},
    }


def endless_experiment() -> dict[str, Any]:
    """Return an experiment of few tasks and very many messages: it computes until somebody ends it."""
    small = small_experiment()
    return {
        **small,
        "workload": {**small["workload"], "duration_s": {"kind": "constant", "value": 10_000_000}},
        "scheduler": {"name": "megha", "params": {"heartbeat_s": 0.01}},
    }


def planted(text: bytes, words: Iterable[bytes]) -> list[bytes]:
    """Return which words of a cluster's owner stand in a text.

    `node-0001` is not the beginning of a pseudonym such as `node-0001f3a9c2de`: one in 65,536 begins like that.
    """
    ends = {word: rb"(?![0-9a-f])" if re.search(rb"-\d{4}\Z", word) else b"" for word in words}
    return [word for word, end in ends.items() if re.search(re.escape(word) + end, text)]
