"""Who compiles ahead stands still while somebody waits for another compilation, and goes on afterwards."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from scheduler_core.engine import giving_way
from scheduler_core.engine.sources import cache_root
from tests.support import PROJECT, wait_until

AHEAD = """
import sys, time
from collections.abc import Iterator
from pathlib import Path
from scheduler_core.engine.giving_way import compile_ahead

def work():
    for number in range(200):
        Path(sys.argv[1]).write_text(str(number))
        time.sleep(0.02)

sys.exit(compile_ahead(work))
"""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("SCHEDULER_CORE_CACHE", str(tmp_path / "cache"))
    cache_root.cache_clear()
    yield tmp_path
    cache_root.cache_clear()


def test_a_process_that_compiles_ahead_stands_still_while_somebody_waits(cache: Path) -> None:
    told = cache / "told"
    ahead = subprocess.Popen([sys.executable, "-c", AHEAD, str(told)], cwd=PROJECT)
    try:
        wait_until(told.exists, seconds=30, what="it has begun")
        waits = giving_way._Waited()
        waits.on_start(None)
        waits.on_start(None)
        waits.on_end(None)
        wait_until(lambda: stands_still(told), seconds=10, what="it stands still")
        assert ahead.poll() is None
        waits.on_end(None)
        assert ahead.wait(timeout=60) == 0
        assert told.read_text() == "199"
    finally:
        ahead.kill()


def stands_still(told: Path) -> str:
    """Return what was told last, where it stays so for some rounds; else nothing."""
    before = told.read_text()
    time.sleep(0.3)
    return before if before == told.read_text() else ""


def test_nobody_waits_where_nothing_is_compiled(cache: Path) -> None:
    assert not giving_way.somebody_waits()
