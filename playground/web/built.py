"""Choose the files of a page's script and styles: the built ones if they match today's sources.

`manage.py bundle` builds them. In development, and where nothing was built, pages load modules and styles as written.
"""

from __future__ import annotations

import functools
import hashlib
import json
from pathlib import Path
from typing import TypedDict

from django.conf import settings

BUILT, MANIFEST = "built", "manifest.json"


class Manifest(TypedDict):
    """What was built: names under static/ by page, and by the names of the style files that a page links."""

    sources: str
    scripts: dict[str, str]
    styles: dict[str, str]


_NOTHING: Manifest = {"sources": "", "scripts": {}, "styles": {}}


def script_of(page: str) -> str | None:
    """Return the built script of a page; None where its modules are to be loaded."""
    return _manifest()["scripts"].get(page)


def file_of(page: str) -> str | None:
    """Return the built script of a page even where pages load their modules; None where none of today's is built."""
    return _read(Path(settings.FILES_DIR) / "static")["scripts"].get(page)


def style_of(names: tuple[str, ...]) -> str | None:
    """Return the built file of these style files in this order."""
    return _manifest()["styles"].get(" ".join(names))


def _manifest() -> Manifest:
    return _NOTHING if settings.DEBUG or not settings.BUILT_PAGES else _read(Path(settings.FILES_DIR) / "static")


@functools.cache
def _read(static: Path) -> Manifest:
    """Read what was built when the server first asks; a clone's files may be older than its sources."""
    try:
        found: Manifest = json.loads((static / BUILT / MANIFEST).read_text(encoding="utf-8"))
        fresh = not settings.IS_CLONE or found["sources"] == digest(static)
    except (OSError, ValueError, KeyError):
        return _NOTHING
    return found if fresh else _NOTHING


def digest(static: Path) -> str:
    """Return a hash of all sources: scripts, styles, and the third-party files that scripts import."""
    found = hashlib.sha256()
    for path in sorted(path for folder in ("js", "css", "vendor") for path in (static / folder).rglob("*")):
        if path.suffix in {".js", ".mjs", ".css"}:
            found.update(f"{path.relative_to(static).as_posix()}\0".encode() + path.read_bytes() + b"\0")
    return found.hexdigest()
