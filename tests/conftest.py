"""Fixtures that more than one folder of tests uses: a real Redis, and a whole playground."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support import MortalRedis, Playground, running_playground, small_experiment


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name bytes by their parameter: packed bytes hold the time, and parallel processes must agree on the names."""
    return argname if isinstance(val, bytes) else None


@pytest.fixture(scope="session")
def playground(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Playground]:
    """Give a whole playground, ready to run experiments; one for all tests of a process."""
    with running_playground(
        tmp_path_factory.mktemp("play") / "var",
        PLAYGROUND_LIMIT_RUNS_AT_ONCE="1000",
        PLAYGROUND_LIMIT_PREVIEWS_PER_SECOND="1000",
        PLAYGROUND_LIMIT_TRACES="1000",
        PLAYGROUND_LIMIT_STUDIES="1000",
    ) as started:
        yield started


@pytest.fixture(scope="session")
def live_playground(playground: Playground) -> str:
    """Give the address of a whole playground."""
    return playground.url


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start a real redis-server on a socket of its own."""
    server = MortalRedis(tmp_path_factory.mktemp("redis"))
    yield server.url
    server.kill()


@pytest.fixture(name="small_experiment")
def _small_experiment() -> dict[str, Any]:
    """Give an experiment of a tenth of a second: 40 machines, 300 jobs."""
    return small_experiment()
