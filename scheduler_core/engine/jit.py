"""Decorators for compiled code. No other module calls Numba's decorators.

Numba's on-disk cache does not notice a change of a compiled *callee* in another file: a cached caller keeps running the
old code. Each kernel's cache therefore lies in a folder named by a digest of all code that the kernel uses
(engine.sources). An edit creates new folders only for the kernels that it changes. Editing a comment or moving a file
changes no digest, and neither does the location of the source tree. All checkouts and installations on a machine share
compiled kernels.
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

from scheduler_core.engine.entry import Kernel
from scheduler_core.engine.held import held
from scheduler_core.engine.linking import InnerPipeline, KernelPipeline, LinkedPipeline
from scheduler_core.engine.sources import cache_root, code_digest

F = TypeVar("F", bound=Callable[..., Any])


class KernelLocator(UserProvidedCacheLocator):
    """Numba's locator in the cache folder; the folder's digest replaces the path and content of the source file."""

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """Return the name of the folder that contains the function's file."""
        return Path(py_file).parent.name

    def get_source_stamp(self) -> str:
        """Return the stamp by which Numba detects a changed file. A changed comment leaves it the same."""
        return ""

    def get_disambiguator(self) -> str:
        """Return what distinguishes functions of one name in their file names: not the line, which moves."""
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
    """Compile a function of given arrays and scalars that Python calls; the function must not allocate.

    The result stays on disk, releases the GIL, and never reorders floating-point operations. Numba counts no
    references (`_nrt`), passes named tuples of arrays by address (engine.held), and links the called functions into the
    kernel, which LLVM optimizes once (engine.linking; docs/development/design/library.md).
    """
    # Numba reads the folder when it decorates the function; each function keeps the folder of that moment.
    cache = cache_root() / code_digest(function)
    numba.config.CACHE_DIR = str(cache)  # type: ignore[attr-defined]
    lock = cache / f"{function.__module__}.{function.__name__}.lock"
    locators = numba.config.CACHE_LOCATOR_CLASSES  # type: ignore[attr-defined]
    numba.config.CACHE_LOCATOR_CLASSES = f"{KernelLocator.__module__}.{KernelLocator.__name__}"  # type: ignore[attr-defined]
    try:
        dispatcher = _njit(cache=True, **_KERNEL)(function)
    finally:
        numba.config.CACHE_LOCATOR_CLASSES = locators  # type: ignore[attr-defined]
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        return function
    return cast(F, Kernel(_one_process(_one_version(_by_address(_forgiving(dispatcher))), lock)))


def inner(function: F) -> F:
    """Compile like `kernel`, for a function called by compiled functions only: no Python entry, no cache file."""
    return cast(F, _one_version(_njit(**_INNER)(function)))


def linked(function: Callable[..., Any]) -> Any:
    """Compile like `kernel`, but stop before optimization: the code is for another machine (engine.wasm)."""
    return _one_version(_by_address(_njit(**_INNER | {"pipeline_class": LinkedPipeline})(function)))


def called(function: F) -> F:
    """Compile like `inner`, for a large function with many callers: call it instead of inlining it."""
    return inner(function)


def zeros_counter(instruction: str, in_python: Callable[[Any], int]) -> Callable[[Any], int]:
    """Return a function that counts zeros at one end of a nonzero uint64 with the processor's own instruction.

    `instruction` is LLVM's cttz (low end) or ctlz (high end). `in_python` replaces it without compilation.
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
    """Return a function that copies the fields `names` from its second record to its first, one assignment each."""
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
    """Recompile cached code that refers to names that no longer exist: a module has moved and its code is unchanged."""
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
    """Make a kernel take its named tuples of arrays by address (engine.held)."""
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        return dispatcher
    type_of = dispatcher.typeof_pyval
    dispatcher.typeof_pyval = lambda value: held(type_of(value))
    return dispatcher


def _one_version(dispatcher: Any) -> Any:
    """Compile one version of a function for all integers that compiled callers pass.

    Otherwise Numba compiles a version for each mixture of literal numbers and column widths, at twice the compile time.
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
    """Let one process at a time load or compile a function; the others then find it in the cache.

    The lock between threads comes first, so two threads never wait for each other's files. The operating system
    releases the file lock of a process that dies.
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
        pass  # no right to write to the cache, or a file system without locks: compiling twice is only slow
    try:
        yield
    finally:
        lock.release()


_watchers: list[Callable[[bool], None]] = []
_depth = 0


@contextmanager
def watch_compiling(told: Callable[[bool], None]) -> Iterator[None]:
    """Call `told(True)` when a kernel starts to compile and `told(False)` at the end.

    The kernel may compile here or in a process that this one waits for. Loading a kernel from the cache calls nothing.
    """
    _watchers.append(told)
    try:
        with event.install_listener("numba:compile", _Listener()):
            yield
    finally:
        _watchers.remove(told)


class _Listener(event.Listener):
    """Watch functions that are not in the cache; a function that compiles for another one arrives nested.

    Numba reports an end without a start if an earlier listener refused the compilation.
    """

    def __init__(self) -> None:
        self._open = 0

    def on_start(self, event: Any) -> None:
        """Report the outermost start."""
        self._open += 1
        _tell(+1)

    def on_end(self, event: Any) -> None:
        """Report the outermost end."""
        if self._open:
            self._open -= 1
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
