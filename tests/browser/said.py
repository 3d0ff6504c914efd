"""Each number that names what it counts (`data-says`), counted again: the one place for all tests of views.

A sort is the name, or its part before the colon. A sort that is in none of the tables fails: whoever adds one says here
what it has to equal, or in `NOT_COUNTED` why nothing can tell.
"""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from tests.says.classes import CLASSES
from tests.says.graphs import GRAPHS
from tests.says.runs import RUNS, boxes
from tests.says.source import Check, OfClass, OfRun, Said
from tests.says.texts import TEXTS

#: Reads what a page says: in an element of its own, seen, not empty.
LOOK = """() => {
  const playing = document.querySelector('[data-play=toggle][data-shape=pause]');
  const about = {rests: Boolean(document.querySelector('[data-rests]')), stands: !playing,
    near: Boolean(document.querySelector('.tasks-drawn')), desk: document.body.matches('.class-desk')};
  return [...document.querySelectorAll('[data-says]')]
    .filter(each => each.checkVisibility({visibilityProperty: true}) && !each.hidden && each.textContent.trim())
    .map(each => ({...about, says: each.dataset.says, text: each.textContent, squares: each.dataset.squares,
      room: each.dataset.room, at: each.closest('[data-at]')?.dataset.at ?? null,
      of: each.closest('[data-question]')?.dataset.question || null, right: Boolean(each.closest('[data-right]')),
      student: each.closest('[data-student]')?.dataset.student, fork: each.closest('[data-fork]')?.dataset.fork,
      bar: each.closest('.bar')?.querySelector('.bar-fill')?.style.inlineSize ?? '',
      value: each.parentElement.querySelector('[data-number]')?.value ?? ''}));
}"""

#: Numbers that no recording holds, and what holds them instead.
NOT_COUNTED = {
    "preview-percentile": "an estimate while a control moves: no recording keeps a preview; tests/js/foretold.test.mjs",
    "preview-before": "the estimate at the control's first value; tests/js/foretold.test.mjs",
    "picture:gantt": "shares given away, as sums over the chart's spans of time; tests/js/job_graphs.test.mjs",
    "picture:given": "which jobs give and take, from what their tasks could hold; tests/js/job_graphs.test.mjs",
    "part:task": "the selected task, in the words of its placement; tests/js/job_graphs.test.mjs",
    "part:stage": "the selected stage, as above",
    "part:job": "the selected job, as above",
    "starts:jobs": "rows that the API gives; tests/web/test_recorded_starts.py and tests/js/recorded_starts.test.mjs",
    "preview-hist": "the histogram of a preview; tests/js/foretold.test.mjs",
}
CHECKS: dict[str, Check] = {**RUNS, **GRAPHS, **TEXTS, **CLASSES}


def sort_of(says: str) -> str:
    """The entry of the tables that speaks of a name."""
    return next((name for name in (says, says.partition(":")[0]) if name in CHECKS or name in NOT_COUNTED), "")


def wrongs(said: list[Said], source: OfRun | OfClass) -> list[tuple[str, str]]:
    """What is wrong with the numbers of a page: for each its name, and why."""
    found = []
    for one in said:
        sort = sort_of(one["says"])
        if not sort:
            found.append((one["says"], "no check knows this sort: tests/browser/said.py"))
        elif isinstance(source, OfClass) and sort in RUNS | GRAPHS:
            found += wrongs([one], source.run) if source.run else [(one["says"], "there is no run")]
        elif sort in CHECKS and (why := CHECKS[sort](one, one["says"].partition(":")[2], source)):
            found.append((one["says"], why))
    if isinstance(source, OfRun) and not source.slow and (why := boxes(said, source)):
        found.append(("queue", why))
    return found


def said_on(page: Page) -> list[Said]:
    """What a page says now."""
    return list(page.evaluate(LOOK))


def said_of_frame(page: Page) -> tuple[int, list[Said]]:
    """What a page says now, and the number of the frame that it draws meanwhile: one look, between two frames."""
    frame, said = page.evaluate(
        f"() => [Number(document.querySelector('[data-map]')?.dataset.frame ?? -1), ({LOOK})()]"
    )
    return int(frame), list(said)


def check(page: Page, source: OfRun | OfClass, where: tuple[Any, ...]) -> set[str]:
    """Hold what a page says now against its source; return the names of what it says."""
    said = said_on(page)
    assert wrongs(said, source) == [], where
    return {one["says"] for one in said}
