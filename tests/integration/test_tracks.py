"""The track of a run over HTTP: finished, a window of it, and while it is computed."""

from __future__ import annotations

import io
from typing import Any

import httpx
import msgpack
import pytest

from scheduler_core import RecordingReader
from tests.contracts import kept
from tests.support import PATIENCE_S, Playground, endless_experiment, small_experiment, wait_until
from tests.support_api import Api

pytestmark = [pytest.mark.redis, pytest.mark.slow, pytest.mark.xdist_group("service")]


def track_at(playground: Playground, run: str, query: str = "") -> Any:
    answer = httpx.get(f"{playground.url}/api/v1/runs/{run}/track{query}", timeout=PATIENCE_S)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/msgpack"
    return kept("track", msgpack.unpackb(answer.content))


def test_the_track_of_a_finished_run_is_that_of_its_recording_and_a_window_is_a_part_of_it(
    playground: Playground,
) -> None:
    api = Api(playground.url)
    run = api.start(small_experiment())["id"]
    assert api.wait(run, seconds=300)["state"] == "done"
    whole = track_at(playground, run)
    recording = httpx.get(f"{playground.url}/api/v1/runs/{run}/recording", timeout=PATIENCE_S).content
    with RecordingReader(io.BytesIO(recording)) as reader:
        assert reader.track() == whole
    window = track_at(playground, run, "?from_s=1&until_s=2&first=0&machines=2")
    assert 0 < window["tasks"]["count"] < whole["tasks"]["count"]
    assert (window["first"], window["machines"], window["from_ns"]) == (0, 2, 10**9)
    assert api.call("GET", f"/api/v1/runs/{run}/track?from_s=-1").status == 422


def test_the_worker_of_a_run_under_way_tells_its_track_so_far(playground: Playground) -> None:
    api, endless = Api(playground.url), endless_experiment()
    endless["workload"]["arrivals"] = {"kind": "at_once"}
    run = api.start(endless)["id"]
    path = f"/api/v1/runs/{run}"
    wait_until(lambda: api.call("GET", path).json["state"] == "running", seconds=300, what="the run is computed")
    first = track_at(playground, run, "?machines=3")
    assert first["tasks"]["count"] > 0
    later = wait_until(lambda: _later(playground, run, first["until_ns"]), seconds=60, what="the track goes on")
    assert later["until_ns"] > first["until_ns"]
    assert api.call("POST", f"{path}/cancel", {}).status == 200


def _later(playground: Playground, run: str, than_ns: int) -> Any:
    found = track_at(playground, run, "?machines=3")
    return found if found["until_ns"] > than_ns else None
