"""Expressions over the summaries of runs, such as `sparrow.allocation_delay_s.p99 / eagle.allocation_delay_s.p99`.

A name is a setup of the claim; what follows is a path into its run's summary, with the names of percentiles there
(`p99.9` is written `["p99.9"]`). Numbers, + - * / and unary minus, parentheses, and the functions of
`claims.measures` over runs (`short(sparrow, 90)`) or numbers (`max`, `min`, `abs`, `least_rise`,
`rank_correlation`). It reads nothing else: an expression may come from a file that a user sent.
"""

from __future__ import annotations

import ast
import itertools
import math
import operator
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scheduler_core.claims import dissecting  # noqa: F401  (its measures are declared there)
from scheduler_core.claims.measures import MEASURES
from scheduler_core.engine import syntax

if TYPE_CHECKING:
    from scheduler_core.run.results import RunResult

_BINARY: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def _least_rise(*values: float) -> float:
    """Return the least step between neighbors: above 0 where each is above the one before."""
    return min(after - before for before, after in itertools.pairwise(values))


def _ranks(values: Sequence[float]) -> list[float]:
    return [float(sorted(values).index(one)) + (values.count(one) - 1) / 2 for one in values]


def _rank_correlation(*values: float) -> float:
    """Return Spearman's rank correlation of the first half of the numbers with the second half."""
    half = len(values) // 2
    if len(set(values[:half])) < 2:
        return 0.0
    return statistics.correlation(_ranks(values[:half]), _ranks(values[half:]))


_OVER_NUMBERS: dict[str, Callable[..., float]] = {
    "max": max,
    "min": min,
    "abs": abs,
    "least_rise": _least_rise,
    "rank_correlation": _rank_correlation,
}


@dataclass(frozen=True)
class Expression:
    """A parsed expression and the setups that it names."""

    body: ast.expr
    names: frozenset[str]
    text: str = ""

    @classmethod
    def parse(cls, text: str) -> Expression:
        """Read an expression; raises ValueError saying what is not understood."""
        try:
            body = syntax.expression(text)
        except SyntaxError:
            raise ValueError(f"{text!r} is not an expression") from None
        names: set[str] = set()
        _check(body, names)
        return cls(body, frozenset(names), text)

    def value(self, runs: Mapping[str, RunResult]) -> float:
        """Evaluate over one run a setup; nan where a figure is absent, because nothing completed, or divides by 0."""
        try:
            return float(_value(self.body, runs))
        except (ZeroDivisionError, _Absent):
            return math.nan


class _Absent(Exception):
    """A figure of a summary is null or not there."""


def _check(node: ast.expr, names: set[str]) -> None:
    match node:
        case ast.Constant(value=int() | float()):
            return
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            _check(inner, names)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            _check(left, names)
            _check(right, names)
        case ast.Name(id=name):
            names.add(name)
        case ast.Attribute(value=inner) | ast.Subscript(value=inner, slice=ast.Constant(value=str())):
            if not isinstance(inner, ast.Name | ast.Attribute | ast.Subscript):
                raise ValueError(f"a path begins with a setup, not with {ast.unparse(inner)!r}")
            _check(inner, names)
        case ast.Call(func=ast.Name(id=called), args=args, keywords=[]) if (
            called in _OVER_NUMBERS or called in MEASURES
        ):
            for each in args:
                if not (isinstance(each, ast.Constant) and isinstance(each.value, str)):
                    _check(each, names)
        case _:
            raise ValueError(
                f"{ast.unparse(node)!r} is not understood; there are numbers, + - * /, paths into summaries, and "
                f"{', '.join(sorted([*_OVER_NUMBERS, *MEASURES]))}"
            )


def _value(node: ast.expr, runs: Mapping[str, RunResult]) -> Any:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.UnaryOp(operand=inner):
            return -_value(inner, runs)
        case ast.BinOp(left=left, op=op, right=right):
            return _BINARY[type(op)](_number(left, runs), _number(right, runs))
        case ast.Name(id=name):
            return runs[name]
        case ast.Call(func=ast.Name(id=called), args=args):
            if called in _OVER_NUMBERS:
                return _OVER_NUMBERS[called](*(_number(each, runs) for each in args))
            return _present(MEASURES[called](*(_value(each, runs) for each in args)))
        case _:
            return _figure(node, runs)


def _number(node: ast.expr, runs: Mapping[str, RunResult]) -> float:
    value = _value(node, runs)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{ast.unparse(node)!r} is no number")
    return value


def _figure(node: ast.expr, runs: Mapping[str, RunResult]) -> float:
    """Follow a path into a run's summary."""
    steps: list[str] = []
    while not isinstance(node, ast.Name):
        match node:
            case ast.Attribute(value=inner, attr=step) | ast.Subscript(value=inner, slice=ast.Constant(value=step)):
                steps.append(str(step))
                node = inner
    here: Any = runs[node.id].summary
    for step in reversed(steps):
        if not isinstance(here, Mapping) or step not in here:
            raise _Absent
        here = here[step]
    return _present(here)


def _present(value: Any) -> float:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        raise _Absent
    number: float = value
    return number
