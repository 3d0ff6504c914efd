"""The library's errors. Each message says where the problem is, what is wrong, what is allowed and what to do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches

#: Begins of messages that continue a sentence whose subject is the field.
_VERBS = ("is ", "has ", "does ", "needs ", "asks ", "must ", "cannot ", "exceeds ", "names ")


@dataclass(frozen=True)
class Problem:
    """One problem with the input: its path, what is wrong, what is allowed, and what to do; `label` names the field."""

    path: str
    message: str
    allowed: str = ""
    remedy: str = ""
    label: str = field(default="", compare=False)

    def __str__(self) -> str:
        """Return the problem as one line, such as `Message delay (network.message_delay_s) is -1; allowed: ...`."""
        if self.label:
            follows = " " if self.message.startswith(_VERBS) else ": "
            line = f"{self.label} ({self.path}){follows}{self.message}"
        else:
            line = f"{self.path}: {self.message}" if self.path else self.message
        if self.allowed:
            line += f"; allowed: {self.allowed}"
        if self.remedy:
            line += f"; {self.remedy}"
        return " ".join(line.split())

    def to_dict(self) -> dict[str, str]:
        """Return the problem in JSON types, for an API."""
        texts = {"path": self.path, "message": self.message, "allowed": self.allowed, "remedy": self.remedy}
        return texts | ({"label": self.label} if self.label else {})


class ExperimentError(ValueError):
    """Raised for an experiment, or a file that it names, that cannot be used; `problems` lists every problem."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))

    def __reduce__(self) -> tuple[type[ExperimentError], tuple[tuple[Problem, ...]]]:
        """Support pickling between processes: the default would pass the message to the constructor."""
        return type(self), (self.problems,)


class TraceError(ExperimentError):
    """Raised for a trace file that cannot be read; the path of each problem is `line N` or empty."""


class UnknownName(LookupError):
    """Raised for a name that the registry does not have; the message lists the valid names."""

    def __init__(self, kind: str, name: str, valid: Iterable[str]) -> None:
        self.kind = kind
        self.name = name
        self.valid: tuple[str, ...] = tuple(valid)
        super().__init__(kind, name, self.valid)

    def __str__(self) -> str:
        """Name the unknown name and the valid ones."""
        near = did_you_mean(self.name, self.valid)
        return f"no {self.kind} is called {shown(self.name)}; known: {listed(self.valid)}{near}"


class Cancelled(Exception):
    """Raised to stop a run on request."""


class OtherVersion(ValueError):
    """Raised for a paused run of another package version; only that version can continue the run exactly."""


def shown(value: object, length: int = 60) -> str:
    """Quote a value for a message, cut to `length` characters."""
    words = {True: "true", False: "false", None: "null"}
    if value is None or isinstance(value, bool):
        text = words[value]
    else:
        text = f"'{value}'" if isinstance(value, str) else repr(value)
    text = text if text.isprintable() else text.encode("unicode_escape").decode("ascii")
    return text if len(text) <= length else f"{text[: length - 1]}…"


def listed(names: Iterable[str], most: int = 40) -> str:
    """Join names for a message; beyond `most` names, say how many are left out."""
    all_names = tuple(names)
    if not all_names:
        return "none"
    head = ", ".join(all_names[:most])
    return head if len(all_names) <= most else f"{head} and {len(all_names) - most} more"


def did_you_mean(name: str, valid: Iterable[str]) -> str:
    """Return a suggestion of the valid name nearest to `name`; an empty string if none is near."""
    near = get_close_matches(str(name)[:100], list(valid), n=1, cutoff=0.65)
    return f"; did you mean {shown(near[0])}?" if near else ""
