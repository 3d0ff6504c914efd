"""What a socket refuses, and how it says so."""

from __future__ import annotations

from typing import Any

import msgpack
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.contracts import unpacked
from tests.support import PATIENCE_S, Playground
from tests.support_api import Api, watch

pytestmark = [pytest.mark.redis, pytest.mark.slow, pytest.mark.xdist_group("service")]


@pytest.fixture
def finished(playground: Playground, small_experiment: dict[str, Any]) -> dict[str, Any]:
    api = Api(playground.url)
    return api.wait(api.start(small_experiment)["id"])


def test_an_unknown_run_is_said_to_be_unknown(playground: Playground) -> None:
    seen = watch(playground.url.replace("http", "ws") + "/ws/runs/nothing")
    assert (seen.others[0]["error"], seen.close_code) == ("not_found", 4404)


@pytest.mark.parametrize("after", ["x", "-2", "1.5", "9" * 30])
def test_an_odd_place_is_refused(finished: dict[str, Any], after: str) -> None:
    seen = watch(f"{finished['socket_url']}?after={after}")
    assert (seen.others[0]["error"], seen.close_code) == ("bad_request", 4400)


def test_a_page_that_is_not_ours_gets_no_socket(finished: dict[str, Any], playground: Playground) -> None:
    with pytest.raises(InvalidStatus) as refused:
        connect(finished["socket_url"], origin="http://evil.example")  # type: ignore[arg-type]
    assert refused.value.response.status_code == 403
    with connect(finished["socket_url"], origin=playground.url) as ours:  # type: ignore[arg-type]
        assert unpacked("run-socket", ours.recv(timeout=PATIENCE_S))["seq"] == 0


@pytest.mark.parametrize(
    "message",
    [b"", b"\xc1", b"\x93", msgpack.packb([1]), msgpack.packb({}), msgpack.packb({"ack": "x"}),
     msgpack.packb({"ack": -5}), msgpack.packb({"subscribe": "owner"}),
     msgpack.packb({"subscribe": [1]}), b"\xdb\xff\xff\xff\xff", b"\x91" * 4000,
     msgpack.packb({"ack": 1, "pad": "x" * 5000})],
    ids=lambda message: repr(message[:12]),
)  # fmt: skip
def test_an_odd_message_is_answered_and_the_socket_goes_on(
    playground: Playground, small_experiment: dict[str, Any], message: bytes
) -> None:
    small_experiment["workload"]["jobs"] = 60_000
    api = Api(playground.url)
    run = api.start(small_experiment)
    with connect(run["socket_url"], max_size=2**24) as socket:
        socket.send(message)
        answers = [unpacked("run-socket", socket.recv(timeout=PATIENCE_S))]
        while "error" not in answers[-1]:
            answers.append(unpacked("run-socket", socket.recv(timeout=PATIENCE_S)))
        assert answers[-1]["error"] == "bad_message"
        assert "seq" in unpacked("run-socket", socket.recv(timeout=PATIENCE_S))
    api.call("POST", f"/api/v1/runs/{run['id']}/cancel")


def test_a_talkative_stranger_is_shown_the_door(finished: dict[str, Any]) -> None:
    seen = watch(finished["socket_url"], send=["nonsense"] * 20, acks=False)
    assert sum("error" in other for other in seen.others) >= 1
    assert seen.close_code in {1000, 4400}
