"""How far compiling is: the shipped figures name today's kernels, and a mark counts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numba
import pytest

from scheduler_core import SCHEDULERS
from scheduler_core.engine import compile_progress, sources
from scheduler_core.engine.compile_progress import Compiled, Figure, look, shipped_figures

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")  # type: ignore[attr-defined]


def test_shipped_figures_are_of_todays_kernels_and_schedulers() -> None:
    figures, schedulers = shipped_figures()
    assert set(schedulers) == {spec.name for spec in SCHEDULERS}, "python -m bench.compile_figures"
    for name, kernels in schedulers.items():
        assert kernels, name
        for kernel in kernels:
            assert figures[kernel].functions > 0, "python -m bench.compile_figures"
            assert kernel in sources.known_digests(), f"{kernel} is gone: python -m bench.compile_figures"


def test_it_says_what_is_done_and_how_long_the_rest_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "cache_root", lambda: tmp_path)
    monkeypatch.setattr(sources, "known_digests", lambda: {"a.py:one": "1", "a.py:two": "2"})
    known = {"a.py:one": Figure(10, 4.0), "a.py:two": Figure(30, 8.0)}
    assert look(known) == Compiled(0, 40, 12.0)
    compile_progress._write(compile_progress._mark_file("a.py:two"), json.dumps([7, time.time() - 3.0]))
    assert look(known).done == 7
    assert look(known).left_s == pytest.approx(9.0, abs=0.5)
    (tmp_path / "2" / "a").mkdir(parents=True)
    (tmp_path / "2" / "a" / "two.nbc").touch()
    assert look(known) == Compiled(30, 40, 4.0)
    # A machine that took twice as long for one kernel is expected to take twice as long for another.
    monkeypatch.setattr(compile_progress, "shipped_figures", lambda: (known, {}))
    compile_progress._learn("a.py:one", Figure(10, 8.0))
    assert compile_progress.expected(["a.py:two"]) == {"a.py:two": Figure(30, 16.0)}


_RUN = """
import sys, time
sys.path.insert(0, {folder!r})
from scheduler_core.engine import compile_progress, sources
import one_kernel
sources.known_digests = lambda: {{"one": sources.code_digest(one_kernel.slow.py_func)}}
name = compile_progress.kernel_name(one_kernel.slow.py_func)
sources.known_digests = lambda: {{name: sources.code_digest(one_kernel.slow.py_func)}}
compile_progress.shipped_figures = lambda: ({{name: compile_progress.Figure(2, 3.0)}}, {{"any": (name,)}})
told = []
with compile_progress.follow_compiling("any", told.append):
    assert one_kernel.slow(3) == 4
    time.sleep(1)
print(len(told) > 1, {{each.known for each in told}}, told[0].left_s > told[-1].left_s)
print(compile_progress.learned_figures()[name].functions, list((sources.cache_root() / "compiling").iterdir()))
"""
_KERNEL = """
import time
from numba.core import event
from scheduler_core.engine.jit import inner, kernel


class Slow(event.Listener):
    def on_start(self, event):
        time.sleep(1.2)

    def on_end(self, event):
        pass


@inner
def one_more(n):
    return n + 1


@kernel
def slow(n):
    return one_more(n)


event.register("numba:compile", Slow())
"""


def test_compiling_is_told_while_it_happens_and_not_afterwards(tmp_path: Path) -> None:
    (tmp_path / "one_kernel.py").write_text(_KERNEL)
    environment = {**os.environ, "SCHEDULER_CORE_CACHE": str(tmp_path / "cache")}
    command = [sys.executable, "-c", _RUN.format(folder=str(tmp_path))]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["True {2} True", "2 []"]
