"""A page simulates a run by itself, in Chromium: the same digest as the server's run, whatever the scheduler."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from playground.client import Shown
from tests.browser.conftest import Complaints
from tests.browser.looking import (
    COMPUTED_MS,
    exported,
    first_cell,
    map_print,
    open_small_studio,
    painted,
    pause,
    wait_for_other_picture,
    wait_for_picture,
)
from tests.support_api import Api
from tests.tiers import journey, shares

pytestmark = [pytest.mark.browser, shares("playground")]
PHONE: ViewportSize = {"width": 390, "height": 844}
_ORDER = """() => ['.map-foot', '[data-timeline]', '[data-beside]'].reduce(
  (found, each) => [...found, document.querySelector(each).getBoundingClientRect().top],
  [document.querySelector('.map').getBoundingClientRect().bottom])"""


_HEARTBEAT = "scheduler.params.heartbeat_s"
#: The two maps: each with its left and right edge, its top and its bottom.
_MAPS = """() => ['[data-beside-map]', '[data-map]'].map((each) => {
  const { left, right, top, bottom } = document.querySelector(each).getBoundingClientRect();
  return [left, right, top, bottom];
})"""


def page_with_settings(page: Page, path: str, values: str) -> bytes:
    """Export the run as a page whose readers change a setting; return the file."""
    page.locator("[data-export]").click()
    page.locator("[data-exports=page-settings]").click()
    page.locator("[data-page-setting='0']").select_option(path)
    page.locator("[data-page-values='0']").fill(values)
    expect(page.locator("[data-page-runs]")).to_have_attribute("data-page-runs", "2")
    with page.expect_download(timeout=COMPUTED_MS) as download:
        page.locator("[data-page-export]").click()
    return Path(download.value.path()).read_bytes()


def open_offline(page: Page, path: Path) -> list[str]:
    """Open an exported file without the network; return the list of all that it asks for, which goes on to grow.

    The studio is left before anything is listed: a request with which it renews its run is not the file's.
    """
    asked: list[str] = []
    page.goto("about:blank")
    page.context.set_offline(True)
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    return asked


def wait_until_changed(page: Page) -> None:
    """Wait until the page has simulated the changed run to its end."""
    expect(page.locator("[data-touch-state]")).to_have_attribute("data-touch-state", "done", timeout=60_000)


def run_of(page: Page) -> str:
    """Return the id of the run on the screen."""
    experiment_id = page.url.split("?")[0].rsplit("/", 1)[1]
    return str(page.request.get(f"/api/v1/experiments/{experiment_id}").json()["runs"][0]["id"])


def check_here(page: Page) -> None:
    """Simulate the run on the screen in the page, and fail unless its result is the server's."""
    cited = page.request.get(f"/api/v1/runs/{run_of(page)}/summary").json()["outcome_digest"]
    page.locator("[data-here-run]").click()
    expect(page.locator("[data-here]")).to_have_attribute("data-here", "same", timeout=60_000)
    expect(page.locator("[data-here-digest]")).to_have_text(cited)


@journey
def test_the_page_gets_the_server_s_result(page: Page) -> None:
    open_small_studio(page, scheduler={"name": "sparrow"})
    check_here(page)


@pytest.mark.parametrize("name", ["megha", "hawk", "kubernetes", "drf", "omega", "own", "pipeline"])
def test_the_page_gets_the_server_s_result_by_other_schedulers(page: Page, name: str) -> None:
    fault: dict[str, Any] = {"at_s": 20, "kind": "fail", "target": {"machine": 3}, "duration_s": 10}
    events = [fault] if name in {"megha", "hawk"} else []
    open_small_studio(page, scheduler={"name": name}, events=events)
    check_here(page)


@pytest.mark.parametrize("name", ["sparrow", "megha"])
def test_a_touched_run_is_the_server_s_experiment_with_these_failures(page: Page, name: str) -> None:
    """A tap fails a machine, the key brings it back; the past stays, and the server gets the page's result."""
    open_small_studio(page, scheduler={"name": name})
    page.locator("[data-touch-on]").click()
    page.evaluate("() => document.activeElement.blur()")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    before = map_print(page)
    page.mouse.click(*first_cell(page))
    expect(page.locator("[data-touch-state]")).to_have_attribute("data-touch-state", "done", timeout=60_000)
    wait_for_other_picture(page, before)
    expect(page.locator("[data-touches] li")).to_have_count(1)
    page.evaluate("() => document.activeElement.blur()")  # a map with the focus moves by arrows
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("t")
    expect(page.locator("[data-touches] li")).to_contain_text("and returns at")
    expect(page.locator("[data-touch-state]")).to_have_attribute("data-touch-state", "done", timeout=60_000)
    digest = page.locator("[data-touch-digest]").inner_text()
    page.locator("[data-touch-open]").click()
    expect(page.locator("[data-touched]")).to_have_attribute("data-touched", "same", timeout=COMPUTED_MS)
    assert page.request.get(f"/api/v1/runs/{run_of(page)}/summary").json()["outcome_digest"] == digest


def test_a_task_is_stopped_by_a_tap_the_inspector_and_the_key(page: Page) -> None:
    """The machine stays in service, and the server gets the page's result."""
    open_small_studio(page, scheduler={"name": "sparrow"})
    page.locator("[data-touch-on]").click()
    page.locator("[data-touch-reach]").select_option("task")
    page.evaluate("() => document.activeElement.blur()")
    page.keyboard.press("Home")
    # Before the first event nothing runs.
    page.mouse.click(*first_cell(page))
    expect(page.locator("[data-touch-state]")).to_have_attribute("data-touch-state", "failed")
    expect(page.locator("[data-touches] li")).to_have_count(0)
    for _ in range(4):
        page.keyboard.press("Shift+ArrowRight")
    before = map_print(page)
    page.mouse.click(*first_cell(page))
    wait_until_changed(page)
    stops = page.locator("[data-touches] li")
    expect(stops).to_have_count(1)
    expect(stops).to_contain_text("is stopped at")
    wait_for_other_picture(page, before)
    page.locator("[data-touch-target]").fill("40")
    page.locator("[data-touch-target]").press("Enter")
    page.evaluate("() => document.activeElement.blur()")
    page.keyboard.press("t")
    wait_until_changed(page)
    expect(stops).to_have_count(2)
    digest = page.locator("[data-touch-digest]").inner_text()
    page.locator("[data-touch-open]").click()
    expect(page.locator("[data-touched]")).to_have_attribute("data-touched", "same", timeout=COMPUTED_MS)
    assert page.request.get(f"/api/v1/runs/{run_of(page)}/summary").json()["outcome_digest"] == digest
    page.locator(".inspector-task").fill("3")
    page.locator("[data-show-task]").click()
    page.locator("[data-stop-task]").click()
    wait_until_changed(page)
    expect(stops).to_contain_text("Task 3 is stopped at")
    # Taps reach machines again, and so does the button.
    page.locator("[data-touch-on]").click()
    expect(page.locator("[data-touch-now]")).to_have_text("Machine 0 of Cluster 0 fails now")


def test_a_burst_by_touch_is_the_server_s_experiment_with_this_burst(page: Page) -> None:
    """What needs other arrays than failures do: the server sends them, and the page simulates, with a failure too."""
    open_small_studio(page, scheduler={"name": "megha"})
    page.locator("[data-touch-on]").click()
    page.evaluate("() => document.activeElement.blur()")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    offers = page.locator("[data-touch-offer] option")
    values = [str(each.get_attribute("value")) for each in offers.all()]
    assert "news" in values
    page.locator("[data-touch-offer]").select_option(next(each for each in values if each.startswith("burst ")))
    page.locator("[data-touch-happen]").click()
    wait_until_changed(page)
    expect(page.locator("[data-touch-cited]")).to_have_attribute("data-touch-cited", "same")
    page.locator("[data-touch-now]").click()
    expect(page.locator("[data-touches] li")).to_have_count(2)
    wait_until_changed(page)
    digest = page.locator("[data-touch-digest]").inner_text()
    page.locator("[data-touch-open]").click()
    expect(page.locator("[data-touched]")).to_have_attribute("data-touched", "same", timeout=COMPUTED_MS)
    summary = page.request.get(f"/api/v1/runs/{run_of(page)}/summary").json()
    assert summary["outcome_digest"] == digest
    experiment_id = page.url.split("?")[0].rsplit("/", 1)[1]
    made = page.request.get(f"/api/v1/experiments/{experiment_id}").json()["experiment"]
    assert sorted(each["kind"] for each in made["events"]) == ["burst", "fail"]


def test_a_run_is_gone_through_event_by_event_forward_and_back(page: Page) -> None:
    """One event is one event; an event has one picture, also on the way back; the run is there again at the end."""
    open_small_studio(page, scheduler={"name": "sparrow"})
    page.evaluate("() => document.activeElement.blur()")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.locator("[data-travel-begin]").click()
    state = page.locator("[data-travel]")
    expect(state).not_to_have_attribute("data-travel", "failed")
    at = int(state.get_attribute("data-travel") or 0)
    page.locator("[data-travel-step='1']").click()
    expect(state).to_have_attribute("data-travel", str(at + 1))
    first = map_print(page)
    page.locator("[data-travel-event]").fill("200")
    page.locator("[data-travel-event]").press("Enter")
    expect(state).to_have_attribute("data-travel", "200")
    wait_for_other_picture(page, first)
    painted(page)
    there = map_print(page)
    page.locator("[data-travel-step='1000']").click()
    wait_for_other_picture(page, there)
    page.locator("[data-travel-event]").fill("200")
    page.locator("[data-travel-event]").press("Enter")
    expect(state).to_have_attribute("data-travel", "200")
    wait_for_picture(page, there)
    page.locator("[data-travel-end]").click()
    expect(state).to_have_count(0)


def test_a_scheduler_that_asks_the_server_says_so(page: Page, complaints: Complaints) -> None:
    complaints.expected.append("status of 422")  # the server says why no page can simulate the run
    open_small_studio(page, scheduler={"name": "quincy"})
    page.locator("[data-here-run]").click()
    expect(page.locator("[data-here=failed]")).to_contain_text("asks the server in mid-run", timeout=60_000)


def test_an_exported_page_simulates_from_a_disk_without_the_network(page: Page, tmp_path: Path) -> None:
    """The file is opened by its path, offline. It asks for nothing, and its own policy refuses nothing that it does."""
    open_small_studio(page, scheduler={"name": "sparrow"})
    content = exported(page, "page")
    assert len(content) < 3_000_000
    path = tmp_path / "run.html"
    path.write_bytes(content)
    asked = open_offline(page, path)
    expect(page.locator("[data-here]")).to_have_attribute("data-here", "same")
    digest = page.locator("[data-here-digest]").inner_text()
    expect(page.locator(".run-page-facts")).to_contain_text(digest)
    assert [each for each in asked if not each.startswith(("file:", "blob:", "data:"))] == []
    page.set_viewport_size(PHONE)
    # From top to bottom, with no hole between the map and its legend.
    map_end, foot, timeline, beside = page.evaluate(_ORDER)
    assert map_end <= foot < map_end + 80
    assert foot < timeline < beside


def test_an_exported_page_is_a_picture_with_caption_and_link_where_scripts_are_forbidden(
    page: Page, chromium: Browser, tmp_path: Path
) -> None:
    open_small_studio(page, scheduler={"name": "sparrow"})
    path = tmp_path / "run.html"
    path.write_bytes(exported(page, "page"))
    context = chromium.new_context(java_script_enabled=False)
    still = context.new_page()
    still.goto(path.as_uri())
    picture = still.locator("[data-still] img")
    expect(picture).to_be_visible()
    box = picture.bounding_box()
    assert box is not None
    assert box["height"] > 100
    expect(still.locator("[data-still] a")).to_have_attribute("href", re.compile("/e/"))
    expect(still.locator(".run-page-caption")).to_have_text("Does the page work?")
    for empty in ("[data-map]", "[data-timeline]", "[data-playbar]", "[data-here-place]"):
        expect(still.locator(empty)).to_be_hidden()
    still.set_viewport_size(PHONE)
    narrow = picture.bounding_box()
    assert narrow is not None
    assert narrow["x"] + narrow["width"] <= PHONE["width"]
    assert narrow["height"] > 100
    context.close()
    page.goto(path.as_uri())
    expect(page.locator("[data-here]")).to_have_attribute("data-here", "same")
    expect(page.locator("[data-still]")).to_have_count(0)
    expect(page.locator("[data-playbar]")).to_be_visible()


def test_a_notebook_shows_an_exported_page_that_simulates(page: Page, tmp_path: Path) -> None:
    """The output of the cell is a frame without an origin; it asks for nothing."""
    open_small_studio(page, scheduler={"name": "sparrow"})
    cell = Shown(exported(page, "page").decode())._repr_html_()
    path = tmp_path / "notebook.html"
    path.write_text(f"<!doctype html><meta charset=utf-8><title>Notebook</title>{cell}", encoding="utf-8")
    asked = open_offline(page, path)
    frame = page.frame_locator("iframe")
    expect(frame.locator("[data-here]")).to_have_attribute("data-here", "same")
    frame.locator("[data-play=forward]").click()
    expect(frame.locator("[data-play=clock]")).not_to_have_text("00:00:00")
    assert [each for each in asked if not each.startswith(("file:", "blob:", "data:", "about:"))] == []


def test_without_webassembly_all_else_works_and_the_page_says_what_is_missing(page: Page, tmp_path: Path) -> None:
    """In the studio and in an exported file: runs are shown and changed as before, and nothing offers to simulate."""
    page.add_init_script("delete globalThis.WebAssembly")
    open_small_studio(page, scheduler={"name": "megha"})
    assert page.evaluate("typeof WebAssembly") == "undefined"
    path = tmp_path / "run.html"
    path.write_bytes(exported(page, "page"))
    expect(page.locator("[data-here=none]")).to_contain_text("WebAssembly")
    for offer in ("[data-here-run]", "[data-touch-on]", "[data-travel-begin]"):
        expect(page.locator(offer)).to_have_count(0)
    wait_for_other_picture(page, None)
    page.evaluate("() => document.activeElement.blur()")
    page.keyboard.press("Home")
    painted(page)
    before = map_print(page)
    page.keyboard.press("Shift+ArrowRight")
    wait_for_other_picture(page, before)
    page.goto(path.as_uri())
    expect(page.locator("[data-here=none]")).to_contain_text("WebAssembly")
    before = wait_for_other_picture(page, None)
    page.locator("[data-play=forward]").click()
    wait_for_other_picture(page, before)
    expect(page.locator("[data-touch-on]")).to_have_count(0)


def test_an_exported_page_says_when_its_result_is_another(page: Page, tmp_path: Path) -> None:
    open_small_studio(page, scheduler={"name": "sparrow"})
    text = exported(page, "page").decode()
    cited = page.request.get(f"/api/v1/runs/{run_of(page)}/summary").json()["outcome_digest"]
    path = tmp_path / "run.html"
    path.write_text(text.replace(cited, "0" * 64))
    page.goto(path.as_uri())
    expect(page.locator("[data-here]")).to_have_attribute("data-here", "different")
    expect(page.locator("[data-here-digest]")).to_have_text(cited)


@journey
def test_readers_of_an_exported_page_change_a_setting_and_let_a_machine_fail(
    page: Page, live_playground: str, tmp_path: Path
) -> None:
    """The author leaves in one setting. The file simulates both without the network, with the server's results."""
    open_small_studio(page)
    path = tmp_path / "run.html"
    path.write_bytes(page_with_settings(page, _HEARTBEAT, "5, 60"))
    asked = open_offline(page, path)
    expect(page.locator("[data-here]")).to_have_attribute("data-here", "same")
    page.locator(f"[data-setting='{_HEARTBEAT}']").focus()
    page.keyboard.press("End")
    expect(page.locator("[data-touch-cited]")).to_have_attribute("data-touch-cited", "same", timeout=60_000)
    expect(page.locator(f"[data-setting-value='{_HEARTBEAT}']")).to_have_text("60\u202fs")
    page.locator("[data-touch-on]").click()
    page.evaluate("() => document.activeElement.blur()")
    page.keyboard.press("t")
    expect(page.locator("[data-touches] li")).to_have_count(1)
    wait_until_changed(page)
    digest = page.locator("[data-touch-digest]").inner_text()
    with page.expect_download() as download:
        page.locator("[data-touch-file]").click()
    assert re.match(rf"{live_playground}/studio#x2\.", page.locator("[data-touch-open]").get_attribute("href") or "")
    assert [each for each in asked if not each.startswith(("file:", "blob:", "data:"))] == []
    page.locator("[data-touch-back]").click()
    expect(page.locator(f"[data-setting-value='{_HEARTBEAT}']")).to_have_text("5\u202fs")
    expect(page.locator("[data-touches]")).to_have_count(0)
    experiment = json.loads(Path(download.value.path()).read_text())
    assert experiment["scheduler"]["params"]["heartbeat_s"] == 60
    api = Api(live_playground)
    run = api.wait(api.start(experiment, seed=experiment["seed"])["id"])
    assert api.call("GET", f"/api/v1/runs/{run['id']}/summary").json["outcome_digest"] == digest


def test_a_setting_that_the_server_refuses_is_said_in_the_dialog(page: Page, complaints: Complaints) -> None:
    complaints.expected.append("status of 422")
    open_small_studio(page)
    page.locator("[data-export]").click()
    page.locator("[data-exports=page-settings]").click()
    page.locator("[data-page-setting='0']").select_option(_HEARTBEAT)
    page.locator("[data-page-values='0']").fill("-1")
    page.locator("[data-page-export]").click()
    expect(page.locator("dialog [role=alert]")).to_contain_text("-1")
    expect(page.locator("[data-page-export]")).to_be_enabled()


def test_a_branch_that_stays_stands_beside_the_next_one(page: Page) -> None:
    """Two touches at the same instant make two branches: both maps at once, and numbers of both."""
    open_small_studio(page, scheduler={"name": "sparrow"})
    page.locator("[data-touch-on]").click()
    page.evaluate("() => document.activeElement.blur()")
    page.keyboard.press("Home")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("t")
    wait_until_changed(page)
    first = page.locator("[data-touch-digest]").inner_text()
    page.locator("[data-beside]").select_option("0")
    left, right = page.evaluate(_MAPS)
    assert left[1] <= right[0]
    assert left[2:] == right[2:]
    page.locator("[data-branch-keep]").click()
    expect(page.locator("[data-beside]")).to_have_value("1")
    page.locator("[data-touch-remove]").click()
    expect(page.locator("[data-beside-map]")).to_have_count(0)  # the run before is no branch
    page.locator("[data-touch-target]").fill("7")
    page.locator("[data-touch-target]").press("Enter")
    page.locator("[data-touch-now]").click()
    wait_until_changed(page)
    expect(page.locator("[data-beside-map]")).to_have_count(1)
    expect(page.locator("[data-beside-numbers] tbody tr")).to_have_count(5)
    assert page.locator("[data-touch-digest]").inner_text() != first
    page.locator("[data-branch-show='1']").click()
    expect(page.locator("[data-touch-digest]")).to_have_text(first)
    page.set_viewport_size(PHONE)
    above, below = page.evaluate(_MAPS)
    assert above[3] <= below[2]
    assert above[:2] == below[:2]
    page.locator("[data-branch-drop='1']").click()
    expect(page.locator("[data-beside-map]")).to_have_count(0)


def _slider(page: Page, path: str) -> Locator:
    """Return a setting's slider, after all folds of the settings are open."""
    page.evaluate("() => { for (const fold of document.querySelectorAll('details.more')) fold.open = true; }")
    return page.locator(f".knob[data-path='{path}'] input[type=range]:enabled")


def _let_settings_act_here(page: Page) -> list[str]:
    """Switch it on, wait until the page has all that it needs, and return the list of later requests about runs."""
    with page.expect_response(lambda answer: "/engine/" in answer.url):
        page.locator("[data-turn-on]").click()
    expect(page.locator("[data-turn-on]")).to_have_attribute("aria-pressed", "true")
    asked: list[str] = []
    about = re.compile(r"/api/v1/(previews|experiments|runs/[^/]+/(start|page))")
    page.on("request", lambda request: asked.append(request.url) if about.search(request.url) else None)
    return asked


def _run_on_the_server(page: Page) -> dict[str, Any]:
    """Run the changed experiment on the server; fail unless its result is the page's. Return the experiment."""
    digest = page.locator("[data-touch-digest]").inner_text()
    page.locator("[data-turn-run]").click()
    expect(page.locator("[data-touched]")).to_have_attribute("data-touched", "same", timeout=COMPUTED_MS)
    assert page.request.get(f"/api/v1/runs/{run_of(page)}/summary").json()["outcome_digest"] == digest
    experiment_id = page.url.split("?")[0].rsplit("/", 1)[1]
    made: dict[str, Any] = page.request.get(f"/api/v1/experiments/{experiment_id}").json()["experiment"]
    return made


@pytest.mark.parametrize(("name", "parameter"), [("sparrow", "probe_ratio"), ("megha", "heartbeat_s")])
def test_a_slider_is_answered_by_the_page_with_the_server_s_result(page: Page, name: str, parameter: str) -> None:
    """Nothing is asked of the server; the instant stays; a step back shows the run again; then the server runs it."""
    open_small_studio(page, scheduler={"name": name})
    asked = _let_settings_act_here(page)
    page.evaluate("() => document.activeElement.blur()")
    page.keyboard.press("Home")
    page.keyboard.press("Shift+ArrowRight")
    pause(page)
    painted(page)
    clock = page.locator("[data-play=clock]").inner_text()
    before = map_print(page)
    slider = _slider(page, f"scheduler.params.{parameter}")
    slider.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    wait_until_changed(page)
    wait_for_other_picture(page, before)
    assert page.locator("[data-play=clock]").inner_text() == clock
    first = page.locator("[data-touch-digest]").inner_text()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-touch-digest]")).not_to_have_text(first)
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-touch-state]")).to_have_count(0)
    wait_for_picture(page, before)
    page.keyboard.press("ArrowRight")
    wait_until_changed(page)
    assert asked == []
    own = {"probe_ratio": 2, "heartbeat_s": 10}[parameter]
    assert _run_on_the_server(page)["scheduler"]["params"][parameter] != own


def test_a_setting_that_needs_other_arrays_asks_for_them_alone(page: Page) -> None:
    """The server packs them and runs nothing. A machine fails on top; the server's run has both."""
    open_small_studio(page, scheduler={"name": "sparrow"})
    asked = _let_settings_act_here(page)
    slider = _slider(page, "workload.arrivals.offered_load")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    wait_until_changed(page)
    assert [each.split("?")[0].rsplit("/", 1)[1] for each in asked] == ["start"]
    page.locator("[data-touch-on]").click()
    page.evaluate("() => document.activeElement.blur()")
    page.keyboard.press("t")
    expect(page.locator("[data-touches] li")).to_have_count(1)
    wait_until_changed(page)
    assert len(asked) == 1
    made = _run_on_the_server(page)
    assert made["workload"]["arrivals"]["offered_load"] < 0.9
    assert [each["kind"] for each in made["events"]] == ["fail"]


def test_an_edited_policy_needs_no_server(page: Page) -> None:
    """The page compiles the text, writes the program into its start and simulates: the server's run has its result."""
    open_small_studio(page, scheduler={"name": "own"})
    asked = _let_settings_act_here(page)
    page.on("request", lambda request: asked.append(request.url) if "/policy-checks" in request.url else None)
    text = page.locator("[data-policy-editor] .cm-content")
    expect(text).to_have_text("score: machine.free_cpus", timeout=COMPUTED_MS)
    text.click()
    page.keyboard.press("Control+End")
    page.keyboard.insert_text("\nfilter: machine.free_memory_gb > 1\norder: job.longest_s")
    decides = page.locator(".policy-said").locator("[data-decides]")
    expect(decides).to_have_attribute("data-decides", "order filter score")
    wait_until_changed(page)
    assert asked == []
    assert "order: job.longest_s" in _run_on_the_server(page)["scheduler"]["params"]["policy"]


def test_a_policy_that_needs_other_arrays_asks_for_them_alone(page: Page) -> None:
    """A filter that depends on the queue makes other kinds of tasks; the next edit needs no server again."""
    open_small_studio(page, scheduler={"name": "own"})
    asked = _let_settings_act_here(page)
    text = page.locator("[data-policy-editor] .cm-content")
    expect(text).to_have_text("score: machine.free_cpus", timeout=COMPUTED_MS)
    text.click()
    page.keyboard.press("Control+End")
    page.keyboard.insert_text("\nfilter: queue.tasks_running < 9")
    wait_until_changed(page)
    assert [each.split("?")[0].rsplit("/", 1)[1] for each in asked] == ["start"]
    page.keyboard.insert_text("9")
    decides = page.locator(".policy-said").locator("[data-decides]")
    expect(decides).to_have_attribute("data-decides", "filter score")
    wait_until_changed(page)
    assert len(asked) == 1
    assert "queue.tasks_running < 99" in _run_on_the_server(page)["scheduler"]["params"]["policy"]
