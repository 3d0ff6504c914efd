"""Utility expressions over space and time: what a choice of machines and starts is worth, as a tree.

Leaves ask for tasks on machines from a slice of time on; the operators combine what their children are worth. This is
the language of Alsched, with TetriSched's starts and lengths. Values are whole numbers, so that sums are exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, eq=False)
class NCk:
    """`count` tasks at once, or none, on machines of one set: worth `count` times `value`.

    `group` says whose tasks they are and so what each takes, `machines` is the number of a set of machines, `start` and
    `length` count slices. A `linear` leaf is content with fewer tasks and worth as much less.
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
    """Any of the children, worth what they are together."""

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
    """Any of the children, linear leaves, that together take no more than `count` tasks."""

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
    """Give the leaves from left to right."""
    if isinstance(expression, NCk):
        yield expression
    elif isinstance(expression, Scale | Barrier):
        yield from leaves(expression.child)
    else:
        for child in expression.children:
            yield from leaves(child)


def most(expression: Expression) -> int:
    """Say what an expression can be worth at most, were all machines free."""
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
