"""Errors that are part of the product: each becomes one JSON problem object."""

from __future__ import annotations

from dataclasses import dataclass

from scheduler_core.contract import HttpProblem
from scheduler_core.contract import ProblemItem as ProblemItem

MOST_PROBLEMS = 100
"""Problems that an answer lists. A request of 4 MB may have a million; nobody reads more than these."""


def problem(path: str, message: str, *, allowed: str = "", remedy: str = "", label: str = "") -> ProblemItem:
    """Return one problem of a request: the path of the field, what is wrong, what is allowed, and what to do."""
    item: ProblemItem = {"path": path, "message": message, "allowed": allowed, "remedy": remedy}
    if label:
        item["label"] = label
    return item


@dataclass
class PlaygroundError(Exception):
    """An error that the caller caused, with a message that the caller can act on. `kind` is a stable name for programs.

    It becomes a JSON problem object with the HTTP status `status`.
    """

    status: int
    kind: str
    title: str
    problems: tuple[ProblemItem, ...] = ()
    retry_after_s: int | None = None

    def __str__(self) -> str:
        return self.title

    def to_dict(self) -> HttpProblem:
        told = list(self.problems[:MOST_PROBLEMS])
        if len(self.problems) > MOST_PROBLEMS:
            told.append(problem("", "has more problems than these", remedy=f"solve these {MOST_PROBLEMS} first"))
        return {"type": self.kind, "title": self.title, "status": self.status, "problems": told}


def not_found(what: str) -> PlaygroundError:
    """Return the error 404 for a missing thing; `what` is its name for people, such as `run`."""
    return PlaygroundError(404, "not-found", f"There is no such {what}")


def not_yours(what: str) -> PlaygroundError:
    """Return the error 403 for a thing that another person owns; `what` is its name for people."""
    remedy = "use the browser that made it, send its owner token as 'Authorization: Bearer ...', or fork it"
    return PlaygroundError(
        403,
        "not-yours",
        f"This {what} belongs to someone else",
        (problem("", "only the owner may change it", remedy=remedy),),
    )


def over_limit(path: str, *, value: int, limit: int, setting: str, what: str) -> PlaygroundError:
    """Return the error 422 for `value` units of `what` above the limit that PLAYGROUND_`setting` sets."""
    item = problem(
        path,
        f"{value:,} {what} are more than this server accepts",
        allowed=f"at most {limit:,} {what}",
        remedy=f"make it smaller, or raise PLAYGROUND_{setting} on a server of your own",
    )
    return PlaygroundError(422, "over-limit", f"Too many {what}", (item,))
