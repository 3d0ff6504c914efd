"""Ctrl-C ends a run wherever it comes, also where a library drops the exception."""

from __future__ import annotations

import signal
import sys
from types import FrameType
from typing import Any

import pytest

from scheduler_core import Experiment, Simulation
from scheduler_core.cli.interrupt import end_if_interrupted, noted_interrupts
from scheduler_core.run.engine_names import NATIVE, WASMTIME
from tests.support import small_experiment

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
        try:
            sys.setprofile(ctrl_c)
            simulation.finish(on_slice)
        except (KeyboardInterrupt, Enough):
            pass
        finally:
            sys.setprofile(None)
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


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("engine", [NATIVE, WASMTIME])
def test_ctrl_c_in_any_call_of_a_function_ends_the_run(engine: str) -> None:
    assert lost(engine) == []
