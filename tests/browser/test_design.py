"""Designing by hand: the datacenter laid out, faults listed, and the preview under the hand."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Request, Route, TimeoutError, expect

from tests.browser.conftest import Complaints
from tests.browser.looking import COMPUTED_MS, open_small_studio, wait_until_computed

STORING = re.compile(r"/api/v1/experiments(\?|$)")
pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("playground")]


def experiment(page: Page) -> dict[str, Any]:
    """Return the experiment as the page has it."""
    found: dict[str, Any] = json.loads(page.locator(".json-text").input_value())
    return found


def clusters(page: Page) -> list[tuple[str, int]]:
    """Return names and machines of the clusters, entry by entry."""
    return [
        (one["name"], one.get("repeat", 1) * sum(group["count"] for group in one["machines"]))
        for one in experiment(page)["topology"]["clusters"]
    ]


def item(page: Page, key: str) -> Locator:
    return page.locator(f".plan-item[data-key='{key}']")


def middle(part: Locator) -> tuple[float, float]:
    part.scroll_into_view_if_needed()
    box = part.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, what: Locator, to: tuple[float, float]) -> None:
    page.mouse.move(*middle(what))
    page.mouse.down()
    page.mouse.move(*to, steps=5)
    page.mouse.up()


def write(page: Page, key: str, text: str) -> None:
    """Write into the field of what is selected that shows this part of the experiment."""
    field = page.locator(f".design-part [data-path$='.{key}']")
    field.fill(text)
    field.press("Enter")


def test_a_federation_is_designed_from_nothing_but_the_address(page: Page, complaints: Complaints) -> None:
    complaints.expected = ["status of 422", "net::ERR_FAILED"]
    page.goto("/studio?level=lab")
    page.locator(".panel-work .more > summary").click()
    tasks = page.locator(".knob[data-path='workload.tasks'] .knob-value")
    tasks.fill("1500")
    tasks.press("Enter")
    tasks.evaluate("field => field.blur()")
    page.keyboard.press("e")
    expect(item(page, "cluster:0")).to_be_visible(timeout=COMPUTED_MS)

    # The first cluster by its exact numbers, the others by hand: dragged in, copied, pulled at an edge.
    item(page, "cluster:0").click(position={"x": 20, "y": 10})
    write(page, "repeat", "1")
    write(page, "name", "north")
    item(page, "group:0:0").click()
    write(page, "count", "60")
    assert clusters(page) == [("north", 60)]
    drag(page, page.locator("[data-tool=cluster]"), middle(page.locator(".plan-clusters .plan-head")))
    write(page, "name", "south")
    page.locator("[data-tool=cluster]").click()  # what was dragged in a moment ago can be clicked in
    page.keyboard.press("Control+z")
    item(page, "cluster:1").click(position={"x": 20, "y": 10})  # what is pressed has the focus, so keys work on it
    page.keyboard.press("Control+c")
    page.keyboard.press("Control+v")
    assert clusters(page) == [("north", 60), ("south", 100), ("south2", 100)]
    x, y = middle(item(page, "group:2:0").locator("[data-edge=count]"))
    drag(page, item(page, "group:2:0").locator("[data-edge=count]"), (x - 120, y))
    shrunk = clusters(page)[2][1]
    assert 30 <= shrunk <= 60
    page.locator("[data-editor-undo]").click()  # one gesture is one step, however many values it passed
    assert clusters(page)[2][1] == 100

    # What may be done is offered at the right button; what was done is taken back.
    item(page, "cluster:2").click(button="right", position={"x": 20, "y": 10})
    page.locator("[data-does=split]").click()
    assert clusters(page)[2:] == [("south2", 50), ("south3", 50)]
    expect(item(page, "cluster:3")).to_be_focused()
    page.keyboard.press("Control+z")
    assert len(clusters(page)) == 3

    # Two masters with a queue each; a queue goes to the other one by hand and comes back by key.
    item(page, "master:3").focus()
    page.keyboard.press("Delete")
    page.keyboard.press("Delete")
    expect(page.locator(".plan-master")).to_have_count(2)
    expect(page.locator(".plan-queue")).to_have_count(2)
    drag(page, item(page, "queue:0"), middle(item(page, "master:1").locator(".plan-name").first))
    assert [queue["global_master"] for queue in experiment(page)["queues"]] == [1, 1]
    item(page, "queue:0").focus()
    page.keyboard.press("Alt+ArrowRight")
    write(page, "share", "70")
    write(page, "priority", "2")
    queues = experiment(page)["queues"]
    assert [each.get("priority") for each in queues] == [2, None]
    assert [(each["share"], each["global_master"]) for each in queues] == [(0.7, 0), (0.3, 1)]
    item(page, "cluster:0").focus()
    page.keyboard.press("r")
    page.keyboard.press("ArrowDown")
    expect(item(page, "group:0:0")).to_be_focused()
    page.keyboard.press("PageUp")
    assert clusters(page)[0] == ("north", 120)
    assert experiment(page)["topology"]["clusters"][0]["racks"] == 6

    # What the server refuses stands where it belongs.
    write(page, "cpus", "0")
    expect(item(page, "group:0:0").locator(".plan-problem")).to_contain_text("above 0", timeout=COMPUTED_MS)
    item(page, "group:0:0").focus()
    page.keyboard.press("Control+z")
    expect(page.locator(".plan-problem")).to_have_count(0)

    # A fault of one of them, at a time.
    page.locator("[data-editor-tab=topology]").focus()
    page.keyboard.press("ArrowLeft")  # around, to the last one
    page.locator("[data-add-event=fail-local_master]").click()
    which = page.locator("[data-event='0'] [data-path='events[0].target.local_master']")
    which.select_option("south")
    for key, value in {"at_s": "3", "duration_s": "2"}.items():
        field = page.locator(f"[data-path='events[0].{key}']")
        field.fill(value)
        field.press("Enter")
    fault = {"at_s": 3, "kind": "fail", "target": {"local_master": "south"}, "duration_s": 2}
    assert experiment(page)["events"] == [fault]
    page.locator("[data-editor-tab=topology]").click()
    item(page, "cluster:1").click(position={"x": 20, "y": 10})
    write(page, "name", "mid")
    assert experiment(page)["events"][0]["target"] == {"local_master": "mid"}
    page.keyboard.press("Escape")  # back from the field to its part
    expect(item(page, "cluster:1")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".editor")).to_be_hidden()
    wait_until_computed(page)
    assert clusters(page) == [("north", 120), ("mid", 100), ("south2", 100)]

    # A change that the server does not get before the page is left is there afterwards, and so are the steps back.
    page.route(STORING, lambda route: route.abort())
    load = page.locator(".knob[data-path='workload.arrivals.offered_load'] .knob-value")
    load.fill("0.5")
    load.press("Enter")
    page.reload()
    expect(load).to_have_value(re.compile("^50"), timeout=COMPUTED_MS)
    page.unroute(STORING)
    page.locator("body").press("Control+z")
    page.locator("body").press("Control+z")
    assert experiment(page)["topology"]["clusters"][1]["name"] == "south"


_KEEP_WHAT_IS_SAID = """line => {
  window.said = [];
  const told = { childList: true, characterData: true, subtree: true };
  new MutationObserver(() => window.said.push(line.textContent)).observe(line, told);
}"""


def test_a_preview_follows_the_hand_and_the_full_run_confirms_it(page: Page) -> None:
    posted: list[float] = []

    def note(request: Request) -> None:
        if request.url.endswith("/previews") and request.post_data_json:
            posted.append(request.post_data_json["workload"]["arrivals"]["offered_load"])

    page.on("request", note)
    work = {
        "kind": "synthetic",
        "tasks": 25_000,
        "arrivals": {"kind": "poisson", "offered_load": 0.5},
        "duration_s": {"kind": "exponential", "mean": 1},
    }
    open_small_studio(page, workload=work)
    slider = page.locator(".knob[data-path='workload.arrivals.offered_load'] input[type=range]")
    x, y = middle(slider)
    slider.hover()  # whoever reaches for it is told where it starts
    page.mouse.move(x, y)
    page.mouse.down()
    note_line = page.locator("[data-preview-note]")
    # The full run starts while the hand still rests, and may end between two looks at the line: the line notes itself.
    note_line.evaluate(_KEEP_WHAT_IS_SAID)
    # While one answer is under way, values on the way are passed over: here it comes when the hand has passed them.
    held: list[Route] = []
    holding = True
    page.route("**/previews", lambda route: held.append(route) if holding else route.continue_())
    moves = 30
    page.mouse.move(x + moves, y, steps=moves)
    swept = len(posted)
    holding = False
    for route in held:
        route.continue_()
    # The hand goes on until a worker has loaded its kernel: the full run waits for the hand to rest.
    foretold = "window.said.some((text) => /Estimated from .* 20,000 of 25,000 tasks/.test(text))"
    for step in range(COMPUTED_MS // 200):
        page.mouse.move(x + moves + 4 * (step % 2), y)
        with suppress(TimeoutError):
            page.wait_for_function(f"() => {foretold}", timeout=200)
            break
    assert page.evaluate(foretold)
    page.mouse.up()
    now = experiment(page)["workload"]["arrivals"]["offered_load"]
    expect(page.locator("body")).to_have_attribute("data-preview", re.compile(r"\d"))
    # The newest value was asked about last, and most of those on the way were passed over.
    expect(note_line).to_contain_text("Full run:", timeout=COMPUTED_MS)
    assert now in posted
    assert swept < moves
    expect(page.locator(".ghost-note")).to_be_visible()
    expect(page.locator("[data-play=toggle]")).not_to_have_attribute("aria-label", re.compile("^Play$"))
    # A parameter off its default says so, and goes back by its mark.
    reset = page.locator("[data-reset='scheduler.params.heartbeat_s']")
    expect(reset).to_be_visible()
    reset.click()
    expect(reset).to_be_hidden()
    assert "heartbeat_s" not in experiment(page)["scheduler"]["params"]
