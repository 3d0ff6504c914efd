"""Texts go through gettext: with a catalogue the same pages come in another language.

Spaces and corners are tokens; sizes of type are in test_design_tokens.py.
"""

from __future__ import annotations

import json
import re
import struct
from pathlib import Path

import pytest
from pytest_django import Settings

from tests.support import PROJECT
from tests.web.conftest import JsonClient

pytestmark = [pytest.mark.django_db, pytest.mark.redis]


def write_catalogue(path: Path, texts: dict[str, str]) -> None:
    """Write a compiled catalogue (gettext's .mo format), as msgfmt does."""
    texts = {"": "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=(n != 1);\n", **texts}
    pairs = sorted((key.encode(), value.encode()) for key, value in texts.items())
    at, tables, data = 28 + 16 * len(pairs), [b"", b""], b""
    for place in (0, 1):
        for pair in pairs:
            tables[place] += struct.pack("<II", len(pair[place]), at + len(data))
            data += pair[place] + b"\0"
    head = struct.pack("<7I", 0x950412DE, 0, len(pairs), 28, 28 + 8 * len(pairs), 0, 0)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(head + tables[0] + tables[1] + data)


def test_a_catalogue_brings_pages_and_modules_another_language(
    browser: JsonClient, settings: Settings, tmp_path: Path
) -> None:
    # A language that nobody else's test has loaded: catalogues are kept for the process.
    folder = tmp_path / "eo" / "LC_MESSAGES"
    write_catalogue(folder / "django.mo", {"Open the studio": "Malfermu la studion"})
    texts = {
        "features/sharing": {"Share": "Kunhavigi"},
        "run": {"{n} run": {"one": "{n} ruliĝo", "other": "{n} ruliĝoj"}},
    }
    (tmp_path / "eo.json").write_text(json.dumps(texts), encoding="utf-8")
    settings.LOCALE_PATHS = [tmp_path]
    settings.LANGUAGES = [("en", "English"), ("eo", "Esperanto")]
    page = browser.get("/", headers={"accept-language": "eo"}).content.decode()
    assert '<html lang="eo"' in page
    assert "Malfermu la studion" in page
    words = re.search(r'<script id="words" type="application/json">(.*?)</script>', page)
    assert words is not None
    assert json.loads(words[1]) == texts["features/sharing"] | texts["run"]
    english = browser.get("/", headers={"accept-language": "fr"}).content.decode()
    assert "Open the studio" in english
    assert 'id="words"' not in english


def test_spaces_and_corners_are_tokens() -> None:
    kinds = re.compile(
        r"(?<![\w-])((?:padding|margin)(?:-\w+)*|(?:row-|column-)?gap|border(?:-\w+)*-radius)\s*:\s*([^;}]+)"
    )
    strays = [
        f"{path.name}: {kind}: {value.strip()}"
        for path in sorted((PROJECT / "static" / "css").glob("*.css"))
        for kind, value in kinds.findall(path.read_text())
        # A pixel is a hair beside a line; what is less than nothing puts something across an edge.
        if set(re.findall(r"(?<![\w.-])[\d.]+(?:px|rem|em)\b", value)) - {"1px"}
    ]
    assert strays == []
