"""Build a module for each event loop whose module is missing or stale, in a process for each core."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from importlib import import_module
from multiprocessing import get_context
from typing import Any

from scheduler_core.engine.wasm import packed
from scheduler_core.engine.wasm.packed import Built
from scheduler_core.kernels.examples import Example, examples

Made = dict[str, tuple[Built, bytes]]


def build(told: Callable[[str], None], afresh: bool = False, processes: int | None = None) -> list[str]:
    """Write the packed file and return the event loops that were built; `afresh` builds all of them.

    `told` is called with each event loop when its module is ready. Raises LookupError for a loop that no scheduler
    reaches, and engine.wasm.finish.BuildError for one that cannot become a module.
    """
    digests, built = packed.digests(), packed.manifest()
    known = {} if afresh else {name: each for name, each in built.items() if digests.get(name) == each.digest}
    modules = {name: (each, packed.module_bytes(each)) for name, each in known.items()}
    wanted = digests.keys() - modules.keys()
    if wanted:
        modules |= _made(examples(set(wanted)), digests, processes or os.cpu_count() or 1, told)
    if wanted or modules.keys() != built.keys():
        packed.write(modules)
    return sorted(wanted)


def _made(found: list[Example], digests: dict[str, str], processes: int, told: Callable[[str], None]) -> Made:
    made: Made = {}
    # New processes: in this one, functions may be compiled for this machine already.
    with ProcessPoolExecutor(min(processes, len(found)), get_context("spawn"), _prepare) as pool:
        waiting = {pool.submit(_module, each.kernel, each.signature, digests[each.kernel]): each for each in found}
        for done in as_completed(waiting):
            each, (module, returns) = waiting[done], done.result()
            entry = Built(each.kernel, digests[each.kernel], "", 0, 0, each.takes, returns, each.scheduler)
            made[each.kernel] = entry, module
            told(each.kernel)
    return made


def _prepare() -> None:
    """Have kernels called by other kernels link as plain code, not as the machine code of this machine's cache."""
    from scheduler_core.engine import entry, quicker
    from scheduler_core.engine.jit import inner
    from scheduler_core.engine.wasm.target import lower_for_wasm

    quicker.compile_quickly()
    lower_for_wasm()

    @functools.cache
    def plain(kernel: entry.Kernel) -> Any:
        return inner(kernel.native.py_func)

    entry.as_callee[:] = [plain]


def _module(kernel: str, signature: tuple[Any, ...], digest: str) -> tuple[bytes, str]:
    """Return (the module of a kernel, the type of its result)."""
    from scheduler_core.engine.quicker import collecting_later
    from scheduler_core.engine.wasm.finish import LOOP_DATA, about_of
    from scheduler_core.engine.wasm.target import module_of

    file, _, name = kernel.rpartition(":")
    home = import_module("scheduler_core." + file.removesuffix(".py").replace("/", "."))
    about = {"kernel": kernel, "digest": digest, "format": packed.FORMAT}
    with collecting_later():
        module = module_of(getattr(home, name).native.py_func, signature, LOOP_DATA, about)
    return module, about_of(module)["returns"]
