"""Every link of every page, as a browser shows it, leads to a page that is there, and to a section that it has."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from urllib.parse import parse_qs, urldefrag, urlsplit

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Complaints
from tests.support import PROJECT, small_experiment
from tests.support_api import Api

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("playground")]

STARTS = (
    *("/", "/gallery", "/studio", "/schedulers", "/papers", "/experiments", "/studies", "/compare", "/classes"),
    *("/arena", "/lessons/edit", "/glossary", "/join", "/screen", "/nothing-here"),
)
#: So many pages of a kind are opened, such as example runs in the studio. Of the others only the address is asked for.
OF_A_KIND = {"papers/*": 99}
LINKS = "() => [...document.querySelectorAll('a[href]')].map((link) => link.href)"
#: An experiment that the address itself holds.
HELD = re.compile(r"^x\d+\.")


def kind_of(address: str) -> str:
    """Return what the pages of one address are alike in: its first part, how many follow, the names of its query."""
    first, *more = [part for part in urlsplit(address).path.split("/") if part] or [""]
    asked = sorted(parse_qs(urlsplit(address).query))
    return "/".join([first, *("*" for _ in more)]) + ("?" + ",".join(asked) if asked else "")


class Walk:
    """What is known of the pages of a site: which were opened, and which page has which link."""

    def __init__(self, page: Page, site: str) -> None:
        self.page, self.site = page, site
        self.opened: set[str] = set()
        self.kinds: Counter[str] = Counter()
        self.links: dict[str, str] = {}

    def open(self, starts: list[str]) -> None:
        """Open pages and those that they link, and note all their links."""
        waiting = list(starts)
        while waiting:
            address = waiting.pop(0)
            kind = kind_of(address)
            elsewhere = address.startswith(("/docs", "/api")) or "lang" in parse_qs(urlsplit(address).query)
            if address in self.opened or elsewhere or self.kinds[kind] >= OF_A_KIND.get(kind, 2):
                continue
            self.opened.add(address)
            self.kinds[kind] += 1
            # Scripts write links of what they fetch; who leaves before that cuts their requests off.
            self.page.goto(address, wait_until="networkidle")
            for link in self.page.evaluate(LINKS):
                self.links.setdefault(link, address)
                if link.startswith(self.site):
                    waiting.append(urldefrag(link).url.removeprefix(self.site) or "/")

    def wrong(self) -> list[str]:
        """Return the links that lead nowhere, each with a page that has it."""
        answers: dict[str, tuple[int, set[str]]] = {}
        found = []
        for link, where in self.links.items():
            url, section = urldefrag(link)
            if not link.startswith(self.site):
                found += [f"{where}: {link}"] if not link.startswith(("https://", "blob:")) else []
                continue
            if "/nothing-here" in url:  # the page itself, in another language
                continue
            if url not in answers:
                answer = self.page.request.get(url)
                is_page = "html" in answer.headers.get("content-type", "")
                ids = set(re.findall(r'\bid="?([^"\s>]+)', answer.text())) if is_page else set()
                answers[url] = answer.status, ids
            status, ids = answers[url]
            if status >= 400 or (section and section not in ids and not HELD.match(section)):
                found.append(f"{where}: {link} ({status})")
        return found


def made(api: Api) -> list[str]:
    """Make an experiment with two runs, a study, a class and a challenge, and return the addresses of their pages."""
    run = api.wait(api.start(small_experiment())["id"])
    mine = f"/api/v1/experiments/{run['experiment_id']}"
    again = api.wait(api.call("POST", f"{mine}/runs", {"fresh": True}).json["id"])
    study = api.call("POST", f"{mine}/studies", {"repeats": 2}).json["id"]
    room = api.call("POST", "/api/v1/classes", {"experiment": run["experiment_id"]}).json["id"]
    slug = api.call("GET", mine).json["slug"]
    shared = [f"/e/{slug}", f"/e/{slug}/embed", f"/e/{slug}/forks", f"/studio/{run['experiment_id']}"]
    return [
        *shared,
        f"/compare?runs={run['id']},{again['id']}",
        f"/studies/{study}",
        f"/classes/{room}",
        f"/classes/{room}/screen",
        f"/arena/new?experiment={run['experiment_id']}",
    ]


def test_every_link_of_every_page_leads_somewhere(page: Page, live_playground: str, complaints: Complaints) -> None:
    complaints.expected.append("/nothing-here")
    subprocess.run([sys.executable, "tools/docs/build.py", "--if-stale"], cwd=PROJECT, check=True)
    walk = Walk(page, live_playground)
    walk.open([*STARTS, *made(Api(live_playground))])
    assert len(walk.opened) > 50
    assert len(walk.links) > 300
    assert walk.wrong() == []
