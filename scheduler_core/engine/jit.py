"""The one place that decorators of compiled code come from.

Numba's on-disk cache does not notice that a compiled *callee* in another file has changed: a cached caller keeps
running the old code. So each kernel's cache lies in a folder named by a digest of all the code that it is made of
(engine.sources). An edit makes a new folder for the kernels that it changes; all others find theirs, and so does who
edits a comment or moves a file. Where a tree lies is no part of it: all checkouts and installations on a machine share
what one of them has compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, cast

import filelock
import numba
import numba.types
from llvmlite import ir
from numba.core import event
from numba.core.caching import UserProvidedCacheLocator
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import intrinsic

from scheduler_core.engine.held import held
from scheduler_core.engine.linking import InnerPipeline, KernelPipeline
from scheduler_core.engine.sources import cache_root, code_digest

F = TypeVar("F", bound=Callable[..., Any])


class KernelLocator(UserProvidedCacheLocator):
    """Numba's own place in the cache's folder, but for its sources: the folder's digest stands for path and content."""

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """Name of the folder that the function's file is in."""
        return Path(py_file).parent.name

    def get_source_stamp(self) -> str:
        """What Numba compares to see whether the file has changed: nothing that a comment would change."""
        return ""

    def get_disambiguator(self) -> str:
        """What tells functions of one name apart in the names of their files: not the line, which moves."""
        return "0"


_njit: Any = numba.njit  # its stubs know neither `_nrt` nor the wrappers
_types: Any = numba.types
_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "fastmath": False,
    "_nrt": False,
}
_KERNEL = _OPTIONS | {"no_cfunc_wrapper": True, "pipeline_class": KernelPipeline}
_INNER = _OPTIONS | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": InnerPipeline}


def kernel(function: F) -> F:
    """Compile a function that works on given arrays and scalars and is called from Python; it must not allocate.

    Cached on disk, without the GIL, floats never reordered. Numba counts no references (`_nrt`), named tuples of arrays
    are passed by their address (engine.held), and what a kernel calls is linked into it and optimized once
    (engine.linking; docs/development/design.md, section 3).
    """
    # Read by Numba when the function is decorated; each function keeps the folder that was set at that moment.
    cache = cache_root() / code_digest(function)
    numba.config.CACHE_DIR = str(cache)  # type: ignore[attr-defined]
    lock = cache / f"{function.__module__}.{function.__name__}.lock"
    locators = numba.config.CACHE_LOCATOR_CLASSES  # type: ignore[attr-defined]
    numba.config.CACHE_LOCATOR_CLASSES = f"{KernelLocator.__module__}.{KernelLocator.__name__}"  # type: ignore[attr-defined]
    try:
        dispatcher = _njit(cache=True, **_KERNEL)(function)
    finally:
        numba.config.CACHE_LOCATOR_CLASSES = locators  # type: ignore[attr-defined]
    return cast(F, _one_process(_one_version(_by_address(_forgiving(dispatcher))), lock))


def inner(function: F) -> F:
    """Like `kernel`, for a function that only other compiled ones call: no Python entry, no cache file of its own."""
    return cast(F, _one_version(_njit(**_INNER)(function)))


def called(function: F) -> F:
    """Like `inner`; says that the function is large and needed in many places: it is best called, not inlined."""
    return inner(function)


def zeros_counter(instruction: str, in_python: Callable[[Any], int]) -> Callable[[Any], int]:
    """A function that counts zeros at one end of a uint64 that is not 0, by the processor's own instruction.

    `instruction` is LLVM's cttz (the low end) or ctlz (the high end); `in_python` stands in where nothing is compiled.
    """
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        return in_python

    def count(context: Any, word: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            word64 = context.cast(builder, arguments[0], signature.args[0], _types.uint64)
            never_zero = ir.Constant(ir.IntType(1), 1)
            return getattr(builder, instruction)(word64, never_zero)

        return _types.int64(word), code

    return cast(Callable[[Any], int], intrinsic(count))


def field_copier(names: Iterable[str]) -> Callable[[Any, Any], None]:
    """A function that writes these fields of its second record into its first one, as so many assignments would."""
    copied = tuple(names)
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]

        def copy_rows(to: Any, frm: Any) -> None:
            for name in copied:
                to[name] = frm[name]

        return copy_rows

    def copy(context: Any, to: Any, frm: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            for name in copied:
                value = context.get_getattr(frm, name)(context, builder, frm, arguments[1], name)
                write = context.get_setattr(name, _types.none(to, frm.typeof(name)))
                write(builder, (arguments[0], value))
            return context.get_dummy_value()

        return _types.none(to, frm), code

    return cast(Callable[[Any, Any], None], intrinsic(copy))


def _forgiving(dispatcher: Any) -> Any:
    """Compile anew what the cache has under names that are gone: a module was moved, and its code is the same."""
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        return dispatcher
    cache = dispatcher._cache
    load = cache.load_overload

    def load_or_miss(*args: Any) -> Any:
        try:
            return load(*args)
        except (ImportError, AttributeError):
            cache.flush()
            return None

    cache.load_overload = load_or_miss
    return dispatcher


def _by_address(dispatcher: Any) -> Any:
    """Have a kernel take its named tuples of arrays by their address (engine.held)."""
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        return dispatcher
    type_of = dispatcher.typeof_pyval
    dispatcher.typeof_pyval = lambda value: held(type_of(value))
    return dispatcher


def _one_version(dispatcher: Any) -> Any:
    """Compile one version of a function for all integers that compiled callers give.

    Otherwise there is one for each mixture of literal numbers and column widths: twice the compile time for nothing.
    """
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        return dispatcher  # the plain function
    template = dispatcher.get_call_template
    dispatcher.get_call_template = lambda args, kws: template(tuple(_widest(arg) for arg in args), kws)
    return dispatcher


def _widest(argument: Any) -> Any:
    plain = _types.unliteral(argument)
    narrow = isinstance(plain, _types.Integer) and plain.signed and plain.bitwidth < 64
    return _types.int64 if narrow else plain


def _one_process(dispatcher: Any, path: Path) -> Any:
    """Let one process at a time load or compile a function: whoever waits finds it in the cache.

    The lock between threads is taken first, so that two threads never wait for each other's files. The operating
    system releases the file of a process that dies.
    """
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        return dispatcher
    compile_now = dispatcher.compile

    def compile_alone(signature: Any) -> Any:
        with global_compiler_lock, _held(path):
            return compile_now(signature)

    dispatcher.compile = compile_alone
    return dispatcher


@contextmanager
def _held(path: Path) -> Iterator[None]:
    lock = filelock.FileLock(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            lock.acquire(blocking=False)
        except filelock.Timeout:
            with _told():
                lock.acquire()
    except OSError:
        pass  # a cache that cannot be written to, or a file system without locks: compiling twice is only slow
    try:
        yield
    finally:
        lock.release()


_watchers: list[Callable[[bool], None]] = []
_depth = 0


@contextmanager
def watch_compiling(told: Callable[[bool], None]) -> Iterator[None]:
    """Call `told(True)` when a kernel has to be compiled (or waits for another process that does), then `told(False)`.

    What is only loaded from the cache is not told.
    """
    _watchers.append(told)
    try:
        with event.install_listener("numba:compile", _Listener()):
            yield
    finally:
        _watchers.remove(told)


class _Listener(event.Listener):
    """Hears of what is not in the cache; functions that are compiled for another one come nested."""

    def on_start(self, event: Any) -> None:
        """Tell of the outermost beginning."""
        _tell(+1)

    def on_end(self, event: Any) -> None:
        """Tell of the outermost end."""
        _tell(-1)


@contextmanager
def _told() -> Iterator[None]:
    _tell(+1)
    try:
        yield
    finally:
        _tell(-1)


def _tell(change: int) -> None:
    global _depth
    before, _depth = _depth, _depth + change
    if (before == 0) != (_depth == 0):
        for told in list(_watchers):
            told(_depth > 0)
