"""A teacher, a projector and three phones through a whole lesson: a question of each kind, exploring, a challenge.

One phone loses its network.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

from playground.classes.lessons import checked_lesson
from tests.browser.class_numbers import ClassNumbers
from tests.browser.conftest import DESKTOP, Complaints
from tests.browser.test_accessible import found
from tests.support import small_experiment
from tests.tiers import journey, shares

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.redis, shares("playground")]

PHONE: ViewportSize = {"width": 390, "height": 844}
CHOICE = {"kind": "choice", "text": "Which?", "schedulers": ["megha", "sparrow"]}
NUMBER = {"kind": "number", "text": "How long?", "metric": "makespan_s", "low": 0, "high": 1000}
CURVE = {
    **NUMBER,
    "kind": "curve",
    "path": "scheduler.params.heartbeat_s",
    "values": [1, 5, 10],
}
POINT = {"kind": "point", "text": "Where?", "reason": "matched", "after_s": 1}
#: By then most machines have had a task.
TASK = {**POINT, "text": "Which task?", "target": "task", "after_s": 20}
#: Its steps after the first are the questions by their numbers, and the challenge.
LESSON = {
    "title": "All of it",
    "steps": [
        {"show": {"experiment": small_experiment()}, "notes": "only the teacher reads this"},
        *({"question": one} for one in (CHOICE, NUMBER, CURVE, POINT, TASK)),
        {"challenge": "tame-the-tail"},
    ],
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


def opened(teacher: Page, number: int) -> str:
    """Go to the step of a question, which opens it."""
    teacher.locator(f"[data-go='{number}']").click()
    expect(teacher.locator(f"[data-question='{number}']")).to_have_attribute("data-state", "open")
    return str(number)


def reveal(teacher: Page, number: str) -> None:
    teacher.locator(f"[data-question='{number}'] [data-move=reveal]:enabled").click()


def played(pages: list[Page]) -> None:
    """The runs play beside the result, then it stands."""
    for page in pages:
        expect(page.locator("[data-reveal=plays]")).to_have_count(1)
        expect(page.locator("[data-picture] [data-map]")).to_be_visible()
    for page in pages:
        expect(page.locator("[data-reveal=over]")).to_have_count(1)


def offered(page: Page, point: Callable[[int], Any]) -> None:
    """Point at one machine after the other until one offers tasks: some had none."""
    for at in range(12):
        point(at)
        told = page.locator("[data-offered] > *").first
        with suppress(AssertionError):
            expect(told).to_be_visible(timeout=3000)
        if page.locator("[data-offer]").count():
            return
    raise AssertionError("no machine offers a task")


def tap(page: Page, across: float) -> None:
    """Tap the map half way down, where it is now."""
    cells = page.locator("[data-picture] .map-cells")
    cells.scroll_into_view_if_needed()
    box = cells.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] * across, box["y"] + box["height"] / 2)


def counted_again(numbers: ClassNumbers, screen: Page, where: str) -> set[str]:
    """Hold the numbers of all pages of a class against what students did and what runs gave."""
    pages = {"teacher": numbers.teacher, "screen": screen} | dict(zip("123", numbers.phones, strict=True))
    return {name for of, page in pages.items() for name in numbers.check(page, (where, of))}


def pointed_at_a_task(people: list[Page], screen: Page) -> None:
    """Answer with a task: typed, by keys over the map and the list, and by a tap on the map and on the list."""
    teacher, first, second, third = people
    number = opened(teacher, 5)
    first.locator("[data-task]").fill("3")
    cells = second.locator("[data-picture] .map-cells")
    offered(second, lambda at: [cells.press(key) for key in ("ArrowRight", "Enter")])
    second.locator("[data-offer]").first.press("Enter")
    offered(third, lambda at: tap(third, 0.2 + at / 20))
    third.locator("[data-offer]").first.click()
    for page in (second, third):
        expect(page.locator("[data-task]")).not_to_have_value("")
    for page in (first, second, third):
        send(page)
    reveal(teacher, number)
    for page in (first, second, third, screen):
        expect(page.locator("[data-result=point] [data-right]")).to_have_count(1)


def explored_together(people: list[Page], screen: Page, numbers: ClassNumbers) -> None:
    """Open a parameter, try it on three phones, and open one try on the projector."""
    teacher, first, second, third = people
    teacher.locator("[data-explore-form] summary").click()
    teacher.locator("[data-open='scheduler.params.heartbeat_s']").check()
    teacher.locator("[data-begin]").click()
    for page in (first, second):
        page.locator("[data-explore] input[type=range]").press("PageUp" if page is first else "ArrowRight")
        expect(page.locator("[data-tried]")).to_have_attribute("data-tried", "done")
    third.locator("[data-back]").click()  # to the teacher's picture
    expect(third.locator("[data-picture] [data-map]")).to_be_visible()
    expect(third.locator("[data-explore]")).to_be_hidden()
    for page in (screen, teacher):
        expect(page.locator("[data-dot]")).to_have_count(2)
    pages = {"explore on a phone": first, "wall on the projector": screen, "teacher": teacher}
    assert [problem for where, page in pages.items() for problem in found(page, where)] == []
    of_all = {
        "class:tried",
        "student:tried",
        "drawn:dot",
        "drawn:dot-base",
        *(f"{of}:allocation_delay_s.p99" for of in ("own", "teacher")),
    }
    assert of_all <= counted_again(numbers, screen, "exploring")
    teacher.locator("[data-fork='2'] [data-spot]").click()
    expect(screen.locator("[data-picture] [data-map]")).to_be_visible()
    expect(screen.locator("[data-wall]")).to_be_hidden()
    assert "run:settings" in counted_again(numbers, screen, "a try on the projector")
    second.reload()  # comes back with the own try
    expect(second.locator("[data-dot]")).to_have_count(1)
    teacher.locator("[data-go='6']").click()
    expect(first.locator("[data-explore]")).to_be_hidden()
    expect(screen.locator("[data-board] [data-role=baseline]")).to_be_visible()
    first.locator("[data-challenge-enter]").click()
    first.locator("[data-enter]").click()
    first.locator("[data-form] [type=submit]").click()
    expect(screen.locator("[data-board] [data-role=entry]")).to_have_count(1)
    teacher.locator("[data-follow]").click()
    expect(first.locator("[data-picture] [data-map]")).to_be_visible()  # led back to the class


@journey
def test_a_question_is_asked_answered_on_a_phone_and_revealed(people: list[Page]) -> None:
    """The shortest class; the next test goes through all that a class may do."""
    teacher, phone, *_ = people
    room = teacher.request.post("/api/v1/classes", data={}).json()
    teacher.request.post(f"/api/v1/classes/{room['id']}/lesson", data={"file": json.dumps(LESSON)})
    teacher.goto(f"/classes/{room['id']}/teach")
    phone.goto(f"/join/{room['code']}")
    phone.locator("[data-enter]").click()
    expect(teacher.locator("[data-student]")).to_have_count(1)
    number = opened(teacher, 1)
    phone.locator("[data-option='1']").click()
    send(phone)
    reveal(teacher, number)
    expect(phone.locator("[data-result=choice] [data-right]")).to_have_count(1)
    table = teacher.request.get(f"/api/v1/classes/{room['id']}/answers.csv").text()
    assert len(table.strip().splitlines()) == 2


def test_a_class_joins_by_code_answers_each_kind_of_question_and_its_table_has_all_answers(
    people: list[Page], tmp_path: Path
) -> None:
    teacher, first, second, third = people
    room = teacher.request.post("/api/v1/classes", data={}).json()
    numbers = ClassNumbers(teacher, [first, second, third], checked_lesson(LESSON), tmp_path, room["id"])
    teacher.request.post(f"/api/v1/classes/{room['id']}/lesson", data={"file": json.dumps(LESSON)})
    teacher.goto(f"/classes/{room['id']}/teach")
    screen = teacher.context.new_page()
    screen.goto(f"/classes/{room['id']}/screen")
    first.goto("/join")
    first.locator("[data-code]").fill(room["code"].lower())
    first.locator("[data-name]").fill("<i>Ada</i>")
    first.locator("[data-enter]").click()
    # A name that the teacher is typing stays while others join.
    name = teacher.locator("[data-student='1'] input")
    name.fill("Ada L")
    for page in (second, third):
        page.goto(f"/join/{room['code']}")
        page.locator("[data-enter]").click()
    expect(teacher.locator("[data-student]")).to_have_count(3)
    expect(name).to_be_focused()
    expect(name).to_have_value("Ada L")
    name.fill("<i>Ada</i>")
    for page in (first, second, third):
        expect(page.locator("[data-picture] [data-map]")).to_be_visible()
    expect(first.locator("[data-me]")).to_have_text("<i>Ada</i>")

    number = opened(teacher, 1)
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

    counted_again(numbers, screen, "a choice")
    problems = found(screen, "result on the projector") + found(first, "result on a phone")
    number = opened(teacher, 2)
    for page in (first, second):
        page.locator("[data-slider]").press("PageUp")
        send(page)
    second.reload()  # comes back as the same person, with the answer
    expect(second.locator("[data-said]")).to_have_attribute("data-saved", "yes")
    reveal(teacher, number)
    played([screen, first])
    expect(second.locator("[data-result=number] .own-line")).to_have_count(1)
    expect(screen.locator("[data-result=number] .class-band")).to_have_count(2)
    seen = {"run:answer", "own:score", "student:score", "drawn:run-head", "drawn:own-line", "drawn:answer-bar"}
    assert seen <= counted_again(numbers, screen, "a number")

    number = opened(teacher, 3)
    draw(first)
    problems += found(first, "curve on a phone")
    send(first)
    for at in range(3):  # by keyboard
        second.locator(f"[data-place='{at}']").press("ArrowUp")
    send(second)
    reveal(teacher, number)
    expect(screen.locator("[data-result=curve] .class-band")).to_have_count(2)
    expect(first.locator("[data-result=curve] .own-line")).to_have_count(1)
    expect(third.locator("[data-result=curve] .own-line")).to_have_count(0)
    assert {"drawn:run-line", "drawn:class-band"} <= counted_again(numbers, screen, "a curve")
    number = opened(teacher, 4)
    first.locator("[data-machine]").fill("3")
    for key in ("ArrowRight", "Enter"):  # to a machine on the map, and point at it
        second.locator("[data-picture] .map-cells").press(key)
    expect(second.locator("[data-machine]")).not_to_have_value("")
    for page in (first, second):
        send(page)
    reveal(teacher, number)
    expect(second.locator("[data-result=point] [data-right]")).to_have_count(1)
    counted_again(numbers, screen, "a machine")
    assert problems == []
    pointed_at_a_task(people, screen)
    counted_again(numbers, screen, "a task")
    explored_together(people, screen, numbers)
    table = teacher.request.get(f"/api/v1/classes/{room['id']}/answers.csv").text()
    assert len(table.strip().splitlines()) == 1 + 3 + 2 + 2 + 2 + 3


def test_a_phones_board_of_a_challenge_closes_at_once(people: list[Page]) -> None:
    """Only the class's socket tells it: the phone's timers stand still."""
    teacher, phone, *_ = people
    room = teacher.request.post("/api/v1/classes", data={}).json()
    path = f"/api/v1/classes/{room['id']}"
    assert teacher.request.patch(path, data={"challenge": "tame-the-tail", "mode": "compete"}).ok
    phone.clock.install()
    phone.goto(f"/join/{room['code']}")
    phone.locator("[data-enter]").click()
    phone.locator("[data-challenge-enter]").click()
    expect(phone.locator("[data-board] [data-role=baseline]")).to_be_visible()
    expect(phone.locator("[data-enter]")).to_be_visible()
    phone.clock.pause_at(phone.evaluate("Date.now() + 1000"))
    assert teacher.request.post(f"{path}/challenges/tame-the-tail/close", data={}).ok
    expect(phone.locator("[data-enter]")).to_be_hidden()


def test_a_lesson_is_recorded_ordered_tried_and_saved(page: Page, tmp_path: Path) -> None:
    made = page.request.post("/api/v1/experiments", data=small_experiment()).json()
    page.goto(f"/studio/{made['id']}")
    page.locator("[data-share]").click()
    page.locator("[data-add-step]").click()
    expect(page.locator("[data-notice]")).to_contain_text("/lessons/edit")
    page.goto("/lessons/edit")
    steps = page.locator("[data-step]")
    expect(steps).to_have_count(1)
    page.locator("[data-title]").fill("My lesson")
    page.locator("[data-add-text]").click()
    steps.nth(1).locator("[data-name=text]").fill("First look")
    steps.nth(1).locator("[data-name=minutes]").fill("2")
    page.locator("[data-add-question]").click()
    steps.nth(2).locator("textarea[name=text]").fill("Which?")
    steps.nth(2).locator("select[name=schedulers]").select_option(["megha", "sparrow"])
    steps.nth(2).locator("[type=submit]").click()
    expect(steps.nth(2).locator(".lesson-head")).to_contain_text("Which?")
    # By keyboard, and by dragging.
    steps.nth(2).locator("[data-name=notes]").press("Alt+ArrowUp")
    expect(steps.nth(1)).to_have_attribute("data-kind", "question")
    steps.nth(2).locator(".lesson-head").drag_to(steps.nth(1).locator(".lesson-head"))
    expect(steps.nth(1).locator("[data-name=text]")).to_have_value("First look")
    with page.expect_download() as saving:
        page.locator("[data-export]").click()
    saving.value.save_as(tmp_path / "lesson.yaml")
    page.locator("[data-empty]").click()
    expect(steps).to_have_count(0)
    page.locator("[data-import]").set_input_files(tmp_path / "lesson.yaml")
    expect(steps).to_have_count(3)
    expect(page.locator("[data-title]")).to_have_value("My lesson")
    page.locator("[data-try]").click()
    with page.context.expect_page() as opening:
        page.locator("[data-try-student]").click()
    expect(opening.value.locator("[data-picture] [data-map]")).to_be_visible()


def on_a_projector(teacher: Page, lectern: Page, code: str) -> None:
    """Open a class's projector page by the code on the teacher's page, and show the run in place of the code."""
    longer = re.search(rf"{code}[A-Z]{{6}}", teacher.locator("[data-screen-elsewhere]").inner_text())
    assert longer is not None
    lectern.goto("/screen")
    lectern.get_by_role("textbox").fill(longer.group().lower())
    lectern.get_by_role("textbox").press("Enter")
    expect(lectern.locator("[data-people]")).to_have_text("Students here: 0 of 0")
    lectern.keyboard.press("j")
    expect(lectern.locator("[data-map][data-frame]")).to_be_attached()


def test_a_code_opens_the_projector_on_another_computer_and_it_plays_and_steps(people: list[Page]) -> None:
    teacher, lectern = people[:2]
    lectern.set_viewport_size(DESKTOP)
    made = teacher.request.post("/api/v1/classes", data={"gallery": "short-job"}).json()
    teacher.goto(f"/classes/{made['id']}/teach")
    on_a_projector(teacher, lectern, made["code"])
    toggle, clock = lectern.locator("[data-play=toggle]"), lectern.locator("[data-clock]")
    toggle.click()
    expect(toggle).to_have_accessible_name("Play")
    # Two events may lie within the millisecond that the clock shows.
    before = clock.get_attribute("data-at")
    lectern.locator("[data-play=forward]").click()
    expect(clock).not_to_have_attribute("data-at", str(before))
    lectern.locator("[data-play=forward]").evaluate("button => button.blur()")
    before = clock.get_attribute("data-at")
    lectern.keyboard.press("ArrowRight")
    expect(clock).not_to_have_attribute("data-at", str(before))
    lectern.keyboard.press(" ")
    expect(toggle).to_have_accessible_name("Pause")


def test_the_projector_shows_shares_beside_the_machines_and_stands_before_a_choice(
    people: list[Page], tmp_path: Path
) -> None:
    teacher = people[0]
    made = teacher.request.post("/api/v1/classes", data={"gallery": "short-job"}).json()
    teacher.goto(f"/classes/{made['id']}/teach")
    screen = teacher.context.new_page()
    screen.goto(f"/classes/{made['id']}/screen")
    screen.keyboard.press("j")
    expect(screen.locator("[data-map][data-frame]")).to_be_attached()
    # A machine that the next datacenter does not have: its tooltip goes with it.
    screen.locator("[data-map]").hover(position={"x": 600, "y": 300})
    expect(screen.locator("body > .tip")).to_be_visible()
    shares = screen.locator("[data-turns]")
    expect(shares).to_be_hidden()
    teacher.locator("[data-gallery]").first.select_option("fair-shares")
    teacher.locator("[data-show]").first.click()
    expect(shares.locator("canvas").first).to_be_visible()
    expect(screen.locator("[data-play=toggle]")).to_have_accessible_name("Play")
    run = screen.locator("[data-picture]").get_attribute("data-of")
    moments = {one["kind"]: one["t_ns"] for one in teacher.request.get(f"/api/v1/runs/{run}/moments").json()["moments"]}
    told, clock = shares.locator("[data-says='picture:turns']"), screen.locator("[data-clock]")
    expect(clock).to_have_attribute("data-at", str(moments["several_jobs"] - 1))
    before = told.get_attribute("data-at")
    screen.locator("[data-play=forward]").click()
    expect(told).not_to_have_attribute("data-at", str(before))
    expect(told).to_have_attribute("data-at", str(clock.get_attribute("data-at")))
    expect(screen.locator("body > .tip:visible")).to_have_count(0)
    numbers = ClassNumbers(teacher, [], checked_lesson(LESSON), tmp_path, room=made["id"])
    assert "picture:turns" in numbers.check(screen, ("shares",))
