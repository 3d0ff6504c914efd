"""The texts of the page's modules in the reader's language, for `static/js/kit/words.js`."""

from __future__ import annotations

import functools
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language
from django.utils.translation.trans_real import DjangoTranslation
from django.views.i18n import JSONCatalog

_SOURCE = "en"  # the language that texts are written in


def words(request: HttpRequest) -> dict[str, Any]:
    """Give templates the catalogue of the domain `djangojs`; nothing where texts stay as they are written."""
    language = get_language() or _SOURCE
    return {"words": None if language.partition("-")[0] == _SOURCE else _catalogue(language)}


@functools.cache
def _catalogue(language: str) -> dict[str, Any]:
    view = JSONCatalog()
    folders = [str(path) for path in settings.LOCALE_PATHS]
    view.translation = DjangoTranslation(language, domain="djangojs", localedirs=folders)
    found: dict[str, Any] = view.get_catalog()
    return found
