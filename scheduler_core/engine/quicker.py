"""Skip work that Numba repeats while it compiles the hundred functions of a kernel.

Compiled code stays the same, and kernels do not depend on this file. Numba 0.68 has no public names for
these places: where a version lacks one, Numba does that part of the work as before.
"""

from __future__ import annotations

import functools
import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any
from weakref import WeakKeyDictionary

_OPERATORS = ("_operator", "builtins")


@functools.cache
def compile_quickly() -> None:
    """Leave out that work in this process from now on."""
    parts = (_tell_nobody_of_llvm, _compare_options_once, _type_operators_once, _find_variables, _measure_types_once)
    for part in parts:
        with suppress(ImportError, AttributeError):
            part()


@contextmanager
def collecting_later() -> Iterator[None]:
    """Turn garbage collection off for a while: it goes through many objects again and again and frees nearly none."""
    collected = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collected:
            collect_later()


def collect_later() -> None:
    """Turn garbage collection on again after a compilation, without looking at all that the compilation has left.

    Its objects count as old ones, which the next full collection visits.
    """
    gc.freeze()
    gc.enable()
    gc.unfreeze()


def _tell_nobody_of_llvm() -> None:
    """Send no event when LLVM's lock is taken or given back, which is 200,000 times a kernel. Only timers listen."""
    from numba.core import event

    module: Any = event
    for name in ("start_event", "end_event"):
        setattr(module, name, _but_for_llvm(getattr(module, name)))


def _but_for_llvm(tell: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(tell)
    def told(kind: str, *args: Any, **kwargs: Any) -> None:
        if kind != "numba:llvm_lock":
            tell(kind, *args, **kwargs)

    return told


def _compare_options_once() -> None:
    """Compare options of compilation by the set ones, and by their values only if these differ."""
    from numba.core.targetconfig import TargetConfig

    options: Any = TargetConfig
    compare, digest = options.__eq__, options.__hash__

    def equal(self: Any, other: Any) -> Any:
        if self is other or (type(self) is type(other) and self._values == other._values):
            return True
        return compare(self, other)

    # The hash is that of the options' names, so it is one for each class.
    known: dict[type, int] = {}

    def hashed(self: Any) -> int:
        found = known.get(type(self))
        if found is None:
            found = known[type(self)] = digest(self)
        return found

    options.__eq__, options.__hash__ = equal, hashed


def _type_operators_once() -> None:
    """Keep the types of operators and built-in functions by the types of their arguments."""
    from numba.core.targetconfig import ConfigStack
    from numba.core.types import functions

    options: Any = ConfigStack
    base: Any = functions.BaseFunction
    find = base.get_call_type
    known: WeakKeyDictionary[Any, dict[Any, tuple[Any, Any]]] = WeakKeyDictionary()

    def get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
        if getattr(self.typing_key, "__module__", None) not in _OPERATORS:
            return find(self, context, args, kws)
        key = (context, tuple(args), tuple(kws.items()), options.top_or_none())
        calls = known.setdefault(self, {})
        if key in calls:
            signature, self._impl_keys[calls[key][0].args] = calls[key]
            return signature
        signature = find(self, context, args, kws)
        calls[key] = signature, self._impl_keys[signature.args]
        return signature

    base.get_call_type = get_call_type


def _find_variables() -> None:
    """Look for an instruction's variables in fewer steps: most of what an instruction holds has none."""
    from numba.core import ir

    instruction: Any = ir.Inst
    find = instruction._rec_list_vars
    without = frozenset({ir.Loc, str, int, bool, float, type(None)})

    def find_variables(self: Any, held: Any) -> Any:
        if isinstance(held, dict):
            found: list[Any] = []
            for each in held.values():
                if type(each) not in without:
                    found += [each] if type(each) is ir.Var else find(self, each)
            return found
        return find(self, held)

    instruction._rec_list_vars = find_variables


def _measure_types_once() -> None:
    """Keep the sizes of types, for which LLVM parses a module each time."""
    from numba.core.base import BaseContext

    context: Any = BaseContext
    measure = context.get_abi_sizeof
    known: dict[tuple[int, str], int] = {}

    def get_abi_sizeof(self: Any, ty: Any) -> int:
        key = id(self.target_data), str(ty)
        if key not in known:
            known[key] = measure(self, ty)
        return known[key]

    context.get_abi_sizeof = get_abi_sizeof
