"""What the four sockets share: bounds of messages, errors, close codes, and tasks that end with the viewer."""

from __future__ import annotations

import asyncio
from typing import Any

import msgpack
import pytest
from channels.testing import WebsocketCommunicator
from redis.exceptions import ConnectionError as RedisConnectionError

from playground.errors import PlaygroundError, not_found
from playground.web.socket import CLOSE_TAKEN_OVER, Ended, Socket


class Echo(Socket):
    """Says back what it is told; `raise` names what goes wrong."""

    most_bytes = 100
    most_a_second = 30
    most_bad = 3
    keys = frozenset({"say", "raise"})
    expects = "say or raise"
    faults: dict[str, Exception] = {
        "gone": not_found("run"),
        "refused": PlaygroundError(403, "not-yours", "Not yours"),
        "away": PlaygroundError(503, "no-files", "The run's file cannot be read now"),
        "redis": RedisConnectionError("away"),
        "fault": RuntimeError("broken"),
        "taken": Ended("taken_over", "elsewhere", CLOSE_TAKEN_OVER),
    }
    left: list[str] = []

    async def join(self) -> None:
        if (wrong := self.argument("wrong")) in self.faults:
            raise self.faults[wrong]
        self.run(asyncio.sleep(3600), name="endless")

    async def leave(self) -> None:
        self.left.append(self.argument("wrong"))

    async def obey(self, message: dict[str, Any]) -> None:
        if "raise" in message:
            raise self.faults[message["raise"]]
        await self.say({"said": message["say"]})


class Deaf(Socket):
    expects = "this socket only sends messages"

    async def join(self) -> None:
        pass


async def opened(kind: type[Socket], wrong: str = "") -> WebsocketCommunicator:
    socket = WebsocketCommunicator(kind.as_asgi(), "/")
    socket.scope["url_route"] = {"kwargs": {"wrong": wrong}}
    assert (await socket.connect(timeout=60))[0]
    return socket


async def said(socket: WebsocketCommunicator) -> Any:
    return msgpack.unpackb(await socket.receive_from(timeout=60))


async def closed_with(socket: WebsocketCommunicator) -> int:
    end = await socket.receive_output(timeout=60)
    assert end["type"] == "websocket.close"
    return int(end["code"])


ENDS = [
    ("gone", "not_found", 4404),
    ("refused", "not_yours", 4400),
    ("away", "no_files", 4503),
    ("redis", "unavailable", 4503),
    ("fault", "fault", 4503),
    ("taken", "taken_over", 4409),
]


@pytest.mark.parametrize(("wrong", "code", "close_code"), ENDS)
async def test_what_goes_wrong_at_joining_is_said_and_ends_the_socket(wrong: str, code: str, close_code: int) -> None:
    socket = await opened(Echo, wrong)
    assert (await said(socket))["error"] == code
    assert await closed_with(socket) == close_code


@pytest.mark.parametrize(("wrong", "code", "close_code"), ENDS)
async def test_and_so_is_what_goes_wrong_later(wrong: str, code: str, close_code: int) -> None:
    socket = await opened(Echo)
    await socket.send_to(bytes_data=msgpack.packb({"raise": wrong}))
    assert (await said(socket))["error"] == code
    assert await closed_with(socket) == close_code


@pytest.mark.parametrize(
    "odd",
    [b"\xc1", msgpack.packb([1]), msgpack.packb({"other": 1}), b"\x91" * 90, msgpack.packb({"say": "x" * 200})],
    ids=["no MessagePack", "no map", "unknown", "deep", "long"],
)
async def test_some_odd_messages_are_answered_and_then_the_socket_ends(odd: bytes) -> None:
    socket = await opened(Echo)
    for _ in range(3):
        await socket.send_to(bytes_data=odd)
        assert (await said(socket))["error"] == "bad_message"
    assert await closed_with(socket) == 4400


async def test_text_is_odd_and_what_is_understood_is_obeyed() -> None:
    socket = await opened(Echo)
    await socket.send_to(text_data="hello")
    assert "MessagePack" in (await said(socket))["message"]
    await socket.send_to(bytes_data=msgpack.packb({"say": 5}))
    assert await said(socket) == {"said": 5}
    await socket.disconnect(timeout=60)


async def test_too_many_messages_in_a_second_end_the_socket() -> None:
    socket = await opened(Echo)
    # However slow the machine: of three seconds' worth at once, some second has too many.
    for _ in range(90):
        await socket.send_to(bytes_data=msgpack.packb({"say": 1}))
    answers = []
    while "error" not in (answer := await said(socket)):
        answers.append(answer)
    assert (answer["error"], "in a second" in answer["message"]) == ("bad_message", True)
    assert await closed_with(socket) == 4400


async def test_a_socket_that_only_tells_takes_no_message() -> None:
    socket = await opened(Deaf)
    await socket.send_to(bytes_data=msgpack.packb({"say": 1}))
    assert await said(socket) == {"error": "bad_message", "message": "this socket only sends messages"}
    assert await closed_with(socket) == 4400


async def test_tasks_end_when_the_viewer_leaves() -> None:
    Echo.left.clear()
    socket = await opened(Echo)
    assert any(task.get_name() == "endless" for task in asyncio.all_tasks())
    await socket.disconnect(timeout=60)
    assert not any(task.get_name() == "endless" for task in asyncio.all_tasks())
    assert Echo.left == [""]
