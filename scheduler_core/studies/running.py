"""Run a study: one of its runs without frames, or all of them in this process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, BinaryIO

from scheduler_core.experiment import Experiment, ResolveTrace
from scheduler_core.limits import DEFAULT_LIMITS, Limits
from scheduler_core.run.built import KeptBuilds
from scheduler_core.run.driver import OnSlice, Simulation
from scheduler_core.run.saved import load_simulation
from scheduler_core.studies.cluster_measures import add_cluster_measures
from scheduler_core.studies.grid import Grid, expand
from scheduler_core.studies.plan import StudyPlan
from scheduler_core.studies.results import Findings, measured_numbers

if TYPE_CHECKING:
    from scheduler_core.run.results import RunResult


@dataclass
class Growth:
    """One number of a run's summary, measured again and again while the run goes on."""

    metric: str
    """Its dotted name."""
    instants: int = 40
    """About how many times it is measured before the end."""
    points: list[tuple[float, float | None]] = field(default_factory=list)
    """Simulated seconds, and the number as it was then; the last is that of the summary."""


def measure_run(
    grid: Grid,
    number: int,
    *,
    resolve_trace: ResolveTrace | None = None,
    limits: Limits = DEFAULT_LIMITS,
    builds: KeptBuilds | None = None,
    on_slice: OnSlice | None = None,
    growth: Growth | None = None,
    saved: BinaryIO | None = None,
) -> dict[str, Any]:
    """Simulate one run without frames and return its summary; `growth` and `saved` are as in `run_to_end`.

    Raises ExperimentError, and every exception that `on_slice` raises.
    """
    experiment = Experiment.parse(grid.experiment(*grid.run(number)), base_dir=grid.base_dir, limits=limits)
    return run_to_end(
        experiment,
        resolve_trace=resolve_trace,
        limits=limits,
        builds=builds,
        on_slice=on_slice,
        growth=growth,
        saved=saved,
    ).summary


def under_seed(experiment: Experiment, seed: int) -> Experiment:
    """Return an experiment under a seed of up to 63 bits: more than the JSON of an experiment can hold."""
    if not 0 <= seed < 2**63:
        raise ValueError(f"seed {seed} is not a whole number of 63 bits")
    return experiment.model_copy(update={"seed": seed})


def run_to_end(
    experiment: Experiment,
    *,
    resolve_trace: ResolveTrace | None = None,
    limits: Limits = DEFAULT_LIMITS,
    builds: KeptBuilds | None = None,
    on_slice: OnSlice | None = None,
    growth: Growth | None = None,
    saved: BinaryIO | None = None,
) -> RunResult:
    """Simulate an experiment without frames and return its result, with the measures of clusters in its summary.

    `growth` notes how a number of the run grew.

    `saved` is a file of `save_simulation` from which the run continues; `growth` begins there, too. If the file is of
    another version or damaged, the run begins at its start: the result is the same. Raises ExperimentError, and every
    exception that `on_slice` raises.
    """

    def begin() -> Simulation:
        frames = 0 if growth is None else growth.instants
        return Simulation(experiment, resolve_trace=resolve_trace, frames=frames, limits=limits, builds=builds)

    simulation = begin()
    if saved is not None:
        try:
            load_simulation(simulation, saved)
        except ValueError:
            simulation = begin()
    for frame in simulation.run(on_slice):
        if growth is not None:
            growth.points.append((frame.t_ns / 1e9, simulation.measured_so_far(growth.metric)))
    assert simulation.result is not None
    add_cluster_measures(simulation)
    return simulation.result


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
