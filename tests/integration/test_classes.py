"""A class over real sockets and runs, as programs see it: what is told when, and what nobody hears too early."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import msgpack
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from playground.client import ApiProblem, Client
from tests.contracts import unpacked
from tests.support import PATIENCE_S, Playground, wait_until

pytestmark = [pytest.mark.redis, pytest.mark.slow, pytest.mark.xdist_group("service")]


HEARTBEAT = "scheduler.params.heartbeat_s"


def hear(socket: ClientConnection, wanted: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    """Receive until a message is the one wanted."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        told: dict[str, Any] = unpacked("class-socket", socket.recv(timeout=max(0.1, deadline - time.monotonic())))
        if wanted(told):
            return told


def test_a_class_is_told_alike_and_never_too_early(playground: Playground, small_experiment: dict[str, Any]) -> None:
    with ExitStack() as clients:
        # A client keeps its cookies, so each is one person.
        client, *others = (clients.enter_context(Client(playground.url)) for _ in range(3))
        room = client.open_class(experiment=client.create(small_experiment)["id"])
        seats = [other.join_class(room.code, name) for other, name in zip(others, ("Ada", ""), strict=True)]
        address = playground.url.replace("http", "ws") + f"/ws/classes/{room.id}"
        with connect(address) as teacher, connect(address) as student, connect(address) as stranger:
            teacher.send(msgpack.packb({"token": room.token}))
            student.send(msgpack.packb({"token": seats[0].token}))
            stranger.send(msgpack.packb({"token": "nothing"}))
            assert hear(stranger, lambda told: True)["error"] == "not_in_class"
            assert hear(student, lambda told: "mode" in told)["people"] == 2
            question = {"kind": "number", "text": "How long?", "metric": "makespan_s", "low": 0, "high": 1000}
            number = room.ask(**question)
            room.open(number)
            assert hear(student, lambda told: told["question"])["question"]["result"] is None
            for seat, value in zip(seats, (10, 20), strict=True):
                assert seat.answer(number, value)["value"] == value
            seats[0].answer(number, 30)
            told = hear(student, lambda told: told["question"]["answered"] == 2)
            assert told["question"]["result"] is None
            wait_until(lambda: computed(room.read()), seconds=120, what="the answer is computed")
            room.reveal(number)
            for socket in (teacher, student):
                result = hear(socket, lambda told: told["question"] and told["question"]["result"])["question"][
                    "result"
                ]
                assert result["answer"] > 0
                assert sum(result["counts"]) == 2
            assert [one["value"] for one in seats[0].read()["student"]["answers"]] == [30]
            assert room.answers_csv().count(b"\n") == 3
            room.explore({"path": HEARTBEAT, "least": 1, "most": 20}, y="makespan_s")
            opened = hear(student, lambda told: told["explore"])
            assert opened["mode"] == "explore"
            assert seats[0].change({HEARTBEAT: 5})["values"] == {HEARTBEAT: 5}
            wait_until(lambda: figures(room.wall()), seconds=60, what="the fork's preview is on the wall")
            assert seats[0].read()["student"]["fork"]["figures"]["makespan_s"] > 0
            if not opened["explore"]["base"]:
                opened = hear(student, lambda told: told["explore"] and told["explore"]["base"])
            assert opened["explore"]["reduced"] is None
            # Removed: the socket ends, and nothing is answered any more.
            client.ask("DELETE", f"/api/v1/classes/{room.id}/students/1", token=room.token)
            with pytest.raises(ConnectionClosed):
                hear(student, lambda told: False)
            with pytest.raises(ApiProblem):
                seats[0].read()
        assert room.begin_lesson(file="title: x\nsteps: [{text: hello}]")["at"] == 0
        assert seats[1].read()["news"]["text"] == "hello"
        assert b"hello" in room.lesson_file()
        room.delete()


def figures(wall: dict[str, Any]) -> bool:
    return bool(wall["forks"] and wall["forks"][0]["figures"] and wall["explore"]["base"])


def computed(told: dict[str, Any]) -> bool:
    return bool(told["teacher"]["questions"][0]["computed"] == "done")
