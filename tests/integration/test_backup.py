"""Backup and restore by their commands: an archive of version 0.1.0 opens today, and what is restored is all there."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scheduler_core import __version__
from tests import postgres
from tests.s3 import KEYS, s3_server, storage_url
from tests.support import PROJECT, own_environment
from tests.tiers import wide

pytestmark = [pytest.mark.redis, pytest.mark.slow, pytest.mark.xdist_group("stores"), wide]

#: Two experiments with their links, and a run of the first, made and backed up by version 0.1.0 (tests/data/README.md).
ARCHIVE = PROJECT / "tests" / "data" / "backup_of_0.1.0.zip"


@pytest.fixture(params=["one host", "several hosts"])
def host(request: pytest.FixtureRequest, tmp_path: Path, redis_url: str) -> Iterator[dict[str, str]]:
    """Give the environment of an empty host: SQLite and a folder, or PostgreSQL and an object store."""
    if request.param == "one host":
        yield environment_of(tmp_path / "first", redis_url)
        return
    if postgres.programs() is None:
        pytest.skip(postgres.MISSING)
    with postgres.cluster() as database, s3_server() as store:
        variables = {"PLAYGROUND_DATABASE_URL": database, "PLAYGROUND_STORAGE_URL": storage_url(store, "first")}
        yield environment_of(tmp_path / "first", redis_url, **variables) | KEYS


def environment_of(folder: Path, redis_url: str, **variables: str) -> dict[str, str]:
    common = {"PLAYGROUND_REDIS_URL": redis_url, "DJANGO_SETTINGS_MODULE": "playground.settings"}
    return own_environment(folder, **common, **variables)


def python(environment: dict[str, str], *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True, check=False)


def manage(environment: dict[str, str], *arguments: str | Path) -> str:
    done = python(environment, "manage.py", *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def contents(archive: Path) -> dict[str, Any]:
    """Return the rows of each table and the checksum of each file."""
    with zipfile.ZipFile(archive) as opened:
        return {
            info.filename: sorted(opened.read(info).splitlines()) if info.filename.startswith("rows/") else info.CRC
            for info in opened.infolist()
            if info.filename != "manifest.json"
        }


def test_what_an_earlier_version_kept_opens_today_and_moves_on(
    host: dict[str, str], tmp_path: Path, redis_url: str
) -> None:
    with zipfile.ZipFile(ARCHIVE) as opened:
        lines = opened.read("rows/playground.experiment.jsonl").splitlines()
    rows = {row["name"]: row for row in map(json.loads, lines)}
    assert "version 0.1.0" in manage(host, "restore", ARCHIVE)
    plain, changed = rows["Made by version 0.1.0"], rows["Carbyne of version 0.1.0"]
    shown = python(host, "-m", "tests.integration.restored", plain["slug"], changed["slug"])
    assert shown.returncode == 0, shown.stderr
    first, second = json.loads(shown.stdout)
    assert (first["status"], second["status"]) == (200, 200)
    assert first["created_at"] == plain["created_at"], "a restored row keeps its time"
    (run,) = first["runs"]
    assert (run["state"], run["recording"]) == ("done", "kept")
    assert run["seqs"] == list(range(run["frames"]))
    # The page says under which version it was made, where today's rules are others.
    assert second["former_rules"]["version"] == "0.1.0"
    assert second["former_rules"]["values"]
    assert first["core_version"] == "0.1.0"

    today, again = tmp_path / "today.zip", tmp_path / "again.zip"
    manage(host, "backup", today)
    assert today.stat().st_mode & 0o077 == 0, "only its owner may read it"
    other = environment_of(tmp_path / "second", redis_url)
    assert __version__ in manage(other, "restore", today)
    manage(other, "backup", again)
    assert contents(again) == contents(today)

    refused = python(other, "manage.py", "restore", today)
    assert refused.returncode == 1
    assert "--replace" in refused.stderr
    damaged = bytearray(today.read_bytes())
    damaged[damaged.index(b"files/runs/") + 200] ^= 1
    again.write_bytes(damaged)
    refused = python(other, "manage.py", "restore", again, "--replace")
    assert (refused.returncode, "nothing was changed" in refused.stderr) == (1, True), refused.stderr
    manage(other, "restore", today, "--replace")
