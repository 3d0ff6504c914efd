"""Who has the spectator link follows who presents, over real sockets."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import msgpack
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.contracts import unpacked
from tests.support import PATIENCE_S, Playground
from tests.support_api import Api

pytestmark = [pytest.mark.redis, pytest.mark.slow, pytest.mark.xdist_group("service")]

VIEW = {
    "experiment": "a", "run": "b", "t_s": 1.5, "playing": True, "rate": 2, "zoom": 4.5, "centre": 7, "layer": None,
    "owners": [1], "pinned": -1, "pointed": 3,
}  # fmt: skip
FOLLOWERS = 12


@contextmanager
def following(playground: Playground, slug: str) -> Iterator[ClientConnection]:
    with connect(playground.url.replace("http", "ws") + f"/ws/presentations/{slug}") as socket:
        yield socket


def say(socket: ClientConnection, message: Any) -> None:
    socket.send(msgpack.packb(message))


def hear(socket: ClientConnection, wanted: dict[str, Any]) -> dict[str, Any]:
    """Receive until a message holds what is wanted."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        told: dict[str, Any] = unpacked(
            "presentation-socket", socket.recv(timeout=max(0.1, deadline - time.monotonic()))
        )
        if wanted.items() <= told.items():
            return told


def test_viewers_follow_late_comers_catch_up_and_leaving_is_told(
    playground: Playground, small_experiment: dict[str, Any]
) -> None:
    api = Api(playground.url)
    made = api.create(small_experiment)
    with ExitStack() as open_sockets:
        enter = open_sockets.enter_context
        viewers = [enter(following(playground, made["slug"])) for _ in range(FOLLOWERS)]
        assert hear(viewers[0], {"presenting": False})["state"] is None
        with following(playground, made["slug"]) as presenter:
            say(presenter, {"present": True, "token": made["owner_token"]})
            hear(presenter, {"presenting": True, "watching": FOLLOWERS})
            for t_s in (1.5, 2.5, 3.5):
                say(presenter, {"state": {**VIEW, "t_s": t_s}})
            newest = {**VIEW, "t_s": 3.5}
            for viewer in viewers:
                hear(viewer, {"state": newest, "presenting": True})
            late = enter(following(playground, made["slug"]))
            assert hear(late, {"state": newest})["presenting"] is True
            say(presenter, {"state": None})
        assert hear(late, {"presenting": False})["state"] == newest


def test_only_the_owner_presents_and_only_what_fits(playground: Playground, small_experiment: dict[str, Any]) -> None:
    made = Api(playground.url).create(small_experiment)

    def refused(*messages: Any, raw: bytes | None = None) -> tuple[str, int | None]:
        packed = [msgpack.packb(message) for message in messages] + ([raw] if raw is not None else [])
        heard: list[dict[str, Any]] = []
        with following(playground, made["slug"]) as socket, suppress(ConnectionClosed):
            for message in packed:
                socket.send(message)
            while True:
                heard.append(unpacked("presentation-socket", socket.recv(timeout=PATIENCE_S)))
        return heard[-1]["error"], socket.close_code

    own = {"present": True, "token": made["owner_token"]}
    assert refused({"present": True, "token": "somebody else's"}) == ("not_yours", 4400)
    assert refused({"state": VIEW}) == ("bad_message", 4400)
    assert refused(own, {"state": {**VIEW, "t_s": -1}}) == ("bad_message", 4400)
    assert refused(own, {"state": {**VIEW, "more": 1}}) == ("bad_message", 4400)
    assert refused(raw=b"\xc1") == ("bad_message", 4400)
    assert refused(raw=b"x" * 5000) == ("bad_message", 4400)
    with following(playground, "nothing") as socket:
        assert unpacked("presentation-socket", socket.recv(timeout=PATIENCE_S))["error"] == "not_found"
