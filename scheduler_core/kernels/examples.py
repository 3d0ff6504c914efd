"""An experiment for each event loop, what the loop takes there, and the other kernels that runs and previews call."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, get_args

from scheduler_core.engine.compile_progress import kernel_name
from scheduler_core.engine.entry import Kernel, calling_by
from scheduler_core.engine.events import REACHED
from scheduler_core.engine.sources import package_folder
from scheduler_core.engine.wasm.interface import interface_of
from scheduler_core.engine.wasm.packed import event_loops
from scheduler_core.experiment import Experiment
from scheduler_core.run.driver import Simulation
from scheduler_core.run.preview import run_preview
from scheduler_core.run.warm import compile_workloads
from scheduler_core.schedulers import SCHEDULERS, UNLISTED
from scheduler_core.world.spec import SchedulerSpec

_JOB = {"arrival_s": 0, "started_s": 0, "durations_s": [1, 1, 1], "demand": {"cpus": 1}}
"""Three tasks, with a recorded start for schedulers that replay one."""


@dataclass(frozen=True)
class Example:
    """A kernel with the types of its arguments for Numba, their interface, and the scheduler whose run calls it."""

    kernel: str
    function: Any
    signature: tuple[Any, ...]
    takes: list[Any]
    scheduler: dict[str, Any]


def examples(wanted: set[str]) -> list[Example]:
    """Return the wanted event loops with what they take. Raises LookupError for one that no scheduler reaches."""
    found: dict[str, Example] = {}
    for scheduler in schedulers():
        if wanted <= found.keys():
            break
        for example in _calls(scheduler):
            found.setdefault(example.kernel, example)
    if missing := wanted - found.keys():
        raise LookupError(f"no scheduler with any profile runs {', '.join(sorted(missing))}")
    return [found[kernel] for kernel in event_loops() if kernel in wanted]


def schedulers() -> Iterator[dict[str, Any]]:
    """Return each scheduler with each of its profiles, as an experiment names it."""
    for spec in (*SCHEDULERS, *UNLISTED):
        for params in _profiles(spec):
            yield {"name": spec.name, "params": params}


def smallest(scheduler: dict[str, Any]) -> Experiment:
    """Return an experiment of three tasks."""
    return Experiment.parse(
        {
            "schema_version": 1,
            "topology": {"global_masters": 2, "clusters": [{"name": "c", "machines": [{"count": 2, "cpus": 1}]}]},
            "workload": {"kind": "inline", "jobs": [_JOB]},
            "scheduler": scheduler,
        }
    )


def _profiles(spec: SchedulerSpec) -> list[dict[str, Any]]:
    field = spec.params.model_fields.get("profile")
    return [{"profile": each} for each in get_args(field.annotation)] if field is not None else [{}]


class _Recorder:
    """Keep the event loop that a run calls, and do not run it."""

    measures = True

    def __init__(self) -> None:
        self.called: list[tuple[Kernel, tuple[Any, ...]]] = []

    def settle(self, state: Any) -> Any:
        return state

    def call(self, kernel: Kernel, arguments: tuple[Any, ...]) -> Any:
        if kernel.native.py_func.__name__ != "advance":
            return kernel.native(*arguments)
        self.called.append((kernel, arguments))
        return REACHED


def _calls(scheduler: dict[str, Any]) -> Iterator[Example]:
    recorder = _Recorder()
    simulation = Simulation(smallest(scheduler), frames=0)
    simulation._engine = recorder
    simulation.prepare()
    for kernel, arguments in recorder.called:
        function, type_of = kernel.native.py_func, kernel.native.typeof_pyval
        signature = tuple(type_of(each) for each in arguments)
        takes = interface_of(arguments)
        yield Example(kernel_name(function), function, signature, takes, scheduler)


class _Listener:
    """Keep what each kernel takes, and run it by machine code."""

    def __init__(self) -> None:
        self.scheduler: dict[str, Any] = {}
        self.found: dict[str, Example] = {}

    def call(self, kernel: Kernel, arguments: tuple[Any, ...]) -> Any:
        if kernel.native.py_func.__name__ != "advance":
            name, takes = kernel_name(kernel.native.py_func), interface_of(arguments)
            key = f"{name} {json.dumps(takes)}"
            if key not in self.found:
                signature = tuple(kernel.native.typeof_pyval(each) for each in arguments)
                self.found[key] = Example(name, kernel.native.py_func, signature, takes, self.scheduler)
        return kernel.native(*arguments)


def others() -> list[Example]:
    """Return the other kernels that runs and previews call, once for each kind of arguments, sorted.

    Each scheduler's smallest run goes to its end, so all that it needs is compiled.
    """
    listener = _Listener()
    with calling_by(listener):
        for scheduler in schedulers():
            listener.scheduler = scheduler
            _run(smallest(scheduler))
        listener.scheduler = {}
        compile_workloads()
        for workload in DRAWN:
            experiment = Experiment.parse(_SEVERAL | {"workload": workload})
            _run(experiment)
            run_preview(experiment)
    inside = package_folder().as_posix()
    kept = [key for key, each in listener.found.items() if each.function.__code__.co_filename.startswith(inside)]
    return [listener.found[key] for key in sorted(kept)]


def _run(experiment: Experiment) -> None:
    for _ in Simulation(experiment, frames=2).run():
        pass


_SEVERAL: dict[str, Any] = {
    "schema_version": 1,
    "topology": {
        "global_masters": 2,
        "clusters": [{"name": "c", "repeat": 2, "machines": [{"count": 20, "cpus": 2, "memory_gb": 4}]}],
    },
    "queues": [{"name": "a", "share": 0.5, "global_master": 0}, {"name": "b", "share": 0.5, "global_master": 1}],
    "scheduler": {"name": "megha"},
}
DRAWN: tuple[dict[str, Any], ...] = tuple(
    {
        "kind": "synthetic",
        "jobs": jobs,
        "arrivals": {"kind": "poisson", "offered_load": 0.9},
        "tasks_per_job": {"kind": "lognormal", "median": 3, "sigma": 1},
        "duration_s": {"kind": "lognormal", "median": 2, "sigma": 1},
        "drawn_demand": {"amounts": {"cpus": {"kind": "bounded_pareto", "alpha": 1, "min": 1, "max": 2}}, "levels": 2},
        "queue_assignment": rule,
    }
    for rule, jobs in (("by_share", 300), ("hash", 300), ("round_robin", 300), ("by_share", 20_000))
)
"""Workloads of several queues, as the studio's first experiment has them; a large one is sorted in another way."""
