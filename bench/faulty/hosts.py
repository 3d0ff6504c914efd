"""Several hosts without a common disk, on PostgreSQL, Redis and an S3 store; this module starts again what dies."""

from __future__ import annotations

import os
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
            "Redis frozen for 5 s": lambda: _freeze("valkey-server", "redis-server"),
            "database crashed": _crash_database,
            "database frozen for 5 s": lambda: _freeze("postgres"),
            "store frozen for 5 s": lambda: _freeze("moto.server"),
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
    """Return the processes of this bench whose command lines hold one of the marks, children last."""
    found = []
    for process in psutil.process_iter(["cmdline", "environ", "cwd"]):
        line = " ".join(process.info["cmdline"] or ())
        if any(mark in line for mark in marks) and os.getpid() in [parent.pid for parent in process.parents()]:
            found.append(process)
    return found


def _freeze(*marks: str) -> None:
    """Stop a part that all hosts need, for less time than they try again."""
    processes = _ours(*marks) or _database()
    for process in processes:
        process.suspend()
    time.sleep(_FROZEN_S)
    for process in processes:
        process.resume()


def _database() -> list[psutil.Process]:
    """Return the newest cluster's first process and its children: `pg_ctl` has made it nobody's child."""
    tops = [
        process
        for process in psutil.process_iter(["cmdline", "create_time"])
        if (line := process.info["cmdline"] or [""])[0].endswith("postgres") and "-D" in line
    ]
    top = max(tops, key=lambda process: float(process.info["create_time"]))
    return [top, *top.children(recursive=True)]


def _crash_database() -> None:
    """Kill a process of PostgreSQL: it ends all connections and recovers from its log."""
    backends = [each for each in _database()[1:] if "playground" in " ".join(each.cmdline())]
    backends[0].kill()
