"""The page for something that does not exist, with links to other places."""

from __future__ import annotations

from typing import Any, Literal

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from playground.errors import PlaygroundError
from playground.models import GoneLink
from playground.web.words import gettext
from playground.web.words import gettext_lazy as _

Kind = Literal["experiment", "study", "trace", "paper", "class", "homework", "lesson", "challenge", "choice"]
_TOLD: dict[Kind, dict[str, Any]] = {
    "experiment": {
        "about": _("The address may be incomplete, or the experiment was deleted."),
        "list_url": "/experiments",
        "list_name": _("Your experiments"),
    },
    "study": {
        "about": _("The address may be incomplete, or the study or its experiment was deleted."),
        "list_url": "/studies",
        "list_name": _("Your studies"),
    },
    "trace": {
        "about": _("The address may be incomplete, or the trace was deleted. You can choose traces in the studio."),
        "list_url": "/gallery",
        "list_name": _("Gallery"),
    },
    "class": {
        "about": _(
            "The address may be incomplete, or the class was deleted. The server deletes a class 30 days after its "
            "last use."
        ),
        "list_url": "/join",
        "list_name": _("Join a class"),
    },
    "homework": {
        "about": _(
            "The address may be incomplete, or the homework was deleted. The server deletes a homework 30 days after "
            "its end."
        ),
        "list_url": "/lessons",
        "list_name": _("Lessons"),
    },
    "lesson": {
        "about": _("The address may be incomplete. The page of lessons lists those that come with the product."),
        "list_url": "/lessons",
        "list_name": _("Lessons"),
    },
    "paper": {
        "about": _("The address may be incomplete. The Papers page lists all papers with claims."),
        "list_url": "/papers",
        "list_name": _("Papers"),
    },
    "challenge": {
        "about": _("The address may be incomplete, or the challenge was deleted. The arena lists the others."),
        "list_url": "/arena",
        "list_name": _("Arena"),
    },
    "choice": {
        "about": _("Open an experiment, press “Share”, then “Make a challenge…”."),
        "list_url": "/experiments",
        "list_name": _("Your experiments"),
    },
}


def missing(
    request: HttpRequest, error: PlaygroundError, *, kind: Kind = "experiment", framed: bool = False
) -> HttpResponse:
    """Return the page for a missing thing; `framed` is the form for a frame of another page, whose links leave it."""
    told, title = _TOLD[kind], gettext(error.title)
    gone = GoneLink.objects.filter(slug=error.problems[0]["path"]).first() if error.kind == "gone" else None
    if gone is not None:
        title = gettext("This experiment was removed")
        about = gettext(
            "It was “{name}” with {scheduler}. Nobody used it for {days} days. A link that holds the whole experiment "
            "still opens it.",
            name=gone.name or gettext("Untitled"), scheduler=gone.scheduler, days=settings.KEEP_EXPERIMENTS_DAYS,
        )  # fmt: skip
        told = told | {"about": about}
    starts = kind in ("experiment", "study", "trace", "choice")
    context = {"title": title, "framed": framed, "starts": starts, "gone": gone is not None, **told}
    return render(request, "missing.html", context, status=error.status)
