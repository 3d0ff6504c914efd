from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from playground.management.commands.play import _once
from playground.shell.play.processes import PlayOptions, processes, redis_process, supervised
from playground.shell.play.redis_server import private_redis_socket
from scheduler_core import Experiment


def options(**changes: object) -> PlayOptions:
    return PlayOptions(**({"host": "127.0.0.1", "port": 8000, "workers": 2} | changes))  # type: ignore[arg-type]


def test_there_is_a_server_a_worker_for_runs_and_one_for_previews() -> None:
    by_name = {spec.name: spec for spec in processes(options())}
    assert list(by_name) == ["web", "runs", "previews"]
    assert "tcp:port=8000:interface=127.0.0.1:backlog=1024" in by_name["web"].arguments
    concurrency = by_name["runs"].arguments.index("--concurrency")
    assert by_name["runs"].arguments[concurrency + 1] == "2"
    assert "PLAYGROUND_WARMER" not in by_name["previews"].environment  # the supervisor starts that itself, sooner


def test_threads_of_the_web_process_share_one_heap() -> None:
    """Each request has a thread; heaps of their own grew by 40 MB an hour (docs/development/reliability.md)."""
    assert processes(options())[0].environment["MALLOC_ARENA_MAX"] == "1"


def test_kernels_of_the_studios_first_experiment_are_compiled_before_all_else(settings: Any) -> None:
    settings.WARM_KERNELS = settings.BUILD_DOCS = True
    assert [spec.name for spec in _once(with_workers=True)] == ["kernels", "docs"]
    arguments = _once(with_workers=True)[0].arguments
    assert Experiment.from_file(arguments[arguments.index("--first") + 1]).name
    assert [spec.name for spec in _once(with_workers=False)] == ["docs"]
    settings.WARM_KERNELS = settings.BUILD_DOCS = False
    assert _once(with_workers=True) == ()


def test_without_workers_there_is_only_the_server() -> None:
    assert [spec.name for spec in processes(options(with_workers=False))] == ["web"]


def test_redis_is_ours_only_where_no_other_is_named(tmp_path: Path) -> None:
    assert redis_process(options()) is None
    spec = redis_process(options(redis_program="/bin/redis-server", redis_socket=tmp_path / "redis.sock"))
    assert spec is not None
    assert spec.arguments[:3] == ("/bin/redis-server", "--port", "0")


def test_children_are_wrapped_so_that_they_end_with_their_supervisor() -> None:
    spec = processes(options())[0]
    wrapped = supervised(spec)
    assert wrapped[-len(spec.arguments) :] == list(spec.arguments)
    assert any(part.endswith("child.py") for part in wrapped)


def test_a_deep_data_folder_still_gets_a_socket_that_fits() -> None:
    deep = Path("/", *["folder"] * 40)
    socket = private_redis_socket(deep)
    assert len(os.fsencode(socket)) < 104
    assert socket != private_redis_socket(deep / "other")
