"""Whatever is sent to a socket: an answer, or a closed socket, and never a fault in the server's log."""

from __future__ import annotations

import base64
import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from typing import Any
from urllib.parse import urlsplit

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tests.support import PATIENCE_S, Playground, alive, endless_experiment, small_experiment
from tests.support_api import Api, Viewing, watch
from tests.tiers import examples, wide

pytestmark = [pytest.mark.redis, pytest.mark.slow, pytest.mark.xdist_group("service")]

CLOSED_AS_AGREED = {1000, 1002, 1007, 1009, 4400, 4404}
ERRORS = {"bad_message", "bad_request", "not_found", "cancelled"}

numbers = st.integers(-(2**63), 2**64 - 1) | st.floats()
keys = st.text(max_size=9) | st.integers(0, 99)
plain = st.recursive(
    st.none() | st.booleans() | numbers | st.binary(max_size=50) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(keys, inner, max_size=5),
    max_leaves=20,
)
cut = st.tuples(st.integers(0, 40), st.binary(max_size=3))
commands = st.dictionaries(st.sampled_from(["ack", "subscribe", "notices", "error", "seq"]), plain, min_size=1)
messages = st.one_of(
    st.binary(max_size=300),
    st.text(max_size=100),
    plain.map(msgpack.packb),
    commands.map(msgpack.packb),
    # A right message that was cut off or damaged.
    st.tuples(commands.map(msgpack.packb), cut).map(lambda both: both[0][: both[1][0]] + both[1][1]),
)


class Refused(Exception):
    """The server refused a socket by an answer of its own choice."""


def watch_or_refused(address: str) -> Viewing:
    try:
        return watch(address)
    except InvalidStatus as error:
        if error.response.status_code in {400, 403, 404}:
            raise Refused from None
        raise


@pytest.fixture
def quiet(playground: Playground) -> Iterator[None]:
    """Fail when the server's log grew by a fault."""
    web, before = playground.children()["web"], len(playground.log.read_text())
    yield
    assert alive(web)
    said = [line for line in playground.log.read_text()[before:].splitlines() if line.lstrip().startswith("web |")]
    assert [line for line in said if line.split("|", 1)[1].strip()] == []


@pytest.fixture(scope="module")
def paused_run(playground: Playground) -> Iterator[dict[str, Any]]:
    """Give a run whose socket stays open: it waits in the queue behind a long one."""
    api = Api(playground.url)
    long = api.start(endless_experiment())
    owner_of_long = api.token
    api.wait(long["id"], {"running", "compiling"})
    waiting = api.start(small_experiment())
    yield waiting
    api.call("POST", f"/api/v1/runs/{waiting['id']}/cancel")
    api.token = owner_of_long
    api.call("POST", f"/api/v1/runs/{long['id']}/cancel")


def send(viewer: ClientConnection, message: bytes | str) -> None:
    with suppress(ConnectionClosed):
        viewer.send(message)


def answers_of(viewer: ClientConnection) -> list[dict[str, Any]]:
    """Ask something that has an answer, and return everything up to it, or up to the end."""
    found: list[dict[str, Any]] = []
    send(viewer, msgpack.packb({"ack": "the last"}))
    with suppress(ConnectionClosed):
        while not found or "'ack'" not in found[-1].get("message", ""):
            found.append(msgpack.unpackb(viewer.recv(timeout=PATIENCE_S)))
    return found


@pytest.mark.usefixtures("quiet")
def test_random_messages_are_answered_or_end_the_socket(paused_run: dict[str, Any]) -> None:
    @examples(150)
    @given(st.lists(messages, max_size=6))
    def check(sent: list[bytes | str]) -> None:
        with connect(paused_run["socket_url"], max_size=2**24) as viewer:
            for message in sent:
                send(viewer, message)
            for answer in answers_of(viewer):
                if "error" in answer:
                    assert answer["error"] in ERRORS
                    assert isinstance(answer["message"], str)
                else:
                    assert {"notice", "seq"} & answer.keys()
        # A server that closes with messages still unread resets the connection, and its close code may be lost (1006).
        was_reset = len(sent) > 1 and isinstance(viewer.recv_exc, ConnectionError)
        assert viewer.close_code in CLOSED_AS_AGREED | ({1006} if was_reset else set())

    check()


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("size", [5_000, pytest.param(900_000, marks=wide), 5_000_000])
@pytest.mark.parametrize("of", ["bytes", "text", "an array in an array", "one long string"])
def test_a_huge_or_deep_message_is_refused(paused_run: dict[str, Any], size: int, of: str) -> None:
    message: bytes | str = {
        "bytes": b"\x00" * size,
        "text": "x" * size,
        "an array in an array": b"\x91" * size,
        "one long string": msgpack.packb({"ack": "x" * size}),
    }[of]
    with connect(paused_run["socket_url"], max_size=2**24) as viewer:
        send(viewer, message)
        answers = answers_of(viewer)
    assert (answers and answers[0].get("error") == "bad_message") or viewer.close_code in {1009, 1006}


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize(
    "path",
    ["runs/" + "x" * 64, "runs/..", "runs/%00", "runs/a%2Fb", "runs/" + "y" * 65, "runs/", "", "elsewhere",
     "runs/nothing?after=5&after=6", "runs/nothing?%ff=%fe", "runs/nothing?after=%00"],
)  # fmt: skip
def test_a_path_to_nowhere_is_no_fault(playground: Playground, path: str) -> None:
    with suppress(Refused):
        seen = watch_or_refused(f"{playground.url.replace('http', 'ws')}/ws/{path}")
        assert seen.close_code in {4400, 4404}
        assert seen.others[-1]["error"] in {"not_found", "bad_request"}


@pytest.mark.usefixtures("quiet")
def test_a_stranger_may_look_and_nothing_else(playground: Playground, paused_run: dict[str, Any]) -> None:
    with connect(paused_run["socket_url"]) as stranger:
        for wish in ({"cancel": True}, {"pause": True}, {"state": "done"}, {"notices": 1, "owner_token": "x"}):
            stranger.send(msgpack.packb(wish))
        answers = answers_of(stranger)
    assert {answer["error"] for answer in answers if "error" in answer} == {"bad_message"}
    assert Api(playground.url).run(paused_run["id"])["state"] == "queued"


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize(
    "frame",
    [b"\xff\xff" + b"\xff" * 40,  # reserved bits
     b"\x82\x05hello",  # not masked
     b"\x81\x82\x00\x00\x00\x00\xc3\x28",  # text that is no text
     b"\x88\x81\x00\x00\x00\x00\x01",  # a close code of half its length
     b"\x82\xff\x7f\xff\xff\xff\xff\xff\xff\xff" + b"\x00" * 4,  # an announced length of 8 exabytes
     os.urandom(200)],
    ids=["reserved bits", "not masked", "bad text", "half a close code", "endless", "random"],
)  # fmt: skip
def test_bytes_that_are_no_websocket_end_the_connection(paused_run: dict[str, Any], frame: bytes) -> None:
    place = urlsplit(paused_run["socket_url"])
    with ExitStack() as stack:
        raw = stack.enter_context(socket.create_connection((place.hostname or "", place.port or 0), timeout=PATIENCE_S))
        key = base64.b64encode(os.urandom(16)).decode()
        raw.sendall(
            f"GET {place.path} HTTP/1.1\r\nHost: {place.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        assert b"101" in raw.recv(4096)
        raw.sendall(frame)
        received = bytearray()
        with suppress(ConnectionResetError):
            while chunk := raw.recv(4096):
                received += chunk
    # Closed by the server: with a close frame, or without a word.
    assert not received or b"\x88" in received
