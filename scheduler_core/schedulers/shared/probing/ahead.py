"""Prefetch the memory that the next events need: probes and workers lie at random addresses.

An event loop of this family spends most of its time waiting for memory. Prefetching changes this time and nothing else.
"""

from __future__ import annotations

from typing import Any

import numba
import numba.types
from llvmlite import ir
from numba.core import cgutils
from numba.extending import intrinsic

from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import World
from scheduler_core.schedulers.shared.probing.state import LANE_TO_WORKER, Probing

_AHEAD = 4
"""Number of arrivals to prefetch: enough for memory to answer, few enough to stay in the processor cache."""

_types: Any = numba.types


def _asking(context: Any, array: Any, row: Any) -> Any:
    """Return the processor's own instruction, for the line of its cache in which a record begins."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        table, number = signature.args
        first = context.make_array(table)(context, builder, arguments[0]).data
        row = context.cast(builder, arguments[1], number, _types.intp)
        offset = builder.mul(row, context.get_constant(_types.intp, table.dtype.size))
        pointer = builder.inttoptr(builder.add(builder.ptrtoint(first, offset.type), offset), cgutils.voidptr_t)
        word = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, word, word, word])
        prefetch = builder.module.declare_intrinsic("llvm.prefetch", [cgutils.voidptr_t], kind)
        builder.call(prefetch, [pointer, word(0), word(3), word(1)])  # to read, into the nearest cache, data
        return context.get_dummy_value()

    return _types.void(array, row), code


_compiled: Any = intrinsic(_asking)
ask_for: Any = (lambda array, row: None) if numba.config.DISABLE_JIT else _compiled  # type: ignore[attr-defined]


@inner
def look_ahead(w: World, s: Probing) -> None:
    """Ask for the task that ends next, and for the probe and the worker of an arrival that comes soon.

    Whatever else the places hold, asking for it does no harm.
    """
    ask_for(w.task, w.heap[0].a)
    soon = w.lane_event[LANE_TO_WORKER, (w.lane[LANE_TO_WORKER].head + _AHEAD) & (w.lane_event.shape[1] - 1)]
    ask_for(s.probe, soon.a)
    ask_for(s.worker, soon.b >> 2)
