"""Event loops as WebAssembly modules: none is stale, none imports a function; by wasmtime and node, native bits."""

from __future__ import annotations

import ast
import dataclasses
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numba
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import Experiment, ExperimentError, UnknownName, simulate
from scheduler_core.cli.main import main
from scheduler_core.engine import sources
from scheduler_core.engine.wasm import packed
from scheduler_core.engine.wasm.finish import BuildError, about_of, imports_of, leb, read_leb, sleb
from scheduler_core.engine.wasm.server import STAYS
from scheduler_core.run.engine_names import NATIVE, WASMTIME
from scheduler_core.run.engines import RunEngine
from tests.core.engines import assert_equal, assert_equal_by, ended, of_module
from tests.core.experiments import experiments
from tests.core.in_javascript import node_engine
from tests.support import PROJECT, small_experiment
from tests.tiers import examples, wide

CORE = PROJECT / "scheduler_core"
MOST_BYTES = 2_000_000
MODULES = packed.manifest()
COMPILED = frozenset({"kernel", "inner", "called"})
EXACT = frozenset({"sqrt", "floor", "ceil", "inf", "nan", "gcd", "isnan", "isinf", "isfinite"})
"""What compiled code takes of `math`: defined to the last bit, and without a function that a module would import."""
INEXACT = frozenset(
    {
        "exp",
        "exp2",
        "expm1",
        "log",
        "log2",
        "log10",
        "log1p",
        "sin",
        "cos",
        "tan",
        "arcsin",
        "arccos",
        "arctan",
        "power",
    }
    | {"sinh", "cosh", "tanh", "cbrt", "hypot", "ldexp", "frexp", "float_power", "logaddexp"}
)
"""Functions of NumPy whose last bits depend on the machine, or that a module would have to import."""
needs_machine_code = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")  # type: ignore[attr-defined]
each_module = pytest.mark.parametrize("kernel", sorted(MODULES))


# -- the packed file


def test_no_module_is_stale_and_none_is_missing() -> None:
    assert packed.stale() == [], f"run `{packed.BUILD}` (two minutes of both cores for all) and commit what it wrote"
    assert sorted(MODULES) == packed.event_loops(), f"run `{packed.BUILD}`: it drops modules without an event loop"


def test_the_packed_file_is_small_enough_for_the_repository() -> None:
    assert packed.packed_file().stat().st_size < MOST_BYTES


@each_module
def test_a_module_imports_its_memory_alone_and_says_what_it_is(kernel: str) -> None:
    built = MODULES[kernel]
    module = packed.module_bytes(built)
    assert imports_of(module) == ["env.memory memory"]
    about = about_of(module)
    assert (about["kernel"], about["digest"]) == (kernel, built.digest)
    assert about["tools"].keys() == {"llvm", "llvmlite", "numba"}
    assert about["returns"] == built.returns == "int64"
    assert len(module) == built.size
    assert built.digest in built.file
    assert str(PROJECT).encode() not in module


# -- what names a module


LOOP = """
from scheduler_core.engine.records import World
from scheduler_core.two import State, helped


def advance(w: World, s: State, until_ns: int, max_events: int) -> int:
    {text}
    return helped(s.row[0].count) + {factor}
"""
TWO = """
import numpy as np
from typing import NamedTuple
{comment}
ROW = np.dtype([("count", "{column}")])


class State(NamedTuple):
    row: object


def helped(x):
    return 2 * x
"""


def digest(folder: Path, **changes: str) -> str:
    """The digest of a tiny loop in a library of its own."""
    parts = {"text": "pass", "factor": "1", "comment": "", "column": "i8"} | changes
    package = folder / "-".join(parts.values()).replace(" ", "").replace('"', "").replace("#", "c") / "scheduler_core"
    (package / "engine").mkdir(parents=True)
    (package / "loop.py").write_text(LOOP.format(**parts))
    (package / "two.py").write_text(TWO.format(**parts))
    (package / "engine" / "records.py").write_text("class World:\n    pass\n")
    for each in (package, package / "engine"):
        (each / "__init__.py").write_text("")
    return sources.portable_digest(package, "loop.py:advance")


def test_a_module_s_name_changes_with_the_code_and_with_the_columns_of_its_arrays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "_file", lambda module: _file(tmp_path, module))
    first = digest(tmp_path)
    assert digest(tmp_path, factor="2") != first
    assert digest(tmp_path, column="i4") != first
    assert digest(tmp_path, comment="# Rows.") == first
    assert digest(tmp_path, text='"""Run."""; pass') == first


def _file(folder: Path, module: str) -> Path | None:
    """Find a module in the package that was written last."""
    packages = sorted(folder.iterdir(), key=lambda each: each.stat().st_mtime_ns)
    path = packages[-1].joinpath(*module.split("."))
    return next((each for each in (path.with_suffix(".py"), path / "__init__.py") if each.is_file()), None)


@pytest.mark.parametrize("number", [0, 1, 63, 64, 127, 128, 8191, 8192, 1 << 20, (1 << 31) - 1])
def test_numbers_of_variable_length_read_as_they_were_written(number: int) -> None:
    assert read_leb(leb(number), 0) == (number, len(leb(number)))
    assert read_leb(sleb(number), 0)[0] == number
    assert sleb(number)[-1] & 0x40 == 0, "a sixth bit would make it negative"


def test_bytes_that_are_no_module_are_refused() -> None:
    with pytest.raises(BuildError):
        about_of(b"PK\x03\x04 something else")


# -- what stays on the server


def test_the_loops_that_stay_on_the_server_are_those_that_ask_python_and_become_fewer() -> None:
    asks = {
        f"{path.relative_to(CORE).as_posix()}:advance"
        for path in (CORE / "schedulers").rglob("*.py")
        if "return CONSULT" in path.read_text(encoding="utf-8")
    }
    assert {each.kernel for each in STAYS} == asks
    assert asks <= {
        "schedulers/flow/kernel.py:advance",
        "schedulers/plugin/choose/kernel.py:advance",
        "schedulers/spacetime/kernel.py:advance",
    }, "a new event loop decides by itself: it then runs in a page, too"


def test_check_names_stale_modules_sizes_and_what_stays(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kernels", "check", "--json"]) == (1 if packed.stale() else 0)
    told = json.loads(capsys.readouterr().out)
    assert {each["kernel"] for each in told["modules"]} == set(packed.event_loops())
    assert told["bytes"] == packed.packed_file().stat().st_size
    assert sorted([*told["stale"], *told["missing"]]) == packed.stale()
    assert {each["kernel"] for each in told["server"]} == {each.kernel for each in STAYS}
    assert all(each["bytes"] > each["packed_bytes"] > 0 for each in told["modules"] if each["state"] == "ok")


def test_check_tells_what_to_do_about_a_missing_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(packed, "packed_file", lambda: tmp_path / "modules.zip")
    assert main(["kernels", "check"]) == 1
    assert f"Build them: {packed.BUILD}" in capsys.readouterr().out


# -- exact functions only


def compiled_functions() -> Iterator[tuple[str, ast.FunctionDef]]:
    """Every function that Numba compiles, with its place."""
    for path in sorted(CORE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "engine.jit import" in text:
            for node in ast.parse(text).body:
                if isinstance(node, ast.FunctionDef) and any(
                    isinstance(each, ast.Name) and each.id in COMPILED for each in node.decorator_list
                ):
                    yield f"{path.relative_to(CORE).as_posix()}:{node.name}", node


def test_compiled_code_calls_no_function_whose_last_bit_depends_on_the_machine() -> None:
    found = []
    for place, function in compiled_functions():
        for node in ast.walk(function):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                inexact = node.value.id == "math" and node.attr not in EXACT
                inexact |= node.value.id == "np" and node.attr in INEXACT
                if inexact:
                    found.append(f"{place} uses {node.value.id}.{node.attr}")
            elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and not _whole_power(node):
                found.append(f"{place} raises to a power that may be a fraction")
    assert found == [], "engine/maths.py has exact log, exp, frexp and ldexp; multiply for a whole power"


def _whole_power(node: ast.BinOp) -> bool:
    return isinstance(node.right, ast.Constant) and isinstance(node.right.value, int)


# -- equal to the last bit


@pytest.fixture(scope="session")
def engines() -> Iterator[dict[str, str | RunEngine]]:
    """Give the engines besides machine code. One process of node serves all tests of a process."""
    with node_engine() as in_node:
        yield {WASMTIME: WASMTIME, "node": in_node}


@needs_machine_code
@each_module
def test_a_run_from_a_module_ends_with_the_native_run_s_arrays_counters_and_digest(
    kernel: str, engines: dict[str, str | RunEngine]
) -> None:
    native = assert_equal_by(of_module(kernel), engines)
    assert native.summary["tasks"]["completed"] > 0
    assert len(native.phases) > 1, "arrays were compared in mid-run"


@wide
@needs_machine_code
@each_module
@examples(200)
@given(data=st.data())
def test_experiments_end_equal_by_all_engines(
    kernel: str, engines: dict[str, str | RunEngine], data: st.DataObject
) -> None:
    scheduler = MODULES[kernel].scheduler
    drawn = experiments(scheduler["name"], profile=scheduler["params"].get("profile"))
    assert_equal_by(data.draw(drawn), engines)


@needs_machine_code
def test_a_difference_is_told_with_its_engine_its_slice_and_its_array() -> None:
    experiment = of_module(next(iter(MODULES)))
    native = ended(experiment, NATIVE)
    second = [native.phases[0], native.phases[1] | {"world.task": "other"}, *native.phases[2:]]
    other = dataclasses.replace(native, phases=second)
    with pytest.raises(AssertionError, match=r"node first differs after slice 1, events \d+ to \d+, .*: world.task"):
        assert_equal(native, other, "node")


def test_another_engine_is_refused_with_the_allowed_ones() -> None:
    with pytest.raises(UnknownName, match=r"native.*wasmtime"):
        simulate(of_module(next(iter(MODULES))), engine="v8")


def test_a_run_without_a_module_says_how_to_build_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "packed_file", lambda: tmp_path / "modules.zip")
    with pytest.raises(ExperimentError) as raised:
        simulate(Experiment.parse(small_experiment()), engine="wasmtime")
    (problem,) = raised.value.problems
    assert problem.path == "engine"
    assert packed.BUILD in str(problem)


def test_the_command_line_runs_by_either_engine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "small.json"
    file.write_text(json.dumps(small_experiment() | {"scheduler": {"name": "sparrow"}}))
    digests: list[Any] = []
    for engine in ("native", "wasmtime"):
        assert main(["run", str(file), "--json", "--engine", engine]) == 0
        digests.append(json.loads(capsys.readouterr().out)["outcome_digest"])
    assert digests[0] == digests[1]


_UNDER_A_BOUND = """
import resource
from scheduler_core.engine.wasm.meanwhile import lacking
_, most = resource.getrlimit(resource.RLIMIT_AS)
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, most))
assert "ModuleError" in lacking(), lacking()
resource.setrlimit(resource.RLIMIT_AS, (most, most))
assert lacking() == "", lacking()
"""


def test_a_bound_on_memory_that_is_lifted_leaves_modules_usable() -> None:
    """A worker bounds its memory while it reads a user's file, and may be asked there first whether modules run."""
    ended = subprocess.run([sys.executable, "-c", _UNDER_A_BOUND], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
