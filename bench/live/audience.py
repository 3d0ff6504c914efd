"""Rows about viewers of one run: how many, how fast, how many bytes."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from bench.experiments import million
from bench.live.server import Server, serving
from bench.measured import Measured
from scheduler_core import Frame, LayerChange, Simulation

Measure = Callable[[int], Measured]

#: A frame of about 20 KB: what a hundredth of 50,000 machines changing in every layer takes, and some more.
_FRAME_BYTES = 20_000
_PUBLISHED_A_SECOND = 6.0
_ENOUGH = 5.0
_WARM_S, _SECONDS = 4.0, 15.0
_SMALL = {
    "schema_version": 1,
    "topology": {"clusters": [{"name": "c", "machines": [{"count": 40}]}]},
    "workload": {"kind": "inline", "jobs": [{"arrival_s": 0, "durations_s": [1]}]},
    "scheduler": {"name": "sparrow"},
}


def audience(count: int) -> Measure:
    """Frames a second of the viewer that got fewest, of `count` viewers of one run."""

    def measure(repeats: int) -> Measured:
        reports = [_show(count) for _ in range(min(repeats, 3))]
        worst = min(reports, key=lambda report: float(report["least_rate"]))
        # A viewer who missed a number, or was not let in, has nothing.
        whole = [0.0 if _faulty(report) else float(report["least_rate"]) for report in reports]
        return Measured(tuple(whole), _described(worst), worst["server_mb"])

    return measure


def largest_audience(counts: tuple[int, ...]) -> Measure:
    """Return the largest of these numbers of viewers who all get enough frames, and what broke at the next."""

    def measure(repeats: int) -> Measured:
        held, report = 0, {}
        for count in counts:
            report = _show(count)
            if _faulty(report) or report["least_rate"] < _ENOUGH:
                return Measured((float(held),), f"at {count:,}: {_described(report)}", report["server_mb"])
            held = count
        return Measured((float(held),), f"not broken; at {held:,}: {_described(report)}", report["server_mb"])

    return measure


def _faulty(report: dict[str, Any]) -> bool:
    return bool(report["gaps"] or report["refused"] or report["lost"])


def _described(report: dict[str, Any]) -> str:
    return (
        f"{report['viewers']:,} viewers, {report['gaps']} gaps, {report['merged']} merged, {report['lost']} lost, "
        f"{report['refused']} refused; delay p50 {report['p50_ms']:.0f} p95 {report['p95_ms']:.0f} ms; "
        f"web {report['server_cpu']:.0%}, viewers {report['client_cpu']:.0%} of a core"
    )


def _show(count: int) -> dict[str, Any]:
    with serving() as server:
        run = server.new_run(_SMALL)
        return _watched(server, run["id"], count, _SECONDS, _PUBLISHED_A_SECOND, _plain_frames())


def _watched(
    server: Server, run_id: str, count: int, seconds: float, rate: float, frames: Iterator[Frame]
) -> dict[str, Any]:
    """Let viewers come, publish at a steady rate, and return what they say of the time after the first moments."""
    place = urlsplit(server.url)
    command = [
        sys.executable,
        "-m",
        "bench.live.viewers",
        str(place.hostname),
        str(place.port),
        f"/ws/runs/{run_id}",
        str(count),
        str(seconds),
    ]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as client:
        assert client.stdin is not None
        assert client.stdout is not None
        client.stdout.readline()
        begun = time.monotonic()
        cpu, measuring = 0.0, False
        for number, frame in enumerate(frames):
            due = begun + number / rate
            if due > begun + _WARM_S + seconds:
                break
            if not measuring and due >= begun + _WARM_S:
                measuring, cpu = True, server.cpu_s()
                client.stdin.write("measure\n")
                client.stdin.flush()
            time.sleep(max(0.0, due - time.monotonic()))
            stamped = replace(frame, t_ns=time.monotonic_ns())
            server.publish(run_id, frame.seq, stamped.encode(), key=frame.key)
        server_cpu = (server.cpu_s() - cpu) / seconds
        report: dict[str, Any] = json.loads(client.stdout.readline())
    return report | {"server_cpu": server_cpu, "server_mb": server.memory_mb()}


def _plain_frames() -> Iterator[Frame]:
    """Frames of one size, a key frame every 32."""
    random = np.random.default_rng(1)
    seq = 0
    while True:
        noise = LayerChange(full=random.integers(0, 255, _FRAME_BYTES - 200, np.uint8))
        yield Frame(seq, seq, 0, seq % 32 == 0, "running", {"events": seq}, layers={"load": noise})
        seq += 1


def bytes_a_second(rate: float = 10.0, seconds: float = 25.0) -> Measure:
    """Megabytes a second to one viewer of 50,000 machines, with Megha's own frames."""

    def measure(repeats: int) -> Measured:
        frames, churn = busy_frames(int((seconds + _WARM_S + 2) * rate))
        with serving() as server:
            run = server.new_run(_SMALL)
            report = _watched(server, run["id"], 1, seconds, rate, iter(frames))
        keys = [len(frame.encode()) for frame in frames if frame.key]
        deltas = [len(frame.encode()) for frame in frames if not frame.key]
        note = (
            f"{churn:.2%} of the machines change their load a frame; key frames {np.mean(keys) / 1e3:.0f} KB, "
            f"others {np.mean(deltas) / 1e3:.1f} KB; {report['gaps']} gaps"
        )
        return Measured((report["mb_s"],), note, report["server_mb"])

    return measure


def busy_frames(count: int) -> tuple[list[Frame], float]:
    """Frames from the middle of Megha's run of a million tasks on 50,000 machines, numbered from 0, and their churn."""
    experiment = million("megha")()
    simulation = Simulation(experiment, frames=5_000)
    taken: list[Frame] = []
    for frame in simulation.run():
        if simulation.progress > 0.4 and (taken or frame.key):
            taken.append(replace(frame, seq=len(taken), from_seq=len(taken)))
            if len(taken) == count:
                break
    changed = [len(frame.layers["load"].index) for frame in taken if not frame.key and "load" in frame.layers]  # type: ignore[arg-type]
    return taken, float(np.mean(changed)) / 50_000
