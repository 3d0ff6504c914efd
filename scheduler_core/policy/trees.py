"""Parse an expression to a syntax tree, within bounds, and say in words what cannot be parsed."""

from __future__ import annotations

import ast
import warnings
from dataclasses import dataclass

from scheduler_core.errors import shown
from scheduler_core.policy.lines import Line, Token
from scheduler_core.policy.problems import POLICY_LIMITS, PolicyError, PolicyLimits, PolicyProblem

VALUE = "a number, a name from a line above, a word such as task.cpus, a function or '('"
_OPERATOR = "an operator such as + or <, `if`, or the end of the line"


@dataclass
class Expression:
    """The syntax tree of a line's expression, and the line to name places in it."""

    line: Line
    base: int
    tree: ast.expr

    def problem(
        self, node: ast.AST, message: str, allowed: str = "", remedy: str = "", mend: str | None = None
    ) -> PolicyProblem:
        """Return a problem at a node of the tree."""
        first, end = getattr(node, "col_offset", 0), getattr(node, "end_col_offset", 0) or 0
        return PolicyProblem(self.line.number, self.base + first, max(end - first, 0), message, allowed, remedy, mend)

    def text(self, node: ast.AST) -> str:
        """Return what stands at a node."""
        first, end = getattr(node, "col_offset", 0), getattr(node, "end_col_offset", 0) or 0
        return self.line.text[self.base - 1 + first : self.base - 1 + end]


def parse(line: Line, rest: tuple[Token, ...], limits: PolicyLimits = POLICY_LIMITS) -> Expression:
    """Return the tree of an expression. Raises PolicyError where it cannot be read or is nested too deeply."""
    if not rest:
        raise PolicyError([line.problem(None, "the line ends here, where a value was expected", VALUE)])
    for token in rest:
        if token.text in ("=", ":"):
            mend = "==" if token.text == "=" else None
            remedy = "write == to compare" if token.text == "=" else ""
            raise PolicyError([line.problem(token, f"{shown(token.text)} cannot stand here", _OPERATOR, remedy, mend)])
    base = rest[0].column
    source = line.text[base - 1 : rest[-1].end - 1]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        offset = error.offset if isinstance(error, SyntaxError) and error.lineno == 1 else None
        raise PolicyError([_unreadable(line, rest, base + (offset or 1) - 1)]) from None
    found = Expression(line, base, tree)
    if (deep := _too_deep(tree, limits.nesting)) is not None:
        told, allowed = "the expression is nested too deeply here", f"at most {limits.nesting} levels (limit 'nesting')"
        raise PolicyError([found.problem(deep, told, allowed, "give a part of it a name, on a line of its own")])
    return found


def _unreadable(line: Line, rest: tuple[Token, ...], column: int) -> PolicyProblem:
    """Return what is wrong with a line that Python cannot read, by the first token that does not follow."""
    opened: list[Token] = []
    value_before = False
    for token in rest:
        if token.text == "(":
            opened.append(token)
        is_value = token.kind == "number" or (token.kind == "name" and token.text not in _WORDY)
        if token.text == ")" and not opened:
            return line.problem(token, "this bracket closes nothing", _OPERATOR, "", "")
        if value_before and is_value:
            return line.problem(token, f"{shown(token.text)} cannot follow a value", _OPERATOR)
        if not value_before and (token.text in _INFIX or (token.text == ")" and opened[-1].end != token.column)):
            return line.problem(token, f"{shown(token.text)} stands where a value was expected", VALUE)
        if token.text == ")":
            opened.pop()
        value_before = is_value or token.text == ")"
    if opened:
        return line.problem(opened[-1], "this bracket is never closed", ")", "close it")
    if not value_before:
        return line.problem(None, "the line ends here, where a value was expected", VALUE)
    at = next((token for token in rest if token.end > column), rest[-1])
    return line.problem(at, f"{shown(at.text)} cannot stand here", f"{VALUE}, or {_OPERATOR}")


_WORDY = ("and", "or", "not", "if", "else", "for", "in")
_INFIX = ("*", "/", "//", "%", "**", "<", ">", "<=", ">=", "==", "!=", ".", ",", "and", "or", "if", "else", "for", "in")


def _too_deep(tree: ast.AST, most: int) -> ast.AST | None:
    """Return a node below the deepest level, without recursion; None if there is none."""
    waiting: list[tuple[ast.AST, int, ast.AST]] = [(tree, 1, tree)]
    while waiting:
        node, depth, placed = waiting.pop()
        if depth > most:
            return placed
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                waiting.append((child, depth + 1, child))
            elif isinstance(child, ast.comprehension):
                waiting.append((child, depth, placed))
    return None
