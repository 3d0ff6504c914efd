"""List the ES modules of a page, so that the browser fetches them in parallel."""

from __future__ import annotations

import functools
import posixpath
import re
from pathlib import Path

from django import template
from django.conf import settings
from django.template.base import Parser, Token
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from playground.web.built import script_of, style_of

register = template.Library()

# Static imports, at the start of a line, and of a statement in vendored modules, which are one line; `import("...")` is
# for what a page wants later, and a comment's `@import` is for the type checker.
_IMPORT = re.compile(r"""(?:^|;)(?:import|export|\})(?!\()[^"\n;]*"(\.[^"]+)"(?=;)""", re.MULTILINE)
_STYLE = re.compile(r'<link rel="stylesheet" href="([^"]+)">')


@register.simple_tag
def preload_modules(page: str) -> SafeString:
    """Link every module that the page's script imports, directly or not, itself included; where it is built, that."""
    built = script_of(page)
    if built is not None:
        return format_html('<link rel="modulepreload" href="{}">', static(built))
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


@register.simple_tag
def page_script(page: str) -> SafeString:
    """Load a page's script: the built file where there is one."""
    return format_html('<script type="module" src="{}"></script>', script_address(page))


@register.simple_tag
def script_address(page: str) -> str:
    """Return the address of a page's script, for a thread that the page starts."""
    return static(script_of(page) or f"js/pages/{page}.js")


@register.tag
def one_style(parser: Parser, token: Token) -> OneStyle:
    """Put one built style file in the place of all that stand between this tag and `endone_style`."""
    nodes = parser.parse(("endone_style",))
    parser.delete_first_token()
    return OneStyle(nodes)


class OneStyle(template.Node):
    """Links of style files, which become one where they were built as one."""

    def __init__(self, nodes: template.NodeList) -> None:
        self.nodelist = nodes

    def render(self, context: template.Context) -> SafeString:
        """Render what stands between; the built file takes the place of the first link."""
        html = self.nodelist.render(context)
        prefix = static("")
        links = _STYLE.findall(html)
        built = style_of(tuple(address.removeprefix(prefix) for address in links))
        if built is None:
            return html
        one = iter([f'<link rel="stylesheet" href="{static(built)}">'])
        return SafeString(_STYLE.sub(lambda _: next(one, ""), html))
