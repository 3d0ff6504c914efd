"""What the documentation's site is built from, and its state; only the standard library is used."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
SITE = PROJECT / "static" / "docs"
STAMP = ".sources"
_PARTS = (
    "mkdocs.yml",
    "docs",
    "tools/docs",
    "scheduler_core/version.py",
    "static/img/schedulers",
    "static/css/tokens.css",
    "static/css/base.css",
)


def version() -> str:
    """Return the product's version, read from its file."""
    text = (PROJECT / "scheduler_core" / "version.py").read_text(encoding="utf-8")
    found = re.search(r'"([^"]+)"', text.partition("__version__")[2] or text)
    return found[1] if found else ""


def digest() -> str:
    """Return a hash of everything that the site is made from."""
    found = hashlib.sha256()
    for part in _PARTS:
        path = PROJECT / part
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file() and "__pycache__" not in file.parts:
                found.update(file.relative_to(PROJECT).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return found.hexdigest()


def is_fresh(site: Path = SITE) -> bool:
    """Say whether the built site is of today's sources."""
    try:
        return (site / STAMP).read_text(encoding="utf-8") == digest()
    except OSError:
        return False
