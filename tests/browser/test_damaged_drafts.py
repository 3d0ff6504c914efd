"""What somebody types into the JSON on the way to an experiment does not break the page, whatever is drawn from it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Complaints
from tests.browser.looking import begin_studio

pytestmark = [pytest.mark.browser, pytest.mark.redis, pytest.mark.xdist_group("second playground")]

ODD: tuple[Any, ...] = (5, None, "x", [], {}, [5], [None], -1, 1e12, True)
SECTIONS = (
    ("topology",),
    ("topology", "clusters"),
    ("topology", "clusters", 0),
    ("topology", "clusters", 0, "machines"),
    ("topology", "clusters", 0, "machines", 0),
    ("topology", "clusters", 0, "machines", 0, "count"),
    ("topology", "clusters", 0, "repeat"),
    ("topology", "clusters", 0, "name"),
    ("topology", "global_masters"),
    ("queues",),
    ("constraints",),
    ("workload",),
    ("workload", "arrivals"),
    ("workload", "tasks_per_job"),
    ("workload", "duration_s"),
    ("network",),
    ("scheduler",),
    ("scheduler", "name"),
    ("scheduler", "params"),
    ("events",),
    ("name",),
    ("question",),
    ("seed",),
    ("stop",),
)


# Write a text into the editor and press the button; a frame later everything that an edit draws is drawn.
_APPLY = """async (button, text) => {
  const field = document.querySelector(".json-text");
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  button.click();
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}"""


def damaged(whole: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every section in turn as something else."""
    for path in SECTIONS:
        for odd in ODD:
            copy = json.loads(json.dumps(whole))
            target = copy
            for part in path[:-1]:
                target = target[part]
            target[path[-1]] = odd
            yield f"{path} = {odd!r}", copy


def test_any_json_may_stand_in_the_editor_while_nothing_has_run(page: Page, complaints: Complaints) -> None:
    """The map then shows what the text would be, before a run tells: here none ever does."""
    complaints.expected.append("status of 422")  # the preview under the hand says no to what is no experiment
    held: list[Route] = []
    page.route(re.compile(r"/api/v1/experiments(/[^/]+/runs)?(\?|$)"), lambda route: held.append(route))
    begin_studio(page)
    page.locator("[data-tab=json]").click()
    text, button = page.locator(".json-text"), page.locator("[data-apply]")
    whole = json.loads(text.input_value())
    broke = []
    for name, draft in damaged(whole):
        button.evaluate(_APPLY, json.dumps(draft))
        if complaints.found:
            broke.append(f"{name}: {complaints.found[0]}")
            complaints.found.clear()
    assert broke == []
    text.fill(json.dumps(whole))
    button.click()
    page.locator("[data-tab=knobs]").click()
    expect(page.locator(".panel-datacenter .section-sum")).to_contain_text("machines")
