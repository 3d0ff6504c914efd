"""A run that does not fit in memory is refused before it starts, with both figures."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scheduler_core import Experiment, ExperimentError, Simulation
from scheduler_core.limits import DEFAULT_LIMITS
from scheduler_core.run.memory import MACHINE_BYTES, TASK_BYTES, needed_bytes, within_memory
from tests.core.experiments import LOOPS

EXPERIMENT = Experiment.parse(
    {
        "schema_version": 1,
        "topology": {"clusters": [{"machines": [{"count": 100}]}]},
        "workload": {
            "kind": "synthetic",
            "tasks": 1_000,
            "arrivals": {"kind": "poisson", "offered_load": 0.5},
            "duration_s": {"kind": "constant", "value": 1},
        },
        "scheduler": {"name": next(iter(LOOPS))},
    }
)
NEEDED = 1_000 * TASK_BYTES + 100 * MACHINE_BYTES


def test_the_limit_is_what_the_run_needs() -> None:
    assert needed_bytes(1_000, 100) == NEEDED
    Simulation(EXPERIMENT, frames=0, limits=replace(DEFAULT_LIMITS, memory_bytes=NEEDED)).prepare()
    with pytest.raises(ExperimentError) as caught:
        Simulation(EXPERIMENT, frames=0, limits=replace(DEFAULT_LIMITS, memory_bytes=NEEDED - 1)).prepare()
    (problem,) = caught.value.problems
    assert problem.path == "workload"
    assert "1,000 tasks on 100 machines" in problem.message
    assert "memory_bytes" in str(problem.allowed)


def test_a_lower_limit_stays() -> None:
    assert within_memory(replace(DEFAULT_LIMITS, memory_bytes=10)).memory_bytes == 10
    assert 0 < within_memory(DEFAULT_LIMITS).memory_bytes <= DEFAULT_LIMITS.memory_bytes
