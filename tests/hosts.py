"""A playground on several hosts, as processes: each has a data folder of its own, and they share only what compose.yaml
shares: PostgreSQL, Redis, an object store and the secret key."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playground.shell.play.redis_server import find_redis_server
from tests import postgres
from tests.s3 import KEYS, Server, s3_process, storage_url
from tests.support import PROJECT, answers, children_of, free_port, own_environment, wait_until

WEBS, RUNNERS = 2, 2


@dataclass
class Hosts:
    """The processes by the name of their host, and how to reach the web ones."""

    folder: Path
    common: dict[str, str]
    store: Server
    redis: subprocess.Popen[bytes]
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    webs: list[str] = field(default_factory=list)

    def environment(self, host: str) -> dict[str, str]:
        data = self.folder / host
        (data / "tmp").mkdir(parents=True, exist_ok=True)
        return own_environment(data, **self.common) | KEYS | {"TMPDIR": str(data / "tmp")}

    def manage(self, host: str, *arguments: str) -> None:
        command = [sys.executable, "manage.py", *arguments]
        subprocess.run(command, cwd=PROJECT, env=self.environment(host), check=True)

    def start_web(self, host: str) -> str:
        port = free_port()
        self._start(host, "web", "--port", str(port))
        return f"http://127.0.0.1:{port}"

    def start_worker(self, host: str, name: str) -> None:
        """Start a worker under the name of a host of its own."""
        self._start(host, "worker", name, "--host", host)

    def _start(self, host: str, *arguments: str) -> None:
        command = [sys.executable, "manage.py", *arguments]
        with (self.folder / f"{host}.log").open("ab") as log:
            self.running[host] = subprocess.Popen(
                command, cwd=PROJECT, env=self.environment(host), stdout=log, stderr=log
            )

    def kill(self, host: str) -> None:
        """Let a host die without a word."""
        process = self.running.pop(host)
        process.kill()
        process.wait(10)

    def stop(self) -> None:
        for process in self.running.values():
            process.terminate()
        for process in self.running.values():
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()

    def logs(self) -> str:
        return "\n".join(f"{path.name}:\n{path.read_text()[-3000:]}" for path in sorted(self.folder.glob("*.log")))

    def says(self, host: str, text: str) -> bool:
        return text in (self.folder / f"{host}.log").read_text()

    def processes_of(self, host: str) -> int:
        """Count the processes that compute for a worker."""
        return len(children_of(self.running[host].pid))

    def files_of(self, host: str) -> list[str]:
        """Name what a host keeps for itself."""
        data = self.folder / host
        return sorted(path.relative_to(data).as_posix() for path in data.rglob("*") if path.is_file())


@contextmanager
def several_hosts(folder: Path, *, between: Callable[[str], str] = str, **variables: str) -> Iterator[Hosts]:
    """Start PostgreSQL, Redis, an S3 server, two web hosts, two hosts that compute runs and one for previews.

    `between` may put something between the store's address and the one that hosts are told.
    """
    with ExitStack() as parts:
        database = parts.enter_context(postgres.cluster())
        store = parts.enter_context(s3_process())
        redis, redis_url = redis_server()
        common = {
            "PLAYGROUND_DATABASE_URL": database,
            "PLAYGROUND_REDIS_URL": redis_url,
            "PLAYGROUND_STORAGE_URL": storage_url(between(store.address), "test"),
            "PLAYGROUND_SECRET_KEY": "a secret key that all hosts of this test share, and no other playground",
            "PLAYGROUND_DEBUG": "false",
            "PLAYGROUND_LIMIT_RUNS_AT_ONCE": "1000",
            "PLAYGROUND_LOG_JSON": "true",
            **variables,
        }
        hosts = Hosts(folder, common, store, redis)
        parts.callback(lambda: _end(hosts.redis))
        hosts.manage("web-1", "migrate", "--verbosity", "0")
        parts.callback(hosts.stop)
        hosts.webs = [hosts.start_web(f"web-{number + 1}") for number in range(WEBS)]
        for number in range(RUNNERS):
            hosts.start_worker(f"runs-{number + 1}", "runs")
        hosts.start_worker("previews-1", "previews")
        for url in hosts.webs:
            wait_until(lambda url=url: answers(f"{url}/readyz"), seconds=240, what=f"{url} is ready\n{hosts.logs()}")
        yield hosts


def redis_server() -> tuple[subprocess.Popen[bytes], str]:
    """Start a Redis that others reach over the network; return it and its URL."""
    program, port = find_redis_server(), free_port()
    assert program is not None, "the development dependencies bring a redis-server"
    command = [program, "--port", str(port), "--save", "", "--appendonly", "no", "--maxmemory-policy", "noeviction"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL), f"redis://127.0.0.1:{port}/0"


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    process.wait(10)
