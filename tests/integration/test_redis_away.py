"""Redis is away for longer than anybody's retries: runs come out as if it had not been, and the log stays short."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from playground.play.redis_server import (
    find_redis_server,
    prepare_redis_folder,
    private_redis_socket,
    redis_arguments,
)
from tests.integration.following import Follower, saw_everything_once
from tests.support import Playground, answers, start_playground, wait_until
from tests.support_api import Api

pytestmark = [pytest.mark.redis, pytest.mark.slow, pytest.mark.xdist_group("redis-away")]

#: The clients' retries take 5.5 s; a lease lasts 5 s.
AWAY_S = 14.0


class OwnRedis:
    """A Redis that no supervisor brings back."""

    def __init__(self, folder: Path) -> None:
        self.socket = private_redis_socket(folder)
        prepare_redis_folder(self.socket)
        self.start()

    def start(self) -> None:
        program = find_redis_server()
        assert program is not None
        self.socket.unlink(missing_ok=True)
        self.server = subprocess.Popen(redis_arguments(program, self.socket))
        wait_until(self.socket.exists, seconds=10, what="Redis listens")

    def kill(self) -> None:
        self.server.kill()
        self.server.wait(timeout=10)


@pytest.fixture(scope="module")
def own_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnRedis]:
    server = OwnRedis(tmp_path_factory.mktemp("away"))
    yield server
    server.kill()


@pytest.fixture(scope="module")
def play(own_redis: OwnRedis, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Playground]:
    started = start_playground(
        tmp_path_factory.mktemp("away-play") / "var", PLAYGROUND_REDIS_URL=f"unix://{own_redis.socket}"
    )
    try:
        wait_until(lambda: answers(started.url + "/readyz"), seconds=60, what="the playground is ready")
        yield started
    finally:
        if started.process.poll() is None:
            started.stop()


def test_redis_stays_away_longer_than_the_retries(
    play: Playground, own_redis: OwnRedis, small_experiment: dict[str, Any]
) -> None:
    # Many seconds for few tasks: its masters tell each other their state all the time.
    small_experiment["workload"]["jobs"] = 30_000
    free = {"request_us": 0, "send_ns": 0, "update_us": 0, "apply_ns": 0}
    small_experiment["scheduler"]["params"] = {"heartbeat_s": 0.0002, **free}
    api = Api(play.url)
    run = api.start(small_experiment, seed=21)
    wait_until(lambda: api.run(run["id"])["progress"] > 0.05, seconds=60, what="the run is under way")
    viewer = Follower(run["socket_url"])
    wait_until(lambda: viewer.last > 10, seconds=30, what="it is watched")
    assert not viewer.finished, "the run was too short for this test"

    own_redis.kill()
    gone = time.monotonic()
    wait_until(lambda: time.monotonic() > gone + AWAY_S, seconds=60, what="all retries are over")
    own_redis.start()

    ended = api.wait(run["id"], seconds=120)
    assert (ended["state"], ended["error"]) == ("done", None)
    assert saw_everything_once(viewer.wait()), viewer.covered()
    again = api.wait(api.start(small_experiment, seed=21)["id"], seconds=120)
    assert again["outcome_digest"] == ended["outcome_digest"]
    said = play.log.read_text()
    assert "Connection to broker lost" in said
    assert "Traceback" not in said, said
