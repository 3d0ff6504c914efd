"""The stage clock: each stage's part of a run's real time. No decision reads it.

At the end of a stage's work, `lap` reads the processor's cycle counter and attributes the cycles since the last reading
to this stage. A reading takes as long as many stages take for one task. So only one in `ONE_IN` of the loop's steps is
timed, at random distances (a step is an event or a turn of an iteration), and the time of the reading itself is
subtracted.

Cycles also pass while the processor runs other programs. So readings that are very long are left out, and the others
only divide the process time of a slice of the run among the stages, once enough steps have been timed (`share_out`).
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from typing import Any, cast

import numba
import numba.types
import numpy as np
from llvmlite import ir
from numba.extending import intrinsic

from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NEVER, Records
from scheduler_core.refarch.stages import STAGES
from scheduler_core.schedulers.pipeline.state import PipelineState

ENGINE = len(STAGES)
"""The place of what is no stage's: the queue of events, counting, machines that fail or come back."""
ONE_IN = 16
_ENOUGH = 64
"""Number of timed steps that divide a slice's time; with fewer, the next slice's are added."""
_READINGS = 4
_LONGEST = 1 << 21
"""Cycles, most of a millisecond: longer between two readings, and another program has had the processor."""
_types: Any = numba.types


def _cycle_counter() -> Callable[[], int]:
    """Return a function that reads the processor's cycle counter; always 0 where it is not readable."""
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        return time.perf_counter_ns
    there = platform.machine().lower() in ("x86_64", "amd64")

    def read(context: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            word = ir.IntType(64)
            if not there:
                return ir.Constant(word, 0)
            kind = ir.FunctionType(word, [])
            return builder.call(builder.module.declare_intrinsic("llvm.readcyclecounter", fnty=kind), [])

        return _types.int64(), code

    return cast(Callable[[], int], intrinsic(read))


_cycles_now = _cycle_counter()


@inner
def start_clock(s: PipelineState) -> None:
    """Begin a slice: time since the last one is not charged. Measure what a reading takes."""
    _measure_reading(s.clock, s.real)


@inner
def next_step(s: PipelineState) -> None:
    """End a step of the loop and begin another, which may be timed."""
    clock = s.clock[0]
    if clock.skip > 0:
        clock.skip -= 1
    else:
        _turn_over(s.clock, s.real)


@inner
def lap(s: PipelineState, place: int) -> None:
    """Charge the time since the last reading to a stage, or to ENGINE."""
    if s.clock[0].on == 1:
        _read(s.clock, s.real, place)


@called
def _read(clock: Records, real: Records, place: int) -> None:
    now = _cycles_now()
    took = now - clock[0].last - clock[0].own
    if took < _LONGEST:
        real[place].cycles += took
    clock[0].last = now


@called
def _turn_over(clock: Records, real: Records) -> None:
    """End the timed step, or count down the steps that are not timed."""
    it = clock[0]
    if it.on == 1:
        _read(clock, real, ENGINE)
        it.on = 0
        it.looks += 1
        it.drawn = (it.drawn * 1_103_515_245 + 12_345) & 0x7FFF_FFFF
        it.skip = (it.drawn >> 16) % (2 * ONE_IN - 1)
    if it.skip > 0:
        it.skip -= 1
    else:
        it.on = 1
        it.last = _cycles_now()


@called
def _measure_reading(clock: Records, real: Records) -> None:
    it, before, least = clock[0], real[ENGINE].cycles, NEVER
    it.own = 0
    _read(clock, real, ENGINE)
    for _ in range(_READINGS):
        last = it.last
        _read(clock, real, ENGINE)
        least = min(least, it.last - last)
    it.own = least
    it.on = 0
    real[ENGINE].cycles = before


def share_out(s: PipelineState, cpu_s: float) -> None:
    """Divide the CPU time of a slice, and of those before it that had too few timed steps, among the stages."""
    clock = s.clock[0]
    clock.owed_s += cpu_s
    cycles = np.maximum(s.real["cycles"], 0)
    if clock.looks < _ENOUGH or not cycles.any():
        return
    s.real["cpu_s"] += cycles * (clock.owed_s / cycles.sum())
    s.real["cycles"] = 0
    clock.timed += clock.looks
    clock.owed_s, clock.looks = 0.0, 0


def measured(s: PipelineState) -> dict[str, Any] | None:
    """Return {cpu_s, steps (timed ones), engine_s, stages: {id: seconds}}; None without a clock.

    `engine_s` and the stages' seconds add up to `cpu_s`.
    """
    clock, spent, cycles = s.clock[0], s.real["cpu_s"].copy(), np.maximum(s.real["cycles"], 0)
    if cycles.any():
        spent += cycles * (clock.owed_s / cycles.sum())
    elif spent.any():
        spent *= 1 + clock.owed_s / spent.sum()
    else:
        return None
    return {
        "cpu_s": float(spent.sum()), "steps": int(clock.timed + clock.looks), "engine_s": float(spent[ENGINE]),
        "stages": {stage.id: float(spent[at]) for at, stage in enumerate(STAGES) if spent[at] > 0},
    }  # fmt: skip
