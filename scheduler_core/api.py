"""The library's main functions: `simulate`, `stream`, `inspect`, `explain` and `warm`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import numpy as np

from scheduler_core.engine.compiled import compiling
from scheduler_core.engine.incidents import held
from scheduler_core.engine.records import NEVER
from scheduler_core.experiment import Experiment, ResolveTrace
from scheduler_core.explanation.probes import probes_told
from scheduler_core.explanation.sentences import sentences
from scheduler_core.explanation.standing import standing
from scheduler_core.limits import DEFAULT_LIMITS, Limits
from scheduler_core.recording import Frame
from scheduler_core.run.driver import Simulation
from scheduler_core.run.engine_names import AUTO
from scheduler_core.run.moments import KeptMoments
from scheduler_core.run.results import RunResult
from scheduler_core.schedulers import SCHEDULERS
from scheduler_core.studies.cluster_measures import add_cluster_measures

_WATCHED_SLICE = 4_000
_JOB = {"arrival_s": 0, "started_s": 0, "durations_s": [1, 1, 1], "demand": {"cpus": 1}}
"""Three tasks, with a recorded start for schedulers that replay one."""
"""Events between two looks at a watched task: so few that its notes never fill the log (shared.probing.notes)."""

_STATES = ("not arrived", "waiting", "asked for", "running", "done", "unschedulable")


def simulate(experiment: Experiment, *, resolve_trace: ResolveTrace | None = None, engine: str = AUTO) -> RunResult:
    """Run an experiment to its end and return its result.

    `resolve_trace` maps the name of a trace in the experiment to a file. `engine` runs the event loop: "native" is
    machine code that Numba compiles; "wasmtime" takes the loop's built module and compiles nothing; "auto" begins with
    the module where no machine code is there yet, and changes over when another process has compiled it. All give the
    same result. Raises ExperimentError if the experiment or a file that it names cannot be used, and UnknownName for
    another engine.
    """
    simulation = Simulation(experiment, resolve_trace=resolve_trace, frames=0, engine=engine)
    result = simulation.finish()
    add_cluster_measures(simulation)
    return result


def stream(experiment: Experiment, frames: int = 600, *, resolve_trace: ResolveTrace | None = None) -> Iterator[Frame]:
    """Run an experiment and yield about `frames` frames as they are computed.

    The `end` of the last frame holds the summary. Raises ExperimentError.
    """
    simulation = Simulation(experiment, resolve_trace=resolve_trace, frames=frames)
    for frame in simulation.run():
        if frame.end is not None:
            add_cluster_measures(simulation)
        yield frame


def inspect(experiment: Experiment, t_s: float, *, resolve_trace: ResolveTrace | None = None) -> dict[str, Any]:
    """Return the state of a run at `t_s` seconds of simulated time, in JSON types.

    The state has the counters, tasks by state, used resources (in whole units, such as CPUs), the numbers of busy, full
    and out-of-service machines, and what the scheduler itself knows. Raises ExperimentError.
    """
    simulation = Simulation(experiment, resolve_trace=resolve_trace, frames=0)
    simulation.advance_to(round(t_s * 1e9))
    world = simulation.world
    states, counts = np.unique(world.task["state"], return_counts=True)
    used = held(world)
    return {
        "t_s": t_s,
        "last_event_s": simulation.now_ns / 1e9,
        "counters": simulation.counters(),
        "tasks": {_STATES[state]: int(count) for state, count in zip(states, counts, strict=True)},
        "machines": {
            "total": len(world.machine),
            "busy": int((world.machine["running"] > 0).sum()),
            "full": int(((used >= world.capacity) & (world.capacity > 0)).any(axis=1).sum()),
            "out": int((world.machine["outage"] != 0).sum()),
            "used": {name: float(used[:, r].sum() / 1000) for r, name in enumerate(simulation.cluster.names)},
            "capacity": {
                name: float(world.capacity[:, r].sum() / 1000) for r, name in enumerate(simulation.cluster.names)
            },
        },
        "scheduler": simulation.inspect(),
    }


def explain(
    experiment: Experiment,
    task: int,
    t_s: float | None = None,
    *,
    resolve_trace: ResolveTrace | None = None,
    limits: Limits = DEFAULT_LIMITS,
    moments: KeptMoments | None = None,
) -> dict[str, Any]:
    """Return the life of one task up to `t_s` seconds (None: to the end), with every decision about the task.

    The function simulates the experiment again and keeps all decisions about `task`. `probes` in the result holds the
    probes of the task's job if the scheduler sends any (explanation.probes). `moments` keeps the run at some instants
    and makes later questions about the same run faster. Raises ExperimentError.
    """
    until_ns = NEVER - 1 if t_s is None else round(t_s * 1e9)
    kept = KeptMoments(most_bytes=0) if moments is None else moments
    simulation = kept.before(experiment, task, until_ns, resolve_trace=resolve_trace, limits=limits)
    simulation.slice_events = _WATCHED_SLICE
    with suppress(_Settled):
        simulation.advance_to(min(until_ns, simulation.stop_ns), _until_settled(task))
    row = simulation.world.task[task]
    job = simulation.world.job[row.job]
    decisions = sentences(simulation, task)
    return {
        "task": task,
        "job": int(row.job),
        "state": _STATES[row.state],
        "arrival_s": job.arrival_ns / 1e9,
        "first_start_s": None if row.first_start_ns < 0 else row.first_start_ns / 1e9,
        "end_s": None if _STATES[row.state] != "done" else row.end_ns / 1e9,
        "machine": int(row.machine) if row.attempts else None,
        "attempts": int(row.attempts),
        "queue": simulation.names.queues[int(job.queue)],
        **standing(simulation, task, decisions),
        "decisions": decisions,
        "probes": probes_told(simulation, task),
    }


class _Settled(Exception):
    """Signal that the rest of the run can tell nothing more about the task."""


def _until_settled(task: int) -> Callable[[Simulation], None]:
    """Return a callback that raises _Settled once the task's job is done, for schedulers that place tasks by probes."""

    def look(simulation: Simulation) -> None:
        job = simulation.world.job[simulation.world.task[task].job]
        if (simulation.spec.probes or simulation.spec.sends) and job.done == job.tasks:
            raise _Settled

    return look


def warm(progress: Callable[[str, float], None] | None = None) -> None:
    """Compile every scheduler's kernels into the cache; call `progress(name, seconds)` after each scheduler."""
    for spec in SCHEDULERS:
        with compiling():
            simulation = Simulation(_smallest(spec.name), frames=2)
            for _ in simulation.run():
                pass
        if progress is not None:
            progress(spec.name, simulation.spent.compile_s)


def _smallest(scheduler: str) -> Experiment:
    return Experiment.parse(
        {
            "schema_version": 1,
            "topology": {"global_masters": 2, "clusters": [{"name": "c", "machines": [{"count": 2, "cpus": 1}]}]},
            "workload": {"kind": "inline", "jobs": [_JOB]},
            "scheduler": {"name": scheduler},
        }
    )
