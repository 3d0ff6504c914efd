"""The documentation's site: it builds without a warning, its links lead somewhere, and /docs/ serves it."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from django.test import Client
from django.urls import Resolver404, resolve
from pytest_django import Settings

from tests.support import PROJECT
from tests.tiers import wide

BUILD = PROJECT / "tools" / "docs" / "build.py"
DOCS = "/docs/"
LINKED = re.compile(r"""["'`](/docs/[\w/.-]*(?:#[\w-]+)?)["'`]""")
HELPS = re.compile(r"""["']?[\w-]+["']?: ["']([\w/-]+/(?:#[\w-]+)?)["'],""")


class Page(HTMLParser):
    """What one page links, loads and names, and what the policy would refuse in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.refused: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        self.refused += [f"{tag} {name}" for name in told if name == "style" or name.startswith("on")]
        self.refused += [tag] if tag == "style" or (tag == "script" and "src" not in told) else []
        self.anchors |= {told["id"]} if "id" in told else set()
        self.links += [told["href"]] if tag == "a" and "href" in told else []
        self.loads += [told[name] for name in ("src", "href") if tag in {"script", "img", "link"} and name in told]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site; a warning of MkDocs, such as a page that is in no list, fails it."""
    spec = importlib.util.spec_from_file_location("docs_build", BUILD)
    assert spec is not None
    assert spec.loader is not None
    program = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(program)
    folder: Path = tmp_path_factory.mktemp("site") / "docs"
    assert program.main(["--site", str(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, Page]:
    found = {path: Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    return {
        f"{DOCS}{path.relative_to(site).as_posix().removesuffix('index.html')}": page for path, page in found.items()
    }


def lead_nowhere(links: Iterator[tuple[str, str]], site: Path, pages: dict[str, Page]) -> list[str]:
    """Return the links that lead to no page, file or section; those to other servers are left alone."""
    wrong = []
    for where, link in links:
        address = urlsplit(urljoin(where, link))
        if address.netloc:
            continue
        if not address.path.startswith(DOCS):
            try:
                resolve(address.path)
            except Resolver404:
                wrong.append(f"{where}: {link}")
            continue
        page = pages.get(address.path)
        is_file = (site / address.path.removeprefix(DOCS)).is_file()
        if not (page or is_file) or (address.fragment and (not page or address.fragment not in page.anchors)):
            wrong.append(f"{where}: {link}")
    return wrong


@wide
def test_links_of_the_site_lead_somewhere(site: Path, pages: dict[str, Page]) -> None:
    assert len(pages) > 60
    assert lead_nowhere(((where, link) for where, page in pages.items() for link in page.links), site, pages) == []


@wide
def test_links_of_the_product_to_the_site_lead_somewhere(site: Path, pages: dict[str, Page]) -> None:
    sources = [*(PROJECT / "templates").rglob("*.html"), *(PROJECT / "static" / "js").rglob("*.js")]
    links = [(DOCS, link) for path in sources for link in LINKED.findall(path.read_text(encoding="utf-8"))]
    helps = HELPS.findall((PROJECT / "static" / "js" / "studio" / "helps.js").read_text(encoding="utf-8"))
    assert len(helps) >= 12, "a panel's `?` leads to its page"
    assert lead_nowhere(iter([*links, *((DOCS, f"{DOCS}{path}") for path in helps)]), site, pages) == []


def test_pages_hold_nothing_that_the_policy_refuses(site: Path, pages: dict[str, Page]) -> None:
    assert {where: page.refused for where, page in pages.items() if page.refused} == {}
    for where, page in pages.items():
        loads = [urlsplit(urljoin(where, load)) for load in page.loads]
        foreign = [load.geturl() for load in loads if load.netloc or not load.path.startswith(DOCS)]
        assert foreign == [], where
        assert all((site / load.path.removeprefix(DOCS)).is_file() for load in loads), where


def test_it_is_served_under_the_policy_of_all_pages(site: Path, settings: Settings) -> None:
    settings.DOCS_DIR = site
    client = Client()
    answer = client.get("/docs/")
    assert answer.status_code == 200
    assert "default-src 'self'" in answer["Content-Security-Policy"]
    assert "unsafe" not in answer["Content-Security-Policy"]
    assert client.get("/docs/", headers={"If-None-Match": answer["ETag"]}).status_code == 304
    assert client.get("/docs/search/worker.js")["Content-Type"].startswith("text/javascript")
    assert client.get("/docs").headers["Location"] == "/docs/"
    assert client.get("/docs/how-to/share").headers["Location"] == "/docs/how-to/share/"
    for path in ("no-such-page/", "../settings.py", "%2e%2e/settings.py", ".sources"):
        assert client.get(f"/docs/{path}").status_code == 404, path


def test_a_site_that_is_not_built_says_so(tmp_path: Path, settings: Settings) -> None:
    settings.DOCS_DIR, settings.BUILD_DOCS = tmp_path, True
    answer = Client().get("/docs/how-to/share/")
    assert answer.status_code == 503
    assert answer["Refresh"], "the page comes again by itself"
    settings.BUILD_DOCS = False
    answer = Client().get("/docs/")
    assert "Refresh" not in answer
    assert "make docs" in answer.content.decode()
