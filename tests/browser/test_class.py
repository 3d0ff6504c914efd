"""A teacher, a projector and three phones through a class with a question of each kind; one phone loses its network."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

from tests.browser.conftest import DESKTOP, Complaints
from tests.support import small_experiment

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.redis, pytest.mark.xdist_group("service")]

PHONE: ViewportSize = {"width": 390, "height": 844}
CHOICE = {"kind": "choice", "text": "Which?", "schedulers": ["megha", "sparrow"]}
NUMBER = {"kind": "number", "text": "How long?", "metric": "makespan_s", "low": 0, "high": 1000}
CURVE = {
    **NUMBER,
    "kind": "curve",
    "path": "scheduler.params.heartbeat_s",
    "values": [1, 5, 10],
}


@pytest.fixture
def people(chromium: Browser, live_playground: str, complaints: Complaints) -> Iterator[list[Page]]:
    """Give pages of four browsers of their own: the teacher's, and three phones."""
    complaints.expected.append("ERR_INTERNET_DISCONNECTED")
    with ExitStack() as contexts:
        found = []
        for size in (DESKTOP, PHONE, PHONE, PHONE):
            context: BrowserContext = chromium.new_context(base_url=live_playground, viewport=size)
            contexts.callback(context.close)
            page = context.new_page()
            complaints.watch(page)
            found.append(page)
        yield found


def draw(page: Page) -> None:
    """Draw a rising line over the chart with the mouse."""
    page.locator("[data-curve]").scroll_into_view_if_needed()
    box = page.locator("[data-curve]").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] * 0.17, box["y"] + box["height"] * 0.7)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.96, box["y"] + box["height"] * 0.3, steps=6)
    page.mouse.up()


def send(page: Page) -> None:
    page.locator("[data-send]").click()
    expect(page.locator("[data-said]")).to_have_attribute("data-saved", "yes")


def opened(teacher: Page, room: dict[str, Any], question: dict[str, Any]) -> str:
    """Add a question and open it on the teacher's page; return its number."""
    made = teacher.request.post(f"/api/v1/classes/{room['id']}/questions", data=question)
    assert made.status == 201, made.text()
    number = str(made.json()["number"])
    teacher.locator(f"[data-question='{number}'] [data-move=open]").click()
    return number


def reveal(teacher: Page, number: str) -> None:
    teacher.locator(f"[data-question='{number}'] [data-move=reveal]:enabled").click()


def test_a_class_from_the_first_code_to_the_last_answer(people: list[Page]) -> None:
    teacher, first, second, third = people
    made = teacher.request.post("/api/v1/experiments", data=small_experiment()).json()
    room = teacher.request.post("/api/v1/classes", data={"experiment": made["id"]}).json()
    teacher.goto(f"/classes/{room['id']}/teach")
    screen = teacher.context.new_page()
    screen.goto(f"/classes/{room['id']}/screen")
    first.goto("/join")
    first.locator("[data-code]").fill(room["code"].lower())
    first.locator("[data-name]").fill("<i>Ada</i>")
    first.locator("[data-enter]").click()
    for page in (second, third):
        page.goto(f"/join/{room['code']}")
        page.locator("[data-enter]").click()
    for page in (first, second, third):
        expect(page.locator("[data-picture] [data-map]")).to_be_visible()
    expect(first.locator("[data-me]")).to_have_text("<i>Ada</i>")
    expect(teacher.locator("[data-student]")).to_have_count(3)

    number = opened(teacher, room, CHOICE)
    for page, option in ((first, 0), (second, 1)):
        page.locator(f"[data-option='{option}']").click()
        send(page)
    expect(screen.locator("[data-answered]")).to_contain_text("2")
    expect(screen.locator("[data-result]")).to_have_count(1)  # its place, empty
    # The third phone loses its network with an answer chosen, sends it, and is back: the answer is stored.
    third.locator("[data-option='1']").click()
    third.context.set_offline(True)
    third.locator("[data-send]").click()
    expect(third.locator("[data-said]")).to_have_attribute("data-saved", "no")
    third.context.set_offline(False)
    expect(third.locator("[data-said]")).to_have_attribute("data-saved", "yes")
    reveal(teacher, number)
    for page in (first, second, third, screen):
        expect(page.locator("[data-result=choice] [data-right]")).to_have_count(1)

    number = opened(teacher, room, NUMBER)
    for page in (first, second):
        page.locator("[data-slider]").press("PageUp")
        send(page)
    second.reload()  # comes back as the same person, with the answer
    expect(second.locator("[data-said]")).to_have_attribute("data-saved", "yes")
    reveal(teacher, number)
    expect(second.locator("[data-result=number] .own-line")).to_have_count(1)

    number = opened(teacher, room, CURVE)
    draw(first)
    send(first)
    for at in range(3):  # by keyboard
        second.locator(f"[data-place='{at}']").press("ArrowUp")
    send(second)
    reveal(teacher, number)
    expect(screen.locator("[data-result=curve] .class-band")).to_have_count(2)
    expect(first.locator("[data-result=curve] .own-line")).to_have_count(1)
    expect(third.locator("[data-result=curve] .own-line")).to_have_count(0)
    table = teacher.request.get(f"/api/v1/classes/{room['id']}/answers.csv").text()
    assert len(table.strip().splitlines()) == 1 + 3 + 2 + 2
