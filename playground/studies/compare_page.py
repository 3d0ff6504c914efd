"""The page that compares runs side by side."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from playground.errors import PlaygroundError
from playground.experiments.service import experiment_payload, get_experiment
from playground.ground.simulator import scheduler_label
from playground.ground.viewers import Viewer
from playground.runs.service import get_run, run_payload
from playground.web.away import waits_for_redis

MOST_RUNS = 8


@require_safe
@waits_for_redis
def compare(request: HttpRequest) -> HttpResponse:
    """Show two to eight runs side by side; the page says what is missing when the address names none.

    `runs` names runs, and `next` experiments whose runs the page starts when the limit of runs at once allows it.
    """
    viewer = Viewer(session_key=request.session.session_key or "")
    named = [(name, one) for name in ("runs", "next") for one in request.GET.get(name, "").split(",") if one]
    shown: list[dict[str, Any]] = []
    for name, public_id in named[:MOST_RUNS]:
        with suppress(PlaygroundError):
            shown.append(_shown(name, public_id, viewer))
    enough = len(shown) > 1
    context = {
        "boot": {"runs": shown if enough else []},
        "names": [scheduler_label(each["experiment"]["experiment"]) for each in shown],
        "missing": len(named[:MOST_RUNS]) - len(shown),
        "too_many": len(named) > MOST_RUNS,
        "only": _address(shown[0]) if shown and not enough else "",
    }
    return render(request, "compare.html", context)


def _shown(name: str, public_id: str, viewer: Viewer) -> dict[str, Any]:
    """Return a run, or an experiment without one. Raises PlaygroundError."""
    run = get_run(public_id=public_id) if name == "runs" else None
    experiment = get_experiment(public_id=public_id) if run is None else run.experiment
    payload = experiment_payload(experiment=experiment, viewer=viewer)
    return {"run": None if run is None else run_payload(run=run), "experiment": payload | {"runs": []}}


def _address(shown: dict[str, Any]) -> str:
    place = f"/studio/{shown['experiment']['id']}"
    return place if shown["run"] is None else f"{place}?run={shown['run']['id']}"
