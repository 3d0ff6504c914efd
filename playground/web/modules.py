"""The ES modules of a page, so that the browser fetches them side by side instead of one import after the other."""

from __future__ import annotations

import functools
import posixpath
import re
from pathlib import Path

from django import template
from django.conf import settings
from django.templatetags.static import static
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

register = template.Library()

# Imports that are always made, at the start of a line; `import("...")` is for what a page wants later, and a comment's
# `@import` is for the type checker.
_IMPORT = re.compile(r"""^(?:import|export|\})(?!\()[^"\n]*"(\.[^"]+)";$""", re.MULTILINE)


@register.simple_tag
def preload_modules(page: str) -> SafeString:
    """Link every module that the page's script imports, directly or not, itself included."""
    find = _modules_of.__wrapped__ if settings.DEBUG else _modules_of
    return format_html_join(
        "\n  ", '<link rel="modulepreload" href="{}">', ((static(path),) for path in find(f"js/pages/{page}.js"))
    )


@functools.cache
def _modules_of(entry: str) -> tuple[str, ...]:
    """Return paths under static/, sorted."""
    folder = Path(settings.FILES_DIR) / "static"
    seen: set[str] = set()
    waiting = [entry]
    while waiting:
        path = waiting.pop()
        if path not in seen:
            seen.add(path)
            text = (folder / path).read_text(encoding="utf-8")
            waiting += [
                posixpath.normpath(posixpath.join(posixpath.dirname(path), one)) for one in _IMPORT.findall(text)
            ]
    return tuple(sorted(seen))
