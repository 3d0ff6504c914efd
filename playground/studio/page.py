"""One view for each page. An unguessable id or share link grants reading, so views rarely check the viewer."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from csp.decorators import csp_replace
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

import scheduler_core
from playground.catalogue.cards import signature_of
from playground.catalogue.controls import swept_controls
from playground.catalogue.service import scheduler_told
from playground.errors import PlaygroundError
from playground.experiments.page import share_data
from playground.experiments.service import experiment_payload, get_experiment, get_experiment_by_slug, mark_shared
from playground.gallery.page import card_of_entry
from playground.gallery.recordings import recorded_run
from playground.gallery.service import Entry, entry_of, for_the_page
from playground.gallery.shipping import first_experiment
from playground.ground.viewers import Viewer
from playground.models import Experiment
from playground.studio.toys import PANELS
from playground.web.access import outside_url
from playground.web.away import waits_for_redis
from playground.web.cards import card_of
from playground.web.missing import missing
from playground.web.words import gettext, language, translated


def _viewer(request: HttpRequest) -> Viewer:
    return Viewer(session_key=request.session.session_key or "")


def _payload(request: HttpRequest, experiment: Experiment) -> dict[str, Any]:
    base_url = f"{request.scheme}://{request.get_host()}"
    return experiment_payload(experiment=experiment, viewer=_viewer(request), base_url=base_url)


def _for_all(request: HttpRequest) -> dict[str, Any]:
    """Tell every studio the version whose rules hold, what it had better not send, and how others reach this server."""
    return {
        "version": scheduler_core.__version__,
        "controls": swept_controls(),
        "limits": {"upload_bytes": settings.LIMIT_UPLOAD_BYTES},
        "outside": outside_url(request),
    }


def _with_scheduler(boot: dict[str, Any]) -> dict[str, Any]:
    """Add what the list of schedulers says of the one that is opened: its settings have their room from the start."""
    begins = boot.get("experiment") or boot.get("gallery") or boot.get("signature")
    experiment = begins["experiment"] if begins else first_experiment().to_dict()
    name = experiment.get("scheduler", {}).get("name", "")
    return boot | {"scheduler": scheduler_told(name, language())}


def _note_visit(request: HttpRequest, experiment: Experiment) -> None:
    """Note the visit of a user who got the link of an experiment made by another."""
    if not _viewer(request).owns(experiment):
        # Beyond the quota the experiment stays as long as viewers open it.
        with suppress(PlaygroundError):
            mark_shared(experiment)


@require_safe
def landing(request: HttpRequest) -> HttpResponse:
    card = card_of(
        request,
        title=gettext("What makes a task wait in a datacenter?"),
        description=gettext("Design a datacenter, run cluster schedulers on it, and watch why tasks wait."),
        picture=static("img/gallery/old-news-light.png"),
        alt=gettext("Map of the machines of a simulated datacenter"),
    )
    return render(request, "landing.html", {"panels": PANELS, "version": scheduler_core.__version__, "card": card})


@require_safe
@waits_for_redis
def studio(request: HttpRequest, experiment_id: str = "") -> HttpResponse:
    """Show the studio: with a stored experiment, a question of the gallery, or what the page itself begins."""
    entry = _entry(request)
    tour: dict[str, Any] = {"gallery": _in_words(for_the_page(entry))} if entry else _signature(request)
    card = card_of_entry(request, entry) if entry else None
    shown_instead = _shown_instead(request) if not tour else None
    if not experiment_id:
        boot = {"mode": "studio", **_for_all(request), **tour}
        run = recorded_run(entry=entry) if entry else None
        if run is None:
            return render(
                request, "studio.html", {"boot": _with_scheduler(boot), "card": card, "unknown": shown_instead}
            )
        payload = _payload(request, run.experiment)
        boot["experiment"] = payload | _in_words({"experiment": payload["experiment"]})
        return render(
            request, "studio.html", {"boot": _with_scheduler(boot), "experiment": run.experiment, "card": card}
        )
    try:
        experiment = get_experiment(public_id=experiment_id)
    except PlaygroundError as error:
        return missing(request, error)
    payload = _payload(request, experiment)
    mode, absent = "studio" if payload["mine"] else "shared", _absent(payload)
    boot = {"mode": mode, "experiment": payload, "fixed": absent is not None, **_for_all(request), **tour}
    # Users pass on the address bar as well as the share link.
    shown = None if payload["mine"] else share_data(request, experiment)
    context = {"boot": _with_scheduler(boot), "experiment": experiment, "card": card or shown, "unknown": absent}
    return render(request, "studio.html", context)


def _shown_instead(request: HttpRequest) -> dict[str, str] | None:
    """Return what a page says if its address names a question or a scheduler that does not exist."""
    if name := request.GET.get("gallery", ""):
        text = gettext("The gallery has no question “{name}”. The studio shows another experiment.", name=name[:64])
        return {"text": text, "href": "/gallery", "link": gettext("All questions")}
    if name := request.GET.get("signature", ""):
        text = gettext("No scheduler is named “{name}”. The studio shows another experiment.", name=name[:64])
        return {"text": text, "href": "/schedulers", "link": gettext("All schedulers")}
    return None


def _absent(payload: dict[str, Any]) -> dict[str, str] | None:
    """Return what a page says of an experiment whose plugin is not here, or not as it was; None for any other."""
    choice = payload["experiment"].get("scheduler", {})
    stated = choice.get("plugin_sha256")
    here = {plugin.spec.name: plugin.sha256 for plugin in scheduler_core.plugins()}
    if stated is None or here.get(str(choice.get("name"))) == stated:
        return None
    text = gettext(
        "The scheduler “{name}” is a plugin whose file is not on this server (SHA-256 {digest}…). You can watch the "
        "recorded run. The experiment cannot be changed or run here.",
        name=str(choice.get("name"))[:64],
        digest=str(stated)[:12],
    )
    return {"text": text, "href": "/docs/tutorials/one-file-scheduler/", "link": gettext("What is a plugin?")}


def _signature(request: HttpRequest) -> dict[str, Any]:
    """Return the signature that an address names; nothing if no scheduler has this name."""
    if "signature" not in request.GET:
        return {}
    try:
        return {"signature": _in_words(signature_of(name=request.GET["signature"]))}
    except PlaygroundError:
        return {}


def _in_words(told: dict[str, Any]) -> dict[str, Any]:
    """Return what the page begins with in the reader's language: of its experiment, the name and the question."""
    experiment = told["experiment"]
    label = told.get("label", "")
    name = gettext("Example run: {label}", label=label) if label else gettext(experiment.get("name", ""))
    named = {"name": name, "question": gettext(experiment.get("question", ""))}
    shown: dict[str, Any] = translated(told)
    return shown | {"experiment": experiment | named}


def _entry(request: HttpRequest) -> Entry | None:
    """Return the entry of the gallery that an address names; None if the gallery does not have it."""
    try:
        return entry_of(name=request.GET.get("gallery", ""))
    except PlaygroundError:
        return None


@require_safe
@waits_for_redis
def shared(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the studio of a share link: live, and the first change makes a copy of the visitor's own."""
    try:
        experiment = get_experiment_by_slug(slug=slug)
    except PlaygroundError as error:
        return missing(request, error)
    _note_visit(request, experiment)
    payload = _payload(request, experiment)
    absent = _absent(payload)
    fixed = {"follows": "follow" in request.GET, "fixed": absent is not None}
    boot = {"mode": "shared", "experiment": payload, **fixed, **_for_all(request)}
    own = f"/studio/{experiment.public_id}" if payload["mine"] else ""
    context = {
        "boot": _with_scheduler(boot),
        "experiment": experiment,
        "own": own,
        "card": share_data(request, experiment),
        "unknown": absent,
    }
    return render(request, "studio.html", context)


#: What an embedded page may show, in the order of the page; and what it shows by default.
EMBED_PANELS = ("map", "legend", "play", "waits", "counters", "timeline")
_USUAL_PANELS = ("map", "legend", "play")


def _panels(request: HttpRequest) -> list[str]:
    """Return the parts that an address asks for by `panels=map.waits`; unknown ones are left out."""
    asked = request.GET.get("panels", "").replace(",", ".").split(".")
    return [name for name in EMBED_PANELS if name in asked] or list(_USUAL_PANELS)


@require_safe
@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"]})  # type: ignore[arg-type] # typed for views without parameters
@waits_for_redis
def embed(request: HttpRequest, slug: str) -> HttpResponse:
    """Show chosen parts alone, without anything around them. The only page that others may frame."""
    try:
        experiment = get_experiment_by_slug(slug=slug)
    except PlaygroundError as error:
        return missing(request, error, framed=True)
    _note_visit(request, experiment)
    panels = _panels(request)
    boot = {"mode": "embed", "experiment": _payload(request, experiment), "panels": panels}
    context = {"boot": boot, "experiment": experiment, "panels": panels, "beside": {"waits", "counters"} & set(panels)}
    return render(request, "embed.html", context)
