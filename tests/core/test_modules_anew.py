"""A module built anew, by this Python or by another one, does to the last bit what the one in the repository does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numba
import pytest

from scheduler_core.engine.wasm import machine, packed
from scheduler_core.run.engine_names import WASMTIME
from tests.core.engines import assert_equal, ended, of_module
from tests.pythons import other_python
from tests.support import PROJECT
from tests.tiers import all_but_wide

pytestmark = [
    pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled"),  # type: ignore[attr-defined]
    pytest.mark.slow,
]

MODULES = packed.manifest()
ONE = "schedulers/probing/sparrow/kernel.py:advance"
"""The loop that `make test` builds; `make test-all` builds each of them, one a test: a build takes some seconds."""
each_kernel = pytest.mark.parametrize("kernel", all_but_wide(sorted(MODULES), [ONE]))


def check_built_by(python: str, kernel: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail unless a module that a Python builds has the packed one's bytes, or runs to the same arrays.

    Another Python gives Numba other bytecode, so bytes may differ.
    """
    file = folder / "loop.wasm"
    command = [python, "-m", "tests.build_module", kernel, str(file)]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    module = file.read_bytes()
    if module == packed.module_bytes(MODULES[kernel]):
        return
    before = ended(of_module(kernel), WASMTIME)
    monkeypatch.setattr(machine, "_loaded", {MODULES[kernel].file: machine._compiled(module)})
    assert_equal(before, ended(of_module(kernel), WASMTIME), f"the module built by {python}")


@each_kernel
def test_a_module_built_anew_is_the_packed_one(kernel: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_built_by(sys.executable, kernel, tmp_path, monkeypatch)


@each_kernel
def test_another_python_builds_a_module_that_does_the_same(
    kernel: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python, why = other_python()
    if not python:
        pytest.skip(why)
    check_built_by(python, kernel, tmp_path, monkeypatch)
