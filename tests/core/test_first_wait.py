"""A kernel that is not compiled runs from its module; the run changes over later, or never, and ends the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from scheduler_core import Experiment
from scheduler_core.cli.main import main
from scheduler_core.engine.beside import COMPILE_FIRST
from scheduler_core.engine.entry import Kernel, calling_by
from scheduler_core.engine.wasm import meanwhile, packed
from scheduler_core.engine.wasm.server import STAYS
from scheduler_core.kernels.examples import DRAWN
from scheduler_core.run.driver import Simulation
from scheduler_core.run.engine_names import NATIVE
from scheduler_core.run.engines import FirstByModule
from scheduler_core.run.preview import run_preview
from tests.core.engines import assert_equal, ended, of_module
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
    experiment = of_module(kernel)
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


class Compared:
    """Run each kernel by its module and by machine code, and compare what it returns and what it writes."""

    def __init__(self) -> None:
        self.without: set[str] = set()
        self.compared = 0

    def call(self, kernel: Kernel, arguments: tuple[Any, ...]) -> Any:
        if not meanwhile._fits(kernel, arguments):
            self.without.add(kernel.native.py_func.__qualname__)
            return kernel.native(*arguments)
        copies = tuple(copied(each) for each in arguments)
        answer = kernel.native(*arguments)
        assert meanwhile._call(kernel, copies) == answer, kernel
        for mine, theirs in zip(meanwhile._arrays(arguments), meanwhile._arrays(copies), strict=True):
            assert mine.tobytes() == theirs.tobytes(), kernel
        self.compared += 1
        return answer


def copied(argument: Any) -> Any:
    if isinstance(argument, np.ndarray):
        return argument.copy().view(type(argument))
    if isinstance(argument, tuple):
        parts = map(copied, argument)
        return type(argument)(*parts) if hasattr(argument, "_fields") else tuple(parts)
    return argument


def compared(experiment: Experiment) -> Compared:
    found = Compared()
    with calling_by(found):
        simulation = Simulation(experiment, frames=3)
        for _ in simulation.run():
            pass
        run_preview(experiment)
    assert found.compared > 10
    return found


@pytest.mark.slow
def test_the_first_change_compiles_nothing() -> None:
    """Every kernel of the studio's first experiment has a module, with the machine code's results."""
    assert compared(Experiment.from_file(FIRST)).without == set()


@wide
@pytest.mark.parametrize("kernel", sorted(MODULES))
def test_a_scheduler_s_first_run_compiles_nothing(kernel: str) -> None:
    found = compared(of_module(kernel))
    assert found.without == set() or kernel in {each.kernel for each in STAYS}


@wide
@pytest.mark.parametrize("workload", DRAWN)
def test_drawing_compiles_nothing(workload: dict[str, Any]) -> None:
    assert compared(Experiment.parse(small_experiment() | {"workload": workload})).without == set()


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


@wide
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
