"""Keep simulations for the next question about the same run.

It begins at the latest instant before its task's job arrives, instead of at time zero. Until then no decision is
about the task, so it makes no difference whose decisions the log keeps.
"""

from __future__ import annotations

import copy
from collections import OrderedDict

import numpy as np

from scheduler_core.engine.copies import copied
from scheduler_core.engine.records import DECISION, World
from scheduler_core.experiment import Experiment, ResolveTrace
from scheduler_core.limits import DEFAULT_LIMITS, Limits
from scheduler_core.recording.decisions import DecisionLog
from scheduler_core.run.driver import OnSlice, Simulation

#: Keep a copy of the run at this part of the way to a question's start: the next question is often near by.
_PART = 0.95
#: What took less computing is not worth a copy.
_WORTH_S = 0.1


class KeptMoments:
    """Keep simulations by experiment and instant: the most recently used, as many as fit in memory; for one thread."""

    def __init__(self, most_bytes: int = 512_000_000, worth_s: float = _WORTH_S) -> None:
        self.hits = 0
        self._most_bytes = most_bytes
        self._worth_s = worth_s
        self._kept: OrderedDict[tuple[str, int], Simulation] = OrderedDict()

    def before(
        self,
        experiment: Experiment,
        task: int,
        until_ns: int,
        *,
        resolve_trace: ResolveTrace | None = None,
        limits: Limits = DEFAULT_LIMITS,
        on_slice: OnSlice | None = None,
    ) -> Simulation:
        """Return a simulation that watches a task, just before its job arrives or at `until_ns` if that is earlier.

        Raises ExperimentError, and every exception that `on_slice` raises.
        """
        digest = experiment.digest(resolve_trace)
        from_ns, simulation = self._latest(digest, task, until_ns)
        if simulation is None:
            simulation = Simulation(experiment, frames=0, watch_task=task, resolve_trace=resolve_trace, limits=limits)
            simulation.prepare()
            self._keep(digest, -1, simulation)
        goal_ns = min(until_ns, simulation.stop_ns, arrival_ns(simulation, task) - 1)
        if from_ns < goal_ns:
            at_ns = from_ns + int(_PART * (goal_ns - from_ns))
            before_s = simulation.wall_s
            simulation.advance_to(at_ns, on_slice)
            if simulation.wall_s - before_s > self._worth_s:
                self._keep(digest, at_ns, simulation)
            simulation.advance_to(goal_ns, on_slice)
        return simulation

    def _latest(self, digest: str, task: int, until_ns: int) -> tuple[int, Simulation | None]:
        """Return the latest kept instant of the run that is early enough, and the run from there."""
        of_run = [key for key in self._kept if key[0] == digest]
        if not of_run:
            return -1, None
        self._kept[of_run[0]].check_watched(task)
        arrives_ns = arrival_ns(self._kept[of_run[0]], task)
        key = max((key for key in of_run if key[1] < arrives_ns and key[1] <= until_ns), default=None)
        if key is None:
            return -1, None
        self.hits += 1
        self._kept.move_to_end(key)
        return key[1], _from_here(self._kept[key], task)

    def _keep(self, digest: str, at_ns: int, simulation: Simulation) -> None:
        size = _bytes(simulation)
        if size > self._most_bytes:
            return
        self._kept[digest, at_ns] = _from_here(simulation, -1)
        self._kept.move_to_end((digest, at_ns))
        while sum(map(_bytes, self._kept.values())) > self._most_bytes:
            self._kept.popitem(last=False)


def arrival_ns(simulation: Simulation, task: int) -> int:
    """Return when a task's job arrives, in ns."""
    world = simulation.world
    return int(world.job[world.task[task].job].arrival_ns)


def _bytes(simulation: Simulation) -> int:
    return sum(array.nbytes for array in (*simulation.world, *simulation.state))


def _from_here(simulation: Simulation, task: int) -> Simulation:
    """Return a separate simulation that continues from this instant and watches another task; it makes no frames."""
    twin = copy.copy(simulation)
    twin.world = World._make(map(copied, simulation.world))
    twin.state = type(simulation.state)._make(map(copied, simulation.state))
    twin.world.control["watched_task"] = task
    twin._watch_task = task
    twin._log, twin._pending = DecisionLog(), []
    twin.notes_on_probes = np.zeros(0, DECISION)
    return twin
