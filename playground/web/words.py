"""The texts of the page's modules in the reader's language, for `static/js/kit/words.js`."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language

_SOURCE = "en"  # the language that texts are written in


def words(request: HttpRequest) -> dict[str, Any]:
    """Give templates the language's texts; None where texts stay as they are written."""
    language = (get_language() or _SOURCE).partition("-")[0]
    if language == _SOURCE:
        return {"words": None}
    return {"words": next((found for path in settings.LOCALE_PATHS if (found := _catalogue(Path(path), language))), {})}


@functools.cache
def _catalogue(folder: Path, language: str) -> dict[str, Any]:
    """Return the texts of a language's file, of all features together; empty without a file."""
    path = folder / f"{language}.json"
    if not path.is_file():
        return {}
    features: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return {text: translation for texts in features.values() for text, translation in texts.items()}
