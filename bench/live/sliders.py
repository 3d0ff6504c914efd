"""Rows about live previews in the page: from a movement or a key until its picture is on the way to the screen."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

from bench.browser import SIZE, browsing
from bench.live.server import Server, serving
from bench.measured import Measured

_STEPS, _STEP_MS, _KEY_MS, _LOADING_MS, _AGAIN_MS = 60, 110, 300, 180_000, 3_000
_PARAMETER = {"megha": "heartbeat_s", "eagle": "probe_ratio", "sparrow": "probe_ratio"}
# When inputs came; which was the newest when a question was asked, by the question's number; when pictures were drawn.
_NOTE = """(inputs) => {
  const noted = (window.noted = { inputs: [], asked: new Map(), drawn: [] });
  for (const kind of ["input", "keydown"]) {
    // A text field tells of a key twice: the key, and its input.
    const note = ({ target, timeStamp }) => {
      if (target.matches?.(inputs) && (kind === "keydown" || target.type === "range")) noted.inputs.push(timeStamp);
    };
    document.addEventListener(kind, note, true);
  }
  const fetching = window.fetch;
  window.fetch = async (url, ...rest) => {
    const ours = String(url).endsWith("/previews");
    const at = noted.inputs.at(-1);
    const answer = await fetching(url, ...rest);
    if (ours && answer.ok) noted.asked.set((await answer.clone().json()).preview, at);
    return answer;
  };
  document.addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
    noted.drawn.push([Number(document.body.dataset.preview), performance.now()]);
  }).observe(document.body, { attributes: true, attributeFilter: ["data-preview"] }));
}"""
# Of each input since a time, how long until the first picture of its value or a newer one; null where none came.
_DELAYS = """since => noted.inputs.filter((at) => at > since).map((at) => {
  const found = noted.drawn.find(([number, drawn]) => drawn > at && noted.asked.get(number) >= at);
  return found ? found[1] - at : null;
})"""


def slider_to_picture(scheduler: str) -> Callable[[int], Measured]:
    """Milliseconds from a movement of a slider to its picture, 20,000 tasks on 1,000 machines: 95 of 100 take less."""
    return lambda repeats: _delayed(repeats, lambda server, browser: _moved(server, browser, scheduler), _STEP_MS)


def _delayed(repeats: int, moved: Callable[[Server, Any], list[float]], step_ms: int) -> Measured:
    """Return the 95th percentile of each repeat's milliseconds, which `moved` gives in ascending order."""
    with serving(workers=True) as server, browsing() as browser:
        delays = [moved(server, browser) for _ in range(min(repeats, 3))]
    worst = max(delays, key=_p95)
    note = (
        f"p50 {worst[len(worst) // 2]:.0f} ms, most {worst[-1]:.0f} ms, {len(worst)} inputs, "
        f"one each {step_ms} ms; load average {os.getloadavg()[0]:.1f}"
    )
    return Measured(tuple(_p95(one) for one in delays), note)


def _p95(ascending: list[float]) -> float:
    return ascending[int(0.95 * (len(ascending) - 1))]


def key_to_picture(repeats: int) -> Measured:
    """Milliseconds from a key in the policy editor to its picture, at the same size: 95 of 100 take less."""
    return _delayed(repeats, _typed, _KEY_MS)


def _experiment(scheduler: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
    return {
        "schema_version": 1,
        "topology": {"global_masters": 4, "clusters": [{"name": "lm", "repeat": 10, "machines": [{"count": 100}]}]},
        "workload": {
            "kind": "synthetic",
            "tasks": 20_000,
            "arrivals": {"kind": "poisson", "offered_load": 0.9},
            "tasks_per_job": {"kind": "constant", "value": 20},
            "duration_s": {"kind": "exponential", "mean": 5},
        },
        "scheduler": {"name": scheduler, "params": params or {}},
    }


def _moved(server: Server, browser: Any, scheduler: str) -> list[float]:
    """Move the scheduler's slider by keys at an even pace; ascending milliseconds from each input to its picture."""
    page = _opened(server, browser, _experiment(scheduler), "input[type=range]")
    page.evaluate("() => { for (const fold of document.querySelectorAll('details.more')) fold.open = true; }")
    slider = page.locator(f".knob[data-path='scheduler.params.{_PARAMETER[scheduler]}'] input[type=range]:enabled")
    slider.focus(timeout=5_000)
    _first_picture(page, ("ArrowRight",))
    since = page.evaluate("() => performance.now()")
    for step in range(_STEPS):
        page.keyboard.press("ArrowRight" if step % 20 < 10 else "ArrowLeft")
        page.wait_for_timeout(_STEP_MS)
    return _ended(page, since)


def _typed(server: Server, browser: Any) -> list[float]:
    """Type and delete a digit of a policy at an even pace; ascending milliseconds from each key to its picture."""
    params = {"policy": "score: machine.free_cpus - 2 * machine.tasks * 1"}
    page = _opened(server, browser, _experiment("own", params), "[data-policy-editor]")
    page.locator("[data-policy-editor] .cm-content").click(timeout=_LOADING_MS)
    page.keyboard.press("Control+End")
    _first_picture(page, ("5", "Backspace"))
    since = page.evaluate("() => performance.now()")
    for step in range(_STEPS):
        page.keyboard.press("Backspace" if step % 2 else "5")
        page.wait_for_timeout(_KEY_MS)
    return _ended(page, since)


def _opened(server: Server, browser: Any, experiment: dict[str, Any], inputs: str) -> Any:
    """Open an experiment in the studio; the page notes when something came from the elements of a selector."""
    page = browser.new_page(viewport=SIZE)
    page.add_init_script(f"({_NOTE})({json.dumps(inputs)})")
    # The browser's own: a page shows the experiments of others with all its sliders off.
    made = page.request.post(f"{server.url}/api/v1/experiments", data=experiment).json()
    page.goto(f"{server.url}/studio/{made['id']}")
    page.locator("[data-state]", has_text="Computed").wait_for(timeout=_LOADING_MS)
    return page


def _ended(page: Any, since: float) -> list[float]:
    page.wait_for_timeout(1_000)
    found = page.evaluate(_DELAYS, since)
    page.close()
    if None in found:
        raise RuntimeError(f"{found.count(None)} of {len(found)} inputs have no picture")
    return sorted(float(each) for each in found)


def _first_picture(page: Any, keys: tuple[str, ...]) -> None:
    """Press keys until a preview is drawn: while its worker loads the kernel, the full run may be faster."""
    for number in range(_LOADING_MS // _AGAIN_MS):
        page.keyboard.press(keys[number % len(keys)])
        page.wait_for_timeout(_AGAIN_MS)
        if page.evaluate("() => document.body.dataset.preview !== undefined"):
            return
    raise RuntimeError("no preview is drawn")


def slider_in_the_page(scheduler: str) -> Callable[[int], Measured]:
    """Milliseconds from a movement of a slider to the picture that the page simulates, without the server: p95.

    20,000 tasks on 1,000 machines. The viewer stands within the run. A movement that is overtaken counts until the
    picture of the one that overtook it.
    """
    return lambda repeats: _delayed(repeats, lambda server, browser: _moved_here(server, browser, scheduler), _STEP_MS)


# When inputs came, and when the picture of a change was drawn, by the change's number.
_NOTE_HERE = """() => {
  const noted = (window.noted = { inputs: [], drawn: [] });
  const note = ({ target, timeStamp }) => { if (target.type === "range") noted.inputs.push(timeStamp); };
  document.addEventListener("keydown", note, true);
  document.addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
    noted.drawn.push([Number(document.body.dataset.pictureHere), performance.now()]);
  }).observe(document.body, { attributes: true, attributeFilter: ["data-picture-here"] }));
}"""
# Each input is one change: how long until its picture or a newer one; null where none came.
_DELAYS_HERE = """([since, last]) => noted.inputs.filter((at) => at > since).map((at, place) => {
  const found = noted.drawn.find(([change]) => change > last + place);
  return found ? found[1] - at : null;
})"""


def _moved_here(server: Server, browser: Any, scheduler: str) -> list[float]:
    """Let settings act in the page and move the scheduler's slider; ascending milliseconds to each input's picture."""
    page = browser.new_page(viewport=SIZE)
    page.add_init_script(f"({_NOTE_HERE})()")
    made = page.request.post(f"{server.url}/api/v1/experiments", data=_experiment(scheduler)).json()
    page.goto(f"{server.url}/studio/{made['id']}")
    page.locator("[data-state]", has_text="Computed").wait_for(timeout=_LOADING_MS)
    with page.expect_response(lambda answer: "/engine/" in answer.url, timeout=_LOADING_MS):
        page.locator("[data-turn-on]").click()
    page.evaluate("() => { for (const fold of document.querySelectorAll('details.more')) fold.open = true; }")
    page.evaluate("() => document.activeElement.blur()")
    page.keyboard.press("Home")
    for _ in range(10):
        page.keyboard.press("Shift+ArrowRight")
    slider = page.locator(f".knob[data-path='scheduler.params.{_PARAMETER[scheduler]}'] input[type=range]:enabled")
    slider.focus(timeout=5_000)
    page.keyboard.press("ArrowRight")
    page.locator("[data-touch-state=done]").wait_for(timeout=_LOADING_MS)
    since = page.evaluate("() => [performance.now(), Number(document.body.dataset.pictureHere)]")
    for step in range(_STEPS):
        page.keyboard.press("ArrowRight" if step % 8 < 4 else "ArrowLeft")
        page.wait_for_timeout(_STEP_MS)
    page.wait_for_timeout(1_000)
    found = page.evaluate(_DELAYS_HERE, since)
    page.close()
    if None in found:
        raise RuntimeError(f"{found.count(None)} of {len(found)} movements have no picture")
    return sorted(float(each) for each in found)
