"""Rows about pages in headless Chromium: a frame on its way to the screen, the landing page's first movement."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from bench.browser import SIZE, browsing
from bench.live.audience import busy_frames
from bench.live.server import Server, serving
from bench.measured import Measured
from scheduler_core import Frame

Measure = Callable[[int], Measured]


_DATACENTER = {
    "schema_version": 1,
    "topology": {"global_masters": 4, "clusters": [{"name": "lm", "repeat": 25, "machines": [{"count": 2_000}]}]},
    "workload": {"kind": "inline", "jobs": [{"arrival_s": 0, "durations_s": [1]}]},
    "scheduler": {"name": "megha"},
}
# Notes when the picture of a frame was made up for drawing, and then that the browser came round to the next picture:
# what was drawn is on its way to the screen by then.
_NOTE_DRAWN = """async () => {
  const { FrameStore } = await import("/static/js/run/frames.js");
  const drawn = (window.drawn = new Map());
  const pictureAt = FrameStore.prototype.pictureAt;
  FrameStore.prototype.pictureAt = function (index) {
    const picture = pictureAt.call(this, index);
    const { seq } = picture;
    if (!drawn.has(seq)) {
      drawn.set(seq, 0);
      requestAnimationFrame(() => drawn.set(seq, performance.timeOrigin + performance.now()));
    }
    return picture;
  };
}"""
# Notes the first time that a canvas shows something, and the first time that it shows something else after that.
_NOTE_MOVING = """() => {
  const look = document.createElement("canvas");
  look.width = look.height = 48;
  const pen = look.getContext("2d", { willReadFrequently: true });
  let before = null;
  const watch = () => {
    const canvas = [...document.querySelectorAll("canvas")].sort((a, b) => b.width * b.height - a.width * a.height)[0];
    if (canvas && canvas.width) {
      pen.clearRect(0, 0, 48, 48);
      pen.drawImage(canvas, 0, 0, 48, 48);
      const data = pen.getImageData(0, 0, 48, 48).data;
      let hash = 7;
      let inked = false;
      for (let i = 0; i < data.length; i += 1) { hash = (hash * 31 + data[i]) | 0; inked ||= data[i] > 0; }
      if (inked && before === null) { before = hash; window.firstPicture = performance.now(); }
      if (inked && before !== hash) { window.firstMoving = performance.now(); return; }
    }
    requestAnimationFrame(watch);
  };
  requestAnimationFrame(watch);
}"""


def frame_to_screen(rate: float = 10.0, seconds: float = 20.0) -> Measure:
    """Milliseconds from publishing a frame of 50,000 machines until a page has drawn it: 95 of 100 take less."""

    def measure(repeats: int) -> Measured:
        frames, churn = busy_frames(int(rate * (seconds + 5)))
        with serving() as server, browsing() as browser:
            delays = [_drawn(server, browser, frames, rate) for _ in range(min(repeats, 3))]
        worst = max(delays, key=lambda one: one[int(len(one) * 0.95)])
        note = (
            f"50,000 machines, {churn:.1%} change, {rate:g} frames/s; p50 {worst[len(worst) // 2]:.0f} ms, "
            f"most {worst[-1]:.0f} ms, {len(worst)} frames"
        )
        return Measured(tuple(one[int(len(one) * 0.95)] for one in delays), note)

    return measure


def _drawn(server: Server, browser: Any, frames: list[Frame], rate: float) -> list[float]:
    """Publish the frames at their rate with a page looking on; ascending milliseconds until each was drawn."""
    run = server.new_run(_DATACENTER)
    page = browser.new_page(viewport=SIZE)
    # Faster than the frames come: playback stands at the newest one.
    page.goto(f"{run['live_url']}&speed=1000000")
    page.evaluate(_NOTE_DRAWN)
    published: dict[int, float] = {}

    def publish() -> None:
        begun = time.monotonic()
        for number, frame in enumerate(frames):
            time.sleep(max(0.0, begun + number / rate - time.monotonic()))
            data = replace(frame, t_ns=(number + 1) * 10**9).encode()
            published[frame.seq] = time.time() * 1e3
            server.publish(run["id"], frame.seq, data, key=frame.key)

    worker = threading.Thread(target=publish)
    worker.start()
    while worker.is_alive():
        page.wait_for_timeout(500)
    page.wait_for_function("last => window.drawn.get(last) > 0", arg=frames[-1].seq, timeout=30_000)
    drawn = {int(seq): at for seq, at in page.evaluate("() => [...window.drawn]") if at}
    page.close()
    warm = int(rate * 5)
    # A frame that was never drawn by itself was drawn with the next one.
    order = sorted(drawn)
    times = [drawn[next(seq for seq in order if seq >= frame.seq)] - published[frame.seq] for frame in frames[warm:]]
    return sorted(times)


def landing() -> Measure:
    """Seconds from asking for the landing page until its picture has changed; the server is warm, the browser not."""

    def measure(repeats: int) -> Measured:
        with serving() as server, browsing() as browser:
            _first_moving(server, browser)
            found = [_first_moving(server, browser) for _ in range(repeats)]
        first = sorted(each[0] for each in found)[len(found) // 2]
        return Measured(tuple(each[1] / 1e3 for each in found), f"first picture after {first / 1e3:.2f} s; empty cache")

    return measure


def _first_moving(server: Server, browser: Any) -> tuple[float, float]:
    context = browser.new_context(viewport=SIZE)
    page = context.new_page()
    page.add_init_script(f"({_NOTE_MOVING})()")
    page.goto(server.url + "/", wait_until="commit")
    page.wait_for_function("() => window.firstMoving", timeout=30_000)
    first, moving = page.evaluate("() => [window.firstPicture, window.firstMoving]")
    context.close()
    return float(first), float(moving)
