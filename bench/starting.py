"""Rows about compiling: a new process with an empty cache folder, then one that finds it filled."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

from bench.measured import Measured

# Compiling once takes many seconds and varies little.
_MOST_COLD = 3
_NOTHING = "nothing"

Measure = Callable[[int], Measured]


def cold(what: str, compile_first: bool = True) -> Measure:
    """Seconds that a new process takes for the smallest run with nothing compiled, imports included.

    Unless it is to compile first, it begins with built modules. The digests of kernels are there, as after set-up.
    """

    def measure(repeats: int) -> Measured:
        runs = []
        for _ in range(min(repeats, _MOST_COLD)):
            with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
                if not compile_first:
                    _start(_NOTHING, folder)
                runs.append(_start(what, folder, compile_first))
        return _measured(runs)

    return measure


def warm(what: str) -> Measure:
    """Measure the same with everything compiled before."""

    def measure(repeats: int) -> Measured:
        with tempfile.TemporaryDirectory() as folder:
            _start(what, folder)
            return _measured([_start(what, folder) for _ in range(repeats)])

    return measure


def _measured(runs: list[dict[str, float]]) -> Measured:
    loops = sorted(run["loop_s"] for run in runs)
    note = f"of which the event loop {loops[len(loops) // 2]:.2f} s" if loops[-1] else ""
    return Measured(tuple(run["total_s"] for run in runs), note, max(run["rss_mb"] for run in runs))


def _start(what: str, cache: str, compile_first: bool = True) -> dict[str, float]:
    """Start `python -m bench.starting` with that cache folder; its report, and the seconds the process took."""
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "bench.starting", what],
        env=os.environ | {"SCHEDULER_CORE_CACHE": cache, "SCHEDULER_CORE_COMPILE_FIRST": str(int(compile_first))},
        stdout=subprocess.PIPE,
        check=True,
    )
    report: dict[str, float] = json.loads(done.stdout)
    return report | {"total_s": time.perf_counter() - started}


def _smallest_run(what: str) -> float:
    """Run what is to be compiled once; seconds of the event loop's compilation, or of loading its module."""
    if what == _NOTHING:
        from scheduler_core.run.engines import prepare_modules

        prepare_modules()
        return 0.0
    if what == "workloads":
        from scheduler_core.run.warm import compile_workloads

        compile_workloads()
        return 0.0
    from scheduler_core import Experiment, Simulation

    simulation = Simulation(
        Experiment.parse(
            {
                "schema_version": 1,
                "topology": {"global_masters": 2, "clusters": [{"name": "c", "machines": [{"count": 2}]}]},
                "workload": {"kind": "inline", "jobs": [{"arrival_s": 0, "durations_s": [1, 1, 1]}]},
                "scheduler": {"name": what},
            }
        ),
        frames=2,
    )
    for _ in simulation.run():
        pass
    return simulation.spent.compile_s


def _child(what: str) -> None:
    loop_s = _smallest_run(what)
    rss_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"loop_s": loop_s, "rss_mb": rss_mb}))


if __name__ == "__main__":
    _child(sys.argv[1])
