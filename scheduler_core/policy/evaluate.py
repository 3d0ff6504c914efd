"""Compute a policy's values in plain Python: for an editor that shows them, and as the test of the kernel."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from scheduler_core.engine import maths
from scheduler_core.policy import nodes
from scheduler_core.policy.program import Policy

Read = Callable[[int], float]


def evaluate(
    policy: Policy,
    hook: str,
    read: Read,
    machines: Sequence[Read] = (),
    rack: Sequence[Read] = (),
    random: Callable[[int], float] = lambda site: 0.5,
) -> float:
    """Return the value of a hook, NaN for undefined.

    `read` gives a word by its number. `machines` and `rack` give the words of the machines that folds go over;
    `random` gives a number by the place of its call.
    """
    code, rows = policy.hooks[hook], policy.rows.tolist()
    register = [math.nan] * len(rows)
    at = code.first
    while at < code.end:
        if rows[at][0] == nodes.FOLD:
            register[at] = _fold(policy, rows, register, at, read, (rack, machines)[rows[at][2]])
            at = rows[at][5]
        else:
            register[at] = _value(policy, rows[at], register, read, read, random)
            at += 1
    return register[code.result]


def _fold(
    policy: Policy, rows: list[list[int]], register: list[float], at: int, read: Read, over: Sequence[Read]
) -> float:
    _, kind, _, value, condition, end = rows[at]
    found: list[float] = []
    for each in over:
        for row in range(at + 1, end):
            register[row] = _value(policy, rows[row], register, read, each, lambda site: math.nan)
        if math.isnan(register[condition]):
            return math.nan
        if register[condition] != 0.0:
            found.append(register[value])
    if any(math.isnan(one) for one in found):
        return math.nan
    if kind in (nodes.COUNT, nodes.SUM):
        return finite(_added(found))
    if not found:
        return math.nan
    if kind == nodes.MEAN:
        return finite(_added(found) / len(found))
    return min(found) if kind == nodes.LEAST else max(found)


def _added(found: list[float]) -> float:
    total = 0.0
    for one in found:
        total += one
    return total


def finite(value: float) -> float:
    """Return a number, NaN for what is not finite."""
    return value if math.isfinite(value) else math.nan


def _value(
    policy: Policy, row: list[int], register: list[float], read: Read, each: Read, random: Callable[[int], float]
) -> float:
    op, a, b, c = row[:4]
    if op == nodes.CONST:
        return float(policy.constants[a])
    if op == nodes.WORD:
        return finite(read(a))
    if op == nodes.EACH:
        return finite(each(a))
    if op == nodes.RANDOM:
        return random(a)
    x = register[a]
    if op in _ONE:
        return math.nan if math.isnan(x) else finite(_ONE[op](x))
    if op == nodes.SELECT:
        return math.nan if math.isnan(x) else register[b] if x != 0.0 else register[c]
    y = register[b]
    if op in (nodes.AND, nodes.OR):
        if math.isnan(x) or (x != 0.0) == (op == nodes.OR):
            return x if math.isnan(x) else float(op == nodes.OR)
        return y if math.isnan(y) else float(y != 0.0)
    return math.nan if math.isnan(x) or math.isnan(y) else finite(_TWO[op](x, y))


def _divided(x: float, y: float) -> float:
    return x / y if y != 0.0 else math.nan


def _power(x: float, y: float) -> float:
    return maths.exp(y * maths.log(x)) if x > 0.0 else math.nan


def _floor(x: float) -> float:
    return x if abs(x) >= 2.0**53 else float(math.floor(x))


_ONE: dict[int, Callable[[float], float]] = {
    nodes.NEG: lambda x: -x,
    nodes.NOT: lambda x: float(x == 0.0),
    nodes.ABS: abs,
    nodes.SQRT: lambda x: math.sqrt(x) if x >= 0.0 else math.nan,
    nodes.LOG: lambda x: maths.log(x),
    nodes.EXP: lambda x: maths.exp(x),
    nodes.FLOOR: _floor,
    nodes.CEIL: lambda x: -_floor(-x),
}
_TWO: dict[int, Callable[[float, float], float]] = {
    nodes.ADD: lambda x, y: x + y,
    nodes.SUB: lambda x, y: x - y,
    nodes.MUL: lambda x, y: x * y,
    nodes.DIV: _divided,
    nodes.FLOORDIV: lambda x, y: _floor(_divided(x, y)) if math.isfinite(_divided(x, y)) else math.nan,
    nodes.MOD: lambda x, y: x - y * _floor(_divided(x, y)) if math.isfinite(_divided(x, y)) else math.nan,
    nodes.POW: _power,
    nodes.LT: lambda x, y: float(x < y),
    nodes.LE: lambda x, y: float(x <= y),
    nodes.EQ: lambda x, y: float(x == y),
    nodes.NE: lambda x, y: float(x != y),
    nodes.MIN: lambda x, y: min(x, y),
    nodes.MAX: lambda x, y: max(x, y),
}
