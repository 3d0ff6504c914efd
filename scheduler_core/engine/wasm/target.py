"""Compile the linked code of a kernel for WebAssembly, by LLVM.

The code is what Numba made of the kernel, before any optimization for this machine (engine.linking). Two properties
keep its results those of the native run to the last bit. No option lets LLVM reorder or fuse floating-point operations,
and WebAssembly has no instruction that would fuse them.

LLVM must know the target from its first pass on. Its passes replace the fields of a structure by their distances in
bytes, and those depend on the size of a pointer. `lower_for_wasm` therefore comes before any compilation.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import llvmlite.binding as llvm
from numba.core import codegen

from scheduler_core.engine.jit import linked
from scheduler_core.engine.wasm.finish import finished

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+bulk-memory,+bulk-memory-opt,+mutable-globals,+nontrapping-fptoint,+sign-ext,+simd128"
"""What all browsers of the last years have; docs/explanation/engine-in-the-page.md lists the versions."""
_LEVEL = 3


def module_of(function: Callable[..., Any], signature: tuple[Any, ...], data_at: int, about: dict[str, Any]) -> bytes:
    """Return a kernel as a module that exports it as `run`. Raises engine.wasm.finish.BuildError.

    `signature` has Numba's types of the arguments, `about` what the module says about itself beside its tools.
    """
    dispatcher = linked(function)
    dispatcher.compile(signature)
    compiled = dispatcher.overloads[signature]
    symbol = compiled.fndesc.llvm_func_name
    code = compiled.library.linked().clone()
    machine = _machine()
    _aim(code, symbol, machine)
    options = llvm.create_pipeline_tuning_options(speed_level=_LEVEL)
    builder = llvm.create_pass_builder(machine, options)
    passes = builder.getModulePassManager()
    passes.run(code, builder)
    code.verify()
    more = {"tools": tools(), "returns": str(compiled.signature.return_type)}
    return finished(machine.emit_object(code), {"run": symbol}, data_at, about | more)


def lower_for_wasm() -> None:
    """Simplify each function for WebAssembly from now on; this process must compile nothing for its own machine."""
    library: Any = codegen.JITCodeLibrary
    library._optimize_functions = _simplified


def _simplified(_: Any, code: Any) -> None:
    """Run the passes that Numba runs on each function before it links them."""
    machine = _machine()
    code.triple, code.data_layout = TRIPLE, str(machine.target_data)
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=_LEVEL))
    for function in code.functions:
        builder.getFunctionPassManager().run(function, builder)


def tools() -> dict[str, str]:
    """Return the versions of what compiles modules."""
    numbers = llvm.llvm_version_info
    return {
        "llvm": ".".join(map(str, numbers)),
        "llvmlite": version("llvmlite"),
        "numba": version("numba"),
    }


@functools.cache
def _machine() -> Any:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(TRIPLE)
    return target.create_target_machine(opt=_LEVEL, reloc="static", codemodel="default", features=FEATURES, jit=False)


def _aim(code: Any, symbol: str, machine: Any) -> None:
    """Set the target, and leave only the kernel visible: LLVM then drops what nothing calls."""
    code.triple, code.data_layout = TRIPLE, str(machine.target_data)
    for function in code.functions:
        if not function.is_declaration:
            function.linkage = llvm.Linkage.external if function.name == symbol else llvm.Linkage.internal
    for variable in code.global_variables:
        if not variable.is_declaration:
            variable.linkage = llvm.Linkage.internal
