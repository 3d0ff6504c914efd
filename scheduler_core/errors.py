"""What can be wrong, said to a person: where, what, what is allowed, what to do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with what somebody gave us."""

    path: str
    message: str
    allowed: str = ""
    remedy: str = ""

    def __str__(self) -> str:
        """Give the problem as one line."""
        line = f"{self.path}: {self.message}" if self.path else self.message
        if self.allowed:
            line += f"; allowed: {self.allowed}"
        if self.remedy:
            line += f"; {self.remedy}"
        return " ".join(line.split())

    def to_dict(self) -> dict[str, str]:
        """Give the problem as JSON types, for an API."""
        return {"path": self.path, "message": self.message, "allowed": self.allowed, "remedy": self.remedy}


class ExperimentError(ValueError):
    """An experiment, or a file it names, cannot be used; `problems` holds every reason at once."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))

    def __reduce__(self) -> tuple[type[ExperimentError], tuple[tuple[Problem, ...]]]:
        """Survive the way between processes: the default would hand the text back to the constructor."""
        return type(self), (self.problems,)


class TraceError(ExperimentError):
    """A trace file cannot be read; the problems' paths are `line N` or empty."""


class UnknownName(LookupError):
    """A name that no registry entry has; the message lists the valid ones."""

    def __init__(self, kind: str, name: str, valid: Iterable[str]) -> None:
        self.kind = kind
        self.name = name
        self.valid: tuple[str, ...] = tuple(valid)
        super().__init__(kind, name, self.valid)

    def __str__(self) -> str:
        """Name what was asked for and what there is."""
        near = did_you_mean(self.name, self.valid)
        return f"no {self.kind} is called {shown(self.name)}; known: {listed(self.valid)}{near}"


class Cancelled(Exception):
    """Somebody asked for the run to stop."""


class OtherVersion(ValueError):
    """A run that was put aside by another version of this package, which alone could go on with it exactly."""


def shown(value: object, length: int = 60) -> str:
    """Quote a value for a message, cut to a length that a line can bear."""
    words = {True: "true", False: "false", None: "null"}
    if value is None or isinstance(value, bool):
        text = words[value]
    else:
        text = f"'{value}'" if isinstance(value, str) else repr(value)
    text = text if text.isprintable() else text.encode("unicode_escape").decode("ascii")
    return text if len(text) <= length else f"{text[: length - 1]}…"


def listed(names: Iterable[str], most: int = 40) -> str:
    """Join names for a message; past `most` of them say how many were left out."""
    all_names = tuple(names)
    if not all_names:
        return "none"
    head = ", ".join(all_names[:most])
    return head if len(all_names) <= most else f"{head} and {len(all_names) - most} more"


def did_you_mean(name: str, valid: Iterable[str]) -> str:
    """Suggest the nearest valid name, or nothing when none is near."""
    near = get_close_matches(str(name)[:100], list(valid), n=1, cutoff=0.6)
    return f"; did you mean {shown(near[0])}?" if near else ""
