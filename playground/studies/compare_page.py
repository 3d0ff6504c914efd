"""The page that compares runs side by side."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from playground.errors import PlaygroundError
from playground.experiments.service import experiment_payload
from playground.ground.simulator import scheduler_label
from playground.ground.viewers import Viewer
from playground.runs.service import get_run, run_payload
from playground.web.away import waits_for_redis

MOST_RUNS = 4


@require_safe
@waits_for_redis
def compare(request: HttpRequest) -> HttpResponse:
    """Show two to four runs side by side; the page says what is missing when the address names none."""
    viewer = Viewer(session_key=request.session.session_key or "")
    named = [run_id for run_id in request.GET.get("runs", "").split(",") if run_id]
    shown: list[dict[str, Any]] = []
    for run_id in named[:MOST_RUNS]:
        try:
            run = get_run(public_id=run_id)
        except PlaygroundError:
            continue
        experiment = experiment_payload(experiment=run.experiment, viewer=viewer)
        shown.append({"run": run_payload(run=run), "experiment": experiment | {"runs": []}})
    enough = len(shown) > 1
    context = {
        "boot": {"runs": shown if enough else []},
        "names": [scheduler_label(each["experiment"]["experiment"]) for each in shown],
        "missing": len(named[:MOST_RUNS]) - len(shown),
        "too_many": len(named) > MOST_RUNS,
        "only": f"/studio/{shown[0]['experiment']['id']}?run={shown[0]['run']['id']}" if shown and not enough else "",
    }
    return render(request, "compare.html", context)
