"""Parse Python's syntax from several threads.

Before Python 3.11.9 the parser counts depth for the whole process: two threads that parse at the same moment disturb
each other's count, and one of them fails with a SystemError about it (github.com/python/cpython/issues/106905).
"""

from __future__ import annotations

import ast
import threading

_ONE_AT_A_TIME = threading.RLock()
_TRIALS = 5


def parsed(source: str | bytes, mode: str = "exec") -> ast.AST:
    """Return the tree of a source text, as `ast.parse` does; raises SyntaxError.

    Threads of this library wait for each other. What other code parses meanwhile can still disturb the count, so a
    After a SystemError, it tries again.
    """
    with _ONE_AT_A_TIME:
        for _ in range(_TRIALS - 1):
            try:
                return ast.parse(source, mode=mode)
            except SystemError:
                continue
        return ast.parse(source, mode=mode)


def statements(source: str | bytes) -> list[ast.stmt]:
    """Return the statements of a module; raises SyntaxError."""
    tree = parsed(source)
    assert isinstance(tree, ast.Module)
    return tree.body


def expression(source: str) -> ast.expr:
    """Return the tree of one expression; raises SyntaxError."""
    tree = parsed(source, "eval")
    assert isinstance(tree, ast.Expression)
    return tree.body
