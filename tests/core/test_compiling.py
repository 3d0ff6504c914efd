"""Compiling: told while it happens, and never twice at once by two processes that share a cache."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from scheduler_core.engine.sources import cache_root
from tests.tiers import wide

pytestmark = pytest.mark.slow

CODE = """
import sys, time
from pathlib import Path
from scheduler_core.engine.jit import watch_compiling
sys.path.insert(0, {folder!r})
told = []
import one_kernel
with watch_compiling(told.append):
    assert one_kernel.triangle(10) == 55
hits, misses = one_kernel.triangle.stats.cache_hits, one_kernel.triangle.stats.cache_misses
print(len(hits), len(misses), told)
"""
# A compiler that takes long enough for the others to come by, and that leaves a mark each time.
KERNEL = """
from __future__ import annotations
import time
from pathlib import Path
from numba.core import event
from scheduler_core.engine.jit import kernel


class Slow(event.Listener):
    def on_start(self, event):
        with Path({marks!r}).open("a") as file:
            file.write("compiled\\n")
        time.sleep(2)

    def on_end(self, event):
        pass


@kernel
def triangle(n):
    total = 0
    for i in range(n + 1):
        total += i
    return total


event.register("numba:compile", Slow())
"""


@wide
def test_four_processes_compile_a_kernel_once_and_those_who_wait_say_so(tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    (tmp_path / "one_kernel.py").write_text(KERNEL.format(marks=str(marks)))
    environment = {**os.environ, "SCHEDULER_CORE_CACHE": str(tmp_path / "cache")}

    def start() -> subprocess.Popen[str]:
        command = [sys.executable, "-c", CODE.format(folder=str(tmp_path))]
        return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)

    started = [start() for _ in range(4)]
    said = sorted(process.communicate(timeout=120)[0].strip() for process in started)
    assert [process.returncode for process in started] == [0, 0, 0, 0]
    assert marks.read_text().splitlines() == ["compiled"]
    assert [line[:3] for line in said] == ["0 1", "1 0", "1 0", "1 0"]
    assert said[0] == "0 1 [True, False]"
    assert all(line in ("1 0 [True, False]", "1 0 []") for line in said[1:])
    # Who comes later has nothing to wait for.
    assert start().communicate(timeout=60)[0].strip() == "1 0 []"


@wide
def test_a_cache_without_locks_on_a_full_disk_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "one_kernel.py").write_text(KERNEL.format(marks=str(tmp_path / "marks")))
    code = (
        "import scheduler_core.engine.jit as jit, filelock\n"
        "def refuse(*a, **k): raise PermissionError('no')\n"
        "filelock.FileLock.acquire = refuse\n"
        "from numba.core.caching import IndexDataCacheFile\n"
        "def full(*a, **k): raise OSError(28, 'No space left on device')\n"
        "IndexDataCacheFile.save = full\n"
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "import one_kernel; print(one_kernel.triangle(4))"
    )
    environment = {**os.environ, "SCHEDULER_CORE_CACHE": str(tmp_path / "cache")}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "10"
    assert "compiled code is not kept" in done.stderr


def test_compiled_code_goes_to_a_temporary_folder_where_the_cache_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("SCHEDULER_CORE_CACHE", str(tmp_path / "file" / "cache"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert cache_root.__wrapped__() == tmp_path / "scheduler-core-cache"
    # So it does where the disk is full.
    monkeypatch.setenv("SCHEDULER_CORE_CACHE", str(tmp_path / "cache"))
    assert cache_root.__wrapped__() == tmp_path / "cache"
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=0))
    assert cache_root.__wrapped__() == tmp_path / "scheduler-core-cache"


STOPPED = """
import sys
sys.path.insert(0, {folder!r})
from scheduler_core import NotCompiled, compile_while, leave_marks, only_compiled
from scheduler_core.engine.compile_progress import kernel_name, learned_figures
from scheduler_core.engine.jit import watch_compiling
from nested import total
leave_marks()
told, seen, checked = [], [], []
def check():
    checked.append(1)
    if len(checked) == 3:
        raise InterruptedError
def attempt(way):
    told.clear()
    with watch_compiling(told.append), way:
        try:
            seen.append(total(2))
        except (InterruptedError, NotCompiled) as error:
            seen.append(type(error).__name__)
    print(seen[-1], told)
attempt(only_compiled())
attempt(only_compiled())
attempt(compile_while(check))
attempt(compile_while(check))
print(len(checked), learned_figures()[kernel_name(total.py_func)].functions)
"""
NESTED = """
from scheduler_core.engine.jit import inner, kernel

@inner
def one(n):
    return n + 1

@inner
def two(n):
    return one(n) + 1

@inner
def three(n):
    return n + 3

@kernel
def total(n):
    return one(n) + three(n) + two(n)
"""


def test_a_compilation_that_was_refused_or_stopped_is_told_and_goes_on_where_it_was(tmp_path: Path) -> None:
    (tmp_path / "nested.py").write_text(NESTED)
    environment = {**os.environ, "SCHEDULER_CORE_CACHE": str(tmp_path / "cache")}
    command = [sys.executable, "-c", STOPPED.format(folder=str(tmp_path))]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    *attempts, counted = done.stdout.splitlines()
    # The first listener that refuses stands after the watcher, the second one before it.
    assert attempts[0] == "NotCompiled [True, False]"
    assert attempts[1] == "NotCompiled []"
    assert attempts[2] == "InterruptedError [True, False]"
    assert attempts[3] == "12 [True, False]"
    # Three functions before it stopped, of which one was compiled by then; then the kernel and the two that are left.
    assert counted == "6 4"
