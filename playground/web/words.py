"""Texts in the reader's language: one catalogue for pages, scripts and the server.

The English text is the key, so a text whose English has changed is English again until a user translates it again.
`playground/locale/xx.json` holds the texts of templates, scripts and views; `playground/locale/declared/xx.json` those
that the library and the fixtures declare: schedulers, their parameters, the gallery.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.formats import number_format
from django.utils.functional import lazy
from django.utils.translation import get_language

SOURCE = "en"  # the language of the source texts
Forms = str | dict[str, str]
#: Parts of a file whose texts no script needs; `former` are translations of English that has changed.
_ONLY_SERVER = ("templates/", "server/", "former")
_PLACE = re.compile(r"\{(\w+)\}")
#: Fields of what the library declares that a person reads.
READ = frozenset(
    {"label", "family_label", "description", "title", "help", "summary", "says", "knows", "decides", "queue_note"}
    | {"waits", "unseen", "misses", "plain", "question", "about", "text", "there", "template", "unit", "short"}
)

#: Fields that hold an experiment or a part of one: data, of which no word may change.
_DATA = frozenset({"experiment", "change"})


def language() -> str:
    """Return the language of the request that is being answered, without its region."""
    return (get_language() or SOURCE).partition("-")[0]


def gettext(text: str, *, context: str = "", **values: object) -> str:
    """Return a text in the reader's language with its places filled from the values."""
    found = catalogue(language()).get(f"{text} [{context}]" if context else text, text)
    return _filled(found if isinstance(found, str) else text, values)


def marked(text: str) -> str:
    """Return a text as it is, and put it into the catalogue: whoever shows it translates it by `gettext`."""
    return text


def ngettext(one: str, many: str, n: int, **values: object) -> str:
    """Return a text's form for a number, which is its place n."""
    forms = catalogue(language()).get(one)
    text = (one if n == 1 else many) if forms is None else forms
    if isinstance(text, dict):
        # The languages here have one form for 1 and one for all other whole numbers.
        text = text.get("one" if n == 1 else "other", many)
    return _filled(text, {"n": n} | values)


#: A text of a module; translation happens when a page needs it.
gettext_lazy: Callable[[str], str] = lazy(gettext, str)


def is_translated(text: str) -> bool:
    """Return True if a text is translated into the reader's language."""
    return language() == SOURCE or text in catalogue(language())


def translated(data: Any, spoken: str = "") -> Any:
    """Return what the library or the gallery declares, with the texts that a person reads in the reader's language."""
    spoken = spoken or language()
    return data if spoken == SOURCE else _in_words(data, catalogue(spoken), read=False)


def _in_words(data: Any, texts: Mapping[str, Forms], *, read: bool) -> Any:
    if isinstance(data, dict):
        return {
            key: value if key in _DATA else _in_words(value, texts, read=key in READ) for key, value in data.items()
        }
    if isinstance(data, list | tuple):
        return [_in_words(value, texts, read=read) for value in data]
    found = texts.get(data, data) if read and isinstance(data, str) else data
    return found if isinstance(found, str) else data


def told(value: float, digits: int | None = None) -> str:
    """Write a number as the reader's language does, with grouped thousands."""
    return number_format(value, digits, use_l10n=True, force_grouping=True)


def three(value: float) -> str:
    """Write a number with three significant digits as the reader's language does; trailing zeros go."""
    size = float(f"{value:.3g}")
    return told(int(size)) if size.is_integer() else told(size)


def _filled(text: str, values: Mapping[str, object]) -> str:
    def value_of(found: re.Match[str]) -> str:
        value = values.get(found[1], found[0])
        return told(value) if isinstance(value, int | float) and not isinstance(value, bool) else str(value)

    return _PLACE.sub(value_of, text)


def words(request: HttpRequest) -> dict[str, Any]:
    """Give templates the texts of the page's scripts, None for English, and the other languages."""
    spoken = language()
    return {
        "words": None if spoken == SOURCE else _of_pages(_folders(), spoken),
        "other_languages": [_offered(code, request) for code, _ in settings.LANGUAGES if code != spoken],
    }


def _offered(code: str, request: HttpRequest) -> dict[str, str]:
    query = request.GET.copy()
    query["lang"] = code
    names = {"en": "English", "de": "Deutsch"}
    return {"code": code, "name": names.get(code, code), "address": f"{request.path}?{query.urlencode()}"}


def catalogue(spoken: str) -> dict[str, Forms]:
    """Return all texts of a language by their English; empty for English itself and for a language without a file."""
    return {} if spoken == SOURCE else _all(_folders(), spoken)


def _folders() -> tuple[Path, ...]:
    return tuple(Path(path) for path in settings.LOCALE_PATHS)


@functools.cache
def _of_pages(folders: tuple[Path, ...], spoken: str) -> dict[str, Forms]:
    """Return what a page carries: the texts of the scripts, and what runs declare (layers, counters, marks)."""
    found: dict[str, Forms] = {}
    for folder in folders:
        found |= _parts(folder / "declared" / f"{spoken}.json").get("run", {})
        for name, texts in _parts(folder / f"{spoken}.json").items():
            found |= {} if name.startswith(_ONLY_SERVER) else texts
    return found


@functools.cache
def _all(folders: tuple[Path, ...], spoken: str) -> dict[str, Forms]:
    files = [folder / place for place in (f"declared/{spoken}.json", f"{spoken}.json") for folder in folders]
    return {key: text for path in files for texts in _parts(path).values() for key, text in texts.items()}


def _parts(path: Path) -> dict[str, dict[str, Forms]]:
    """Return the texts of a file by its parts; empty without a file."""
    if not path.is_file():
        return {}
    found: dict[str, dict[str, Forms]] = json.loads(path.read_text(encoding="utf-8"))
    return found
