"""The gallery's page, and the tree of forks of an experiment."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.views.decorators.http import require_safe

from playground.gallery.service import Entry, gallery
from playground.web.cards import card_of
from playground.web.words import gettext


@require_safe
def questions(request: HttpRequest) -> HttpResponse:
    """Show the questions of the gallery."""
    entries = gallery()
    card = card_of(
        request,
        title=gettext("What would you like to know?"),
        description=gettext("Questions about cluster schedulers, each with a run to watch and a two-minute tour."),
        picture=static(f"img/gallery/{entries[0].name}-light.png") if entries else "",
        alt=gettext("Map of the machines in one of the runs"),
    )
    return render(request, "gallery.html", {"entries": entries, "card": card})


def card_of_entry(request: HttpRequest, entry: Entry) -> dict[str, Any]:
    """Describe a question of the gallery, which has an address of the studio's."""
    return card_of(
        request,
        title=gettext(entry.question),
        description=gettext(entry.about),
        path=f"{request.path}?gallery={entry.name}",
        picture=static(f"img/gallery/{entry.name}-light.png"),
        alt=gettext("Map of the machines in a run under {scheduler}", scheduler=gettext(entry.scheduler)),
    )
