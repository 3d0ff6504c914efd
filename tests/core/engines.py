"""Run an experiment by several engines and keep what its arrays hold, slice by slice, to find the first difference."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from scheduler_core import Experiment, Simulation, scheduler_by_name
from scheduler_core.engine.wasm import packed
from scheduler_core.run.engine_names import NATIVE
from scheduler_core.run.engines import RunEngine, engine_by_name
from tests.support import small_experiment

MEASURED = frozenset({"state.clock", "state.real"})
"""What the pipeline measures of its own stages by a clock. It differs from run to run by one engine, too."""


@dataclass(frozen=True)
class Ended:
    """The end of a run; a digest of each array after each slice, and the number of events and the instant there."""

    summary: dict[str, Any]
    arrays: dict[str, Any]
    phases: list[dict[str, str]]
    reached: list[tuple[int, int]]


def of_module(kernel: str) -> Experiment:
    """Return a small experiment whose run takes the module of an event loop."""
    scheduler = packed.manifest()[kernel].scheduler
    anywhere = scheduler_by_name(scheduler["name"]).anywhere
    return Experiment.parse(small_experiment() | {"scheduler": scheduler | {"params": anywhere | scheduler["params"]}})


def arrays_of(simulation: Simulation) -> dict[str, Any]:
    """Return all arrays of a run by name, without what a clock has measured."""
    found = {f"world.{name}": array for name, array in simulation.world._asdict().items()}
    found |= {f"state.{name}": array for name, array in simulation.state._asdict().items()}
    return {name: array for name, array in found.items() if name not in MEASURED}


def hashed(array: Any) -> str:
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()[:16]


def ended(experiment: Experiment, engine: str | RunEngine, slice_events: int = 500) -> Ended:
    """Run an experiment to its end, in slices; `engine` is a name, or the engine itself."""
    phases: list[dict[str, str]] = []
    reached: list[tuple[int, int]] = []

    def keep(simulation: Simulation) -> None:
        control = simulation.world.control[0]
        reached.append((int(control.events), int(control.now_ns)))
        phases.append({name: hashed(array) for name, array in arrays_of(simulation).items()})

    simulation = Simulation(experiment, frames=3, slice_events=slice_events)
    simulation._engine = engine_by_name(engine) if isinstance(engine, str) else engine
    for _ in simulation.run(keep):
        pass
    assert simulation.result is not None
    return Ended(simulation.result.summary, arrays_of(simulation), phases, reached)


def first_difference(one: Ended, other: Ended) -> str:
    """Return the first slice and the arrays that differ after it; an empty text where nothing differs."""
    for number, (mine, theirs) in enumerate(zip(one.phases, other.phases, strict=False)):
        if parts := [name for name in mine if mine[name] != theirs.get(name)]:
            before = one.reached[number - 1] if number else (0, 0)
            events, now_ns = one.reached[number]
            return f"after slice {number}, events {before[0]} to {events}, up to {now_ns} ns: {', '.join(parts)}"
    return "" if len(one.phases) == len(other.phases) else "one run has more slices"


def assert_equal_by(experiment: Experiment, engines: Mapping[str, str | RunEngine]) -> Ended:
    """Check that a run by machine code and by each of these engines ends with equal arrays, counters and digests."""
    native = ended(experiment, NATIVE)
    for name, engine in engines.items():
        assert_equal(native, ended(experiment, engine), name)
    return native


def assert_equal(native: Ended, built: Ended, name: str = "the module") -> None:
    """Check that two runs have the same arrays after each slice and at the end, and the same summary."""
    difference = first_difference(native, built)
    assert difference == "", f"{name} first differs {difference}"
    assert native.arrays.keys() == built.arrays.keys()
    for array_name, array in native.arrays.items():
        assert hashed(array) == hashed(built.arrays[array_name]), f"{name}: {array_name}"
    for part in ("outcome_digest", "counters", "experiment_digest", "allocation_delay_s", "finished"):
        assert native.summary[part] == built.summary[part], f"{name}: {part}"
