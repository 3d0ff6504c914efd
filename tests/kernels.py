"""Compile the kernel of each event loop before the tests, in a process for each core: `python -m tests.kernels`.

Tests in parallel processes that need one kernel would wait for the process that compiles it. Where the same sources
were compiled before, a file in the cache says so, and nothing is done.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import scheduler_core
from scheduler_core import Experiment, compile_workloads, leave_marks, scheduler_by_name, simulate
from scheduler_core.engine import sources
from scheduler_core.engine.compiled import compiling
from tests.core.experiments import LOOPS
from tests.support import small_experiment

WORKLOADS = "workloads"


def digest() -> str:
    """Return a digest of the code of all kernels; what a docstring or a page of the server says is no part of it."""
    known = sources.digests_of_kernels(Path(scheduler_core.__file__).parent)
    return hashlib.sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()[:32]


def size(scheduler: str) -> int:
    """Return the bytes of a scheduler's own sources: the larger ones compile longer and are begun first."""
    load = scheduler_by_name(scheduler).load
    module = sys.modules[getattr(load, "func", load).__module__]
    return sum(path.stat().st_size for path in Path(str(module.__file__)).parent.glob("*.py"))


def compile_one(name: str) -> tuple[str, float]:
    """Compile what a run of a scheduler needs, or what drawing and reading of workloads needs."""
    started = time.perf_counter()
    leave_marks()  # garbage collection pauses while a kernel is compiled
    if name == WORKLOADS:
        compile_workloads()
    else:
        with compiling():
            simulate(Experiment.parse(small_experiment() | {"scheduler": {"name": name}}))
    return name, time.perf_counter() - started


def main() -> None:
    """Compile everything that is not known to be in the cache."""
    done = sources.cache_root() / "tests" / digest()
    if done.exists():
        return
    names = [WORKLOADS, *sorted(LOOPS, key=size, reverse=True)]
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        for name, seconds in pool.map(compile_one, names):
            print(f"compiled or found {name}: {seconds:.0f} s", flush=True)
    done.parent.mkdir(parents=True, exist_ok=True)
    done.touch()


if __name__ == "__main__":
    main()
