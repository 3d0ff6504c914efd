"""Pass a kernel's named tuples of arrays to the functions that it calls as one pointer each.

Numba passes a named tuple by value: seven words for each array, unpacked and packed at every call. Most of the compiled
code used to move words. Here the tuple lies in the stack frame of the call from Python, and compiled code receives its
address. The words never change while a kernel runs, and LLVM knows this: it reads a field once where it is used, and
may keep it in a register.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numba.types
from llvmlite import ir
from numba.core import cgutils
from numba.core.datamodel import models
from numba.core.imputils import lower_getattr_generic
from numba.core.pythonapi import NativeValue, unbox
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import register_model

_types: Any = numba.types
_WORD = 8
_BYTES = ir.IntType(8).as_pointer()
_INT = ir.IntType(64)
_Template: Any = AttributeTemplate  # Numba's classes have no types
_Model: Any = models.PrimitiveModel


class Held(_types.Type):  # type: ignore[misc]
    """The address of a named tuple of arrays. The name is short because Numba builds symbols from it."""

    def __init__(self, arrays: Any) -> None:
        self.arrays = arrays
        digest = hashlib.sha256(str(arrays).encode()).hexdigest()[:12]
        super().__init__(name=f"{arrays.instance_class.__name__}@{digest}")


def held(argument: Any) -> Any:
    """Return the type by which a kernel takes an argument: `Held` for a named tuple of arrays, else the same type."""
    if isinstance(argument, _types.BaseNamedTuple) and all(isinstance(each, _types.Array) for each in argument.types):
        return Held(argument)
    return argument


@register_model(Held)
class _HeldModel(_Model):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _BYTES)


@infer_getattr
class _HeldAttributes(_Template):  # type: ignore[misc]
    key = Held

    def generic_resolve(self, kind: Any, name: str) -> Any:
        """Return the type of a field."""
        fields = kind.arrays.fields
        return kind.arrays.types[fields.index(name)] if name in fields else None


@lower_getattr_generic(Held)  # type: ignore[no-untyped-call, untyped-decorator]
def _field(context: Any, builder: Any, kind: Any, address: Any, name: str) -> Any:
    """Read an array's words; the owner stays empty because nobody counts references."""
    at = kind.arrays.fields.index(name)
    before = sum(context.get_abi_sizeof(context.get_value_type(each)) for each in kind.arrays.types[:at])
    array = kind.arrays.types[at]
    struct = context.get_value_type(array)

    def word(number: int, of: Any) -> Any:
        place = builder.gep(address, [ir.Constant(_INT, before + _WORD * number)])
        read = builder.load(builder.bitcast(place, of.as_pointer()), align=_WORD)
        read.set_metadata("invariant.load", builder.module.add_metadata([]))
        return read

    value = ir.Constant(struct, None)
    value = builder.insert_value(value, word(2, _INT), 2)
    value = builder.insert_value(
        value, ir.Constant(_INT, context.get_abi_sizeof(context.get_data_type(array.dtype))), 3
    )
    value = builder.insert_value(value, word(4, struct.elements[4]), 4)
    for dimension in range(array.ndim):
        value = builder.insert_value(value, word(5 + dimension, _INT), (5, dimension))
        value = builder.insert_value(value, word(5 + array.ndim + dimension, _INT), (6, dimension))
    return value


@unbox(Held)  # type: ignore[no-untyped-call, untyped-decorator]
def _unbox(kind: Any, obj: Any, c: Any) -> Any:
    """Store the tuple in this stack frame and return its address in a way that LLVM cannot trace.

    Otherwise LLVM could see that the words, declared constant, are written once, and could read them before the write.
    """
    native = c.unbox(kind.arrays, obj)
    stored = cgutils.alloca_once_value(c.builder, native.value)  # type: ignore[no-untyped-call]
    place = c.builder.bitcast(stored, _BYTES)
    address = c.builder.asm(ir.FunctionType(_BYTES, [_BYTES]), "", "=r,0,~{memory}", [place], side_effect=True)
    return NativeValue(address, cleanup=native.cleanup, is_error=native.is_error)  # type: ignore[no-untyped-call]
