"""Several hosts without a common disk, on PostgreSQL, Redis and an S3 store; this module starts again what dies."""

from __future__ import annotations

import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

from bench.faulty.disk import small_disk
from bench.faulty.place import Place
from bench.faulty.relay import Relay
from tests.hosts import Hosts, several_hosts
from tests.support import PROJECT, answers, wait_until

_FROZEN_S, _AWAY_S, _SLOW_S, _DELAY_S = 5.0, 3.0, 8.0, 0.3
_RUNNERS = ("runs-1", "runs-2")


@contextmanager
def hosts_apart(folder: Path, variables: dict[str, str]) -> Iterator[Place]:
    """Start two web hosts, two of runs and one of previews, and give what can happen to them."""
    relays: list[Relay] = []

    def between(address: str) -> str:
        relays.append(Relay(address))
        return relays[0].address

    with small_disk(folder) as disk:
        if disk is not None:
            for name in _RUNNERS:
                (disk.place / name).mkdir()
                (folder / name).symlink_to(disk.place / name)
        with several_hosts(folder, between=between, **variables) as hosts, _supervised(hosts):
            faults = _of_hosts(hosts) | _of_parts(hosts, relays[0])
            if disk is not None:
                faults |= {"disk of runs full for 6 s": disk.fill, "disk of runs slow for 8 s": disk.hang}
            logs = sorted(folder.glob("*.log"))
            yield Place(hosts.webs, faults, lambda: all(answers(f"{url}/readyz") for url in hosts.webs), logs)


def _of_hosts(hosts: Hosts) -> dict[str, Callable[[], object]]:
    return {
        "host of runs killed": lambda: _kill(hosts, _busy(hosts)),
        "host of runs drained": lambda: _kill(hosts, _busy(hosts), signal.SIGTERM),
        "both hosts of runs killed": lambda: [_kill(hosts, name) for name in _RUNNERS],
        "host of previews killed": lambda: _kill(hosts, "previews-1"),
        "web host killed": lambda: _kill(hosts, "web-2"),
    }


def _of_parts(hosts: Hosts, relay: Relay) -> dict[str, Callable[[], object]]:
    return {
        "Redis killed": lambda: _kill_redis(hosts),
        "Redis frozen for 5 s": lambda: _freeze([psutil.Process(hosts.redis.pid)]),
        "PostgreSQL killed": lambda: _kill_database(hosts),
        "PostgreSQL crashed": lambda: _crash(_database(hosts)),
        "PostgreSQL frozen for 5 s": lambda: _freeze(_database(hosts)),
        "store unreachable for 3 s": lambda: relay.away(_AWAY_S),
        "store frozen for 5 s": lambda: _freeze([psutil.Process(hosts.store.process.pid)]),
        "store slow for 8 s": lambda: relay.slow(_SLOW_S, _DELAY_S),
    }


def _busy(hosts: Hosts) -> str:
    """Name the host of runs that computes most at this moment."""

    def spent_s(name: str) -> float:
        processes = psutil.Process(hosts.running[name].pid).children(recursive=True)
        return sum(process.cpu_times().user for process in processes)

    before = {name: spent_s(name) for name in _RUNNERS}
    time.sleep(0.2)
    return max(_RUNNERS, key=lambda name: spent_s(name) - before[name])


def _kill(hosts: Hosts, name: str, number: signal.Signals = signal.SIGKILL) -> None:
    hosts.running[name].send_signal(number)


@contextmanager
def _supervised(hosts: Hosts) -> Iterator[None]:
    """Start a host again when it ends, at the same address, as its supervisor would."""
    over = threading.Event()

    def look() -> None:
        while not over.wait(0.5):
            for name, process in hosts.running.items():
                if process.poll() is not None:
                    _start_again(hosts, name)

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _start_again(hosts: Hosts, name: str) -> None:
    command, environment = hosts.running[name].args, hosts.environment(name)
    with (hosts.folder / f"{name}.log").open("ab") as log:
        hosts.running[name] = subprocess.Popen(command, cwd=PROJECT, env=environment, stdout=log, stderr=log)


def _kill_redis(hosts: Hosts) -> None:
    """Let Redis die with all that it holds, and start an empty one."""
    hosts.redis.kill()
    hosts.redis.wait(10)
    hosts.redis = subprocess.Popen(hosts.redis.args, stdout=subprocess.DEVNULL)


def _database(hosts: Hosts) -> list[psutil.Process]:
    """Return the first process of the cluster of these hosts, and its children: `pg_ctl` has made it nobody's child."""
    folder = hosts.common["PLAYGROUND_DATABASE_URL"].partition("@/")[2].rpartition("/")[0]
    for process in psutil.process_iter(["cmdline"]):
        line = process.info["cmdline"] or [""]
        if line[0].endswith("postgres") and f"{folder}/data" in line:
            return [process, *process.children(recursive=True)]
    raise RuntimeError(f"no PostgreSQL of {folder} runs")


def _kill_database(hosts: Hosts) -> None:
    """Let every process of PostgreSQL die; the next one recovers from its log."""
    processes = _database(hosts)
    command, user, folder = processes[0].cmdline(), processes[0].username(), processes[0].cwd()
    for process in processes:
        process.kill()
    psutil.wait_procs(processes, timeout=10)
    subprocess.Popen(command, user=user, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_until(lambda: any(answers(f"{url}/readyz") for url in hosts.webs), seconds=60, what="PostgreSQL is back")


def _freeze(processes: list[psutil.Process]) -> None:
    """Stop a part that all hosts need, for less time than they try again."""
    for process in processes:
        with suppress(psutil.NoSuchProcess):  # the database ends and starts processes by itself
            process.suspend()
    time.sleep(_FROZEN_S)
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.resume()


def _crash(database: list[psutil.Process]) -> None:
    """Kill a process of PostgreSQL: it ends all connections and recovers from its log."""
    next(each for each in database[1:] if "playground" in " ".join(each.cmdline())).kill()
