"""Carry out the runs of a question: in this process, or in several."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from scheduler_core.ask.question import Ran, Run
from scheduler_core.engine.records import TASK_RUNNING, TASK_WAITING
from scheduler_core.errors import ExperimentError
from scheduler_core.experiment import Experiment, ResolveTrace
from scheduler_core.explanation.sentences import sentences
from scheduler_core.limits import DEFAULT_LIMITS, Limits
from scheduler_core.run.built import KeptBuilds
from scheduler_core.run.driver import Simulation
from scheduler_core.studies.results import measured_numbers

Tick = Callable[[], None]
"""Called between slices and now and then while other processes run; what it raises stops the question."""
_WORTH_PROCESSES_S = 6.0
_LOOK_S = 0.2


def processes_here() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Runner:
    """Carries out batches of runs and counts them.

    `run_s` is the mean time of a run in seconds, without the first one, which also loads the scheduler. The first runs
    are in this process. Several processes begin when the runs that are left are worth their start.
    """

    def __init__(
        self,
        *,
        base_dir: Path | None = None,
        resolve_trace: ResolveTrace | None = None,
        limits: Limits = DEFAULT_LIMITS,
        processes: int = 1,
        tick: Tick | None = None,
    ) -> None:
        self.done = 0
        self.run_s = 0.0
        self._base_dir, self._resolve_trace, self._limits = base_dir, resolve_trace, limits
        self._processes = processes
        self._tick = tick or (lambda: None)
        self._builds = KeptBuilds()
        self._pool: ProcessPoolExecutor | None = None

    def close(self, *, at_once: bool = False) -> None:
        """End the processes, `at_once` in the middle of their runs."""
        if self._pool is None:
            return
        if at_once:
            for process in list(getattr(self._pool, "_processes", {}).values()):
                process.terminate()
        self._pool.shutdown(cancel_futures=True)
        self._pool = None

    def run(self, runs: Sequence[Run], expected: int) -> list[Ran]:
        """Carry out a batch; about `expected` runs are left in all. Raises what `tick` raises."""
        if self._pool is None and len(runs) > 1 and self._is_worth_processes(max(len(runs), expected)):
            # Spawned: a forked process would share the threads' locks of compiled kernels.
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self._processes, context, _end_at_once)
        return self._here(runs) if self._pool is None or len(runs) == 1 else self._there(self._pool, runs)

    def _is_worth_processes(self, runs: int) -> bool:
        here = self._resolve_trace is not None or self._processes < 2
        return not here and self.run_s * runs > _WORTH_PROCESSES_S

    def _here(self, runs: Sequence[Run]) -> list[Ran]:
        found = []
        for one in runs:
            began = time.monotonic()
            found.append(carry_out(one, self._base_dir, self._resolve_trace, self._limits, self._builds, self._tick))
            self._count(time.monotonic() - began)
        return found

    def _count(self, seconds: float) -> None:
        counted = max(0, self.done - 1)
        self.run_s = (self.run_s * counted + seconds) / (counted + 1)
        self.done += 1

    def _there(self, pool: ProcessPoolExecutor, runs: Sequence[Run]) -> list[Ran]:
        waiting: list[Future[Ran]] = [pool.submit(_in_process, one, self._base_dir, self._limits) for one in runs]
        left: set[Future[Ran]] = set(waiting)
        try:
            while left:
                over, left = wait(left, _LOOK_S, FIRST_COMPLETED)
                self.done += len(over)
                self._tick()
        except BaseException:
            for future in left:
                future.cancel()
            raise
        return [future.result() for future in waiting]


def carry_out(
    run: Run,
    base_dir: Path | None,
    resolve_trace: ResolveTrace | None,
    limits: Limits,
    builds: KeptBuilds,
    tick: Tick | None = None,
) -> Ran:
    """Simulate one run. An experiment that cannot run gives a `Ran` without numbers, which says why."""
    try:
        experiment = Experiment.parse(run.data, base_dir=base_dir, limits=limits)
        simulation = Simulation(experiment, resolve_trace=resolve_trace, frames=0, limits=limits, builds=builds)
        for _ in simulation.run(None if tick is None else lambda _: tick()):
            pass
    except ExperimentError as error:
        return Ran({}, "refused", problems=error.problems)
    assert simulation.result is not None
    summary = simulation.result.summary
    task = simulation.world.task
    machines = ran_ns = end_ns = goes_on = None
    if run.placements:
        tasks = simulation.result.tasks
        machines = np.asarray(tasks["machine"])
        end_ns = np.where(tasks["end_ns"] >= 0, tasks["end_ns"], simulation.until_ns)
        goes_on = task["state"] == TASK_RUNNING
        ran_ns = np.where(machines >= 0, np.maximum(end_ns - tasks["last_start_ns"], 0), 0)
    return Ran(
        measured_numbers(summary), str(summary["finished"]), machines, ran_ns, end_ns, goes_on, **_stranded(simulation)
    )


def _stranded(simulation: Simulation) -> dict[str, Any]:
    """Return the fields of `Ran` about tasks that lost their machine and wait for another one.

    Tasks that belong to one machine, such as pods of a DaemonSet, wait for no other.
    """
    task, standing = simulation.world.task, simulation.standing
    waits = (task["state"] == TASK_WAITING) & (task["attempts"] > 0)
    if standing is not None:
        waits &= ~standing.bound()
    found = np.flatnonzero(waits)
    if not len(found):
        return {}
    first = int(found[0])
    told = {"stranded": len(found), "stranded_task": first}
    why = next((one for one in reversed(sentences(simulation, first)) if one["now"]), None)
    if why is None:
        return told
    template = next(reason.template for reason in simulation.spec.reasons if reason.name == why["reason"])
    said = {"template": template, "arguments": why["arguments"]}
    return told | {"stranded_why": why["sentence"], "stranded_said": said}


_KEPT: list[KeptBuilds] = []


def _end_at_once() -> None:
    """End this process at Ctrl-C without a word: the one that asks tells about it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _in_process(run: Run, base_dir: Path | None, limits: Limits) -> Ran:
    if not _KEPT:
        _KEPT.append(KeptBuilds())
    return carry_out(run, base_dir, None, limits, _KEPT[0])


@contextmanager
def runner(**options: Any) -> Iterator[Runner]:
    """Give a runner and end its processes."""
    one = Runner(**options)
    try:
        yield one
    except BaseException:
        one.close(at_once=True)
        raise
    one.close()
