"""Turn an error in a plugin into one problem: the user's file and line first, then what is wrong."""

from __future__ import annotations

import ast
import re
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

from scheduler_core.errors import Problem, did_you_mean, listed
from scheduler_core.schedulers.plugin.reading import Source

_PLACE = re.compile(r'File "([^"]+)", line (\d+)')
_STEP = re.compile(r"^Failed in .* mode pipeline|^\s*$")
_QUOTED = re.compile(r"'(\w+)'")
_OURS = ("OutOfBounds", "WrongAnswer")
"""Kinds of errors whose sentences need no kind in front of them."""


def problem_of(error: BaseException, source: Source, args: tuple[Any, ...] = ()) -> Problem:
    """Return what an error says about a plugin; `args` are those of the call that raised it."""
    frames = [(frame, line) for frame, line in traceback.walk_tb(error.__traceback__) if _is_own(frame, source)]
    if frames:
        frame, line = frames[-1]
        seen = ", ".join([f"in {frame.f_code.co_name}", *_values(frame, _asked(args))])
        text = f"{_sentence(error)} ({seen})"
    elif type(error).__module__.startswith("numba."):
        line = _compiled_line(str(error), source)
        text = f"cannot be compiled: {_compiled(str(error))}"
    else:
        wrong_answer = type(error).__name__ == "WrongAnswer"
        line = _line_of("choose", source) if wrong_answer else _line_of_quoted(str(error), source)
        asked = _asked(args)
        text = _sentence(error) if asked is None else f"{_sentence(error)} (task {asked:,})"
    where = f"{source.path.name}, line {line}" if line else source.path.name
    return Problem(where, text, _allowed(error), _written(source, line))


def _is_own(frame: FrameType, source: Source) -> bool:
    return Path(frame.f_code.co_filename) == source.path


def _sentence(error: BaseException) -> str:
    """Return an error in words; with its kind, unless the kind says nothing more."""
    kind, text = type(error).__name__, " ".join(str(error).split())[:300]
    if isinstance(error, AttributeError) and (fields := getattr(error.obj, "_fields", None)):
        what = type(error.obj).__name__.lower()
        return f"a {what} has no '{error.name}'{did_you_mean(str(error.name), fields)}"
    if kind in _OURS:
        return text
    if isinstance(error, KeyError):
        return f"nothing has the name {text}"
    return f"{kind}: {text}" if text else kind


def _allowed(error: BaseException) -> str:
    fields = getattr(error.obj, "_fields", ()) if isinstance(error, AttributeError) else ()
    return listed(fields) if fields and len(fields) < 20 else str(getattr(error, "allowed", ""))


def _values(frame: FrameType, asked: int | None) -> Iterator[str]:
    """Return the task and the machine among a function's own names; else the task of the question."""
    for name, otherwise in (("task", asked), ("machine", None)):
        value = frame.f_locals.get(name, otherwise)
        number = getattr(value, "number", value)
        if isinstance(number, int | np.integer):
            yield f"{name} {int(number):,}"


def _asked(args: tuple[Any, ...]) -> int | None:
    """Return the task of the open question; None if the state has none."""
    for each in args:
        rules = getattr(each, "rules", None)
        if "asked" in (getattr(getattr(rules, "dtype", None), "names", None) or ()):
            return int(each.rules[0].asked)
    return None


def _written(source: Source, line: int) -> str:
    """Return the line of the file, for the end of a message."""
    lines = source.content.decode(errors="replace").splitlines()
    return f"the line is: {lines[line - 1].strip()[:160]}" if 0 < line <= len(lines) else ""


def _compiled_line(text: str, source: Source) -> int:
    """Return the innermost line of the plugin that the compiler names, else that of a name in its message; or 0."""
    for file, line in _PLACE.findall(text):
        if Path(file).name == source.path.name:
            return int(line)
    return _line_of_quoted(text, source)


def _line_of_quoted(text: str, source: Source) -> int:
    """Return the line that uses a name which a message quotes; 0 if there is none."""
    return next((line for name in _QUOTED.findall(text) if (line := _line_of(name, source))), 0)


def _line_of(name: str, source: Source) -> int:
    """Return the first line that defines or uses a name; 0 if there is none."""
    lines = [
        node.lineno
        for node in ast.walk(source.tree)
        if (isinstance(node, ast.Name) and node.id == name)
        or (isinstance(node, ast.Attribute) and node.attr == name)
        or (isinstance(node, ast.FunctionDef) and node.name == name)
    ]
    return min(lines, default=0)


def _compiled(text: str) -> str:
    """Return what the compiler says is wrong: the first line that is not one of its own steps."""
    said = next((line for line in text.splitlines() if not _STEP.match(line)), "the compiler gives no reason")
    if said.startswith("No implementation of function"):
        call = re.search(r">>> (.+)", text)
        said = f"these values cannot be combined: {call[1]}" if call else said
    return re.sub(r"@\w+", "", " ".join(said.split()))[:240]
