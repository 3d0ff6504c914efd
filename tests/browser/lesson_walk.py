"""Walk through a lesson as a teacher with a projector and some students do: every step, every question answered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

PHONE: ViewportSize = {"width": 390, "height": 844}
_PLAYED_MS = 60_000


@dataclass
class Walk:
    """The pages of one class. `seen` is told the name of each picture that is worth a look."""

    teacher: Page
    screen: Page
    phones: list[Page]
    seen: Callable[[str], None] = lambda name: None
    #: The id of the class.
    room: str = ""
    #: The state of the reveals that were played on the projector, by the kind of the question.
    played: dict[str, int] = field(default_factory=dict)

    def begin(self, name: str) -> Any:
        """Open a class, let all phones join, and teach a lesson that comes along; return the lesson."""
        room = self.teacher.request.post("/api/v1/classes", data={}).json()
        self.room = room["id"]
        self.teacher.goto(f"/classes/{room['id']}/teach")
        self.screen.goto(f"/classes/{room['id']}/screen")
        for number, phone in enumerate(self.phones):
            phone.goto(f"/join/{room['code']}")
            if number:
                phone.locator("[data-name]").fill(f"Student {number}")
            phone.locator("[data-enter]").click()
            expect(phone.locator("[data-me]")).not_to_be_empty()
        self.seen("code")
        self.teacher.locator("[data-lessons]").select_option(name)
        self.teacher.locator("[data-teach]").click()
        expect(self.teacher.locator("[data-step]").first).to_have_attribute("aria-current", "step")
        lesson = self.teacher.request.get(f"/api/v1/classes/{room['id']}").json()["teacher"]["lesson"]
        for page in (self.screen, *self.phones):
            expect(page.locator("[data-picture] [data-map]")).to_be_visible()
        return lesson

    def all_steps(self, lesson: Any) -> None:
        for at, step in enumerate(lesson["steps"]):
            if at:
                self.teacher.locator(f"[data-next='{at}']").click()
                expect(self.teacher.locator(f"[data-step='{at}']")).to_have_attribute("aria-current", "step")
            name = f"{at + 1}-{step['kind']}"
            if step["kind"] == "question":
                self._question(str(step["question"]), name)
            elif step["kind"] == "explore":
                self._explore(name)
            else:
                for page in (self.screen, *self.phones):
                    expect(page.locator("[data-text]")).to_have_text(step["text"])
                self.seen(name)

    def _question(self, number: str, name: str) -> None:
        expect(self.teacher.locator(f"[data-question='{number}']")).to_have_attribute("data-state", "open")
        row = self.teacher.locator("[aria-current=step]")
        for place, phone in enumerate(self.phones):
            self._answer(phone, place)
        expect(self.screen.locator("[data-answered]")).to_contain_text(str(len(self.phones)))
        self.seen(f"{name}-open")
        expect(row.locator("[data-move=reveal]")).to_be_enabled(timeout=_PLAYED_MS)
        row.locator("[data-move=reveal]").click()
        expect(self.screen.locator(".result")).to_be_visible()
        kind = str(self.screen.locator(".result").get_attribute("data-result"))
        self.played[kind] = self.played.get(kind, 0) + 1
        if kind != "point":
            expect(self.screen.locator("[data-reveal]")).to_have_attribute("data-reveal", "plays")
            expect(self.screen.locator("[data-picture] [data-map]")).to_be_visible()
            self.seen(f"{name}-plays")
        for page in (self.screen, *self.phones):
            expect(page.locator("[data-reveal]")).to_have_attribute("data-reveal", "over", timeout=_PLAYED_MS)
        for phone in self.phones:
            expect(phone.locator("[data-said]")).not_to_be_empty()
        self.seen(f"{name}-over")

    def _answer(self, phone: Page, place: int) -> None:
        """Answer whatever is asked, each student in another way where there are several."""
        options, slider, curve = (phone.locator(part) for part in ("[data-option]", "[data-slider]", "[data-curve]"))
        expect(options.first.or_(slider).or_(curve).or_(phone.locator("[data-machine]"))).to_be_visible()
        if options.count():
            options.nth(place % options.count()).click()
        elif slider.count():
            for _ in range(place + 1):
                slider.press("PageUp")
        elif curve.count():
            _draw(curve, place)
        else:
            # Nobody points at a map before its run is drawn there.
            expect(phone.locator("[data-picture] [data-clock]")).not_to_be_empty()
            for key in [*["ArrowRight"] * (place + 1), "Enter"]:
                phone.locator("[data-picture] .map-cells").press(key)
            expect(phone.locator("[data-machine]")).not_to_have_value("")
        phone.locator("[data-send]").click()
        expect(phone.locator("[data-said]")).to_have_attribute("data-saved", "yes")

    def _explore(self, name: str) -> None:
        for place, phone in enumerate(self.phones):
            slider = phone.locator("[data-explore] input[type=range]").first
            slider.press("PageUp" if place % 2 else "PageDown")
            expect(phone.locator("[data-tried]")).to_have_attribute("data-tried", "done")
        expect(self.screen.locator("[data-dot]")).to_have_count(len(self.phones))
        self.seen(name)


def _draw(curve: Locator, place: int) -> None:
    """Draw a line over a chart with the mouse: each student another one."""
    curve.scroll_into_view_if_needed()
    box = curve.bounding_box()
    assert box is not None
    mouse, (low, high) = curve.page.mouse, ((0.7, 0.3), (0.5, 0.5), (0.3, 0.6))[place % 3]
    mouse.move(box["x"] + box["width"] * 0.17, box["y"] + box["height"] * low)
    mouse.down()
    mouse.move(box["x"] + box["width"] * 0.96, box["y"] + box["height"] * high, steps=6)
    mouse.up()


def pages(chromium: Browser, address: str, theme: str = "light", students: int = 3) -> Walk:
    """Open browsers of their own: the teacher's with the projector, and phones."""
    desk = chromium.new_context(base_url=address, viewport={"width": 1280, "height": 800}, color_scheme=theme)
    phones = [
        chromium.new_context(base_url=address, viewport=PHONE, color_scheme=theme).new_page() for _ in range(students)
    ]
    return Walk(desk.new_page(), desk.new_page(), phones)
