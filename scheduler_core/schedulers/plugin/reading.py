"""Read a plugin's file: its bytes, its digest, and what it defines, before anything of it is executed."""

from __future__ import annotations

import ast
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from scheduler_core.errors import ExperimentError, Problem

_MOST_BYTES = 1_000_000
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")


@dataclass(frozen=True)
class Source:
    """A plugin's file as it was read: `path` (absolute), content, SHA-256 as hex, and the names that it defines."""

    path: Path
    content: bytes
    sha256: str
    tree: ast.Module
    defines: frozenset[str]

    @property
    def name(self) -> str:
        """The name of the scheduler that follows from the file's name."""
        return self.path.stem.lower()

    @property
    def is_loop(self) -> bool:
        """Whether the file declares a whole scheduler, not just `choose`."""
        return "SPEC" in self.defines

    @property
    def is_compiled(self) -> bool:
        """Whether it runs compiled code of its own."""
        return self.is_loop or "COMPILED" in self.defines


def read(path: str | Path) -> Source:
    """Read a plugin's file. Raises ExperimentError."""
    file = Path(path).expanduser().resolve()
    try:
        with file.open("rb") as opened:
            content = opened.read(_MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise refused(str(path), f"cannot be read: {reason}", "a Python file") from None
    if len(content) > _MOST_BYTES:
        raise refused(file.name, "is larger than 1 MB", "a Python file of at most 1,000,000 bytes")
    try:
        tree = ast.parse(content, str(file))
    except (SyntaxError, ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None) or 1
        text = getattr(error, "msg", None) or str(error)
        raise refused(f"{file.name}, line {line}", f"is not Python: {text}") from None
    source = Source(file, content, hashlib.sha256(content).hexdigest(), tree, frozenset(_names(tree)))
    _check(source)
    return source


def _names(tree: ast.Module) -> set[str]:
    """Return the names that the file's own statements define."""
    found: set[str] = set()
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            found.add(statement.name)
        elif isinstance(statement, ast.Assign | ast.AnnAssign):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            found |= {each.id for each in targets if isinstance(each, ast.Name)}
        elif isinstance(statement, ast.ImportFrom | ast.Import):
            found |= {each.asname or each.name for each in statement.names}
    return found


def _check(source: Source) -> None:
    if not source.defines & {"choose", "SPEC"}:
        raise refused(
            source.path.name,
            "defines no scheduler",
            "a function choose(task, machines), or a SPEC with a whole event loop",
        )
    if not source.is_loop and not _NAME.fullmatch(source.name):
        raise refused(
            source.path.name,
            "does not make a name for a scheduler",
            "a file name of letters, digits, - and _, at most 40, with a letter first",
            "rename the file",
        )


def refused(path: str, message: str, allowed: str = "", remedy: str = "") -> ExperimentError:
    """Return the error of a plugin that cannot be used."""
    return ExperimentError([Problem(path, message, allowed, remedy)])
