"""One host, as `make run` starts it: the supervisor starts again whatever dies."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.faulty.disk import Disk, small_disk
from bench.faulty.place import Place
from tests.support import Playground, alive, answers, children_of, running_playground

_FROZEN_S = 8.0  # longer than a lease


@contextmanager
def one_host(folder: Path, variables: dict[str, str]) -> Iterator[Place]:
    """Start a playground on a small disk, and give what can happen to it."""
    with small_disk(folder) as disk:
        place = disk.place if disk else folder
        (place / "tmp").mkdir()
        with running_playground(place / "var", **variables, TMPDIR=str(place / "tmp")) as play:
            faults = _faults(play, disk)
            yield Place([play.url], faults, lambda: answers(play.url + "/readyz"), [play.log])


def _faults(play: Playground, disk: Disk | None) -> dict[str, Callable[[], object]]:
    faults: dict[str, Callable[[], object]] = {
        "worker killed": lambda: _kill(play, "runs"),
        "worker drained": lambda: _kill(play, "runs", signal.SIGTERM),
        "worker frozen for 8 s": lambda: _freeze(play, "runs"),
        "pool process killed": lambda: _kill_pool_process(play),
        "previews killed": lambda: _kill(play, "previews"),
        "web killed": lambda: _kill(play, "web"),
        "web stopped": lambda: _kill(play, "web", signal.SIGTERM),
        "Redis killed": lambda: _kill(play, "redis"),
        "worker and Redis killed": lambda: [_kill(play, name) for name in ("runs", "redis")],
    }
    if disk is not None:
        faults |= {"disk full for 6 s": disk.fill, "disk slow for 8 s": disk.hang}
    return faults


def _kill(play: Playground, name: str, number: signal.Signals = signal.SIGKILL) -> None:
    os.kill(play.children()[name], number)


def _kill_pool_process(play: Playground) -> None:
    """Kill one process of the pool: the worker forks another one."""
    os.kill(random.choice(children_of(play.children()["runs"])), signal.SIGKILL)


def _freeze(play: Playground, name: str) -> None:
    """Stop a part for longer than its lease, and let it continue: it must notice that it was replaced."""
    top = play.children()[name]
    stopped = [top, *children_of(top)]
    for pid in stopped:
        os.kill(pid, signal.SIGSTOP)
    time.sleep(_FROZEN_S)
    for pid in filter(alive, stopped):
        os.kill(pid, signal.SIGCONT)
