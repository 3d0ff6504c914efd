"""Run a study: one of its runs without frames, or all of them in this process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scheduler_core.experiment import Experiment, ResolveTrace
from scheduler_core.limits import DEFAULT_LIMITS, Limits
from scheduler_core.run.built import KeptBuilds
from scheduler_core.run.driver import OnSlice, Simulation
from scheduler_core.studies.grid import Grid, expand
from scheduler_core.studies.plan import StudyPlan
from scheduler_core.studies.results import Findings, measured_numbers


def measure_run(
    grid: Grid,
    number: int,
    *,
    resolve_trace: ResolveTrace | None = None,
    limits: Limits = DEFAULT_LIMITS,
    builds: KeptBuilds | None = None,
    on_slice: OnSlice | None = None,
) -> dict[str, Any]:
    """Simulate one run without frames and return its summary.

    Raises ExperimentError, and every exception that `on_slice` raises.
    """
    experiment = Experiment.parse(grid.experiment(*grid.run(number)), limits=limits)
    simulation = Simulation(experiment, resolve_trace=resolve_trace, frames=0, limits=limits, builds=builds)
    for _ in simulation.run(on_slice):
        pass
    assert simulation.result is not None
    return simulation.result.summary


def run_study(
    experiment: Experiment,
    plan: StudyPlan | dict[str, Any],
    *,
    resolve_trace: ResolveTrace | None = None,
    limits: Limits = DEFAULT_LIMITS,
    on_run: Callable[[int, dict[str, Any]], None] | None = None,
) -> Findings:
    """Run a whole study in this process, one run after the other; call `on_run` after each. Raises ExperimentError."""
    asked = plan if isinstance(plan, StudyPlan) else StudyPlan.parse(plan, limits=limits)
    grid = expand(experiment, asked, limits=limits)
    findings, builds = Findings(grid), KeptBuilds()
    for number in range(grid.runs):
        summary = measure_run(grid, number, resolve_trace=resolve_trace, limits=limits, builds=builds)
        findings.add(number, measured_numbers(summary))
        if on_run is not None:
            on_run(number, summary)
    return findings
