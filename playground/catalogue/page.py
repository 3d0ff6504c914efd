"""The page of schedulers."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.views.decorators.http import require_safe

from playground.catalogue.cards import families, own_cards
from playground.web.cards import card_of
from playground.web.words import gettext


@require_safe
def schedulers(request: HttpRequest) -> HttpResponse:
    """Show all schedulers as cards, in families."""
    found = families()
    card = card_of(
        request,
        title=gettext("Cluster schedulers, each with its own idea"),
        description=gettext("Each scheduler with a small run that shows its idea."),
        picture=static("img/gallery/old-news-light.png"),
        alt=gettext("Map of the machines of a simulated datacenter"),
    )
    own = own_cards()
    total = sum(len(group["cards"]) for group in found) + len(own)
    return render(request, "schedulers.html", {"families": found, "own": own, "total": total, "card": card})
