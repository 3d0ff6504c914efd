from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections import Counter
from pathlib import Path

import msgpack
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from scheduler_core import Experiment
from scheduler_core.run.description import describe
from tests.browser.conftest import Complaints
from tests.browser.looking import map_print, wait_for_other_picture

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("playground")]

MOST_GZIPPED_BYTES = 150_000
RECORDINGS = Path(__file__).parents[2] / "fixtures" / "recordings"


def test_something_moves_without_a_click(page: Page) -> None:
    page.goto("/")
    first = wait_for_other_picture(page, map_print(page))
    second = wait_for_other_picture(page, first)
    assert first != second
    expect(page.locator("[data-percentile=p50]")).not_to_have_text("–")
    assert page.locator(".note.placed").count() == 3


def test_the_heavy_button_leads_into_the_studio(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="Open the studio").click()
    page.wait_for_url("**/studio**")
    expect(page.locator(".bar-name")).not_to_have_value("")


def test_the_notes_go_when_a_machine_is_pointed_at(page: Page) -> None:
    page.goto("/")
    wait_for_other_picture(page, map_print(page))
    page.locator(".map-cells").hover()
    expect(page.locator(".note.understood")).to_have_count(3)


def test_the_recording_describes_itself_as_the_core_does_now() -> None:
    """Whoever changes layers, marks, counters or reasons runs `manage.py record_landing`."""
    with zipfile.ZipFile(RECORDINGS / "landing.zip") as recording:
        meta = json.loads(recording.read("meta.json"))
    now = json.loads(json.dumps(describe(Experiment.from_file(RECORDINGS / "landing.json"))))
    about_the_run = {"core_version", "experiment", "experiment_digest"}
    assert {key: meta[key] for key in now.keys() - about_the_run} == {
        key: now[key] for key in now.keys() - about_the_run
    }
    for part in ("question", "seed", "topology", "workload"):
        assert meta["experiment"][part] == now["experiment"][part], part


def test_the_page_with_its_recording_is_light_before_charts_load(chromium: Browser, live_playground: str) -> None:
    context = chromium.new_context(base_url=live_playground)
    sizes: dict[str, int] = {}
    page = context.new_page()
    page.on("response", lambda response: sizes.update({response.url: _gzipped(response.body())}))
    page.route("**/run/charts.js", lambda route: route.abort())  # the picture moves before it is asked for
    page.goto("/")
    page.wait_for_load_state("networkidle")
    context.close()
    assert any("/landing" in url and url.endswith(".zip") for url in sizes), sorted(sizes)
    assert sum(sizes.values()) <= MOST_GZIPPED_BYTES, sizes


def test_the_recording_shows_what_the_scheduler_can_do() -> None:
    """Loans, refusals, preemptions and a fault, each at least a few times."""
    with zipfile.ZipFile(RECORDINGS / "landing.zip") as recording:
        frames = b"".join(recording.read(name) for name in recording.namelist() if name.startswith("frames/"))
    kinds = Counter(mark[1] for frame in msgpack.Unpacker(io.BytesIO(frames)) for mark in frame["marks"])
    assert kinds.keys() == {"repartition", "refusal", "preemption", "fault"}
    assert min(kinds.values()) >= 10, kinds


def test_a_missing_recording_is_said_and_the_way_on_stays(context: BrowserContext, complaints: Complaints) -> None:
    complaints.expected = ["Failed to load resource"]
    page = context.new_page()
    complaints.watch(page)
    page.route("**/landing.zip", lambda route: route.fulfill(status=404))
    page.goto("/")
    expect(page.locator("[data-failure]")).to_be_visible()
    expect(page.get_by_role("link", name="Open the studio")).to_be_visible()


def _gzipped(body: bytes) -> int:
    return len(gzip.compress(body))
