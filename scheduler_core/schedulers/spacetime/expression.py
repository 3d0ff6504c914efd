"""Utility expressions over space and time: the value of machines and start times, as a tree.

Leaves request tasks on machines from a slice of time on; operators combine the values of their children. The language
is Alsched's, with the start times and durations of TetriSched. Values are whole numbers, so that sums are exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, eq=False)
class NCk:
    """A leaf: `count` tasks at once, or none, on machines of one set, with the value `count` times `value`.

    `group` identifies the tasks and so their demand, `machines` a set of machines; `start` and `length` count slices. A
    `linear` leaf also accepts fewer tasks, at a proportionally lower value.
    """

    group: int
    machines: int
    count: int
    value: int
    start: int = 0
    length: int = 1
    linear: bool = False


@dataclass(frozen=True)
class Sum:
    """Any subset of the children; its value is the sum of their values."""

    children: tuple[Expression, ...]


@dataclass(frozen=True)
class Max:
    """At most one of the children."""

    children: tuple[Expression, ...]


@dataclass(frozen=True)
class Min:
    """All of the children or none, worth the least of them."""

    children: tuple[Expression, ...]


@dataclass(frozen=True)
class UpTo:
    """Any subset of the children, which are linear leaves, with at most `count` tasks in total."""

    children: tuple[NCk, ...]
    count: int


@dataclass(frozen=True)
class Scale:
    """The child, worth a multiple."""

    child: Expression
    factor: int


@dataclass(frozen=True)
class Barrier:
    """Worth `least` when the child is worth that or more, else nothing."""

    child: Expression
    least: int


Expression: TypeAlias = NCk | Sum | Max | Min | UpTo | Scale | Barrier


def leaves(expression: Expression) -> Iterator[NCk]:
    """Return the leaves from left to right."""
    if isinstance(expression, NCk):
        yield expression
    elif isinstance(expression, Scale | Barrier):
        yield from leaves(expression.child)
    else:
        for child in expression.children:
            yield from leaves(child)


def most(expression: Expression) -> int:
    """Return an upper bound of an expression's value, as if all machines were free."""
    if isinstance(expression, NCk):
        return expression.count * expression.value
    if isinstance(expression, Scale):
        return expression.factor * most(expression.child)
    if isinstance(expression, Barrier):
        return expression.least if most(expression.child) >= expression.least else 0
    if isinstance(expression, UpTo):
        return expression.count * max((leaf.value for leaf in expression.children), default=0)
    found = [most(child) for child in expression.children]
    if isinstance(expression, Sum):
        return sum(found)
    return max(found, default=0) if isinstance(expression, Max) else min(found, default=0)
