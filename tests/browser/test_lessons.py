"""Each lesson that comes along, from end to end: a teacher, a projector and three phones."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from playground.classes.lessons import ready_lessons
from tests.browser.bare import CLASS, DESK, bare_numbers
from tests.browser.class_numbers import ClassNumbers
from tests.browser.conftest import Complaints
from tests.browser.lesson_walk import PHONE, Walk, pages
from tests.browser.looking import COMPUTED_MS, clock_seconds
from tests.browser.test_sentences_and_marks import SIZES, inside, under
from tests.tiers import shares

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.redis, shares("pictures")]


DESK_SAYS = """says => [...document.querySelectorAll(`[data-says="${says}"]`)].filter(each => each.checkVisibility())
  .map(each => each.textContent)"""
_TOLD = """() => {
  const marks = JSON.parse(document.querySelector('[data-picture]').dataset.marks ?? 'null');
  const texts = [...document.querySelectorAll('[data-text], [data-question]')].filter(each => each.checkVisibility())
    .map(each => each.getBoundingClientRect().toJSON());
  return marks && {marks, texts, width: innerWidth, height: innerHeight};
}"""
_STILL = (
    "() => { const now = JSON.stringify([(" + _TOLD + ")(), innerWidth]);"
    "window.toldTimes = now === window.toldBefore && !now.startsWith('[null') ? (window.toldTimes ?? 0) + 1 : 0;"
    "window.toldBefore = now; return window.toldTimes > 60; }"
)
#: The places in a phone's page where nothing is for more than so many pixels, and how much it is.
_GAPS = """most => {
  const boxes = [];
  for (const each of document.querySelectorAll('main *')) {
    const text = [...each.childNodes].some(one => one.nodeType === 3 && one.textContent.trim());
    if (!text && !each.matches('canvas, svg, input, button, .bar-fill, .tasks-strip')) continue;
    const box = each.getBoundingClientRect();
    if (each.checkVisibility() && !each.closest('.visually-hidden') && box.height && box.width > 1)
      boxes.push([box.top, box.bottom]);
  }
  boxes.sort((one, other) => one[0] - other[0]);
  const gaps = [];
  let end = boxes[0]?.[0];
  for (const [top, bottom] of boxes) {
    if (top - end > most) gaps.push([Math.round(end), Math.round(top - end)]);
    end = Math.max(end, bottom);
  }
  return gaps;
}"""
_ANY = re.compile(".")
#: Pixels between two parts of a result on a phone.
_WIDEST_GAP = 36
#: A projector shows at most so many machines.
_FEW = 60
#: Questions whose options the runs cannot tell apart, by lesson and number: heartbeats of Megha do not matter, and its
#: median is sometimes below and sometimes above that of Sparrow.
TIED = {("stale-view", 2): 3, ("stale-view", 3): 2}
#: Where numbers without a name stood in the lessons that were taught so far.
MET: dict[str, set[str]] = {}
MET_AT_DESK: dict[str, set[str]] = {}


class Numbers:
    """What the pages of a class say while a lesson is taught, held against what was answered and what runs measured."""

    def __init__(self, walk: Walk, lesson: str, folder: Path) -> None:
        self.walk, self.lesson = walk, lesson
        self.met, self.met_at_desk = MET.setdefault(lesson, set()), MET_AT_DESK.setdefault(lesson, set())
        self.counted = ClassNumbers(walk.teacher, walk.phones, ready_lessons()[lesson], folder)
        #: What the teacher's page, the projector and the phones said.
        self.told: dict[str, set[str]] = {"teacher": set(), "screen": set(), "phone": set()}

    def look(self, name: str) -> None:
        self._look_at_the_screen(name)
        if name.endswith(("-plays", "-over")):
            for phone in self.walk.phones:
                assert phone.evaluate(_GAPS, _WIDEST_GAP) == [], name
        for page in (self.walk.screen, *self.walk.phones):
            assert bare_numbers(page, CLASS, self.met) == [], name
        self.counted.room = self.walk.room
        pages = [("teacher", self.walk.teacher), ("screen", self.walk.screen)]
        for sort, page in [*pages, *(("phone", phone) for phone in self.walk.phones)]:
            self.told[sort] |= self.counted.check(page, (self.lesson, name, sort))
        self._look_at_the_desk(name)
        self._look_at_marks(name)

    def _look_at_marks(self, name: str) -> None:
        """What the text of a step speaks of is in the picture and in view: at three sizes, at the step's instant."""
        number, _, rest = name.partition("-")
        if rest not in ("show", "text", "question-open", "question-over"):
            return
        step = ready_lessons()[self.lesson].steps[int(number) - 1]
        is_point = step.question is not None and step.question["kind"] == "point"
        wanted = list(step.spoken or ())
        if rest == "question-over":
            wanted = ["machine"] if is_point else []
        # Phones tell a machine in words, the projector outlines it.
        phones = [(phone, [PHONE]) for phone in self.walk.phones if rest != "question-over"]
        for page, sizes in [(self.walk.screen, SIZES[:2]), *phones]:
            was = page.viewport_size
            for size in sizes if wanted else ():
                page.set_viewport_size(size)
                # Marks come with the run's picture, and the run may still be computed.
                expect(page.locator("[data-picture]")).to_have_attribute("data-marks", _ANY, timeout=COMPUTED_MS)
                page.wait_for_function(_STILL)
                told = page.evaluate(_TOLD)
                where = (self.lesson, name, size["width"])
                names = [mark["name"] for mark in told["marks"]]
                assert [one.split(":")[0] if rest == "question-over" else one for one in names] == wanted
                for mark in told["marks"]:
                    assert mark["boxes"], (*where, mark["name"], "is not there")
                    seen = [box for box in mark["boxes"] if inside(box, told)]
                    assert seen, (*where, mark["name"], "is out of view", mark["boxes"][:2])
                    free = [box for box in seen if not any(under(box, text) for text in told["texts"])]
                    assert free, (*where, mark["name"], "is under a text")
                instant = step.show.at_s if step.show is not None else (step.question or {}).get("after_s")
                if instant is not None and rest != "question-over":
                    assert abs(clock_seconds(page, "[data-clock]") - instant) < 1, where
            if was is not None:
                page.set_viewport_size(was)

    def _look_at_the_screen(self, name: str) -> None:
        """The projector shows few machines with their legend; beside an open question, to play and to step, too."""
        screen = self.walk.screen
        if name == "code" or not screen.locator("[data-picture]").is_visible():
            return
        screen.wait_for_function(
            "most => { const shown = Number(document.querySelector('[data-picture]').dataset.machines);"
            "return shown > 0 && shown <= most; }",
            arg=_FEW,
        )
        if not name.endswith("question-open"):
            return
        expect(screen.locator("[data-legend] .legend-item:visible").first).to_be_visible()
        if screen.locator("[data-picture].is-led").count():
            return  # the machine is asked for: playing would show it
        expect(screen.locator("[data-ask] :is(.screen-options li, .result-picture)").first).to_be_visible()
        clock = screen.locator("[data-clock]")
        screen.locator("[data-play=toggle]").click()
        before = str(clock.get_attribute("data-at"))
        screen.locator("[data-play=forward]").click()
        expect(clock).not_to_have_attribute("data-at", before)
        screen.locator("[data-play=toggle]").click()

    def look_at_doubts(self) -> None:
        """The runs of each question tell its answers apart; the teacher is told where they do not."""
        told = self.walk.teacher.request.get(f"/api/v1/classes/{self.walk.room}").json()["teacher"]["questions"]
        for question in told:
            assert (question["spread"], question["flat"]) == (None, False), question["text"]
            assert len(question["tied"]) == TIED.get((self.lesson, question["number"]), 0), question["text"]

    def _look_at_the_desk(self, name: str) -> None:
        """Hold the teacher's page against what it stands for: who is there, what they answered, what a lesson takes."""
        desk, students = self.walk.teacher, len(self.walk.phones)
        assert bare_numbers(desk, DESK, self.met_at_desk) == [], name
        if name == "code":
            return
        people = re.findall(r"\d+", desk.evaluate(DESK_SAYS, "class:people")[0])
        assert [int(each) for each in people] == [students, students], name
        lesson = ready_lessons()[self.lesson]
        (title,) = desk.evaluate(DESK_SAYS, "lesson:minutes")
        assert title == f"{lesson.title} · {lesson.minutes:g} min"
        notes = desk.evaluate(DESK_SAYS, "lesson:notes")
        assert [each.split(" min")[0] for each in notes] == [f"{step.minutes:g}" for step in lesson.steps]
        if name.endswith("-over"):
            here = desk.locator('[aria-current=step] [data-says="class:answered"]')
            expect(here).to_contain_text(f"{students} answers")


@pytest.mark.parametrize("name", sorted(ready_lessons()))
def test_a_lesson_is_taught_to_its_end(
    chromium: Browser, live_playground: str, complaints: Complaints, tmp_path: Path, name: str
) -> None:
    walk = pages(chromium, live_playground)
    for page in (walk.teacher, walk.screen, *walk.phones):
        complaints.watch(page)
    numbers = Numbers(walk, name, tmp_path)
    walk.seen = numbers.look
    lesson = walk.begin(name)
    walk.all_steps(lesson)
    numbers.look_at_doubts()
    of_all = {"lesson:text", "lesson:question", "answers:0", "option:0"}
    assert of_all | {"class:people", "class:answered", "track:now"} <= numbers.told["screen"]
    assert of_all | {"own:score"} <= numbers.told["phone"]
    assert {"lesson:text", "lesson:told", "class:answered", "student:score"} <= numbers.told["teacher"]
    asked = sum(step["kind"] == "question" for step in lesson["steps"])
    assert sum(walk.played.values()) == asked
    for page in (walk.teacher, *walk.phones):
        page.context.close()


def test_every_place_for_numbers_without_a_name_is_used_by_a_lesson() -> None:
    for allowed, found in ((CLASS, MET), (DESK, MET_AT_DESK)):
        if found.keys() == ready_lessons().keys():
            met = {place for places in found.values() for place in places}
            assert set(allowed) - met == set(), "take it off the list"
