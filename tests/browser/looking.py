"""What the browser tests look at."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

COMPUTED_MS = 300_000  # a cold kernel is compiled first: up to a minute of a processor that several programs share

# Sum and count of the map's pixels: two pictures that differ give different numbers.
_MAP_PRINT = """() => {
  const canvas = document.querySelector('.map-cells');
  if (!canvas || !canvas.width) return null;
  const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  let hash = 7, inked = 0;
  for (let i = 0; i < data.length; i += 4) {
    if (data[i + 3]) inked += 1;
    hash = (hash * 31 + data[i] * 65536 + data[i + 1] * 256 + data[i + 2]) % 2147483647;
  }
  return [inked, hash];
}"""


# The first machine of the first block, found by its ink.
_FIRST_CELL = """canvas => {
  const pen = canvas.getContext('2d'), box = canvas.getBoundingClientRect();
  for (let y = 0; y < canvas.height; y += 2) for (let x = 0; x < canvas.width; x += 2)
    if (pen.getImageData(x, y, 1, 1).data[3])
      return [box.x + (x + 3) * box.width / canvas.width, box.y + (y + 3) * box.height / canvas.height];
}"""


def first_cell(page: Page) -> tuple[float, float]:
    """Where on the page the first machine of the map is."""
    x, y = page.locator(".map-cells").evaluate(_FIRST_CELL)
    return float(x), float(y)


def map_print(page: Page) -> tuple[int, int] | None:
    """Return (pixels with ink, a hash of all pixels) of the map; None while there is none."""
    found: Any = page.evaluate(_MAP_PRINT)
    return None if found is None else (int(found[0]), int(found[1]))


def wait_for_other_picture(page: Page, before: tuple[int, int] | None) -> tuple[int, int]:
    """Poll until the map shows something else than `before`."""
    page.wait_for_function(
        f"before => {{ const now = ({_MAP_PRINT})(); return now && now[0] > 0 && String(now) !== String(before); }}",
        arg=None if before is None else list(before),
        polling=50,
    )
    found = map_print(page)
    assert found is not None
    return found


def wait_for_picture(page: Page, wanted: tuple[int, int] | None) -> None:
    """Poll until the map shows just this."""
    page.wait_for_function(
        f"wanted => String(({_MAP_PRINT})()) === String(wanted)",
        arg=None if wanted is None else list(wanted),
        polling=50,
    )


def painted(page: Page) -> None:
    """Wait until what has happened so far is on the screen: the pages write and paint once a frame."""
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def wait_for_clock(page: Page, least_s: float) -> None:
    """Poll until the clock of simulated time shows this instant or a later one."""
    page.wait_for_function(
        """least => {
          const [hours, minutes, seconds] = document.querySelector('[data-play=clock]').textContent.split(':');
          return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) >= least;
        }""",
        arg=least_s,
    )


def clock_seconds(page: Page, clock: str = "[data-play=clock]") -> float:
    """Read the clock of simulated time, in a text that may say more."""
    found = re.search(r"(\d+):(\d+):([\d.]+\d)", page.locator(clock).text_content() or "")
    assert found is not None
    hours, minutes, seconds = found.groups()
    return int(hours) * 3600 + int(minutes) * 60 + float(seconds)


def wait_until_computed(page: Page) -> None:
    expect(page.locator("[data-state]")).to_have_text("Computed", timeout=COMPUTED_MS)


def open_small_studio(page: Page, **changes: Any) -> None:
    """Open the studio on an experiment that computes in a moment, and wait until it has."""
    begin_studio(page, **changes)
    wait_until_computed(page)


def begin_studio(page: Page, **changes: Any) -> None:
    """Open the studio on the small experiment with changes, which runs by itself."""
    made = page.request.post("/api/v1/experiments", data=small_experiment(**changes))
    assert made.status == 201, made.text()
    page.goto(f"/studio/{made.json()['id']}")


def small_experiment(**changes: Any) -> dict[str, Any]:
    experiment: dict[str, Any] = {
        "schema_version": 1,
        "name": "A small one",
        "question": "Does the page work?",
        "seed": 5,
        "topology": {"global_masters": 2, "clusters": [{"name": "lm", "repeat": 2, "machines": [{"count": 40}]}]},
        "workload": {
            "kind": "synthetic",
            "tasks": 1500,
            "arrivals": {"kind": "poisson", "offered_load": 0.9},
            "tasks_per_job": {"kind": "constant", "value": 8},
            "duration_s": {"kind": "exponential", "mean": 4},
        },
        "scheduler": {"name": "megha", "params": {"heartbeat_s": 5}},
    }
    return experiment | changes


_LEFT_COLUMN = """(column, words) => {
  for (const text of column.querySelectorAll('.knob-label, .queues-note > span, .section-sum')) text.append(words);
  return column.scrollHeight - column.clientHeight;
}"""


def the_left_column_is_one_screen(page: Page) -> None:
    """Fail if the studio's left column scrolls, now or once its texts are longer."""
    column = page.locator("[data-place=left]")
    for words in ("", " and more words than a line of the column holds"):
        assert column.evaluate(_LEFT_COLUMN, words) <= 0, words


def pause(page: Page) -> None:
    button = page.locator("[data-play=toggle]")
    if button.get_attribute("aria-label") == "Pause":
        button.click()
    expect(button).to_have_attribute("aria-label", re.compile("Play"))


def scrub(page: Page, share: float) -> float:
    """Click the timeline at `share` of its width; return the clock once the page shows that instant."""
    plot = page.locator(".timeline-plot .u-over").bounding_box()
    assert plot is not None
    before = page.locator("[data-play=clock]").text_content() or ""
    page.mouse.click(plot["x"] + plot["width"] * share, plot["y"] + 20)
    expect(page.locator("[data-play=clock]")).not_to_have_text(before)
    painted(page)  # the map, in the frame in which the clock is written
    return clock_seconds(page)


def drop(page: Page, name: str, data: bytes) -> None:
    """Drop a file onto the WORK section."""
    transfer = page.evaluate_handle(
        """([name, bytes]) => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([new Uint8Array(bytes)], name));
          return transfer;
        }""",
        [name, list(data)],
    )
    for kind in ("dragenter", "dragover", "drop"):
        page.dispatch_event(".panel-work", kind, {"dataTransfer": transfer})


def exported(page: Page, entry: str) -> bytes:
    """Choose an entry of the export menu; return the file that comes."""
    page.locator("[data-export]").click()
    with page.expect_download() as download:
        page.locator(f"[data-exports={entry}]").click()
    assert download.value.suggested_filename
    return Path(download.value.path()).read_bytes()
