"""The wall of claims, and a page for each paper."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from playground.claims.wall import Asked, choices, counts, paper_view, wall
from playground.errors import not_found
from playground.web.cards import card_of
from playground.web.missing import missing
from playground.web.words import gettext
from scheduler_core.claims.papers import papers


@require_safe
def claims(request: HttpRequest) -> HttpResponse:
    """Show all claims of all papers as tiles by verdict; the address has the filters."""
    offered = choices()
    asked = {
        name: value if (value := request.GET.get(name, "")) in {one for one, _ in options} else ""
        for name, options in offered.items()
    }
    card = card_of(
        request,
        title=gettext("Which published figures does this simulator reproduce?"),
        description=gettext("Every claim of sixteen papers, with its verdict and the evidence."),
    )
    context = {"groups": wall(Asked(**asked)), "offered": offered, "asked": asked, "counts": counts(), "card": card}
    return render(request, "papers.html", context)


@require_safe
def paper(request: HttpRequest, name: str) -> HttpResponse:
    """Show a paper: its system, and its claims with published and our figures."""
    found = papers().get(name)
    if found is None:
        return missing(request, not_found("paper"), kind="paper")
    card = card_of(
        request, title=gettext("{system}: claims and verdicts", system=found.system), description=found.about[0]
    )
    return render(request, "paper.html", {**paper_view(found), "card": card})
