"""Find the source code that a compiled function depends on, and compute its digest.

A function's code is the top-level statement that defines it. It also includes, recursively, every statement that
defines a name which one of these statements uses. The name may come from the statement's own module or from a module of
this library. Comments, docstrings, annotations of functions, line numbers and file names do not count: editing or
moving them recompiles nothing.

Following names takes some tenths of a second. The cache folder therefore keeps the digests of all kernels and protocols
of this library, under a digest of all library files.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import json
import os
import shutil
import sys
import tempfile
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

from scheduler_core.engine import syntax
from scheduler_core.engine.quicker import collecting_later, compile_quickly

_HERE = Path(__file__).resolve()
_PACKAGE = _HERE.parent.parent
_DECORATOR = "kernel"
_FOLDER = "sources"
#: All kernels take 60 MB; with less than this the disk cannot keep even a few.
_NEEDED_BYTES = 5_000_000


@functools.cache
def cache_root() -> Path:
    """Return the cache folder of compiled kernels: $SCHEDULER_CORE_CACHE, else the user's cache folder.

    If that folder is not writable or its disk is full, return a temporary folder.
    """
    root = os.environ.get("SCHEDULER_CORE_CACHE")
    base = Path(root) if root else Path.home() / ".cache" / "scheduler-core"
    try:
        base.mkdir(parents=True, exist_ok=True)
        if not os.access(base, os.W_OK) or shutil.disk_usage(base).free < _NEEDED_BYTES:
            raise PermissionError(base)
    except OSError:
        base = Path(tempfile.gettempdir()) / "scheduler-core-cache"
    return base


def package_folder() -> Path:
    """Return the folder of this library."""
    return _PACKAGE


def forget(path: Path) -> None:
    """Read a file outside this library again at the next digest: its author may have edited it."""
    if not path.is_relative_to(_PACKAGE):
        _module.cache_clear()


def known_digests() -> dict[str, str]:
    """Return the digest of every kernel and protocol of this library, by file and name."""
    return _known()


def code_digest(function: Callable[..., Any]) -> str:
    """Return the hex digest of a function's (or class's) code and of the versions that compile it."""
    _prepare_numba()
    if isinstance(function, type):
        path, line = Path(str(sys.modules[function.__module__].__file__)).resolve(), 0
    else:
        path, line = Path(function.__code__.co_filename).resolve(), function.__code__.co_firstlineno
    if path.is_relative_to(_PACKAGE) and "<locals>" not in function.__qualname__:
        known = _known().get(_entry(_PACKAGE, path, function.__name__))
        if known is not None:
            return known
    return _digest(path, _module(path).name_at(line) if line else function.__name__)


def _prepare_numba() -> None:
    """Have Numba, if it is loaded, skip repeated work and continue if it cannot write or read a cached kernel."""
    if caching := sys.modules.get("numba.core.caching"):
        caching.FunctionCache._guard_against_spurious_io_errors = _forgiving
        compile_quickly()


@contextmanager
def _forgiving(cache: Any) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if not Path(str(cache.cache_path)).is_relative_to(cache_root()):
            raise
        warnings.warn(f"compiled code is not kept: {error}", RuntimeWarning, stacklevel=2)


def _entry(package: Path, path: Path, name: str) -> str:
    return f"{path.relative_to(package).as_posix()}:{name}"


@functools.cache
def _known() -> dict[str, str]:
    """Return all digests of this library by file and name: read from the cache, or computed and cached."""
    kept = cache_root() / _FOLDER / f"{bytes_digest()}-{_versions().decode()}.json"
    with suppress(OSError, ValueError):
        found = json.loads(kept.read_text(encoding="utf-8"))
        if isinstance(found, dict):
            return found
    with collecting_later():
        made = digests_of_kernels(_PACKAGE) | digests_of_protocols(_PACKAGE)
    keep(kept, json.dumps(made).encode())
    return made


def keep(path: Path, content: bytes) -> None:
    """Write a file of the cache at once; do nothing if the process may not, because another one makes it again."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            file.write(content)
        Path(file.name).replace(path)


@functools.cache
def bytes_digest() -> str:
    """Return the hex digest of all files of this library, byte for byte."""
    whole = hashlib.sha256()
    for path in sorted(_PACKAGE.rglob("*.py")):
        content = path.read_bytes()
        whole.update(f"{path.relative_to(_PACKAGE).as_posix()} {len(content)}\n".encode())
        whole.update(content)
    return whole.hexdigest()[:32]


def digests_of_kernels(package: Path) -> dict[str, str]:
    """Compute the digest of every kernel of a library in a folder, by file and name."""
    return {
        _entry(package, path, name): _digest(path, name)
        for path in sorted(package.rglob("*.py"))
        if f"@{_DECORATOR}" in path.read_text(encoding="utf-8")
        for name in _module(path).decorated(_DECORATOR)
    }


def digests_of_protocols(package: Path) -> dict[str, str]:
    """Compute the digest of every class that serves the driver, with everything that it calls, compiled or not."""
    return {
        _entry(package, path, name): _digest(path, name)
        for path in sorted(package.rglob("*protocol.py"))
        for name in _module(path).classes()
    }


def portable_digest(package: Path, kernel: str) -> str:
    """Return the hex digest of the sources of an event loop, `file:name` in a library, and of the state that it takes.

    Unlike `code_digest`, it is the same with every version of Python and Numba. The files that declare the types of the
    loop's arguments belong to it, because compiled code depends on the columns of its arrays.
    """
    file, _, name = kernel.rpartition(":")
    path = package / file
    first = Definition(path, name)
    digest = hashlib.sha256()
    found = [first, *_types_of_arguments(path, name)]
    numbers = {definition: number for number, definition in enumerate(found)}
    for definition in found:
        module = _module(definition.path)
        digest.update(module.spelled(definition.name))
        for used, target in module.uses(definition.name):
            if target not in numbers:
                numbers[target] = len(found)
                found.append(target)
            digest.update(f"\n{used} {numbers[target]}".encode())
    return digest.hexdigest()[:16]


def _types_of_arguments(path: Path, name: str) -> list[Definition]:
    """Return the files that declare the types of a function's arguments."""
    module, source = _module(path), syntax.statements(path.read_bytes())
    function = next(each for each in source if isinstance(each, ast.FunctionDef) and each.name == name)
    names = [each.annotation.id for each in function.args.args if isinstance(each.annotation, ast.Name)]
    files = [module.imported[each].path if each in module.imported else path for each in names if each != "int"]
    return [Definition(file, "") for file in dict.fromkeys(files)]


def _versions() -> bytes:
    return f"{version('numba')}-{sys.version_info[0]}.{sys.version_info[1]}".encode()


def _digest(path: Path, name: str) -> str:
    """Hash the statements in the order of discovery, each with the numbers of the names that it uses."""
    first = Definition(path, name)
    numbers: dict[Definition, int] = {first: 0}
    found, digest = [first], hashlib.sha256(_versions())
    for definition in found:
        module = _module(definition.path)
        digest.update(module.text_of(definition.name))
        for used, target in module.uses(definition.name):
            if target not in numbers:
                numbers[target] = len(found)
                found.append(target)
            digest.update(f"\n{used} {numbers[target]}".encode())
    return digest.hexdigest()[:16]


def definitions_behind(
    first: Iterable[tuple[Path, str]], until: Collection[Path], but: Collection[Definition] = ()
) -> frozenset[Definition]:
    """Return the definitions that the (file, name) pairs in `first` depend on, including imports inside functions.

    It does not follow definitions in the files `until` and definitions in `but`.
    """
    waiting = [Definition(path, name) for path, name in first]
    found = set(waiting)
    for definition in waiting:
        for target in _module(definition.path).uses_anywhere(definition.name):
            if target not in found and target not in but and target.path not in until:
                found.add(target)
                waiting.append(target)
    return frozenset(found)


def statements_of(definitions: Iterable[Definition]) -> list[ast.stmt]:
    """Return the statements of definitions, ordered by file and name, without docstrings and annotations."""
    ordered = sorted(definitions, key=lambda each: (each.path.as_posix(), each.name))
    return [statement for each in ordered for statement in _module(each.path).stated(each.name)]


class Definition(NamedTuple):
    """A top-level name of a file. An empty name stands for all names that the file defines."""

    path: Path
    name: str


@dataclass(eq=False)
class _Module:
    """A file's top-level statements by the names that they define, and its imports from this library."""

    path: Path
    statements: dict[str, list[ast.stmt]] = field(default_factory=dict)
    imported: dict[str, Definition] = field(default_factory=dict)

    def decorated(self, decorator: str) -> Iterator[str]:
        """Return the names of the functions with a decorator of this name."""
        for name, statements in self.statements.items():
            for statement in statements:
                if isinstance(statement, ast.FunctionDef) and any(
                    isinstance(each, ast.Name) and each.id == decorator for each in statement.decorator_list
                ):
                    yield name

    def classes(self) -> Iterator[str]:
        """Return the names of the classes."""
        for name, statements in self.statements.items():
            if any(isinstance(statement, ast.ClassDef) for statement in statements):
                yield name

    def name_at(self, line: int) -> str:
        """Return a name that the statement at a line defines."""
        for name, statements in self.statements.items():
            for statement in statements:
                decorators = getattr(statement, "decorator_list", [])
                if min(each.lineno for each in (statement, *decorators)) <= line <= (statement.end_lineno or line):
                    return name
        raise LookupError(f"{self.path} defines nothing at line {line}")

    @functools.cache  # noqa: B019 - modules live as long as the process
    def text_of(self, name: str) -> bytes:
        """Return the bytecode of the statements that define a name."""
        return b"\n".join(_said(statement) for statement in self._of(name))

    @functools.cache  # noqa: B019
    def spelled(self, name: str) -> bytes:
        """Return the statements that define a name as text, which is the same in every version of Python."""
        return "\n".join(_spelled(statement) for statement in self._of(name)).encode()

    @functools.cache  # noqa: B019
    def uses(self, name: str) -> tuple[tuple[str, Definition], ...]:
        """Return the names that the statements use, with the definition in this library behind each name."""
        found = {name: self.imported[name]} if name in self.imported else {}
        for statement in self._of(name):
            for used in _names(statement):
                base, _, attribute = used.partition(".")
                if base in self.imported:
                    target = self.imported[base]
                    whole = target.name == ""
                    found[used] = target._replace(name=attribute) if whole and attribute else target
                elif base in self.statements and base != name:
                    found[base] = Definition(self.path, base)
        return tuple(sorted((used, target) for used, target in found.items() if _exists(target)))

    @functools.cache  # noqa: B019
    def uses_anywhere(self, name: str) -> tuple[Definition, ...]:
        """Return the names that the statements use, including imports inside functions."""
        found = [target for _, target in self.uses(name)]
        for statement in self._of(name):
            inside: dict[str, Definition] = {}
            for node in ast.walk(statement):
                if isinstance(node, ast.ImportFrom | ast.Import):
                    inside.update(_imports(node))
            for used in _names(statement) if inside else ():
                base, _, attribute = used.partition(".")
                if target := inside.get(base):
                    found.append(target._replace(name=attribute) if target.name == "" and attribute else target)
        return tuple(target for target in found if _exists(target))

    def stated(self, name: str) -> list[ast.stmt]:
        """Return the statements that define a name, without docstrings and annotations."""
        return self._of(name)

    @functools.cache  # noqa: B019
    def _of(self, name: str) -> list[ast.stmt]:
        every = self.statements.values() if not name else [self.statements.get(name, [])]
        found = [statement for statements in every for statement in statements]
        for statement in found:
            _without_words(statement)
        return found


def _exists(target: Definition) -> bool:
    # Where a kernel's cache lies, and who calls it, changes nothing in its code.
    if target.path in (_HERE, _HERE.with_name("entry.py")):
        return False
    module = _module(target.path)
    return not target.name or target.name in module.statements or target.name in module.imported


@functools.cache
def _module(path: Path) -> _Module:
    """Parse a file; the cache keeps the result."""
    module = _Module(path)
    for statement in syntax.statements(path.read_bytes()):
        _enter(module, statement)
    return module


def _enter(module: _Module, statement: ast.stmt) -> None:
    if isinstance(statement, ast.ImportFrom | ast.Import):
        module.imported.update(_imports(statement))
    elif isinstance(statement, ast.If) and "TYPE_CHECKING" in ast.unparse(statement.test):
        return
    elif isinstance(statement, ast.If | ast.Try | ast.With):
        for inside in ast.walk(statement):
            if isinstance(inside, ast.ImportFrom | ast.Import):
                module.imported.update(_imports(inside))
        for name in _defined(statement):
            module.statements.setdefault(name, []).append(statement)
    else:
        for name in _defined(statement):
            module.statements.setdefault(name, []).append(statement)


def _defined(statement: ast.stmt) -> set[str]:
    """Return the names that a statement binds or changes at the top level of its module."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
        return {statement.name}
    if isinstance(statement, ast.Expr):  # a call that may change its arguments, or a docstring, which has no names
        return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
    found = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    targets = statement.targets if isinstance(statement, ast.Assign | ast.Delete) else [statement]
    changed = [target for target in targets if isinstance(target, ast.Subscript | ast.Attribute)]
    found |= {node.id for target in changed for node in ast.walk(target) if isinstance(node, ast.Name)}
    return found | {node.name for node in ast.walk(statement) if isinstance(node, ast.FunctionDef | ast.ClassDef)}


def _imports(statement: ast.ImportFrom | ast.Import) -> Iterator[tuple[str, Definition]]:
    """Return the names that an import binds from this library: (name, definition)."""
    if isinstance(statement, ast.Import):
        for each in statement.names:
            if each.asname and (path := _file(each.name)):
                yield each.asname, Definition(path, "")
        return
    for each in statement.names:
        name = each.asname or each.name
        if path := _file(f"{statement.module}.{each.name}"):
            yield name, Definition(path, "")
        elif path := _file(str(statement.module)):
            yield name, Definition(path, each.name)


def _file(module: str) -> Path | None:
    """Return the file of a module of this library."""
    return _file_in(_PACKAGE, module)


@functools.cache
def _file_in(package: Path, module: str) -> Path | None:
    parts = module.split(".")
    if parts[0] != package.name:
        return None
    path = package.joinpath(*parts[1:])
    return next((file for file in (path / "__init__.py", path.with_suffix(".py")) if file.is_file()), None)


def _names(statement: ast.stmt) -> set[str]:
    """Return the names that a statement uses; `name.attribute` if it uses only attributes of a name."""
    found: set[str] = set()
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found.add(f"{node.value.id}.{node.attr}")
        elif isinstance(node, ast.Name):
            found.add(node.id)
        else:
            waiting.extend(ast.iter_child_nodes(node))
    return found


def _without_words(statement: ast.AST) -> None:
    """Remove docstrings and function annotations in place, because Numba does not compile them."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
            every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg]
            for argument in every:
                if argument is not None:
                    argument.annotation = None
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            kept = [each for each in node.body if not _is_string(each)]
            node.body = kept or [ast.Pass(lineno=node.lineno, col_offset=0, end_lineno=node.lineno, end_col_offset=0)]
        # No function or class lies in an expression, and most nodes are expressions.
        waiting.extend(each for each in ast.iter_child_nodes(node) if not isinstance(each, ast.expr))


def _spelled(node: Any) -> str:
    """Return a syntax tree as text; parts that are empty or missing are left out, as newer versions add some."""
    if isinstance(node, list):
        return ",".join(map(_spelled, node))
    if not isinstance(node, ast.AST):
        return repr(node)
    parts = ((name, getattr(node, name, None)) for name in node._fields if name not in ("ctx", "kind", "type_comment"))
    said = (f"{name}={_spelled(part)}" for name, part in parts if part is not None and part != [])
    return f"{type(node).__name__}({' '.join(said)})"


def _is_string(statement: ast.stmt) -> bool:
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def _said(statement: ast.stmt) -> bytes:
    """Return a statement as bytecode, without line numbers."""
    code = compile(ast.Module([statement], []), "", "exec", dont_inherit=True, optimize=0)
    return repr(_plain(code)).encode()


def _plain(code: CodeType) -> tuple[Any, ...]:
    constants = tuple(_plain(each) if isinstance(each, CodeType) else _ordered(each) for each in code.co_consts)
    layout = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
    return (code.co_name, layout, code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars)


def _ordered(constant: Any) -> Any:
    return sorted(map(repr, constant)) if isinstance(constant, frozenset) else constant
