"""Runs of an arena entry: a study under hidden seeds that stores only the challenge's figures.

What a run leaves behind can be read by whoever reads the board, so neither the summary nor a digest of the run is
stored: both would tell of the seed.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from django.conf import settings

from playground.errors import PlaygroundError, problem
from playground.ground.simulator import resolve_trace, web_limits
from playground.models import StudyRun
from playground.studies.service import grid_of
from scheduler_core import Experiment, ExperimentError, KeptBuilds
from scheduler_core.claims.expressions import Expression
from scheduler_core.run.driver import OnSlice
from scheduler_core.studies.running import run_to_end, under_seed


def measure_hidden(row: StudyRun, *, builds: KeptBuilds, on_slice: OnSlice) -> dict[str, Any]:
    """Run a row of an entry under its hidden seed; return its figures, by their names. Raises ExperimentError."""
    study, grid, hidden = row.study, grid_of(row.study), row.study.hidden
    assert hidden is not None
    whole, each = web_limits(), max(1, settings.LIMIT_ENTRY_TASKS // study.runs)
    limits = dataclasses.replace(whole, tasks=min(whole.tasks, each), jobs=min(whole.jobs, each))
    data = grid.experiment(grid.cells[0], grid.seeds[0])
    experiment = under_seed(Experiment.parse(data, limits=limits), hidden["seeds"][row.number])
    try:
        result = run_to_end(experiment, resolve_trace=resolve_trace, limits=limits, builds=builds, on_slice=on_slice)
    except ExperimentError as error:
        raise _too_large(error, each) from None
    figures = {name: Expression.parse(text).value({"run": result}) for name, text in hidden["figures"].items()}
    tasks, wall_s = result.summary["tasks"], result.summary["performance"]["wall_s"]
    return {
        "tasks": {"total": tasks["total"], "completed": tasks["completed"]},
        "figures": {name: value if math.isfinite(value) else None for name, value in figures.items()},
        "performance": {"wall_s": wall_s},
    }


def _too_large(error: ExperimentError, each: int) -> PlaygroundError:
    items = [
        problem(one.path, one.message, allowed=f"at most {each:,} tasks a run (setting PLAYGROUND_LIMIT_ENTRY_TASKS)")
        if "limit '" in one.allowed
        else problem(one.path, one.message, allowed=one.allowed, remedy=one.remedy)
        for one in error.problems
    ]
    return PlaygroundError(422, "invalid-experiment", "The entry cannot be run", tuple(items))
