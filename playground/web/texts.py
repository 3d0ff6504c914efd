"""Template tags of the catalogue, loaded by default: `{% text "Share" %}`, `{% plural "{n} run" "{n} runs" n %}`."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString, mark_safe

from playground.web import words
from playground.web.words import gettext_lazy as _

register = template.Library()

#: What a list says of a run's or a study's state.
_STATES = {
    "queued": _("waiting"),
    "compiling": _("compiling"),
    "running": _("running"),
    "paused": _("paused"),
    "done": _("done"),
    "failed": _("failed"),
    "cancelled": _("cancelled"),
}


@register.simple_tag
def text(message: str, context: str = "", **values: object) -> str:
    """Write a text in the reader's language, with its places filled: `{% text "Forks of {name}" name=name %}`.

    `context` tells texts apart that are one in English: `{% text "Play" "level" %}` has the key "Play [level]".
    """
    return words.gettext(message, context=context, **values)


@register.simple_tag
def plural(one: str, many: str, n: int, **values: object) -> str:
    """Write the form of a text for a number."""
    return words.ngettext(one, many, n, **values)


@register.filter
def said(message: str) -> str:
    """Give a text that the library or a fixture declares in the reader's language."""
    return words.gettext(str(message))


@register.simple_tag
def spoken(message: str) -> SafeString:
    """Mark an element whose declared text has no translation as English."""
    return mark_safe("" if words.is_translated(str(message)) else ' lang="en"')  # noqa: S308 - a literal


@register.filter
def named(name: str) -> str:
    """Give the name of an experiment or a study; "Untitled" where it has none."""
    return name or words.gettext("Untitled")


@register.filter
def state_word(state: str) -> str:
    """Name the state of a run or a study."""
    return str(_STATES.get(state, state))
