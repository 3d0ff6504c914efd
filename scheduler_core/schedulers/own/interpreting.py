"""Interpret a policy's rows: each row computes one value, and the last one is the answer. Undefined values are NaN."""

from __future__ import annotations

import math

import numpy as np

from scheduler_core.engine import maths, rng
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.policy import nodes
from scheduler_core.schedulers.own.reading import free, read
from scheduler_core.schedulers.own.state import OwnState

STREAM_OWN = rng.STREAM_OWN
CONST, WORD, EACH, RANDOM, FOLD = nodes.CONST, nodes.WORD, nodes.EACH, nodes.RANDOM, nodes.FOLD
ADD, SUB, MUL, DIV, FLOORDIV, MOD, POW = (
    nodes.ADD,
    nodes.SUB,
    nodes.MUL,
    nodes.DIV,
    nodes.FLOORDIV,
    nodes.MOD,
    nodes.POW,
)
NEG, NOT, AND, OR, LT, LE, EQ, NE = nodes.NEG, nodes.NOT, nodes.AND, nodes.OR, nodes.LT, nodes.LE, nodes.EQ, nodes.NE
SELECT, MIN, MAX, ABS, SQRT, LOG = nodes.SELECT, nodes.MIN, nodes.MAX, nodes.ABS, nodes.SQRT, nodes.LOG
EXP, FLOOR, CEIL = nodes.EXP, nodes.FLOOR, nodes.CEIL
COUNT, SUM, MEAN, LEAST, RACK = nodes.COUNT, nodes.SUM, nodes.MEAN, nodes.LEAST, nodes.RACK
_SITE = 1 << 32
_WHOLE = 9007199254740992.0


@inner
def prepare(w: World, s: OwnState, hook: int, t: int, j: int) -> None:
    """Compute the rows of a hook that do not depend on the machine."""
    it = s.hook[hook]
    _run(w, s, it.first, it.machine, t, j, NOBODY, NOBODY)


@inner
def answer(w: World, s: OwnState, hook: int, t: int, j: int, m: int, v: int) -> float:
    """Return a prepared hook's value for a machine, NaN for undefined."""
    it = s.hook[hook]
    _run(w, s, it.machine, it.end, t, j, m, v)
    return float(s.register[it.result])


@called
def _run(w: World, s: OwnState, first: int, end: int, t: int, j: int, m: int, v: int) -> None:
    """Compute rows in order."""
    s.rules[0].steps += end - first
    at = first
    while at < end:
        if s.code[at, 0] == FOLD:
            s.register[at] = _fold(w, s, at, t, j, m, v)
            at = s.code[at, 5]
        else:
            s.register[at] = _value(w, s, at, t, j, m, m, v)
            at += 1


@inner
def _fold(w: World, s: OwnState, at: int, t: int, j: int, m: int, v: int) -> float:
    """Return the value of a fold over the machines in service of a rack, or of all."""
    kind, value, condition, end = s.code[at, 1], s.code[at, 3], s.code[at, 4], s.code[at, 5]
    first, last = 0, len(w.machine)
    if s.code[at, 2] == RACK:
        rack = w.machine[m].rack
        first, last = s.rack_first[rack], s.rack_first[rack + 1]
    s.rules[0].steps += (last - first) * (end - at)
    count, total, least, most, undefined = 0, 0.0, np.inf, -np.inf, False
    for each in range(first, last):
        if free(w, s, each, 0) < 0:
            continue
        for row in range(at + 1, end):
            s.register[row] = _value(w, s, row, t, j, m, each, v)
        if math.isnan(s.register[condition]):
            undefined = True
        elif s.register[condition] != 0.0:
            x = s.register[value]
            undefined = undefined or math.isnan(x)
            count += 1
            total += x
            least, most = min(least, x), max(most, x)
    if undefined or (count == 0 and kind >= MEAN):
        return np.nan
    if kind <= SUM:
        return _finite(total)
    if kind == MEAN:
        return _finite(total / count)
    return least if kind == LEAST else most


@inner
def _finite(x: float) -> float:
    """Return a number, NaN for what is not finite."""
    return x if abs(x) <= 1.7976931348623157e308 else np.nan


@inner
def _whole(x: float) -> float:
    """Return the next whole number below."""
    return x if abs(x) >= _WHOLE else float(math.floor(x))


@called
def _value(w: World, s: OwnState, at: int, t: int, j: int, m: int, each: int, v: int) -> float:
    """Return the value of one row; `each` is the machine of the fold that it stands in."""
    op, a = s.code[at, 0], s.code[at, 1]
    if op == CONST:
        return float(s.constant[a])
    if op == WORD:
        return _finite(read(w, s, a, t, j, m, v))
    if op == EACH:
        return _finite(read(w, s, a, t, j, each, v))
    if op == RANDOM:
        return rng.uniform(w.control[0].seed, STREAM_OWN, t, a * _SITE + m + 1)
    x, y = s.register[a], s.register[s.code[at, 2]]
    if op == ADD:
        return _finite(x + y)
    if op == SUB:
        return _finite(x - y)
    if op == MUL:
        return _finite(x * y)
    if op == DIV:
        return _finite(x / y) if y != 0.0 else np.nan
    if op <= SELECT and op >= NOT:
        return _truth(s, at, op, x, y)
    return _function(op, x, y)


@inner
def _truth(s: OwnState, at: int, op: int, x: float, y: float) -> float:
    """Return the value of a comparison, of `and`, `or` and `not`, or of a choice between two values."""
    if math.isnan(x):
        return np.nan
    if op == NOT:
        return 1.0 if x == 0.0 else 0.0
    if op == SELECT:
        return y if x != 0.0 else float(s.register[s.code[at, 3]])
    if op == AND and x == 0.0:
        return 0.0
    if op == OR and x != 0.0:
        return 1.0
    if math.isnan(y):
        return np.nan
    if op == AND or op == OR:
        return 1.0 if y != 0.0 else 0.0
    if op == LT:
        return 1.0 if x < y else 0.0
    if op == LE:
        return 1.0 if x <= y else 0.0
    if op == EQ:
        return 1.0 if x == y else 0.0
    return 1.0 if x != y else 0.0


@inner
def _function(op: int, x: float, y: float) -> float:
    """Return the value of a function or of a rare operation."""
    if math.isnan(x):
        return np.nan
    if op == NEG:
        return -x
    if op == ABS:
        return abs(x)
    if op == SQRT:
        return math.sqrt(x) if x >= 0.0 else np.nan
    if op == LOG:
        return _finite(maths.log(x))
    if op == EXP:
        return _finite(maths.exp(x))
    if op == FLOOR:
        return _whole(x)
    if op == CEIL:
        return -_whole(-x)
    if math.isnan(y):
        return np.nan
    if op == MIN:
        return min(x, y)
    if op == MAX:
        return max(x, y)
    if op == POW:
        return _finite(maths.exp(_clipped(y * maths.log(x)))) if x > 0.0 else np.nan
    quotient = _finite(x / y) if y != 0.0 else np.nan
    if math.isnan(quotient):
        return np.nan
    return _whole(quotient) if op == FLOORDIV else _finite(x - y * _whole(quotient))


@inner
def _clipped(x: float) -> float:
    """Return an exponent within what `exp` can take."""
    return min(max(x, -1e6), 1e6)
