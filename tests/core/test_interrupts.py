"""Ctrl-C ends a run wherever it comes, also where a library drops the exception.

The signals are sent in a process of their own: that of the tests may have another handler.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from scheduler_core import Experiment, Simulation
from scheduler_core.cli.interrupt import end_if_interrupted, noted_interrupts
from scheduler_core.run.engine_names import NATIVE, WASMTIME
from tests.support import PROJECT, small_experiment

SLICES = 3


class CtrlC:
    """Sends the signal at one call of a function."""

    def __init__(self, at_call: int) -> None:
        self.at_call, self.calls = at_call, 0

    def __call__(self, frame: FrameType, event: str, arg: Any) -> None:
        """Count the calls of Python functions."""
        if event == "call":
            self.calls += 1
            if self.calls == self.at_call:
                signal.raise_signal(signal.SIGINT)


class Enough(Exception):
    """Raised after the last slice of a test."""


def run_with(ctrl_c: CtrlC, simulation: Simulation, on_slice: Callable[[Simulation], None]) -> None:
    try:
        sys.setprofile(ctrl_c)
        simulation.finish(on_slice)
    except (KeyboardInterrupt, Enough):
        pass
    finally:
        sys.setprofile(None)


def slices_until(ctrl_c: CtrlC, simulation: Simulation) -> int:
    """Return how many slices of a run were simulated before Ctrl-C ended it; SLICES if it did not."""
    done = 0

    def on_slice(_: Simulation) -> None:
        nonlocal done
        end_if_interrupted()
        done += 1
        if done == SLICES:
            raise Enough

    with noted_interrupts():
        run_with(ctrl_c, simulation, on_slice)
    return done


def prepared(engine: str) -> Simulation:
    simulation = Simulation(Experiment.model_validate(small_experiment()), engine=engine, frames=0, slice_events=2)
    simulation.prepare()
    simulation.advance_to(1)
    return simulation


def lost(engine: str) -> list[int]:
    """Send Ctrl-C at every third call of a function in turn; return the calls where nothing came of it.

    Calls of the last slice are left out: a dropped exception comes at the end of its slice.
    """
    slices_until(CtrlC(0), prepared(engine))  # loads what later runs find
    calls = CtrlC(0)
    assert slices_until(calls, prepared(engine)) == SLICES
    tried = {at: CtrlC(at) for at in range(1, calls.calls * (SLICES - 1) // SLICES, 3)}
    assert len(tried) > 10
    return [at for at, each in tried.items() if slices_until(each, prepared(engine)) == SLICES]


@pytest.mark.parametrize("engine", [NATIVE, WASMTIME])
def test_ctrl_c_in_any_call_of_a_function_ends_the_run(engine: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.core.test_interrupts", engine],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        timeout=300,
        # A shell that starts the tests in the background lets them, and so all they start, ignore Ctrl-C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr[-2000:]


if __name__ == "__main__":
    print(lost(sys.argv[1]))
