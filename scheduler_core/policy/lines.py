"""Read a policy's text line by line: bounds first, then which of the three forms each line has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from scheduler_core.errors import did_you_mean, listed, shown
from scheduler_core.policy.problems import POLICY_LIMITS, PolicyError, PolicyLimits, PolicyProblem
from scheduler_core.policy.words import HOOK_NAMES

TOKEN = re.compile(
    r"(?P<blank>[ \t]+)|(?P<comment>#.*)|(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[A-Za-z_]\w*)|(?P<op>\*\*|//|[<>=!]=|[-+*/%()<>.,:=])",
    re.ASCII,
)
Form = Literal["param", "name", "hook"]
LANGUAGE_VERSION = 1
"""Version of the language of policies. A text that is valid in a version keeps its meaning in it."""
FORMS = "param NAME = NUMBER from A to B; NAME = EXPRESSION; or a hook such as score: EXPRESSION"


@dataclass(frozen=True)
class Token:
    """A piece of a line: its kind (number, name, op), its text and its column from 1."""

    kind: str
    text: str
    column: int

    @property
    def end(self) -> int:
        """The column behind it."""
        return self.column + len(self.text)


@dataclass(frozen=True)
class Line:
    """A line that says something: its number from 1, its text and its tokens without blanks and comment."""

    number: int
    text: str
    tokens: tuple[Token, ...]

    def problem(
        self, token: Token | None, message: str, allowed: str = "", remedy: str = "", mend: str | None = None
    ) -> PolicyProblem:
        """Return a problem at a token, or at the end of the line."""
        column = token.column if token else (self.tokens[-1].end if self.tokens else 1)
        return PolicyProblem(self.number, column, len(token.text) if token else 0, message, allowed, remedy, mend)


@dataclass(frozen=True)
class Statement:
    """A line by its form: what it defines, and the tokens behind `=` or `:`."""

    form: Form
    name: str
    line: Line
    rest: tuple[Token, ...]


def read_lines(text: str, limits: PolicyLimits = POLICY_LIMITS) -> list[Line]:
    """Return the lines that say something. Raises PolicyError for a text that is too long or has foreign characters."""
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > limits.bytes:
        allowed = f"at most {limits.bytes:,} bytes (limit 'bytes')"
        raise PolicyError([PolicyProblem(1, 1, 0, f"the policy has {size:,} bytes", allowed, "shorten it")])
    rows = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if len(rows) > limits.lines:
        allowed = f"at most {limits.lines} lines (limit 'lines')"
        raise PolicyError([PolicyProblem(limits.lines + 1, 1, 0, f"the policy has {len(rows):,} lines", allowed)])
    problems: list[PolicyProblem] = []
    found: list[Line] = []
    for number, row in enumerate(rows, 1):
        if len(row) > limits.line_characters:
            allowed = f"at most {limits.line_characters} characters (limit 'line_characters')"
            told, remedy = f"the line has {len(row):,} characters", "give a part of it a name, on a line of its own"
            problems.append(PolicyProblem(number, limits.line_characters + 1, 0, told, allowed, remedy))
            continue
        try:
            tokens = tuple(_tokens(number, row, limits))
        except PolicyError as error:
            problems += error.problems
            continue
        if tokens:
            found.append(Line(number, row, tokens))
    if problems:
        raise PolicyError(problems)
    return found


def _tokens(number: int, row: str, limits: PolicyLimits) -> Iterator[Token]:
    at, depth, before = 0, 0, ""
    while at < len(row):
        found = TOKEN.match(row, at)
        if found is None or (found.lastgroup == "name" and before == "number"):
            raise PolicyError([_foreign(number, row, at)])
        kind, text = str(found.lastgroup), found[0]
        if kind == "comment":
            return
        depth += (text == "(") - (text == ")")
        if depth > limits.nesting:
            told = f"this is the {depth}th open bracket"
            allowed = f"at most {limits.nesting} levels (limit 'nesting')"
            remedy = "give a part of it a name, on a line of its own"
            raise PolicyError([PolicyProblem(number, at + 1, 1, told, allowed, remedy)])
        if kind != "blank":
            yield Token(kind, text, at + 1)
        at, before = found.end(), kind


_INSTEAD = {
    "'": "a policy has no texts", '"': "a policy has no texts",
    "[": "a policy has no lists", "]": "a policy has no lists",
    "{": "a policy has no sets", "}": "a policy has no sets", "&": "write `and`", "|": "write `or`", "!": "write `not`",
    "^": "write ** for a power", ";": "write one statement on a line", "?": "write A if CONDITION else B",
    "\u2212": "write -", "\u00d7": "write *", "\u00f7": "write /", "\u2264": "write <=", "\u2265": "write >=",
}  # fmt: skip
_MENDS = {
    "\u2212": "-", "\u00d7": "*", "\u00f7": "/", "\u2264": "<=", "\u2265": ">=",
    "&": "and", "|": "or", "!": "not ", "^": "**",
}  # fmt: skip


def _foreign(number: int, row: str, at: int) -> PolicyProblem:
    sign = row[at]
    allowed = "numbers, names, words such as task.cpus, + - * / ( ) and comparisons"
    width = 2 if row[at : at + 2] in ("&&", "||") else 1
    told = f"{shown(row[at : at + width])} cannot stand here"
    return PolicyProblem(number, at + 1, width, told, allowed, _INSTEAD.get(sign, ""), _MENDS.get(sign))


def statement_of(line: Line) -> Statement:
    """Return a line by its form. Raises PolicyError for a line that has none."""
    tokens = line.tokens
    first, second = tokens[0], tokens[1] if len(tokens) > 1 else None
    if first.text == "param" and (second is None or second.text not in ("=", ":")):
        if second is None or second.kind != "name":
            raise PolicyError(
                [line.problem(second, "the name of the setting is missing", "param NAME = NUMBER from A to B")]
            )
        return Statement("param", second.text, line, tokens[2:])
    if first.kind == "name" and second is not None and second.text == ":":
        if first.text not in HOOK_NAMES:
            near = did_you_mean(first.text, HOOK_NAMES)
            told = f"{shown(first.text)} is no hook{near}"
            raise PolicyError([line.problem(first, told, listed(HOOK_NAMES), "", nearest(near))])
        return Statement("hook", first.text, line, tokens[2:])
    if first.kind == "name" and second is not None and second.text == "=":
        if first.text in HOOK_NAMES:
            told = f"a hook is written with a colon: {first.text}: EXPRESSION"
            raise PolicyError([line.problem(second, told, ":", "write : for =", ":")])
        return Statement("name", first.text, line, tokens[2:])
    raise PolicyError(
        [line.problem(first, f"the line begins with {shown(first.text)} and has none of the forms", FORMS)]
    )


def nearest(near: str) -> str | None:
    """Return the name that a suggestion of `did_you_mean` has."""
    return near.split("'")[1] if "'" in near else None
