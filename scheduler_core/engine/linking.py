"""Link the compiled functions of a kernel into one unit and optimize them there once.

Numba compiles each function to machine code, and optimizes a callee again, twice, in every caller on the way up to the
kernel. Functions that only kernels call (`inner`) need neither. They keep their unoptimized code; the kernel links all
of them, and LLVM inlines and optimizes from the innermost function outwards.
"""

from __future__ import annotations

from typing import Any

import llvmlite.binding as llvm
from numba.core import compiler
from numba.core.codegen import JITCodeLibrary

_Library: Any = JITCodeLibrary  # Numba's classes have no types
_Compiler: Any = compiler.CompilerBase
_Passes: Any = compiler.DefaultPassBuilder


ALWAYS_INLINED = 150
"""Instructions of a function, as it was lowered and simplified, up to which it is inlined wherever it is called.

Of 150 and 500, neither differs measurably in speed from inlining all of them, and 150 optimizes in a third of the time.
"""


class InnerLibrary(_Library):  # type: ignore[misc]
    """The code of one function that other compiled functions call, without optimization and without machine code."""

    def add_linking_library(self, library: Any) -> None:
        """Record a callee and, before it, all functions that the callee calls."""
        library._ensure_finalized()
        for each in (*(library._linking_libraries if isinstance(library, InnerLibrary) else ()), library):
            if each not in self._linking_libraries:
                self._linking_libraries.append(each)

    def finalize(self) -> None:
        """Stop here: the kernel continues with this code."""
        self._raise_if_finalized()
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """Return the code with its callees, for a caller that Numba compiles by its own rules."""
        module = super()._get_module_for_linking().clone()
        for library in reversed(self._linking_libraries):  # see KernelLibrary
            module.link_in(_own_module(library), preserve=True)
        return module

    def own_module(self) -> Any:
        """Return the code of this function alone."""
        return super()._get_module_for_linking()

    def get_pointer_to_function(self, name: str) -> int:
        """Return no address, because this code has no machine code."""
        return 0

    @property
    def codegen(self) -> Any:
        """Numba's code generator, which is not told of an environment that no machine code reads."""
        return _NoEnvironment(self._codegen)


class KernelLibrary(_Library):  # type: ignore[misc]
    """The code of a kernel: all functions that it calls, directly or not, linked and optimized once."""

    def add_linking_library(self, library: Any) -> None:
        """Record a callee and, before it, all functions that the callee calls."""
        InnerLibrary.add_linking_library(self, library)

    def finalize(self) -> None:
        """Link, optimize and compile to machine code."""
        self._raise_if_finalized()
        self._link()
        passes, builder = self._codegen._module_pass_manager()
        with self._recorded_timings.record("Module passes", builder):
            passes.run(self._final_module, builder)
        self._final_module.verify()
        self._finalize_final_module()

    def _link(self) -> None:
        """Put the code of all called functions into this unit."""
        # Callers before callees: LLVM leaves out what nothing linked so far has called.
        for library in reversed(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(_own_module(library), preserve=True)
        self._make_callees_private()

    def _make_callees_private(self) -> None:
        """Mark the callees as private and inline small ones.

        LLVM then inlines a private function with one caller, and weighs the cost for the others.
        """
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.linkonce_odr:
                function.linkage = llvm.Linkage.internal
                if sum(1 for block in function.blocks for _ in block.instructions) <= ALWAYS_INLINED:
                    function.add_function_attribute("alwaysinline")


class LinkedLibrary(KernelLibrary):
    """The code of a kernel and of all functions that it calls, linked for another machine (engine.wasm)."""

    def finalize(self) -> None:
        """Link, and leave optimization and machine code to the caller."""
        self._raise_if_finalized()
        self._link()
        self._finalized = True

    def linked(self) -> Any:
        """Return the linked code."""
        self._ensure_finalized()
        return self._final_module

    def get_pointer_to_function(self, name: str) -> int:
        """Return no address, because this code has no machine code here."""
        return 0

    @property
    def codegen(self) -> Any:
        """Numba's code generator, which is not told of an environment that no machine code reads."""
        return _NoEnvironment(self._codegen)


class _NoEnvironment:
    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, environment: Any) -> None:
        """Leave out what machine code alone would need."""


def _own_module(library: Any) -> Any:
    return library.own_module() if isinstance(library, InnerLibrary) else library._get_module_for_linking()


class _Pipeline(_Compiler):  # type: ignore[misc]
    """Numba's pipeline for compiled functions, with the libraries of this module."""

    library_class: Any

    def define_pipelines(self) -> list[Any]:
        """Make the library before Numba makes one."""
        if self.state.library is None:
            codegen = self.state.targetctx.codegen()
            self.state.library = self.library_class(codegen, self.state.func_id.func_qualname)
            self.state.library.enable_object_caching()
        return [_Passes.define_nopython_pipeline(self.state)]


class InnerPipeline(_Pipeline):
    """The pipeline for functions that only compiled functions call."""

    library_class = InnerLibrary


class KernelPipeline(_Pipeline):
    """The pipeline for functions that Python calls."""

    library_class = KernelLibrary


class LinkedPipeline(_Pipeline):
    """The pipeline for kernels that are built for another machine."""

    library_class = LinkedLibrary
