"""The page of schedulers."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.views.decorators.http import require_safe

from playground.catalogue.cards import families
from playground.web.cards import card_of


@require_safe
def schedulers(request: HttpRequest) -> HttpResponse:
    """Show all schedulers as cards, in families."""
    found = families()
    card = card_of(
        request,
        title="Cluster schedulers, each with its own idea",
        description="Each scheduler with a small run on which its idea shows.",
        picture=static("img/gallery/old-news-light.png"),
        alt="Map of the machines of a simulated datacenter",
    )
    total = sum(len(group["cards"]) for group in found)
    return render(request, "schedulers.html", {"families": found, "total": total, "card": card})
