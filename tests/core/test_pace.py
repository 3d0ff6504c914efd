"""How long tasks take where they run: by what they read, what the machine lacks, and who runs there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from scheduler_core import Experiment, Simulation
from scheduler_core.engine.jit import kernel
from scheduler_core.engine.pace import Pace, on_end, on_start
from scheduler_core.engine.records import World
from scheduler_core.errors import ExperimentError
from scheduler_core.schedulers.shared.pacing.packing import pack_pace

SHEEP, RABBIT, DEVIL, TURTLE = range(4)
READING = {"rack_gb_s": 2.0, "core_gb_s": 0.5, "interference": 0.0, "kinds": "drawn"}


@kernel
def begin(w: World, p: Pace, task: int, machine: int) -> int:
    on_start(w, p, task, machine)
    return int(w.task[task].duration_ns)


@kernel
def end(p: Pace, task: int, machine: int) -> None:
    on_end(p, task, machine)


def made(tasks: int = 4, duration_s: float = 10.0, **params: Any) -> tuple[World, Pace]:
    """Two racks of two machines, of which the first has a GPU; each task is a job that would like one: else 3 times."""
    experiment = Experiment.parse({
        "schema_version": 1,
        "topology": {"clusters": [{"racks": 2, "machines": [{"attributes": {"gpu": True}}, {"count": 3}]}]},
        "constraints": {
            "catalogue": "custom", "soft": [{"name": "gpu", "slowdown": 3}],
            "custom": [{"name": "gpu", "attribute": "gpu", "comparison": "==", "value": True}],
        },
        "queues": [{"name": name, "share": 0.25} for name in "abcd"],
        "workload": {"kind": "inline", "jobs": [
            {"arrival_s": 0, "durations_s": [duration_s], "constraints": ["gpu"], "queue": "abcd"[i % 4]}
            for i in range(tasks)
        ]},
        "scheduler": {"name": "tetrisched"},
    })  # fmt: skip
    simulation = Simulation(experiment, frames=0)
    simulation.prepare()
    return simulation.world, pack_pace(experiment, simulation.world, {"input_gb": 0.0} | READING | params)


def test_nothing_slows_a_task_down_on_a_machine_that_has_all() -> None:
    world, pace = made()
    assert begin(world, pace, 0, 0) == 10_000_000_000
    assert pace.pace[0].relaxed == 0


def test_a_soft_constraint_that_the_machine_lacks_takes_its_factor_at_each_start_anew() -> None:
    world, pace = made()
    assert [begin(world, pace, 0, machine) / 1e9 for machine in (1, 1, 0)] == [30, 30, 10]
    assert pace.pace[0].relaxed == 2


def test_what_is_not_there_is_read_at_the_bandwidth_of_the_rack_or_the_core() -> None:
    """4 GB on machine 1: 2 s from its neighbor 0, 8 s from the other rack; the GPU's factor is for the work alone."""
    world, pace = made(input_gb=1.0)
    pace.replica[0], pace.paced[0].input_gb = (1, -1, -1), 4
    assert [begin(world, pace, 0, machine) / 1e9 for machine in (0, 1, 2)] == [10 + 2, 30, 30 + 8]
    rules = pace.pace[0]
    assert (rules.read_local_mb, rules.read_rack_mb, rules.read_core_mb) == (4000, 4000, 4000)


def test_inputs_are_drawn_by_key_about_their_mean() -> None:
    _, pace = made(tasks=2000, input_gb=2.0)
    _, again = made(tasks=2000, input_gb=2.0)
    assert np.array_equal(pace.paced["input_gb"], again.paced["input_gb"])
    assert pace.paced["input_gb"].mean() == pytest.approx(2.0, rel=0.08)
    assert (pace.replica[:, 0] >= 0).all()


def test_each_neighbor_adds_what_its_kind_does_to_the_task_until_it_ends() -> None:
    """A rabbit beside a devil takes a quarter longer, beside two half as long again; as before when they are gone."""
    world, pace = made(tasks=8, interference=1.0, kinds="queue")
    for task in (DEVIL, 4 + DEVIL):
        begin(world, pace, task, 0)
    assert begin(world, pace, RABBIT, 0) == 15_000_000_000
    end(pace, RABBIT, 0)
    end(pace, DEVIL, 0)
    assert begin(world, pace, RABBIT, 0) == 12_500_000_000
    end(pace, RABBIT, 0)
    end(pace, 4 + DEVIL, 0)
    assert begin(world, pace, RABBIT, 0) == 10_000_000_000
    assert begin(world, pace, 4 + TURTLE, 0) == 10_000_000_000
    assert pace.beside.tolist() == [[0, 1, 0, 1], [0] * 4, [0] * 4, [0] * 4]


def test_however_many_run_there_a_task_takes_at_most_ten_times_as_long() -> None:
    world, pace = made(interference=1.0, kinds="queue")
    pace.beside[0] = (0, 0, 1000, 0)
    assert begin(world, pace, RABBIT, 0) == 100_000_000_000


def test_jobs_draw_their_kinds_equally_often() -> None:
    _, pace = made(tasks=2000, interference=1.0)
    assert np.bincount(pace.paced["kind"], minlength=4).min() > 400


def test_what_would_take_longer_than_time_counts_is_refused_by_its_parameter() -> None:
    with pytest.raises(ExperimentError) as refused:
        made(tasks=40, input_gb=1e6, core_gb_s=0.001)
    assert refused.value.problems[0].path == "scheduler.params.input_gb"
