"""Row about a class: each of 300 students moves a control once within five seconds, to one of 20 experiments."""

from __future__ import annotations

import copy
import os
import threading
import time
from collections.abc import Callable
from typing import Any

import msgpack
from websockets.sync.client import connect

from bench.live.previews import EXPERIMENT
from bench.live.server import Server, serving
from bench.measured import Measured

_WITHIN_S, _PATIENCE_S = 5.0, 120.0


def class_of(students: int, experiments: int) -> Callable[[int], Measured]:
    """Seconds from a student's change until its preview is there: 95 of 100 take less."""

    def measure(repeats: int) -> Measured:
        with serving(workers=True) as server:
            _ask(server, "warm", _forked(-1))  # kernels are loaded now
            found = [_class(server, students, experiments, turn) for turn in range(min(repeats, 3))]
        worst = max(found, key=lambda one: _p95(one[0]))
        seconds, computed = worst
        note = (
            f"{students} students, {experiments} experiments, {computed} computations, p50 "
            f"{seconds[len(seconds) // 2]:.2f} s, most {seconds[-1]:.2f} s, clients included; "
            f"load average {os.getloadavg()[0]:.1f}"
        )
        return Measured(tuple(_p95(one) for one, _ in found), note)

    return measure


def _p95(ascending: list[float]) -> float:
    return ascending[int(0.95 * (len(ascending) - 1))]


def _class(server: Server, students: int, experiments: int, turn: int) -> tuple[list[float], int]:
    """Return the ascending seconds, and how many computations the answers come from."""
    found: list[tuple[float, float]] = []
    began = time.monotonic()

    def change(student: int) -> None:
        time.sleep(max(0.0, began + _WITHIN_S * student / students - time.monotonic()))
        experiment = _forked(turn * experiments + student % experiments)
        found.append(_ask(server, f"student-{turn}-{student}", experiment))

    threads = [threading.Thread(target=change, args=(student,)) for student in range(students)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if len(found) < students:
        raise RuntimeError(f"{students - len(found)} of {students} students have no preview")
    # An answer that is shared says how long its one computation took.
    return sorted(seconds for seconds, _ in found), len({took for _, took in found})


def _forked(number: int) -> dict[str, Any]:
    experiment = copy.deepcopy(EXPERIMENT)
    experiment["workload"]["arrivals"]["offered_load"] = 0.9 - number / 1000
    return experiment


def _ask(server: Server, token: str, experiment: dict[str, Any]) -> tuple[float, float]:
    """Ask as a viewer of one's own; return the seconds until the answer, and those of its computation."""
    began = time.perf_counter()
    place = server.ask_preview(experiment, token)
    with connect(place["socket_url"], max_size=2**24, open_timeout=_PATIENCE_S) as socket:
        while True:
            answer = msgpack.unpackb(socket.recv(timeout=_PATIENCE_S))
            if answer["state"] == "done":
                return time.perf_counter() - began, float(answer["took_s"])
            if answer["state"] != "compiling":
                raise RuntimeError(str(answer))
