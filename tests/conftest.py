"""What all tests share: how much is tried, what it costs, a real Redis, and a whole playground.

Hypothesis tries few examples, always the same, unless the profile `many` is chosen (`make test-all`). No property is
judged by how long a busy machine takes for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.spent import Spent
from tests.support import MortalRedis, Playground, running_playground, small_experiment

settings.register_profile(
    "few", deadline=None, suppress_health_check=list(HealthCheck), max_examples=10, derandomize=True
)
settings.register_profile("many", deadline=None, suppress_health_check=list(HealthCheck), max_examples=100)
settings.load_profile("few")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let `make test-all` say where the results go."""
    parser.addoption("--results", help="write counts and processor time to this page")


def pytest_configure(config: pytest.Config) -> None:
    """Measure what tests cost, in each process that runs some."""
    # A process of xdist only sees its own tests; the one that started it writes the page.
    results = None if hasattr(config, "workerinput") else config.getoption("results")
    config.pluginmanager.register(Spent(results), "spent")


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name bytes by their parameter: packed bytes hold the time, and parallel processes must agree on the names."""
    return argname if isinstance(val, bytes) else None


OF_AN_ADDRESS = (
    *("RUNS", "PAUSED_RUNS", "STUDIES", "CHALLENGES", "CLASSES", "TRACES", "IMPORTS", "PREVIEWS", "ENTRIES", "SHARED"),
    *("READS", "WRITES", "DRAFTS", "SEARCHES"),
)
"""Quotas that all visitors of one address share, as all visitors of a test do."""


@pytest.fixture(scope="session")
def playground(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Playground]:
    """Give a whole playground for all tests of a process, with wide limits; tests may kill its parts.

    Its supervisor brings back what was killed. Whoever kills a part waits until it is back.
    """
    with running_playground(
        tmp_path_factory.mktemp("play") / "var",
        PLAYGROUND_LIMIT_RUNS_AT_ONCE="1000",
        PLAYGROUND_LIMIT_PREVIEWS_PER_SECOND="1000",
        PLAYGROUND_LIMIT_PREVIEW_SECONDS="60",
        PLAYGROUND_LIMIT_WRITES_PER_VIEWER="100000",
        PLAYGROUND_LIMIT_TRACES="1000",
        PLAYGROUND_LIMIT_STUDIES="1000",
        PLAYGROUND_LIMIT_CHALLENGES="1000",
        **{f"PLAYGROUND_LIMIT_{name}_PER_ADDRESS": "1000000" for name in OF_AN_ADDRESS},
        PLAYGROUND_LIMIT_STORED_BYTES_PER_ADDRESS="100000000000",
        PLAYGROUND_LIMIT_TRACE_BYTES_PER_ADDRESS="100000000000",
        PLAYGROUND_CHECKPOINT_SECONDS="1",
        PLAYGROUND_BUILT_PAGES="1",  # as a user has them; where sources are newer, pages load their modules
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
