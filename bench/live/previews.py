"""Rows about previews: from the moment that an experiment is posted until its answer is in the viewer's hands."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable
from typing import Any

import msgpack
from websockets.sync.client import connect
from websockets.sync.connection import Connection

from bench.live.server import Server, serving
from bench.measured import Measured

_TURNS = 12
EXPERIMENT: dict[str, Any] = {
    "schema_version": 1,
    "topology": {
        "global_masters": 4,
        "clusters": [{"name": "lm", "repeat": 25, "machines": [{"count": 400, "cpus": 1, "memory_gb": 4}]}],
    },
    "workload": {
        "kind": "synthetic",
        "tasks": 120_000,
        "arrivals": {"kind": "poisson", "offered_load": 0.9},
        "tasks_per_job": {"kind": "constant", "value": 20},
        "duration_s": {"kind": "exponential", "mean": 5},
    },
    "scheduler": {"name": "megha", "params": {"heartbeat_s": 5}},
}


def answering(*, new_work: bool = False) -> Callable[[int], Measured]:
    """Post to answer in ms, 20,000 of 120,000 tasks, one knob turned: the heartbeat's, or the load's (`new_work`)."""

    def measure(repeats: int) -> Measured:
        with serving(workers=True) as server:
            place = server.ask_preview(EXPERIMENT, "bench")
            with connect(place["socket_url"], max_size=2**24) as socket:
                _wait(socket, place["preview"])  # kernels are loaded now
                times = [_turn(server, socket, turn, new_work) for turn in range(_TURNS * repeats)]
        # The first turns may fall to a process that has not loaded the kernel.
        kept = sorted(times[4:])
        p95 = kept[int(0.95 * (len(kept) - 1))]
        return Measured(tuple(kept), f"median of {len(kept)} turns, 95th percentile {p95:.0f} ms")

    return measure


def _turn(server: Server, socket: Connection, turn: int, new_work: bool) -> float:
    experiment = copy.deepcopy(EXPERIMENT)
    if new_work:
        experiment["workload"]["arrivals"]["offered_load"] = 0.9 - turn / 1000
    else:
        experiment["scheduler"]["params"]["heartbeat_s"] = 5 + turn / 10
    began = time.perf_counter()
    _wait(socket, server.ask_preview(experiment, "bench")["preview"])
    return 1000 * (time.perf_counter() - began)


def _wait(socket: Connection, number: int) -> None:
    while True:
        answer = msgpack.unpackb(socket.recv(timeout=120))
        if answer["preview"] == number and answer["state"] != "compiling":
            if answer["state"] != "done":
                raise RuntimeError(str(answer))
            return
