"""Pages and pictures of the experiments that a browser created and shared."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from playground.errors import PlaygroundError
from playground.experiments.listing import Listed, list_experiments
from playground.experiments.service import get_experiment_by_slug, mark_shared
from playground.ground.simulator import in_words
from playground.ground.viewers import Viewer
from playground.models import Experiment
from playground.runs.results.pictures import CARD_SIZE, KINDS, Kind, has_picture, newest_done_run, picture_of, seconds
from playground.web.access import base_url, outside_url
from playground.web.cards import card_of
from playground.web.qr import qr_svg
from playground.web.words import gettext

_QUERY = re.compile(r"[A-Za-z0-9_=&.%-]{0,300}")


@require_safe
@never_cache
def experiments(request: HttpRequest) -> HttpResponse:
    """List the experiments of this browser."""
    viewer = Viewer(session_key=request.session.session_key or "")
    rows = [_row(listed) for listed in list_experiments(viewer=viewer)]
    return render(request, "experiments.html", {"rows": rows})


def _row(listed: Listed) -> dict[str, Any]:
    waits = {
        name: seconds(value) if isinstance(value, int | float) else "none started"
        for name, value in listed.waits.items()
    }
    experiment = listed.experiment
    return {
        "experiment": experiment,
        "scheduler": listed.scheduler,
        "machines": listed.machines,
        "state": listed.state,
        "p50": waits.get("p50", ""),
        "p99": waits.get("p99", ""),
        "picture": f"/e/{experiment.slug}/preview" if listed.picture_run else "",
    }


@require_safe
def preview(request: HttpRequest, slug: str, kind: str = "card") -> HttpResponse:
    """Give the picture of a shared experiment, or a small one for the list in either theme."""
    if kind not in KINDS:
        raise Http404
    chosen: Kind = kind
    try:
        picture = picture_of(experiment=get_experiment_by_slug(slug=slug), kind=chosen)
    except PlaygroundError as error:
        return HttpResponse(f"{error.title}\n", status=error.status, content_type="text/plain; charset=utf-8")
    response = HttpResponse(picture, content_type="image/png")
    response["Cache-Control"] = "public, max-age=600"
    return response


@require_safe
def qr(request: HttpRequest, slug: str) -> HttpResponse:
    """Give a share link as a QR code; who looks at it means to share."""
    try:
        experiment = get_experiment_by_slug(slug=slug)
    except PlaygroundError as error:
        return HttpResponse(f"{error.title}\n", status=error.status, content_type="text/plain; charset=utf-8")
    try:
        mark_shared(experiment)
    except PlaygroundError as error:
        return HttpResponse(f"{in_words(error)}\n", status=error.status, content_type="text/plain; charset=utf-8")
    query = urlsplit(request.get_full_path()).query
    link = f"{outside_url(request) or base_url(request)}/e/{experiment.slug}"
    if query and _QUERY.fullmatch(query):
        link += f"?{query}"
    return HttpResponse(qr_svg(link), content_type="image/svg+xml")


def share_data(request: HttpRequest, experiment: Experiment) -> dict[str, Any]:
    """Describe a share page to those who show links as cards."""
    run = newest_done_run(experiment)
    facts = [experiment.question] if experiment.question else []
    waits = (run.summary or {}).get("allocation_delay_s", {}) if run else {}
    if waits and waits.get("p99") is None:
        facts.append(gettext("No task started."))
    elif isinstance(waits.get("p99"), int | float):
        told = {"half": seconds(waits["p50"]), "most": seconds(waits["p99"])}
        facts.append(gettext("Half of the tasks start within {half}, 99 % within {most}.", **told))
    title, path = experiment.name or gettext("Untitled experiment"), f"/e/{experiment.slug}"
    return card_of(
        request,
        title=title,
        description=" ".join(facts)
        or gettext("An experiment on a simulated datacenter: play it, look around, fork it."),
        path=path,
        picture=f"{path}/preview.png" if run and has_picture(run, "card") else "",
        size=CARD_SIZE,
        alt=gettext("Map of the machines in the middle of a run of {title}", title=title),
    )
