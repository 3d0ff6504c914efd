"""Redis is away for longer than anybody's retries: runs come out as if it had not been, and the log stays short."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from tests.integration.following import Follower, saw_everything_once
from tests.support import MortalRedis, Playground, chatty_experiment, running_playground, wait_until
from tests.support_api import Api
from tests.tiers import wide

pytestmark = [pytest.mark.redis, pytest.mark.slow, pytest.mark.xdist_group("redis-away"), wide]

#: The clients' retries take 5.5 s; a lease lasts 2 s here.
AWAY_S = 9.0


@pytest.fixture(scope="module")
def own_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MortalRedis]:
    server = MortalRedis(tmp_path_factory.mktemp("away"))
    yield server
    server.kill()


@pytest.fixture(scope="module")
def play(own_redis: MortalRedis, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Playground]:
    folder = tmp_path_factory.mktemp("away-play") / "var"
    with running_playground(folder, PLAYGROUND_REDIS_URL=own_redis.url, PLAYGROUND_LEASE_SECONDS="2") as started:
        yield started


def test_redis_stays_away_longer_than_the_retries(play: Playground, own_redis: MortalRedis) -> None:
    experiment = chatty_experiment()
    api = Api(play.url)
    run = api.start(experiment, seed=21)
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
    again = api.wait(api.start(experiment, seed=21)["id"], seconds=120)
    assert again["outcome_digest"] == ended["outcome_digest"]
    said = play.log.read_text()
    assert "Connection to broker lost" in said
    assert "Traceback" not in said, said
