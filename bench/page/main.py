"""What the engine costs in a page, in each browser of this machine: `python -m bench.page`, tables on standard output.

    python -m bench.page                                 all of it: 20,000 tasks on 1,000 machines
    python -m bench.page --tasks 400 --steps 4 --visits 1 --only Firefox

Each table is Markdown, for docs/development/performance.md. The machine should do nothing else.
"""

from __future__ import annotations

import argparse
import http.server
import json
import mimetypes
import os
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from bench.live.pages import _NOTE_MOVING
from bench.live.server import Server, serving
from bench.live.sliders import _DELAYS_HERE, _NOTE_HERE, _PARAMETER, _p95
from bench.machine import machine
from bench.page.browsers import Browser, names, opened
from scheduler_core import Experiment
from scheduler_core.engine.wasm import packed
from scheduler_core.run.start_file import StartFile, start_file

_ROOT = Path(__file__).resolve().parents[2]
_SCHEDULERS = {"sparrow": 16, "megha": 50}
"""Schedulers, and the milliseconds that are wanted from a slider to its picture."""
_START_KB = 300
_STEP_S, _PLAY_MS = 0.11, 4_000
_STEPS_OF_LOADING = ("fetched", "compile", "unpack", "place", "run")
_SPIN = """() => {
  const begun = performance.now();
  let sum = 0;
  for (let at = 0; at < 3e7; at++) sum = (sum * 31 + at) | 0;
  return performance.now() - begun + (sum === 0.5 ? 1 : 0);
}"""
_LOAD = """(start, module, spin) => new Promise((resolve, reject) => {
  const thread = new Worker("/bench/engine.js", { type: "module" });
  thread.onmessage = ({ data }) => { thread.terminate(); resolve(data); };
  thread.onerror = (event) => reject(new Error(event.message));
  thread.postMessage({ start, module, spin });
})"""
_FRAMES = """(ms) => new Promise((resolve) => {
  const [times, begun] = [[], performance.now()];
  let last = begun;
  const step = (now) => {
    times.push(now - last);
    last = now;
    if (now - begun < Number(ms)) requestAnimationFrame(step);
    else resolve(times.slice(1));
  };
  requestAnimationFrame(step);
})"""
_FETCHED = """(part) => new Promise((resolve) => {
  const look = () => {
    if (performance.getEntriesByType("resource").some((each) => each.name.includes(part))) resolve(true);
    else setTimeout(look, 50);
  };
  look();
})"""
_FIRST_PICTURE = """() => new Promise((resolve) => {
  const look = () => (window.firstPicture ? resolve(window.firstPicture) : setTimeout(look, 20));
  look();
})"""
_POST = """async (path, body) => {
  const headers = { "Content-Type": "application/json" };
  return (await fetch(path, { method: "POST", headers, body })).json();
}"""


def main() -> int:
    """Measure and print; 1 if a page's digest is not the library's."""
    args = _arguments()
    facts = machine()
    load = os.getloadavg()[0]
    print(f"{facts['processor']}, {facts['cores']} cores, load {load:.1f} at the start; {args.tasks:,} tasks\n")
    starts = {name: start_file(Experiment.parse(_experiment(name, args))) for name in _SCHEDULERS}
    _tell_sizes(starts, args)
    chosen = [name for name in names() if args.only in (None, name)]
    same = _tell_loading(starts, chosen, args)
    # Exported pages and the studio take built scripts.
    subprocess.run([sys.executable, "manage.py", "bundle"], cwd=_ROOT, check=True, stdout=subprocess.DEVNULL)
    with serving(workers=True) as server:
        _tell_pages(server, chosen, args)
        _tell_sliders(server, chosen, args)
    return 0 if same else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.page", description="Measure the engine in pages.")
    parser.add_argument("--tasks", type=int, default=20_000)
    parser.add_argument("--machines", type=int, default=1_000, help="a multiple of ten")
    parser.add_argument("--steps", type=int, default=60, help="movements of a slider")
    parser.add_argument("--visits", type=int, default=5, help="times that a page is opened")
    parser.add_argument("--only", metavar="BROWSER", choices=names(), help="one browser")
    return parser.parse_args()


def _experiment(scheduler: str, args: argparse.Namespace) -> dict[str, Any]:
    count = args.machines // 10
    return {
        "schema_version": 1,
        "topology": {"global_masters": 4, "clusters": [{"name": "lm", "repeat": 10, "machines": [{"count": count}]}]},
        "workload": {
            "kind": "synthetic",
            "tasks": args.tasks,
            "arrivals": {"kind": "poisson", "offered_load": 0.9},
            "tasks_per_job": {"kind": "constant", "value": 20},
            "duration_s": {"kind": "exponential", "mean": 5},
        },
        "scheduler": {"name": scheduler},
    }


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> None:
    heads = list(head)
    print(f"| {' | '.join(heads)} |\n{'|---' * len(heads)}|")
    for row in rows:
        print(f"| {' | '.join(row)} |", flush=True)
    print()


def _p50(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]


def _verdict(value: float, wanted: float) -> str:
    return f"{wanted:g}, {'met' if value <= wanted else '**missed**'}"


# -- sizes


def _tell_sizes(starts: dict[str, StartFile], args: argparse.Namespace) -> None:
    modules = packed.manifest().values()
    rows = [
        (each.kernel.removesuffix(".py:advance"), f"{each.packed / 1e3:.1f}", f"{each.size / 1e3:.1f}")
        for each in modules
    ]
    _table(("module", "compressed, KB", "plain, KB"), rows)
    found = []
    for name, start in starts.items():
        touchable = start_file(Experiment.parse(_experiment(name, args)), touchable=True)
        for what, each in (("", start), (", touchable", touchable)):
            size = len(each.content) / 1e3
            found.append((f"{name}{what}", f"{size:.0f}", _verdict(size, _START_KB)))
    _table(("packed start", "KB", "wanted"), found)


# -- loading


def _tell_loading(starts: dict[str, StartFile], browsers: list[str], args: argparse.Namespace) -> bool:
    """Print what loading takes, step by step (medians); return whether all digests were the library's."""
    rows, spins, same = [], [], True
    with _files(starts) as address:
        for browser in browsers:
            with opened(browser) as page:
                page.open(f"{address}/bench/engine.html")
                alone = float(page.call(_SPIN))
                for name in starts:
                    visits = [page.call(_LOAD, f"/{name}.start", f"/{name}.wasm", _SPIN) for _ in range(args.visits)]
                    same = same and all(each["same"] for each in visits)
                    middle = [_p50([each[step] for each in visits]) for step in _STEPS_OF_LOADING]
                    rows.append((browser, name, *(f"{each:.1f}" for each in middle), f"{sum(middle[:4]):.0f}"))
                    spins.append((browser, name, f"{alone:.0f}", f"{_p50([each['spin'] for each in visits]):.0f}"))
    _table(("browser", "scheduler", "fetch", "compile", "unpack", "instantiate", "whole run", "first four, ms"), rows)
    print("The same loop of JavaScript in the page and in its thread: tells whether a thread is slowed, too.\n")
    _table(("browser", "scheduler", "page, ms", "thread, ms"), spins)
    return same


@contextmanager
def _files(starts: dict[str, StartFile]) -> Iterator[str]:
    """Serve the scripts, starts and modules on a free port."""
    modules = {built.file: built for built in packed.manifest().values()}
    made = {f"/{name}.start": start.content for name, start in starts.items()}
    made |= {f"/{name}.wasm": packed.module_bytes(modules[start.module]) for name, start in starts.items()}
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, made))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


class _Handler(http.server.BaseHTTPRequestHandler):
    def __init__(self, made: dict[str, bytes], *given: Any) -> None:
        self._made = made
        super().__init__(*given)

    def do_GET(self) -> None:
        folder = {"bench": _ROOT / "bench" / "page", "static": _ROOT / "static"}.get(self.path.split("/")[1])
        file = folder.joinpath(*self.path.split("/")[2:]) if folder else None
        content = self._made.get(self.path) or (file.read_bytes() if file and file.is_file() else None)
        self.send_response(404 if content is None else 200)
        self.send_header("Content-Type", mimetypes.guess_type(self.path)[0] or "application/octet-stream")
        self.send_header("Content-Length", str(len(content or b"")))
        self.end_headers()
        self.wfile.write(content or b"")

    def log_message(self, *given: Any) -> None:
        """Print nothing."""


# -- exported pages


def _tell_pages(server: Server, browsers: list[str], args: argparse.Namespace) -> None:
    """Print when an exported page has its first picture, when it has simulated the run, and how it plays."""
    rows = []
    with tempfile.TemporaryDirectory(prefix="bench-page-") as folder:
        for name in _SCHEDULERS:
            run = server.new_run(_experiment(name, args))
            server.wait_for(run["id"])
            file = Path(folder) / f"{name}.html"
            with urllib.request.urlopen(f"{server.url}/api/v1/runs/{run['id']}/page.html", timeout=300) as answer:
                file.write_bytes(answer.read())
            for browser in browsers:
                rows.append((browser, name, *_page_figures(browser, file, args.visits)))
    _table(
        ("browser", "scheduler", "first picture, ms", "simulated, ms", "frames p50, ms", "frames p95, ms", "file, MB"),
        rows,
    )


def _page_figures(browser: str, file: Path, visits: int) -> tuple[str, ...]:
    first, simulated, frames = [], [], []
    with opened(browser) as page:
        page.preload(_NOTE_MOVING)
        for _ in range(visits):
            page.open(file.as_uri())
            first.append(float(page.call(_FIRST_PICTURE)))
            page.wait_for("[data-here=same]")
            simulated.append(float(page.call("() => performance.now()")))
            frames += [float(each) for each in page.call(_FRAMES, str(_PLAY_MS))]
    size = file.stat().st_size / 1e6
    shown = (_p50(first), _p50(simulated))
    return (*(f"{each:.0f}" for each in shown), f"{_p50(frames):.1f}", f"{_p95(sorted(frames)):.1f}", f"{size:.1f}")


# -- sliders in the studio


def _tell_sliders(server: Server, browsers: list[str], args: argparse.Namespace) -> None:
    rows = []
    for browser in browsers:
        for name, wanted in _SCHEDULERS.items():
            with opened(browser) as page:
                took = _slid(server, page, name, args)
            p95 = _p95(took)
            rows.append((browser, name, f"{_p50(took):.0f}", f"{p95:.0f}", f"{took[-1]:.0f}", _verdict(p95, wanted)))
    _table(("browser", "scheduler", "slider to picture p50, ms", "p95, ms", "most, ms", "wanted (p95)"), rows)


def _slid(server: Server, page: Browser, name: str, args: argparse.Namespace) -> list[float]:
    """Move a slider that acts in the page, while the viewer stands within the run; ascending milliseconds."""
    page.preload(_NOTE_HERE)
    page.open(f"{server.url}/")
    made = page.call(_POST, "/api/v1/experiments", json.dumps(_experiment(name, args)))
    page.open(f"{server.url}/studio/{made['id']}")
    page.wait_for("body.has-picture [data-turn-on]:not([disabled])")
    page.click("[data-turn-on]")
    page.call(_FETCHED, "/engine/")
    page.call("() => { for (const fold of document.querySelectorAll('details.more')) fold.open = true; }")
    page.call("() => document.activeElement.blur()")
    page.press("Home")
    for _ in range(10):
        page.press("Shift", "ArrowRight")
    slider = f".knob[data-path='scheduler.params.{_PARAMETER[name]}'] input[type=range]"
    page.wait_for(f"{slider}:enabled")
    page.call("(selector) => document.querySelector(selector).focus()", slider)
    page.press("ArrowRight")
    page.wait_for("[data-touch-state=done]")
    since = page.call("() => [performance.now(), Number(document.body.dataset.pictureHere)]")
    for step in range(args.steps):
        page.press("ArrowRight" if step % 8 < 4 else "ArrowLeft")
        time.sleep(_STEP_S)
    time.sleep(1)
    found = page.call(f"(since) => ({_DELAYS_HERE})(JSON.parse(since))", json.dumps(since))
    if None in found:
        raise RuntimeError(f"{found.count(None)} of {len(found)} movements have no picture")
    return sorted(float(each) for each in found)
