"""Serve the documentation's site, built by MkDocs (tools/docs), under `/docs/`."""

from __future__ import annotations

import mimetypes
from importlib.util import find_spec
from pathlib import Path

from django.conf import settings
from django.core.exceptions import SuspiciousFileOperation
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils._os import safe_join
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import condition, require_safe

_TYPES = {".js": "text/javascript; charset=utf-8", ".json": "application/json", ".ipynb": "application/x-ipynb+json"}
_RETRY_S = 3


def _file(address: str) -> Path | None:
    """Return the file of an address below /docs/: a folder's page is its index.html."""
    try:
        path = Path(safe_join(settings.DOCS_DIR, address))
    except SuspiciousFileOperation:
        return None
    path = path / "index.html" if path.is_dir() else path
    return path if path.is_file() and not path.name.startswith(".") else None


def _etag(request: HttpRequest, address: str = "") -> str | None:
    path = _file(address)
    if path is None:
        return None
    told = path.stat()
    return f'"{told.st_mtime_ns:x}-{told.st_size:x}"'


@require_safe
@gzip_page
@condition(etag_func=_etag)
def page(request: HttpRequest, address: str = "") -> HttpResponse:
    """Give a file of the site, or say that the site is not built yet."""
    path = _file(address)
    if path is None:
        if not (settings.DOCS_DIR / "index.html").is_file():
            building = settings.BUILD_DOCS and find_spec("mkdocs") is not None
            answer = render(request, "docs_absent.html", {"building": building}, status=503)
            if building:
                answer["Refresh"] = answer["Retry-After"] = str(_RETRY_S)
            return answer
        raise Http404
    if path.name == "index.html" and not request.path.endswith("/"):
        return HttpResponseRedirect(f"{request.path}/")
    kind = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    if kind.startswith("text/") and "charset" not in kind:
        kind += "; charset=utf-8"
    answer = HttpResponse(path.read_bytes(), content_type=kind)
    answer["Cache-Control"] = "no-cache"
    return answer
