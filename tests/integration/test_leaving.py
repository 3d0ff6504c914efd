"""A browser that goes away costs nothing: what it held in the web process and in Redis is given back."""

from __future__ import annotations

import json
import socket
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgpack
import pytest
import redis
from websockets.sync.client import ClientConnection, connect

from playground.shell.play.redis_server import private_redis_socket
from tests.contracts import unpacked
from tests.support import PATIENCE_S, Playground, endless_experiment, wait_until
from tests.support_api import Api, watch
from tests.tiers import wide

pytestmark = [pytest.mark.redis, pytest.mark.slow, pytest.mark.xdist_group("service")]

VIEWERS = 40


class Costs:
    """What the web process and Redis carry, counted from outside as far as that can be."""

    def __init__(self, play: Playground) -> None:
        self._url = play.url
        self._web = play.children()["web"]
        self._redis = redis.Redis(unix_socket_path=str(private_redis_socket(play.data_dir)))

    def live(self) -> dict[str, int]:
        """Return pumps, listeners and tasks as the process itself counts them."""
        with urllib.request.urlopen(self._url + "/healthz", timeout=PATIENCE_S) as answer:
            counts: dict[str, int] = json.load(answer)["live"]
        return counts

    def files(self) -> int:
        return len(list(Path(f"/proc/{self._web}/fd").iterdir()))

    def blocked_clients(self) -> int:
        """Return how many connections wait in a blocking XREAD: each is a pump's."""
        return sum(client["cmd"] == "xread" for client in self._redis.client_list())

    def groups(self) -> int:
        return sum(self._redis.zcard(key) for key in self._redis.scan_iter(match="playground:group:run.*"))


@pytest.fixture
def costs(playground: Playground) -> Costs:
    return Costs(playground)


@pytest.fixture
def long_run(playground: Playground) -> Any:
    api = Api(playground.url)
    run = api.start(endless_experiment())
    api.wait(run["id"], {"running"})
    yield run
    api.call("POST", f"/api/v1/runs/{run['id']}/cancel")


def first_frame(viewer: ClientConnection) -> dict[str, Any]:
    """Return the first frame; a notice of the run's state may come before it."""
    message: dict[str, Any] = {}
    while "seq" not in message:
        message = unpacked("run-socket", viewer.recv(timeout=PATIENCE_S))
    return message


def leave_politely(viewer: ClientConnection) -> None:
    viewer.close()


def vanish(viewer: ClientConnection) -> None:
    """End the connection without a word, as a killed browser does."""
    viewer.socket.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize("leave", [pytest.param(leave_politely, marks=wide), vanish])
def test_who_leaves_in_mid_run_leaves_nothing_behind(
    costs: Costs, long_run: dict[str, Any], leave: Callable[[ClientConnection], None]
) -> None:
    wait_until(lambda: costs.live()["listeners"] == 0, seconds=30, what="nobody listens before")
    before, files = costs.live(), costs.files()
    # A web process that was killed leaves its groups in Redis until they expire.
    groups = costs.groups()
    with ExitStack() as stack, ThreadPoolExecutor(VIEWERS) as pool:
        sockets = (connect(long_run["socket_url"], max_size=2**24) for _ in range(VIEWERS))
        viewers = [stack.enter_context(viewer) for viewer in sockets]
        for viewer in viewers:
            viewer.send(msgpack.packb({"notices": True, "ack": -1}))
            assert first_frame(viewer)["seq"] == 0
        during = costs.live()
        assert (during["pumps"], during["listeners"]) == (1, VIEWERS)
        assert costs.blocked_clients() <= 1
        assert costs.groups() == groups + 1
        assert costs.files() >= files + VIEWERS
        list(pool.map(leave, viewers))

    def back() -> bool:
        now = costs.live()
        fewer = now["pumps"] == 0 and now["listeners"] == 0 and now["tasks"] <= before["tasks"] + 2
        return fewer and costs.blocked_clients() == 0 and costs.groups() == groups and costs.files() <= files + 5

    wait_until(back, seconds=30, what=f"back to {before} and {files} files from {during}")


def test_who_leaves_while_being_let_in_leaves_nothing_behind(costs: Costs, long_run: dict[str, Any]) -> None:
    files = costs.files()

    def glimpse(_: int) -> None:
        with connect(long_run["socket_url"]) as viewer:
            vanish(viewer)

    with ThreadPoolExecutor(10) as pool:
        list(pool.map(glimpse, range(VIEWERS)))

    def back() -> bool:
        now = costs.live()
        return now["pumps"] == now["listeners"] == 0 and costs.blocked_clients() == 0 and costs.files() <= files + 5

    wait_until(back, seconds=30, what="nothing is left")


def test_a_run_that_ended_keeps_nothing_open(costs: Costs, playground: Playground, small_experiment: Any) -> None:
    api = Api(playground.url)
    files = costs.files()
    run = api.start(small_experiment)
    with ThreadPoolExecutor(10) as pool:
        seen = list(pool.map(watch, [run["socket_url"]] * 10))
    assert {one.close_code for one in seen} == {1000}
    wait_until(lambda: costs.live()["pumps"] == costs.live()["listeners"] == 0, seconds=30, what="no pump is left")
    wait_until(lambda: costs.files() <= files + 5, seconds=30, what="no file is left open")
