"""Fixtures that more than one folder of tests uses: a real Redis, and a whole playground."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support import Playground, answers, small_experiment, start_playground, wait_until


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name bytes by their parameter: packed bytes hold the time, and parallel processes must agree on the names."""
    return argname if isinstance(val, bytes) else None


@pytest.fixture(scope="session")
def playground(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Playground]:
    """Give a whole playground, ready to run experiments; one for all tests of a process."""
    started = start_playground(tmp_path_factory.mktemp("play") / "var", PLAYGROUND_LIMIT_RUNS_AT_ONCE="1000")
    try:
        wait_until(
            lambda: started.process.poll() is not None or answers(started.url + "/readyz"),
            seconds=60,
            what="the playground is ready",
        )
        assert started.process.poll() is None, started.log.read_text()
        yield started
    finally:
        if started.process.poll() is None:
            started.stop()


@pytest.fixture(scope="session")
def live_playground(playground: Playground) -> str:
    """Give the address of a whole playground."""
    return playground.url


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start a real redis-server on a socket of its own."""
    from playground.play.redis_server import (
        find_redis_server,
        prepare_redis_folder,
        private_redis_socket,
        redis_arguments,
    )

    program = find_redis_server()
    assert program is not None, "the development dependencies bring a redis-server"
    path = private_redis_socket(tmp_path_factory.mktemp("redis"))
    prepare_redis_folder(path)
    server = subprocess.Popen(redis_arguments(program, path))
    try:
        wait_until(path.exists, seconds=10, what="Redis listens")
        yield f"unix://{path}"
    finally:
        server.terminate()
        server.wait(timeout=10)


@pytest.fixture(name="small_experiment")
def _small_experiment() -> dict[str, Any]:
    """Give an experiment of a tenth of a second: 40 machines, 300 jobs."""
    return small_experiment()
