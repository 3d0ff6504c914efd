"""What viewers get while parts are killed under them: every frame number, each once, and the same outcome."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import msgpack
import pytest
import redis
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from playground.runs.live.outbox import PATIENCE_S as OUTBOX_S
from playground.shell.play.redis_server import private_redis_socket
from playground.storage.keys import frames_key
from tests.contracts import unpacked
from tests.integration.following import Follower, rebuilt, saw_everything_once
from tests.support import (
    PATIENCE_S,
    PROJECT,
    Playground,
    alive,
    answers,
    chatty_experiment,
    free_port,
    own_environment,
    wait_until,
)
from tests.support_api import Api, watch
from tests.tiers import wide

pytestmark = [pytest.mark.redis, pytest.mark.slow, pytest.mark.xdist_group("service")]

MACHINES = 40


@pytest.fixture(scope="module")
def play(playground: Playground) -> Iterator[Playground]:
    """Give a playground whose parts may be killed."""
    before = len(playground.log.read_text())
    yield playground
    wait_until(lambda: answers(playground.url + "/readyz"), seconds=60, what="what was killed is back")
    # What was lost and found again is no fault of the web process.
    said = [line for line in playground.log.read_text()[before:].splitlines() if line.lstrip().startswith("web |")]
    assert [line for line in said if "Traceback" in line or "Exception" in line] == [], "\n".join(said)


@pytest.fixture
def api(play: Playground) -> Api:
    wait_until(lambda: answers(play.url + "/readyz"), seconds=60, what="what the test before killed is back")
    return Api(play.url)


@pytest.fixture
def own_redis(play: Playground) -> redis.Redis:
    return redis.Redis(unix_socket_path=str(private_redis_socket(play.data_dir)))


@pytest.fixture
def other_web(play: Playground) -> Iterator[str]:
    """Start another web process of the same playground, which has no frames in its memory; give its host and port."""
    host, address = f"127.0.0.1:{free_port()}", f"unix://{private_redis_socket(play.data_dir)}"
    process = subprocess.Popen(
        [sys.executable, "manage.py", "web", "--port", host.partition(":")[2]],
        cwd=PROJECT,
        env=own_environment(play.data_dir, PLAYGROUND_REDIS_URL=address, PLAYGROUND_DEBUG="true"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_until(lambda: answers(f"http://{host}/healthz"), seconds=60, what="the other web process answers")
        yield host
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE_S)


@pytest.fixture
def slow_experiment() -> dict[str, Any]:
    return chatty_experiment()


@pytest.fixture
def run(api: Api, slow_experiment: dict[str, Any]) -> dict[str, Any]:
    """Start a run of many seconds and wait until it is under way."""
    started = api.start(slow_experiment, seed=11)
    wait_until(lambda: api.run(started["id"])["progress"] > 0.05, seconds=60, what="the run is under way")
    return started


def watching(run: dict[str, Any], count: int = 1) -> list[Follower]:
    """Attach viewers and wait until all of them get frames of a run that goes on."""
    viewers = [Follower(run["socket_url"]) for _ in range(count)]
    wait_until(
        lambda: all(viewer.last > 30 for viewer in viewers) or any(viewer.trouble for viewer in viewers),
        seconds=90,
        what="all have frames",
    )
    assert not any(viewer.trouble for viewer in viewers), [viewer.trouble for viewer in viewers]
    assert not any(viewer.finished for viewer in viewers), "the run was too short for this test"
    return viewers


def kill(play: Playground, name: str, number: signal.Signals = signal.SIGKILL) -> None:
    pid = play.children()[name]
    os.kill(pid, number)
    wait_until(lambda: not alive(pid), seconds=20, what=f"{name} is dead")


@pytest.mark.parametrize("number", [signal.SIGKILL, pytest.param(signal.SIGTERM, marks=wide)])
def test_the_server_is_restarted_under_its_viewers(
    play: Playground, api: Api, run: dict[str, Any], number: signal.Signals
) -> None:
    viewers = watching(run, 3)
    kill(play, "web", number)
    wait_until(lambda: answers(play.url + "/healthz"), seconds=30, what="the server is back")
    late = Follower(run["socket_url"])
    for viewer in [*viewers, late]:
        assert saw_everything_once(viewer.wait()), viewer.covered()
    assert all(viewer.connections >= 2 for viewer in viewers)
    assert rebuilt(viewers[0].frames, MACHINES) == rebuilt(late.frames, MACHINES)
    assert api.run(run["id"])["state"] == "done"


@wide
def test_redis_dies_and_comes_back_empty(
    play: Playground, api: Api, run: dict[str, Any], slow_experiment: dict[str, Any]
) -> None:
    viewers = watching(run, 3)
    kill(play, "redis")
    while_away = api.call("GET", f"/api/v1/runs/{run['id']}")
    assert while_away.status in {200, 503}, while_away.body
    wait_until(lambda: answers(play.url + "/readyz"), seconds=60, what="Redis and a worker are back")
    late = Follower(run["socket_url"])
    ended = api.wait(run["id"], seconds=120)
    for viewer in [*viewers, late]:
        assert saw_everything_once(viewer.wait()), viewer.covered()
    assert ended["state"] == "done"
    again = api.wait(api.start(slow_experiment, seed=11)["id"], seconds=120)
    assert again["outcome_digest"] == ended["outcome_digest"] == late.frames[-1]["end"]["outcome_digest"]
    assert rebuilt(viewers[0].frames, MACHINES) == rebuilt(late.frames, MACHINES)


@wide
def test_a_run_that_waits_in_the_queue_survives_redis(
    play: Playground, api: Api, run: dict[str, Any], small_experiment: dict[str, Any]
) -> None:
    waiting = api.start(small_experiment | {"workload": small_experiment["workload"] | {"jobs": 50}})
    assert api.run(waiting["id"])["state"] == "queued"
    viewer = Follower(waiting["socket_url"])
    kill(play, "redis")
    wait_until(lambda: answers(play.url + "/readyz"), seconds=60, what="Redis and a worker are back")
    api.call("POST", f"/api/v1/runs/{run['id']}/cancel")
    assert saw_everything_once(viewer.wait())
    assert api.run(waiting["id"])["state"] == "done"


@wide
def test_the_worker_is_killed_and_then_the_server(play: Playground, api: Api, run: dict[str, Any]) -> None:
    (viewer,) = watching(run)
    kill(play, "runs")
    kill(play, "web")
    assert not viewer.finished
    assert saw_everything_once(viewer.wait()), viewer.covered()
    wait_until(lambda: answers(play.url + "/healthz"), seconds=30, what="the server is back")
    assert api.run(run["id"])["state"] == "done"


@wide
def test_a_stream_that_expired_is_made_up_for_by_the_next_key_frame(
    api: Api, other_web: str, run: dict[str, Any], own_redis: redis.Redis
) -> None:
    (present,) = watching(run)
    own_redis.delete(frames_key(run["id"]))
    assert api.run(run["id"])["state"] == "running"
    elsewhere = run["socket_url"].replace(urlsplit(api.url).netloc, other_web)
    late = Follower(elsewhere)
    returning = Follower(elsewhere, after=20)
    for viewer, first in ((present, 0), (late, 0), (returning, 21)):
        assert saw_everything_once(viewer.wait(), first), viewer.covered()
    # The key frame stands for everything that nobody has any more.
    for viewer, first in ((late, 0), (returning, 21)):
        assert viewer.frames[0]["key"] is True
        assert viewer.frames[0]["from_seq"] == first < viewer.frames[0]["seq"]
    assert rebuilt(late.frames, MACHINES) == rebuilt(present.frames, MACHINES)
    assert rebuilt(returning.frames, MACHINES) == rebuilt(present.frames, MACHINES)


def test_after_the_end_an_expired_stream_is_served_from_the_recording(
    api: Api, small_experiment: dict[str, Any], own_redis: redis.Redis
) -> None:
    run = api.start(small_experiment)
    live = watch(run["socket_url"])
    assert own_redis.ttl(frames_key(run["id"])) > 0
    own_redis.delete(frames_key(run["id"]))
    whole = watch(run["socket_url"])
    assert whole.frames[0]["key"] is True
    assert whole.covered() == live.covered() == list(range(live.frames[-1]["seq"] + 1))
    assert rebuilt(whole.frames, MACHINES) == rebuilt(live.frames, MACHINES)


@wide
def test_a_viewer_that_falls_behind_gets_merged_frames_and_holds_nobody_up(api: Api, run: dict[str, Any]) -> None:
    (quick,) = watching(run)
    frames: list[dict[str, Any]] = []
    # A client that reads nothing does not see the answer to its own ping either, and would hang up by itself.
    with connect(run["socket_url"], max_size=2**24, ping_interval=None) as slow:

        def receive(until: int) -> None:
            while not frames or frames[-1]["seq"] < until:
                data = slow.recv(timeout=PATIENCE_S)
                assert len(data) <= 1 << 20
                frames.append(unpacked("run-socket", data))
                with suppress(ConnectionClosed):  # after its last frame the server closes
                    slow.send(msgpack.packb({"ack": frames[-1]["seq"]}))

        receive(until=100)
        stalled = time.monotonic()
        assert not quick.finished
        assert saw_everything_once(quick.wait())
        wait_until(lambda: time.monotonic() > stalled + 2 * OUTBOX_S, seconds=30, what="its frames have waited long")
        ended = quick.frames[-1]["seq"]
        receive(until=ended)
    assert [seq for frame in frames for seq in range(frame["from_seq"], frame["seq"] + 1)] == list(range(ended + 1))
    assert len(frames) < 200 < ended, "nothing was merged"
    assert rebuilt(frames, MACHINES) == rebuilt(quick.frames, MACHINES)
