"""Pictures of jobs that are graphs, on real runs of real schedulers."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import Complaints
from tests.browser.looking import (
    COMPUTED_MS,
    clock_seconds,
    exported,
    map_print,
    wait_for_other_picture,
    wait_until_computed,
)
from tests.support import PROJECT, small_experiment
from tests.tiers import shares

pytestmark = [pytest.mark.browser, shares("playground")]

# How many pixels of the picture that is open have ink, and a sum that another picture does not have.
PRINT = """() => {
  const shown = [...document.querySelectorAll('.picture-place canvas')].filter(one => one.offsetParent && one.width);
  let inked = 0, hash = 7;
  for (const canvas of shown) {
    const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
    for (let i = 0; i < data.length; i += 4) {
      if (!data[i + 3]) continue;
      inked += 1;
      hash = (hash * 31 + i + data[i] * 65536 + data[i + 1] * 256 + data[i + 2]) % 2147483647;
    }
  }
  return [inked, hash];
}"""


def altruism() -> dict[str, Any]:
    made: dict[str, Any] = json.loads((PROJECT / "fixtures" / "experiments" / "altruism.json").read_text())
    return made


def drawn(jobs: int, tasks: int, **changes: Any) -> dict[str, Any]:
    """Jobs of four stages, each of so many tasks, on machines of four resources."""
    demands = (
        {"cpus": 1, "memory_gb": 5, "resources": {"disk": 3, "network": 1}},
        {"cpus": 2, "memory_gb": 1, "resources": {"disk": 1, "network": 4}},
    )
    machine = {"count": 10, "cpus": 16, "memory_gb": 32, "resources": {"disk": 100, "network": 40}}
    made: dict[str, Any] = {
        "schema_version": 1, "name": "Drawn graphs", "seed": 2,
        "topology": {"clusters": [{"name": "a", "machines": [machine]}]},
        "queues": [{"name": "batch", "share": 0.6}, {"name": "ad hoc", "share": 0.4}],
        "workload": {"kind": "dag", "jobs": jobs, "arrivals": {"kind": "poisson", "offered_load": 1.2},
                     "stages": {"kind": "constant", "value": 4}, "duration_s": {"kind": "exponential", "mean": 10},
                     "tasks_per_stage": {"kind": "constant", "value": tasks},
                     "demands": [{"weight": 1, "demand": one} for one in demands]},
        "scheduler": {"name": "carbyne"},
    }  # fmt: skip
    return made | changes


def open_on(page: Page, experiment: dict[str, Any], query: str = "") -> str:
    """Open the studio on an experiment, wait for its run, and return the page's address."""
    made = page.request.post("/api/v1/experiments", data=experiment)
    assert made.status == 201, made.text()
    page.goto(f"/studio/{made.json()['id']}{query}")
    wait_until_computed(page)
    return f"/studio/{made.json()['id']}"


def tab(page: Page, name: str) -> None:
    page.locator(f"#tab-{name}").click()
    expect(page.locator(".desk-empty").last).to_be_hidden()


def picture(page: Page) -> Any:
    return page.locator(".picture-canvas:visible")


def shown(page: Page, other_than: Any = None) -> list[int]:
    """Wait until the picture that is open has ink and is not as it was; return its print."""
    page.wait_for_function(
        f"before => {{ const now = ({PRINT})(); return now && now[0] > 200 && String(now) !== String(before); }}",
        arg=other_than,
        polling=50,
    )
    found: list[int] = page.evaluate(PRINT)
    return found


def stop_at(page: Page, share: float) -> None:
    """Pause, and go to a part of the run."""
    page.locator("body").press("Home")
    button = page.locator("[data-play=toggle]")
    if button.get_attribute("aria-label") == "Pause":
        button.click()
    for _ in range(round(share * 10)):
        page.locator("body").press("Shift+ArrowRight")


def test_only_runs_of_graphs_have_pictures(page: Page) -> None:
    open_on(page, small_experiment())
    expect(page.locator("body.has-picture")).to_be_attached(timeout=COMPUTED_MS)
    tabs = page.locator(".picture-tabs [role=tab]")
    expect(tabs).to_have_text(["Machines", "Messages"])
    open_on(page, altruism())
    expect(tabs).to_have_text(
        [
            "Machines",
            "Gantt",
            "Shares given away",
            "Who is next",
            "Graph",
            "Shares",
            "Leftover",
            "Job by job",
            "Messages",
        ]
    )


def test_a_run_without_leftover_has_no_pool(page: Page) -> None:
    open_on(page, altruism() | {"scheduler": {"name": "drf"}})
    tabs = page.locator(".picture-tabs [role=tab]")
    expect(tabs).to_have_text(["Machines", "Gantt", "Who is next", "Graph", "Shares", "Job by job", "Messages"])


def test_the_gantt_shows_tasks_which_explain_themselves_and_select_their_job(page: Page) -> None:
    open_on(page, altruism())
    stop_at(page, 0)
    tab(page, "gantt")
    before = shown(page)
    picture(page).focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".picture-tip:visible")).to_contain_text("s1 of job 0: from 0 s to 1 s")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".picture-tip:visible")).to_contain_text("only of job 1")
    page.keyboard.press("Enter")
    expect(page.locator(".desk-about")).to_contain_text("only of job 1")
    expect(page.locator(".finder-input")).to_have_value("Job 1")
    expect(page).to_have_url(re.compile("picture=gantt.*job=1"))
    selected = shown(page, before)
    box = picture(page).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 64 + (box["width"] - 64) * 0.2, box["y"] + 22 + (box["height"] - 22) * 0.05)
    expect(page.locator(".picture-tip:visible")).to_contain_text("of job 0")
    page.mouse.wheel(0, -600)
    shown(page, selected)


def test_the_cursor_of_the_gantt_moves_as_the_run_plays(page: Page) -> None:
    open_on(page, altruism())
    stop_at(page, 0)
    tab(page, "gantt")
    before = shown(page)
    page.locator("[data-play=toggle]").click()
    page.wait_for_function("() => document.querySelector('[data-play=clock]').textContent > '00:00:00.2'")
    shown(page, before)


def test_the_graph_tells_how_far_stages_are_and_what_holds_them_up(page: Page) -> None:
    open_on(page, altruism(), "?t=0.5&paused=1&picture=graph&job=0")
    early = shown(page)
    picture(page).focus()
    page.keyboard.press("ArrowRight")
    tip = page.locator(".picture-tip:visible")
    expect(tip).to_contain_text("S0: of 2 tasks 2 wait, 0 run, 0 done. Each task: 0.04 CPUs")
    page.keyboard.press("ArrowRight")
    expect(tip).to_contain_text("S2: of 1 task 1 waits, 0 run, 0 done. Now held up by s0, s1.")
    expect(tip).to_contain_text("On the critical path. Waits for 2 stages.")
    page.keyboard.press("Escape")
    page.locator("body").press("End")
    shown(page, early)
    page.locator(".finder-input").click()
    page.locator("[role=option][data-job='1']").click()
    expect(page.locator(".desk-about")).to_contain_text("Job 1: 1 stage, 2 tasks")


def test_a_task_that_waits_says_why_at_the_instant(page: Page) -> None:
    open_on(page, altruism(), "?t=0.5&paused=1&picture=graph&job=0")
    shown(page)
    picture(page).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    why = page.locator("[data-why]")
    why.click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_have_accessible_name(re.compile("Task 0 waits at"))
    expect(dialog).to_contain_text("The job gives this part of its share away", timeout=COMPUTED_MS)
    expect(dialog).to_contain_text("at 1 s, and the job still ends no later")
    expect(dialog).to_contain_text("no machine has enough free CPUs")
    page.keyboard.press("Escape")
    picture(page).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    why.click()
    expect(dialog).to_have_accessible_name(re.compile("Task 5 waits at"))
    held_up = "Held up by s0 (0 of 2 done, 0 run, 2 wait; it ends at 2 s), s1"
    expect(dialog).to_contain_text(held_up, timeout=COMPUTED_MS)


def test_the_map_shows_the_machines_by_each_resource_that_they_have(page: Page) -> None:
    open_on(page, drawn(12, 10), "?paused=1")
    layers = page.locator(".layers [data-layer]")
    expect(layers).to_have_text(["Everything", "Load", "Out of service", "CPUs", "Memory", "Disk", "Network"])
    stop_at(page, 0.5)
    prints: set[tuple[int, int] | None] = set()
    last = map_print(page)
    for name in ("of_cpus", "of_memory_gb", "of_disk", "of_network"):
        page.locator(f"[data-layer={name}]").click()
        last = wait_for_other_picture(page, last)
        prints.add(last)
    assert len(prints) == 4
    expect(page).to_have_url(re.compile("layer=of_network"))


def test_shares_of_jobs_and_queues_are_drawn_and_told(page: Page) -> None:
    open_on(page, drawn(12, 10), "?paused=1&picture=shares&job=3")
    jobs = shown(page)
    lines = page.locator(".picture-shares .line-entry")
    expect(lines.and_(page.locator(":not([data-job])")).first).to_contain_text("Fair share of a job")
    expect(lines.and_(page.locator("[data-job='3']"))).to_have_text("Job 3")
    picture(page).focus()
    for _ in range(40):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".picture-tip:visible")).to_contain_text(re.compile(r"Fair share of a job \d"))
    page.locator("[data-shares=queues]").click()
    shown(page, jobs)
    expect(lines).to_contain_text(["batch", "batch: fair share", "ad hoc"])


def test_the_leftover_pool_tells_who_gives_and_who_draws(page: Page) -> None:
    open_on(page, altruism(), "?t=0&paused=1&picture=leftover")
    shown(page)
    box = picture(page).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] * 0.3, box["y"] + box["height"] / 2)
    tip = page.locator(".picture-tip:visible")
    expect(tip).to_contain_text("plans leave 50 % of cpus unused.")
    expect(tip).to_contain_text("Given up: 50 %, most by job 0 29 %, job 1 21 %.")
    expect(tip).to_contain_text("Used: 50 %, most by job 1 29 %, job 0 21 %.")
    page.mouse.down()
    page.mouse.up()
    page.wait_for_function("() => document.querySelector('[data-play=clock]').textContent > '00:00:00.4'")
    assert 0.4 < clock_seconds(page) < 0.8


def test_jobs_are_paired_with_those_of_a_second_scheduler(page: Page) -> None:
    open_on(
        page,
        altruism() | {"scheduler": {"name": "drf", "params": {"work_conserving": False}}},
        "?paused=1&picture=pairs",
    )
    expect(page.locator(".picture-pairs .desk-empty")).to_contain_text("Choose a scheduler above")
    page.locator(".picture-pairs").get_by_role("combobox").select_option("carbyne")
    # Figure 2: 2.1 and 2.0 under equal shares, 2.1 and 1.0 under Carbyne.
    figures = page.locator(".picture-pairs [role=status]")
    told = re.compile(r"2 jobs\b.* DRF\b.*\b0\b.*\b1\b.*\b0\.75\b.*\b0\.5\b")
    expect(figures).to_contain_text(told, timeout=COMPUTED_MS)
    shown(page)
    picture(page).focus()
    page.keyboard.press("ArrowRight")
    tip = page.locator(".picture-tip:visible")
    expect(tip).to_contain_text("Job 1: 2 s with DRF, 1 s with Carbyne: 2 times as slow.")
    page.keyboard.press("Enter")
    expect(page.locator(".finder-input")).to_have_value("Job 1")


def test_ten_thousand_tasks_are_zoomed_without_a_freeze(page: Page) -> None:
    open_on(page, drawn(250, 10), "?paused=1&picture=gantt")
    before = shown(page)
    # Main-thread tasks of more than 200 ms while zooming in and out over the middle.
    page.evaluate("""() => {
      window.longest = 0;
      new PerformanceObserver(list => {
        for (const one of list.getEntries()) window.longest = Math.max(window.longest, one.duration);
      }).observe({entryTypes: ['longtask']});
    }""")
    box = picture(page).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    for turn in range(30):
        page.mouse.wheel(0, -200 if turn < 15 else 200)
        page.evaluate("() => new Promise(done => requestAnimationFrame(done))")
    shown(page)
    assert page.evaluate("window.longest") < 1000, "the page stood still"
    page.locator("[data-rows=machines]").click()
    shown(page, before)


@pytest.mark.parametrize("name", ["gantt", "graph", "shares", "leftover"])
def test_pictures_are_exported_as_svg_and_png(page: Page, name: str) -> None:
    open_on(page, altruism(), "?t=0.5&paused=1")
    tab(page, name)
    shown(page)
    svg = exported(page, "picture-svg").decode()
    assert svg.startswith("<svg ")
    assert "Two jobs, one barrier" in svg
    assert exported(page, "picture-png").startswith(b"\x89PNG")


def test_pictures_say_what_they_wait_for(page: Page, complaints: Complaints) -> None:
    """A run that is not done has no jobs to draw yet; one that was cancelled never will."""
    made = page.request.post("/api/v1/experiments", data=drawn(20_000, 20))
    page.goto(f"/studio/{made.json()['id']}?picture=gantt")
    says = page.locator(".desk > .desk-empty")
    expect(says).to_contain_text("Jobs are shown when the run is computed", timeout=COMPUTED_MS)
    page.locator("[data-cancel]").click()
    expect(says).to_have_class(re.compile("desk-empty"))
    expect(says).not_to_be_empty()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pictures_fit_a_phone(context: BrowserContext, complaints: Complaints, theme: Any) -> None:
    page = context.new_page()
    complaints.watch(page)
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size({"width": 390, "height": 844})
    open_on(page, altruism(), "?t=0.5&paused=1")
    for name in ("gantt", "graph", "shares", "leftover"):
        tab(page, name)
        shown(page)
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        box, foot = picture(page).bounding_box(), page.locator(".desk-foot").bounding_box()
        assert box is not None
        assert foot is not None
        assert box["width"] > 340
        assert box["height"] > 200
        assert foot["y"] >= box["y"] + box["height"]


def test_tasks_that_no_machine_can_hold_are_told_beside_the_counters(page: Page) -> None:
    large = altruism()
    large["workload"]["jobs"][0]["stages"][0]["demand"]["cpus"] = 2
    open_on(page, large, "?t=0.5&paused=1")
    # Two of them, and the one that waits for their stage.
    expect(page.locator("[data-never-run]")).to_contain_text("3 tasks can never run", timeout=COMPUTED_MS)
    open_on(page, altruism())
    expect(page.locator("[data-never-run]")).to_be_hidden()
