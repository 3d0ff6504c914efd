"""The reasons of one task of a finished run."""

from __future__ import annotations

from typing import Any

from celery import current_app
from celery.exceptions import TimeoutError as CeleryTimeout

from playground.errors import PlaygroundError, problem
from playground.ground.simulator import resolve_trace, stored_experiment, web_limits
from playground.models import Run
from playground.runs.results.files import require_done
from scheduler_core import ExperimentError

EXPLAIN_TASK = "playground.tasks.explain_task"


_EXPLAIN_WAIT_S = 25.0


def explain(*, run: Run, task: int, at_s: float | None = None) -> dict[str, Any]:
    """Ask a worker for one task's reasons: it may have to simulate again, which is no work for a web process."""
    require_done(run)
    total = int((run.summary or {})["tasks"]["total"])
    if not 0 <= task < total:
        item = problem("task", f"there is no task {task}", allowed=f"0 to {total - 1}")
        raise PlaygroundError(404, "not-found", "There is no such task", (item,))
    pending = current_app.send_task(EXPLAIN_TASK, args=[run.public_id, task, at_s], queue="previews", expires=60)
    try:
        answer = pending.get(timeout=_EXPLAIN_WAIT_S)
    except CeleryTimeout:
        item = problem("", "no worker answered in time", remedy="ask again in a moment")
        raise PlaygroundError(503, "busy", "The explanation is not ready", (item,)) from None
    if "error" in answer:
        raise PlaygroundError(422, "unexplained", "The task cannot be explained", (problem("task", answer["error"]),))
    return dict(answer["explanation"])


def compute_explanation(*, run_id: str, task: int, at_s: float | None = None) -> dict[str, Any]:
    """Simulate to where the reasons are in hand (in a worker, which alone loads compiled code)."""
    from playground.ground.kept import kept_moments
    from scheduler_core import explain as core_explain

    run = Run.objects.select_related("experiment").get(public_id=run_id)
    try:
        experiment = stored_experiment(run.experiment.data, seed=run.seed)
        options: dict[str, Any] = {"resolve_trace": resolve_trace, "limits": web_limits(), "moments": kept_moments()}
        return {"explanation": core_explain(experiment, task, at_s, **options)}
    except (ExperimentError, PlaygroundError, LookupError) as error:
        return {"error": str(error)}
