"""The client's errors, in the server's words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class PlaygroundProblem(Exception):
    """Anything that a client reports."""


class Unreachable(PlaygroundProblem):
    """No server answers at the address."""


class RunFailed(PlaygroundProblem):
    """A run or a study ended without a result."""


class ApiProblem(PlaygroundProblem):
    """The server refused: `status`, `kind` (a stable name), and problems with path, message, allowed, remedy."""

    def __init__(self, status: int, kind: str, title: str, problems: Sequence[dict[str, Any]] = ()) -> None:
        self.status, self.kind, self.title, self.problems = status, kind, title, tuple(problems)
        super().__init__("\n".join([f"{title} ({status})", *(_line(each) for each in self.problems)]))


def _line(item: dict[str, Any]) -> str:
    parts = [f"{item['path']}: {item['message']}" if item.get("path") else str(item.get("message", ""))]
    if item.get("allowed"):
        parts.append(f"allowed: {item['allowed']}")
    if item.get("remedy"):
        parts.append(str(item["remedy"]))
    return "  " + "; ".join(parts)
