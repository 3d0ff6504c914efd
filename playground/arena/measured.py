"""Measures of an objective: expressions over one run that no entry can distort by a parameter of its own."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator

from scheduler_core.claims.expressions import Expression
from scheduler_core.claims.measures import MEASURES
from scheduler_core.experiment.fields import refuse

RUN = "run"
#: Larger numbers leave the range of a double where they are multiplied; 1e309 is infinite already.
LARGEST = 1e15
ALLOWED = "an expression over `run`, such as run.job_completion_s.mean or short_wait(run, 99, 10)"
#: `by_class` is absent here: a scheduler's own cutoff decides which jobs it counts as short.
PARTS = (
    "allocation_delay_s", "job_completion_s", "job_delay_s", "makespan_s", "lost_work_s", "utilisation", "fairness",
    "tasks", "jobs", "graphs", "counters.messages",
)  # fmt: skip
#: `figure` needs what only claims measure, `job_end` names one job, which differs under each seed.
FUNCTIONS = tuple(name for name in MEASURES if name not in ("figure", "job_end"))


def check_expression(text: str) -> str:
    """Return an expression that every run can answer, or refuse it."""
    try:
        found = Expression.parse(text)
    except (ValueError, RecursionError) as error:
        raise refuse(f"is not understood: {error}"[:300], ALLOWED) from None
    for node in ast.walk(found.body):
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and abs(node.value) > LARGEST:
            raise refuse(f"holds a number above {LARGEST:g}", ALLOWED, "write a smaller number")
    if found.names != {RUN}:
        named = ", ".join(sorted(found.names - {RUN})) or "no run"
        raise refuse(f"names {named}", ALLOWED, "name `run` and nothing else")
    for node in _tops(found.body):
        _check_top(node)
    return text


def _tops(node: ast.expr) -> Iterator[ast.expr]:
    """Yield the calls and whole paths of an expression."""
    calls = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MEASURES
    if calls or isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
        yield node
    else:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                yield from _tops(child)


def _check_top(node: ast.expr) -> None:
    if isinstance(node, ast.Call):
        _check_call(node)
        return
    steps: list[str] = []
    while not isinstance(node, ast.Name):
        assert isinstance(node, ast.Attribute | ast.Subscript)
        steps.append(node.attr if isinstance(node, ast.Attribute) else str(getattr(node.slice, "value", "")))
        node = node.value
    path = ".".join(reversed(steps))
    if not any(path == part or path.startswith(f"{part}.") for part in PARTS):
        named = f"{RUN}.{path}".rstrip(".")
        parts = ", ".join(PARTS)
        raise refuse(
            f"measures {named}; no run has this number, or an entry could manipulate it",
            f"{RUN}. followed by one of {parts}",
        )


def _check_call(node: ast.Call) -> None:
    assert isinstance(node.func, ast.Name)
    name = node.func.id
    if name not in FUNCTIONS:
        raise refuse(f"calls {name}", ", ".join(FUNCTIONS))
    wanted = list(inspect.signature(MEASURES[name]).parameters)
    told = f"{name}({', '.join(['run', *wanted[1:]])})"
    rest = all(isinstance(each, ast.Constant) and isinstance(each.value, int | float) for each in node.args[1:])
    first = node.args[0] if node.args else None
    if len(node.args) != len(wanted) or not isinstance(first, ast.Name) or first.id != RUN or not rest:
        raise refuse(f"calls {name} with other arguments", told, "write numbers after the run")
