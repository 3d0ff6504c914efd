"""A kernel that is not compiled runs from its module; the run changes over later, or never, and ends the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import pytest

from scheduler_core import Experiment
from scheduler_core.cli.main import main
from scheduler_core.engine.beside import COMPILE_FIRST
from scheduler_core.engine.entry import Kernel
from scheduler_core.engine.wasm import meanwhile, packed
from scheduler_core.run.engines import NATIVE, FirstByModule
from tests.core.engines import assert_equal, ended
from tests.support import PROJECT, small_experiment
from tests.tiers import all_but_wide, wide

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")  # type: ignore[attr-defined]

MODULES = packed.manifest()
FIRST = PROJECT / "fixtures" / "experiments" / "studio.json"


class ChangesOver(FirstByModule):
    """Change over to machine code after some calls of the loop, whatever is compiled."""

    def __init__(self, after: int) -> None:
        super().__init__()
        self.left = after

    def changes_over(self, kernel: Kernel, arguments: tuple[Any, ...]) -> bool:
        self.left -= 1
        return self.left < 0


@pytest.mark.parametrize("kernel", all_but_wide(sorted(MODULES), {"schedulers/probing/sparrow/kernel.py:advance"}))
def test_a_run_that_changes_over_ends_as_one_by_machine_code(kernel: str) -> None:
    experiment = Experiment.parse(small_experiment() | {"scheduler": MODULES[kernel].scheduler})
    native = ended(experiment, NATIVE)
    slices = len(native.phases)
    assert slices > 3, "there is a slice in the middle"
    for after in (1, slices // 2, 10 * slices):
        engine = ChangesOver(after)
        assert_equal(native, ended(experiment, engine))
        assert engine._decided == (after < slices), "the run changed over where it was told to"
        assert not engine.measures


def test_a_run_too_large_for_a_module_goes_on_by_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    from scheduler_core.engine.wasm import machine

    experiment = Experiment.parse(small_experiment() | {"scheduler": {"name": "sparrow"}})
    native = ended(experiment, NATIVE)
    monkeypatch.setattr(machine, "_MOST_BYTES", 2 << 20)
    engine = ChangesOver(1_000_000)
    assert_equal(native, ended(experiment, engine))
    assert engine._decided


def test_without_wasmtime_kernels_are_compiled_and_check_says_why(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(meanwhile, "lacking", lambda: "ImportError: no module named wasmtime")
    engine = FirstByModule()
    ended(Experiment.parse(small_experiment() | {"scheduler": {"name": "sparrow"}}), engine)
    assert engine._decided
    assert engine.measures
    main(["kernels", "check", "--json"])
    assert json.loads(capsys.readouterr().out)["first"]["lacking"] == "ImportError: no module named wasmtime"
    main(["kernels", "check"])
    assert "no module named wasmtime" in capsys.readouterr().out


# -- processes with an empty cache

NEW = """
import json, sys
from scheduler_core import Experiment, Simulation
from scheduler_core.engine import beside
from scheduler_core.schedulers.probing.pigeon.kernel import advance

def run():
    simulation = Simulation(Experiment.parse(json.loads(sys.argv[1])), frames=0)
    return simulation.finish().summary["outcome_digest"], simulation._engine.measures, len(advance.native.overloads)

{before}
print(json.dumps([run(){after}]))
"""
WAIT = """, [
    beside.compiler()._process.stdin.close(), beside.compiler()._process.wait(), beside.compiler()._looked.clear()
][1], run()"""
FAILS = 'sys.executable = "/nowhere/python"'


def in_new_process(cache: Path, before: str = "", after: str = "", **variables: str) -> Any:
    """Run pigeon, whose loop is the smallest, in a process that finds nothing compiled."""
    experiment = small_experiment() | {"scheduler": {"name": "pigeon"}}
    environment = {key: value for key, value in os.environ.items() if key != COMPILE_FIRST}
    done = subprocess.run(
        [sys.executable, "-c", NEW.format(before=before, after=after), json.dumps(experiment)],
        env=environment | {"SCHEDULER_CORE_CACHE": str(cache)} | variables,
        cwd=PROJECT, check=True, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    return json.loads(done.stdout)


def expected() -> str:
    experiment = Experiment.parse(small_experiment() | {"scheduler": {"name": "pigeon"}})
    return str(ended(experiment, NATIVE).summary["outcome_digest"])


def test_a_run_ends_where_nothing_can_compile(tmp_path: Path) -> None:
    assert in_new_process(tmp_path, FAILS) == [[expected(), False, 0]]


@wide
def test_another_process_compiles_and_the_next_run_takes_its_code(tmp_path: Path) -> None:
    first, code, second = in_new_process(tmp_path, after=WAIT)
    assert first == [expected(), False, 0]
    assert code == 0
    assert second == [expected(), True, 1]


@wide
def test_a_variable_has_kernels_compiled_first(tmp_path: Path) -> None:
    assert in_new_process(tmp_path, **{COMPILE_FIRST: "1"}) == [[expected(), True, 1]]
