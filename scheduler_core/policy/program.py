"""A policy as a program: rows of numbers that the kernel of the scheduler `own` interprets."""

from __future__ import annotations

import ast
import keyword
import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from scheduler_core.errors import listed, shown
from scheduler_core.policy import nodes
from scheduler_core.policy.expressions import CALLABLE, Scope, Translator
from scheduler_core.policy.layout import COLUMNS, Code, laid_out
from scheduler_core.policy.lines import Statement, Token, read_lines, statement_of
from scheduler_core.policy.nodes import Graph
from scheduler_core.policy.problems import POLICY_LIMITS, PolicyError, PolicyLimits, PolicyProblem
from scheduler_core.policy.trees import Expression, parse
from scheduler_core.policy.words import ALIASES, HOOK_NAMES, HOOKS, OBJECTS, WORDS, Hook, Word

_LONGEST_NAME = 40
_MOST_TERMS = 12


@dataclass(frozen=True)
class Setting:
    """A `param` line: a number that can be set from outside, with its default and bounds."""

    name: str
    default: float
    low: float
    high: float
    line: int


@dataclass(frozen=True)
class Policy:
    """A policy that can be run: its settings, its rows (n, 1 + COLUMNS), its constants and its hooks' places.

    A setting's value is the constant at `setting_at`. `terms` gives the parts of the score: text, sign and row.
    """

    text: str
    settings: tuple[Setting, ...]
    rows: npt.NDArray[np.int32]
    constants: npt.NDArray[np.float64]
    setting_at: Mapping[str, int]
    hooks: Mapping[str, Code]
    words: tuple[Word, ...]
    terms: tuple[tuple[str, int, int], ...] = ()

    @property
    def needs(self) -> int:
        """What any of its hooks depends on."""
        found = 0
        for code in self.hooks.values():
            found |= code.needs
        return found


@dataclass
class _Made:
    """What the lines have given so far."""

    limits: PolicyLimits
    reserved: Collection[str]
    settings: dict[str, Setting] = field(default_factory=dict)
    definitions: dict[str, Expression | None] = field(default_factory=dict)
    reads: dict[str, frozenset[str]] = field(default_factory=dict)
    hooks: dict[str, tuple[int, Expression, tuple[str, ...]]] = field(default_factory=dict)
    seen: dict[str, int] = field(default_factory=dict)
    pool: list[float] = field(default_factory=list)
    places: dict[float, int] = field(default_factory=dict)
    setting_at: dict[str, int] = field(default_factory=dict)
    problems: list[PolicyProblem] = field(default_factory=list)
    everything: Scope | None = None

    def constant(self, number: float) -> int:
        """Return the place of a constant."""
        if number not in self.places:
            self.places[number] = len(self.pool)
            self.pool.append(number)
        return self.places[number]


_ANYWHERE = Hook("a definition", tuple(OBJECTS), "")


def compile_policy(text: str, reserved: Collection[str] = (), limits: PolicyLimits = POLICY_LIMITS) -> Policy:
    """Return the policy of a text. Raises PolicyError with every problem. No setting may have a `reserved` name."""
    made = _Made(limits, reserved)
    for line in read_lines(text, limits):
        try:
            _take(made, statement_of(line))
        except PolicyError as error:
            made.problems += error.problems
    if not made.hooks and not made.problems:
        told, allowed = "the policy has no hook, so it decides nothing", ", ".join(f"{name}:" for name in HOOK_NAMES)
        made.problems.append(PolicyProblem(1, 1, 0, told, allowed, "add a line such as score: machine.free_cpus"))
    if "victim" in made.hooks and "preempt" not in made.hooks and not made.problems:
        told = "victim orders the tasks that may be preempted, and no line says which may"
        made.problems.append(PolicyProblem(made.hooks["victim"][0], 1, 6, told, "preempt: EXPRESSION, too"))
    return _assembled(text, made)


def _take(made: _Made, statement: Statement) -> None:
    """Take one line over."""
    name, line = statement.name, statement.line
    token = line.tokens[1] if statement.form == "param" else line.tokens[0]
    if name in made.seen:
        told = f"{shown(name)} is there already, on line {made.seen[name]}"
        raise PolicyError([line.problem(token, told, "each name once", "remove one of the lines")])
    if statement.form != "hook":
        _refuse_taken(made, statement, token)
    made.seen[name] = line.number
    if statement.form == "param":
        made.definitions[name] = None  # where the line has a problem, its uses have none
        made.settings[name] = _setting(statement, made)
        del made.definitions[name]
        made.setting_at[name] = len(made.pool)
        made.pool.append(made.settings[name].default)
        return
    if statement.form == "name":
        try:
            _define(made, name, parse(line, statement.rest, made.limits))
        except PolicyError:
            made.definitions[name] = None  # its problem is told once, not again where it is used
            raise
    else:
        made.hooks[name] = (line.number, parse(line, statement.rest, made.limits), tuple(made.definitions))


def _define(made: _Made, name: str, expression: Expression) -> None:
    """Take a definition over. Raises PolicyError if it reads what is not above it, its own name for instance."""
    scope = _scope(made, _ANYWHERE) if made.everything is None else made.everything
    made.everything = scope
    scope.folds = 0
    scope.values[name] = Translator(expression, scope).value(expression.tree)
    made.definitions[name] = expression
    made.reads[name] = _names(made, expression)


def _scope(made: _Made, hook: Hook) -> Scope:
    return Scope(Graph(), hook, made.constant, made.setting_at, made.definitions, made.limits)


def _names(made: _Made, expression: Expression) -> frozenset[str]:
    """Return the definitions that an expression reads, and those that they read."""
    own = {node.id for node in ast.walk(expression.tree) if isinstance(node, ast.Name)} & set(made.definitions)
    return frozenset(own).union(*(made.reads.get(name, frozenset()) for name in own))


def _refuse_taken(made: _Made, statement: Statement, token: Token) -> None:
    """Refuse a name that has a meaning already."""
    name, line = statement.name, statement.line
    if statement.form == "param" and name in made.reserved:
        told = f"{shown(name)} is a parameter of the scheduler itself"
        raise PolicyError(
            [line.problem(token, told, f"a name other than {listed(made.reserved)}", "rename the setting")]
        )
    if keyword.iskeyword(name) or name in ("param", "True", "False", *HOOK_NAMES, *OBJECTS, *ALIASES, *CALLABLE):
        raise PolicyError([line.problem(token, f"{shown(name)} has a meaning already", "another name", "rename it")])
    if len(name) > _LONGEST_NAME:
        told = f"the name has {len(name)} characters"
        raise PolicyError([line.problem(token, told, f"at most {_LONGEST_NAME}")])


def _setting(statement: Statement, made: _Made) -> Setting:
    """Return the setting of a `param` line: NAME = NUMBER from A to B."""
    line, tokens = statement.line, list(statement.rest)
    if len(made.settings) >= made.limits.settings:
        told = f"this is setting number {len(made.settings) + 1}"
        raise PolicyError([line.problem(line.tokens[0], told, f"at most {made.limits.settings} (limit 'settings')")])
    found: list[float] = []
    for word in ("=", "from", "to"):
        if not tokens or tokens[0].text != word:
            at = tokens[0] if tokens else None
            told = f"{shown(word)} is missing" + (f" before {shown(at.text)}" if at else "")
            raise PolicyError([line.problem(at, told, "param NAME = NUMBER from A to B")])
        tokens.pop(0)
        minus = bool(tokens) and tokens[0].text == "-"
        if minus:
            tokens.pop(0)
        if not tokens or tokens[0].kind != "number":
            raise PolicyError(
                [line.problem(tokens[0] if tokens else None, "a number is missing", "a number such as 0.5")]
            )
        number = float(tokens[0].text)
        if not math.isfinite(number):
            raise PolicyError([line.problem(tokens[0], "the number is not finite", "a number up to 1.8e308")])
        tokens.pop(0)
        found.append(-number if minus else number)
    if tokens:
        raise PolicyError([line.problem(tokens[0], f"{shown(tokens[0].text)} is too much", "the end of the line")])
    default, low, high = found
    if low >= high:
        raise PolicyError([line.problem(line.tokens[1], f"goes from {low:g} to {high:g}", "a smaller number first")])
    if not low <= default <= high:
        told = f"{shown(statement.name)} is {default:g}, which is out of its own bounds"
        raise PolicyError([line.problem(line.tokens[3], told, f"{low:g} to {high:g}")])
    return Setting(statement.name, default + 0.0, low + 0.0, high + 0.0, line.number)


def _assembled(text: str, made: _Made) -> Policy:
    """Return the policy whose lines have been read; raises PolicyError with the problems of all lines."""
    rows: list[tuple[int, ...]] = []
    hooks: dict[str, Code] = {}
    terms: list[tuple[str, int, int]] = []
    for hook in HOOKS:
        if hook.name not in made.hooks:
            continue
        number, expression, visible = made.hooks[hook.name]
        try:
            scope = _scope(made, hook)
            scope.definitions = {name: made.definitions[name] for name in visible}
            result = _hooked(made, scope, expression)
            parts = _terms(scope, expression) if hook.name == "score" else []
            hooks[hook.name], where = laid_out(rows, scope.graph, result, [part[2] for part in parts], number)
            terms += [(said, sign, where[at]) for said, sign, at in parts]
        except PolicyError as error:
            made.problems += error.problems
    if not made.problems and len(rows) > made.limits.instructions:
        told = f"the policy has {len(rows)} steps"
        allowed = f"at most {made.limits.instructions} (limit 'instructions')"
        made.problems.append(PolicyProblem(1, 1, 0, told, allowed, "shorten it"))
    if made.problems:
        raise PolicyError(dict.fromkeys(made.problems))
    table = np.zeros((max(len(rows), 1), 1 + COLUMNS), np.int32)
    for place, row in enumerate(rows):
        table[place, : len(row)] = row
    read = {int(row[1]) for row in rows if row[0] in (nodes.WORD, nodes.EACH)}
    words = tuple(word for word in WORDS if word.number in read)
    constants = np.array(made.pool or [0.0], np.float64)
    return Policy(text, tuple(made.settings.values()), table, constants, made.setting_at, hooks, words, tuple(terms))


def _hooked(made: _Made, scope: Scope, expression: Expression) -> int:
    """Return a hook's value; the definitions that it reads come first, in their order, so nothing recurs deeply."""
    wanted = _names(made, expression)
    for name in scope.definitions:
        definition = scope.definitions[name]
        if name not in wanted or definition is None:
            continue
        try:
            scope.values[name] = Translator(definition, scope).value(definition.tree)
        except PolicyError as error:
            first = next(iter(error.problems), None)
            if first is None:
                raise
            at = next(node for node in ast.walk(expression.tree) if isinstance(node, ast.expr))
            told = f"{first.message}; {shown(name)} on line {first.line} reads it"
            raise PolicyError([expression.problem(at, told, first.allowed)]) from None
    return Translator(expression, scope).value(expression.tree)


def _terms(scope: Scope, expression: Expression) -> list[tuple[str, int, int]]:
    """Return the terms of a sum as (text, sign, value), at most 12 of them."""
    found: list[tuple[str, int, int]] = []
    waiting: list[tuple[ast.expr, int]] = [(expression.tree, 1)]
    while waiting:
        node, sign = waiting.pop()
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
            waiting.append((node.right, sign if isinstance(node.op, ast.Add) else -sign))
            waiting.append((node.left, sign))
        else:
            found.append((expression.text(node), sign, Translator(expression, scope).value(node)))
    return found if len(found) <= _MOST_TERMS else []
