"""Problems of a policy's text, each with its place, and the limits of a policy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from scheduler_core.errors import Problem


@dataclass(frozen=True)
class PolicyProblem:
    """One problem: line and column from 1, how many characters it is about, what is wrong, allowed, and to be done.

    `mend` is the text that would stand there instead, where one is obvious.
    """

    line: int
    column: int
    width: int
    message: str
    allowed: str = ""
    remedy: str = ""
    mend: str | None = None

    def problem(self, path: str = "") -> Problem:
        """Return it with its place as the path, behind the path of the text itself."""
        place = f"line {self.line}, column {self.column}"
        return Problem(f"{path} {place}".strip(), self.message, self.allowed, self.remedy)

    def __str__(self) -> str:
        """Return the problem as one line."""
        return str(self.problem())

    def to_dict(self) -> dict[str, Any]:
        """Return the problem in JSON types."""
        names = ("line", "column", "width", "message", "allowed", "remedy", "mend")
        return {name: getattr(self, name) for name in names}


class PolicyError(ValueError):
    """Raised for a text that is no policy; `problems` lists every problem, in the order of the lines."""

    def __init__(self, problems: Iterable[PolicyProblem]) -> None:
        self.problems = tuple(sorted(problems, key=lambda one: (one.line, one.column)))
        super().__init__("\n".join(str(problem) for problem in self.problems))

    def __reduce__(self) -> tuple[type[PolicyError], tuple[tuple[PolicyProblem, ...]]]:
        """Support pickling between processes."""
        return type(self), (self.problems,)


@dataclass(frozen=True)
class PolicyLimits:
    """Upper bounds of one policy, fit for strangers. All are checked before anything of that size is read."""

    bytes: int = 4_000
    lines: int = 60
    line_characters: int = 400
    nesting: int = 24
    settings: int = 12
    folds: int = 8
    instructions: int = 400


POLICY_LIMITS = PolicyLimits()
