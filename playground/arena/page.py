"""The pages of the arena: all challenges, one challenge with its board, and the form for a new challenge."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from playground.arena.board import board_payload, challenge_card, challenge_payload
from playground.arena.challenges import get_challenge, list_challenges, spec_of
from playground.arena.declared import Limit
from playground.arena.line import move_on
from playground.errors import PlaygroundError
from playground.experiments.listing import list_experiments
from playground.experiments.service import get_experiment
from playground.ground.simulator import stored_data
from playground.ground.viewers import Viewer
from playground.web.away import waits_for_redis
from playground.web.cards import card_of
from playground.web.missing import missing
from playground.web.words import gettext
from scheduler_core import SCHEDULERS

_MOST_OFFERED = 30


def _viewer(request: HttpRequest) -> Viewer:
    return Viewer(session_key=request.session.session_key or "")


@require_safe
@never_cache
def arena(request: HttpRequest) -> HttpResponse:
    """List the challenges that come along, and those of this browser."""
    viewer = _viewer(request)
    found = [
        {**challenge_card(challenge=one, viewer=viewer), "bounds": [_bound(limit) for limit in spec_of(one).limits]}
        for one in list_challenges(viewer=viewer)
    ]
    context = {
        "shipped": [one for one in found if one["shipped"]],
        "own": [one for one in found if not one["shipped"]],
        "card": card_of(
            request,
            title=gettext("The arena"),
            description=gettext(
                "Challenges for schedulers: fixed work and machines, hidden seeds, and a board with intervals."
            ),
        ),
    }
    return render(request, "arena.html", context)


def _bound(limit: Limit) -> dict[str, str]:
    """Return what a limit is on, and its bound with the unit: `at least 77 %`."""
    bound = limit.at_most if limit.at_least is None else limit.at_least
    assert bound is not None
    value = f"{bound * 100:g}\u202f%" if limit.unit == "%" else f"{bound:g}\u202f{limit.unit}".rstrip()
    words = (
        gettext("at most {value}", value=value) if limit.at_least is None else gettext("at least {value}", value=value)
    )
    return {"says": gettext(limit.says), "words": words}


@require_safe
@never_cache
@waits_for_redis
def challenge(request: HttpRequest, challenge_id: str) -> HttpResponse:
    """Show a challenge and its board; opening it runs its baseline, once."""
    viewer = _viewer(request)
    try:
        found = get_challenge(public_id=challenge_id)
    except PlaygroundError as error:
        return missing(request, error, kind="challenge")
    move_on(found)
    told = challenge_payload(challenge=found, viewer=viewer)
    boot = {"challenge": told, "board": board_payload(challenge=found, viewer=viewer), "own": _own(viewer)}
    card = card_of(request, title=told["title"], description=told["question"] or told["objective"]["says"])
    return render(request, "challenge.html", {"challenge": told, "boot": boot, "card": card})


def _own(viewer: Viewer) -> list[dict[str, str]]:
    """Return the viewer's newest experiments, to be entered."""
    rows = list_experiments(viewer=viewer)[:_MOST_OFFERED] if viewer.session_key else []
    return [
        {"id": row.experiment.public_id, "name": row.experiment.name or gettext("Untitled"), "scheduler": row.scheduler}
        for row in rows
    ]


@require_safe
@never_cache
def new(request: HttpRequest) -> HttpResponse:
    """Make a challenge of an experiment; without one, say where to choose it."""
    if not request.GET.get("experiment"):
        return missing(request, PlaygroundError(404, "not-found", gettext("Choose an experiment first")), kind="choice")
    try:
        experiment = get_experiment(public_id=request.GET.get("experiment", ""))
        data = stored_data(experiment)
    except PlaygroundError as error:
        return missing(request, error, kind="experiment")
    boot: dict[str, Any] = {
        "experiment": data,
        "schedulers": [{"name": one.name, "label": one.label} for one in SCHEDULERS],
        "address": f"/studio/{experiment.public_id}",
    }
    return render(request, "challenge_new.html", {"boot": boot, "experiment": experiment})
