"""The page of the glossary, and its terms as data for tooltips."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from playground.glossary.service import glossary
from playground.web.cards import card_of
from playground.web.words import gettext


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Show every term with its explanation."""
    told = [{"anchor": one.anchor, "term": gettext(one.term), "shown": gettext(one.text)} for one in glossary()]
    card = card_of(
        request, title=gettext("Glossary"), description=gettext("Terms of cluster scheduling in plain words.")
    )
    return render(request, "glossary.html", {"terms": told, "card": card})


@require_safe
@cache_control(max_age=3600)
def terms(request: HttpRequest) -> JsonResponse:
    """Return [{words, text}]: the forms of each term, and its explanation in the reader's language."""
    found = [(dict.fromkeys([gettext(one.term), one.term, *one.also]), gettext(one.text)) for one in glossary()]
    return JsonResponse({"terms": [{"words": list(words), "text": text} for words, text in found]})
