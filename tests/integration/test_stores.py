"""Databases under many writers: SQLite as it comes, PostgreSQL where there is one."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scheduler_core import Experiment, simulate
from tests import postgres
from tests.support import PROJECT, answers, own_environment, small_experiment, start_playground, wait_until
from tests.support_api import Api, watch
from tests.tiers import wide

pytestmark = [pytest.mark.redis, pytest.mark.slow, pytest.mark.xdist_group("stores")]

WRITERS, ROUNDS = 8, 12


@pytest.fixture(scope="module")
def postgresql() -> Iterator[str]:
    """Give the URL of an empty database of a cluster of its own."""
    if postgres.programs() is None:
        pytest.skip(postgres.MISSING)
    with postgres.cluster() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path, redis_url: str) -> dict[str, str]:
    """Give the environment of a migrated store."""
    variables = {"PLAYGROUND_REDIS_URL": redis_url, "DJANGO_SETTINGS_MODULE": "playground.settings"}
    if request.param == "postgresql":
        variables["PLAYGROUND_DATABASE_URL"] = request.getfixturevalue("postgresql")
    (tmp_path / "var").mkdir()
    environment = own_environment(tmp_path / "var", **variables)
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(command, cwd=PROJECT, env=environment, check=True)
    return environment


@wide
def test_eight_processes_write_at_once_and_none_finds_the_store_locked(store: dict[str, str]) -> None:
    command = [sys.executable, "-m", "tests.integration.writer", str(WRITERS), str(ROUNDS)]
    done = subprocess.run(command, cwd=PROJECT, env=store, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(f"{ROUNDS} rounds") == WRITERS, done.stdout
    assert not re.search("locked|deadlock|Traceback", done.stderr), done.stderr
    count = (
        "import django; django.setup()\n"
        "from collections import Counter; from playground.models import Experiment, Run\n"
        "print(Experiment.objects.count(), dict(Counter(str(s) for s in Run.objects.values_list('state', flat=True))))"
    )
    counted = subprocess.run([sys.executable, "-c", count], cwd=PROJECT, env=store, capture_output=True, text=True)
    rounds = WRITERS * ROUNDS
    assert counted.stdout.split(maxsplit=1)[0] == str(rounds), counted.stderr
    assert f"'done': {rounds}" in counted.stdout
    assert f"'cancelled': {rounds}" in counted.stdout


def test_sqlite_writes_ahead_and_waits(tmp_path: Path) -> None:
    code = (
        "import django; django.setup()\n"
        "from django.db import connection as c\n"
        "cursor = c.cursor()\n"
        "modes = [cursor.execute(f'PRAGMA {p}').fetchone()[0] for p in ('journal_mode', 'busy_timeout')]\n"
        "print(*modes, c.transaction_mode)"
    )
    (tmp_path / "var").mkdir()
    environment = own_environment(tmp_path / "var", DJANGO_SETTINGS_MODULE="playground.settings")
    said = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, env=environment, capture_output=True, text=True)
    assert said.stdout.split() == ["wal", "20000", "IMMEDIATE"], said.stderr


@wide
@pytest.mark.parametrize("file", ["experiments_api", "pausing_api", "forks"])
def test_the_tests_of_the_api_pass_on_postgresql(postgresql: str, file: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", f"tests/web/test_{file}.py"],
        cwd=PROJECT,
        env={**os.environ, "PLAYGROUND_DATABASE_URL": postgresql},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:]
    assert " passed" in done.stdout


@wide
def test_a_playground_on_postgresql_runs_pauses_and_ends_as_the_library_does(tmp_path: Path, postgresql: str) -> None:
    data: dict[str, Any] = small_experiment()
    data["workload"]["jobs"] = 120_000
    # Heartbeats make the run last long enough to be paused.
    data["scheduler"]["params"] = {"heartbeat_s": 0.005, "request_us": 0, "send_ns": 0, "update_us": 0, "apply_ns": 0}
    play = start_playground(tmp_path / "var", PLAYGROUND_DATABASE_URL=postgresql)
    try:
        wait_until(lambda: answers(play.url + "/readyz"), seconds=60, what="the playground is ready")
        assert not list((tmp_path / "var").glob("*.sqlite3"))
        api = Api(play.url)
        run = api.start(data, seed=1)
        wait_until(lambda: api.run(run["id"])["progress"] > 0, seconds=90, what="the run is under way")
        api.call("POST", f"/api/v1/runs/{run['id']}/pause")
        api.wait(run["id"], {"paused"}, seconds=30)
        api.call("POST", f"/api/v1/runs/{run['id']}/resume")
        seen = watch(api.run(run["id"])["socket_url"])
        ended = api.wait(run["id"])
        assert ended["outcome_digest"] == simulate(Experiment.parse(data)).summary["outcome_digest"]
        assert seen.covered() == list(range(ended["frames"]))
        assert api.call("GET", f"/api/v1/runs/{run['id']}/summary").json["tasks"]["completed"] == 120_000
        said = play.log.read_text()
        assert "Traceback" not in said
        assert "ERROR" not in said
    finally:
        play.stop()
