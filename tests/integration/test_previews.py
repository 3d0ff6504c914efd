"""Previews with real workers and real sockets: the newest is answered, whatever else was asked or dies."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import pytest
import redis
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from playground.shell.play.redis_server import private_redis_socket
from tests.contracts import unpacked
from tests.support import PATIENCE_S, Playground, answers, children_of, endless_experiment, small_experiment, wait_until
from tests.support_api import Api
from tests.tiers import wide

pytestmark = [pytest.mark.redis, pytest.mark.slow, pytest.mark.xdist_group("service")]


@pytest.fixture(scope="module")
def play(playground: Playground) -> Iterator[Playground]:
    """Give a playground whose previews may take long, and be asked for as fast as one can."""
    yield playground
    wait_until(lambda: answers(playground.url + "/readyz"), seconds=60, what="what was killed is back")


@dataclass
class Dragging:
    """A viewer who moves a knob: asks, and listens on the socket of its own."""

    api: Api
    messages: list[dict[str, Any]] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    socket: ClientConnection | None = None

    def ask(self, **changes: Any) -> int:
        answer = self.api.call("POST", "/api/v1/previews", small_experiment() | changes)
        assert answer.status == 202, answer.body
        self.numbers.append(answer.json["preview"])
        if self.socket is None:
            self.socket = connect(answer.json["socket_url"], max_size=2**24)
            threading.Thread(target=self._listen, args=(self.socket,), daemon=True).start()
        return self.numbers[-1]

    def _listen(self, socket: ClientConnection) -> None:
        try:
            while True:
                self.messages.append(unpacked("preview-socket", socket.recv()))
        except ConnectionClosed:
            pass

    def done(self, number: int | None = None) -> dict[str, Any] | None:
        """Return the answer to a question, by default the last one asked."""
        wanted = self.numbers[-1] if number is None else number
        found = [message for message in list(self.messages) if message["preview"] == wanted]
        over = [message for message in found if message["state"] in {"done", "failed"}]
        return over[-1] if over else None

    def wait(self, *, seconds: float = 60) -> dict[str, Any]:
        found: dict[str, Any] = wait_until(self.done, seconds=seconds, what=f"preview {self.numbers[-1]} is answered")
        return found


@pytest.fixture
def viewers(play: Playground) -> Iterator[list[Dragging]]:
    """Give two viewers, each with a token of its own."""
    with ExitStack() as stack:
        made = [Dragging(Api(play.url, token=f"{name}-{os.getpid()}-{id(stack)}")) for name in ("first", "second")]
        for viewer in made:
            stack.callback(lambda viewer=viewer: viewer.socket and viewer.socket.close())
        yield made


def preview_processes(play: Playground) -> list[int]:
    """Return the processes that compute previews: the children of the worker."""
    return children_of(play.children()["previews"])


def test_two_viewers_who_ask_in_a_flood_are_each_answered_the_newest(viewers: list[Dragging]) -> None:
    seeds = range(60)
    for seed in seeds:
        for place, viewer in enumerate(viewers):
            viewer.ask(seed=1000 * place + seed)
    for place, viewer in enumerate(viewers):
        answer = viewer.wait()
        assert answer["state"] == "done", answer
        assert answer["summary"]["seed"] == 1000 * place + seeds[-1]
        # Each was told of its own questions only, never of an older one after a newer one.
        told = [message["preview"] for message in viewer.messages]
        assert told == sorted(told)
        assert {message["summary"]["seed"] // 1000 for message in viewer.messages if "summary" in message} == {place}


def test_one_that_would_take_a_minute_is_given_up_for_a_newer_one(viewers: list[Dragging], play: Playground) -> None:
    viewer = viewers[0]
    long = endless_experiment()
    abandoned = [viewer.ask(**long, seed=seed) for seed in range(3)]
    own_redis = redis.Redis(unix_socket_path=str(private_redis_socket(play.data_dir)))

    def begun() -> bool:
        numbers = [own_redis.hget(key, "number") for key in own_redis.scan_iter("preview:*:answer")]
        return str(abandoned[-1]).encode() in numbers

    wait_until(begun, seconds=20, what="a worker took it up")
    viewer.ask(seed=7)
    answer = viewer.wait(seconds=20)
    assert (answer["state"], answer["summary"]["seed"]) == ("done", 7)
    assert not any(viewer.done(number) for number in abandoned)


def test_two_who_would_take_a_minute_do_not_keep_a_third_from_being_given_up(viewers: list[Dragging]) -> None:
    """Both processes are busy for viewers who then change their minds."""
    for viewer in viewers:
        viewer.ask(**endless_experiment())
    for viewer in viewers:
        viewer.ask()
    assert [viewer.wait(seconds=20)["state"] for viewer in viewers] == ["done", "done"]


def test_a_socket_that_comes_late_is_told_the_last_answer_at_once(viewers: list[Dragging]) -> None:
    viewer = viewers[0]
    viewer.ask()
    answer = viewer.wait()
    assert viewer.socket is not None
    asked = viewer.api.call("POST", "/api/v1/previews", small_experiment())
    with connect(asked.json["socket_url"], max_size=2**24) as late:
        told = unpacked("preview-socket", late.recv(timeout=PATIENCE_S))
    assert told["preview"] in {answer["preview"], asked.json["preview"]}


@wide
def test_an_explanation_does_not_keep_previews_waiting(viewers: list[Dragging], play: Playground) -> None:
    """Something long of the same worker is under way; previews have a process left."""
    api = Api(play.url)
    slow = small_experiment()
    slow["workload"]["jobs"] = 40_000
    slow["scheduler"]["params"] = {"heartbeat_s": 0.002}
    run = api.start(slow)
    assert api.wait(run["id"])["state"] == "done"
    results: list[int] = []
    explaining = [
        threading.Thread(
            target=lambda task=task: results.append(  # type: ignore[misc]
                api.call("GET", f"/api/v1/runs/{run['id']}/explain?task={task}").status
            )
        )
        for task in (39_998, 39_999)
    ]
    for thread in explaining:
        thread.start()
    viewer = viewers[0]
    viewer.ask()
    assert viewer.wait()["state"] == "done"
    for thread in explaining:
        thread.join(60)
    # One after the other, and both to their end.
    assert results == [200, 200]


@wide
def test_a_killed_worker_and_a_restarted_redis_cost_a_moment(viewers: list[Dragging], play: Playground) -> None:
    viewer = viewers[0]
    viewer.ask()
    viewer.wait()
    for pid in preview_processes(play):
        os.kill(pid, signal.SIGKILL)
    viewer.ask(seed=2)
    assert viewer.wait()["summary"]["seed"] == 2
    os.kill(play.children()["redis"], signal.SIGKILL)

    def answered() -> bool:
        asked = viewer.api.call("POST", "/api/v1/previews", small_experiment() | {"seed": 3})
        if asked.status == 202:
            viewer.numbers.append(asked.json["preview"])
        return any(message.get("summary", {}).get("seed") == 3 for message in list(viewer.messages))

    # The same socket is told, though what it listened to is gone.
    wait_until(answered, seconds=60, what="the viewer is answered again")


def test_a_viewer_who_talks_to_the_socket_is_told_how_to_ask(viewers: list[Dragging]) -> None:
    viewer = viewers[0]
    viewer.ask()
    assert viewer.socket is not None
    viewer.socket.send(b"\xc0")
    wait_until(lambda: viewer.socket and viewer.socket.close_code == 4400, seconds=20, what="the socket is closed")
    assert "POST" in json.dumps(viewer.messages[-1])
