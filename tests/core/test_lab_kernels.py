"""What is compiled when a server starts is all that previews call, so that no request finds something to compile."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import threading
from typing import Any

import pytest

from scheduler_core import Experiment, NotCompiled, compile_drawing, constraint_preview, only_compiled, workload_preview
from scheduler_core.engine.jit import kernel

ARRIVALS: list[dict[str, Any]] = [
    {"kind": "poisson", "offered_load": 0.5}, {"kind": "renewal", "cv": 3, "rate_per_s": 1},
    {"kind": "markov_modulated", "calm_s": 300, "busy_s": 30, "busy_factor": 5, "rate_per_s": 1},
    {"kind": "diurnal", "swing": 0.5, "rate_per_s": 1}, {"kind": "regular", "rate_per_s": 1}, {"kind": "at_once"},
    {"kind": "replayed", "times_s": [0, 1, 5]},
]  # fmt: skip
LAWS: list[dict[str, Any]] = [
    {"kind": "constant", "value": 3}, {"kind": "exponential", "mean": 3}, {"kind": "lognormal", "mu": 1, "sigma": 1},
    {"kind": "bounded_pareto", "alpha": 1.2, "min": 1, "max": 90},
    {"kind": "empirical", "values": [1, 4, 9], "shares": [0.1, 0.7, 1], "between": "geometric"},
]  # fmt: skip
CONSTRAINTS: list[tuple[str | None, dict[str, Any] | None]] = [
    (None, None),
    ("google-b", {"catalogue": "megha-21"}),
    ("google-c", {"catalogue": "megha-21", "layout": "blocks"}),
    ("google-a", {"catalogue": "megha-21", "correlation": 0.3, "soft": [{"name": "c01", "slowdown": 2}]}),
    ("phoenix", {"catalogue": "phoenix-9", "layout": "independent", "asks": {"per_task": [2, 1], "unit": "job"}}),
    ("phoenix", {"catalogue": "phoenix-9", "asks": {"probabilities": {"num_cores": 0.2}, "scale_to_share": True}}),
    ("custom", {"catalogue": "custom", "custom": [{"name": "a", "machine_share": 0.5}]}),
]


def drafts() -> list[dict[str, Any]]:
    """Drafts that together use every kind of arrivals, distributions, classes, queues, demands and constraints."""
    found = []
    shapes: list[dict[str, Any]] = [
        {}, {"duration_varies": "job", "in_job_cv": 0.3}, {"sampling": "even", "classes": [{"name": "a", "weight": 1}]},
        {"demand_follows_duration": 0.5, "duration_varies": "job", "duration_follows_size": 0.3,
         "drawn_demand": {"amounts": {"cpus": LAWS[2]}, "levels": 3}},
    ]  # fmt: skip
    for number, (arrivals, shape) in enumerate(itertools.product(ARRIVALS, shapes)):
        mix, constraints = CONSTRAINTS[number % len(CONSTRAINTS)]
        workload = {
            "kind": "synthetic",
            "jobs": 40,
            "arrivals": arrivals,
            "duration_s": LAWS[number % len(LAWS)],
            "tasks_per_job": LAWS[(number + 2) % len(LAWS)],
            "queue_assignment": ("by_share", "hash", "round_robin")[number % 3],
            **shape,
        }
        found.append({
            "schema_version": 1, "workload": workload, "scheduler": {"name": "megha"}, "constraints": constraints,
            "topology": {"clusters": [{"machines": [{"count": 9, "cpus": 64}], "constraint_mix": mix}]},
        })  # fmt: skip
    burst = {"at_s": 1, "kind": "burst", "target": {"queue": "q0"}, "value": {"rate_factor": 2}, "duration_s": 9}
    queues = [{"name": "q0", "share": 0.5}, {"name": "q1", "share": 0.5}]
    return [*found, found[0] | {"queues": queues, "events": [burst]}, found[1] | {"queues": queues, "events": [burst]}]


def newly_compiled() -> list[str]:
    """Name the compiled functions that previews of the drafts need beyond those of `compile_drawing`."""

    def versions() -> set[str]:
        homes = [vars(module) for name, module in list(sys.modules.items()) if name.startswith("scheduler_core")]
        return {
            f"{name} {signature}"
            for home in homes
            for name, value in list(home.items())
            for signature in getattr(value, "nopython_signatures", ())
        }

    compile_drawing()
    before = versions()
    for draft in drafts():
        experiment = Experiment.parse(draft)
        constraint_preview(experiment)
        workload_preview(experiment)
    return sorted(versions() - before)


@pytest.mark.slow
def test_previews_call_nothing_that_was_not_compiled_at_the_start() -> None:
    # A process of its own: other tests compile more.
    program = "import json; from tests.core.test_lab_kernels import newly_compiled; print(json.dumps(newly_compiled()))"
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=False)
    assert told.returncode == 0, told.stderr
    assert json.loads(told.stdout) == []


@kernel
def _never_called_before(value: float) -> float:
    return value + 1.0


def test_a_thread_that_may_not_compile_says_so_and_the_others_may() -> None:
    with only_compiled():
        with pytest.raises(NotCompiled):
            _never_called_before("text")  # type: ignore[arg-type]
        other: list[float] = []
        thread = threading.Thread(target=lambda: other.append(_never_called_before(1.0)))
        thread.start()
        thread.join()
        assert other == [2.0]
        assert _never_called_before(2.0) == 3.0
