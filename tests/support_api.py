"""A small client of the HTTP API and the run sockets, as a script would have it."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import msgpack
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.contracts import unpacked
from tests.support import PATIENCE_S, wait_until

FINAL = {"done", "failed", "cancelled"}


@dataclass
class Answer:
    status: int
    body: bytes
    headers: dict[str, str]

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Api:
    url: str
    token: str = ""

    def call(
        self,
        method: str,
        path: str,
        data: Any = None,
        *,
        raw: bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> Answer:
        body = raw if raw is not None else None if data is None else json.dumps(data).encode()
        sent = {"Content-Type": "application/json"} if body is not None else {}
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        request = urllib.request.Request(self.url + path, method=method, data=body, headers={**sent, **(headers or {})})
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_S) as response:
                return Answer(response.status, response.read(), dict(response.headers))
        except urllib.error.HTTPError as error:
            return Answer(error.code, error.read(), dict(error.headers))

    def create(self, experiment: dict[str, Any]) -> dict[str, Any]:
        """Store an experiment and act as its owner from now on."""
        made = self.call("POST", "/api/v1/experiments", experiment)
        assert made.status == 201, made.body
        created: dict[str, Any] = made.json
        self.token = created["owner_token"]
        return created

    def start(self, experiment: dict[str, Any], *, seed: int = 1) -> dict[str, Any]:
        """Store an experiment and start a run of it."""
        created = self.create(experiment)
        started = self.call("POST", f"/api/v1/experiments/{created['id']}/runs", {"seed": seed})
        assert started.status == 202, started.body
        run: dict[str, Any] = started.json
        return run

    def run(self, run_id: str) -> dict[str, Any]:
        answer = self.call("GET", f"/api/v1/runs/{run_id}")
        assert answer.status == 200, answer.body
        found: dict[str, Any] = answer.json
        return found

    def wait(self, run_id: str, states: set[str] = FINAL, *, seconds: float = PATIENCE_S) -> dict[str, Any]:
        def reached() -> dict[str, Any] | None:
            run = self.run(run_id)
            return run if run["state"] in states else None

        found: dict[str, Any] = wait_until(reached, seconds=seconds, what=f"run {run_id} is one of {states}")
        return found


@dataclass
class Viewing:
    """Everything that one socket was sent, and how it was closed."""

    frames: list[dict[str, Any]] = field(default_factory=list)
    others: list[dict[str, Any]] = field(default_factory=list)
    close_code: int | None = None

    def covered(self) -> list[int]:
        """Return every frame number that the messages stand for, in their order."""
        return [seq for frame in self.frames for seq in range(frame["from_seq"], frame["seq"] + 1)]


def watch(
    socket_url: str,
    *,
    after: int | None = None,
    send: list[Any] | None = None,
    acks: bool = True,
    seconds: float = PATIENCE_S,
) -> Viewing:
    """Watch a run to the end of its socket."""
    seen = Viewing()
    address = socket_url if after is None else f"{socket_url}?after={after}"
    with connect(address, max_size=2**24) as socket:
        for message in send or []:
            socket.send(msgpack.packb(message))
        try:
            while True:
                got = unpacked("run-socket", socket.recv(timeout=seconds))
                (seen.frames if "seq" in got else seen.others).append(got)
                if acks and "seq" in got:
                    # The server may have closed already, with messages still to be read.
                    with suppress(ConnectionClosed):
                        socket.send(msgpack.packb({"ack": got["seq"]}))
        except ConnectionClosed:
            seen.close_code = socket.close_code
    return seen
