"""Run the experiments of a claim, measure, and give the verdict."""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scheduler_core.claims.declared import Claim, Found, Measure, Setup, Verdict
from scheduler_core.claims.figures import ran
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.experiment import Experiment
from scheduler_core.experiment.digest import experiment_digest
from scheduler_core.studies.places import with_changes

if TYPE_CHECKING:
    from scheduler_core.run.results import RunResult

Run = Callable[[Experiment], "RunResult"]
KEPT = 32
FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"


def check(claim: Claim, *, full: bool = False, run: Run = ran, told: Callable[[int, int], None] | None = None) -> Found:
    """Run a claim's experiments under each seed and give the verdict. Raises ExperimentError.

    A claim without experiments keeps the verdict that was recorded of it.
    `run` computes one experiment (`kept_runs` keeps what claims have in common). `told(done, of)` hears of progress.
    """
    if not claim.runs:
        return Found(id=claim.id, verdict=claim.expected, figures={}, seeds=(), full=full)
    seeds = tuple(claim.full.get("seeds", claim.seeds)) if full else claim.seeds
    figures: dict[str, list[float | None]] = {measure.name: [] for measure in claim.measures}
    for number, seed in enumerate(seeds):
        if told is not None:
            told(number, len(seeds))
        runs = {name: run(experiment) for name, experiment in experiments_of(claim, seed, full=full).items()}
        for measure in claim.measures:
            value = measure.expression.value(runs)
            figures[measure.name].append(value if value == value else None)
    found = {name: tuple(values) for name, values in figures.items()}
    return Found(id=claim.id, verdict=verdict(claim, found), figures=found, seeds=seeds, full=full)


def kept_runs(run: Run = ran) -> Run:
    """Compute an experiment once where claims that follow each other share it: the last `KEPT` runs are kept."""
    kept: dict[str, RunResult] = {}

    def kept_run(experiment: Experiment) -> RunResult:
        digest = experiment_digest(experiment)
        found = kept.pop(digest, None) or run(experiment)
        kept[digest] = found
        while len(kept) > KEPT:
            del kept[next(iter(kept))]
        return found

    return kept_run


def experiments_of(claim: Claim, seed: int, *, full: bool = False) -> dict[str, Experiment]:
    """The experiments of a claim by their setups' names, under one seed. Raises ExperimentError."""
    larger = {path: value for path, value in claim.full.items() if path != "seeds"} if full else {}
    return {
        name: Experiment.parse(with_changes(_data(claim, setup), larger) | {"seed": seed})
        for name, setup in claim.setups.items()
    }


def _data(claim: Claim, setup: Setup) -> dict[str, Any]:
    if setup.of is not None:
        begun = _data(claim, claim.setups[setup.of])
    elif setup.file is not None:
        begun = shipped(setup.file)
    else:
        begun = {"schema_version": 1} | (setup.experiment or {})
    return with_changes(begun, setup.change)


def shipped(name: str) -> dict[str, Any]:
    """Read a shipped experiment, or that of an entry of the gallery, by its file's name. Raises ExperimentError."""
    path = (FIXTURES / f"{name}.json").resolve()
    if not path.is_relative_to(FIXTURES) or not path.is_file():
        raise ExperimentError(
            [Problem("file", f"there is no shipped experiment {name!r}", "a clone, or the full product")]
        )
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    if "preset" in data:
        return shipped(f"presets/{data['preset']}")
    found: dict[str, Any] = data.get("experiment", data)
    return found


def verdict(claim: Claim, figures: Mapping[str, tuple[float | None, ...]]) -> Verdict:
    """Give the verdict of a claim by its figures: the worst of its measures'."""
    worst: Verdict = "reproduced"
    for measure in claim.measures:
        one = verdict_of(measure, figures[measure.name])
        if one == "not reproduced":
            return one
        if one == "sign only":
            worst = one
    return worst


def verdict_of(measure: Measure, values: tuple[float | None, ...]) -> Verdict:
    """Give the verdict of one measure by its values under each seed."""
    numbers = [value for value in values if value is not None]
    if len(numbers) < len(values) or not numbers:
        return "not reproduced"
    held = numbers if measure.every else [statistics.median(numbers)]
    if all(measure.band.holds(value) for value in held):
        return "reproduced"
    if measure.sign is not None and all(measure.sign.holds(value) for value in held):
        return "sign only"
    return "not reproduced"
