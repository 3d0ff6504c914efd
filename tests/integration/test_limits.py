"""Limits of a real server with real workers, and what it tells about itself: lines of the log, figures, sockets."""

from __future__ import annotations

import base64
import json
import os
import re
import socket
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.sync.client import connect

from scheduler_core import Experiment, simulate
from tests.support import (
    PATIENCE_S,
    Playground,
    answers,
    endless_experiment,
    small_experiment,
    start_playground,
    wait_until,
)
from tests.support_api import Api, watch

pytestmark = [pytest.mark.redis, pytest.mark.slow, pytest.mark.wide, pytest.mark.xdist_group("limits")]

SMALL = small_experiment()
ENDLESS = endless_experiment()
LONG_TRACE = "".join(f"{second}.0 10 1.0 {'1.0 ' * 10}\n" for second in range(101))


@pytest.fixture(scope="module")
def play(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Playground]:
    """Give a playground behind a proxy that ends https, with narrow limits, lines of JSON and metrics."""
    folder = tmp_path_factory.mktemp("limits")
    fill_the_cache(folder)
    (folder / "var" / "traces").mkdir(parents=True)
    (folder / "var" / "traces" / "long.tr").write_text(LONG_TRACE)
    started = start_playground(
        folder / "var", PLAYGROUND_LIMIT_TASKS="1000", PLAYGROUND_LIMIT_RUNS_AT_ONCE="1",
        PLAYGROUND_LIMIT_RUN_SECONDS="5", PLAYGROUND_LOG_JSON="true", PLAYGROUND_METRICS="true",
        PLAYGROUND_PROXIES="1", PLAYGROUND_TRUSTED_ORIGINS="https://friend.example",
    )  # fmt: skip
    try:
        wait_until(lambda: answers(started.url + "/readyz"), seconds=60, what="the playground is ready")
        yield started
    finally:
        started.stop()


def fill_the_cache(folder: Path) -> None:
    """Compile what the runs need, so that their seconds go to simulating."""
    (folder / "short.tr").write_text("0.0 1 1.0 1.0\n")
    trace = {"kind": "trace", "format": "sparrow", "path": "short.tr"}
    for workload in (SMALL["workload"], trace):
        path = folder / "experiment.json"
        path.write_text(json.dumps({**SMALL, "workload": workload}))
        simulate(Experiment.from_file(path))


@pytest.fixture
def api(play: Playground) -> Api:
    return Api(play.url)


def lines_of(play: Playground, child: str) -> list[dict[str, Any]]:
    """Return what a child wrote; everything must be JSON."""
    marked = (line.partition("|") for line in play.log.read_text().splitlines())
    return [json.loads(text) for name, _, text in marked if name.strip() == child]


def figures(play: Playground) -> dict[str, float]:
    with urllib.request.urlopen(play.url + "/metrics", timeout=PATIENCE_S) as answer:
        rows = (line.rsplit(" ", 1) for line in answer.read().decode().splitlines() if not line.startswith("#"))
        return {name: float(value) for name, value in rows}


# -- limits --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("workload", "path"),
    [
        ({**SMALL["workload"], "jobs": 1001}, "workload.jobs"),
        ({"kind": "inline", "jobs": [{"arrival_s": 0, "durations_s": [1.0] * 600}] * 2}, "workload.jobs"),
    ],
    ids=["jobs", "inline"],
)
def test_too_many_tasks_are_refused_at_once(api: Api, workload: dict[str, Any], path: str) -> None:
    refused = api.call("POST", "/api/v1/experiments", {**SMALL, "workload": workload})
    assert refused.status == 422
    (problem,) = refused.json["problems"]
    assert problem["path"] == path
    assert problem["allowed"] == "at most 1,000 (setting PLAYGROUND_LIMIT_TASKS)"


@pytest.mark.parametrize(
    ("workload", "path"),
    [
        ({**SMALL["workload"], "tasks_per_job": {"kind": "constant", "value": 5}}, "workload.jobs"),
        ({"kind": "trace", "trace": "long.tr"}, "workload.trace"),
    ],
    ids=["synthetic", "trace"],
)
def test_too_many_tasks_end_the_run_that_finds_them(api: Api, workload: dict[str, Any], path: str) -> None:
    run = api.start({**SMALL, "workload": workload})
    ended = api.wait(run["id"])
    assert (ended["state"], ended["error"]["code"]) == ("failed", "refused")
    assert ended["error"]["message"].startswith(path)
    assert "at most 1,000 (setting PLAYGROUND_LIMIT_TASKS)" in ended["error"]["message"]
    # A viewer on the socket is told the same.
    assert watch(run["socket_url"]).others[-1] == {"error": "refused", "message": ended["error"]["message"]}


def test_runs_at_once_and_their_seconds_are_bounded(play: Playground, api: Api) -> None:
    first = api.start(ENDLESS)
    second = api.call("POST", f"/api/v1/experiments/{first['experiment_id']}/runs", {"seed": 2})
    assert second.status == 429
    assert second.json["problems"][0]["allowed"] == "at most 1 at once (setting PLAYGROUND_LIMIT_RUNS_AT_ONCE)"
    ended = api.wait(first["id"])
    assert (ended["state"], ended["error"]["code"]) == ("failed", "time_limit")
    assert "5 s (setting PLAYGROUND_LIMIT_RUN_SECONDS)" in ended["error"]["message"]
    # Its place is free, and its worker takes the next.
    after = api.call("POST", f"/api/v1/experiments/{first['experiment_id']}/runs", {"seed": 2}).json
    api.wait(after["id"], {"running"})
    assert api.call("POST", f"/api/v1/runs/{after['id']}/cancel").json["state"] == "cancelled"


# -- lines and figures ---------------------------------------------------------------------------------------------


def test_every_line_of_a_run_has_its_id_and_the_request_that_asked_for_it(play: Playground, api: Api) -> None:
    created = api.create(ENDLESS)
    started = api.call("POST", f"/api/v1/experiments/{created['id']}/runs", {})
    run_id = started.json["id"]
    (request_id,) = [text for name, text in started.headers.items() if name.lower() == "x-request-id"]
    api.wait(run_id, {"running"})
    api.call("POST", f"/api/v1/runs/{run_id}/cancel")

    def said() -> list[dict[str, Any]]:
        return [line for line in lines_of(play, "runs") if run_id in json.dumps(line)]

    wait_until(said, seconds=20, what="the worker says that it gave up")
    assert {(line["run_id"], line["request_id"]) for line in said()} == {(run_id, request_id)}
    assert all(line["level"] and line["time"] and line["message"] for line in said())


def test_lines_of_a_socket_have_its_run(play: Playground, api: Api) -> None:
    run = api.start(SMALL)
    assert api.wait(run["id"])["state"] == "done"
    (recording,) = (play.data_dir / "recordings" / "runs").glob(f"{run['id']}*.zip")
    recording.write_bytes(b"PK no more")
    assert watch(run["socket_url"]).others[-1]["error"] == "fault"

    def errors() -> list[dict[str, Any]]:
        return [line for line in lines_of(play, "web") if line["level"] == "ERROR"]

    # The server writes the line before it tells the viewer, but the line goes through the supervisor to the log.
    wait_until(errors, seconds=20, what="the line is in the log")
    said = errors()
    assert {line["run_id"] for line in said} == {run["id"]}
    assert all(re.fullmatch("[0-9a-f]{16}", line["request_id"]) for line in said)
    assert "Traceback" in said[-1]["exc_info"]


def settled(play: Playground) -> dict[str, float]:
    """Return the metrics once no run of a test before is still being counted."""
    name = "playground_simulated_tasks_total"
    last, now = {name: -1.0}, figures(play)
    while last.get(name) != now.get(name):
        time.sleep(1)
        last, now = now, figures(play)
    return now


def test_metrics_count_sockets_frames_and_simulated_tasks(play: Playground, api: Api) -> None:
    before = settled(play)
    run = api.start(SMALL)
    assert api.wait(run["id"])["state"] == "done"
    seen = watch(run["socket_url"])
    after = figures(play)
    sent = after["playground_frames_sent_total"] - before["playground_frames_sent_total"]
    assert sent == len(seen.frames) + len(seen.others) > 1
    assert after["playground_simulated_tasks_total"] - before.get("playground_simulated_tasks_total", 0) == 300
    assert after["playground_simulated_seconds_total"] > before.get("playground_simulated_seconds_total", 0)
    assert after["playground_simulation_tasks_per_second"] > 0
    assert after['playground_runs{state="done"}'] == before['playground_runs{state="done"}'] + 1
    endless = api.start(ENDLESS)
    with connect(endless["socket_url"]), connect(endless["socket_url"]):
        wait_until(lambda: figures(play)["playground_sockets_open"] == 2, seconds=20, what="two sockets are counted")
    wait_until(lambda: figures(play)["playground_sockets_open"] == 0, seconds=20, what="both are gone")
    api.call("POST", f"/api/v1/runs/{endless['id']}/cancel")


# -- who may open a socket -----------------------------------------------------------------------------------------


def shake_hands(play: Playground, **headers: str) -> int:
    """Ask for a socket with just these headers; return the status of the answer."""
    place = urlsplit(play.url)
    sent = {
        "Host": place.netloc, "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(),
        **{name.replace("_", "-"): text for name, text in headers.items()},
    }  # fmt: skip
    with socket.create_connection((str(place.hostname), place.port), timeout=PATIENCE_S) as line:
        lines = ["GET /ws/runs/nothing HTTP/1.1", *(f"{name}: {text}" for name, text in sent.items()), "", ""]
        line.sendall("\r\n".join(lines).encode("latin-1"))
        return int(line.recv(4096).split()[1])


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 101),
        ({"Origin": "{here}"}, 101),
        ({"Origin": "https://friend.example"}, 101),
        ({"Origin": "null"}, 403),
        ({"Origin": ""}, 400),
        ({"Origin": "https://example.org"}, 403),
        ({"Origin": "{here}.example.org"}, 400),  # no port is called 8000.example.org
        ({"Origin": "http://127.0.0.1.example.org"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        # Behind the proxy the page is on https; the same host on http is another origin.
        ({"Host": "localhost", "X_Forwarded_Proto": "https", "Origin": "https://localhost"}, 101),
        ({"Host": "localhost", "X_Forwarded_Proto": "wss", "Origin": "https://localhost"}, 101),
        ({"Host": "localhost", "X_Forwarded_Proto": "https", "Origin": "http://localhost"}, 403),
        ({"Host": "localhost", "X_Forwarded_Proto": "http", "Origin": "https://localhost"}, 403),
        # A name of somebody else's that was made to lead here.
        ({"Host": "evil.example", "Origin": "http://evil.example"}, 403),
    ],
)  # fmt: skip
def test_only_our_pages_and_programs_open_a_socket(play: Playground, headers: dict[str, str], status: int) -> None:
    assert shake_hands(play, **{name: text.format(here=play.url) for name, text in headers.items()}) == status
