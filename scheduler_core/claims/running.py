"""Run the experiments of a claim, measure them, and give the verdict."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from scheduler_core.claims.declared import WORST, Claim, Found, Measure, Verdict
from scheduler_core.claims.expressions import Expression
from scheduler_core.claims.figures import ran
from scheduler_core.claims.outside import Missing
from scheduler_core.claims.setups import setup_data
from scheduler_core.experiment import Experiment
from scheduler_core.experiment.digest import experiment_digest
from scheduler_core.experiment.places import with_changes

if TYPE_CHECKING:
    from scheduler_core.run.results import RunResult

Run = Callable[[Experiment], "RunResult"]
Told = Callable[[int, int], None]
KEPT = 24


def check(claim: Claim, *, full: bool = False, run: Run = ran, told: Told | None = None) -> Found:
    """Run a claim's experiments under each seed and give the verdict. Raises ExperimentError.

    A claim without experiments keeps the verdict that was recorded of it, and one whose input is not at hand cannot be
    run. `run` computes one experiment. `told(done, of)` hears of progress.
    """
    return check_together([claim], full=full, run=run, told=told)[0]


def check_together(
    claims: Sequence[Claim],
    *,
    full: bool = False,
    seeds: tuple[int, ...] = (),
    run: Run | None = None,
    told: Told | None = None,
) -> list[Found]:
    """Check claims that share experiments, seed by seed, so that each of these runs once. Raises ExperimentError.

    `seeds` replaces the claims' own seeds.
    """
    run = run or kept_runs()
    asked_seeds = {claim.id: (seeds if claim.runs and seeds else seeds_of(claim, full=full)) for claim in claims}
    figures: dict[str, dict[str, list[float | None]]] = {
        one.id: {of: [] for of in wanted_figures(one)} for one in claims
    }
    missing: dict[str, str] = {}
    asked = [
        (seed, claim)
        for seed in sorted(set().union(*asked_seeds.values()))
        for claim in claims
        if seed in asked_seeds[claim.id]
    ]
    for number, (seed, claim) in enumerate(asked):
        if told is not None:
            told(number, len(asked))
        if claim.id in missing:
            continue
        try:
            runs = {name: run(experiment) for name, experiment in experiments_of(claim, seed, full=full).items()}
        except Missing as error:
            missing[claim.id] = str(error)
            continue
        for name, expression in wanted_figures(claim).items():
            value = expression.value(runs)
            figures[claim.id][name].append(value if value == value else None)
    return [
        _found(claim, asked_seeds[claim.id], figures[claim.id], missing.get(claim.id, ""), full) for claim in claims
    ]


def _found(
    claim: Claim, seeds: tuple[int, ...], figures: Mapping[str, list[float | None]], missing: str, full: bool
) -> Found:
    if not claim.runs:
        return Found(id=claim.id, verdict=claim.expected, figures={}, seeds=(), full=full)
    if missing:
        return Found(id=claim.id, verdict="cannot be run", figures={}, seeds=(), full=full, why=missing)
    told = {name: tuple(values) for name, values in figures.items()}
    return Found(id=claim.id, verdict=verdict(claim, told), figures=told, seeds=seeds, full=full)


def seeds_of(claim: Claim, *, full: bool = False) -> tuple[int, ...]:
    """Return the seeds that a claim runs under, in order; none where nothing of it runs."""
    if not claim.runs:
        return ()
    return tuple(sorted(claim.full.get("seeds", claim.seeds) if full else claim.seeds))


def wanted_figures(claim: Claim) -> dict[str, Expression]:
    """Return the expressions of a claim's measures and of the points of its curves, by the names of their figures."""
    measured = {one.name: one.expression for one in claim.measures}
    curves = claim.chart.curves if claim.chart is not None else ()
    return measured | {name: of for curve in curves for name, of in curve.points().items()}


def kept_runs(run: Run = ran) -> Run:
    """Compute an experiment once where claims that follow each other share it: the last `KEPT` runs stay."""
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
    """Return the experiments of a claim by their setups' names, under one seed. Raises ExperimentError and Missing."""
    return {name: experiment_of(claim, name, seed, full=full) for name in claim.setups if name in claim.named}


def experiment_of(claim: Claim, name: str, seed: int, *, full: bool = False) -> Experiment:
    """Return one experiment of a claim by its setup's name, under one seed. Raises ExperimentError and Missing."""
    larger = {path: value for path, value in claim.full.items() if path != "seeds"} if full else {}
    data = with_changes(setup_data(claim.setups, claim.setups[name], seed), larger)
    return Experiment.parse(data | {"seed": seed})


def verdict(claim: Claim, figures: Mapping[str, tuple[float | None, ...]]) -> Verdict:
    """Return a claim's verdict by its figures: the worst of its measures and its recorded parts."""
    verdicts = [verdict_of(measure, figures[measure.name]) for measure in claim.measures]
    return max([*verdicts, *(part.verdict for part in claim.recorded)], key=WORST.__getitem__)


def verdict_of(measure: Measure, values: tuple[float | None, ...]) -> Verdict:
    """Return the verdict of one measure by its values under each seed."""
    numbers = [value for value in values if value is not None]
    if len(numbers) < len(values) or not numbers:
        return "not reproduced"
    held = numbers if measure.every else [statistics.median(numbers)]
    if all(measure.band.holds(value) for value in held):
        return "reproduced"
    if measure.sign is not None and all(measure.sign.holds(value) for value in held):
        return "sign only"
    return "not reproduced"
