"""The landing page: five toys that play, answer the hand, and say what is so."""

from __future__ import annotations

import gzip
import io
import json
import math
import re
import zipfile
from collections import Counter
from pathlib import Path

import msgpack
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from scheduler_core import Experiment
from scheduler_core.run.description import describe
from tests.core.test_toys import of_the_page
from tests.says.runs import fits
from tests.says.waits import either
from tests.tiers import shares

pytestmark = [pytest.mark.browser, shares("playground")]

MOST_GZIPPED_BYTES = 100_000
RECORDINGS = Path(__file__).parents[2] / "fixtures" / "recordings"
NAMES = ("queue", "random", "two", "copies", "masters")


def toy(page: Page, name: str) -> Locator:
    return page.locator(f"[data-toy={name}]")


def picture(panel: Locator) -> str:
    return str(panel.locator("canvas").evaluate("canvas => canvas.toDataURL()"))


def wait_for_change(page: Page, panel: Locator) -> None:
    canvas = panel.locator("canvas").element_handle()
    page.wait_for_function("([canvas, before]) => canvas.toDataURL() !== before", arg=[canvas, picture(panel)])


def wait_s(panel: Locator, which: int) -> float:
    return float(panel.locator(f"[data-wait='{which}'] output").inner_text().removesuffix(" s"))


def test_every_toy_moves_without_a_click(page: Page) -> None:
    page.goto("/")
    for name in NAMES:
        panel = toy(page, name)
        panel.scroll_into_view_if_needed()
        wait_for_change(page, panel)
        wait_for_change(page, panel)


def test_guesses_are_answered_by_what_the_toys_do(page: Page) -> None:
    page.goto("/")
    for name in NAMES:
        panel = toy(page, name)
        after = panel.locator(".toy-after")
        expect(panel.locator("[data-wait='0'] output")).to_have_text(re.compile(r"\d s$"))
        expect(after).to_be_hidden()
        panel.locator("[data-guess=same]").click()
        expect(after).to_be_visible()
        # No answer is "the same": the guess is told to be wrong, beside what is right.
        expect(after.locator(".is-wrong")).to_be_visible()
        expect(after.locator(".is-right")).to_be_hidden()
        expect(panel.locator("[data-guess=same]")).to_have_attribute("aria-pressed", "true")
        expect(panel.locator("[data-variant='1']")).to_have_attribute("aria-pressed", "true")
        before, now = wait_s(panel, 0), wait_s(panel, 1)
        right = after.get_attribute("data-right")
        assert right == ("longer" if now > before else "shorter"), name
        expect(after).to_contain_text("Longer." if right == "longer" else "Shorter.")
        assert max(before, now) > 2 * min(before, now), f"{name}: what a sentence says by a factor of two at least"


@pytest.mark.parametrize("name", NAMES)
def test_the_numbers_of_a_toy_are_those_of_its_scheduler(page: Page, name: str) -> None:
    """Waits, their bars, and refusals: the page's own model plays, and the library says what is so."""
    page.goto("/")
    panel = toy(page, name)
    found = [of_the_page(name, variant) for variant in (0, 1)]
    for variant in (1, 0):
        panel.locator(f"[data-variant='{variant}']").click()
        expect(panel.locator(f"[data-variant='{variant}']")).to_have_attribute("aria-pressed", "true")
        (full,) = re.findall(r"[\d.]+", panel.locator("[data-scale]").inner_text())
        for at, (mean_s, _) in enumerate(found):
            row = panel.locator(f"[data-wait='{at}']")
            assert fits(row.locator("output").inner_text(), [either(lambda s: f"{s:.2f} s", mean_s)]) == "", at
            width = row.locator("[data-bar]").evaluate("bar => bar.style.width")
            assert float(width.removesuffix("%")) == pytest.approx(100 * mean_s / float(full), abs=0.01)
        refused = found[variant][1]
        if refused is not None:
            told = panel.locator("[data-refused]").inner_text().rpartition(":")[2]
            assert fits(told, [either(lambda share: f"{math.floor(100 * share + 0.5)} %", refused)]) == ""


def test_a_toy_answers_the_hand_and_the_keyboard(page: Page) -> None:
    page.goto("/")
    panel = toy(page, "queue")
    calm = wait_s(panel, 0)
    panel.locator("canvas").click()
    busy = wait_s(panel, 0)
    assert busy > calm
    panel.locator("[data-burst]").focus()
    page.keyboard.press("Enter")
    assert wait_s(panel, 0) > busy
    panel.locator("[data-load]").focus()
    page.keyboard.press("Home")
    expect(panel.locator("[data-load-value]")).to_have_text("50 %")
    assert wait_s(panel, 0) < calm
    panel.locator("[data-run]").press("Space")
    expect(panel.locator("[data-run]")).to_have_text("Play")
    still = picture(panel)
    page.wait_for_function("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert picture(panel) == still


def test_the_last_toy_opens_in_the_studio_as_it_stands(page: Page) -> None:
    page.goto("/")
    panel = toy(page, "masters")
    panel.locator("[data-burst]").click()
    panel.locator("[data-open-studio]").click()
    page.wait_for_url("**/studio**")
    expect(page.locator(".bar-name")).to_have_value("Four masters that borrow")
    page.locator("[data-choose-level=lab]").click()
    page.locator("[data-tab=json]").click()
    opened = json.loads(page.locator(".json-text").input_value())
    assert opened["scheduler"]["name"] == "megha"
    assert opened["topology"]["global_masters"] == 4
    assert len(opened["workload"]["jobs"]) == 612


def test_the_landing_page_links_to_the_other_pages_and_opens_the_studio(page: Page) -> None:
    page.goto("/")
    ways = {"Gallery": "/gallery", "Experiments": "/experiments", "Studies": "/studies", "Docs": "/docs/"}
    for name, address in ways.items():
        expect(page.locator(f".landing-nav > a[href='{address}']")).to_have_text(name)
    expect(page.locator(".landing-ways a[href='/gallery']")).to_be_visible()
    page.locator(".landing-ways a[href^='/studio']").click()
    page.wait_for_url("**/studio**")
    expect(page.locator(".bar-name")).not_to_have_value("")


def test_the_landing_page_is_read_without_a_script(chromium: Browser, live_playground: str) -> None:
    context = chromium.new_context(base_url=live_playground, java_script_enabled=False)
    page = context.new_page()
    page.goto("/")
    for name in NAMES:
        panel = toy(page, name)
        expect(panel.locator(".toy-question")).to_be_visible()
        expect(panel.locator(".toy-after")).to_be_visible()
        expect(panel.locator("img")).to_be_visible()
        expect(panel.get_by_role("button")).to_have_count(0)
        address = panel.locator("img").get_attribute("src")
        assert address is not None
        assert page.request.get(address).ok
    context.close()


def test_nothing_moves_for_those_who_want_less_motion(chromium: Browser, live_playground: str) -> None:
    context = chromium.new_context(base_url=live_playground, reduced_motion="reduce")
    page = context.new_page()
    page.goto("/")
    panel = toy(page, "queue")
    expect(panel.locator("[data-run]")).to_have_text("Play")
    still = picture(panel)
    page.wait_for_function("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert picture(panel) == still
    panel.locator("[data-run]").click()
    wait_for_change(page, panel)
    context.close()


def test_the_landing_page_stays_below_its_limit_of_bytes(chromium: Browser, live_playground: str) -> None:
    context = chromium.new_context(base_url=live_playground)
    sizes: dict[str, int] = {}
    page = context.new_page()
    page.on("response", lambda response: sizes.update({response.url: _gzipped(response.body())}))
    page.goto("/")
    page.wait_for_load_state("networkidle")
    context.close()
    assert sum(sizes.values()) <= MOST_GZIPPED_BYTES, sizes


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


def test_the_recording_shows_what_the_scheduler_can_do() -> None:
    """Loans, refusals, preemptions and a fault, each at least a few times."""
    with zipfile.ZipFile(RECORDINGS / "landing.zip") as recording:
        frames = b"".join(recording.read(name) for name in recording.namelist() if name.startswith("frames/"))
    kinds = Counter(mark[1] for frame in msgpack.Unpacker(io.BytesIO(frames)) for mark in frame["marks"])
    assert kinds.keys() == {"repartition", "refusal", "preemption", "fault"}
    assert min(kinds.values()) >= 10, kinds


def _gzipped(body: bytes) -> int:
    return len(gzip.compress(body))
