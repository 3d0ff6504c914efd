"""Node runs modules as a third engine, from the same arrays to the same end."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scheduler_core import Experiment, Simulation
from scheduler_core.engine.consult import CONSULT
from scheduler_core.engine.events import ENOUGH, LOG_FULL
from scheduler_core.engine.records import CONTROL, NEVER
from scheduler_core.engine.wasm import packed
from scheduler_core.engine.wasm.server import STAYS
from tests.core.engines import arrays_of, of_module
from tests.core.experiments import experiments
from tests.node import node
from tests.support import PROJECT
from tests.tiers import all_but_wide, wide

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")  # type: ignore[attr-defined]

EVENTS = 500
#: World, state, a time and a number of events. The loop of `kubernetes` takes a model of the cluster, too.
_ARGUMENTS = 4
MODULES = {
    kernel: built
    for kernel, built in packed.manifest().items()
    if kernel not in {each.kernel for each in STAYS if each.when == "always"} and len(built.takes) == _ARGUMENTS
}
FEW = {f"schedulers/{part}/kernel.py:advance" for part in ("dag", "federated/megha/paper", "own", "probing/sparrow")}
"""Loops that `make test` runs in node; test_modules.py runs each by Wasmtime."""


def laid_out(arrays: Any, content: bytearray) -> list[dict[str, Any]]:
    """Append the arrays of a named tuple to a file's content; return where each lies."""
    told = []
    for array in arrays:
        plain = np.ascontiguousarray(array)
        told.append(
            {"items": plain.size, "bytes": plain.itemsize, "at": len(content)}
            | {"shape": plain.shape, "strides": plain.strides}
        )
        content += plain.tobytes()
    return told


def write_start(folder: Path, simulation: Simulation, kernel: str) -> None:
    content = bytearray()
    start = {"until_ns": str(NEVER - 1), "events": EVENTS, "log_size": CONTROL.fields["log_size"][1]}  # type: ignore[index]
    start |= {"world": laid_out(simulation.world, content), "state": laid_out(simulation.state, content)}
    (folder / "start.json").write_text(json.dumps(start))
    (folder / "start.bin").write_bytes(content)
    (folder / "loop.wasm").write_bytes(packed.module_bytes(MODULES[kernel]))


def native_end(simulation: Simulation) -> int:
    """Run as node does, with the same slices and no frames between them, until the end or until an array is full."""
    while True:
        reason = simulation._advance(NEVER - 1, EVENTS)
        simulation.world.control["log_size"] = 0
        if reason not in (ENOUGH, LOG_FULL):
            return reason


def check_equal_in_node(folder: Path, experiment: Experiment, kernel: str) -> None:
    """Compare all arrays at the end, or where an array is full: Python alone enlarges arrays."""
    simulation = Simulation(experiment, frames=0)
    simulation.prepare()
    write_start(folder, simulation, kernel)
    reason = native_end(simulation)
    command = [node(), str(PROJECT / "tests" / "data" / "run_module.mjs"), str(folder)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    if json.loads(done.stdout)["reason"] == CONSULT:
        # A solver gave up a round, which only Python can solve. The native run asked, too.
        assert simulation.state.rules[0]["cold_solves"] > 0
        return
    assert json.loads(done.stdout)["reason"] == reason
    ends, at = (folder / "end.bin").read_bytes(), 0
    parts = {"world": simulation.world, "state": simulation.state}
    compared = arrays_of(simulation).keys()
    for part, arrays in parts.items():
        for name, array in arrays._asdict().items():
            mine = np.ascontiguousarray(array).tobytes()
            if f"{part}.{name}" in compared:
                assert ends[at : at + len(mine)] == mine, f"{part}.{name} differs in node"
            at += len(mine)


@pytest.mark.parametrize("kernel", all_but_wide(sorted(MODULES), FEW))
def test_node_ends_with_the_native_run_s_arrays(kernel: str, tmp_path: Path) -> None:
    experiment = of_module(kernel)
    check_equal_in_node(tmp_path, experiment, kernel)


@wide
@pytest.mark.parametrize("kernel", sorted(MODULES))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_experiments_end_equal_in_node(kernel: str, tmp_path: Path, data: st.DataObject) -> None:
    scheduler = MODULES[kernel].scheduler
    drawn = experiments(scheduler["name"], profile=scheduler["params"].get("profile"))
    experiment = data.draw(drawn)
    if experiment.scheduler.params.get("solver") != "cold":  # it asks Python
        check_equal_in_node(tmp_path, experiment, kernel)
