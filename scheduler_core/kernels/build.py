"""Build a module for each event loop and each other kernel whose module is missing or stale, on all cores."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from importlib import import_module
from multiprocessing import get_context
from typing import Any

from scheduler_core.engine.sources import package_folder, portable_digest
from scheduler_core.engine.wasm import packed
from scheduler_core.engine.wasm.finish import BuildError
from scheduler_core.engine.wasm.interface import RESULTS
from scheduler_core.engine.wasm.packed import Built
from scheduler_core.kernels.examples import Example, examples, others


def build(told: Callable[[str], None], afresh: bool = False, processes: int | None = None) -> list[str]:
    """Write the packed file and return the kernels that were built; `afresh` builds all of them.

    `told` is called with each kernel when its module is ready, or cannot be made: that kernel is compiled first, then.
    Raises LookupError for an event loop that no scheduler reaches, and engine.wasm.finish.BuildError for one that
    cannot become a module.
    """
    digests, built = packed.digests(), packed.manifest()
    known = {} if afresh else {name: each for name, each in built.items() if digests.get(name) == each.digest}
    modules = {name: (each, packed.module_bytes(each)) for name, each in known.items()}
    wanted = set(packed.event_loops()) - modules.keys()
    small = {_key(each): each for each in others()}
    digest = {name: packed.digest_of(portable_digest(package_folder(), name)) for name, _ in small}
    kept = [] if afresh else [each for several in packed.others().values() for each in several]
    more = {_key(each): (each, packed.module_bytes(each)) for each in kept if _key(each) in small}
    more = {key: each for key, each in more.items() if each[0].digest == digest[key[0]]}
    missing = [each for key, each in small.items() if key not in more]
    work = [*(examples(wanted) if wanted else []), *missing]
    for each, module in _made(work, digests | digest, processes or os.cpu_count() or 1, told) if work else ():
        if each.kernel in wanted:
            modules[each.kernel] = each, module
        else:
            more[_key(each)] = each, module
    if work or modules.keys() != built.keys() or len(more) != len(kept):
        packed.write(modules, more.values())
    return sorted({each.kernel for each in work})


def _key(each: Built | Example) -> tuple[str, str]:
    return each.kernel, json.dumps(each.takes)


def _made(
    found: list[Example], digests: dict[str, str], processes: int, told: Callable[[str], None]
) -> Iterator[tuple[Built, bytes]]:
    # New processes: in this one, functions may be compiled for this machine already.
    with ProcessPoolExecutor(min(processes, len(found)), get_context("spawn"), _prepare) as pool:
        waiting = {pool.submit(_module, each.kernel, each.signature, digests[each.kernel]): each for each in found}
        for done in as_completed(waiting):
            each = waiting[done]
            try:
                module, returns = done.result()
            except BuildError as error:
                if each.function.__name__ == "advance":
                    raise
                told(f"{each.kernel} stays without a module: {error}")
                continue
            yield Built(each.kernel, digests[each.kernel], "", 0, 0, each.takes, returns, each.scheduler), module
            told(each.kernel)


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
    from scheduler_core.engine.wasm.finish import LOOP_DATA, OTHER_DATA, about_of
    from scheduler_core.engine.wasm.target import module_of

    file, _, name = kernel.rpartition(":")
    home = import_module("scheduler_core." + file.removesuffix(".py").replace("/", "."))
    place = LOOP_DATA if name == "advance" else OTHER_DATA
    about = {"kernel": kernel, "digest": digest, "format": packed.FORMAT}
    with collecting_later():
        module = module_of(getattr(home, name).native.py_func, signature, place, about)
    if (returns := about_of(module)["returns"]) not in RESULTS:
        raise BuildError(f"it returns {returns}")
    return module, returns
