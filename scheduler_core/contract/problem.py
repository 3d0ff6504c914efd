"""Problems with a request or an experiment."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from scheduler_core.contract.base import exact


@exact
class ProblemItem(TypedDict):
    """One thing that is wrong (`scheduler_core.Problem` as JSON)."""

    path: str
    """The field, such as `topology.clusters[0].repeat`; empty where no field is concerned."""
    message: str
    """What is wrong."""
    allowed: str
    """What is allowed; may be empty."""
    remedy: str
    """What to do; may be empty."""
    label: NotRequired[str]
    """The field's label as forms show it, such as `Message delay`; absent for a field without one."""


@exact
class HttpProblem(TypedDict):
    """The body of every HTTP error, of the type `application/problem+json`."""

    type: str
    """A stable name of the kind of error, for programs."""
    title: str
    """What is wrong, in words."""
    status: int
    """The HTTP status."""
    problems: list[ProblemItem]
    """Everything that is wrong, field by field; may be empty."""
