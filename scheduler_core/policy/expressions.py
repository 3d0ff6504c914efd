"""Read an expression: a subset of Python's, of which only the syntax tree is read and nothing is ever executed."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from scheduler_core.errors import did_you_mean, listed, shown
from scheduler_core.policy import nodes
from scheduler_core.policy.lines import nearest
from scheduler_core.policy.nodes import Graph
from scheduler_core.policy.problems import POLICY_LIMITS, PolicyError, PolicyLimits
from scheduler_core.policy.trees import VALUE, Expression
from scheduler_core.policy.words import ALIASES, BY_TEXT, FOLDED, FOLDS, FUNCTIONS, HOOK_NAMES, WORDS, Hook

_BINARY: dict[type[ast.operator], int] = {
    ast.Add: nodes.ADD, ast.Sub: nodes.SUB, ast.Mult: nodes.MUL, ast.Div: nodes.DIV, ast.FloorDiv: nodes.FLOORDIV,
    ast.Mod: nodes.MOD, ast.Pow: nodes.POW,
}  # fmt: skip
_COMPARED: dict[type[ast.cmpop], tuple[int, bool]] = {
    ast.Lt: (nodes.LT, False), ast.LtE: (nodes.LE, False), ast.Gt: (nodes.LT, True), ast.GtE: (nodes.LE, True),
    ast.Eq: (nodes.EQ, False), ast.NotEq: (nodes.NE, False),
}  # fmt: skip
_ONE = {
    "abs": nodes.ABS, "sqrt": nodes.SQRT, "log": nodes.LOG, "exp": nodes.EXP, "floor": nodes.FLOOR, "ceil": nodes.CEIL,
}  # fmt: skip
_FOLD_KINDS = {"count": nodes.COUNT, "sum": nodes.SUM, "mean": nodes.MEAN, "min": nodes.LEAST, "max": nodes.MOST}
_FUNCTION = {function.name: function for function in FUNCTIONS}
CALLABLE = tuple(dict.fromkeys((*_FUNCTION, *FOLDS)))


@dataclass
class Scope:
    """What an expression may name: definitions above it, settings and the objects of the hook."""

    graph: Graph
    hook: Hook
    constant: Callable[[float], int]
    settings: Mapping[str, int]
    definitions: Mapping[str, Expression | None]
    limits: PolicyLimits = POLICY_LIMITS
    values: dict[str, int] = field(default_factory=dict)
    each: str = ""
    fold: int = -1
    folds: int = 0


class Translator:
    """Translates one expression into values of a graph."""

    def __init__(self, expression: Expression, scope: Scope) -> None:
        self._at, self._scope, self._graph = expression, scope, scope.graph

    def value(self, node: ast.expr) -> int:
        """Return the value of a node. Raises PolicyError for what the language does not have."""
        if isinstance(node, ast.Constant):
            return self._number(node)
        if isinstance(node, ast.Name):
            return self._name(node)
        if isinstance(node, ast.Attribute):
            return self._word(node)
        if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
            return self._binary(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd | ast.Not):
            inner = self.value(node.operand)
            if isinstance(node.op, ast.UAdd):
                return inner
            return self._graph.of(nodes.NEG if isinstance(node.op, ast.USub) else nodes.NOT, inner)
        if isinstance(node, ast.BoolOp):
            op = nodes.AND if isinstance(node.op, ast.And) else nodes.OR
            found = self.value(node.values[0])
            for other in node.values[1:]:
                found = self._graph.of(op, found, self.value(other))
            return found
        if isinstance(node, ast.Compare):
            return self._comparison(node)
        if isinstance(node, ast.IfExp):
            condition, yes = self.value(node.test), self.value(node.body)
            return self._graph.of(nodes.SELECT, condition, yes, self.value(node.orelse))
        if isinstance(node, ast.Call):
            return self._call(node)
        raise self._error(node, f"{shown(self._at.text(node))} is no part of the language", VALUE)

    def _error(
        self, node: ast.AST, message: str, allowed: str = "", remedy: str = "", mend: str | None = None
    ) -> PolicyError:
        return PolicyError([self._at.problem(node, message, allowed, remedy, mend)])

    def _number(self, node: ast.Constant) -> int:
        value = node.value
        if isinstance(value, bool):
            return self._constant(float(value))
        try:
            number = float(value) if isinstance(value, int | float) else math.nan
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            raise self._error(node, f"{shown(self._at.text(node))} is no finite number", "a number up to 1.8e308")
        return self._constant(number)

    def _constant(self, number: float) -> int:
        return self._graph.add(nodes.CONST, (self._scope.constant(number + 0.0),))

    def _name(self, node: ast.Name) -> int:
        name, scope = node.id, self._scope
        if name == scope.each and name:
            raise self._error(node, f"{name} is a machine, not a number", f"a word of it, such as {name}.free_cpus")
        if name in scope.settings:
            return self._graph.add(nodes.CONST, (scope.settings[name],))
        if name in scope.definitions:
            return self._definition(name)
        if name == "now" or name in ALIASES:
            return self._read(node, ALIASES.get(name, name))
        objects = [one for one in scope.hook.objects if one != "now"]
        if name in objects:
            words = [word.name for word in WORDS if word.of == name]
            raise self._error(node, f"{name} is not a number", f"a word of it: {name}.{listed(words)}")
        if name in CALLABLE:
            raise self._error(node, f"{name} is a function", f"{name}( … )")
        plain = [one.partition(".")[2] for one in BY_TEXT if one.partition(".")[2] == name]
        valid = [*scope.definitions, *scope.settings, "now", *ALIASES, *objects]
        near = did_you_mean(name, valid)
        whole = next((one for one in BY_TEXT if plain and one.endswith(f".{name}")), None)
        if whole is not None and not near:
            near = f"; did you mean {shown(whole)}?"
        raise self._error(node, f"no line above defines {shown(name)}{near}", VALUE, "", nearest(near))

    def _definition(self, name: str) -> int:
        """Return the value of a definition, computed before; its own line has told why there is none."""
        if name not in self._scope.values:
            raise PolicyError([])
        return self._scope.values[name]

    def _word(self, node: ast.Attribute) -> int:
        if not isinstance(node.value, ast.Name):
            raise self._error(
                node, f"{shown(self._at.text(node))} is no word", "object.word, such as machine.free_cpus"
            )
        name = node.value.id
        if name == self._scope.each and name:
            return self._read(node, f"machine.{node.attr}", name)
        return self._read(node, f"{name}.{node.attr}", name)

    def _read(self, node: ast.expr, text: str, owner: str = "") -> int:
        """Return the value of a word, of the fold's machine if that is its owner."""
        scope, kind = self._scope, text.partition(".")[0]
        word, objects = BY_TEXT.get(text), scope.hook.objects
        if word is None:
            raise self._unknown(node, text, owner)
        if kind not in objects and not (owner == scope.each and owner):
            raise self._error(
                node, f"{text} cannot be used in {scope.hook.name}, which has no {kind}", f"words of {listed(objects)}"
            )
        needs = nodes.needs_of(word)
        if owner == scope.each and owner:
            if needs & (nodes.TASK | nodes.JOB) and "task" not in objects:
                raise self._error(node, f"{text} cannot be used in {scope.hook.name}")
            needs = (needs & ~nodes.MACHINE) | nodes.FOLDED
            return self._graph.add(nodes.EACH, (word.number,), needs, scope.fold)
        return self._graph.add(nodes.WORD, (word.number,), needs)

    def _unknown(self, node: ast.expr, text: str, owner: str) -> PolicyError:
        kind, _, name = text.partition(".")
        scope = self._scope
        own = [word.name for word in WORDS if word.of == kind]
        if not own or kind == "now":
            valid = [one for one in scope.hook.objects if one != "now"] + ([scope.each] if scope.each else [])
            near = did_you_mean(kind, valid)
            mend = f"{nearest(near)}.{name}" if near else None
            return self._error(node, f"{shown(owner or text)} is no object{near}", listed(valid), "", mend)
        near = did_you_mean(name, own)
        if not near:
            elsewhere = next((one for one in BY_TEXT if one.endswith(f".{name}")), None)
            if elsewhere is not None:
                return self._error(
                    node,
                    f"{text} is no word; did you mean {shown(elsewhere)}?",
                    f"{kind}: {listed(own)}",
                    "",
                    elsewhere,
                )
        mend = f"{owner or kind}.{nearest(near)}" if near else None
        return self._error(node, f"{text} is no word{near}", f"{kind}: {listed(own)}", "", mend)

    def _binary(self, node: ast.BinOp) -> int:
        left, right = self.value(node.left), self.value(node.right)
        power = node.right.value if isinstance(node.right, ast.Constant) else None
        if isinstance(node.op, ast.Pow) and isinstance(power, int) and 1 <= power <= 8:
            found = left
            for _ in range(power - 1):
                found = self._graph.of(nodes.MUL, found, left)
            return found
        return self._graph.of(_BINARY[type(node.op)], left, right)

    def _comparison(self, node: ast.Compare) -> int:
        found, left = -1, self.value(node.left)
        for op, other in zip(node.ops, node.comparators, strict=True):
            if type(op) not in _COMPARED:
                raise self._error(node, f"{shown(self._at.text(node))} is no comparison", "<, <=, >, >=, == or !=")
            kind, turned = _COMPARED[type(op)]
            right = self.value(other)
            one = self._graph.of(kind, right, left) if turned else self._graph.of(kind, left, right)
            found = one if found < 0 else self._graph.of(nodes.AND, found, one)
            left = right
        return found

    def _call(self, node: ast.Call) -> int:
        if not isinstance(node.func, ast.Name):
            raise self._error(node.func, f"{shown(self._at.text(node.func))} is no function", listed(CALLABLE))
        name = node.func.id
        if name not in CALLABLE:
            near = did_you_mean(name, CALLABLE)
            told = f"{shown(name)} is no function{near}"
            raise self._error(node.func, told, listed(CALLABLE), "", nearest(near))
        if node.keywords:
            raise self._error(node.keywords[0], "a function takes values, not NAME=VALUE", VALUE)
        if any(isinstance(one, ast.Starred) for one in node.args):
            raise self._error(node, f"{name} takes its values one by one", VALUE)
        if len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp) and name in FOLDS:
            return self._fold(node, name, node.args[0])
        if name not in _FUNCTION:
            raise self._error(node, f"{name} needs machines to go over", FOLDS[name])
        declared = _FUNCTION[name]
        if not declared.least <= len(node.args) <= declared.most:
            wanted = str(declared.least) if declared.least == declared.most else f"{declared.least} to {declared.most}"
            told = f"{name} has {len(node.args)} argument{'' if len(node.args) == 1 else 's'}"
            raise self._error(node, told, f"{wanted} argument{'' if wanted == '1' else 's'}: {declared.meaning}")
        return self._function(node, name, [self.value(one) for one in node.args])

    def _function(self, node: ast.Call, name: str, given: list[int]) -> int:
        graph = self._graph
        if name == "random":
            if self._scope.each:
                raise self._error(node, "random() cannot stand in a fold", "random() outside of folds")
            site = self._at.line.number * 1024 + self._at.base + node.col_offset
            machine = nodes.MACHINE if "machine" in self._scope.hook.objects else 0
            return graph.add(nodes.RANDOM, (site,), nodes.TASK | machine)
        if name == "clip":
            return graph.of(nodes.MIN, graph.of(nodes.MAX, given[0], given[1]), given[2])
        if name in _ONE:
            return graph.of(_ONE[name], given[0])
        op, found = (nodes.MIN if name == "min" else nodes.MAX), given[0]
        for other in given[1:]:
            found = graph.of(op, found, other)
        return found

    def _fold(self, node: ast.Call, name: str, over: ast.GeneratorExp) -> int:
        scope, part = self._scope, over.generators[0]
        if scope.each:
            raise self._error(over, "a fold cannot stand in another fold", VALUE, "give the inner one a name")
        if len(over.generators) > 1 or part.is_async or not isinstance(part.target, ast.Name):
            raise self._error(over, "this fold goes over more than one thing", FOLDS[name])
        if not isinstance(part.iter, ast.Name) or part.iter.id not in FOLDED:
            near = did_you_mean(self._at.text(part.iter), FOLDED)
            told = f"a fold cannot go over {shown(self._at.text(part.iter))}{near}"
            raise self._error(part.iter, told, listed(FOLDED), "", nearest(near))
        if part.iter.id == "rack" and "rack" not in scope.hook.objects:
            raise self._error(part.iter, f"rack cannot be used in {scope.hook.name}, which has no rack", "cluster")
        variable = part.target.id
        taken = (
            *scope.settings,
            *scope.definitions,
            *ALIASES,
            *scope.hook.objects,
            *CALLABLE,
            *HOOK_NAMES,
            "now",
            "machine",
        )
        if variable in taken:
            raise self._error(part.target, f"{shown(variable)} has a meaning already", "another name, such as m")
        scope.folds += 1
        if scope.folds > scope.limits.folds:
            told = f"the policy has more than {scope.limits.folds} folds"
            raise self._error(node, told, f"at most {scope.limits.folds} (limit 'folds')")
        return self._folded(name, over, part, variable)

    def _folded(self, name: str, over: ast.GeneratorExp, part: ast.comprehension, variable: str) -> int:
        scope, graph, number = self._scope, self._graph, self._scope.folds
        scope.each, scope.fold = variable, number
        try:
            if name == "count":
                counted = isinstance(over.elt, ast.Name) and over.elt.id == variable
                value = self._constant(1.0)
                if not counted:
                    raise self._error(over.elt, f"count counts machines: write {variable} here", variable, "", variable)
            else:
                value = self.value(over.elt)
            condition = self._constant(1.0)
            for one in part.ifs:
                condition = graph.of(nodes.AND, condition, self.value(one))
        finally:
            scope.each, scope.fold = "", -1
        domain = nodes.RACK if isinstance(part.iter, ast.Name) and part.iter.id == "rack" else nodes.CLUSTER
        needs = (graph.nodes[value].needs | graph.nodes[condition].needs) & ~nodes.FOLDED
        needs |= nodes.OTHERS | (nodes.MACHINE if domain == nodes.RACK else 0)
        return graph.add(nodes.FOLD, (_FOLD_KINDS[name], domain, value, condition, number), needs)
