"""The processes of the playground as data; nothing here starts a process."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from playground.shell.play.redis_server import redis_arguments

_CHILD = Path(__file__).with_name("child.py")
# Django's checks load every address and page, which a worker does not need: half of its starting time.
_WORKER_VARIABLES = {"CELERY_SKIP_CHECKS": "1"}
# Each request has a thread of its own. By default glibc gives threads up to eight heaps for each core, and every heap
# keeps the most that its threads needed at once: the web process grew by 40 MB an hour of memory that was free.
_WEB_VARIABLES = {"MALLOC_ARENA_MAX": "1"}


@dataclass(frozen=True)
class ProcessSpec:
    """One child: its name (the prefix of its output), command line and additional variables."""

    name: str
    arguments: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    #: Starts once the server is ready: it would only take time from those that this waits for.
    late: bool = False


@dataclass(frozen=True)
class PlayOptions:
    """What decides the list of processes. `redis_program` is None where Redis is another owner's."""

    host: str
    port: int
    workers: int
    #: The largest number of processes: more than `workers` start while runs wait, and end when they are idle.
    most_workers: int = 0
    with_workers: bool = True
    redis_program: str | None = None
    redis_socket: Path | None = None


def redis_process(options: PlayOptions) -> ProcessSpec | None:
    """Return the private Redis, which starts before the others and stops after them."""
    if options.redis_program is None or options.redis_socket is None:
        return None
    return ProcessSpec("redis", tuple(redis_arguments(options.redis_program, options.redis_socket)))


#: Largest number of connections in the backlog: a class of 300 joins at one instant, and with a default of 50 the
#: system would reset the others.
_BACKLOG = 1024


def _endpoint(host: str, port: int) -> str:
    """Return where the server listens, as Twisted describes it."""
    address = host.strip("[]").replace(":", r"\:")
    return f"tcp:port={port}:interface={address}:backlog={_BACKLOG}"


def processes(options: PlayOptions) -> tuple[ProcessSpec, ...]:
    """Return everything that needs Redis, in the order of starting."""
    server = ProcessSpec(
        "web",
        (
            sys.executable, "-m", "daphne", "-v", "0", "-e", _endpoint(options.host, options.port),
            "--server-name", "playground", "playground.asgi:application",
        ),
        _WEB_VARIABLES,
    )  # fmt: skip
    if not options.with_workers:
        return (server,)
    runs = ProcessSpec("runs", worker_arguments("runs", options.workers, options.most_workers), _WORKER_VARIABLES)
    previews = ProcessSpec("previews", worker_arguments("previews", PREVIEW_PROCESSES), _WORKER_VARIABLES, late=True)
    return (server, runs, previews)


def kernels_process(first: Path) -> ProcessSpec:
    """Return the program that compiles every kernel, those of the studio's first experiment first."""
    compiling = (sys.executable, "-m", "scheduler_core", "warm", "--background", "--first", str(first))
    return ProcessSpec("kernels", compiling)


def docs_process() -> ProcessSpec:
    """Return the program that builds the documentation where it is stale, with what processor time is left."""
    program = Path(__file__).resolve().parents[3] / "tools" / "docs" / "build.py"
    return ProcessSpec("docs", (sys.executable, str(program), "--if-stale", "--nice"))


#: The workers of a host and the queues of each. Of two queues the first in the order of their names goes first
#: (CELERY_BROKER_TRANSPORT_OPTIONS).
WORKER_QUEUES = {"runs": "runs,studies", "previews": "previews"}
#: One of them may be busy for a minute with a question (questions/answering.py), the other one answers sliders.
PREVIEW_PROCESSES = 2


def worker_arguments(name: str, processes: int, most: int = 0, *, host: str = "%h") -> tuple[str, ...]:
    """Return the command line of one of WORKER_QUEUES; where `most` is larger than `processes`, Celery autoscales."""
    scale = ("--autoscale", f"{most},{processes}") if most > processes else ("--concurrency", str(processes))
    return (
        sys.executable, "-m", "celery", "-q", "-A", "playground", "worker", "-Q", WORKER_QUEUES[name],
        "-n", f"{name}@{host}", "--pool", "prefork", *scale, "-O", "fair", "--loglevel", "WARNING",
        "--without-gossip", "--without-mingle", "--without-heartbeat",
    )  # fmt: skip


def supervised(spec: ProcessSpec) -> list[str]:
    """Wrap a command line so that the process ends when its supervisor is gone."""
    return [sys.executable, "-S", "-E", str(_CHILD), *spec.arguments]
