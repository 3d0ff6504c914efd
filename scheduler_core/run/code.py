"""Compute a digest, by scheduler, of all code that can change the outcome of a run.

The digest shows if this library would compute the same result as before. The version number cannot show this, because
it stays the same through many changes. Comments, docstrings, annotations, labels and sentences do not count. The digest
does not depend on the version of Python that computes it.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from scheduler_core.engine import sources, syntax
from scheduler_core.schedulers import scheduler_by_name
from scheduler_core.schedulers.plugin.loading import loaded_plugin
from scheduler_core.world.spec import SchedulerSpec

_PACKAGE = Path(__file__).resolve().parent.parent
#: The registry names every scheduler, and a run needs one of them; signatures only say what a run is to show.
_NOT_FOLLOWED = frozenset(
    {_PACKAGE / "schedulers" / "__init__.py", *_PACKAGE.rglob("signature.py"), *_PACKAGE.rglob("signatures.py")}
)
_DRIVER = (_PACKAGE / "run" / "driver.py", "Simulation")
_PREFIX = "scheduler_core.schedulers."
#: Arguments that only people read: by keyword, and by position in what a scheduler declares (world.spec).
_WORDS = frozenset({"title", "description", "label", "help", "summary", "queue_note", "examples", "edits"})
_WORDS_AT = {"Reason": (2, 3), "Counter": (1, 2), "Layer": (1, 3), "Series": (1, 2), "Mark": (1, 2)}


def outcome_code(scheduler: str) -> str:
    """Return the hex digest of the code behind every run of a scheduler. Raises UnknownName.

    The code behind a plugin is its file and all of this library.
    """
    spec = scheduler_by_name(scheduler)
    if (found := loaded_plugin(scheduler)) is not None:
        return hashlib.sha256(f"{library_digest()} {found.sha256}".encode()).hexdigest()
    return _outcome_code(spec.name)


@functools.cache
def _outcome_code(scheduler: str) -> str:
    """Return the digest of a built-in scheduler.

    Following names takes about a second, so the cache of compiled code keeps the digest.
    """
    spec = scheduler_by_name(scheduler)
    if found := outcome_code_at_hand(scheduler):
        return found
    kept, made = _kept(scheduler), _digest(spec)
    with suppress(OSError):  # the process may not write to the cache: the next process computes it again
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=kept.parent, delete=False, encoding="ascii") as file:
            file.write(made)
        Path(file.name).replace(kept)
    return made


def outcome_code_at_hand(scheduler: str) -> str:
    """Return the digest if the cache has it; otherwise return an empty string at once."""
    if loaded_plugin(scheduler) is not None:
        return outcome_code(scheduler)
    with suppress(OSError):
        found = _kept(scheduler).read_text(encoding="ascii").strip()
        if len(found) == 64:
            return found
    return ""


def _kept(scheduler: str) -> Path:
    return sources.cache_root() / "outcomes" / f"{sources.bytes_digest()}-{scheduler}"


def library_digest() -> str:
    """Return the hex digest of this library's files as they are.

    A note stored with this digest holds for the same files, without following any name.
    """
    return sources.bytes_digest()


def _digest(spec: SchedulerSpec) -> str:
    common, said = _common()
    own = sources.definitions_behind([_declared(spec)], _NOT_FOLLOWED, common)
    return hashlib.sha256((said + _said(own)).encode()).hexdigest()


@functools.cache
def _common() -> tuple[frozenset[sources.Definition], str]:
    """Return the definitions behind every run, and their digest."""
    common = sources.definitions_behind([_DRIVER], _NOT_FOLLOWED)
    return common, _said(common)


def _said(definitions: frozenset[sources.Definition]) -> str:
    digest = hashlib.sha256()
    for statement in sources.statements_of(definitions):
        # Parse again: digests of kernels come from the statement itself, too.
        plain = _WithoutSentences().visit(syntax.parsed(ast.unparse(statement)))
        digest.update(ast.unparse(plain).encode() + b"\n")
    return digest.hexdigest()


def _declared(spec: SchedulerSpec) -> tuple[Path, str]:
    """Return the file and the name that declare a scheduler."""
    for module in [each for name, each in sys.modules.items() if name.startswith(_PREFIX)]:
        for name, value in vars(module).items():
            if value is spec:
                return Path(str(module.__file__)).resolve(), name
    raise LookupError(f"no module declares the scheduler {spec.name}")


class _WithoutSentences(ast.NodeTransformer):
    """Remove text that only people read: strings with a space, and labels, help and options in declarations.

    A string that is split into names stays.
    """

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Keep `"a b".split()` unchanged, and remove the text from declarations."""
        if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Constant):
            return node
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        node.args = [each for at, each in enumerate(node.args) if at not in _WORDS_AT.get(name, ())]
        node.keywords = [each for each in node.keywords if each.arg not in _WORDS and not _is_options(each.value)]
        return self.generic_visit(node)

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        """Remove `**options(...)`."""
        pairs = [(key, value) for key, value in zip(node.keys, node.values, strict=True) if not _is_options(value)]
        node.keys, node.values = [key for key, _ in pairs], [value for _, value in pairs]
        return self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        """Replace a sentence by an empty string."""
        if isinstance(node.value, str) and " " in node.value:
            return ast.copy_location(ast.Constant(""), node)
        return node


def _is_options(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "options"
