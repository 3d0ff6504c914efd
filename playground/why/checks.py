"""Checks that all questions about a finished run share, and the common start of their answers."""

from __future__ import annotations

from typing import Any

from playground.errors import PlaygroundError, problem
from playground.ground.simulator import resolve_trace, stored_experiment, web_limits
from playground.models import Run
from playground.runs.results.files import require_done
from scheduler_core import SCHEDULERS, scheduler_by_name


def require_task(run: Run, task: int) -> None:
    """Refuse a run that is not done, and a task that it does not have. Raises PlaygroundError."""
    require_done(run)
    total = int((run.summary or {})["tasks"]["total"])
    if not 0 <= task < total:
        item = problem("task", f"there is no task {task:,}", allowed=f"0 to {total - 1:,}")
        raise PlaygroundError(404, "not-found", "There is no such task", (item,))


def rounds_of(run: Run) -> int:
    """Return how many rounds the solver of a finished run had. Raises PlaygroundError for a run without a solver."""
    name = str(run.experiment.data["scheduler"]["name"])
    if not scheduler_by_name(name).network:
        known = ", ".join(one.name for one in SCHEDULERS if one.network)
        item = problem("", f"its scheduler is {name}, which solves no network", allowed=f"runs of {known}")
        raise PlaygroundError(404, "no-network", "This run has no network", (item,))
    require_done(run)
    return int((run.summary or {})["counters"].get("rounds", 0))


def experiment_of(run_id: str) -> Any:
    """Return what the core runs, for the worker that simulates a run again."""
    run = Run.objects.select_related("experiment").get(public_id=run_id)
    return stored_experiment(run.experiment, seed=run.seed)


def reading() -> dict[str, Any]:
    """Return the options by which the core finds traces and knows its limits here."""
    return {"resolve_trace": resolve_trace, "limits": web_limits()}
