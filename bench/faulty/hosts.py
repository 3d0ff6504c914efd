"""Several hosts without a common disk, on PostgreSQL, Redis and an S3 store; this module starts again what dies."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from bench.faulty.place import Place
from tests.hosts import Hosts, several_hosts
from tests.support import PROJECT, answers

_FROZEN_S = 5.0


@contextmanager
def hosts_apart(folder: Path, variables: dict[str, str]) -> Iterator[Place]:
    """Start two web hosts, two of runs and one of previews, and give what can happen to them."""
    with several_hosts(folder, **variables) as hosts:
        faults: dict[str, Callable[[], object]] = {
            "host of runs killed": lambda: _kill(hosts, _busy(hosts)),
            "host of runs drained": lambda: _kill(hosts, _busy(hosts), signal.SIGTERM),
            "both hosts of runs killed": lambda: [_kill(hosts, name) for name in ("runs-1", "runs-2")],
            "host of previews killed": lambda: _kill(hosts, "previews-1"),
            "web host killed": lambda: _kill(hosts, "web-2"),
            "Redis frozen for 5 s": lambda: _freeze(_ours("valkey-server", "redis-server")),
            "database crashed": lambda: _crash(_database(hosts)),
            "database frozen for 5 s": lambda: _freeze(_database(hosts)),
            "store frozen for 5 s": lambda: _freeze(_ours("moto.server")),
        }
        yield Place(hosts.webs, faults, lambda: all(answers(f"{url}/readyz") for url in hosts.webs))


def _busy(hosts: Hosts) -> str:
    """Name the host of runs that computes most at this moment."""

    def spent_s(name: str) -> float:
        processes = psutil.Process(hosts.running[name].pid).children(recursive=True)
        return sum(process.cpu_times().user for process in processes)

    names = ("runs-1", "runs-2")
    before = {name: spent_s(name) for name in names}
    time.sleep(0.5)
    return max(names, key=lambda name: spent_s(name) - before[name])


def _kill(hosts: Hosts, name: str, number: signal.Signals = signal.SIGKILL) -> None:
    """End a host, and start it again as its supervisor would, at the same address."""
    process = hosts.running[name]
    environment = psutil.Process(process.pid).environ()
    process.send_signal(number)
    process.wait(60)
    with (hosts.folder / f"{name}.log").open("ab") as log:
        hosts.running[name] = subprocess.Popen(process.args, cwd=PROJECT, env=environment, stdout=log, stderr=log)


def _ours(*marks: str) -> list[psutil.Process]:
    """Return the processes that this bench has started and whose command lines hold one of the marks."""
    below = psutil.Process().children(recursive=True)
    return [process for process in below if any(mark in " ".join(process.cmdline()) for mark in marks)]


def _database(hosts: Hosts) -> list[psutil.Process]:
    """Return the first process of the cluster of these hosts, and its children: `pg_ctl` has made it nobody's child."""
    folder = hosts.common["PLAYGROUND_DATABASE_URL"].partition("@/")[2].rpartition("/")[0]
    for process in psutil.process_iter(["cmdline"]):
        line = process.info["cmdline"] or [""]
        if line[0].endswith("postgres") and f"{folder}/data" in line:
            return [process, *process.children(recursive=True)]
    raise RuntimeError(f"no PostgreSQL of {folder} runs")


def _freeze(processes: list[psutil.Process]) -> None:
    """Stop a part that all hosts need, for less time than they try again."""
    for process in processes:
        process.suspend()
    time.sleep(_FROZEN_S)
    for process in processes:
        process.resume()


def _crash(database: list[psutil.Process]) -> None:
    """Kill a process of PostgreSQL: it ends all connections and recovers from its log."""
    next(each for each in database[1:] if "playground" in " ".join(each.cmdline())).kill()
